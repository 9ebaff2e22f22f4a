#pragma once

#include "core/convert/forms/recurrent_layer.h"

#include <cstdint>

namespace crosswalk::tensorflow {

/// The weights of an LSTM that are stored as one matrix (features + hidden, 4 * hidden), for the input and the state,
/// and the bias (4 * hidden). Throws "wrong-weight" if the matrix has too few rows.
forms::CellWeights joinedWeights(const NodeContext& ctx, OnnxValue weights, std::int64_t hidden, OnnxValue bias);

} // namespace crosswalk::tensorflow
