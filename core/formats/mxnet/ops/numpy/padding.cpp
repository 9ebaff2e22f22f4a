// Pad with numpy's modes.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Width {
    std::int64_t before = 0;
    std::int64_t behind = 0;
};

/// Attribute pad_width, pairs in a tuple, one for each axis.
std::vector<Width> widths(const NodeContext& ctx)
{
    const Ints numbers = Attributes(ctx).nestedInts("pad_width");
    if (std::any_of(numbers.begin(), numbers.end(), [](std::int64_t number) { return number < 0; })) {
        ctx.invalid("pad_width does not consist of pairs of sizes", "pad_width");
    }
    if (numbers.size() != 2 * ctx.rank(ctx.input(0))) {
        ctx.invalid(fmt::format("{} numbers for {} dimensions", numbers.size(), ctx.rank(ctx.input(0))), "pad_width");
    }
    std::vector<Width> result;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        result.push_back({numbers[i], numbers[i + 1]});
    }
    return result;
}

/// The index of the element at a position that may lie outside the dimension.
std::int64_t mirrored(std::int64_t place, std::int64_t size, bool withEdge)
{
    const std::int64_t period = withEdge ? 2 * size : std::max<std::int64_t>(2 * (size - 1), 1);
    const std::int64_t within = ((place % period) + period) % period;
    return within < size ? within : (withEdge ? period - 1 - within : period - within);
}

OnnxValue gathered(const NodeContext& ctx, OnnxValue x, const std::vector<Width>& pads, std::string_view mode)
{
    for (std::size_t axis = 0; axis < pads.size(); ++axis) {
        const auto [before, behind] = pads[axis];
        if (before == 0 && behind == 0) {
            continue;
        }
        const std::int64_t size = ctx.fixedDim(x, static_cast<std::int64_t>(axis));
        if (size < 1) {
            ctx.invalid("an empty dimension has no element to repeat", "pad_width");
        }
        Ints places;
        for (std::int64_t i = -before; i < size + behind; ++i) {
            places.push_back(mode == "edge" ? std::clamp<std::int64_t>(i, 0, size - 1)
                                            : mirrored(i, size, mode == "symmetric"));
        }
        x = emit::gather(ctx, x, ctx.onnx.ints(places), static_cast<std::int64_t>(axis));
    }
    return x;
}

/// Pads each axis, the last first, with copies of its largest (or smallest) elements.
OnnxValue withExtremes(const NodeContext& ctx, OnnxValue x, const std::vector<Width>& pads, std::string_view op)
{
    for (std::size_t axis = pads.size(); axis-- > 0;) {
        const auto place = static_cast<std::int64_t>(axis);
        const OnnxValue found = reducedAlong(ctx, op, x, {place}, true);
        const auto copies = [&](std::int64_t count) {
            Ints repeats(pads.size(), 1);
            repeats[axis] = count;
            return count == 1 ? found : ctx.emit("Tile", {found, ctx.onnx.ints(repeats)});
        };
        OnnxValues parts{x};
        if (pads[axis].before > 0) {
            parts.insert(parts.begin(), copies(pads[axis].before));
        }
        if (pads[axis].behind > 0) {
            parts.push_back(copies(pads[axis].behind));
        }
        x = emit::concat(ctx, parts, place);
    }
    return x;
}

/// ONNX's Pad, through a type that it supports.
OnnxValue padded(const NodeContext& ctx, OnnxValue x, const std::vector<Width>& pads, const std::string& mode,
                 double number)
{
    const ElementType own = ctx.element(x);
    Ints sizes;
    std::transform(pads.begin(), pads.end(), std::back_inserter(sizes), [](const Width& w) { return w.before; });
    std::transform(pads.begin(), pads.end(), std::back_inserter(sizes), [](const Width& w) { return w.behind; });
    const ElementType type = own == ElementType::Float16 ? ElementType::Float32 : widened(own);
    return computedAs(ctx, type, x, [&](OnnxValue v) {
        OnnxValues inputs{v, ctx.onnx.ints(sizes)};
        if (mode == "constant" && number != 0) {
            inputs.push_back(emit::scalarLike(ctx, v, number));
        }
        return ctx.emit("Pad", inputs, {{"mode", mode}});
    });
}

OnnxValues pad(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::vector<Width> pads = widths(ctx);
    const std::string mode =
        attributes.choice("mode", {"constant", "edge", "reflect", "symmetric", "maximum", "minimum"}, "constant");
    if (mode == "constant") {
        const double number = attributes.number("constant_value", 0);
        return {padded(ctx, x, pads, mode, isFloating(ctx.element(x)) ? number : std::trunc(number))};
    }
    if (mode == "maximum" || mode == "minimum") {
        return {withExtremes(ctx, x, pads, mode == "maximum" ? "ReduceMax" : "ReduceMin")};
    }
    const Shape& shape = ctx.shape(x);
    bool isPlain = mode != "symmetric"; // ONNX's reflection does not repeat
    for (std::size_t i = 0; isPlain && i < pads.size(); ++i) {
        isPlain = mode == "edge" || !shape[i].isFixed() || std::max(pads[i].before, pads[i].behind) < shape[i].size;
    }
    return {isPlain ? padded(ctx, x, pads, mode, 0) : gathered(ctx, x, pads, mode)};
}

} // namespace

std::span<const OpRow> numpyPaddingOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_pad", pad, "Pad; Gather, or ReduceMax and Concat, for numpy's own modes"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
