#include "ui/controllers/conversion_reports.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/document/conversion_marks.h"
#include "ui/models/problems_model.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

namespace {

const QString cancelledBanner = QStringLiteral("cancelled");

} // namespace

ConversionReports::ConversionReports(const WindowParts& parts, GraphPanes& panes, DockController& docks)
    : Controller(parts)
    , m_panes(panes)
    , m_docks(docks)
{
    connect(&m_document, &Document::conversionChanged, this, [this] {
        m_messages.banner().clear(cancelledBanner);
        reportUnknownShapes();
        reportMissingWeights();
        reportEditedInputs();
    });
    connect(&m_document, &Document::conversionFailed, this, &ConversionReports::reportFailed);
    connect(&m_document, &Document::optionsDropped, this, &ConversionReports::reportDropped);
    connect(&m_document, &Document::conversionCancelled, this, &ConversionReports::reportCancelled);
}

void ConversionReports::reportUnknownShapes()
{
    const auto& problems = m_document.problems();
    const auto open =
        std::ranges::find_if(problems, [](const Diagnostic& d) { return d.code == Code("unknown-shape"); });
    if (open == problems.end()) {
        m_messages.banner().clear(QStringLiteral("shapes"));
        return;
    }
    m_messages.banner().show(
        QStringLiteral("shapes"), Severity::Warning,
        open->node.empty()
            ? problemSentence(*open) + u'.'
            : tr("The file does not contain the shapes of all inputs: nodes that depend on them are not converted."),
        tr("Give shapes\u2026"), [this] { m_docks.askShapes(); });
}

void ConversionReports::reportMissingWeights()
{
    const auto& problems = m_document.problems();
    // Weights that fitted until the user set a shape are not the cause.
    const bool given = !m_document.options().shapes.empty();
    const auto found = std::find_if(problems.begin(), problems.end(), [given](const Diagnostic& d) {
        return d.code == Code("missing-weight") || (d.code == Code("wrong-weight") && !given);
    });
    if (found == problems.end()) {
        m_messages.banner().clear(QStringLiteral("weights"));
        return;
    }
    // The tool tip in the problems panel has the complete list.
    QString text = shortSentence(*found);
    text += text.endsWith(QChar(0x2026)) ? QString() : QStringLiteral(".");
    m_messages.banner().show(QStringLiteral("weights"), Severity::Warning, text, tr("Choose\u2026"),
                             [this] { m_commands["fileWeights"]->trigger(); });
}

void ConversionReports::reportEditedInputs()
{
    const auto before = std::exchange(m_problemsBefore, m_document.problems());
    const auto kind = QStringLiteral("conflict");
    m_messages.banner().clear(kind);
    const auto& converted = m_document.converted();
    if (!converted || converted->typesBefore.empty()) {
        return;
    }
    const auto changed = static_cast<int>(
        changedNodes(*m_document.side(Side::Source)->graph, converted->conversion, converted->typesBefore).size());
    m_messages.show(
        counted(changed, tr("The shape of 1 node changed"), tr("The shapes of %Ln nodes changed", nullptr, changed)));
    // The first new error shows where the new shapes do not fit; the rest are its consequences.
    const auto& problems = m_document.problems();
    const auto conflict = std::find_if(problems.begin(), problems.end(), [&](const Diagnostic& d) {
        return d.severity == Severity::Error && d.nodeIndex &&
               std::find(before.begin(), before.end(), d) == before.end();
    });
    if (conflict == problems.end()) {
        return;
    }
    const NodeId node{*conflict->nodeIndex};
    const auto go = [this, node] {
        m_document.selection().selectNode(Side::Source, node);
        m_panes.revealSelection();
    };
    QString given;
    if (const auto& shapes = converted->options.shapes; shapes.size() == 1) {
        given = tr(" The shape of %1 was set to %2.")
                    .arg(displayText(shapes.begin()->first), shapeText(shapes.begin()->second));
    }
    m_messages.banner().show(
        kind, Severity::Error,
        tr("The shapes do not fit at %1: %2.").arg(displayText(conflict->node), messageText(conflict->message)) + given,
        tr("Undo"), [this] { m_document.undoStack()->undo(); });
    go();
}

void ConversionReports::reportCancelled()
{
    if (!m_document.isOpen()) {
        return;
    }
    m_messages.banner().show(cancelledBanner, Severity::Note, tr("Conversion cancelled."), tr("Convert again"), [this] {
        m_messages.banner().clear(cancelledBanner);
        m_document.convertAgain();
    });
}

void ConversionReports::reportDropped(const std::set<std::string>& names)
{
    constexpr qsizetype maxNames = 5;
    QStringList listed;
    for (const std::string& name : names) {
        listed.append(displayText(name));
    }
    if (listed.size() > maxNames) {
        listed = listed.first(maxNames) << QStringLiteral("\u2026");
    }
    m_messages.banner().show(
        QStringLiteral("dropped"), Severity::Note,
        tr("The model no longer has these inputs, outputs or nodes; their options were removed: %1.")
            .arg(listed.join(QStringLiteral(", "))));
}

void ConversionReports::reportFailed(const Diagnostic& problem)
{
    const QString text =
        withHint(tr("The model could not be converted: %1.").arg(messageText(problem.message)), problem);
    if (m_document.undoStack()->canUndo()) {
        m_messages.banner().show(editBanner, Severity::Error, text, tr("Undo"),
                                 [this] { m_document.undoStack()->undo(); });
    } else {
        m_messages.banner().show(editBanner, Severity::Error, text);
    }
}

} // namespace crosswalk::ui
