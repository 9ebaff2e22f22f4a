#include "ui/panels/graph_pane.h"

#include "ui/panels/elided_label.h"

#include <QHBoxLayout>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int margin = 12;
constexpr int gap = 8;
constexpr int leastGap = 24;   ///< between the name and the details
constexpr int leastName = 120; ///< a longer name is cut rather than that all details go

} // namespace

GraphPane::GraphPane(const QString& objectName, QWidget* parent)
    : QWidget(parent)
    , m_what(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_details(new QLabel(this))
    , m_canvas(new CanvasView(this))
    , m_page(new SubgraphPage(objectName, this))
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
    line->setContentsMargins(margin, 7, margin, 7);
    line->setSpacing(gap);
    line->addWidget(m_what);
    line->addWidget(m_name);
    line->addStretch(1);
    line->addWidget(m_details);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_page, 1);
    connect(m_page, &SubgraphPage::closed, this, [this] {
        m_canvas->show();
        m_canvas->setFocus();
    });
}

void GraphPane::openPage(const QString& node, std::vector<Subgraph> bodies)
{
    m_canvas->hide();
    m_page->open(m_what->text(), node, std::move(bodies));
}

void GraphPane::closePage()
{
    if (m_page->isOpen()) {
        m_page->close();
        m_canvas->show();
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
    const int room = width() - 2 * margin - m_what->sizeHint().width() - gap - leastGap;
    for (qsizetype first = 0;; ++first) {
        const QString text = m_allDetails.mid(first).join(QStringLiteral("   "));
        // The last one may cut the name, those before it may not.
        const int forName = first + 1 >= m_allDetails.size() ? std::min(nameWidth, leastName) : nameWidth;
        if (text.isEmpty() || forName + m_details->fontMetrics().horizontalAdvance(text) <= room) {
            m_details->setText(text);
            break;
        }
    }
}

void GraphPane::setTitle(const QString& what, const QString& name, const QStringList& details)
{
    m_what->setText(what);
    m_name->setText(name);
    m_allDetails = details;
    m_allDetails.removeAll(QString());
    m_canvas->setAccessibleName(QStringLiteral("%1 %2").arg(what, name));
    fitTitle();
}

} // namespace crosswalk::ui
