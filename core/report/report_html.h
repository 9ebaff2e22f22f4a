#pragma once

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/verify/verify.h"

#include <stop_token>
#include <string>

namespace crosswalk {

/// A self-contained HTML report of a conversion: summary, problems with hints, inputs and outputs, the comparison with
/// recorded tensors (unless `verified` is null), pictures of both graphs, operators. The page loads no other resources.
std::string reportHtml(const LoadedModel& loaded, const Conversion& conversion, const VerifyReport* verified,
                       std::stop_token stop);

} // namespace crosswalk
