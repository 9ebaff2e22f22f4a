#include "ui/canvas/text_cache.h"

#include "ui/theme/fonts.h"

#include <QFontMetricsF>
#include <QTextLayout>

#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr qsizetype maxTexts = 16000;

ShapedText laidOut(const QString& text, const QFont& font)
{
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine().setLineWidth(1e6);
    layout.endLayout();
    ShapedText result;
    result.glyphs = layout.glyphRuns();
    result.width = layout.lineAt(0).naturalTextWidth();
    result.ascent = layout.lineAt(0).ascent();
    result.height = layout.lineAt(0).height();
    return result;
}

ShapedText shape(const QString& text, const QFont& font, TextElide elide, double width)
{
    ShapedText whole = laidOut(text, font);
    if (elide == TextElide::None || whole.width <= width) {
        return whole; // most texts fit: computing the elision would shape them again
    }
    const auto mode = elide == TextElide::Middle ? Qt::ElideMiddle : Qt::ElideRight;
    return laidOut(QFontMetricsF(font).elidedText(text, mode, width), font);
}

} // namespace

ShapedText TextCache::shaped(std::string_view utf8, double pixelSize, bool bold, TextElide elide, double width)
{
    QByteArray key(utf8.data(), static_cast<qsizetype>(utf8.size()));
    key.append('\0');
    key.append(static_cast<char>(std::lround(pixelSize)));
    key.append(static_cast<char>(bold));
    if (elide != TextElide::None) {
        const auto rounded = static_cast<int>(width);
        key.append(static_cast<char>(elide));
        key.append(reinterpret_cast<const char*>(&rounded), sizeof rounded);
    }
    auto found = m_texts.find(key);
    if (found == m_texts.end()) {
        if (m_texts.size() >= maxTexts) {
            m_texts.clear();
        }
        const QString text = QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
        found = m_texts.insert(key, shape(text, canvasFont(pixelSize, bold), elide, width));
    }
    return *found;
}

void TextCache::draw(QPainter& painter, const ShapedText& text, QPointF left, double factor, const QColor& color)
{
    const QTransform base = painter.transform();
    painter.setPen(color);
    painter.setTransform(QTransform(factor, 0, 0, factor, left.x(), left.y() - text.height / 2 * factor) * base);
    for (const auto& run : text.glyphs) {
        painter.drawGlyphRun(QPointF(0, 0), run);
    }
    painter.setTransform(base);
}

} // namespace crosswalk::ui
