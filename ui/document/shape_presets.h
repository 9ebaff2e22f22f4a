#pragma once

#include "core/convert/options.h"
#include "core/onnx/time_axes.h"

#include <vector>

namespace crosswalk::ui {

/// Shapes for all inputs at once.
enum class ShapePreset { AsInFile, BatchOne, BatchFree };

struct NamedType {
    std::string name;
    TensorType type; ///< as file and weights say it
};

/// The axis that counts the examples: the free dimension N, else the first that counts no steps. Nothing where there is
/// none.
std::optional<std::size_t> batchAxis(const TensorType& type, const std::set<std::size_t>& steps);

/// The shapes that a preset gives; inputs that it leaves alone are not in it.
std::map<std::string, Shape, std::less<>> presetShapes(ShapePreset preset, const std::vector<NamedType>& inputs,
                                                       const TimeAxes& steps);

} // namespace crosswalk::ui
