#pragma once

#include "core/graph/graph.h"

#include <QAbstractItemModel>
#include <QIcon>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace crosswalk::ui {

/// Separates a value from extra text that is dropped if there is not enough room.
inline constexpr QLatin1String beforeExtra("   ");

/// One row of a details tree: a name and a value.
struct Detail {
    QString name;
    QString value;
    QString toolTip = {};
    QIcon icon = {};
    /// The box to select when the row is activated, if any.
    std::optional<std::uint32_t> box = {};
    bool otherSide = false; ///< the box is on the other side
    /// Instead of `box`: the boxes to select together. Called when the row is activated.
    std::function<std::vector<std::uint32_t>()> boxes = {};
    ValueId tensor = {};      ///< a stored tensor whose values can be shown
    bool valueIsName = false; ///< the value is the name of a node
    bool emphasised = false;  ///< concerned by a problem
    bool isDefault = false;   ///< a default value: shown in a muted colour
    double share = 0;         ///< 0 to 1: length of a bar behind the value
};

struct DetailSection {
    QString title;
    std::vector<Detail> details;
    bool isCollapsed = false; ///< until the user opens it
};

/// Sections of names and values: properties of a node, summary of a model.
class DetailsModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role { BoxRole = Qt::UserRole, OtherSideRole, IsNameRole, TensorRole, ShareRole };
    using QAbstractItemModel::QAbstractItemModel;

    void setSections(std::vector<DetailSection> sections);
    const std::vector<DetailSection>& sections() const { return m_sections; }
    /// Null for a section.
    const Detail* detail(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<DetailSection> m_sections;
};

} // namespace crosswalk::ui
