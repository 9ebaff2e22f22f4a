#include "core/verify/compare.h"

#include "core/base/half.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <type_traits>
#include <utility>

namespace crosswalk {
namespace {

/// Arithmetic of 16-bit floating-point types: computed in float, with each result rounded back, as NumPy does.
template <float (*widen)(std::uint16_t), std::uint16_t (*narrow)(float)>
struct Narrow {
    float value = 0;

    Narrow() = default;
    explicit Narrow(double d)
        : value(widen(narrow(static_cast<float>(d))))
    {
    }
    explicit Narrow(std::uint16_t bits)
        : value(widen(bits))
    {
    }
    friend Narrow operator+(Narrow a, Narrow b) { return Narrow(static_cast<double>(a.value + b.value)); }
    friend Narrow operator-(Narrow a, Narrow b) { return Narrow(static_cast<double>(a.value - b.value)); }
    friend Narrow operator*(Narrow a, Narrow b) { return Narrow(static_cast<double>(a.value * b.value)); }
    friend bool operator<=(Narrow a, Narrow b) { return a.value <= b.value; }
    friend bool operator==(Narrow a, Narrow b) { return a.value == b.value; }
};
using Half = Narrow<halfToFloat, floatToHalf>;
using BFloat = Narrow<bfloat16ToFloat, floatToBfloat16>;

template <typename T>
T magnitude(T value)
{
    return std::abs(value);
}
template <typename T>
T magnitude(std::complex<T> value)
{
    return std::abs(value);
}
template <auto widen, auto narrow>
Narrow<widen, narrow> magnitude(Narrow<widen, narrow> value)
{
    value.value = std::abs(value.value);
    return value;
}

template <typename T>
double asDouble(T value)
{
    return static_cast<double>(value);
}
template <typename T>
double asDouble(std::complex<T> value)
{
    return static_cast<double>(std::abs(value));
}
template <auto widen, auto narrow>
double asDouble(Narrow<widen, narrow> value)
{
    return static_cast<double>(value.value);
}

/// Computed in double, so that it cannot overflow a 16-bit type.
template <typename T>
double difference(T a, T b)
{
    return std::abs(asDouble(a) - asDouble(b));
}
template <typename T>
double difference(std::complex<T> a, std::complex<T> b)
{
    return static_cast<double>(std::abs(a - b));
}

bool isNan(double value)
{
    return std::isnan(value);
}

/// The tolerances in the type of the elements (numpy's weak scalars take the array's type).
template <typename T>
struct Close {
    using Magnitude = decltype(magnitude(T()));
    Magnitude absolute;
    Magnitude relative;

    explicit Close(const Tolerance& tolerance)
        : absolute(static_cast<Magnitude>(tolerance.absolute))
        , relative(static_cast<Magnitude>(tolerance.relative))
    {
    }
    bool operator()(T got, T wanted) const
    {
        const bool bothNan = isNan(asDouble(got)) && isNan(asDouble(wanted));
        const bool near =
            std::isfinite(asDouble(wanted)) && magnitude(got - wanted) <= absolute + relative * magnitude(wanted);
        return near || got == wanted || bothNan;
    }
    static double distance(T got, T wanted)
    {
        if (got == wanted || (isNan(asDouble(got)) && isNan(asDouble(wanted)))) {
            return 0;
        }
        const double error = difference(got, wanted);
        return isNan(error) ? std::numeric_limits<double>::infinity() : error;
    }
};

/// Exact comparison for integers and booleans.
template <typename T>
struct Same {
    explicit Same(const Tolerance& /*tolerance*/) {}
    bool operator()(T got, T wanted) const { return got == wanted; }
    static double distance(T got, T wanted)
    {
        if constexpr (sizeof(T) < sizeof(std::uint64_t)) {
            return difference(got, wanted);
        } else { // a double does not tell large ones apart
            const auto less = static_cast<std::uint64_t>(std::min(got, wanted));
            const auto more = static_cast<std::uint64_t>(std::max(got, wanted));
            return static_cast<double>(more - less);
        }
    }
};

std::vector<std::int64_t> positionOf(std::int64_t index, const std::vector<std::int64_t>& dims)
{
    std::vector<std::int64_t> position(dims.size());
    for (std::size_t axis = dims.size(); axis-- > 0;) {
        position[axis] = index % dims[axis];
        index /= dims[axis];
    }
    return position;
}

/// Stored: the type of an element in memory. Number: the type used for arithmetic.
template <typename Stored, typename Number, template <typename> class Equal>
void compareElements(Comparison& result, const Tensor& got, const Tensor& wanted, const Tolerance& tolerance)
{
    const auto have = got.toBytes();
    const auto want = wanted.toBytes();
    const Equal<Number> equal(tolerance);
    std::int64_t worst = -1;
    bool differsAtWorst = false; // where the difference is shown: not at a larger one that is within the tolerance
    double worstError = 0;
    Number gotThere{};
    Number wantedThere{};
    for (std::int64_t i = 0; i < result.elements; ++i) {
        Stored a;
        Stored b;
        std::memcpy(&a, have.data() + static_cast<std::size_t>(i) * sizeof(Stored), sizeof(Stored));
        std::memcpy(&b, want.data() + static_cast<std::size_t>(i) * sizeof(Stored), sizeof(Stored));
        const Number x(a);
        const Number y(b);
        const double error = Equal<Number>::distance(x, y);
        const bool differs = !equal(x, y);
        result.differing += differs ? 1 : 0;
        if (worst < 0 || std::pair(differs, error) > std::pair(differsAtWorst, worstError)) {
            worst = i;
            differsAtWorst = differs;
            worstError = error;
            gotThere = x;
            wantedThere = y;
        }
        result.maxAbsolute = std::max(result.maxAbsolute, error);
        if (const double size = std::abs(asDouble(y)); error > 0 && size > 0) {
            result.maxRelative = std::max(result.maxRelative, error / size);
        }
    }
    if (worst >= 0) {
        result.where = positionOf(worst, wanted.dims());
        result.got = asDouble(gotThere);
        result.wanted = asDouble(wantedThere);
        if constexpr (std::is_integral_v<Number>) {
            if (differsAtWorst && result.got == result.wanted) { // too large for a double
                result.why = fmt::format("{}, recorded {}", gotThere, wantedThere);
            }
        }
    }
}

/// A string in quotes, truncated to 40 bytes; bytes that are not printable ASCII are escaped.
std::string inQuotes(std::string_view text)
{
    constexpr std::size_t maxBytes = 40;
    std::string shown = "\"";
    for (const char c : text.substr(0, maxBytes)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
        shown += isPlain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
    }
    return shown + (text.size() > maxBytes ? "...\"" : "\"");
}

void compareStrings(Comparison& result, const Tensor& got, const Tensor& wanted)
{
    const auto& have = got.toStrings();
    const auto& want = wanted.toStrings();
    result.isText = true;
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (have[i] != want[i] && result.differing++ == 0) {
            result.where = positionOf(static_cast<std::int64_t>(i), wanted.dims());
            result.why = fmt::format("at [{}] {}, recorded {}", fmt::join(result.where, ","), inQuotes(have[i]),
                                     inQuotes(want[i]));
        }
    }
}

void compareContent(Comparison& result, const Tensor& got, const Tensor& wanted, const Tolerance& tolerance)
{
    switch (wanted.type()) {
    case ElementType::Float32:
        return compareElements<float, float, Close>(result, got, wanted, tolerance);
    case ElementType::Float64:
        return compareElements<double, double, Close>(result, got, wanted, tolerance);
    case ElementType::Float16:
        return compareElements<std::uint16_t, Half, Close>(result, got, wanted, tolerance);
    case ElementType::BFloat16:
        return compareElements<std::uint16_t, BFloat, Close>(result, got, wanted, tolerance);
    case ElementType::Complex64:
        return compareElements<std::complex<float>, std::complex<float>, Close>(result, got, wanted, tolerance);
    case ElementType::Complex128:
        return compareElements<std::complex<double>, std::complex<double>, Close>(result, got, wanted, tolerance);
    case ElementType::Int8:
        return compareElements<std::int8_t, std::int8_t, Same>(result, got, wanted, tolerance);
    case ElementType::Int16:
        return compareElements<std::int16_t, std::int16_t, Same>(result, got, wanted, tolerance);
    case ElementType::Int32:
        return compareElements<std::int32_t, std::int32_t, Same>(result, got, wanted, tolerance);
    case ElementType::Int64:
        return compareElements<std::int64_t, std::int64_t, Same>(result, got, wanted, tolerance);
    case ElementType::Bool:
    case ElementType::UInt8:
        return compareElements<std::uint8_t, std::uint8_t, Same>(result, got, wanted, tolerance);
    case ElementType::UInt16:
        return compareElements<std::uint16_t, std::uint16_t, Same>(result, got, wanted, tolerance);
    case ElementType::UInt32:
        return compareElements<std::uint32_t, std::uint32_t, Same>(result, got, wanted, tolerance);
    case ElementType::UInt64:
        return compareElements<std::uint64_t, std::uint64_t, Same>(result, got, wanted, tolerance);
    case ElementType::String:
        return compareStrings(result, got, wanted);
    default: // types narrower than a byte
        break;
    }
    assert(false); // no reader creates such a tensor
}

} // namespace

Comparison compare(std::string name, const Tensor& got, const Tensor& wanted, const Tolerance& tolerance)
{
    Comparison result;
    result.name = std::move(name);
    result.elements = wanted.elements();
    if (got.type() != wanted.type()) {
        result.why = fmt::format("type {}, recorded {}", elementTypeName(got.type()), elementTypeName(wanted.type()));
        return result;
    }
    if (got.dims() != wanted.dims()) {
        result.why =
            fmt::format("shape {}, recorded {}", toString(shapeOf(got.dims())), toString(shapeOf(wanted.dims())));
        return result;
    }
    compareContent(result, got, wanted, tolerance);
    result.equal = result.differing == 0;
    if (!result.equal) {
        const std::string count = fmt::format("{} of {} values", result.differing, result.elements);
        result.why = result.why.empty() ? count : fmt::format("{}; {}", count, result.why);
    }
    return result;
}

} // namespace crosswalk
