#include "core/onnx/inference_guards.h"

#include "core/base/budget.h"
#include "core/base/saturating_product.h"
#include "core/onnx/node.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

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

/// Negative dimensions of files are made unknown when they are read; these are computed. Operators such as Gather add
/// up the axes of their inputs: a chain of them would fill the memory.
void expectDims(const InferenceContext& context)
{
    for (std::size_t i = 0; i < context.getNumInputs(); ++i) {
        const auto* shape = shapeOf(context, i);
        if (shape == nullptr) {
            continue;
        }
        if (shape->dim_size() > Budget::axes) {
            fail(
                fmt::format("input {} has {} dimensions; at most {} are possible", i, shape->dim_size(), Budget::axes));
        }
        std::int64_t product = 1;
        for (const auto& dim : shape->dim()) {
            if (dim.dim_value() < 0) {
                fail(fmt::format("a dimension of input {} is {}", i, dim.dim_value()));
            }
            if (exceedsLargest(dim.dim_value(), product)) {
                fail(dim.dim_value() > largestDim
                         ? fmt::format("a dimension of input {} is {}; at most {} is supported", i, dim.dim_value(),
                                       largestDim)
                         : fmt::format("input {} has too many elements", i));
            }
        }
    }
}

/// onnx reads the axis of most operators as 32 bits, so that 4294967297 would be axis 1.
void expectPossibleAxis(const InferenceContext& context)
{
    const auto* axis = context.getAttribute("axis");
    if (axis != nullptr && (axis->i() < -Budget::axes || axis->i() > Budget::axes)) {
        fail(fmt::format("axis is {}; at most {} dimensions are possible", axis->i(), Budget::axes));
    }
}

/// Operators whose windows can have a negative step, or be larger than what they move over. Others, such as a Split
/// with a negative size, also occur in branches that are never taken.
constexpr std::array<std::string_view, 5> windowed{"AveragePool", "Conv", "ConvTranspose", "LpPool", "MaxPool"};

void expectSizes(InferenceContext& context)
{
    for (std::size_t i = 0; i < context.getNumOutputs(); ++i) {
        const auto& type = *context.getOutputType(i);
        if (!type.has_tensor_type()) {
            continue;
        }
        for (const auto& dim : type.tensor_type().shape().dim()) {
            if (dim.dim_value() < 0) {
                fail(fmt::format("a dimension of output {} is {}", i, dim.dim_value()));
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

void expectAxis(const InferenceContext& context)
{
    const auto* attribute = context.getAttribute("axis");
    const auto* shape = shapeOf(context, 0);
    if (attribute != nullptr && shape != nullptr &&
        (attribute->i() < -shape->dim_size() || attribute->i() >= shape->dim_size())) {
        fail(fmt::format("axis is {}, but the input has {} dimensions", attribute->i(), shape->dim_size()));
    }
}

void expectParts(const InferenceContext& context)
{
    const auto* attribute = context.getAttribute("num_outputs");
    if (attribute != nullptr && attribute->i() != static_cast<std::int64_t>(context.getNumOutputs())) {
        fail(fmt::format("num_outputs is {}, but the node has {} outputs", attribute->i(), context.getNumOutputs()));
    }
}

/// The length of the second input becomes the rank of the result.
void expectShapeLength(const InferenceContext& context)
{
    const auto* shape = shapeOf(context, 1);
    if (shape != nullptr && shape->dim_size() == 1 && shape->dim(0).dim_value() > Budget::axes) {
        fail(
            fmt::format("the shape has {} elements; at most {} are possible", shape->dim(0).dim_value(), Budget::axes));
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

/// onnx looks at the rank of these operands only where they are stored. Of another rank, no content fits.
template <std::size_t input, int rank>
void expectRank(const InferenceContext& context)
{
    const auto* shape = shapeOf(context, input);
    if (shape != nullptr && shape->dim_size() != rank) {
        fail(fmt::format("input {} must be a {}", input, rank == 0 ? "scalar" : "vector"));
    }
}

/// Of the elements that TopK selects: a vector of one element.
void expectCount(const InferenceContext& context)
{
    expectRank<1, 1>(context);
    const auto* shape = shapeOf(context, 1);
    if (shape != nullptr && shape->dim(0).has_dim_value() && shape->dim(0).dim_value() != 1) {
        fail(fmt::format("input 1 has {} elements; it must have one", shape->dim(0).dim_value()));
    }
}

/// The first version also has a third input, and scalars.
void expectRepeats(const InferenceContext& context)
{
    if (context.getNumInputs() == 2) {
        expectRank<1, 1>(context);
    }
}

/// onnx checks the axes only if the rank of the input is known.
void expectPermutation(const InferenceContext& context)
{
    const auto* order = context.getAttribute("perm");
    if (order == nullptr) {
        return;
    }
    if (!isPermutation({order->ints().data(), static_cast<std::size_t>(order->ints_size())})) {
        fail("perm does not have each axis once");
    }
}

struct Guard {
    std::string_view op;
    void (*expect)(const InferenceContext& context);
};

constexpr auto guards = std::to_array<Guard>({
    {"BlackmanWindow", expectRank<0, 0>},
    {"Expand", expectShapeLength},
    {"GatherND", expectBatchDims},
    {"HammingWindow", expectRank<0, 0>},
    {"HannWindow", expectRank<0, 0>},
    {"LayerNormalization", expectAxis},
    {"Range", expectScalars},
    {"Split", expectParts},
    {"Tile", expectRepeats},
    {"TopK", expectCount},
    {"Transpose", expectPermutation},
});

/// Operators whose inference function reads the type of the first input without asking whether it is known. Behind an
/// operator without a schema it is not.
constexpr std::array<std::string_view, 5> needType{"DictVectorizer", "EyeLike", "LabelEncoder", "RegexFullMatch",
                                                   "TreeEnsemble"};

} // namespace

bool exceedsLargest(std::int64_t dim, std::int64_t& product)
{
    product = saturatingProduct(product, std::max<std::int64_t>(dim, 1));
    return dim > largestDim || product > largestProductOfDims;
}

::onnx::InferenceFunction guarded(std::string_view op, ::onnx::InferenceFunction function)
{
    const auto guard = std::ranges::find(guards, op, &Guard::op);
    const auto expect = guard != guards.end() ? guard->expect : nullptr;
    const bool needsType = std::ranges::find(needType, op) != needType.end();
    const bool isWindowed = std::ranges::find(windowed, op) != windowed.end();
    return [expect, needsType, isWindowed, function = std::move(function)](InferenceContext& context) {
        if (needsType && (context.getNumInputs() == 0 || context.getInputType(0) == nullptr)) {
            return;
        }
        expectDims(context);
        expectPossibleAxis(context);
        if (expect != nullptr) {
            expect(context);
        }
        function(context);
        if (isWindowed) {
            expectSizes(context);
        }
    };
}

} // namespace crosswalk
