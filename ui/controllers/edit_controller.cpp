#include "ui/controllers/edit_controller.h"

#include "core/convert/model_part.h"
#include "core/convert/select_outputs.h"
#include "core/convert/unknown_operator.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/menu_text.h"
#include "ui/controllers/messages.h"
#include "ui/main_window/names_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"

#include <QMainWindow>

#include <algorithm>

namespace crosswalk::ui {

EditController::EditController(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_panes(panes)
{
    addCommands();
    connect(&m_commands, &CommandSet::refreshed, this, &EditController::refreshUndoTexts);
    connect(&m_document, &Document::conversionChanged, this, [this] { m_messages.banner().clear(editBanner); });
}

void EditController::addCommands()
{
    const auto isOnnx = [this] { return isEditable() && m_document.isOnnx(); };
    m_commands.add("editUndo", tr("&Undo"), QKeySequence::Undo, "undo", [this] { m_document.undoStack()->undo(); })
        .enabledIf([this] { return m_document.undoStack()->canUndo() && m_document.compared() == nullptr; });
    m_commands
        .add("editRedo", tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), "redo",
             [this] { m_document.undoStack()->redo(); })
        .enabledIf([this] { return m_document.undoStack()->canRedo() && m_document.compared() == nullptr; });
    m_commands
        .add("modelNames", tr("&Rename inputs and outputs\u2026"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
             nullptr, [this] { askNames(); })
        .enabledIf([this] { return isEditable(); });
    m_commands
        .add("modelMakeOutput", tr("Make this the &output"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_O),
             nullptr, [this] { makeSelectionOutput(); })
        .enabledIf(
            [this] { return isEditable() && m_panes.frontPage() == nullptr && !m_document.selection().isEmpty(); });
    m_commands
        .add("modelCutHere", tr("Cut the model &here"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_X),
             nullptr, [this] { cutHere(); })
        .enabledIf([this] {
            return isEditable() && m_panes.frontPage() == nullptr && !m_document.selection().sourceNodes().empty();
        });
    m_commands
        .add("modelOwnOutputs", tr("Restore the outputs of the &model"),
             QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_M), nullptr, [this] { m_document.setOutputs({}); })
        .enabledIf([this] { return isEditable() && !m_document.options().outputs.empty(); });
    m_commands
        .add("modelCutOut", tr("Extract the selected s&ubgraph"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X),
             nullptr, [this] { extractSelection(); })
        .enabledIf(
            [this, isOnnx] { return isOnnx() && m_panes.frontPage() == nullptr && !m_document.selection().isEmpty(); });
    m_commands
        .add("modelKeepWhole", tr("&Keep the whole model"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_X), nullptr,
             [this] { m_document.setPart(std::nullopt); })
        .enabledIf([this, isOnnx] { return isOnnx() && m_document.options().part.has_value(); });
}

void EditController::refreshUndoTexts()
{
    const auto* undo = m_document.undoStack();
    m_commands["editUndo"]->setText(tr("&Undo %1").arg(menuText(undo->undoText())).trimmed());
    m_commands["editRedo"]->setText(tr("&Redo %1").arg(menuText(undo->redoText())).trimmed());
}

void EditController::askNames()
{
    auto* dialog =
        new NamesDialog(m_document.portNames(), m_document.options(), *m_document.loaded()->graph, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { m_document.setRenames(dialog->renames()); });
    dialog->open();
}

void EditController::makeSelectionOutput()
{
    const Graph& graph = *m_document.side(Side::Source)->graph;
    std::vector<std::string> outputs;
    for (const NodeId node : m_document.selection().sourceNodes()) {
        for (const ValueId output : graph.node(node).outputs) {
            if (output) {
                outputs.push_back(graph.value(output).name);
            }
        }
    }
    if (!outputs.empty()) {
        m_messages.banner().clear(editBanner);
        m_document.setOutputs(std::move(outputs));
    }
}

void EditController::cutHere()
{
    const Graph& whole = *m_document.side(Side::Source)->graph;
    const auto& before = m_document.options().outputs;
    std::vector<std::string> outputs;
    try { // continues from an earlier cut
        const Graph graph = before.empty() ? whole : withOutputs(whole, before);
        const auto values = outputsWithout(graph, m_document.selection().sourceNodes());
        std::ranges::transform(values, std::back_inserter(outputs),
                               [&](ValueId output) { return graph.value(output).name; });
    } catch (const ModelError&) {
        // The conversion reports outputs that the model does not have.
    }
    if (outputs.empty()) {
        m_messages.banner().show(editBanner, Severity::Warning,
                                 tr("Nothing remains in front of the selection: it reads only inputs and weights."));
        return;
    }
    m_messages.banner().clear(editBanner);
    const int count = static_cast<int>(outputs.size());
    const QString text = counted(count, tr("Cut: the model now ends at %1").arg(displayText(outputs.front())),
                                 tr("Cut: the model now has %Ln outputs", nullptr, count));
    m_document.setOutputs(std::move(outputs));
    showWhenConverted(text);
}

void EditController::extractSelection()
{
    const std::vector<NodeId> nodes = m_document.selection().sourceNodes();
    auto part = partOf(*m_document.side(Side::Source)->graph, nodes);
    if (!part) {
        m_messages.banner().show(editBanner, Severity::Warning,
                                 tr("The selection cannot be a model: it has no inputs or no outputs."));
        return;
    }
    m_messages.banner().clear(editBanner);
    const int inputs = static_cast<int>(part->from.size());
    const int outputs = static_cast<int>(part->to.size());
    m_document.setPart(std::move(part));
    showWhenConverted(
        counted(inputs, tr("Extracted a part with 1 input"), tr("Extracted a part with %Ln inputs", nullptr, inputs)) +
        counted(outputs, tr(" and 1 output"), tr(" and %Ln outputs", nullptr, outputs)));
}

void EditController::showWhenConverted(const QString& text)
{
    if (m_document.isConverting()) {
        m_messages.showWhenConverted(text);
    } else { // the edit changes nothing
        m_messages.show(text);
    }
}

} // namespace crosswalk::ui
