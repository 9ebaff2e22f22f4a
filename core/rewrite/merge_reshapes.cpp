#include "core/onnx/proto.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Whether a Transpose keeps the order of all dimensions other than 1.
bool movesOnes(const GraphEdit& edit, const NodeProto& node)
{
    const auto shape = edit.typeOf(node.input(0)).shape;
    const Permutation permutation = permutationOf(edit, node);
    if (!shape || permutation.size() != shape->size()) {
        return false;
    }
    Permutation rest;
    std::copy_if(permutation.begin(), permutation.end(), std::back_inserter(rest),
                 [&](std::int64_t axis) { return (*shape)[static_cast<std::size_t>(axis)] != Dim(1); });
    return std::is_sorted(rest.begin(), rest.end());
}

/// Whether the node only changes dimensions and keeps the order of elements.
bool isView(const GraphEdit& edit, const NodeProto& node)
{
    const std::string_view op = node.op_type();
    return node.domain().empty() && (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze" ||
                                     (op == "Transpose" && movesOnes(edit, node)));
}

/// The target of a Reshape to this shape, with at most one -1. Nothing if more than one dimension is not fixed, or if
/// one is 0, which Reshape would copy from its input.
std::optional<Ints> targetOf(const TensorType& type)
{
    if (!type.shape) {
        return std::nullopt;
    }
    Ints dims;
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
        const auto before = isView(edit, node) ? edit.producer(node.input(0)) : std::nullopt;
        if (!before || !isView(edit, graph.node(*before)) || edit.reads(node.input(0)) != 1) {
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
