// Tensor creation by numpy's rules, which allow empty tensors.

#include "core/base/half.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

ElementType namedType(const NodeContext& ctx, ElementType fallback = ElementType::Float32)
{
    return Attributes(ctx).elementType("dtype", fallback);
}

std::int64_t sizeOf(const NodeContext& ctx, std::string_view name, std::int64_t size)
{
    if (size < 0 || size > elementLimit) {
        ctx.invalid(fmt::format("{} = {} is not a size", name, size), std::string(name));
    }
    return size;
}

OnnxValues arange(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const ElementType type = namedType(ctx);
    double start = attributes.number("start", 0);
    const double step = attributes.number("step", 1);
    auto stop = attributes.optionalNumber("stop");
    if (!stop) {
        stop = std::exchange(start, 0);
    }
    const double count = std::max(std::ceil((*stop - start) / step), 0.0);
    if (step == 0 || !(count <= elementLimit)) {
        ctx.invalid(fmt::format("no sequence runs from {} to {} in steps of {}", start, *stop, step), "stop");
    }
    const auto element = [=](std::uint64_t index) {
        const auto place = static_cast<double>(index);
        if (type == ElementType::Float32) { // MXNet computes in the tensor's type, for half precision in integers
            return static_cast<double>(static_cast<float>(start) +
                                       static_cast<float>(index) * static_cast<float>(step));
        }
        return type == ElementType::Float64 ? start + place * step
                                            : castNumber(type, std::trunc(start) + place * std::trunc(step));
    };
    return {computedConstant(ctx, type, {static_cast<std::int64_t>(count)}, element)};
}

OnnxValue unitMatrix(const NodeContext& ctx, std::int64_t rows, std::int64_t columns, std::int64_t offset)
{
    return computedConstant(ctx, namedType(ctx), {rows, columns}, [=](std::uint64_t index) {
        const auto place = static_cast<std::int64_t>(index);
        return place / columns + offset == place % columns ? 1.0 : 0.0;
    });
}

OnnxValues eye(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t rows = sizeOf(ctx, "N", attributes.integer("N"));
    const std::int64_t columns = sizeOf(ctx, "M", attributes.integer("M", rows));
    return {unitMatrix(ctx, rows, columns, attributes.integer("k", 0))};
}

OnnxValues identity(NodeContext& ctx)
{
    const Ints shape = Attributes(ctx).ints("shape");
    if (shape.size() != 2 || shape[0] != shape[1]) {
        ctx.invalid("an identity matrix is square", "shape");
    }
    const std::int64_t size = sizeOf(ctx, "shape", shape[0]);
    return {unitMatrix(ctx, size, size, 0)};
}

/// For each dimension a tensor of the indices along it.
OnnxValues indices(NodeContext& ctx)
{
    const Ints dims = Attributes(ctx).ints("dimensions");
    Ints shape{static_cast<std::int64_t>(dims.size())};
    for (const auto dim : dims) {
        shape.push_back(sizeOf(ctx, "dimensions", dim));
    }
    const auto element = [dims](std::uint64_t index) {
        auto place = static_cast<std::int64_t>(index);
        std::int64_t all = 1;
        for (const auto dim : dims) {
            all *= dim;
        }
        const auto axis = static_cast<std::size_t>(place / all);
        for (std::size_t i = dims.size(); --i > axis;) {
            place /= dims[i];
        }
        return static_cast<double>(place % dims[axis]);
    };
    return {computedConstant(ctx, namedType(ctx, ElementType::Int32), shape, element)};
}

OnnxValues logSpace(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double start = attributes.number("start");
    const std::int64_t count = sizeOf(ctx, "num", attributes.integer("num"));
    const std::int64_t steps = attributes.boolean("endpoint", true) ? count - 1 : count;
    const double step = steps > 0 ? (attributes.number("stop") - start) / static_cast<double>(steps) : 0;
    const double base = attributes.number("base", 10);
    const auto element = [=](std::uint64_t index) { return std::pow(base, start + step * static_cast<double>(index)); };
    return {computedConstant(ctx, namedType(ctx), {count}, element)};
}

/// a - b cos(2 pi i / (M - 1)) + c cos(4 pi i / (M - 1)). For integers its terms truncate to zero.
OnnxValues window(const NodeContext& ctx, double a, double b, double c)
{
    constexpr double pi = 3.1415927410125732; // MXNet's constant, in single precision
    const std::int64_t count = sizeOf(ctx, "M", Attributes(ctx).integer("M"));
    const ElementType type = namedType(ctx);
    const auto rounded = [type](double value) { // half precision after each operation
        return type == ElementType::Float16 ? static_cast<double>(halfToFloat(floatToHalf(static_cast<float>(value))))
                                            : value;
    };
    const auto element = [=](std::uint64_t index) {
        if (count == 1 || !isFloating(type)) {
            return count == 1 ? 1.0 : 0.0;
        }
        const double turn = 2 * pi * static_cast<double>(index) / static_cast<double>(count - 1);
        const auto part = [&](double weight, double angle) {
            return rounded(rounded(weight) * rounded(std::cos(rounded(angle))));
        };
        return rounded(rounded(rounded(a) - part(b, turn)) + part(c, 2 * turn));
    };
    return {computedConstant(ctx, type, {count}, element)};
}

OnnxValues hanning(NodeContext& ctx)
{
    return window(ctx, 0.5, 0.5, 0);
}

OnnxValues hamming(NodeContext& ctx)
{
    return window(ctx, 0.54, 0.46, 0);
}

OnnxValues blackman(NodeContext& ctx)
{
    return window(ctx, 0.42, 0.5, 0.08);
}

OnnxValues fullLike(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType type = namedType(ctx, ctx.element(x));
    const double number = Attributes(ctx).number("fill_value");
    return {filledLike(ctx, x, type, castNumber(ctx, type, number, "fill_value"))};
}

} // namespace

std::span<const OpRow> numpyCreationOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_arange", arange, "a constant"},     {"_npi_blackman", blackman, "a constant"},
        {"_npi_eye", eye, "a constant"},           {"_npi_full_like", fullLike, "a constant, or ConstantOfShape"},
        {"_npi_hamming", hamming, "a constant"},   {"_npi_hanning", hanning, "a constant"},
        {"_npi_identity", identity, "a constant"}, {"_npi_indices", indices, "a constant"},
        {"_npi_logspace", logSpace, "a constant"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
