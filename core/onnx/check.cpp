#include "core/base/diagnostic.h"
#include "core/onnx/model.h"
#include "core/onnx/schema.h"
#include "core/onnx/whole_stubs.h"

#include <algorithm>

namespace crosswalk {
namespace {

/// The checker wants a type with every output, and nobody knows one behind a gap or an operator of the user's own:
/// there any type will do.
void completeOutputs(::onnx::GraphProto& graph)
{
    const bool isOpaque =
        std::any_of(graph.node().begin(), graph.node().end(), [](const auto& node) { return !node.domain().empty(); });
    for (auto& output : *graph.mutable_output()) {
        const auto& known = output.type();
        const bool isTyped = known.has_tensor_type() ? known.tensor_type().has_shape()
                                                     : known.value_case() != ::onnx::TypeProto::VALUE_NOT_SET;
        if (isOpaque && !isTyped) {
            auto& type = *output.mutable_type()->mutable_tensor_type();
            type.set_elem_type(::onnx::TensorProto::FLOAT);
            type.mutable_shape();
        }
    }
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
    ::onnx::ModelProto copy = withWholeStubs(model); // inference writes into the model
    try {
        ::onnx::ModelProto typed = copy; // inference must not see the types that were made up
        completeOutputs(*typed.mutable_graph());
        ::onnx::checker::check_model(typed);
        const ::onnx::ShapeInferenceOptions options(true, 1, true);
        ::onnx::shape_inference::InferShapes(copy, ::onnx::OpSchemaRegistry::Instance(), options);
    } catch (const std::exception& error) {
        throw ModelError("invalid-model", "onnx's checker says: " + oneLine(error.what()));
    }
}

} // namespace crosswalk
