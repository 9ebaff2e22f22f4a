#include "ui/panels/graph_pane.h"

#include "ui/panels/elided_label.h"

#include <QHBoxLayout>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace crosswalk::ui {
namespace {

constexpr int roomForDetails = 330; ///< width: in less, the name goes before the details

} // namespace

GraphPane::GraphPane(const QString& objectName, QWidget* parent)
    : QWidget(parent)
    , m_what(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_details(new ElidedLabel(this))
    , m_canvas(new CanvasView(this))
{
    setObjectName(objectName + QStringLiteral("Pane"));
    m_canvas->setObjectName(objectName + QStringLiteral("Canvas"));
    m_what->setObjectName(objectName + QStringLiteral("What"));
    m_name->setObjectName(objectName + QStringLiteral("Name"));
    m_details->setObjectName(objectName + QStringLiteral("Details"));
    QFont bold = m_what->font();
    bold.setWeight(QFont::DemiBold);
    m_what->setFont(bold);
    m_details->setProperty("muted", true);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 7, 12, 7);
    line->setSpacing(8);
    line->addWidget(m_what);
    line->addWidget(m_name);
    line->addStretch(1);
    line->addWidget(m_details);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_canvas, 1);
}

void GraphPane::resizeEvent(QResizeEvent* event)
{
    m_details->setVisible(event->size().width() >= roomForDetails);
    QWidget::resizeEvent(event);
}

void GraphPane::setTitle(const QString& what, const QString& name, const QString& details)
{
    m_what->setText(what);
    m_name->setText(name);
    m_details->setText(details);
    m_canvas->setAccessibleName(QStringLiteral("%1 %2").arg(what, name));
}

} // namespace crosswalk::ui
