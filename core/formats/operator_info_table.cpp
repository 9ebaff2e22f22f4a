#include "core/formats/format_reader.h"
#include "core/graph/operator_info.h"
#include "core/onnx/onnx_model.h"

#include <algorithm>

namespace crosswalk {
namespace {

const OperatorInfo& infoOfFormat(std::string_view format)
{
    static constexpr OperatorInfo neutral;
    const auto readers = formatReaders();
    const auto reader = std::ranges::find(readers, format, &FormatReader::format);
    return reader != readers.end() ? reader->operators() : neutral;
}

/// Bodies have no metadata with the source format: the first format that has such an operator.
const OperatorInfo& infoOfGap(const Node& node)
{
    for (const FormatReader& reader : formatReaders()) {
        if (reader.operators().category(node) != OperatorCategory::Other) {
            return reader.operators();
        }
    }
    return infoOfFormat({});
}

bool isForeign(const Node& node)
{
    return !node.domain.empty() && !node.domain.starts_with("ai.onnx") && !node.domain.starts_with("com.microsoft");
}

} // namespace

const OperatorInfo& operatorInfo(const Graph& graph, const Node& node)
{
    if (isForeign(node)) {
        if (const auto source = graph.metadata.find("crosswalk.source_format"); source != graph.metadata.end()) {
            return infoOfFormat(source->second);
        }
        if (node.domain == gapDomain) {
            return infoOfGap(node);
        }
    }
    return infoOfFormat(graph.format);
}

RecurrentFeature recurrentFeature(std::string_view attribute)
{
    for (const FormatReader& reader : formatReaders()) {
        if (const auto feature = reader.operators().recurrentFeature(attribute); feature != RecurrentFeature::None) {
            return feature;
        }
    }
    return RecurrentFeature::None;
}

} // namespace crosswalk
