#pragma once

#include "core/convert/forms/recurrent_layer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace crosswalk::forms {

enum class WeightPart : std::uint8_t { Input, Recurrent, Projection, Bias, RecurrentBias };

/// The weights of a layer, in whichever order and dimensions a form needs them.
class RecurrentWeights {
public:
    RecurrentWeights(const NodeContext& ctx, const RecurrentLayer& layer, ElementType type);

    /// Whether any cell has the part; a forget bias counts as a bias.
    bool has(WeightPart part) const;
    /// Columns of the input matrix of a cell. Throws "wrong-weight" if they are invalid.
    std::int64_t inputSize(std::size_t cell = 0) const;

    /// Parts of cells, one after the other, in dimensions `dims`: for each cell in [first, last), for each part, its
    /// gates in the order `wanted` (letters as in RecurrentLayer::gateOrder), each in rows of (hidden, inputs). An
    /// absent bias is zero. Throws "wrong-weight" if a part does not have the size that the layer requires.
    OnnxValue take(std::size_t first, std::size_t last, std::span<const WeightPart> parts, std::string_view wanted,
                   const Ints& dims) const;

    /// ONNX's order of gates.
    static std::string_view onnxOrder(CellKind kind);
    /// The order that the weights are in.
    std::string_view order() const;

private:
    /// Rows of a matrix or elements of a bias. A stored one is not in the graph before it is joined with others.
    struct Block {
        std::optional<Tensor> stored = {};
        OnnxValue computed = {};
    };
    /// How many gates a part has, and the dimensions of each.
    struct PartShape {
        std::int64_t gates;
        std::int64_t rows;
        std::int64_t columns; ///< 0: any, as wide as the values make it
    };
    OnnxValues values(const CellWeights& cell, WeightPart part) const;
    PartShape shapeOf(WeightPart part) const;
    std::int64_t gateSize(const OnnxValues& parts, WeightPart part) const;
    std::vector<Block> blocks(const CellWeights& cell, WeightPart part, std::string_view wanted) const;
    std::vector<Block> gatesOf(OnnxValue value, const PartShape& shape, std::int64_t size) const;
    void addForgetBias(Block& block) const;
    OnnxValue joined(std::vector<Block> blocks, const Ints& dims) const;

    const NodeContext& m_ctx;
    const RecurrentLayer& m_layer;
    ElementType m_type;
};

/// The sum of two values of one type and shape, computed at conversion if both are stored.
OnnxValue storedSum(const NodeContext& ctx, OnnxValue a, OnnxValue b);

} // namespace crosswalk::forms
