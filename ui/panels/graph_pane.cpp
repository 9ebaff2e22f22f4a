#include "ui/panels/graph_pane.h"

#include "ui/panels/closable_tabs.h"
#include "ui/panels/elided_label.h"

#include <QHBoxLayout>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int paneMargin = 12;
constexpr int paneGap = 8;
constexpr int minGap = 24;   ///< minimum gap between the name and the details
constexpr int minName = 120; ///< minimum width of the name; it is elided before all details are dropped

} // namespace

GraphPane::GraphPane(const QString& objectName, QWidget* parent)
    : QWidget(parent)
    , m_prefix(objectName)
    , m_what(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_details(new QLabel(this))
    , m_tabBar(new ClosableTabs(objectName + QStringLiteral("Tabs"), tr("The graph and bodies of its nodes"), this))
    , m_canvas(new CanvasView(this))
    , m_page(makePage(objectName))
{
    setObjectName(objectName + QStringLiteral("Pane"));
    m_canvas->setObjectName(objectName + QStringLiteral("Canvas"));
    m_canvas->setAccessibleName(tr("Graph"));
    m_what->setObjectName(objectName + QStringLiteral("What"));
    m_name->setObjectName(objectName + QStringLiteral("Name"));
    m_details->setObjectName(objectName + QStringLiteral("Details"));
    QFont bold = m_what->font();
    bold.setWeight(QFont::DemiBold);
    m_what->setFont(bold);
    m_details->setProperty("muted", true);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(paneMargin, 7, paneMargin, 7);
    line->setSpacing(paneGap);
    line->addWidget(m_what);
    line->addWidget(m_name);
    line->addStretch(1);
    line->addWidget(m_details);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_tabBar);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_page, 1);
    m_tabBar->addTab(QString());
    forwardRequests(m_canvas);
    connect(m_tabBar, &QTabBar::currentChanged, this, &GraphPane::showFront);
    connect(m_tabBar, &QTabBar::tabBarClicked, this, [this](int tab) {
        if (tab >= 0) {
            bring(tab, true);
        }
    });
    connect(m_tabBar, &QTabBar::tabCloseRequested, this, &GraphPane::closeTab);
    arrange();
}

SubgraphPage* GraphPane::makePage(const QString& objectName)
{
    auto* page = new SubgraphPage(objectName, this);
    page->hide();
    page->setTypes([this] { return m_bodyTypes ? m_bodyTypes() : KnownTypes(); });
    page->setMarks([this](const GraphSide& body, const GraphPath& path) {
        return m_bodyMarks ? m_bodyMarks(body, path) : nullptr;
    });
    page->setNotes([this](const GraphSide& body, const GraphPath& path, std::uint32_t box) {
        return m_bodyNotes ? m_bodyNotes(body, path, box) : QStringList();
    });
    connect(page, &SubgraphPage::left, this, [this, page](const QString& node) { leave(page, node); });
    connect(page, &SubgraphPage::moved, this, [this, page] {
        showTabTitles();
        if (page == frontPage()) {
            emit frontChanged();
        }
    });
    connect(page, &SubgraphPage::picked, this, [this, page](std::optional<std::uint32_t> box) {
        if (page == frontPage()) {
            emit picked(page, box);
        }
    });
    forwardRequests(page->canvas());
    connect(page->canvas(), &CanvasView::transformChanged, this, &GraphPane::bodyZoomed);
    connect(page, &SubgraphPage::detailsRequested, this, &GraphPane::detailsRequested);
    connect(page, &SubgraphPage::idleChanged, this, &GraphPane::idleChanged);
    connect(page, &SubgraphPage::internalErrorOccurred, this, &GraphPane::internalErrorOccurred);
    return page;
}

void GraphPane::forwardRequests(CanvasView* view)
{
    connect(view, &CanvasView::menuRequested, this,
            [this, view](const QPoint& place) { emit menuRequested(view, place); });
    connect(view, &CanvasView::edgeMenuRequested, this,
            [this, view](std::uint32_t edge, const QPoint& place) { emit edgeMenuRequested(view, edge, place); });
    connect(view, &CanvasView::backgroundMenuRequested, this,
            [this, view](const QPoint& place) { emit backgroundMenuRequested(view, place); });
    connect(view, &CanvasView::backRequested, this, &GraphPane::backRequested);
    connect(view, &CanvasView::forwardRequested, this, &GraphPane::forwardRequested);
}

SubgraphPage* GraphPane::frontPage() const
{
    return m_front > 0 ? m_tabs[static_cast<std::size_t>(m_front - 1)] : m_page->isOpen() ? m_page : nullptr;
}

CanvasView* GraphPane::visibleCanvas()
{
    auto* page = frontPage();
    return page != nullptr ? page->canvas() : m_canvas;
}

void GraphPane::openHere(const GraphSide& home, const BodyPath& path)
{
    auto levels = levelsAlong(home, path);
    if (!levels.empty()) {
        m_page->open(m_what->text(), home.graph, std::move(levels));
        bring(0, true);
    }
}

void GraphPane::showInBody(const GraphSide& home, const BodyPath& path, const QString& label)
{
    auto levels = levelsAlong(home, path);
    if (levels.empty()) {
        return;
    }
    const bool hadFocus = isAncestorOf(window()->focusWidget());
    const auto tab = tabOf(path);
    SubgraphPage* page = tab ? m_tabs[static_cast<std::size_t>(*tab - 1)] : m_page;
    if (page->path() != path) {
        page->open(m_what->text(), home.graph, std::move(levels));
    }
    bring(tab.value_or(0), hadFocus);
    page->selectLabel(label);
}

void GraphPane::openTab(const GraphSide& home, const BodyPath& path)
{
    if (const auto tab = tabOf(path)) {
        showFront(*tab);
        return;
    }
    auto levels = levelsAlong(home, path);
    if (levels.empty()) {
        return;
    }
    auto* page = makePage(m_prefix + QStringLiteral("Tab"));
    page->canvas()->setAnimated(m_animated);
    page->canvas()->setShapesShown(m_shapesShown);
    page->setFlow(m_flow);
    // Each body has at most one tab: opening it elsewhere switches to that tab.
    page->setShownElsewhere([this](const BodyPath& wanted, const QString& selected) {
        const auto tab = tabOf(wanted);
        if (tab) {
            bring(*tab, true);
            m_tabs[static_cast<std::size_t>(*tab - 1)]->selectLabel(selected);
        }
        return tab.has_value();
    });
    layout()->addWidget(page);
    m_tabs.push_back(page);
    m_tabBar->addClosable(QString());
    page->open(m_what->text(), home.graph, std::move(levels));
    showFront(static_cast<int>(m_tabs.size()));
}

std::optional<int> GraphPane::tabOf(const BodyPath& path) const
{
    const auto paths = tabs();
    const auto found = std::find(paths.begin(), paths.end(), path);
    return found != paths.end() ? std::optional(static_cast<int>(found - paths.begin()) + 1) : std::nullopt;
}

std::vector<BodyPath> GraphPane::tabs() const
{
    std::vector<BodyPath> paths;
    std::transform(m_tabs.begin(), m_tabs.end(), std::back_inserter(paths),
                   [](const SubgraphPage* page) { return page->path(); });
    return paths;
}

void GraphPane::showFront(int tab)
{
    if (tab >= 0 && tab <= static_cast<int>(m_tabs.size())) {
        bring(tab, isAncestorOf(window()->focusWidget()) && !m_tabBar->hasFocus());
    }
}

void GraphPane::bring(int tab, bool focused)
{
    m_front = tab;
    {
        const QSignalBlocker blocker(m_tabBar);
        m_tabBar->setCurrentIndex(tab);
    }
    arrange();
    if (focused) {
        visibleCanvas()->setFocus();
    }
    emit frontChanged();
}

void GraphPane::showGraph()
{
    if (frontPage() != nullptr) {
        if (m_page->isOpen()) {
            m_page->close();
        }
        showFront(0);
    }
}

void GraphPane::leave(SubgraphPage* page, const QString& node)
{
    m_canvas->setFocus();
    showGraph();
    if (page != m_page) {
        emit nodeRequested(node);
    }
}

bool GraphPane::closeFront()
{
    if (m_front == 0) {
        return false;
    }
    closeTab(m_front);
    return true;
}

void GraphPane::closeTab(int tab)
{
    auto* page = m_tabs[static_cast<std::size_t>(tab - 1)];
    const int front = tab < m_front ? m_front - 1 : std::min(m_front, static_cast<int>(m_tabs.size()) - 1);
    const bool hadFocus = page->canvas()->hasFocus();
    page->close();
    page->hide();
    m_tabs.erase(m_tabs.begin() + tab - 1);
    {
        const QSignalBlocker blocker(m_tabBar);
        m_tabBar->removeTab(tab);
    }
    bring(front, hadFocus);
    page->deleteLater();
}

void GraphPane::closeBodies()
{
    while (!m_tabs.empty()) {
        closeTab(static_cast<int>(m_tabs.size()));
    }
    showGraph();
}

void GraphPane::follow(const GraphSide& home)
{
    for (auto tab = static_cast<int>(m_tabs.size()); tab >= 0; --tab) {
        SubgraphPage* page = tab > 0 ? m_tabs[static_cast<std::size_t>(tab - 1)] : m_page;
        auto levels = levelsAlong(home, page->path());
        if (!levels.empty()) {
            page->follow(home.graph, std::move(levels));
        } else if (tab > 0) {
            closeTab(tab);
        } else if (page->isOpen()) {
            page->close();
            showFront(m_front);
        }
    }
}

bool GraphPane::isIdle() const
{
    return m_page->isIdle() &&
           std::all_of(m_tabs.begin(), m_tabs.end(), [](const auto* page) { return page->isIdle(); });
}

void GraphPane::setAnimated(bool animated)
{
    m_animated = animated;
    m_canvas->setAnimated(animated);
    m_page->canvas()->setAnimated(animated);
    for (auto* page : m_tabs) {
        page->canvas()->setAnimated(animated);
    }
}

void GraphPane::setShapesShown(bool shown)
{
    m_shapesShown = shown;
    m_canvas->setShapesShown(shown);
    m_page->canvas()->setShapesShown(shown);
    for (auto* page : m_tabs) {
        page->canvas()->setShapesShown(shown);
    }
}

void GraphPane::setFlow(Flow flow)
{
    m_flow = flow;
    m_page->setFlow(flow);
    for (auto* page : m_tabs) {
        page->setFlow(flow);
    }
}

void GraphPane::arrange()
{
    m_tabBar->setVisible(!m_tabs.empty());
    const auto* front = frontPage();
    m_canvas->setVisible(front == nullptr);
    m_page->setVisible(front == m_page);
    for (auto* page : m_tabs) {
        page->setVisible(front == page);
    }
    showTabTitles();
}

void GraphPane::showTabTitles()
{
    m_tabBar->setTabText(0, m_what->text());
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        QStringList way;
        for (const BodyStep& step : m_tabs[i]->path()) {
            way.append(step.node);
        }
        const int tab = static_cast<int>(i) + 1;
        m_tabBar->setTabText(tab, m_tabs[i]->node().replace(u'&', QStringLiteral("&&")));
        m_tabBar->setTabToolTip(tab, way.join(QStringLiteral(" \u203a ")));
    }
}

void GraphPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTitle();
}

void GraphPane::fitTitle()
{
    const int nameWidth = m_name->fontMetrics().horizontalAdvance(m_name->text());
    const int room = width() - 2 * paneMargin - m_what->sizeHint().width() - paneGap - minGap;
    for (qsizetype first = 0;; ++first) {
        const QString text = m_allDetails.mid(first).join(QStringLiteral("   "));
        // The name may be elided for the last detail only, not for those before it.
        const int forName = first + 1 >= m_allDetails.size() ? std::min(nameWidth, minName) : nameWidth;
        if (text.isEmpty() || forName + m_details->fontMetrics().horizontalAdvance(text) <= room) {
            m_details->setText(text);
            break;
        }
    }
}

QList<QWidget*> GraphPane::titleWidgets() const
{
    return {m_what, m_name};
}

void GraphPane::setTitle(const QString& what, const QString& name, const QStringList& details)
{
    m_what->setText(what);
    m_name->setText(name);
    m_allDetails = details;
    m_allDetails.removeAll(QString());
    m_canvas->setAccessibleName(QStringLiteral("%1 %2").arg(what, name));
    showTabTitles();
    fitTitle();
}

} // namespace crosswalk::ui
