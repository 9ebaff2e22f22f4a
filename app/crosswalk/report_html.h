#pragma once

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"

#include <stop_token>
#include <string>

namespace crosswalk::app {

/// One self-contained HTML page on a conversion, to send to a colleague: summary, problems with what to do, inputs and
/// outputs, both graphs as pictures, operators. Loads nothing from anywhere.
std::string reportHtml(const LoadedModel& loaded, const Conversion& conversion, std::stop_token stop);

} // namespace crosswalk::app
