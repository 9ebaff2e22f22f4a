#pragma once

#include <QLabel>

namespace crosswalk::ui {

/// A line of text that gives way: what does not fit is cut with an ellipsis and stays readable in the tool tip.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;

    QSize minimumSizeHint() const override { return {fontMetrics().height(), QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace crosswalk::ui
