#include "ui/document/shape_presets.h"

#include <algorithm>

namespace crosswalk::ui {

std::optional<std::size_t> batchAxis(const TensorType& type)
{
    if (!type.shape || type.shape->empty()) {
        return std::nullopt;
    }
    const auto named =
        std::find_if(type.shape->begin(), type.shape->end(), [](const Dim& dim) { return dim.symbol == "N"; });
    return named != type.shape->end() ? static_cast<std::size_t>(named - type.shape->begin()) : 0;
}

std::map<std::string, Shape, std::less<>> presetShapes(ShapePreset preset, const std::vector<NamedType>& inputs)
{
    std::map<std::string, Shape, std::less<>> shapes;
    if (preset == ShapePreset::AsInFile) {
        return shapes;
    }
    for (const auto& input : inputs) {
        if (const auto axis = batchAxis(input.type)) {
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
