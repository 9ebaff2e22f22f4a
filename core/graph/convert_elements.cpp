// Conversion of elements between the numeric types.

#include "core/base/diagnostic.h"
#include "core/base/half.h"
#include "core/graph/tensor.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace crosswalk {
namespace {

struct Half {
    std::uint16_t bits;
};
struct Bfloat16 {
    std::uint16_t bits;
};
struct Boolean {
    std::uint8_t bits;
};

template <typename T>
struct Widest {
    using type = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
};
template <>
struct Widest<std::uint64_t> {
    using type = std::uint64_t;
};

template <typename T>
auto widen(T value)
{
    return static_cast<typename Widest<T>::type>(value);
}
double widen(Half value)
{
    return halfToFloat(value.bits);
}
double widen(Bfloat16 value)
{
    return bfloat16ToFloat(value.bits);
}
std::int64_t widen(Boolean value)
{
    return value.bits != 0 ? 1 : 0;
}

template <typename To, typename From>
To narrow(From value)
{
    if constexpr (std::is_same_v<To, Half>) {
        return {floatToHalf(static_cast<float>(value))};
    } else if constexpr (std::is_same_v<To, Bfloat16>) {
        return {floatToBfloat16(static_cast<float>(value))};
    } else if constexpr (std::is_same_v<To, Boolean>) {
        return {static_cast<std::uint8_t>(value != From{} ? 1 : 0)};
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
        // Conversion of an out-of-range value is undefined behaviour in C++. Saturate instead.
        if (std::isnan(value)) {
            return 0;
        }
        constexpr auto low = static_cast<double>(std::numeric_limits<To>::min());
        constexpr auto high = static_cast<double>(std::numeric_limits<To>::max());
        return value <= low    ? std::numeric_limits<To>::min()
               : value >= high ? std::numeric_limits<To>::max()
                               : static_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

template <typename F>
void withType(ElementType type, F&& use)
{
    switch (type) {
    case ElementType::Float32:
        return use(float{});
    case ElementType::Float64:
        return use(double{});
    case ElementType::Float16:
        return use(Half{});
    case ElementType::BFloat16:
        return use(Bfloat16{});
    case ElementType::Int8:
        return use(std::int8_t{});
    case ElementType::Int16:
        return use(std::int16_t{});
    case ElementType::Int32:
        return use(std::int32_t{});
    case ElementType::Int64:
        return use(std::int64_t{});
    case ElementType::UInt8:
        return use(std::uint8_t{});
    case ElementType::UInt16:
        return use(std::uint16_t{});
    case ElementType::UInt32:
        return use(std::uint32_t{});
    case ElementType::UInt64:
        return use(std::uint64_t{});
    case ElementType::Bool:
        return use(Boolean{});
    default:
        throw ModelError("damaged", fmt::format("values of type {} stand where numbers belong", elementTypeName(type)));
    }
}

} // namespace

void convertElements(ElementType from, const std::byte* in, ElementType to, std::byte* out, std::size_t n)
{
    withType(from, [&](auto source) {
        withType(to, [&](auto target) {
            using From = decltype(source);
            using To = decltype(target);
            for (std::size_t i = 0; i < n; ++i) {
                From value;
                std::memcpy(&value, in + i * sizeof(From), sizeof(From));
                const To result = narrow<To>(widen(value));
                std::memcpy(out + i * sizeof(To), &result, sizeof(To));
            }
        });
    });
}

} // namespace crosswalk
