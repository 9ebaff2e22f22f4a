#pragma once

#include "core/formats/mxnet/ops/nn/window_attributes.h"

#include <optional>

namespace crosswalk::mxnet {

struct Pooling {
    std::string type = "max";         ///< max, avg, sum, lp
    std::string convention = "valid"; ///< how the output size is rounded: valid, full, same
    bool countPadding = true;         ///< of an average: the padding counts in the divisor
    bool countRounding = false;       ///< so does, where that counts, the room that "full" adds beyond the padding
    std::optional<double> least;      ///< the maximum of a window that meets no element, else the type's smallest
    std::int64_t p = 2;               ///< of lp: 1, 2 or 3
};

/// Windows of x (channels first) pooled as MXNet does.
OnnxValue pool(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Pooling& how);
/// x pooled as the attributes of the node say, which are Pooling's but for what no attribute says.
OnnxValue poolByAttributes(const NodeContext& ctx, OnnxValue x, Pooling how = {});

} // namespace crosswalk::mxnet
