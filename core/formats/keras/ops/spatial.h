#pragma once

#include "core/convert/forms/nn/window_padding.h"
#include "core/formats/keras/ops/layer.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// What layers over spatial axes have in common: the place of the channels, windows and padding.
namespace crosswalk::keras {

/// Whether the channels are on the last axis, by `data_format`.
bool hasChannelsLast(const Layer& layer);
/// One positive number for each spatial axis: a list, or one number for all.
Ints perAxis(const Layer& layer, const std::string& setting, std::size_t rank, std::int64_t otherwise);
/// The shape of a kernel over so many axes, by kernel_size if the layer has it, and its last two axes.
Shape kernelShape(const Layer& layer, std::size_t rank, const Dim& beforeLast, const Dim& last);
/// The data with channels on axis 1.
OnnxValue channelsFirst(const Layer& layer, OnnxValue x);
/// The result of a computation with channels on axis 1, in the layout of the layer.
OnnxValue inLayout(const Layer& layer, OnnxValue y);
/// Window of the layer's settings, over a kernel of these sizes.
Window windowOf(const Layer& layer, const Ints& kernel);
/// The padding that the setting names: valid, same or causal.
WindowPadding paddingOf(const Layer& layer, OnnxValue x, const Window& window, double filler);
/// `x` with the order along each of these axes reversed.
OnnxValue reversed(const NodeContext& ctx, OnnxValue x, const Ints& axes);

} // namespace crosswalk::keras
