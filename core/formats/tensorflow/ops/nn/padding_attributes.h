#pragma once

#include "core/convert/forms/nn/window_padding.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/shared_forms.h"

#include <cstddef>
#include <string_view>

namespace crosswalk::tensorflow {

/// Whether the channels are on the last axis, by attribute data_format of the node. x has `rank` dimensions.
bool hasChannelsLast(const NodeContext& ctx, const Settings& settings, std::size_t rank);
/// The spatial entries of a list for all dimensions; rejects values other than 1 for batch and channels.
Ints spatialOf(const NodeContext& ctx, const Ints& all, bool channelsLast, std::string_view attribute);

/// Attributes padding and explicit_paddings for a window over x (channels first). SAME makes the output as large as
/// ceil(size / stride), with the odd element of padding at the end. `filler`: the value of explicit padding.
WindowPadding paddingOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, const Window& window,
                        bool channelsLast, double filler);

} // namespace crosswalk::tensorflow
