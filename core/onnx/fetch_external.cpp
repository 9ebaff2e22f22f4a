#include "core/onnx/fetch_external.h"

namespace crosswalk {
namespace {

void fetch(::onnx::TensorProto& tensor, ExternalData& external)
{
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
        const auto bytes = external.tensor(tensor).toBytes();
        tensor.set_raw_data(bytes.data(), bytes.size());
        tensor.clear_external_data();
        tensor.clear_data_location();
    }
}

void fetchBody(::onnx::GraphProto& body, ExternalData& external)
{
    for (auto& initializer : *body.mutable_initializer()) {
        fetch(initializer, external);
    }
    for (auto& node : *body.mutable_node()) {
        fetchExternal(node, external);
    }
}

} // namespace

void fetchExternal(::onnx::NodeProto& node, ExternalData& external)
{
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_t()) {
            fetch(*attribute.mutable_t(), external);
        }
        for (auto& tensor : *attribute.mutable_tensors()) {
            fetch(tensor, external);
        }
        if (attribute.has_g()) {
            fetchBody(*attribute.mutable_g(), external);
        }
        for (auto& body : *attribute.mutable_graphs()) {
            fetchBody(body, external);
        }
    }
}

} // namespace crosswalk
