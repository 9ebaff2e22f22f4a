// Results of verification, and the colours of both sides.

#include "ui/document/document.h"
#include "ui/document/error_marks.h"

namespace crosswalk::ui {

void Document::takeCheck(const std::shared_ptr<const ConvertedModel>& of, const Result<NodeCheck>& check)
{
    if (!check || of != m_converted) {
        return;
    }
    m_check = std::make_shared<const NodeCheck>(check.value());
    for (const auto side : {Side::Source, Side::Target}) {
        const auto& graphSide = side == Side::Source ? *of->source.side : *of->target.side;
        SceneMarks errors = errorMarks(side, graphSide, of->conversion, *m_check);
        SceneMarks checked = marks(side) ? *marks(side) : SceneMarks();
        checked.errors = errors.errors;
        errors.badges = checked.badges; // gap badges remain valid
        m_errorMarks[static_cast<std::size_t>(side)] = std::make_shared<const SceneMarks>(std::move(errors));
        m_checkedMarks[static_cast<std::size_t>(side)] = std::make_shared<const SceneMarks>(std::move(checked));
    }
    if (!m_check->outputs.equal()) {
        m_colouring = Colouring::Error;
    }
    rebuildProblems();
    recolour();
}

void Document::forgetCheck()
{
    m_verifying.cancel();
    m_check.reset();
    m_errorMarks = {};
    m_checkedMarks = {};
    if (m_colouring == Colouring::Error) {
        m_colouring = Colouring::Category;
        m_coloured = {};
    }
}

const std::shared_ptr<const SceneMarks>& Document::plainMarks(Side side) const
{
    const auto& checked = m_checkedMarks[static_cast<std::size_t>(side)];
    return checked ? checked : marks(side);
}

const std::shared_ptr<const SceneMarks>& Document::shownMarks(Side side) const
{
    const auto& coloured = m_coloured.marks[static_cast<std::size_t>(side)];
    return coloured ? coloured : plainMarks(side);
}

void Document::setColouring(Colouring colouring)
{
    const bool isConverted = m_converted && !m_converted->diff;
    const bool isPossible =
        colouring == Colouring::Category || (isConverted && (colouring != Colouring::Error || m_check));
    if (!isPossible || colouring == m_colouring) {
        return;
    }
    if (colouring == Colouring::Latency && !m_latencies) {
        measureLatency();
        return;
    }
    m_colouring = colouring;
    recolour();
}

ColouringInput Document::colouringInput() const
{
    ColouringInput input;
    input.source = side(Side::Source);
    input.target = side(Side::Target);
    for (const auto side : {Side::Source, Side::Target}) {
        input.marks[static_cast<std::size_t>(side)] = plainMarks(side);
    }
    if (m_converted && !m_converted->diff) {
        input.conversion = &m_converted->conversion;
        input.layers = m_converted->layers.get();
    }
    input.latencies = m_latencies.get();
    return input;
}

void Document::recolour()
{
    m_colouringJob.cancel();
    if (m_colouring == Colouring::Category || m_colouring == Colouring::Error) {
        m_coloured = m_colouring == Colouring::Error ? colouredByError(m_errorMarks) : ColouredSides();
        emit marksChanged();
        return;
    }
    m_colouringJob.run(
        this,
        [colouring = m_colouring, input = colouringInput(), model = m_converted,
         latencies = m_latencies](const std::stop_token&) { return colouredBy(colouring, input); },
        [this](ColouredSides coloured) {
            m_coloured = std::move(coloured);
            emit marksChanged();
        });
}

std::vector<ColourEntry> Document::colourLegend() const
{
    if (m_colouring != Colouring::Category) {
        return m_coloured.colouring == m_colouring ? m_coloured.legend : std::vector<ColourEntry>();
    }
    return side(Side::Source) ? colouredBy(Colouring::Category, colouringInput()).legend : std::vector<ColourEntry>();
}

void Document::measureLatency()
{
    if (!exportObstacle().isEmpty() || gapCount() > 0) {
        return;
    }
    m_verifying.run(
        this,
        [model = m_converted, data = recordedTensors()](std::stop_token stop) {
            return crosswalk::measureLatency(model->conversion.model, data, std::move(stop));
        },
        [this, model = m_converted](const Result<LatencyReport>& result) {
            if (result && model == m_converted) {
                m_latencies = std::make_shared<const LatencyReport>(result.value());
                m_colouring = Colouring::Latency;
                recolour();
            }
            emit latencyMeasured(result);
        });
}

} // namespace crosswalk::ui
