#include "core/convert/operator_doc.h"

#include "core/formats/mxnet/mxnet_operator_doc.h"
#include "core/formats/onnx/onnx_operator_doc.h"

#include <algorithm>

namespace crosswalk {

const OperatorDoc::Attribute* OperatorDoc::attribute(std::string_view name) const
{
    const auto found = std::ranges::find(attributes, name, &Attribute::name);
    return found != attributes.end() ? &*found : nullptr;
}

OperatorDoc operatorDoc(const Graph& graph, const Node& node)
{
    if (graph.format == "mxnet") {
        return mxnet::operatorDoc(node.op);
    }
    return graph.format == "onnx" ? onnxOperatorDoc(graph, node) : OperatorDoc{};
}

} // namespace crosswalk
