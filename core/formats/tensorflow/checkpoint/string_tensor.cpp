#include "core/formats/tensorflow/checkpoint/string_tensor.h"

#include "core/base/diagnostic.h"
#include "core/base/protobuf_wire.h"
#include "core/formats/tensorflow/checkpoint/crc32c.h"
#include "core/formats/tensorflow/tensor_proto.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::tensorflow {
namespace {

/// Adds a length to the CRC over all lengths.
std::uint32_t addLength(std::uint64_t length, std::uint32_t crc)
{
    const bool isShort = length <= std::numeric_limits<std::uint32_t>::max();
    return crc32c(std::as_bytes(std::span(&length, 1)).first(isShort ? 4 : 8), crc);
}

std::size_t varintSize(std::uint64_t value)
{
    return static_cast<std::size_t>(std::bit_width(value | 1U) + 6) / 7;
}

} // namespace

Tensor readStrings(const SourceFile& shard, const BundleEntry& entry)
{
    const std::uint64_t count = elementCount(ElementType::String, {.hasRank = true, .dims = entry.dims});
    if (count > entry.size) {
        throw ModelError("damaged", fmt::format("{} bytes cannot contain {} strings", entry.size, count));
    }
    const auto bytes = shard.bytes();
    auto begin = static_cast<std::size_t>(entry.offset);
    const std::size_t end = begin + static_cast<std::size_t>(entry.size);
    WireReader lengths(bytes, begin, end);
    WireReader checked = lengths;
    std::uint32_t crc = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t length = checked.varint();
        crc = addLength(length, crc);
        begin += varintSize(length);
    }
    std::uint32_t stored = 0;
    if (begin > end || end - begin < sizeof(stored)) {
        throw ModelError("damaged", fmt::format("the string lengths at offset {} exceed their entry", entry.offset));
    }
    std::memcpy(&stored, bytes.data() + begin, sizeof(stored));
    begin += sizeof(stored);
    if (maskedCrc(crc) != stored) {
        throw ModelError("damaged", fmt::format("the string lengths at offset {} have a wrong CRC", entry.offset));
    }
    std::vector<std::string> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t size = lengths.varint();
        if (size > end - begin) {
            throw ModelError("damaged", fmt::format("a string at offset {} extends beyond its entry", begin));
        }
        values.emplace_back(reinterpret_cast<const char*>(bytes.data()) + begin, static_cast<std::size_t>(size));
        begin += static_cast<std::size_t>(size);
    }
    return Tensor::strings(entry.dims, std::move(values));
}

} // namespace crosswalk::tensorflow
