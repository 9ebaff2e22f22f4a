#pragma once

#include "core/convert/forms/packed_weights.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cstdint>
#include <optional>

namespace crosswalk::mxnet {

enum class CellMode : std::uint8_t { RnnRelu, RnnTanh, Lstm, Gru };

/// Attributes of an RNN node, checked as MXNet's GPU build checks them (its CPU build ignores half of them).
struct RecurrentSettings : forms::PackedLayers {
    CellMode mode = CellMode::RnnTanh;
    std::optional<forms::StateClip> clip = {}; ///< of the cell state; lstm only
    bool hasLengths = false;

    /// Throws "invalid-attribute" for what MXNet itself rejects.
    static RecurrentSettings of(const NodeContext& ctx);

    bool isLstm() const { return mode == CellMode::Lstm; }
    /// A layer of the node, without weights and states. Its gates are in the order of MXNet's parameters.
    forms::RecurrentLayer layer() const;
};

} // namespace crosswalk::mxnet
