#include "core/onnx/proto.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Whether the node only changes dimensions and keeps the order of elements.
bool isView(const NodeProto& node)
{
    const std::string_view op = node.op_type();
    return node.domain().empty() && (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze");
}

/// The target of a Reshape to this shape, with at most one -1. Nothing if more than one dimension is not fixed, or if
/// one is 0, which Reshape would copy from its input.
std::optional<std::vector<std::int64_t>> targetOf(const TensorType& type)
{
    if (!type.shape) {
        return std::nullopt;
    }
    std::vector<std::int64_t> dims;
    for (const Dim& dim : *type.shape) {
        dims.push_back(dim.isFixed() ? dim.size : -1);
    }
    const bool isDetermined =
        std::count(dims.begin(), dims.end(), -1) <= 1 && std::count(dims.begin(), dims.end(), 0) == 0;
    return isDetermined ? std::optional(dims) : std::nullopt;
}

} // namespace

void mergeReshapes(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    auto& graph = edit.graph();
    for (int i = 0; i < graph.node_size(); ++i) {
        NodeProto& node = *graph.mutable_node(i);
        const auto before = isView(node) ? edit.producer(node.input(0)) : std::nullopt;
        if (!before || !isView(graph.node(*before)) || edit.reads(node.input(0)) != 1) {
            continue;
        }
        const auto type = model.types.find(node.output(0));
        const auto dims = type == model.types.end() ? std::nullopt : targetOf(type->second);
        if (!dims) {
            continue;
        }
        const std::string input = graph.node(*before).input(0);
        const std::string shape = edit.addWeight(labelOf(node) + "/shape", Tensor::ints(*dims));
        node.set_op_type("Reshape");
        node.clear_attribute();
        node.clear_input();
        node.add_input(input);
        node.add_input(shape);
        edit.merge(*before, i);
    }
    edit.finish();
}

} // namespace crosswalk
