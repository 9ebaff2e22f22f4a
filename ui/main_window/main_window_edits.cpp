// Edits other than shapes: names of inputs and outputs, and extracting a part of an ONNX source.

#include "core/convert/model_part.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/names_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/graph_pane.h"

#include <QLabel>
#include <QMenu>

namespace crosswalk::ui {
namespace {

const QString editBanner = QStringLiteral("edit");

} // namespace

void MainWindow::buildEditActions(QMenu& model)
{
    model.addAction(addCommand("modelNames", tr("&Rename inputs and outputs\u2026"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N), nullptr, [this] { askNames(); }));
    model.addAction(addCommand("modelMakeOutput", tr("Make this the &output"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_O), nullptr,
                               [this] { makeSelectionOutput(); }));
    model.addAction(addCommand("modelOwnOutputs", tr("Restore the outputs of the &model"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_M), nullptr,
                               [this] { m_document.setOutputs({}); }));
    model.addAction(addCommand("modelCutOut", tr("Extract the selected s&ubgraph"),
                               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X), nullptr, [this] { cutOutSelection(); }));
    model.addAction(addCommand("modelKeepWhole", tr("&Keep the whole model"),
                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_X), nullptr,
                               [this] { m_document.setPart(std::nullopt); }));
    model.addSeparator();
}

void MainWindow::refreshEditActions()
{
    const bool isEditable = m_document.isOpen() && m_document.compared() == nullptr;
    const bool isOnnx = isEditable && m_document.loaded()->graph->format == "onnx";
    const auto enable = [this](const char* name, bool enabled) { m_actions[QLatin1String(name)]->setEnabled(enabled); };
    enable("modelNames", isEditable);
    const bool isInBody = pane(m_activeSide)->frontPage() != nullptr;
    enable("modelMakeOutput", isEditable && !isInBody && !m_document.selection().empty());
    enable("modelOwnOutputs", isEditable && !m_document.options().outputs.empty());
    enable("modelCutOut", isOnnx && !m_document.selection().empty());
    enable("modelKeepWhole", isOnnx && m_document.options().part.has_value());
}

void MainWindow::askNames()
{
    auto* dialog = new NamesDialog(m_document.portNames(), m_document.options(), *m_document.loaded()->graph, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { m_document.setRenames(dialog->renames()); });
    dialog->open();
}

std::vector<NodeId> MainWindow::selectedSourceNodes() const
{
    // Nodes on the right represent the source nodes that they were converted from.
    const bool isSource = m_document.selectedSide() == Side::Source;
    const auto& side = m_document.side(Side::Source);
    std::vector<NodeId> nodes;
    for (const std::uint32_t box : isSource ? m_document.selection() : m_document.counterpartsOfSelection()) {
        if (side->box(box).kind == SceneNode::Kind::Operator) {
            nodes.push_back(side->box(box).node);
        }
    }
    return nodes;
}

void MainWindow::makeSelectionOutput()
{
    const Graph& graph = *m_document.side(Side::Source)->graph;
    std::vector<std::string> outputs;
    for (const NodeId node : selectedSourceNodes()) {
        for (const ValueId output : graph.node(node).outputs) {
            if (output) {
                outputs.push_back(graph.value(output).name);
            }
        }
    }
    if (!outputs.empty()) {
        m_banner->clear(editBanner);
        m_document.setOutputs(std::move(outputs));
    }
}

void MainWindow::cutOutSelection()
{
    const std::vector<NodeId> nodes = selectedSourceNodes();
    auto part = partOf(*m_document.side(Side::Source)->graph, nodes);
    if (!part) {
        m_banner->show(editBanner, Severity::Warning,
                       tr("The selection cannot be a model: it has no inputs or no outputs."));
        return;
    }
    m_banner->clear(editBanner);
    const int inputs = static_cast<int>(part->from.size());
    const int outputs = static_cast<int>(part->to.size());
    m_pendingMessage =
        counted(inputs, tr("Extracted a part with 1 input"), tr("Extracted a part with %Ln inputs", nullptr, inputs)) +
        counted(outputs, tr(" and 1 output"), tr(" and %Ln outputs", nullptr, outputs));
    m_document.setPart(std::move(part));
}

void MainWindow::reportConversionFailed(const Diagnostic& problem)
{
    m_pendingMessage.clear();
    m_message->clear();
    QString text = tr("The model could not be converted: %1.").arg(fromUtf8(problem.message));
    if (!problem.hint.empty()) {
        text += u' ' + capitalised(fromUtf8(problem.hint)) + u'.';
    }
    if (m_document.undoStack()->canUndo()) {
        m_banner->show(editBanner, Severity::Error, text, tr("Undo"), [this] { m_document.undoStack()->undo(); });
    } else {
        m_banner->show(editBanner, Severity::Error, text);
    }
}

} // namespace crosswalk::ui
