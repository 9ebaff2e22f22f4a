#include "core/onnx/fold.h"
#include "core/onnx/node.h"
#include "core/onnx/tensor_record.h"
#include "core/rewrite/constant_results.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// The value of a Constant; nothing for strings and sparse tensors, which no pass uses.
std::optional<Tensor> valueOf(const NodeProto& node)
{
    if (node.attribute_size() != 1) {
        return std::nullopt;
    }
    const auto& value = node.attribute(0);
    if (value.name() == "value" && value.has_t() && value.t().data_type() != ::onnx::TensorProto::STRING) {
        // A copy, because the node is removed.
        const auto owner = std::make_shared<const ::onnx::TensorProto>(value.t());
        return tensorOf(owner, *owner);
    }
    if (value.name() == "value_int") {
        return Tensor::of<std::int64_t>(ElementType::Int64, {}, std::vector<std::int64_t>{value.i()});
    }
    if (value.name() == "value_ints") {
        return Tensor::ints(std::vector<std::int64_t>(value.ints().begin(), value.ints().end()));
    }
    if (value.name() == "value_float") {
        return Tensor::of<float>(ElementType::Float32, {}, std::vector<float>{value.f()});
    }
    if (value.name() == "value_floats") {
        return Tensor::of<float>(ElementType::Float32, {value.floats_size()},
                                 std::vector<float>(value.floats().begin(), value.floats().end()));
    }
    return std::nullopt;
}

/// The constant output of a node, if it can be folded.
std::optional<Tensor> resultOf(const GraphEdit& edit, const NodeProto& node, const ValueTypes& types)
{
    if (!node.domain().empty() || node.output_size() != 1) {
        return std::nullopt;
    }
    if (node.op_type() == "Constant") {
        return valueOf(node);
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
    const bool isBody = model.body != nullptr;
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        edit.update(*edit.graph().mutable_node(i));
        const NodeProto& node = edit.graph().node(i);
        const auto& outputs = node.output();
        if (std::any_of(outputs.begin(), outputs.end(), [&](const std::string& output) {
                return output.empty() || (isBody && !edit.isReplaceable(output));
            })) {
            continue;
        }
        if (auto result = resultOf(edit, node, model.types)) {
            edit.replace(i, {std::move(*result)});
        } else if (auto results = constantResults(edit, node)) {
            edit.replace(i, std::move(*results));
        }
    }
    edit.finish();
}

} // namespace crosswalk
