#pragma once

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/verify/verify.h"

#include <stop_token>
#include <string>

namespace crosswalk {

/// One self-contained HTML page on a conversion, to send to a colleague: summary, problems with what to do, inputs and
/// outputs, how the export compares with recorded tensors (where `verified` says), both graphs as pictures, operators.
/// Loads nothing from anywhere.
std::string reportHtml(const LoadedModel& loaded, const Conversion& conversion, const VerifyReport* verified,
                       std::stop_token stop);

} // namespace crosswalk
