#pragma once

#include "core/convert/emit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk::pytorch {

/// The largest number of parts into which an operator cuts a tensor, each of which is a node of ONNX.
constexpr std::int64_t mostParts = 1 << 16;

/// The arguments of an operator by the names of its schema, whether they are inputs of the node or stored in the file.
class Arguments {
public:
    explicit Arguments(const NodeContext& ctx);

    /// Whether the file has the argument, and not as None.
    bool has(std::string_view name) const;
    bool isStored(std::string_view name) const { return m_ctx.node.attribute(name) != nullptr; }
    /// Whether an input is a number of Python.
    bool isNumber(std::string_view name) const;

    OnnxValue tensor(std::string_view name) const;   ///< refused if it is absent
    OnnxValue optional(std::string_view name) const; ///< absent: an empty value
    OnnxValues tensors(std::string_view name) const; ///< of a list; an element may be absent
    /// The value of the source graph that an argument reads; nothing for a stored argument.
    std::optional<ValueId> source(std::string_view name) const;

    std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    /// The same, refused if it is less than 1.
    std::int64_t positive(std::string_view name, std::int64_t fallback) const;
    double number(std::string_view name, double fallback) const;
    bool truth(std::string_view name, bool fallback = false) const;
    std::string text(std::string_view name, std::string_view fallback = {}) const;
    ElementType type(std::string_view name, ElementType fallback = ElementType::Undefined) const;
    std::optional<Ints>
    integers(std::string_view name) const; ///< nothing if absent; an element that is not known is refused
    std::vector<double> numbers(std::string_view name) const;
    /// A list of integers, some of which may be computed, as an int64 vector.
    OnnxValue vector(std::string_view name) const;
    /// The same numbers as dimensions, as far as they are known; negative ones are open.
    Shape shape(std::string_view name) const;
    /// An integer that may be computed, as an int64 scalar.
    OnnxValue scalar(std::string_view name, std::int64_t fallback) const;
    /// An axis, counted from the start.
    std::int64_t axis(std::string_view name, std::int64_t fallback, std::size_t rank) const;
    /// Axes, counted from the start; all of them if absent or empty.
    Ints axes(std::string_view name, std::size_t rank) const;
    std::string overload() const;

private:
    std::optional<std::size_t> input(std::string_view name) const;
    std::optional<std::int64_t> known(OnnxValue value) const;

    const NodeContext& m_ctx;
    const std::vector<std::string>* m_names = nullptr;
    std::unordered_map<std::string_view, std::size_t> m_indices; ///< of many names; empty for few
};

/// The argument self, a tensor.
inline OnnxValue selfOf(const NodeContext& ctx)
{
    return Arguments(ctx).tensor("self");
}

/// The body that an attribute of the node refers to; invalid if there is none.
SubgraphId bodyOf(const NodeContext& ctx, std::string_view name);

} // namespace crosswalk::pytorch
