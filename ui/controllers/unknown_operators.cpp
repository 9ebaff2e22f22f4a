#include "ui/controllers/unknown_operators.h"

#include "core/convert/source_names.h"
#include "core/convert/unknown_operator.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/main_window/custom_operator_dialog.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/properties_panel.h"

#include <QMainWindow>

#include <unordered_map>

namespace crosswalk::ui {
namespace {

/// The node whose operator a problem reports as unsupported; null for any other problem.
const Node* unknownNode(const Graph& source, const Diagnostic& problem)
{
    const Graph* graph =
        problem.code == Code("unsupported-operator") && problem.nodeIndex ? graphAt(source, problem.path) : nullptr;
    return graph != nullptr ? &graph->node(NodeId{problem.path.empty() ? *problem.nodeIndex : problem.indexInBody})
                            : nullptr;
}

} // namespace

UnknownOperators::UnknownOperators(const WindowParts& parts, DockController& docks)
    : Controller(parts)
{
    m_commands
        .add("modelMapOperator", tr("Map to a &custom operator\u2026"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_M),
             nullptr, [this] { ask(selectedOperator()); })
        .enabledIf(
            [this] { return m_document.isOpen() && m_document.compared() == nullptr && !selectedOperator().empty(); });
    const auto askAbout = [this](const Diagnostic& problem) {
        const auto& source = m_document.side(Side::Source);
        if (const Node* node = source ? unknownNode(*source->graph, problem) : nullptr) {
            ask(operatorType(*node));
        }
    };
    const auto cut = [this] {
        m_commands.refresh();
        m_commands["modelCutHere"]->trigger();
    };
    connect(&docks.properties(), &PropertiesPanel::customOperatorAsked, this, askAbout);
    connect(&docks.problems(), &ProblemsPanel::customOperatorAsked, this, askAbout);
    connect(&docks.properties(), &PropertiesPanel::cutAsked, this, cut);
    connect(&docks.problems(), &ProblemsPanel::cutAsked, this, cut);
}

std::string UnknownOperators::selectedOperator() const
{
    const auto& source = m_document.side(Side::Source);
    const auto nodes = source ? m_document.selection().sourceNodes() : std::vector<NodeId>();
    if (nodes.empty()) {
        return {};
    }
    std::unordered_map<std::uint32_t, const Node*> unknown; // by node, the first in its bodies
    for (const Diagnostic& problem : m_document.problems()) {
        if (const Node* node = unknownNode(*source->graph, problem)) {
            unknown.try_emplace(*problem.nodeIndex, node);
        }
    }
    for (const NodeId node : nodes) {
        if (const auto& op = operatorType(source->graph->node(node));
            m_document.options().customOperators.contains(op)) {
            return op;
        }
        if (const auto found = unknown.find(node.index); found != unknown.end()) {
            return operatorType(*found->second);
        }
    }
    return {};
}

void UnknownOperators::ask(const std::string& op)
{
    const auto& known = m_document.options().customOperators;
    const auto own = known.find(op);
    auto* dialog = new CustomOperatorDialog(op, own != known.end() ? &own->second : nullptr,
                                            known.empty() ? std::string() : known.begin()->second.domain, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, op] { m_document.setCustomOperator(op, dialog->customOperator()); });
    dialog->open();
}

} // namespace crosswalk::ui
