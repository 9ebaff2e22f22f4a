// Names of inputs and outputs, and the extracted part of the model.

#include "ui/document/document.h"

#include "core/convert/select_outputs.h"
#include "ui/models/shape_text.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

std::vector<std::string> portsOf(const Graph& graph, const ConvertOptions& options)
{
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    };
    if (options.part) {
        std::for_each(options.part->from.begin(), options.part->from.end(), add);
        std::for_each(options.part->to.begin(), options.part->to.end(), add);
        return names;
    }
    const Graph* whole = &graph;
    std::optional<Graph> cut;
    if (!options.outputs.empty()) {
        try {
            cut = withOutputs(graph, options.outputs);
            whole = &*cut;
        } catch (const ModelError&) {
            // The conversion reports names that the model does not have.
        }
    }
    for (const auto* ports : {&whole->inputs, &whole->outputs}) {
        for (const ValueId id : *ports) {
            const Value& value = graph.value(id);
            if (!value.tensor && value.role == Role::Data) {
                add(value.name);
            }
        }
    }
    return names;
}

/// Forgets the new names of inputs and outputs that the export no longer has.
void forgetUnusedRenames(const Graph& graph, ConvertOptions& options)
{
    const auto ports = portsOf(graph, options);
    std::erase_if(options.renames, [&](const auto& renamed) {
        return std::find(ports.begin(), ports.end(), renamed.first) == ports.end();
    });
}

} // namespace

std::vector<std::string> Document::portNames() const
{
    return m_loaded ? portsOf(*m_loaded->graph, m_options) : std::vector<std::string>();
}

void Document::setRenames(std::map<std::string, std::string, std::less<>> renames)
{
    if (renames == m_options.renames) {
        return;
    }
    auto next = m_options;
    next.renames = std::move(renames);
    changeOptions(std::move(next), tr("Names of inputs and outputs"));
}

void Document::setCustomOperator(const std::string& op, std::optional<CustomOperator> custom)
{
    if (!m_loaded) {
        return;
    }
    auto next = m_options;
    if (custom) {
        next.customOperators[op] = std::move(*custom);
    } else {
        next.customOperators.erase(op);
    }
    changeOptions(std::move(next), tr("Operator %1").arg(displayText(op)));
}

void Document::setPart(std::optional<ModelPart> part)
{
    if (!m_loaded || part == m_options.part) {
        return;
    }
    auto next = m_options;
    const QString text = part ? tr("Extract the selection") : tr("Keep the whole model");
    next.part = std::move(part);
    forgetUnusedRenames(*m_loaded->graph, next);
    changeOptions(std::move(next), text);
}

void Document::setOutputs(std::vector<std::string> outputs)
{
    if (!m_loaded || outputs == m_options.outputs) {
        return;
    }
    auto next = m_options;
    const QString text = outputs.empty() ? tr("Outputs of the model") : tr("Make it the output");
    next.outputs = std::move(outputs);
    forgetUnusedRenames(*m_loaded->graph, next);
    changeOptions(std::move(next), text);
}

} // namespace crosswalk::ui
