#pragma once

#include "core/rewrite/graph_edit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// An element of an integer vector, or a single integer: a number, a dimension of a tensor, or an element of a value
/// that is computed otherwise.
struct ShapeElement {
    enum class Kind : std::uint8_t { Number, Dimension, Item };
    Kind kind = Kind::Number;
    std::string value;       ///< the tensor or the value
    std::int64_t number = 0; ///< the number, the axis or the index
    bool operator==(const ShapeElement&) const = default;
};
using ShapeElements = std::vector<ShapeElement>;

/// What the integer vectors and single integers of a graph are composed of. Dimensions that are equal in every run
/// without errors are traced back to the same tensor. Assumes that dimensions fit into int32.
class ShapeValues {
public:
    explicit ShapeValues(const GraphEdit& edit);

    /// The elements of a short integer vector of known length, or of a single integer; nothing for other values.
    std::optional<ShapeElements> elements(const std::string& value) const;
    /// Whether the value consists of parts of other values.
    bool isComposed(const std::string& value) const { return m_composed.contains(value); }
    bool hasComposed() const { return !m_composed.empty(); }
    /// A dimension of a tensor.
    ShapeElement dimension(const std::string& tensor, std::size_t axis) const;

private:
    void read(const ::onnx::NodeProto& node);
    std::optional<ShapeElements> composed(const ::onnx::NodeProto& node) const;
    std::optional<ShapeElements> sliced(const ::onnx::NodeProto& node) const;
    std::optional<ShapeElements> gathered(const ::onnx::NodeProto& node) const;
    std::optional<ShapeElements> casted(const ::onnx::NodeProto& node) const;
    std::optional<ShapeElement> origin(const std::string& tensor, std::size_t axis) const;
    std::optional<ShapeElement> ofBroadcast(const ::onnx::NodeProto& node, std::size_t axis) const;
    std::optional<std::size_t> rankOf(const std::string& value) const;
    Dim dimOf(const std::string& value, std::size_t axis) const;
    std::optional<std::int64_t> storedInteger(const ::onnx::NodeProto& node, int input, std::int64_t fallback) const;

    const GraphEdit& m_edit;
    std::unordered_map<std::string, ShapeElements> m_composed;
};

} // namespace crosswalk
