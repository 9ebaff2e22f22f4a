#pragma once

#include <QScrollArea>

namespace crosswalk::ui {

/// An area as high as its content prefers. It scrolls if there is less room, instead of clipping texts or growing the
/// window.
class ShrinkingArea final : public QScrollArea {
    Q_OBJECT
public:
    explicit ShrinkingArea(QWidget* content, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// To be called after the content has changed; otherwise it is measured in the next round of events.
    void measureAnew();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // Cached: layouts ask often, and measuring texts takes longer than drawing them.
    mutable QSize m_hint;
    mutable int m_hintFor = -1; ///< width of the cached hint; -1 after the content changed
};

} // namespace crosswalk::ui
