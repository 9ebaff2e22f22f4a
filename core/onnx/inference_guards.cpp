#include "core/onnx/inference_guards.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk {
namespace {

using ::onnx::InferenceContext;

[[noreturn]] void fail(const std::string& why)
{
    throw ::onnx::InferenceError(::onnx::MakeString("[ShapeInferenceError] ", why));
}

/// Null if the input is absent, no tensor, or of unknown rank.
const ::onnx::TensorShapeProto* shapeOf(const InferenceContext& context, std::size_t input)
{
    const ::onnx::TypeProto* type = input < context.getNumInputs() ? context.getInputType(input) : nullptr;
    return type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape() ? &type->tensor_type().shape()
                                                                                         : nullptr;
}

/// Of computed dimensions: those of files are made unknown when they are read.
void expectDims(const InferenceContext& context)
{
    for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
        if (const auto* shape = shapeOf(context, i)) {
            for (const auto& dim : shape->dim()) {
                if (dim.dim_value() < 0) {
                    fail(fmt::format("a dimension of input {} is {}", i, dim.dim_value()));
                }
            }
        }
    }
}

void expectBatchDims(const InferenceContext& context)
{
    const auto* attribute = context.getAttribute("batch_dims");
    if (attribute != nullptr && attribute->i() < 0) {
        fail(fmt::format("batch_dims is {}, which must not be negative", attribute->i()));
    }
}

void expectParts(const InferenceContext& context)
{
    const auto* attribute = context.getAttribute("num_outputs");
    if (attribute != nullptr && attribute->i() < 1) {
        fail(fmt::format("num_outputs is {}, which must be positive", attribute->i()));
    }
}

/// Runtimes accept a vector of one element. onnx rejects only constants of another shape.
void expectScalars(const InferenceContext& context)
{
    for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
        const auto* shape = shapeOf(context, i);
        if (shape != nullptr && (shape->dim_size() > 1 || (shape->dim_size() == 1 && shape->dim(0).has_dim_value() &&
                                                           shape->dim(0).dim_value() != 1))) {
            fail(fmt::format("input {} must be a scalar", i));
        }
    }
}

struct Guard {
    std::string_view op;
    void (*expect)(const InferenceContext& context);
};

constexpr auto guards = std::to_array<Guard>({
    {"BlackmanWindow", expectScalars},
    {"GatherND", expectBatchDims},
    {"HammingWindow", expectScalars},
    {"HannWindow", expectScalars},
    {"Range", expectScalars},
    {"Split", expectParts},
});

} // namespace

::onnx::InferenceFunction guarded(std::string_view op, ::onnx::InferenceFunction function)
{
    const auto guard = std::ranges::find(guards, op, &Guard::op);
    const auto expect = guard != guards.end() ? guard->expect : nullptr;
    return [expect, function = std::move(function)](InferenceContext& context) {
        expectDims(context);
        if (expect != nullptr) {
            expect(context);
        }
        function(context);
    };
}

} // namespace crosswalk
