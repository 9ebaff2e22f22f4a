#include "core/formats/keras/dtype_policy.h"

#include <charconv>

namespace crosswalk::keras {
namespace {

/// A regular expression of plain characters, "." and "*": what the keys of policy maps consist of.
enum class Matching { No, Yes, Unknown };

Matching matches(std::string_view pattern, std::string_view text)
{
    if (pattern.find_first_of("()[]{}+?|^$\\") != std::string_view::npos || pattern.starts_with('*') ||
        pattern.find("**") != std::string_view::npos) {
        return Matching::Unknown;
    }
    std::vector<bool> reached(text.size() + 1, false); // places of the text that the pattern so far leads to
    reached[0] = true;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        const bool isRepeated = i + 1 < pattern.size() && pattern[i + 1] == '*';
        const auto fits = [&](std::size_t place) { return c == '.' ? text[place] != '\n' : text[place] == c; };
        if (isRepeated) {
            for (std::size_t place = 0; place < text.size(); ++place) {
                if (reached[place] && fits(place)) {
                    reached[place + 1] = true;
                }
            }
            ++i;
            continue;
        }
        for (std::size_t place = text.size(); place > 0; --place) {
            reached[place] = reached[place - 1] && fits(place - 1);
        }
        reached[0] = false;
    }
    return reached[text.size()] ? Matching::Yes : Matching::No;
}

} // namespace

DtypePolicy dtypePolicy(const std::string& name)
{
    constexpr std::string_view from = "_from_";
    const auto place = name.find(from);
    if (place == std::string::npos) {
        return {.mode = {}, .source = name};
    }
    DtypePolicy policy{.mode = name.substr(0, place), .source = name.substr(place + from.size())};
    if (const auto slash = policy.mode.find('/'); slash != std::string::npos) {
        const bool isCalibrated = policy.mode.starts_with("gptq/") || policy.mode.starts_with("awq/");
        const char* end = policy.mode.data() + policy.mode.size();
        std::from_chars(policy.mode.data() + slash + 1, end, isCalibrated ? policy.bits : policy.block);
        policy.mode.resize(slash);
    }
    return policy;
}

std::string typeName(const ConfigValue* value)
{
    constexpr const char* defaultType = "float32";
    if (value == nullptr) {
        return {};
    }
    if (const ConfigValue* config = value->find("config")) {
        if (const ConfigValue* name = config->find("name")) {
            return name->isNull() ? defaultType : typeName(name);
        }
        if (const ConfigValue* source = config->find("source_name")) { // of a quantized policy
            return config->text("mode") + "_from_" + (source->isNull() ? defaultType : textOf(*source));
        }
        return textOf(*config);
    }
    return textOf(*value);
}

std::string partName(const std::string& part)
{
    return part == "output_dense" ? "attention_output" : part.substr(0, part.find('_'));
}

std::string partPolicy(const ConfigValue& config, const std::string& part)
{
    const ConfigValue* own = config.find("part_dtypes");
    const std::string name = own != nullptr ? own->text(partName(part)) : std::string();
    return name.empty() ? config.text("dtype") : name;
}

bool isPolicyMap(const ConfigValue& value)
{
    return value.text("class_name") == "DTypePolicyMap";
}

std::optional<std::string> policyAt(const ConfigValue& map, const std::string& path)
{
    const ConfigValue* config = map.find("config");
    const ConfigValue* parts = config != nullptr ? config->find("policy_map") : nullptr;
    if (parts == nullptr || parts->object() == nullptr) {
        return std::nullopt;
    }
    if (const ConfigValue* own = parts->find(path)) {
        return typeName(own);
    }
    const ConfigValue* found = config->find("default_policy");
    bool isFound = false;
    for (const auto& [pattern, policy] : *parts->object()) {
        const Matching matching = matches(pattern, path);
        if (matching == Matching::Unknown || (matching == Matching::Yes && isFound)) {
            return std::nullopt;
        }
        if (matching == Matching::Yes) {
            found = &policy;
            isFound = true;
        }
    }
    return found == nullptr || found->isNull() ? "float32" : typeName(found);
}

std::optional<ElementType> typeOfName(const std::string& name)
{
    return name == "bfloat16" ? std::optional(ElementType::BFloat16) : elementTypeFromName(name);
}

std::optional<ElementType> typeOfArray(const std::string& name)
{
    const auto type = typeOfName(name);
    return type == ElementType::Float64  ? ElementType::Float32
           : type == ElementType::Int64  ? ElementType::Int32
           : type == ElementType::UInt64 ? ElementType::UInt32
                                         : type;
}

} // namespace crosswalk::keras
