#include "ui/panels/slice_picker.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <climits>

namespace crosswalk::ui {

SlicePicker::SlicePicker(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(8, 6, 8, 4);
    m_row->addStretch(1);
}

void SlicePicker::setDims(const std::vector<std::int64_t>& dims)
{
    while (m_axes.size() < dims.size()) {
        addAxis();
    }
    m_rank = dims.size();
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
        const auto [name, index] = m_axes[axis];
        const QSignalBlocker quiet(index);
        index->setRange(0, axis < m_rank ? static_cast<int>(std::clamp<std::int64_t>(dims[axis] - 1, 0, INT_MAX)) : 0);
        index->setValue(0);
        name->setVisible(axis < m_rank);
        index->setVisible(axis < m_rank);
    }
    setVisible(m_rank > 0);
}

void SlicePicker::addAxis()
{
    const std::size_t axis = m_axes.size();
    auto* name = new QLabel(tr("axis %1").arg(axis), this);
    name->setProperty("muted", true);
    auto* index = new QSpinBox(this);
    index->setButtonSymbols(QAbstractSpinBox::NoButtons); // keys and the wheel change it as well
    index->setObjectName(QStringLiteral("tensorIndex%1").arg(axis));
    index->setAccessibleName(tr("Index along axis %1").arg(axis));
    connect(index, &QSpinBox::valueChanged, this, [this] {
        std::vector<std::int64_t> indices;
        std::transform(m_axes.begin(), m_axes.begin() + static_cast<std::ptrdiff_t>(m_rank),
                       std::back_inserter(indices), [](const Axis& each) { return each.index->value(); });
        emit picked(indices);
    });
    // By default Qt puts widgets created last at the end of the tab order. Tab must visit the axes before the values.
    QWidget* before = m_axes.empty() ? previousInFocusChain() : m_axes.back().index;
    while (before != this && (before->focusPolicy() & Qt::TabFocus) == 0) {
        before = before->previousInFocusChain();
    }
    setTabOrder(before, index);
    const int at = m_row->count() - 1; // before the stretch item
    m_row->insertWidget(at, name);
    m_row->insertWidget(at + 1, index);
    m_axes.push_back({name, index});
}

} // namespace crosswalk::ui
