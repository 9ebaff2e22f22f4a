#include "core/onnx/fold.h"
#include "core/onnx/node.h"
#include "core/onnx/tensor_record.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// What a Constant holds; nothing for strings and sparse tensors, which no pass looks into.
std::optional<Tensor> heldBy(const NodeProto& node)
{
    if (node.attribute_size() != 1) {
        return std::nullopt;
    }
    const auto& held = node.attribute(0);
    if (held.name() == "value" && held.has_t() && held.t().data_type() != ::onnx::TensorProto::STRING) {
        const auto owner = std::make_shared<const ::onnx::TensorProto>(held.t()); // the node goes
        return tensorOf(owner, *owner);
    }
    if (held.name() == "value_int") {
        return Tensor::of<std::int64_t>(ElementType::Int64, {}, std::vector<std::int64_t>{held.i()});
    }
    if (held.name() == "value_ints") {
        return Tensor::ints(std::vector<std::int64_t>(held.ints().begin(), held.ints().end()));
    }
    if (held.name() == "value_float") {
        return Tensor::of<float>(ElementType::Float32, {}, std::vector<float>{held.f()});
    }
    if (held.name() == "value_floats") {
        return Tensor::of<float>(ElementType::Float32, {held.floats_size()},
                                 std::vector<float>(held.floats().begin(), held.floats().end()));
    }
    return std::nullopt;
}

/// What a node gives, where that is constant and can be computed here.
std::optional<Tensor> resultOf(const GraphEdit& edit, const NodeProto& node, const ValueTypes& types)
{
    if (!node.domain().empty() || node.output_size() != 1 || edit.isOutput(node.output(0))) {
        return std::nullopt;
    }
    if (node.op_type() == "Constant") {
        return heldBy(node);
    }
    const auto type = types.find(node.output(0));
    if (type == types.end() || node.input_size() == 0 || node.input(0).empty()) {
        return std::nullopt;
    }
    std::vector<const Tensor*> inputs;
    for (const std::string& name : node.input()) {
        inputs.push_back(edit.stored(name));
        const bool isKnown = name.empty() || (inputs.back() != nullptr && inputs.back()->type() != ElementType::String);
        if (!isKnown) {
            return std::nullopt;
        }
    }
    return folded(node, inputs, type->second);
}

} // namespace

void foldConstants(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        if (auto result = resultOf(edit, edit.graph().node(i), model.types)) {
            edit.replace(i, std::move(*result));
        }
    }
    edit.finish();
}

} // namespace crosswalk
