#pragma once

#include "core/graph/attribute_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace crosswalk::keras {

struct ConfigValue;
using ConfigList = std::vector<ConfigValue>;
using ConfigObject = std::vector<std::pair<std::string, ConfigValue>>; ///< in the order of the file

/// A value of the JSON that describes a model.
struct ConfigValue : std::variant<std::monostate, bool, std::int64_t, double, std::string, ConfigList, ConfigObject> {
    using variant::variant;
    using variant::operator=;

    bool isNull() const { return std::holds_alternative<std::monostate>(*this); }
    const ConfigList* list() const { return std::get_if<ConfigList>(this); }
    const ConfigObject* object() const { return std::get_if<ConfigObject>(this); }
    /// A member of an object; null where there is none or the value is no object.
    const ConfigValue* find(std::string_view key) const;
    ConfigValue* find(std::string_view key);
    /// A member that is a text; empty without.
    std::string text(std::string_view key) const;
    /// Sets a member of an object.
    void set(std::string_view key, ConfigValue value);
    /// Renames a member of an object where it has it.
    void rename(std::string_view from, std::string to);
    void erase(std::string_view key);
};

/// Text as a value: an empty text where it is none.
std::string textOf(const ConfigValue& value);
std::optional<std::int64_t> integerOf(const ConfigValue& value);

/// Throws ModelError "damaged" or "truncated" for text that is no JSON or is nested too deeply.
ConfigValue parseConfig(std::string_view json);

/// As the value of an attribute. Members of objects are not attributes of their own here: see addAttributes.
AttributeValue attributeValue(const ConfigValue& value);
/// The members of an object as attributes, those of objects in it by names joined with dots: "layer.config.units".
/// Settings that matter to training alone (initializers, regularizers, constraints) are left out.
void addAttributes(std::vector<Attribute>& attributes, const std::string& prefix, const ConfigValue& value);

} // namespace crosswalk::keras
