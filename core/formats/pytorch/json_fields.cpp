#include "core/formats/pytorch/json_fields.h"

#include "core/formats/json_errors.h"

#include <limits>

namespace crosswalk::pytorch {
namespace {

/// Older files write infinite numbers as bare words, which are not JSON: they become texts.
std::string withQuotedNumbers(std::string_view text)
{
    std::string quoted;
    quoted.reserve(text.size());
    bool isInText = false;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        std::size_t length = 0;
        if (!isInText) {
            for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
                length = length == 0 && text.substr(i, word.size()) == word ? word.size() : length;
            }
        }
        if (length > 0) {
            quoted += '"';
            quoted += text.substr(i, length);
            quoted += '"';
            i += length;
            continue;
        }
        isInText = c == '"' ? !isInText : isInText;
        quoted += c;
        ++i;
        if (isInText && c == '\\' && i < text.size()) {
            quoted += text[i++];
        }
    }
    return quoted;
}

} // namespace

std::unique_ptr<JsonText> parseJson(const SourceFile& file)
{
    const auto bytes = file.bytes();
    auto json = std::make_unique<JsonText>();
    json->text = simdjson::padded_string(
        withQuotedNumbers({reinterpret_cast<const char*>(bytes.data()), bytes.size()})); // NOLINT: bytes as characters
    if (const auto error = json->parser.parse(json->text).get(json->root)) {
        try {
            throwJsonError(std::string_view(json->text), error);
        } catch (ModelError& failure) {
            failure.diagnostic.message = fmt::format("{}: {}", file.name(), failure.diagnostic.message);
            throw;
        }
    }
    return json;
}

void wrongJson(std::string_view what, std::string_view expected)
{
    throw ModelError("damaged", fmt::format("{} should be {}", what, expected));
}

JsonObject objectOf(JsonValue value, std::string_view what)
{
    JsonObject object;
    if (value.get(object) != simdjson::SUCCESS) {
        wrongJson(what, "a JSON object");
    }
    return object;
}

JsonArray arrayOf(JsonValue value, std::string_view what)
{
    JsonArray array;
    if (value.get(array) != simdjson::SUCCESS) {
        wrongJson(what, "a list");
    }
    return array;
}

std::string_view textOf(JsonValue value, std::string_view what)
{
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) {
        wrongJson(what, "a text");
    }
    return text;
}

std::int64_t integerOf(JsonValue value, std::string_view what)
{
    std::int64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS) {
        wrongJson(what, "an integer");
    }
    return number;
}

bool truthOf(JsonValue value, std::string_view what)
{
    bool truth = false;
    if (value.get(truth) != simdjson::SUCCESS) {
        wrongJson(what, "true or false");
    }
    return truth;
}

double numberOf(JsonValue value, std::string_view what)
{
    double number = 0;
    if (value.get(number) == simdjson::SUCCESS) {
        return number;
    }
    std::string_view word;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (value.get(word) == simdjson::SUCCESS && (word == "Infinity" || word == "-Infinity" || word == "NaN")) {
        return word == "NaN" ? std::numeric_limits<double>::quiet_NaN() : word == "Infinity" ? infinity : -infinity;
    }
    wrongJson(what, "a number");
}

JsonValue field(JsonObject object, std::string_view key, std::string_view what)
{
    JsonValue value;
    if (object[key].get(value) != simdjson::SUCCESS) {
        throw ModelError("damaged", fmt::format("{} has no '{}'", what, key));
    }
    return value;
}

std::optional<JsonValue> optionalField(JsonObject object, std::string_view key)
{
    JsonValue value;
    const bool isPresent = object[key].get(value) == simdjson::SUCCESS && !value.is_null();
    return isPresent ? std::optional(value) : std::nullopt;
}

} // namespace crosswalk::pytorch
