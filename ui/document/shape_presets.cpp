#include "ui/document/shape_presets.h"

#include <algorithm>

namespace crosswalk::ui {

std::optional<std::size_t> batchAxis(const TensorType& type, const std::set<std::size_t>& steps)
{
    if (!type.shape || type.shape->empty()) {
        return std::nullopt;
    }
    const auto named =
        std::find_if(type.shape->begin(), type.shape->end(), [](const Dim& dim) { return dim.symbol() == "N"; });
    if (named != type.shape->end()) {
        return static_cast<std::size_t>(named - type.shape->begin());
    }
    std::size_t axis = 0;
    while (steps.contains(axis)) {
        ++axis;
    }
    return axis < type.shape->size() ? std::optional(axis) : std::nullopt;
}

std::map<std::string, Shape, std::less<>> presetShapes(ShapePreset preset, const std::vector<NamedType>& inputs,
                                                       const TimeAxes& steps)
{
    std::map<std::string, Shape, std::less<>> shapes;
    if (preset == ShapePreset::AsInFile) {
        return shapes;
    }
    for (const auto& input : inputs) {
        const auto known = steps.find(input.name);
        if (const auto axis = batchAxis(input.type, known != steps.end() ? known->second : std::set<std::size_t>())) {
            Shape shape = *input.type.shape;
            shape[*axis] = preset == ShapePreset::BatchOne ? Dim(1) : Dim("N");
            if (shape != *input.type.shape) {
                shapes.emplace(input.name, std::move(shape));
            }
        }
    }
    return shapes;
}

} // namespace crosswalk::ui
