#include "tests/fuzz/mutators/mutators.h"

#include "core/base/diagnostic.h"
#include "core/base/protobuf_wire.h"

#include <span>
#include <vector>

namespace crosswalk::fuzz {

namespace {

struct Field {
    std::uint64_t number = 0;
    WireType wire = WireType::Varint;
    std::uint64_t varint = 0;
    std::string content;       // of the other kinds, unless it is a message
    std::vector<Field> fields; // of a message
};

using Message = std::vector<Field>;

std::optional<Message> parseMessage(std::string_view bytes, int depth = 0);

/// Content that parses as a message is taken for one, although a short text may parse as well.
Message fieldsOf(std::string_view bytes, int depth)
{
    constexpr std::uint32_t largestNumber = 100'000;
    constexpr int deepest = 30;
    Message message;
    WireReader reader(std::as_bytes(std::span(bytes)), 0, bytes.size());
    for (WireField read; reader.next(read);) {
        if (read.number > largestNumber) {
            throw ModelError("damaged", "the number of a field is too large");
        }
        Field field{.number = read.number, .wire = read.type, .varint = read.varint, .content = {}, .fields = {}};
        if (read.type != WireType::Varint) {
            field.content.assign(reinterpret_cast<const char*>(read.payload.data()), read.payload.size());
        }
        if (read.type == WireType::Bytes && !field.content.empty() && depth < deepest) {
            if (auto nested = parseMessage(field.content, depth + 1)) {
                field.fields = std::move(*nested);
                field.content.clear();
            }
        }
        message.push_back(std::move(field));
    }
    return message;
}

std::optional<Message> parseMessage(std::string_view bytes, int depth)
{
    try {
        return fieldsOf(bytes, depth);
    } catch (const ModelError&) {
        return std::nullopt;
    }
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
        if (field.wire == WireType::Varint) {
            writeVarint(field.varint, out);
            continue;
        }
        const std::string content = field.fields.empty() ? field.content : writeMessage(field.fields);
        if (field.wire == WireType::Bytes) {
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
        if (other.wire == WireType::Bytes && other.fields.empty()) {
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
    case WireType::Varint:
        field.varint = static_cast<std::uint64_t>(draw.integer());
        return;
    case WireType::Fixed64:
        field.content = draw.chance(0.5) ? bytesOf(draw.real()) : bytesOf(draw.integer());
        return;
    case WireType::Fixed32:
        field.content = draw.chance(0.5) ? bytesOf(static_cast<float>(draw.real()))
                                         : bytesOf(static_cast<std::int32_t>(draw.integer()));
        return;
    case WireType::Bytes:
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

void mutateField(Message& message, Draw& draw)
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
        mutateField(*message, draw);
    }
    return writeMessage(*message);
}

} // namespace crosswalk::fuzz
