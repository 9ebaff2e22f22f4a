#include "ui/panels/histogram_view.h"

#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace crosswalk::ui {

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("tensorHistogram"));
    setAccessibleName(tr("Distribution of the values"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

void HistogramView::setBins(std::vector<std::int64_t> bins, double minimum, double maximum)
{
    m_bins = std::move(bins);
    m_minimum = minimum;
    m_maximum = maximum;
    update();
}

QRect HistogramView::barArea() const
{
    return rect().adjusted(0, 2, 0, -fontMetrics().height() - 4);
}

void HistogramView::paintEvent(QPaintEvent* /*event*/)
{
    if (m_bins.empty()) {
        return;
    }
    const Theme& t = theme();
    QPainter painter(this);
    const QRect area = barArea();
    const double width = static_cast<double>(area.width()) / static_cast<double>(m_bins.size());
    const auto highest =
        static_cast<double>(std::max<std::int64_t>(1, *std::max_element(m_bins.begin(), m_bins.end())));
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        if (m_bins[i] > 0) {
            const double height = std::max(1.0, area.height() * static_cast<double>(m_bins[i]) / highest);
            painter.fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() + 1 - height,
                                    std::max(1.0, width - 1), height),
                             t.accent);
        }
    }
    painter.fillRect(QRect(area.left(), area.bottom() + 1, area.width(), 1), t.strongLine);
    painter.setPen(t.mutedText);
    const QRect scale(area.left(), area.bottom() + 3, area.width(), fontMetrics().height());
    painter.drawText(scale, Qt::AlignLeft, QLocale().toString(m_minimum, 'g', 4));
    painter.drawText(scale, Qt::AlignRight, QLocale().toString(m_maximum, 'g', 4));
}

bool HistogramView::event(QEvent* event)
{
    const QRect area = barArea();
    if (event->type() == QEvent::ToolTip && !m_bins.empty() && area.width() > 0) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto count = static_cast<int>(m_bins.size());
        const int bin = std::clamp((help->pos().x() - area.left()) * count / area.width(), 0, count - 1);
        const double step = (m_maximum - m_minimum) / count;
        QToolTip::showText(help->globalPos(),
                           tr("%L1 to %L2: %L3 values")
                               .arg(m_minimum + bin * step, 0, 'g', 4)
                               .arg(m_minimum + (bin + 1) * step, 0, 'g', 4)
                               .arg(m_bins[static_cast<std::size_t>(bin)]),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace crosswalk::ui
