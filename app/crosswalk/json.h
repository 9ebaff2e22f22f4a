#pragma once

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"

#include <nlohmann/json.hpp>

namespace crosswalk::app {

using Json = nlohmann::ordered_json;

/// The JSON objects of the command line, version 1: keys are only ever added.
Json toJson(const Shape& shape); ///< sizes, symbols, null for an unknown dimension
Json toJson(const Diagnostic& problem);
Json problemsJson(const LoadedModel& loaded, const Conversion& conversion);
Json inputsOrOutputs(const Graph& graph, std::span<const ValueId> values, std::span<const TensorType> types);

/// To standard output, and a newline. Names from files that are not UTF-8 are shown with replacement characters.
void print(const Json& json);

} // namespace crosswalk::app
