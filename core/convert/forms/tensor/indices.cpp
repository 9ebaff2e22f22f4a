#include "core/convert/forms/tensor/indices.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"

#include <algorithm>

namespace crosswalk::forms {
namespace {

/// Constant indices this small are moved into range at conversion.
constexpr std::int64_t foldLimit = 1 << 16;

std::int64_t moved(std::int64_t index, std::int64_t size, OutOfRange mode)
{
    if (mode == OutOfRange::Clip) {
        return std::clamp<std::int64_t>(index, 0, size - 1);
    }
    return mode == OutOfRange::Wrap ? ((index % size) + size) % size : index;
}

} // namespace

OnnxValue indicesInto(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue indices, OutOfRange mode)
{
    const Dim dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    const bool isIndex = ctx.element(indices) == ElementType::Int64 || ctx.element(indices) == ElementType::Int32;
    const Tensor* stored = ctx.onnx.content(indices);
    if (stored != nullptr && dim.isFixed() && dim.size > 0 && stored->elements() <= foldLimit) {
        Ints values = stored->toInts();
        for (auto& value : values) {
            value = moved(value, dim.size, mode);
        }
        return ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, stored->dims(), values));
    }
    const OnnxValue places = isIndex ? indices : emit::cast(ctx, indices, ElementType::Int64);
    if (mode == OutOfRange::Raise) {
        return places;
    }
    if (dim.isFixed() && mode == OutOfRange::Clip) {
        return emit::clip(ctx, places, 0, static_cast<double>(dim.size - 1));
    }
    if (dim.isFixed()) {
        return arithmetic::modulo(ctx, places, emit::scalarLike(ctx, places, static_cast<double>(dim.size)));
    }
    const OnnxValue size = emit::cast(ctx, emit::squeeze(ctx, emit::dimVector(ctx, x, axis), {0}), ctx.element(places));
    if (mode == OutOfRange::Wrap) {
        return ctx.emit("Mod", {places, size});
    }
    const OnnxValue last = ctx.emit("Sub", {size, emit::scalarLike(ctx, places, 1)});
    return arithmetic::maximum(ctx, arithmetic::minimum(ctx, places, last), emit::scalarLike(ctx, places, 0));
}

} // namespace crosswalk::forms
