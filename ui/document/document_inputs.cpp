// Shapes and types of the inputs.

#include "ui/document/document.h"

#include "ui/models/shape_text.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

bool isBatch(const Dim& dim)
{
    return dim.symbol() == "N";
}

/// The given shape, with the N of the file where it has a size.
Shape withBatchOf(const std::optional<Shape>& own, Shape given)
{
    if (own && own->size() == given.size() && std::ranges::none_of(given, isBatch)) {
        for (std::size_t axis = 0; axis < given.size(); ++axis) {
            given[axis] = isBatch((*own)[axis]) ? (*own)[axis] : given[axis];
        }
    }
    return given;
}

} // namespace

void Document::setInputShape(const std::string& input, std::optional<Shape> shape)
{
    auto next = m_options;
    next.shapes.erase(input);
    if (shape) {
        next.shapes.emplace(input, std::move(*shape));
    }
    changeOptions(std::move(next), tr("Shape of %1").arg(displayText(input)));
}

void Document::setInputType(const std::string& input, std::optional<ElementType> type)
{
    auto next = m_options;
    next.types.erase(input);
    if (type) {
        next.types.emplace(input, *type);
    }
    changeOptions(std::move(next), tr("Type of %1").arg(displayText(input)));
}

void Document::applyPreset(ShapePreset preset)
{
    if (!m_loaded) {
        return;
    }
    const Graph& graph = *m_loaded->graph;
    std::vector<NamedType> own;
    for (const auto id : graph.inputs) {
        const Value& value = graph.value(id);
        if (value.role == Role::Data && !value.tensor) {
            const auto known = m_ownTypes.find(id);
            own.push_back({value.name, known != m_ownTypes.end() ? known->second : TensorType(value.type)});
        }
    }
    auto next = m_options;
    if (preset == ShapePreset::AsInFile) {
        next.shapes.clear();
        next.types.clear();
    } else {
        std::vector<NamedType> current = own;
        for (NamedType& input : current) {
            if (const auto given = m_options.shapes.find(input.name); given != m_options.shapes.end()) {
                input.type.shape = withBatchOf(input.type.shape, given->second);
            }
        }
        next.shapes = presetShapes(preset, current, isOnnx() ? timeAxes(graph) : TimeAxes());
        for (std::size_t i = 0; i < own.size(); ++i) { // the preset does not contain what it leaves unchanged
            if (current[i].type.shape) {
                next.shapes.try_emplace(own[i].name, *current[i].type.shape);
            }
            if (const auto same = next.shapes.find(own[i].name);
                same != next.shapes.end() && own[i].type.shape == same->second) {
                next.shapes.erase(same);
            }
        }
    }
    if (next.shapes == m_options.shapes && next.types == m_options.types) {
        return;
    }
    changeOptions(std::move(next), preset == ShapePreset::AsInFile   ? tr("Inputs as in the file")
                                   : preset == ShapePreset::BatchOne ? tr("Batch 1")
                                                                     : tr("Batch N"));
}

} // namespace crosswalk::ui
