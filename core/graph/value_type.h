#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace crosswalk {

/// What flows along an edge. Most values are tensors, whose element type and shape are the inherited members; for every
/// other kind these are unknown.
struct ValueType : TensorType {
    enum class Kind : std::uint8_t {
        Tensor,
        Sequence, ///< a list of values of one type
        Optional, ///< a value, or none
        Map,      ///< from keys (strings or integers) to values
        Opaque,   ///< a handle that only the framework's own operators can use
    };

    ValueType() = default;
    ValueType(TensorType tensor) // NOLINT(google-explicit-constructor): a tensor's type is a value's type
        : TensorType(std::move(tensor))
    {
    }
    ValueType(ElementType elementType, std::optional<Shape> tensorShape)
        : TensorType{elementType, std::move(tensorShape)}
    {
    }
    static ValueType sequence(ValueType item);
    static ValueType optional(ValueType item);
    static ValueType map(ElementType key, ValueType item);
    /// `name`: "resource", "table".
    static ValueType opaque(std::string name);

    Kind kind() const;
    bool isTensor() const { return m_other == nullptr; }
    ElementType key() const;           ///< of a map
    const ValueType& item() const;     ///< of a sequence, an optional and a map: its values' type
    const std::string& handle() const; ///< of an opaque value: what it refers to

    friend bool operator==(const ValueType& a, const ValueType& b);

private:
    struct Other;
    static ValueType of(Other other);

    std::shared_ptr<const Other> m_other; ///< of every kind but Tensor
};

/// As ONNX writes types: "float32 2x3", "seq(float32 2x3)", "map(string, int64)", "resource".
std::string toString(const ValueType& type);

} // namespace crosswalk
