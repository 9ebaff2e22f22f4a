#pragma once

#include "core/convert/node_context.h"
#include "core/formats/mxnet/mxnet_forms.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// Operator parameters of a node, by their MXNet type: a boolean may be `0` or `1`, a number may be `True`, a string
/// may be any text. A value that MXNet rejects is an "invalid-attribute" problem at the node.
class Attributes {
public:
    explicit Attributes(const NodeContext& ctx)
        : m_ctx(ctx)
    {
    }

    bool has(std::string_view name) const;    ///< present, and not `None`
    bool isNone(std::string_view name) const; ///< present as `None`, which is not always the default
    std::string text(std::string_view name, std::string_view fallback) const;
    bool boolean(std::string_view name, bool fallback) const;
    std::int64_t integer(std::string_view name) const; ///< required
    std::int64_t integer(std::string_view name, std::int64_t fallback) const;
    std::optional<std::int64_t> optionalInteger(std::string_view name) const; ///< may end in Python 2's L
    double number(std::string_view name) const;                               ///< required
    double number(std::string_view name, double fallback) const;
    std::optional<double> optionalNumber(std::string_view name) const;
    /// Empty if absent, `None`, `()` or `[]`; a single number is a tuple of one.
    Ints ints(std::string_view name) const;
    Ints ints(std::string_view name, const Ints& fallback) const; ///< fallback if absent, None or empty
    std::vector<std::optional<std::int64_t>> optionalInts(std::string_view name) const; ///< `(None, 1)`
    Ints nestedInts(std::string_view name) const; ///< those of `((0, 0), (1, 1))` in one list; empty if absent
    std::vector<double> numbers(std::string_view name) const;
    /// A dtype name; fallback if absent or None.
    ElementType elementType(std::string_view name, ElementType fallback) const;
    /// One of the given names; anything else is invalid, also `None`.
    std::string choice(std::string_view name, std::initializer_list<std::string_view> allowed,
                       std::string_view fallback) const;

private:
    const Attribute* find(std::string_view name) const;
    std::string textFor(std::string_view name) const;         ///< as the file spells it
    const AttributeValue* given(std::string_view name) const; ///< null if absent or `None`
    std::optional<std::int64_t> givenInteger(std::string_view name) const;
    [[noreturn]] void invalid(std::string_view name, std::string_view wanted) const;

    const NodeContext& m_ctx;
};

/// Whether the model follows numpy's shape rules (`is_np_shape`): () and 0 are valid, -1 is unknown.
bool hasNumpyShapes(const Graph& model);
bool hasNumpyShapes(const NodeContext& ctx);
/// Whether MXNet 2 wrote the graph.
bool isOfVersion2(const NodeContext& ctx);

} // namespace crosswalk::mxnet
