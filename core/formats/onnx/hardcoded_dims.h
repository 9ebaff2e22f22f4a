#pragma once

#include "crosswalk/options.h"

#include <map>
#include <string>

namespace crosswalk {

/// A hint for nodes with hardcoded sizes of the old inputs: if the model takes one sample, each sample can run
/// separately. Empty if it is unclear which size counts samples.
std::string hardcodedDimsHint(const std::map<std::string, Shape>& before, const decltype(ConvertOptions::shapes)& now);

} // namespace crosswalk
