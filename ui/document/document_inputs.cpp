// Shapes and types of the inputs.

#include "ui/document/document.h"

#include "ui/models/shape_text.h"

namespace crosswalk::ui {

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
    std::vector<NamedType> inputs;
    for (const auto id : graph.inputs) {
        const Value& value = graph.value(id);
        if (value.role == Role::Data && !value.tensor) {
            const auto own = m_ownTypes.find(id);
            inputs.push_back({value.name, own != m_ownTypes.end() ? own->second : TensorType(value.type)});
        }
    }
    auto next = m_options;
    next.shapes = presetShapes(preset, inputs, isOnnx() ? timeAxes(graph) : TimeAxes());
    if (preset == ShapePreset::AsInFile) {
        next.types.clear();
    }
    if (next.shapes == m_options.shapes && next.types == m_options.types) {
        return;
    }
    changeOptions(std::move(next), preset == ShapePreset::AsInFile   ? tr("Inputs as in the file")
                                   : preset == ShapePreset::BatchOne ? tr("Batch 1")
                                                                     : tr("Batch N"));
}

} // namespace crosswalk::ui
