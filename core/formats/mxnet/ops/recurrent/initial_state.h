#pragma once

#include "core/formats/mxnet/ops/recurrent/settings.h"

#include <cstddef>
#include <cstdint>

namespace crosswalk::mxnet {

/// The initial h or c of an RNN node: (layers * directions, batch, width), an input, or created by a begin state whose
/// batch MXNet infers.
class InitialState {
public:
    /// `width`: of one row; `data`: the node's data, for its batch. The state is cast to the data's type.
    InitialState(const NodeContext& ctx, const RecurrentSettings& settings, std::size_t inputIndex, std::int64_t width,
                 OnnxValue data);

    forms::StackedState ofLayer(std::int64_t layer) const;

private:
    void adopt(std::size_t inputIndex);
    void fitBatch(bool isVariable);

    const NodeContext& m_ctx;
    std::int64_t m_layers;
    std::int64_t m_directions;
    std::int64_t m_width;
    OnnxValue m_data;
    OnnxValue m_state; ///< absent if it is known at conversion to contain only zeros
};

} // namespace crosswalk::mxnet
