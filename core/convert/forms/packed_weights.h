#pragma once

#include "core/convert/forms/recurrent_layer.h"

#include <cstdint>
#include <map>
#include <optional>

namespace crosswalk::forms {

/// The sizes of stacked recurrent layers whose parameters are packed in one vector, as cuDNN defines it: the weights of
/// all cells, then the biases of all cells. Cells are ordered by layer, then by direction. The weights of a cell are
/// those of the input, gate by gate, those of the recurrence, and the projection; its biases are those of the input and
/// those of the recurrence. Matrices are row-major, (units, inputs).
struct PackedLayers {
    // These bound the length of the vector to 63 bits, with up to 2^28 features.
    static constexpr std::int64_t mostUnits = 1 << 20;
    static constexpr std::int64_t mostLayers = 1 << 10;

    std::int64_t gates = 1; ///< blocks of rows in a weight matrix: lstm 4, gru 3, rnn 1
    std::int64_t hidden = 0;
    std::int64_t layers = 1;
    std::int64_t directions = 1;                 ///< 2 when bidirectional
    std::optional<std::int64_t> projection = {}; ///< lstm

    /// Width of h, of the output of one direction, and of the recurrence.
    std::int64_t outputSize() const { return projection.value_or(hidden); }
    /// Features that a layer reads, given those of the data.
    std::int64_t inputSize(std::int64_t layer, std::int64_t features) const
    {
        return layer == 0 ? features : directions * outputSize();
    }
    /// Elements of the vector, of up to mostLayers layers with up to mostUnits units.
    std::int64_t length(std::int64_t features) const;
};

/// Splits the packed parameters of recurrent layers: a stored vector at conversion, a computed one by a Split in the
/// graph.
class PackedWeights {
public:
    /// `features`: those of the data. Throws "wrong-weight" if the vector has another length than the layers require.
    PackedWeights(const NodeContext& ctx, const PackedLayers& layers, OnnxValue packed, std::int64_t features);

    /// The weights of a layer in one direction (0 forward, 1 reverse).
    CellWeights cell(std::int64_t layer, std::int64_t direction) const;

private:
    /// The parts of a cell. The matrices have `gates` blocks of `hidden` rows, but the projection has one block of
    /// `projection` rows.
    enum class CellPart : std::uint8_t { InputWeights, RecurrentWeights, Projection, InputBias, RecurrentBias };
    struct Block {
        std::int64_t offset;
        std::int64_t size;
    };
    Block block(std::int64_t layer, std::int64_t direction, CellPart part, std::int64_t gate) const;
    std::int64_t layerWeights(std::int64_t layer) const; ///< elements of its weights in one direction
    void cutInGraph();
    OnnxValues take(std::int64_t layer, std::int64_t direction, CellPart part) const;

    const NodeContext& m_ctx;
    PackedLayers m_layers;
    OnnxValue m_packed;
    std::int64_t m_features;
    std::map<std::int64_t, OnnxValue> m_cut; ///< of a computed vector: its blocks by offset
};

/// The features of the data (time, batch, features): its last dimension, or the number that follows from the length of
/// a stored vector. Throws "invalid-attribute" for data of another rank, and UnknownShape.
std::int64_t packedFeatures(const NodeContext& ctx, const PackedLayers& layers, OnnxValue data, OnnxValue packed);

/// The layers in a form, with y of the last one, and h and c of all (layers * directions, batch, width). `layer` has
/// everything but the weights; its initial states are those of all layers, in rows from 0. x is (time, batch,
/// `features`) in recurrentType().
RecurrentOutputs emitPackedLayers(const NodeContext& ctx, const PackedLayers& sizes, RecurrentLayer layer, OnnxValue x,
                                  OnnxValue packed, std::int64_t features, RecurrentForm form);

} // namespace crosswalk::forms
