#pragma once

#include "core/graph/graph.h"
#include "crosswalk/options.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// Inputs of the source model with type and shape: from the file, inferred from the weights, or set by the user.
/// Editing a cell emits a signal; an invalid shape is rejected.
class InputsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, TypeColumn, ShapeColumn, OriginColumn, ColumnCount };
    enum Role { ProblemRole = Qt::UserRole };

    struct Input {
        std::string name;
        TensorType file;  ///< from the source file
        TensorType known; ///< as inferred by the conversion
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setInputs(std::vector<Input> inputs);
    void setOptions(const ConvertOptions& options);
    /// Shows a problem in the row of an input; empty for none.
    void setProblem(const std::string& input, const QString& problem);
    const Input& input(int row) const { return m_inputs[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// The types that the user can set, spelled as for `--dtype`.
    static QStringList typeNames();

signals:
    /// An empty shape restores the one from the file and the weights.
    void shapeEdited(const std::string& input, const std::optional<crosswalk::Shape>& shape);
    void typeEdited(const std::string& input, std::optional<crosswalk::ElementType> type);

private:
    void notifyAllChanged();
    TensorType shown(const Input& input) const;
    QString origin(const Input& input) const;

    std::vector<Input> m_inputs;
    ConvertOptions m_options;
    std::string m_problemInput;
    QString m_problem;
};

/// The inputs of a source graph that the user sees: data, not labels or weights.
std::vector<InputsModel::Input> inputsOf(const Graph& graph, std::span<const TensorType> known);

} // namespace crosswalk::ui
