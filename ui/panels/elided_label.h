#pragma once

#include <QLabel>

namespace crosswalk::ui {

/// A one-line label that elides text that does not fit and shows the full text as a tool tip.
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
