#include "core/onnx/external_stubs.h"

#include <cassert>

namespace crosswalk {
namespace {

/// Lists of integers up to this many bytes are included for inference.
constexpr std::uint64_t listLimit = 1U << 20U;

/// The checker does not look for an external file whose name begins with this character.
constexpr const char* uncheckedLocation = "#";

void copyWithStubs(const OnnxModel& model, ::onnx::ModelProto& copy)
{
    assert(model.weights.size() == static_cast<std::size_t>(model.proto->graph().initializer_size()));
    copy = *model.proto;
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        auto& stub = *copy.mutable_graph()->mutable_initializer(static_cast<int>(i));
        if (!isComplete(stub, model.weights[i])) {
            complete(stub, model.weights[i]);
        }
    }
}

/// A list of an arena with elements that it does not own.
template <typename Item>
void share(const Item& item, ::google::protobuf::RepeatedPtrField<Item>& list)
{
    list.UnsafeArenaAddAllocated(const_cast<Item*>(&item)); // the list is only read
}

} // namespace

bool isComplete(const ::onnx::TensorProto& initializer, const Tensor& content)
{
    return content.bytes() == 0 || initializer.has_raw_data();
}

void complete(::onnx::TensorProto& initializer, const Tensor& content)
{
    if (isInteger(content.type()) && content.rank() <= 1 && content.bytes() <= listLimit) {
        const auto bytes = content.toBytes();
        initializer.set_raw_data(bytes.data(), bytes.size());
        return;
    }
    initializer.set_data_location(::onnx::TensorProto::EXTERNAL);
    initializer.clear_external_data();
    auto* entry = initializer.add_external_data();
    entry->set_key("location");
    entry->set_value(uncheckedLocation);
}

::onnx::TensorProto completed(const ::onnx::TensorProto& initializer, const Tensor& content)
{
    ::onnx::TensorProto copy = initializer;
    complete(copy, content);
    return copy;
}

CompleteModel::CompleteModel(const OnnxModel& model)
    : m_proto(::google::protobuf::Arena::CreateMessage<::onnx::ModelProto>(&m_arena))
{
    const ::onnx::ModelProto& original = *model.proto;
    assert(model.weights.size() == static_cast<std::size_t>(original.graph().initializer_size()));
    m_proto->set_ir_version(original.ir_version());
    *m_proto->mutable_opset_import() = original.opset_import();
    *m_proto->mutable_metadata_props() = original.metadata_props();
    for (const auto& function : original.functions()) {
        share(function, *m_proto->mutable_functions());
    }
    auto& graph = *m_proto->mutable_graph();
    graph.set_name(original.graph().name());
    *graph.mutable_input() = original.graph().input();
    *graph.mutable_output() = original.graph().output();
    *graph.mutable_sparse_initializer() = original.graph().sparse_initializer();
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        const auto& initializer = original.graph().initializer(static_cast<int>(i));
        if (isComplete(initializer, model.weights[i])) {
            share(initializer, *graph.mutable_initializer());
        } else {
            *graph.add_initializer() = completed(initializer, model.weights[i]);
        }
    }
    for (const auto& node : original.graph().node()) {
        share(node, *graph.mutable_node());
    }
}

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
