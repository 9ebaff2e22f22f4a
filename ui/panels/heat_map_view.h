#pragma once

#include <QRgb>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <vector>

namespace crosswalk::ui {

/// A matrix as a picture: negative values blue, positive ones orange, zero in the colour of the background. A larger
/// matrix than the view has pixels shows the value of the largest magnitude in each block.
class HeatMapView final : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapView(QWidget* parent = nullptr);

    /// Returns the values of a row.
    using ReadRow = std::function<std::vector<double>(std::int64_t row)>;
    /// `limit` is the magnitude of the strongest colour. No rows show nothing.
    void setMatrix(std::int64_t rows, std::int64_t columns, ReadRow read, double limit);
    QSize minimumSizeHint() const override { return {120, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Block {
        double value = 0;
        bool isNan = false;
    };
    void read();
    QRectF pictureArea() const;
    QRgb colourOf(const Block& block) const;

    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    ReadRow m_read;
    double m_limit = 0;
    QSize m_blocks;              ///< number of blocks along both axes
    std::vector<Block> m_values; ///< of the blocks, row by row; empty until they are painted
};

} // namespace crosswalk::ui
