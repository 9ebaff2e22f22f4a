#include "ui/panels/heat_map_view.h"

#include "ui/models/number_text.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr int mostBlocks = 512;                ///< along an axis
constexpr std::int64_t mostValues = 4'000'000; ///< to be read for a picture
constexpr double largestCell = 28;
constexpr int heatMapMargin = 8;
constexpr int scaleWidth = 10;
constexpr int scaleRoom = 92; ///< with its numbers

QColor negativeColour(bool isDark)
{
    return isDark ? QColor(0x5a, 0xa9, 0xe6) : QColor(0x1f, 0x5f, 0xa8);
}

QColor positiveColour(bool isDark)
{
    return isDark ? QColor(0xf0, 0x9a, 0x4c) : QColor(0xb8, 0x53, 0x0c);
}

} // namespace

HeatMapView::HeatMapView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("tensorHeatMap"));
    setAccessibleName(tr("Heat map of the values"));
}

void HeatMapView::setMatrix(std::int64_t rows, std::int64_t columns, ReadRow read, double limit)
{
    m_rows = rows;
    m_columns = columns;
    m_read = std::move(read);
    m_limit = limit;
    m_blocks = QSize(static_cast<int>(std::min<std::int64_t>(columns, mostBlocks)),
                     static_cast<int>(std::min<std::int64_t>(rows, mostBlocks)));
    m_values.clear();
    update();
}

void HeatMapView::read()
{
    m_values.assign(static_cast<std::size_t>(m_blocks.width()) * static_cast<std::size_t>(m_blocks.height()), {});
    // Of a block with many rows, only some are read: painting must not take longer than a frame or two.
    const std::int64_t mostRowsOfBlock =
        std::clamp<std::int64_t>(mostValues / std::max<std::int64_t>(1, m_blocks.height() * m_columns), 1, 8);
    for (int row = 0; row < m_blocks.height(); ++row) {
        const std::int64_t first = row * m_rows / m_blocks.height();
        const std::int64_t last = std::max(first + 1, (row + 1) * m_rows / m_blocks.height());
        const std::int64_t step = std::max<std::int64_t>(1, (last - first) / mostRowsOfBlock);
        for (std::int64_t r = first; r < last; r += step) {
            const auto values = m_read(r);
            for (std::size_t column = 0; column < values.size(); ++column) {
                const auto block = static_cast<std::int64_t>(column) * m_blocks.width() / m_columns;
                Block& at = m_values[static_cast<std::size_t>(row * m_blocks.width() + block)];
                if (std::isnan(values[column])) {
                    at.isNan = true;
                } else if (std::abs(values[column]) > std::abs(at.value)) {
                    at.value = values[column];
                }
            }
        }
    }
}

QRgb HeatMapView::colourOf(const Block& block) const
{
    const Theme& t = theme();
    if (block.isNan) {
        return t.unsupported.rgb();
    }
    // The square root separates small values, which are most of them.
    const double share = m_limit > 0 ? std::sqrt(std::min(1.0, std::abs(block.value) / m_limit)) : 0;
    return mix(t.panel, block.value < 0 ? negativeColour(t.isDark) : positiveColour(t.isDark), share).rgb();
}

QRectF HeatMapView::pictureArea() const
{
    const QRectF room =
        QRectF(rect()).adjusted(heatMapMargin, heatMapMargin, -heatMapMargin - scaleRoom, -heatMapMargin);
    if (m_blocks.isEmpty() || room.isEmpty()) {
        return {};
    }
    const double cell = std::min({room.width() / m_blocks.width(), room.height() / m_blocks.height(), largestCell});
    // Long thin matrices are stretched across their short side.
    const double wide = std::min(room.width(), std::max(cell * m_blocks.width(), std::min(room.width(), largestCell)));
    const double high =
        std::min(room.height(), std::max(cell * m_blocks.height(), std::min(room.height(), largestCell)));
    return {room.topLeft(), QSizeF(wide, high)};
}

void HeatMapView::paintEvent(QPaintEvent* /*event*/)
{
    if (m_blocks.isEmpty() || !m_read) {
        return;
    }
    if (m_values.empty()) {
        read();
    }
    const Theme& t = theme();
    QPainter painter(this);
    QImage image(m_blocks, QImage::Format_RGB32);
    for (int row = 0; row < m_blocks.height(); ++row) {
        for (int column = 0; column < m_blocks.width(); ++column) {
            image.setPixel(column, row, colourOf(m_values[static_cast<std::size_t>(row * m_blocks.width() + column)]));
        }
    }
    const QRectF area = pictureArea();
    painter.drawImage(area, image);
    painter.setPen(t.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area);
    // The scale, from the largest positive to the largest negative value.
    const QRect scale(static_cast<int>(area.right()) + 14, static_cast<int>(area.top()), scaleWidth,
                      std::max(40, std::min(height() - 2 * heatMapMargin, 120)));
    for (int y = 0; y < scale.height(); ++y) {
        const double value = m_limit * (1 - 2.0 * y / std::max(1, scale.height() - 1));
        painter.fillRect(scale.left(), scale.top() + y, scale.width(), 1, QColor(colourOf({value, false})));
    }
    painter.setPen(t.mutedText);
    const QRect texts = scale.adjusted(scaleWidth + 5, -2, scaleRoom, 2);
    painter.drawText(texts, Qt::AlignTop | Qt::AlignLeft, roundedText(m_limit));
    painter.drawText(texts, Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("0"));
    painter.drawText(texts, Qt::AlignBottom | Qt::AlignLeft, roundedText(-m_limit));
}

bool HeatMapView::event(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        update();
    }
    const QRectF area = pictureArea();
    if (event->type() != QEvent::ToolTip || m_values.empty() || area.isEmpty()) {
        return QWidget::event(event);
    }
    auto* help = static_cast<QHelpEvent*>(event);
    const QPointF place = help->pos() - area.topLeft();
    if (!QRectF(QPointF(), area.size()).contains(place)) {
        QToolTip::hideText();
        return true;
    }
    const int column = std::min(m_blocks.width() - 1, static_cast<int>(place.x() / area.width() * m_blocks.width()));
    const int row = std::min(m_blocks.height() - 1, static_cast<int>(place.y() / area.height() * m_blocks.height()));
    const Block& block = m_values[static_cast<std::size_t>(row * m_blocks.width() + column)];
    const QString value = block.isNan ? tr("not a number") : roundedText(block.value);
    const bool isExact = m_rows == m_blocks.height() && m_columns == m_blocks.width();
    QToolTip::showText(help->globalPos(),
                       isExact ? tr("[%1, %2]: %3").arg(row).arg(column).arg(value)
                               : tr("from [%1, %2] on, largest: %3")
                                     .arg(row * m_rows / m_blocks.height())
                                     .arg(column * m_columns / m_blocks.width())
                                     .arg(value),
                       this);
    return true;
}

} // namespace crosswalk::ui
