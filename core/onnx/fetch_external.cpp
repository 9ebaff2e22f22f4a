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

void fetch(::onnx::SparseTensorProto& tensor, ExternalData& external)
{
    if (tensor.has_values()) {
        fetch(*tensor.mutable_values(), external);
    }
    if (tensor.has_indices()) {
        fetch(*tensor.mutable_indices(), external);
    }
}

void fetchAll(auto& tensors, ExternalData& external)
{
    for (auto& tensor : tensors) {
        fetch(tensor, external);
    }
}

} // namespace

void fetchExternal(::onnx::NodeProto& node, ExternalData& external)
{
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_t()) {
            fetch(*attribute.mutable_t(), external);
        }
        if (attribute.has_sparse_tensor()) {
            fetch(*attribute.mutable_sparse_tensor(), external);
        }
        fetchAll(*attribute.mutable_tensors(), external);
        fetchAll(*attribute.mutable_sparse_tensors(), external);
        if (attribute.has_g()) {
            fetchExternal(*attribute.mutable_g(), external);
        }
        for (auto& body : *attribute.mutable_graphs()) {
            fetchExternal(body, external);
        }
    }
}

void fetchExternal(::onnx::GraphProto& graph, ExternalData& external)
{
    fetchAll(*graph.mutable_initializer(), external);
    fetchAll(*graph.mutable_sparse_initializer(), external);
    for (auto& node : *graph.mutable_node()) {
        fetchExternal(node, external);
    }
}

void fetchExternal(::onnx::ModelProto& frame, ExternalData& external)
{
    fetchExternal(*frame.mutable_graph(), external);
    for (auto& training : *frame.mutable_training_info()) {
        if (training.has_initialization()) {
            fetchExternal(*training.mutable_initialization(), external);
        }
        if (training.has_algorithm()) {
            fetchExternal(*training.mutable_algorithm(), external);
        }
    }
    for (auto& function : *frame.mutable_functions()) {
        for (auto& node : *function.mutable_node()) {
            fetchExternal(node, external);
        }
    }
}

} // namespace crosswalk
