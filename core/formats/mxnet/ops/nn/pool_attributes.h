#pragma once

#include "core/convert/forms/nn/pooling.h"
#include "core/formats/mxnet/ops/nn/window_attributes.h"

namespace crosswalk::mxnet {

/// x pooled as the attributes of the node request; `how` provides the settings that have no attribute.
OnnxValue poolByAttributes(const NodeContext& ctx, OnnxValue x, Pooling how = {});

} // namespace crosswalk::mxnet
