#include "core/formats/tensorflow/text_proto.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/data_type.h"
#include "core/formats/tensorflow/text_schema.h"
#include "core/formats/tensorflow/text_tokens.h"
#include "core/formats/tensorflow/wire_fields.h"

#include <bit>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The nesting limit of protobuf's own parser.
constexpr int deepestMessage = 100;

void appendVarint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7U) {
        out += static_cast<char>(value | 0x80U);
    }
    out += static_cast<char>(value);
}

template <typename Bits>
void appendLittleEndian(std::string& out, Bits bits)
{
    for (std::size_t i = 0; i < sizeof(Bits); ++i) {
        out += static_cast<char>((bits >> (8 * i)) & 0xffU);
    }
}

void appendTag(std::string& out, std::uint32_t number, unsigned wireType)
{
    appendVarint(out, (std::uint64_t{number} << 3U) | wireType);
}

void appendBytes(std::string& out, std::uint32_t number, std::string_view bytes)
{
    appendTag(out, number, 2);
    appendVarint(out, bytes.size());
    out += bytes;
}

class Encoder {
public:
    explicit Encoder(std::string_view text)
        : m_tokens(text)
    {
    }

    std::string encode(const MessageSchema& schema) { return fields(&schema, 0, {}); }

private:
    using Token = TextToken;

    /// The fields up to `close` (nothing: up to the end of the text). Without a schema they are skipped.
    std::string fields(const MessageSchema* schema, int depth, std::string_view close)
    {
        if (depth > deepestMessage) {
            m_tokens.fail("messages are nested too deeply");
        }
        std::string out;
        while (!(close.empty() ? m_tokens.atEnd() : m_tokens.takeIf(close))) {
            const std::string name = fieldName();
            const FieldSchema* field = schema != nullptr ? findField(*schema, name) : nullptr;
            const bool hasColon = m_tokens.takeIf(":");
            if (m_tokens.takeIf("[")) {
                while (!m_tokens.takeIf("]")) {
                    value(field, depth, hasColon, out);
                    m_tokens.takeIf(",");
                }
            } else {
                value(field, depth, hasColon, out);
            }
            if (!m_tokens.takeIf(",")) {
                m_tokens.takeIf(";");
            }
        }
        return out;
    }

    /// A name, or the type of an Any in brackets.
    std::string fieldName()
    {
        if (m_tokens.takeIf("[")) {
            while (!m_tokens.takeIf("]")) {
                if (m_tokens.atEnd()) {
                    m_tokens.fail("']' is expected after the type of an Any");
                }
                m_tokens.take();
            }
            return {};
        }
        const Token token = m_tokens.take();
        if (token.kind != Token::Kind::Word) {
            m_tokens.fail(fmt::format("a field's name is expected before '{}'", token.text));
        }
        return token.text;
    }

    void value(const FieldSchema* field, int depth, bool hasColon, std::string& out)
    {
        const bool isBrace = m_tokens.takeIf("{");
        if (isBrace || m_tokens.takeIf("<")) {
            const bool isKnown = field != nullptr && field->type == TextField::Message;
            const std::string inner = fields(isKnown ? field->message : nullptr, depth + 1, isBrace ? "}" : ">");
            if (isKnown) {
                appendBytes(out, field->number, inner);
            }
            return;
        }
        if (!hasColon) {
            m_tokens.fail("':' or '{' is expected after a field's name");
        }
        const bool isNegative = m_tokens.takeIf("-");
        const Token token = m_tokens.take();
        if (token.kind == Token::Kind::Symbol || token.kind == Token::Kind::End) {
            m_tokens.fail("a value is expected");
        }
        if (field != nullptr) {
            scalar(*field, token, isNegative, out);
        }
    }

    void scalar(const FieldSchema& field, const Token& token, bool isNegative, std::string& out)
    {
        switch (field.type) {
        case TextField::Bytes:
            if (token.kind != Token::Kind::Text) {
                m_tokens.fail(fmt::format("{} requires a string in quotes", field.name));
            }
            appendBytes(out, field.number, token.text);
            break;
        case TextField::Float:
            appendTag(out, field.number, 5);
            appendLittleEndian(out, std::bit_cast<std::uint32_t>(static_cast<float>(decimal(token, isNegative))));
            break;
        case TextField::Double:
            appendTag(out, field.number, 1);
            appendLittleEndian(out, std::bit_cast<std::uint64_t>(decimal(token, isNegative)));
            break;
        case TextField::Integer:
        case TextField::Bool:
        case TextField::DataType:
            appendTag(out, field.number, 0);
            appendVarint(out, integer(field, token, isNegative));
            break;
        case TextField::Message:
            m_tokens.fail(fmt::format("{} requires a message in braces", field.name));
        }
    }

    double decimal(const Token& token, bool isNegative)
    {
        std::string_view text = token.text;
        if (text.ends_with('f') && text != "inf") {
            text.remove_suffix(1); // "1.5f"
        }
        double number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool isOutOfRange = error == std::errc::result_out_of_range;
        if (end != text.data() + text.size() || (error != std::errc() && !isOutOfRange)) {
            m_tokens.fail(fmt::format("'{}' is not a number", token.text));
        }
        return isNegative ? -number : number;
    }

    std::uint64_t integer(const FieldSchema& field, const Token& token, bool isNegative)
    {
        if (field.type == TextField::Bool && token.kind == Token::Kind::Word) {
            if (token.text == "true" || token.text == "True" || token.text == "t") {
                return 1;
            }
            if (token.text == "false" || token.text == "False" || token.text == "f") {
                return 0;
            }
        }
        if (field.type == TextField::DataType && token.kind == Token::Kind::Word) {
            return typeNumber(token.text);
        }
        std::string_view digits = token.text;
        int base = 10;
        if (digits.starts_with("0x") || digits.starts_with("0X")) {
            digits.remove_prefix(2);
            base = 16;
        } else if (digits.size() > 1 && digits.front() == '0') {
            base = 8;
        }
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
        if (error != std::errc() || end != digits.data() + digits.size()) {
            m_tokens.fail(fmt::format("'{}' is not a value of {}", token.text, field.name));
        }
        return isNegative ? std::uint64_t{0} - number : number;
    }

    /// DT_FLOAT, DT_FLOAT_REF.
    std::uint64_t typeNumber(std::string_view name)
    {
        constexpr std::string_view prefix = "DT_";
        constexpr std::string_view suffix = "_REF";
        const bool isReference = name.ends_with(suffix);
        const auto type = name.starts_with(prefix)
                              ? dataTypeFromProtoName(name.substr(prefix.size(), name.size() - prefix.size() -
                                                                                     (isReference ? suffix.size() : 0)))
                              : std::nullopt;
        if (!type) {
            m_tokens.fail(fmt::format("'{}' is not a data type", name));
        }
        return static_cast<std::uint64_t>(*type) + (isReference ? 100 : 0);
    }

    TextTokens m_tokens;
};

const MessageSchema& schemaOf(TextMessage message)
{
    switch (message) {
    case TextMessage::MetaGraphDef:
        return metaGraphDefSchema;
    case TextMessage::SavedModel:
        return savedModelSchema;
    case TextMessage::CheckpointState:
        return checkpointStateSchema;
    case TextMessage::GraphDef:
        break;
    }
    return graphDefSchema;
}

} // namespace

std::string encodeTextProto(std::string_view text, TextMessage message)
{
    return Encoder(text).encode(schemaOf(message));
}

std::string checkpointStatePath(std::string_view text)
{
    const std::string message = encodeTextProto(text, TextMessage::CheckpointState);
    const auto bytes = std::as_bytes(std::span(message));
    std::string path;
    WireReader reader(bytes, 0, bytes.size());
    for (WireField field; reader.next(field);) {
        path = field.number == 1 ? textOf(field) : path;
    }
    return path;
}

std::string firstFieldOf(std::string_view head)
{
    try {
        TextTokens tokens(head);
        const TextToken name = tokens.take();
        const bool isField = name.kind == TextToken::Kind::Word && (tokens.takeIf("{") || tokens.takeIf(":"));
        return isField ? name.text : std::string();
    } catch (const ModelError&) {
        return {};
    }
}

} // namespace crosswalk::tensorflow
