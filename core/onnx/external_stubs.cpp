#include "core/onnx/external_stubs.h"

#include "core/onnx/node.h"

#include <array>
#include <cassert>

namespace crosswalk {
namespace {

/// Lists of integers up to this many bytes are included for inference.
constexpr std::uint64_t listLimit = 1U << 20U;

/// The checker does not look for an external file whose name begins with this character.
constexpr const char* uncheckedLocation = "#";

void complete(::onnx::TensorProto& stub, const Tensor& tensor)
{
    if (tensor.bytes() == 0 || stub.has_raw_data()) {
        return;
    }
    if (isInteger(tensor.type()) && tensor.rank() <= 1 && tensor.bytes() <= listLimit) {
        const auto bytes = tensor.toBytes();
        stub.set_raw_data(bytes.data(), bytes.size());
        return;
    }
    stub.set_data_location(::onnx::TensorProto::EXTERNAL);
    stub.clear_external_data();
    auto* entry = stub.add_external_data();
    entry->set_key("location");
    entry->set_value(uncheckedLocation);
}

/// The default axes of MeanVarianceNormalization, whose function body onnx's inference evaluates without defaults.
void addDefaultAxes(::onnx::GraphProto& graph)
{
    for (auto& node : *graph.mutable_node()) {
        if (node.op_type() == "MeanVarianceNormalization" && findAttribute(node, "axes") == nullptr) {
            addInts(node, "axes", std::array<std::int64_t, 3>{0, 2, 3});
        }
    }
}

void copyWithStubs(const OnnxModel& model, ::onnx::ModelProto& copy)
{
    assert(model.weights.size() == static_cast<std::size_t>(model.proto->graph().initializer_size()));
    copy = *model.proto;
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        complete(*copy.mutable_graph()->mutable_initializer(static_cast<int>(i)), model.weights[i]);
    }
    addDefaultAxes(*copy.mutable_graph());
}

} // namespace

::onnx::ModelProto withExternalStubs(const OnnxModel& model)
{
    ::onnx::ModelProto copy;
    copyWithStubs(model, copy);
    return copy;
}

::onnx::ModelProto& withExternalStubs(const OnnxModel& model, ::google::protobuf::Arena& arena)
{
    auto* copy = ::google::protobuf::Arena::CreateMessage<::onnx::ModelProto>(&arena);
    copyWithStubs(model, *copy);
    return *copy;
}

bool isExternalStub(const ::onnx::TensorProto& initializer)
{
    return initializer.external_data_size() == 1 && initializer.external_data(0).value() == uncheckedLocation;
}

} // namespace crosswalk
