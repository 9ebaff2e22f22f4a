#pragma once

#include "core/graph/tensor.h"
#include "ui/jobs/job_runner.h"

#include <QRgb>
#include <QWidget>

#include <vector>

namespace crosswalk::ui {

/// A matrix as a picture: negative values blue, positive ones orange, zero in the colour of the background. A larger
/// matrix than the view has pixels shows the value of the largest magnitude in each block.
class HeatMapView final : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapView(QWidget* parent = nullptr);

    /// `limit` is the magnitude of the strongest colour. A tensor without two axes shows nothing.
    void setMatrix(Tensor matrix, double limit);
    QSize minimumSizeHint() const override { return {120, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Block {
        double value = 0;
        bool isNan = false;
    };
    static std::vector<Block> blocksOf(const Tensor& matrix, QSize blocks, const std::stop_token& stop);
    QRectF pictureArea() const;
    QRgb colourOf(const Block& block) const;

    Tensor m_matrix;
    double m_limit = 0;
    QSize m_blocks;              ///< number of blocks along both axes
    std::vector<Block> m_values; ///< of the blocks, row by row; empty until they are read
    JobRunner m_reading;         ///< starts when the view is painted
};

} // namespace crosswalk::ui
