#pragma once

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"

#include <nlohmann/json.hpp>

namespace crosswalk::app {

using Json = nlohmann::ordered_json;

/// The JSON objects of the command line, version 1. Later versions may add keys but never remove or change any.
Json toJson(const Shape& shape); ///< sizes, symbols, null for an unknown dimension
Json toJson(const Diagnostic& problem);
Json problemsJson(const LoadedModel& loaded, const Conversion& conversion);

/// Prints to standard output, followed by a newline. Invalid UTF-8 in names is replaced by replacement characters.
void print(const Json& json);

} // namespace crosswalk::app
