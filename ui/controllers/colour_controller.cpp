#include "ui/controllers/colour_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/controllers/node_filter.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/colour_legend.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>

namespace crosswalk::ui {

namespace {

/// In the order of `colourings`.
constexpr std::array colourActions = {"colourCategory", "colourParameters", "colourBytes", "colourWork",
                                      "colourType",     "colourVerdict",    "viewErrors",  "colourLatency"};

} // namespace

ColourController::ColourController(const WindowParts& parts, GraphPanes& panes, NodeFilter& filter)
    : Controller(parts)
    , m_panes(panes)
    , m_filter(filter)
    , m_menu(new QMenu(tr("&Colour by"), &m_window))
{
    m_menu->setObjectName(QStringLiteral("colourMenu"));
    addColourings();
    addLegend();
    connect(&m_document.colours(), &BoxColours::changed, this, &ColourController::showLegend);
    connect(&m_document, &Document::conversionChanged, this, &ColourController::showLegend);
    connect(&m_document.verifier(), &Verifier::latencyMeasured, this, &ColourController::reportLatency);
    connect(&m_filter, &NodeFilter::changed, this, &ColourController::showLegend);
    connect(&m_panes, &GraphPanes::shownPanesChanged, this, &ColourController::showLegend);
}

void ColourController::addColourings()
{
    auto* group = new QActionGroup(this);
    group->setExclusive(true);
    for (std::size_t i = 0; i < colourings.size(); ++i) {
        const Colouring colouring = colourings[i];
        const auto key = colouring == Colouring::Error
                             ? QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)
                             : QKeySequence(Qt::CTRL | Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)));
        auto* action =
            m_commands
                .add(colourActions[i], colourByText(colouring), key, nullptr, [this, colouring] { choose(colouring); })
                .enabledIf([this, colouring] { return isPossible(colouring); })
                .checkedIf([this, colouring] { return m_document.colours().colouring() == colouring; })
                .action();
        group->addAction(action);
        m_menu->addAction(action);
    }
}

void ColourController::addLegend()
{
    auto* legend = m_commands
                       .add("viewLegend", tr("Le&gend of the colours"), QKeySequence(Qt::Key_L), nullptr,
                            [this] { toggleLegend(); })
                       .enabledIf([this] { return m_document.isOpen(); })
                       .checkedIf([this] {
                           return m_categoriesExplained || m_document.colours().colouring() != Colouring::Category;
                       })
                       .limitedTo(*m_panes.widget())
                       .action();
    for (const auto side : {Side::Source, Side::Target}) {
        auto* shown = new ColourLegend(m_panes.canvas(side));
        connect(shown, &ColourLegend::chosen, &m_filter, &NodeFilter::toggleColour);
        connect(shown, &ColourLegend::closed, legend, &QAction::trigger);
        m_legends[static_cast<std::size_t>(side)] = shown;
    }
}

bool ColourController::isPossible(Colouring colouring) const
{
    const bool isConverted = m_document.converted() != nullptr && m_document.compared() == nullptr;
    switch (colouring) {
    case Colouring::Category:
        return m_document.isOpen();
    case Colouring::Error:
        return m_document.verifier().check() != nullptr;
    case Colouring::Latency:
        return isConverted && m_document.exporter().isRunnable();
    default:
        return isConverted;
    }
}

void ColourController::choose(Colouring colouring)
{
    // The key of the errors switches them off as well.
    const bool isOff = colouring == Colouring::Error && m_document.colours().areErrors();
    m_document.colours().setColouring(isOff ? Colouring::Category : colouring);
    m_commands.refresh();
}

void ColourController::toggleLegend()
{
    m_categoriesExplained = !m_categoriesExplained;
    if (m_document.colours().colouring() != Colouring::Category) {
        m_categoriesExplained = false;
        m_document.colours().setColouring(Colouring::Category);
    }
    showLegend();
    m_commands.refresh();
}

void ColourController::showLegend()
{
    const bool isShown = m_document.isOpen() && m_document.compared() == nullptr &&
                         (m_categoriesExplained || m_document.colours().colouring() != Colouring::Category);
    const auto entries = isShown ? m_document.colours().legend() : std::vector<ColourEntry>();
    const bool isAtSource = m_panes.isShown(Side::Source);
    for (std::size_t side = 0; side < m_legends.size(); ++side) {
        auto* legend = m_legends[side];
        legend->setEntries(colouringName(m_document.colours().colouring()),
                           (side == 0) == isAtSource ? entries : std::vector<ColourEntry>());
        legend->setChosen(m_filter.colour());
    }
}

void ColourController::reportLatency(const Result<LatencyReport>& result)
{
    m_commands.refresh();
    if (!result) {
        if (result.problem().code == Code("no-runtime")) {
            emit runtimeMissing(result.problem());
        } else if (result.problem().code != Code("cancelled")) {
            m_messages.banner().show(
                QStringLiteral("latency"), Severity::Error,
                tr("The latency was not measured: %1.").arg(messageText(result.problem().message)));
        }
        return;
    }
    const LatencyReport& report = result.value();
    m_messages.banner().clear(QStringLiteral("latency"));
    const auto runs = static_cast<int>(report.runs);
    const QString inputs = !report.isRandom       ? tr("recorded inputs")
                           : report.sizes.empty() ? tr("random inputs")
                                                  : tr("random inputs, %1").arg([&report] {
                                                        QStringList sizes;
                                                        for (const auto& size : report.sizes) {
                                                            sizes.append(displayText(size));
                                                        }
                                                        return sizes.join(QStringLiteral(", "));
                                                    }());
    m_messages.show(tr("%1 per run, the mean of %Ln runs of ONNX Runtime %2 without optimizations, %3", nullptr, runs)
                        .arg(secondsText(report.total), displayText(report.runtimeVersion), inputs));
}

} // namespace crosswalk::ui
