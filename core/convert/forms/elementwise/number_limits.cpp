#include "core/convert/forms/elementwise/number_limits.h"

#include <limits>

namespace crosswalk::forms {
namespace {

struct Range {
    double lowest;
    double highest;
};

template <typename Number>
Range rangeOf()
{
    using Limits = std::numeric_limits<Number>;
    return {static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max())};
}

Range rangeOf(ElementType type)
{
    switch (type) {
    case ElementType::Int8:
        return rangeOf<std::int8_t>();
    case ElementType::UInt8:
        return rangeOf<std::uint8_t>();
    case ElementType::Int16:
        return rangeOf<std::int16_t>();
    case ElementType::UInt16:
        return rangeOf<std::uint16_t>();
    case ElementType::Int32:
        return rangeOf<std::int32_t>();
    case ElementType::UInt32:
        return rangeOf<std::uint32_t>();
    case ElementType::Int64:
        return rangeOf<std::int64_t>();
    case ElementType::UInt64:
        return rangeOf<std::uint64_t>();
    case ElementType::Float16:
        return {-65504, 65504};
    case ElementType::BFloat16:
        return {-0x1.FEp127, 0x1.FEp127};
    case ElementType::Float64:
        return rangeOf<double>();
    default:
        return rangeOf<float>();
    }
}

} // namespace

double lowestNumber(ElementType type)
{
    return rangeOf(type).lowest;
}

double highestNumber(ElementType type)
{
    return rangeOf(type).highest;
}

} // namespace crosswalk::forms
