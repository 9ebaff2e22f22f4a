// Results of verification, and how they colour both sides.

#include "ui/document/document.h"
#include "ui/document/error_marks.h"

namespace crosswalk::ui {

void Document::takeCheck(const std::shared_ptr<const ConvertedModel>& of, const Result<NodeCheck>& check)
{
    if (!check || of != m_converted) {
        return;
    }
    m_check = std::make_shared<const NodeCheck>(check.value());
    const auto withErrors = [&](Side side, const GraphSide& graphSide) {
        SceneMarks found = errorMarks(side, graphSide, of->conversion, *m_check);
        if (const auto& known = marks(side)) {
            found.badges = known->badges; // gap badges remain valid
        }
        return std::make_shared<const SceneMarks>(std::move(found));
    };
    m_errorMarks = {withErrors(Side::Source, *of->source.side), withErrors(Side::Target, *of->target.side)};
    m_errorsShown = true;
    rebuildProblems();
    emit marksChanged();
}

void Document::forgetCheck()
{
    m_verifying.cancel();
    m_check.reset();
    m_errorMarks = {};
    m_errorsShown = false;
}

void Document::showErrors(bool shown)
{
    const bool possible = shown && m_check;
    if (possible != m_errorsShown) {
        m_errorsShown = possible;
        emit marksChanged();
    }
}

const std::shared_ptr<const SceneMarks>& Document::shownMarks(Side side) const
{
    return m_errorsShown ? m_errorMarks[side == Side::Source ? 0 : 1] : marks(side);
}

} // namespace crosswalk::ui
