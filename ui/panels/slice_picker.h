#pragma once

#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <vector>

class QHBoxLayout;
class QLabel;
class QSpinBox;

namespace crosswalk::ui {

/// Selects which matrix of a tensor to show: an index for each axis except the last two.
class SlicePicker final : public QWidget {
    Q_OBJECT
public:
    explicit SlicePicker(QWidget* parent = nullptr);

    /// Selects the first matrix. Hidden for tensors with at most two axes.
    void setDims(const std::vector<std::int64_t>& dims);

signals:
    void picked(const std::vector<std::int64_t>& indices);

private:
    struct Axis {
        QLabel* name;
        QSpinBox* index;
    };
    void addAxis();

    std::vector<Axis> m_axes; ///< the largest number needed so far: spin boxes are expensive to create
    std::size_t m_rank = 0;   ///< number of axes in use
    QHBoxLayout* m_row;
};

} // namespace crosswalk::ui
