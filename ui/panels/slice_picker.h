#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

class QHBoxLayout;
class QLabel;
class QSpinBox;

namespace crosswalk::ui {

/// One index for each axis of a tensor but the last two: which matrix of it is shown.
class SlicePicker final : public QWidget {
    Q_OBJECT
public:
    explicit SlicePicker(QWidget* parent = nullptr);

    /// Starts at the first matrix; hidden where there is no axis to choose along.
    void setDims(const std::vector<std::int64_t>& dims);

signals:
    void picked(const std::vector<std::int64_t>& indices);

private:
    struct Axis {
        QLabel* name;
        QSpinBox* index;
    };
    void addAxis();

    std::vector<Axis> m_axes; ///< as many as a tensor ever had: boxes are costly to make
    std::size_t m_rank = 0;   ///< of them, those in use
    QHBoxLayout* m_row;
};

} // namespace crosswalk::ui
