#pragma once

#include "core/base/protobuf_wire.h"
#include "core/graph/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

// Fields of protobuf messages by their schema type. A field that the file stores in another wire type is ModelError
// "damaged", with its position. `file` is always the whole file, so positions count from its start.

std::int64_t integerOf(const WireField& field);
bool boolOf(const WireField& field);
float floatOf(const WireField& field);
std::uint32_t fixed32Of(const WireField& field);
std::string_view bytesOf(const WireField& field);
/// Text that must be UTF-8, as protobuf's `string` is.
std::string_view textOf(const WireField& field);
WireReader messageOf(std::span<const std::byte> file, const WireField& field);

bool isUtf8(std::string_view text);

// Repeated numbers, packed or one a field: appended.
void appendIntegers(std::span<const std::byte> file, const WireField& field, Ints& out);
void appendFloats(const WireField& field, std::vector<float>& out);
void appendDoubles(const WireField& field, std::vector<double>& out);

/// A map's entry: its key as text (empty if absent), and its value, whose `number` is 0 if absent.
struct MapEntry {
    std::string_view key;
    WireField value;
};
MapEntry mapEntryOf(std::span<const std::byte> file, const WireField& field);

} // namespace crosswalk::tensorflow
