#pragma once

#include "core/onnx/time_axes.h"
#include "crosswalk/options.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// Shapes for all inputs at once.
enum class ShapePreset { AsInFile, BatchOne, BatchFree };

struct NamedType {
    std::string name;
    TensorType type; ///< from the file and the weights
};

/// The batch axis: the dynamic dimension N, otherwise the first axis that is not a time axis. Nothing if there is none.
std::optional<std::size_t> batchAxis(const TensorType& type, const std::set<std::size_t>& steps);

/// The shapes of a preset; does not contain inputs that the preset leaves unchanged.
std::map<std::string, Shape, std::less<>> presetShapes(ShapePreset preset, const std::vector<NamedType>& inputs,
                                                       const TimeAxes& steps);

} // namespace crosswalk::ui
