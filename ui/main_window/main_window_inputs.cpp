// The effects of editing the inputs: changed nodes downstream, and the first conflict.

#include "ui/document/conversion_marks.h"
#include "ui/main_window/main_window.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"

#include <QLabel>

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

void MainWindow::reportEditedInputs()
{
    const auto before = std::exchange(m_problemsBefore, m_document.problems());
    const auto kind = QStringLiteral("conflict");
    m_banner->clear(kind);
    const auto& converted = m_document.converted();
    if (!converted || converted->typesBefore.empty()) {
        return;
    }
    const auto changed = static_cast<int>(
        changedNodes(*m_document.side(Side::Source)->graph, converted->conversion, converted->typesBefore).size());
    m_message->setText(
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
        m_document.selectNode(Side::Source, node);
        revealSelection();
    };
    QString given;
    if (const auto& shapes = converted->options.shapes; shapes.size() == 1) {
        given = tr(" The shape of %1 was set to %2.")
                    .arg(fromUtf8(shapes.begin()->first), shapeText(shapes.begin()->second));
    }
    m_banner->show(kind, Severity::Error,
                   tr("The shapes do not fit at %1: %2.").arg(fromUtf8(conflict->node), fromUtf8(conflict->message)) +
                       given,
                   tr("Undo"), [this] { m_document.undoStack()->undo(); });
    go();
}

} // namespace crosswalk::ui
