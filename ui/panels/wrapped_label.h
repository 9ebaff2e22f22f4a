#pragma once

#include <QLabel>

#include <array>

namespace crosswalk::ui {

/// Plain text that wraps at the width it is given, and says how high it is then without measuring it again. A QLabel
/// lays its text out a dozen times for one answer to a layout, which for a panel of texts takes longer than to paint
/// it.
class WrappedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(const QString& objectName, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Measured {
        int width = -1;
        int height = 0;
    };
    int textHeight(int width) const;
    void forget() const;

    // Beside a scroll bar and without.
    mutable std::array<Measured, 2> m_measured;
    mutable QString m_measuredText;
    mutable double m_unwrapped = 0; ///< width from which on no line breaks; 0 before anything is measured
};

} // namespace crosswalk::ui
