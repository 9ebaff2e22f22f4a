#include "core/collection/run_progress.h"

namespace crosswalk {

void RunProgress::add(const ModelOutcome& outcome, bool reused)
{
    ++m_finished;
    m_reused += reused ? 1 : 0;
    m_converted += outcome.outcome == Outcome::Converted ? 1 : 0;
}

std::optional<double> RunProgress::secondsLeft(double elapsed) const
{
    const std::size_t measured = m_finished - m_reused;
    if (measured == 0 || isDone()) {
        return std::nullopt;
    }
    return elapsed / static_cast<double>(measured) * static_cast<double>(m_models - m_finished);
}

} // namespace crosswalk
