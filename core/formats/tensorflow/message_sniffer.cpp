#include "core/formats/tensorflow/message_sniffer.h"

#include "core/formats/tensorflow/wire_fields.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace crosswalk::tensorflow {
namespace {

/// Reads fields of a message from bytes that may be truncated anywhere.
class Sniffer {
public:
    explicit Sniffer(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    struct Field {
        std::uint64_t number = 0;
        unsigned type = 0;
        std::uint64_t varint = 0;
        std::span<const std::byte> payload; ///< possibly truncated
        bool isWhole = true;
    };

    /// Nothing at the end, or if the bytes are not a field.
    std::optional<Field> next()
    {
        const auto tag = varint();
        if (!tag || *tag < 8) {
            return std::nullopt;
        }
        Field field{.number = *tag >> 3U, .type = static_cast<unsigned>(*tag & 7U), .varint = 0, .payload = {}};
        std::uint64_t size = 0;
        if (field.type == 0) {
            const auto value = varint();
            field.varint = value.value_or(0);
            return value ? std::optional(field) : std::nullopt;
        }
        if (field.type == 1 || field.type == 5) {
            size = field.type == 1 ? 8 : 4;
        } else if (const auto length = field.type == 2 ? varint() : std::nullopt) {
            size = *length;
        } else {
            return std::nullopt;
        }
        field.isWhole = size <= m_bytes.size();
        field.payload = m_bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(size, m_bytes.size())));
        m_bytes = m_bytes.subspan(field.payload.size());
        return field;
    }
    bool atEnd() const { return m_bytes.empty(); }

private:
    std::optional<std::uint64_t> varint()
    {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(m_bytes.size(), 10); ++i) {
            value |= (static_cast<std::uint64_t>(m_bytes[i]) & 0x7fU) << (7 * i);
            if ((m_bytes[i] & std::byte{0x80}) == std::byte{0}) {
                m_bytes = m_bytes.subspan(i + 1);
                return value;
            }
        }
        return std::nullopt;
    }

    std::span<const std::byte> m_bytes;
};

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Names of nodes and operators: "conv1/weights", "Conv2D".
bool isName(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_.-/>:\\").find(c) != std::string_view::npos;
    });
}

/// A NodeDef: a name (1), then an operator (2), then inputs, device, attributes. ONNX's ModelProto never begins like
/// this: its field 1 is a number.
bool looksLikeNode(std::span<const std::byte> bytes, bool isWhole)
{
    Sniffer sniffer(bytes);
    bool hasName = false;
    bool hasOp = false;
    while (const auto field = sniffer.next()) {
        if (field->type != 2 || field->number > 7) {
            return false;
        }
        // The beginning of a name is a name too.
        if (field->number <= 2 && (field->isWhole || !field->payload.empty()) && !isName(asText(field->payload))) {
            return false;
        }
        hasName = hasName || field->number == 1;
        hasOp = hasOp || field->number == 2;
        if (field->number == 5 && field->isWhole) {
            // An attribute: an entry of a map, whose key (1) is a name.
            Sniffer entry(field->payload);
            const auto key = entry.next();
            if (!key || (key->number == 1 && key->isWhole && !isName(asText(key->payload)))) {
                return false;
            }
        }
    }
    return hasName && (hasOp || !isWhole);
}

bool looksLikeGraph(std::span<const std::byte> bytes)
{
    Sniffer sniffer(bytes);
    bool hasNode = false;
    for (int i = 0; i < 3; ++i) { // number of fields; the first ones suffice
        const auto field = sniffer.next();
        if (!field) {
            return hasNode && (sniffer.atEnd() || i > 0);
        }
        constexpr std::size_t leastNode = 3; // bytes that contain the beginning of its name
        if (!field->isWhole && field->payload.size() < leastNode) {
            return hasNode;
        }
        if (field->number == 1 && field->type == 2) {
            if (!looksLikeNode(field->payload, field->isWhole)) {
                return false;
            }
            hasNode = true;
        } else if ((field->number != 2 && field->number != 4 && field->number != 5 && field->number != 3) ||
                   (field->type == 0) != (field->number == 3)) {
            return false;
        }
    }
    return hasNode;
}

/// MetaInfoDef: a version (1), operators (2), tags (4), the framework's version (5, 6).
bool looksLikeMetaInfo(std::span<const std::byte> bytes)
{
    Sniffer sniffer(bytes);
    const auto first = sniffer.next();
    if (!first) {
        return false;
    }
    if (first->number == 2 && first->type == 2) {
        Sniffer ops(first->payload);
        const auto op = ops.next();
        if (!op || op->number != 1 || op->type != 2) {
            return false;
        }
        Sniffer def(op->payload);
        const auto name = def.next();
        return name && name->number == 1 && name->type == 2 && isName(asText(name->payload));
    }
    const bool isText = first->type == 2 && (first->number == 1 || (first->number >= 4 && first->number <= 6));
    return isText && isName(asText(first->payload));
}

/// MetaGraphDef: its information (1), then the graph (2).
bool looksLikeMetaGraph(std::span<const std::byte> bytes)
{
    Sniffer sniffer(bytes);
    const auto first = sniffer.next();
    if (!first || first->type != 2) {
        return false;
    }
    if (first->number == 2) {
        return looksLikeGraph(first->payload);
    }
    // A node may fill the bytes at hand, and its name looks like a version.
    if (first->number != 1 || looksLikeNode(first->payload, true) || !looksLikeMetaInfo(first->payload)) {
        return false;
    }
    const auto second = sniffer.next();
    if (!second || second->number != 2 || second->type != 2) {
        return !second;
    }
    constexpr std::size_t enough = 64; // to contain the name of a node
    return (!second->isWhole && second->payload.size() < enough) || looksLikeGraph(second->payload);
}

/// SavedModel: the version of the schema (1), then graphs (2).
bool looksLikeSavedModel(std::span<const std::byte> bytes)
{
    Sniffer sniffer(bytes);
    auto field = sniffer.next();
    if (field && field->number == 1 && field->type == 0) {
        field = sniffer.next();
    }
    return field && field->number == 2 && field->type == 2 && looksLikeMetaGraph(field->payload);
}

} // namespace

FileMessage messageOfFile(std::span<const std::byte> head)
{
    if (looksLikeSavedModel(head)) {
        return FileMessage::SavedModel;
    }
    if (looksLikeMetaGraph(head)) {
        return FileMessage::MetaGraphDef;
    }
    return looksLikeGraph(head) ? FileMessage::GraphDef : FileMessage::None;
}

} // namespace crosswalk::tensorflow
