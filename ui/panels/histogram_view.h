#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace crosswalk::ui {

/// Bars of equal width between a smallest and a largest value.
class HistogramView final : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);

    void setBins(std::vector<std::int64_t> bins, double minimum, double maximum);
    QSize sizeHint() const override { return {200, 84}; }
    QSize minimumSizeHint() const override { return {80, 48}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect barArea() const;

    std::vector<std::int64_t> m_bins;
    double m_minimum = 0;
    double m_maximum = 0;
};

} // namespace crosswalk::ui
