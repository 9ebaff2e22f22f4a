#pragma once

#include "core/convert/options.h"
#include "core/graph/graph.h"

#include <QAbstractTableModel>

namespace crosswalk::ui {

/// Inputs of the source model with type and shape: what the file says, what follows from the weights, what the user
/// gave. Editing a cell asks for a change; what is no shape is not taken.
class InputsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, TypeColumn, ShapeColumn, OriginColumn, ColumnCount };
    enum Role { ProblemRole = Qt::UserRole };

    struct Input {
        std::string name;
        TensorType file;  ///< as the source file has it
        TensorType known; ///< as the conversion sees it
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setInputs(std::vector<Input> inputs);
    void setOptions(const ConvertOptions& options);
    /// A problem that names an input, shown at its row; empty for none.
    void setProblem(const std::string& input, const QString& problem);
    const Input& input(int row) const { return m_inputs[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// The types that an input may be given, as `--dtype` names them.
    static QStringList typeNames();

signals:
    /// Nothing: back to what file and weights say.
    void shapeGiven(const std::string& input, const std::optional<crosswalk::Shape>& shape);
    void typeGiven(const std::string& input, std::optional<crosswalk::ElementType> type);

private:
    void tellAllChanged();
    TensorType shown(const Input& input) const;
    QString origin(const Input& input) const;

    std::vector<Input> m_inputs;
    ConvertOptions m_options;
    std::string m_problemInput;
    QString m_problem;
};

/// The inputs that a source graph shows to the user: data that it is fed, not labels or weights.
std::vector<InputsModel::Input> inputsOf(const Graph& graph, std::span<const TensorType> known);

} // namespace crosswalk::ui
