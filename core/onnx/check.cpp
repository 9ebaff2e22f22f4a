#include "core/base/diagnostic.h"
#include "core/onnx/model.h"
#include "core/onnx/schema.h"
#include "core/onnx/whole_stubs.h"

#include <algorithm>

namespace crosswalk {
namespace {

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
        ::onnx::checker::check_model(copy);
        const ::onnx::ShapeInferenceOptions options(true, 1, true);
        ::onnx::shape_inference::InferShapes(copy, ::onnx::OpSchemaRegistry::Instance(), options);
    } catch (const std::exception& error) {
        throw ModelError("invalid-model", "onnx's checker says: " + oneLine(error.what()));
    }
}

} // namespace crosswalk
