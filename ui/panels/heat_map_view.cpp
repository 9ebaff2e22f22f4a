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

constexpr std::int64_t mostBlocks = 512; ///< along an axis
constexpr std::int64_t chunk = 65536;    ///< elements that are read at once
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

std::size_t placeOf(int row, int column, QSize blocks)
{
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(blocks.width()) + static_cast<std::size_t>(column);
}

} // namespace

HeatMapView::HeatMapView(QWidget* parent)
    : QWidget(parent)
    , m_reading(tr("Reading values"), this)
{
    setObjectName(QStringLiteral("tensorHeatMap"));
    setAccessibleName(tr("Heat map of the values"));
}

void HeatMapView::setMatrix(Tensor matrix, double limit)
{
    m_reading.cancel();
    m_matrix = std::move(matrix);
    m_limit = limit;
    const auto blocksAlong = [](std::int64_t size) { return static_cast<int>(std::min(size, mostBlocks)); };
    m_blocks = m_matrix.rank() == 2 ? QSize(blocksAlong(m_matrix.dims()[1]), blocksAlong(m_matrix.dims()[0])) : QSize();
    m_values.clear();
    update();
}

std::vector<HeatMapView::Block> HeatMapView::blocksOf(const Tensor& matrix, QSize blocks, const std::stop_token& stop)
{
    const std::int64_t rows = matrix.dims()[0];
    const std::int64_t columns = matrix.dims()[1];
    std::vector<Block> result(static_cast<std::size_t>(blocks.width()) * static_cast<std::size_t>(blocks.height()));
    for (std::int64_t first = 0; first < rows * columns && !stop.stop_requested(); first += chunk) {
        const auto values = matrix.range(first, {std::min(chunk, rows * columns - first)}).toDoubles();
        std::int64_t row = first / columns;
        std::int64_t column = first % columns;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t block =
                row * blocks.height() / rows * blocks.width() + column * blocks.width() / columns;
            Block& at = result[static_cast<std::size_t>(block)];
            if (std::isnan(values[i])) {
                at.isNan = true;
            } else if (std::abs(values[i]) > std::abs(at.value)) {
                at.value = values[i];
            }
            if (++column == columns) {
                column = 0;
                ++row;
            }
        }
    }
    return result;
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
    if (m_blocks.isEmpty()) {
        return;
    }
    if (m_values.empty()) {
        if (!m_reading.isBusy()) {
            m_reading.run(
                this,
                [matrix = m_matrix, blocks = m_blocks](const std::stop_token& stop) {
                    return blocksOf(matrix, blocks, stop);
                },
                [this](std::vector<Block> values) {
                    m_values = std::move(values);
                    update();
                });
        }
        return;
    }
    const Theme& t = theme();
    QPainter painter(this);
    QImage image(m_blocks, QImage::Format_RGB32);
    for (int row = 0; row < m_blocks.height(); ++row) {
        for (int column = 0; column < m_blocks.width(); ++column) {
            image.setPixel(column, row, colourOf(m_values[placeOf(row, column, m_blocks)]));
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
    const Block& block = m_values[placeOf(row, column, m_blocks)];
    const QString value = block.isNan ? tr("not a number") : roundedText(block.value);
    const std::int64_t rows = m_matrix.dims()[0];
    const std::int64_t columns = m_matrix.dims()[1];
    const bool isExact = rows == m_blocks.height() && columns == m_blocks.width();
    QToolTip::showText(help->globalPos(),
                       isExact ? tr("[%1, %2]: %3").arg(row).arg(column).arg(value)
                               : tr("from [%1, %2] on, largest: %3")
                                     .arg(row * rows / m_blocks.height())
                                     .arg(column * columns / m_blocks.width())
                                     .arg(value),
                       this);
    return true;
}

} // namespace crosswalk::ui
