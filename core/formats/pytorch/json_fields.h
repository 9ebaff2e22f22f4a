#pragma once

#include "core/base/diagnostic.h"
#include "core/base/source_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace crosswalk::pytorch {

/// Fields of a JSON file. `what` names the object in messages: "the graph", "node conv2d". All throw ModelError
/// "damaged".

using JsonValue = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

/// A parsed text; elements refer to it.
struct JsonText {
    simdjson::dom::parser parser;
    simdjson::padded_string text;
    JsonValue root;
};
std::unique_ptr<JsonText> parseJson(const SourceFile& file);

[[noreturn]] void wrongJson(std::string_view what, std::string_view expected);
JsonObject objectOf(JsonValue value, std::string_view what);
JsonArray arrayOf(JsonValue value, std::string_view what);
std::string_view textOf(JsonValue value, std::string_view what);
std::int64_t integerOf(JsonValue value, std::string_view what);
bool truthOf(JsonValue value, std::string_view what);
/// A number, or one of the texts "Infinity", "-Infinity" and "NaN".
double numberOf(JsonValue value, std::string_view what);
/// A field that must be there.
JsonValue field(JsonObject object, std::string_view key, std::string_view what);
/// A field that may be absent or null.
std::optional<JsonValue> optionalField(JsonObject object, std::string_view key);

} // namespace crosswalk::pytorch
