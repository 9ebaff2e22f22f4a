#include "tests/fuzz/mutators/mutators.h"

#include <bit>
#include <cstring>
#include <vector>

namespace crosswalk::fuzz {

namespace {

// The wire format: https://protobuf.dev/programming-guides/encoding. Groups are not read.
enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Delimited = 2, Fixed32 = 5 };

struct Field {
    std::uint64_t number = 0;
    Wire wire = Wire::Varint;
    std::uint64_t varint = 0;
    std::string content;       // of the other kinds, unless it is a message
    std::vector<Field> fields; // of a message
};

using Message = std::vector<Field>;

std::optional<std::uint64_t> readVarint(std::string_view& bytes)
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<std::uint8_t>(bytes.front());
        bytes.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 127U) << shift;
        if (byte < 128) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<std::string> readContent(std::string_view& bytes, std::uint64_t size)
{
    if (size > bytes.size()) {
        return std::nullopt;
    }
    std::string content(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return content;
}

/// Content that parses as a message is taken for one, although a short text may parse as well.
std::optional<Message> parseMessage(std::string_view bytes, int depth = 0)
{
    constexpr std::uint64_t largestNumber = 100'000;
    constexpr int deepest = 30;
    Message message;
    while (!bytes.empty()) {
        const auto key = readVarint(bytes);
        if (!key || *key >> 3U == 0 || *key >> 3U > largestNumber) {
            return std::nullopt;
        }
        Field field{
            .number = *key >> 3U, .wire = static_cast<Wire>(*key & 7U), .varint = 0, .content = {}, .fields = {}};
        std::optional<std::uint64_t> size;
        switch (field.wire) {
        case Wire::Varint: {
            const auto value = readVarint(bytes);
            if (!value) {
                return std::nullopt;
            }
            field.varint = *value;
            message.push_back(std::move(field));
            continue;
        }
        case Wire::Fixed64:
            size = sizeof(double);
            break;
        case Wire::Fixed32:
            size = sizeof(float);
            break;
        case Wire::Delimited:
            size = readVarint(bytes);
            break;
        }
        auto content = size ? readContent(bytes, *size) : std::nullopt;
        if (!content) {
            return std::nullopt;
        }
        if (field.wire == Wire::Delimited && !content->empty() && depth < deepest) {
            if (auto nested = parseMessage(*content, depth + 1)) {
                field.fields = std::move(*nested);
                content->clear();
            }
        }
        field.content = std::move(*content);
        message.push_back(std::move(field));
    }
    return message;
}

void writeVarint(std::uint64_t value, std::string& out)
{
    for (; value >= 128; value >>= 7U) {
        out.push_back(static_cast<char>((value & 127U) | 128U));
    }
    out.push_back(static_cast<char>(value));
}

std::string writeMessage(const Message& message)
{
    std::string out;
    for (const Field& field : message) {
        writeVarint(field.number << 3U | static_cast<std::uint64_t>(field.wire), out);
        if (field.wire == Wire::Varint) {
            writeVarint(field.varint, out);
            continue;
        }
        const std::string content = field.fields.empty() ? field.content : writeMessage(field.fields);
        if (field.wire == Wire::Delimited) {
            writeVarint(content.size(), out);
        }
        out += content;
    }
    return out;
}

struct Place {
    Message* message;
    std::size_t index;

    Field& field() const { return (*message)[index]; }
};

void findPlaces(Message& message, std::vector<Place>& places)
{
    for (std::size_t i = 0; i < message.size(); ++i) {
        places.push_back({&message, i});
        findPlaces(message[i].fields, places);
    }
}

template <typename T>
std::string bytesOf(T value)
{
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

void changeContent(Field& field, const std::vector<Place>& places, Draw& draw)
{
    if (draw.chance(0.3)) {
        const Field& other = draw.from(places).field();
        if (other.wire == Wire::Delimited && other.fields.empty()) {
            field.content = other.content; // the name of another value, type or operator
            return;
        }
    }
    if (field.content.size() % 8 == 0 && !field.content.empty() && draw.chance(0.3)) {
        const std::size_t at = draw.below(field.content.size() / 8) * 8; // an element of raw data
        field.content.replace(at, 8, bytesOf(draw.integer()));
        return;
    }
    field.content = mutatedBytes(field.content);
}

void changeValue(Field& field, const std::vector<Place>& places, Draw& draw)
{
    switch (field.wire) {
    case Wire::Varint:
        field.varint = static_cast<std::uint64_t>(draw.integer());
        return;
    case Wire::Fixed64:
        field.content = draw.chance(0.5) ? bytesOf(draw.real()) : bytesOf(draw.integer());
        return;
    case Wire::Fixed32:
        field.content = draw.chance(0.5) ? bytesOf(static_cast<float>(draw.real()))
                                         : bytesOf(static_cast<std::int32_t>(draw.integer()));
        return;
    case Wire::Delimited:
        break;
    }
    if (field.fields.empty()) {
        changeContent(field, places, draw);
    } else if (draw.chance(0.5)) {
        field.fields.push_back(Field(draw.from(field.fields)));
    } else if (draw.chance(0.5)) {
        field.content = mutatedBytes(writeMessage(field.fields)); // may be a text
        field.fields.clear();
    } else {
        field.fields.clear();
    }
}

void mutate(Message& message, Draw& draw)
{
    std::vector<Place> places;
    findPlaces(message, places);
    if (places.empty()) {
        return;
    }
    const Place place = draw.from(places);
    Message& owner = *place.message;
    const auto position = owner.begin() + static_cast<std::ptrdiff_t>(place.index);
    switch (draw.below(10)) {
    case 0:
        owner.erase(position);
        return;
    case 1: {
        Field copy = place.field();
        owner.insert(owner.begin() + static_cast<std::ptrdiff_t>(draw.below(owner.size() + 1)), std::move(copy));
        return;
    }
    case 2: {
        // Copied before the assignment, because one may contain the other.
        Field other = draw.from(places).field();
        other.number = place.field().number;
        place.field() = std::move(other);
        return;
    }
    case 3: {
        // A field that the message may have and lacks.
        Field copy = place.field();
        copy.number = 1 + draw.below(30);
        owner.push_back(std::move(copy));
        return;
    }
    default:
        changeValue(place.field(), places, draw);
    }
}

} // namespace

std::optional<std::string> mutatedMessage(std::string_view bytes, Draw& draw)
{
    auto message = parseMessage(bytes);
    if (!message || message->empty()) {
        return std::nullopt;
    }
    for (std::size_t count = 1 + draw.below(3); count > 0; --count) {
        mutate(*message, draw);
    }
    return writeMessage(*message);
}

} // namespace crosswalk::fuzz
