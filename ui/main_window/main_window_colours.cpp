// What the colours of boxes represent, and their legend.

#include "ui/main_window/main_window.h"
#include "ui/main_window/pane_switch.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/colour_legend.h"
#include "ui/panels/graph_pane.h"

#include <QActionGroup>
#include <QLabel>
#include <QMenu>

#include <tuple>

namespace crosswalk::ui {
namespace {

constexpr int firstColourEntry = 1000; ///< entries of a filter by colour start here

/// In the order of `colourings`.
constexpr std::array colourActions = {"colourCategory", "colourParameters", "colourBytes", "colourWork",
                                      "colourType",     "colourVerdict",    "viewErrors",  "colourLatency"};

} // namespace

void MainWindow::buildColourActions(QMenu& view)
{
    auto* menu = view.addMenu(tr("&Colour by"));
    menu->setObjectName(QStringLiteral("colourMenu"));
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < colourings.size(); ++i) {
        const Colouring colouring = colourings[i];
        const auto key = colouring == Colouring::Error
                             ? QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)
                             : QKeySequence(Qt::CTRL | Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)));
        auto* action = addCommand(colourActions[i], colourByText(colouring), key, nullptr, [this, colouring] {
            // The key of the errors switches them off as well.
            const bool isOff = colouring == Colouring::Error && m_document.errorsShown();
            m_document.setColouring(isOff ? Colouring::Category : colouring);
            refreshColourActions();
        });
        action->setCheckable(true);
        group->addAction(action);
        menu->addAction(action);
    }
    auto* legend = addCommand("viewLegend", tr("Le&gend of the colours"), QKeySequence(Qt::Key_L), nullptr, [this] {
        m_categoriesExplained = !m_categoriesExplained;
        if (m_document.colouring() != Colouring::Category) {
            m_categoriesExplained = false;
            m_document.setColouring(Colouring::Category);
        }
        showColourLegend();
        refreshColourActions();
    });
    legend->setCheckable(true);
    limitToGraphs(legend);
    view.addAction(legend);
    for (const auto side : {Side::Source, Side::Target}) {
        auto* shown = new ColourLegend(canvas(side));
        connect(shown, &ColourLegend::chosen, this, &MainWindow::toggleColourFilter);
        connect(shown, &ColourLegend::closed, m_actions[QStringLiteral("viewLegend")], &QAction::trigger);
        m_colourLegends[static_cast<std::size_t>(side)] = shown;
    }
}

void MainWindow::refreshColourActions()
{
    const bool isConverted = m_document.converted() != nullptr && m_document.compared() == nullptr;
    for (std::size_t i = 0; i < colourings.size(); ++i) {
        auto* action = m_actions[QLatin1String(colourActions[i])];
        const bool isPossible = colourings[i] == Colouring::Category ? m_document.isOpen()
                                : colourings[i] == Colouring::Error  ? m_document.check() != nullptr
                                : colourings[i] == Colouring::Latency
                                    ? isConverted && m_document.exportObstacle().isEmpty() && m_document.gapCount() == 0
                                    : isConverted;
        action->setEnabled(isPossible);
        action->setChecked(colourings[i] == m_document.colouring());
    }
    auto* legend = m_actions[QStringLiteral("viewLegend")];
    legend->setEnabled(m_document.isOpen());
    legend->setChecked(m_categoriesExplained || m_document.colouring() != Colouring::Category);
}

void MainWindow::showColourLegend()
{
    const bool isShown = m_document.isOpen() && m_document.compared() == nullptr &&
                         (m_categoriesExplained || m_document.colouring() != Colouring::Category);
    const auto entries = isShown ? m_document.colourLegend() : std::vector<ColourEntry>();
    const bool isAtSource = m_paneSwitch->isShown(*m_sourcePane);
    for (std::size_t side = 0; side < m_colourLegends.size(); ++side) {
        auto* legend = m_colourLegends[side];
        if (legend == nullptr) {
            return; // not built yet
        }
        legend->setEntries(colouringName(m_document.colouring()),
                           (side == 0) == isAtSource ? entries : std::vector<ColourEntry>());
        legend->setChosen(m_filter && m_filter->entry >= firstColourEntry
                              ? std::optional(static_cast<ColourNumber>(m_filter->entry - firstColourEntry))
                              : std::nullopt);
    }
}

void MainWindow::toggleColourFilter(ColourNumber colour)
{
    const int entry = firstColourEntry + colour;
    if (m_filter && m_filter->entry == entry) {
        m_document.select(m_document.selectedSide(), {}); // this also ends the filter
        return;
    }
    LegendFilter filter{entry, {}};
    for (const auto side : {Side::Source, Side::Target}) {
        const auto& graphSide = m_document.side(side);
        const auto& marks = m_document.shownMarks(side);
        for (std::uint32_t i = 0; graphSide && marks && i < graphSide->scene->nodes.size(); ++i) {
            if (colourOfBox(*graphSide, *marks, i) == colour) {
                filter.boxes[static_cast<std::size_t>(side)].push_back(i);
            }
        }
    }
    m_filter.reset();
    const Side side = filter.boxes[0].empty() ? Side::Target : Side::Source;
    m_document.select(side, filter.boxes[static_cast<std::size_t>(side)]);
    m_filter = std::move(filter);
    showFilter();
}

void MainWindow::reportLatency(const Result<LatencyReport>& result)
{
    refreshColourActions();
    if (!result) {
        if (result.problem().code == Code("no-runtime")) {
            explainRuntime(result.problem());
        } else if (result.problem().code != Code("cancelled")) {
            m_banner->show(QStringLiteral("latency"), Severity::Error,
                           tr("The latency was not measured: %1.").arg(fromUtf8(result.problem().message)));
        }
        return;
    }
    const LatencyReport& report = result.value();
    m_banner->clear(QStringLiteral("latency"));
    const auto runs = static_cast<int>(report.runs);
    const QString inputs = !report.isRandom       ? tr("recorded inputs")
                           : report.sizes.empty() ? tr("random inputs")
                                                  : tr("random inputs, %1").arg([&report] {
                                                        QStringList sizes;
                                                        for (const auto& size : report.sizes) {
                                                            sizes.append(fromUtf8(size));
                                                        }
                                                        return sizes.join(QStringLiteral(", "));
                                                    }());
    m_message->setText(
        tr("%1 per run, the mean of %Ln runs of ONNX Runtime %2 without optimizations, %3", nullptr, runs)
            .arg(secondsText(report.total), fromUtf8(report.runtimeVersion), inputs));
}

} // namespace crosswalk::ui
