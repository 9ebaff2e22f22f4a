#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswalk::keras {

/// The settings of a layer, or the arguments of a call: the attributes of a node below a prefix. One that is absent or
/// null has the value that the caller names; one of another type is invalid.
class Settings {
public:
    explicit Settings(const NodeContext& ctx, std::string prefix = {})
        : m_ctx(&ctx)
        , m_prefix(std::move(prefix))
    {
    }
    /// Those below a setting: "layer.config".
    Settings below(const std::string& name) const { return Settings(*m_ctx, m_prefix + name + "."); }

    bool has(std::string_view name) const; ///< and is not null
    bool isNull(std::string_view name) const;
    /// Whether there are settings below this one: it is an object.
    bool hasBelow(std::string_view name) const;
    bool boolean(std::string_view name, bool otherwise) const;
    std::int64_t integer(std::string_view name) const;
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    /// The size of an axis, such as units: a positive integer of 32 bits. Unknown if the setting is absent or null.
    Dim size(std::string_view name) const;
    std::int64_t requiredSize(std::string_view name) const; ///< of a setting that must be present
    double number(std::string_view name, double otherwise) const;
    std::string text(std::string_view name, const std::string& otherwise = {}) const;
    /// A list of integers, or a single one.
    Ints ints(std::string_view name) const;
    Ints ints(std::string_view name, const Ints& otherwise) const;
    /// A list of the sizes of axes, in which null is an unknown one, or a single size.
    Shape shape(std::string_view name) const;
    /// All numbers of nested lists in order, or a single one.
    std::vector<double> numbers(std::string_view name) const;
    std::vector<std::string> texts(std::string_view name) const;
    /// The lengths of nested lists of numbers, outermost first; empty for a number. Invalid where they differ.
    Ints extents(std::string_view name) const;
    bool isText(std::string_view name) const;
    bool isWhole(std::string_view name) const;               ///< consists of integers (or booleans)
    const AttributeValue* find(std::string_view name) const; ///< null if absent or null
    /// As the user knows it: "recurrent_activation".
    std::string nameOf(std::string_view name) const { return m_prefix + std::string(name); }

private:
    [[noreturn]] void wrongType(std::string_view name, std::string_view expected) const;

    const NodeContext* m_ctx;
    std::string m_prefix;
};

} // namespace crosswalk::keras
