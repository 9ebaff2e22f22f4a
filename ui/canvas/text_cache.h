#pragma once

#include <QColor>
#include <QGlyphRun>
#include <QHash>
#include <QPainter>

#include <string_view>

namespace crosswalk::ui {

/// A line of text that is shaped once and drawn at any scale.
struct ShapedText {
    QList<QGlyphRun> glyphs;
    double width = 0; ///< at the font's original size
    double ascent = 0;
    double height = 0;
};

enum class TextElide { None, Middle, End };

/// Shapes the texts of the canvas and caches those in use. GUI thread only (or the one thread that renders).
class TextCache {
public:
    /// `width` limits the text, at `pixelSize`; ignored without elision. The glyphs are shared with the cache, not
    /// copied.
    ShapedText shaped(std::string_view utf8, double pixelSize, bool bold, TextElide elide = TextElide::None,
                      double width = 0);
    /// Draws the text scaled by `factor`. `left` is the left end of the line's vertical middle.
    static void draw(QPainter& painter, const ShapedText& text, QPointF left, double factor, const QColor& color);

private:
    QHash<QByteArray, ShapedText> m_texts;
};

} // namespace crosswalk::ui
