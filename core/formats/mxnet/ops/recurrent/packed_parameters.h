#pragma once

#include "core/formats/mxnet/ops/recurrent/settings.h"

#include <map>

namespace crosswalk::mxnet {

/// The packed parameter vector of an RNN node, taken apart. A stored vector is cut by bookkeeping at conversion; a
/// computed one by a Split in the graph.
class PackedParameters {
public:
    /// `features`: those of the data. Throws "wrong-weight" where the vector has another length than the settings call
    /// for.
    PackedParameters(const NodeContext& ctx, const RecurrentSettings& settings, OnnxValue packed,
                     std::int64_t features);

    /// The weights of a layer in one direction (0 forward, 1 reverse).
    forms::CellWeights cell(std::int64_t layer, std::int64_t direction) const;

    /// Elements of the vector.
    static std::int64_t length(const RecurrentSettings& settings, std::int64_t features);

private:
    /// What the packed vector holds of a cell. The matrices are row-major, of `gates` blocks of `hidden` rows each, but
    /// for the projection, which is one block of `projection` rows.
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
    const RecurrentSettings& m_settings;
    OnnxValue m_packed;
    std::int64_t m_features;
    std::map<std::int64_t, OnnxValue> m_cut; ///< of a computed vector: its blocks by offset
};

/// The features of the data: its last dimension, or what the length of a stored vector leaves for it.
std::int64_t recurrentFeatures(const NodeContext& ctx, const RecurrentSettings& settings, OnnxValue data,
                               OnnxValue packed);

} // namespace crosswalk::mxnet
