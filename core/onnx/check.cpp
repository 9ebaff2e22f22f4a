#include "core/base/diagnostic.h"
#include "core/onnx/model.h"
#include "core/onnx/proto.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cassert>

namespace crosswalk {
namespace {

/// Integers that inference may look into (the sizes of a Split, say) are given to it up to this many bytes.
constexpr std::uint64_t listLimit = 1U << 20U;

/// What a stub lacks to pass for a whole tensor. The checker does not look for a file whose name begins with '#'.
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
    entry->set_value("#");
}

/// The checker's words on one line.
std::string oneLine(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') {
        text.pop_back();
    }
    return text;
}

} // namespace

void checkModel(const OnnxModel& model)
{
    assert(model.weights.size() == static_cast<std::size_t>(model.proto->graph().initializer_size()));
    ::onnx::ModelProto copy = *model.proto; // inference writes into the model
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        complete(*copy.mutable_graph()->mutable_initializer(static_cast<int>(i)), model.weights[i]);
    }
    try {
        ::onnx::checker::check_model(copy);
        const ::onnx::ShapeInferenceOptions options(true, 1, true);
        ::onnx::shape_inference::InferShapes(copy, ::onnx::OpSchemaRegistry::Instance(), options);
    } catch (const std::exception& error) {
        throw ModelError("invalid-model", "onnx's checker says: " + oneLine(error.what()));
    }
}

} // namespace crosswalk
