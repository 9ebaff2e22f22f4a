#include "core/formats/tensorflow/checkpoint/tensor_slice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

std::string_view takeUntil(std::string_view& rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc() && end == text.data() + text.size() && number >= 0;
    return isNumber ? std::optional(number) : std::nullopt;
}

/// The big-endian bytes of a number without leading zeros, preceded by their count.
void appendNumber(std::string& key, std::uint64_t number)
{
    std::string digits;
    for (; number != 0; number >>= 8U) {
        digits.insert(digits.begin(), static_cast<char>(number & 0xffU));
    }
    key += static_cast<char>(digits.size());
    key += digits;
}

/// Text whose bytes 00 and ff are escaped, so that the terminator 00 01 sorts before any other byte.
void appendText(std::string& key, std::string_view text)
{
    for (const char c : text) {
        key += c;
        if (c == '\0') {
            key += '\xff';
        } else if (c == '\xff') {
            key += '\0';
        }
    }
    key += std::string_view("\0\1", 2);
}

/// Two's complement, big-endian, in the smallest number n of bytes whose 7n bits can hold it. The bits above become n
/// ones and a zero (inverted for a negative number), which makes the sign and the length sort first.
void appendSigned(std::string& key, std::int64_t number)
{
    const auto magnitude = static_cast<std::uint64_t>(number < 0 ? ~number : number);
    const unsigned bits = static_cast<unsigned>(std::bit_width(magnitude)) + 1;
    const unsigned size = (bits + 6) / 7;
    std::array<unsigned char, 10> bytes = {};
    for (unsigned i = 0; i < size; ++i) {
        const unsigned shift = 8 * i;
        const unsigned sign = number < 0 ? 0xffU : 0U;
        bytes[size - 1 - i] =
            static_cast<unsigned char>(shift < 64 ? (static_cast<std::uint64_t>(number) >> shift) & 0xffU : sign);
    }
    for (unsigned i = 0; i < size; ++i) {
        bytes[i / 8] ^= static_cast<unsigned char>(0x80U >> (i % 8));
    }
    key.append(reinterpret_cast<const char*>(bytes.data()), size);
}

} // namespace

std::optional<ShapeAndSlice> parseShapeAndSlice(std::string_view text)
{
    ShapeAndSlice result;
    while (text.find(' ') != std::string_view::npos) {
        const auto dim = numberOf(takeUntil(text, ' '));
        if (!dim) {
            return std::nullopt;
        }
        result.shape.push_back(*dim);
    }
    while (!text.empty()) {
        std::string_view extent = takeUntil(text, ':');
        if (extent == "-") {
            result.slice.start.push_back(0);
            result.slice.length.push_back(-1);
            continue;
        }
        const auto start = numberOf(takeUntil(extent, ','));
        const auto length = numberOf(extent);
        if (!start || !length) {
            return std::nullopt;
        }
        result.slice.start.push_back(*start);
        result.slice.length.push_back(*length);
    }
    return result.shape.size() == result.slice.start.size() ? std::optional(result) : std::nullopt;
}

std::string toString(const Slice& slice)
{
    std::string text;
    for (std::size_t d = 0; d < slice.start.size(); ++d) {
        text += d > 0 ? ":" : "";
        text += slice.length[d] < 0 ? "-" : fmt::format("{},{}", slice.start[d], slice.length[d]);
    }
    return text;
}

std::string sliceKey(std::string_view tensor, const Slice& slice)
{
    std::string key;
    appendNumber(key, 0);
    appendText(key, tensor);
    appendNumber(key, slice.start.size());
    for (std::size_t d = 0; d < slice.start.size(); ++d) {
        appendSigned(key, slice.start[d]);
        appendSigned(key, slice.length[d]);
    }
    return key;
}

std::optional<Ints> sizesOf(const Slice& slice, const Ints& dims)
{
    if (slice.start.size() != dims.size() || slice.length.size() != dims.size()) {
        return std::nullopt;
    }
    Ints sizes;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t length = slice.length[d] < 0 ? dims[d] : slice.length[d];
        if (slice.start[d] < 0 || slice.start[d] > dims[d] || length > dims[d] - slice.start[d]) {
            return std::nullopt;
        }
        sizes.push_back(length);
    }
    return sizes;
}

} // namespace crosswalk::tensorflow
