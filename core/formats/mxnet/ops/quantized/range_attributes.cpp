#include "core/formats/mxnet/ops/quantized/range_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {

using quantized::Range;

Range rangeOfInputs(const NodeContext& ctx, std::size_t low, std::size_t high)
{
    const auto bound = [&](std::size_t i) {
        const OnnxValue given = ctx.input(i);
        if (ctx.element(given) != ElementType::Float32) {
            ctx.invalid(fmt::format("input {} is a bound of a range and must be float32, not {}", i,
                                    elementTypeName(ctx.element(given))));
        }
        return emit::reshape(ctx, given, Ints{});
    };
    return {bound(low), bound(high)};
}

std::optional<Range> calibratedRange(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto low = attributes.optionalNumber("min_calib_range");
    const auto high = attributes.optionalNumber("max_calib_range");
    if (!low || !high) {
        return std::nullopt;
    }
    return Range{quantized::number(ctx, static_cast<float>(*low)), quantized::number(ctx, static_cast<float>(*high))};
}

ElementType quantizedOutputType(const NodeContext& ctx)
{
    const std::string type = Attributes(ctx).choice("out_type", {"auto", "int8", "uint8"}, "int8");
    if (type != "auto") {
        return type == "uint8" ? ElementType::UInt8 : ElementType::Int8;
    }
    const auto range = calibratedRange(ctx);
    return range && quantized::storedFloat(ctx, range->low).value_or(-1) >= 0 ? ElementType::UInt8 : ElementType::Int8;
}

} // namespace crosswalk::mxnet
