#pragma once

#include <QScrollArea>

namespace crosswalk::ui {

/// As high as what it holds wants to be; with less room it scrolls, rather than cut texts or make the window grow.
class ShrinkingArea final : public QScrollArea {
    Q_OBJECT
public:
    explicit ShrinkingArea(QWidget* content, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // To measure texts takes longer than to draw them, and layouts ask many times.
    mutable QSize m_hint;
    mutable int m_hintFor = -1; ///< width; -1 when the content has changed
};

} // namespace crosswalk::ui
