#include "core/onnx/negative_dims.h"

#include "core/onnx/proto.h"

namespace crosswalk {
namespace {

void forgetIn(::onnx::TypeProto& type)
{
    switch (type.value_case()) {
    case ::onnx::TypeProto::kTensorType:
        if (!type.tensor_type().has_shape()) {
            break;
        }
        for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
            if (dim.dim_value() < 0) {
                dim.clear_value();
            }
        }
        break;
    case ::onnx::TypeProto::kSequenceType:
        forgetIn(*type.mutable_sequence_type()->mutable_elem_type());
        break;
    case ::onnx::TypeProto::kOptionalType:
        forgetIn(*type.mutable_optional_type()->mutable_elem_type());
        break;
    default:
        break;
    }
}

template <typename Infos>
void forgetInAll(Infos& infos)
{
    for (auto& info : infos) {
        if (info.has_type()) {
            forgetIn(*info.mutable_type());
        }
    }
}

template <typename Nodes>
void forgetInNodes(Nodes& nodes)
{
    for (auto& node : nodes) {
        forgetNegativeDims(node);
    }
}

} // namespace

void forgetNegativeDims(::onnx::NodeProto& node)
{
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) {
            forgetNegativeDims(*attribute.mutable_g());
        }
        for (auto& graph : *attribute.mutable_graphs()) {
            forgetNegativeDims(graph);
        }
        if (attribute.has_tp()) {
            forgetIn(*attribute.mutable_tp());
        }
    }
}

void forgetNegativeDims(::onnx::GraphProto& graph)
{
    forgetInAll(*graph.mutable_input());
    forgetInAll(*graph.mutable_output());
    forgetInAll(*graph.mutable_value_info());
    forgetInNodes(*graph.mutable_node());
}

void forgetNegativeDims(::onnx::ModelProto& model)
{
    if (model.has_graph()) {
        forgetNegativeDims(*model.mutable_graph());
    }
    for (auto& function : *model.mutable_functions()) {
        forgetInAll(*function.mutable_value_info());
        forgetInNodes(*function.mutable_node());
    }
}

} // namespace crosswalk
