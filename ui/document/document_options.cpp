// How the whole model is converted, and written.

#include "ui/document/document.h"

namespace crosswalk::ui {

void Document::setRecurrent(Strategy strategy)
{
    auto next = m_options;
    next.recurrent = strategy;
    changeOptions(std::move(next), tr("Recurrent layers"));
}

void Document::setOptimized(bool optimized)
{
    auto next = m_options;
    next.optimize = optimized;
    changeOptions(std::move(next), tr("Folding and merging"));
}

void Document::setRerolled(bool rerolled)
{
    auto next = m_options;
    next.reroll = rerolled;
    changeOptions(std::move(next), tr("Rolling up"));
}

} // namespace crosswalk::ui
