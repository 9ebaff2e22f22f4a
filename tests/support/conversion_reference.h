#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/conversion.h"
#include "core/formats/onnx/file_types.h"

#include <fmt/format.h>
#include <stop_token>
#include <string>

namespace crosswalk::test {

/// The first difference between the types of a graph's values as typesOfFile() infers them and as its conversion does;
/// empty if there is none, or if typesOfFile() leaves the model to the conversion.
inline std::string differenceFromConversion(const Graph& graph)
{
    const auto types = typesOfFile(graph, std::stop_token());
    if (!types) {
        return {};
    }
    // The conversion calls typesOfFile() itself if no option changes the model. This one changes nothing, but could.
    const auto converted = convert(graph, {.customOperators = {{"an operator that no model has", {"test", "Absent"}}}});
    if (!converted) {
        return "the conversion fails: " + converted.problem().message;
    }
    for (const Diagnostic& problem : converted.value().problems) {
        if (problem.severity == Severity::Error) {
            return "the conversion has an error: " + problem.message;
        }
    }
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        const Value& value = graph.value(ValueId{i});
        const TensorType& reference = converted.value().valueTypes[i];
        if (!value.tensor && types->at(i) != reference) {
            return fmt::format("the type of {} is {} in place of {}", value.name, toString(types->at(i)),
                               toString(reference));
        }
    }
    return {};
}

} // namespace crosswalk::test
