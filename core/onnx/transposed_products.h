#pragma once

#include "core/graph/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crosswalk {

/// How ONNX Runtime 1.31 fails to fuse a MatMul of floating-point numbers with the Transpose of an operand, if the
/// other operand has fewer axes.
enum class ProductFault : std::uint8_t {
    None,
    IgnoresTranspose, ///< with a vector on the right: computes as if there were no Transpose of the last two axes
    Crashes, ///< for a Transpose of the batch that is cast: https://github.com/microsoft/onnxruntime/issues/28392
};

/// Values that are results of a Transpose, also through further operators.
class TransposedValues {
public:
    struct Origin {
        Ints order;          ///< axis i of the value is axis order[i] of the operand; empty if unknown
        bool isCast = false; ///< afterwards
    };

    /// Whether ONNX Runtime finds a Transpose in front of an operator.
    static bool isFollowed(std::string_view op);

    /// The names must stay. Nodes are added in topological order.
    void add(std::string_view result, Ints order);
    /// The result of an operator that ONNX Runtime may find, or move, the Transpose of `operand` through.
    void follow(std::string_view op, std::string_view operand, std::string_view result);

    /// Null for values that are not transposed.
    const Origin* find(std::string_view value) const;
    bool isEmpty() const { return m_origins.empty(); }

private:
    std::unordered_map<std::string_view, Origin> m_origins;
};

/// Whether a permutation moves the first axis behind the other batch axes of a matrix, or behind all axes, which ONNX
/// Runtime takes for a transposition of the batch. Not one that is unknown.
bool movesBatch(const Ints& order);

/// The fault of a product of a transposed operand and one of `rank` axes, which is operand `position` (0 or 1). ONNX
/// Runtime casts operands in half precision itself.
ProductFault faultOfProduct(const TransposedValues::Origin& transposed, bool isHalf, int position, std::size_t rank);

/// Finds the products of a graph, or of a body, with such a fault. A product that ONNX Runtime may not fuse is not
/// found.
class TransposedProducts {
public:
    struct Operand {
        std::string_view name;
        TensorType type;
        bool isStored = false;
    };
    struct Finding {
        ProductFault fault = ProductFault::None;
        int transposed = 0; ///< the operand that is
    };

    /// Whether an operator can belong to such a product. add() accepts no others.
    bool isPart(std::string_view op) const
    {
        return op == "Transpose" || (!m_values.isEmpty() && (op == "MatMul" || TransposedValues::isFollowed(op)));
    }
    /// Nodes are added in topological order; `order` is the attribute of a Transpose. The names must stay.
    /// `isOutput`: of the graph, so that ONNX Runtime keeps the node.
    std::optional<Finding> add(std::string_view op, const std::vector<Operand>& operands, std::string_view result,
                               bool isOutput, std::optional<Ints> order);

private:
    std::optional<Finding> ofProduct(const std::vector<Operand>& operands) const;

    TransposedValues m_values;
};

} // namespace crosswalk
