#pragma once

#include "core/convert/forms/vision/resize.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace crosswalk::forms {

// Resizing to the nearest element. ONNX Runtime divides places by the rounded ratio of the sizes, in single precision.
// Frameworks multiply them by the inverse ratio, and read another element where the exact quotient is a whole number:
// of 224 elements that become 32, ONNX Runtime reads the one at 6 for the second place, and they read the one at 7.

/// The elements of an axis of `from` elements that a result of `to` elements reads: at each place the one at
/// floor(position(place)), within the axis. Nothing for sizes of 0 and for very large results.
std::optional<Ints> nearestPlaces(std::int64_t from, std::int64_t to, const std::function<float(float)>& position);

/// Whether Resize by `scale` reads these elements of an axis of `from` elements, however a runtime rounds. `how` is not
/// linear.
bool resizeReads(const Ints& places, std::int64_t from, float scale, const Resizing& how);
/// The same of a Resize to the number of places.
bool resizeReads(const Ints& places, std::int64_t from, const Resizing& how);

/// The elements at places along an axis: x itself, a Slice or a Gather.
OnnxValue elementsAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Ints& places);

} // namespace crosswalk::forms
