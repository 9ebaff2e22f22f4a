#pragma once

#include "crosswalk/options.h"

namespace crosswalk {

/// What may be done about nodes that have sizes of the old inputs in them: each sample can run by itself where the
/// model takes one. Empty where it cannot be told which size counts samples.
std::string hardcodedDimsHint(const std::map<std::string, Shape>& before, const decltype(ConvertOptions::shapes)& now);

} // namespace crosswalk
