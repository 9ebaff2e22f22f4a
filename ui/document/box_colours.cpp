#include "ui/document/box_colours.h"

#include "ui/document/document.h"
#include "ui/document/error_marks.h"

#include <utility>

namespace crosswalk::ui {

BoxColours::BoxColours(Document& document)
    : QObject(&document)
    , m_document(document)
    , m_job(tr("Colouring the graphs"), this)
{
}

void BoxColours::takeCheck()
{
    const NodeCheck& check = *m_document.verifier().check();
    const ConvertedModel& converted = *m_document.converted();
    for (const auto side : {Side::Source, Side::Target}) {
        const auto& graphSide = side == Side::Source ? *converted.source.side : *converted.target.side;
        SceneMarks errors = errorMarks(side, graphSide, converted.conversion, check);
        SceneMarks checked = m_document.marks(side) ? *m_document.marks(side) : SceneMarks();
        checked.errors = errors.errors;
        errors.badges = checked.badges; // gap badges remain valid
        m_errorMarks[static_cast<std::size_t>(side)] = std::make_shared<const SceneMarks>(std::move(errors));
        m_checkedMarks[static_cast<std::size_t>(side)] = std::make_shared<const SceneMarks>(std::move(checked));
    }
    if (!check.outputs.equal()) {
        m_colouring = Colouring::Error;
    }
}

void BoxColours::forgetMarks()
{
    m_job.cancel();
    m_errorMarks = {};
    m_checkedMarks = {};
    m_coloured = {};
    if (m_colouring == Colouring::Error) {
        m_colouring = Colouring::Category;
    }
}

void BoxColours::forget()
{
    forgetMarks();
    if (!m_document.converted() || m_document.converted()->diff || m_colouring == Colouring::Latency) {
        m_colouring = Colouring::Category;
    }
}

const std::shared_ptr<const SceneMarks>& BoxColours::plainMarks(Side side) const
{
    const auto& checked = m_checkedMarks[static_cast<std::size_t>(side)];
    return checked ? checked : m_document.marks(side);
}

const std::shared_ptr<const SceneMarks>& BoxColours::marks(Side side) const
{
    const auto& coloured = m_coloured.marks[static_cast<std::size_t>(side)];
    return coloured ? coloured : plainMarks(side);
}

void BoxColours::setColouring(Colouring colouring)
{
    const bool isConverted = m_document.converted() && !m_document.converted()->diff;
    const bool isPossible = colouring == Colouring::Category ||
                            (isConverted && (colouring != Colouring::Error || m_document.verifier().check()));
    if (!isPossible || colouring == m_colouring) {
        return;
    }
    if (colouring == Colouring::Latency && !m_document.verifier().latencies()) {
        m_document.verifier().measureLatency();
        return;
    }
    m_colouring = colouring;
    recolour();
}

ColouringInput BoxColours::input() const
{
    ColouringInput given;
    given.source = m_document.side(Side::Source);
    given.target = m_document.side(Side::Target);
    for (const auto side : {Side::Source, Side::Target}) {
        given.marks[static_cast<std::size_t>(side)] = plainMarks(side);
    }
    if (m_document.converted() && !m_document.converted()->diff) {
        given.conversion = &m_document.converted()->conversion;
        given.layers = m_document.converted()->layers.get();
    }
    given.latencies = m_document.verifier().latencies().get();
    return given;
}

void BoxColours::recolour()
{
    m_job.cancel();
    if (m_colouring == Colouring::Category || m_colouring == Colouring::Error) {
        m_coloured = m_colouring == Colouring::Error ? colouredByError(m_errorMarks) : ColouredSides();
        emit changed();
        return;
    }
    m_job.run(
        this,
        [colouring = m_colouring, input = this->input(), model = m_document.converted(),
         latencies = m_document.verifier().latencies()](const std::stop_token&) {
            return colouredBy(colouring, input);
        },
        [this](ColouredSides coloured) {
            m_coloured = std::move(coloured);
            emit changed();
        });
}

std::vector<ColourEntry> BoxColours::legend() const
{
    if (m_colouring != Colouring::Category) {
        return m_coloured.colouring == m_colouring ? m_coloured.legend : std::vector<ColourEntry>();
    }
    return m_document.side(Side::Source) ? colouredBy(Colouring::Category, input()).legend : std::vector<ColourEntry>();
}

} // namespace crosswalk::ui
