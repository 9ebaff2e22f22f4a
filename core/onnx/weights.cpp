#include "core/onnx/weights.h"

#include "core/onnx/proto.h"

#include <cassert>

namespace crosswalk {

void addSmallContent(const Tensor& tensor, ::onnx::TensorProto& stub)
{
    if (tensor.bytes() > 0 && tensor.bytes() <= OnnxModel::stubLimit) {
        const auto bytes = tensor.toBytes();
        stub.set_raw_data(bytes.data(), bytes.size());
    }
}

void fillStub(const Tensor& tensor, ::onnx::TensorProto& stub)
{
    stub.set_data_type(static_cast<int>(tensor.type()));
    stub.mutable_dims()->Assign(tensor.dims().begin(), tensor.dims().end());
    if (tensor.type() == ElementType::String) { // ONNX stores strings only in string_data, at any size
        stub.mutable_string_data()->Assign(tensor.toStrings().begin(), tensor.toStrings().end());
    }
    addSmallContent(tensor, stub);
}

const ::onnx::TensorProto& addWeight(OnnxModel& model, const std::string& name, Tensor tensor)
{
    auto& stub = *model.proto->mutable_graph()->add_initializer();
    stub.set_name(name);
    fillStub(tensor, stub);
    model.weights.push_back(std::move(tensor));
    return stub;
}

void keepWeights(OnnxModel& model, const std::function<bool(const std::string& name, std::size_t index)>& isKept)
{
    auto& graph = *model.proto->mutable_graph();
    assert(model.weights.size() == static_cast<std::size_t>(graph.initializer_size()));
    ::google::protobuf::RepeatedPtrField<::onnx::TensorProto> stubs;
    std::vector<Tensor> weights;
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        auto& stub = *graph.mutable_initializer(static_cast<int>(i));
        if (isKept(stub.name(), i)) {
            stubs.Add(std::move(stub));
            weights.push_back(std::move(model.weights[i]));
        }
    }
    graph.mutable_initializer()->Swap(&stubs);
    model.weights = std::move(weights);
}

} // namespace crosswalk
