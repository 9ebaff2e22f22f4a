#pragma once

#include "core/formats/keras/ops/layer.h"

#include <string>

namespace crosswalk::keras {

/// Images (N, C, H, W), floating point, brought to a size, int64 vectors of one element, by an interpolation that Keras
/// names: nearest, bilinear, bicubic, area, lanczos3, lanczos5, gaussian, mitchellcubic. `isSmoothed`:
/// with antialias. All but the first two, and those with antialias, need fixed sizes.
OnnxValue resizedImages(const Layer& layer, OnnxValue x, OnnxValue height, OnnxValue width,
                        const std::string& interpolation, bool isSmoothed = false);

} // namespace crosswalk::keras
