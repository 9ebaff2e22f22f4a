#include "core/formats/tensorflow/wire_fields.h"

#include "core/base/diagnostic.h"

#include <cstring>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

void expect(const WireField& field, WireType type)
{
    if (field.type != type) {
        throw ModelError("damaged", fmt::format("field {} at byte {} has a wire type that does not match its type",
                                                field.number, field.begin));
    }
}

template <typename T>
T fixedOf(const WireField& field, WireType type)
{
    expect(field, type);
    T value;
    std::memcpy(&value, field.payload.data(), sizeof(T));
    return value;
}

template <typename T>
void appendFixedValues(const WireField& field, WireType single, std::vector<T>& out)
{
    if (field.type == single) {
        out.push_back(fixedOf<T>(field, single));
        return;
    }
    expect(field, WireType::Bytes);
    if (field.payload.size() % sizeof(T) != 0) {
        throw ModelError("damaged", fmt::format("field {} at byte {} has {} bytes, not a multiple of {}", field.number,
                                                field.begin, field.payload.size(), sizeof(T)));
    }
    const std::size_t had = out.size();
    out.resize(had + field.payload.size() / sizeof(T));
    if (!field.payload.empty()) {
        std::memcpy(out.data() + had, field.payload.data(), field.payload.size());
    }
}

/// The length of the first character of `text` in bytes, 0 if it is not UTF-8 (RFC 3629: neither overlong forms nor
/// surrogates).
std::size_t characterSize(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < size) {
        return 0;
    }
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) {
            return 0;
        }
    }
    const unsigned second = byte(1);
    const bool isWrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                         (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return isWrong ? 0 : size;
}

} // namespace

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t size = characterSize(text);
        if (size == 0) {
            return false;
        }
        text.remove_prefix(size);
    }
    return true;
}

std::int64_t integerOf(const WireField& field)
{
    expect(field, WireType::Varint);
    return static_cast<std::int64_t>(field.varint);
}

bool boolOf(const WireField& field)
{
    return integerOf(field) != 0;
}

float floatOf(const WireField& field)
{
    return fixedOf<float>(field, WireType::Fixed32);
}

std::uint32_t fixed32Of(const WireField& field)
{
    return fixedOf<std::uint32_t>(field, WireType::Fixed32);
}

std::string_view bytesOf(const WireField& field)
{
    expect(field, WireType::Bytes);
    return {reinterpret_cast<const char*>(field.payload.data()), field.payload.size()};
}

std::string_view textOf(const WireField& field)
{
    const std::string_view text = bytesOf(field);
    if (!isUtf8(text)) {
        throw ModelError("damaged", fmt::format("the text at byte {} is not UTF-8", field.payloadBegin));
    }
    return text;
}

WireReader messageOf(std::span<const std::byte> file, const WireField& field)
{
    expect(field, WireType::Bytes);
    return {file, field};
}

void appendIntegers(std::span<const std::byte> file, const WireField& field, Ints& out)
{
    if (field.type == WireType::Varint) {
        out.push_back(static_cast<std::int64_t>(field.varint));
        return;
    }
    WireReader packed = messageOf(file, field);
    while (!packed.atEnd()) {
        out.push_back(static_cast<std::int64_t>(packed.varint()));
    }
}

void appendFloats(const WireField& field, std::vector<float>& out)
{
    appendFixedValues(field, WireType::Fixed32, out);
}

void appendDoubles(const WireField& field, std::vector<double>& out)
{
    appendFixedValues(field, WireType::Fixed64, out);
}

MapEntry mapEntryOf(std::span<const std::byte> file, const WireField& field)
{
    MapEntry entry;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            entry.key = textOf(part);
        } else if (part.number == 2) {
            entry.value = part;
        }
    }
    return entry;
}

} // namespace crosswalk::tensorflow
