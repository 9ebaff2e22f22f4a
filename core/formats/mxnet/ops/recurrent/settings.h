#pragma once

#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <optional>

namespace crosswalk::mxnet {

enum class CellMode : std::uint8_t { RnnRelu, RnnTanh, Lstm, Gru };

/// Attributes of an RNN node, checked as MXNet's GPU build checks them (its CPU build ignores half of them).
struct RecurrentSettings {
    CellMode mode;
    std::int64_t gates; ///< blocks of rows in a weight matrix: lstm 4, gru 3, else 1
    std::int64_t hidden;
    std::int64_t layers;
    std::int64_t directions;                ///< 2 when bidirectional
    std::optional<std::int64_t> projection; ///< lstm only
    std::optional<forms::StateClip> clip;   ///< of the cell state; lstm only
    bool hasLengths;

    /// Throws "invalid-attribute" for what MXNet itself rejects.
    static RecurrentSettings of(const NodeContext& ctx);

    bool isLstm() const { return mode == CellMode::Lstm; }
    /// A layer of the node, without weights and states. Its gates are in the order of MXNet's parameters.
    forms::RecurrentLayer layer() const;
    /// Width of h, of the output of one direction, and of the recurrence.
    std::int64_t outputSize() const { return projection.value_or(hidden); }
    /// Features that a layer reads, given those of the data.
    std::int64_t inputSize(std::int64_t layer, std::int64_t features) const
    {
        return layer == 0 ? features : directions * outputSize();
    }
};

} // namespace crosswalk::mxnet
