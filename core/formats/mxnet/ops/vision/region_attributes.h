#pragma once

#include "core/convert/forms/vision/regions.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {

/// Reads pooled_size, a pair, and spatial_scale.
Bins binsOf(const NodeContext& ctx, const Attributes& attributes);
/// Reads pooled_size (a number), output_dim and group_size; input 0 must have matching channels.
Bins positionSensitiveBins(const NodeContext& ctx, const Attributes& attributes);

} // namespace crosswalk::mxnet
