#pragma once

#include <QLabel>

#include <array>

namespace crosswalk::ui {

/// Plain text that wraps at the given width and caches its height. A QLabel lays out its text a dozen times for one
/// layout request, which for a panel of texts takes longer than painting it.
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

    // One entry with a scroll bar and one without.
    mutable std::array<Measured, 2> m_measured;
    mutable QString m_measuredText;
    mutable double m_unwrapped = 0; ///< the smallest width at which no line breaks; 0 before the text is measured
};

} // namespace crosswalk::ui
