#include "ui/models/inputs_model.h"

#include "ui/models/choice_roles.h"
#include "ui/models/shape_text.h"
#include "ui/theme/icons.h"

#include <algorithm>

namespace crosswalk::ui {

std::vector<InputsModel::Input> inputsOf(const Graph& graph, std::span<const TensorType> known)
{
    std::vector<InputsModel::Input> inputs;
    for (const auto id : graph.inputs) {
        const Value& value = graph.value(id);
        if (value.role == Role::Data && !value.tensor) {
            inputs.push_back({value.name, value.type, id.index < known.size() ? known[id.index] : value.type});
        }
    }
    return inputs;
}

void InputsModel::setInputs(std::vector<Input> inputs)
{
    if (std::ranges::equal(inputs, m_inputs, {}, &Input::name, &Input::name)) {
        m_inputs = std::move(inputs); // the current cell stays
        notifyAllChanged();
        return;
    }
    beginResetModel();
    m_inputs = std::move(inputs);
    endResetModel();
}

void InputsModel::setOptions(const ConvertOptions& options)
{
    m_options = options;
    notifyAllChanged();
}

void InputsModel::setProblem(const std::string& input, const QString& problem)
{
    if (input == m_problemInput && problem == m_problem) {
        return; // avoid resetting a cell that is being edited
    }
    m_problemInput = input;
    m_problem = problem;
    notifyAllChanged();
}

void InputsModel::notifyAllChanged()
{
    if (!m_inputs.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

QStringList InputsModel::typeNames()
{
    QStringList names;
    for (const auto type : {ElementType::Float32, ElementType::Float16, ElementType::Float64, ElementType::Int64,
                            ElementType::Int32, ElementType::Int8, ElementType::UInt8, ElementType::Bool}) {
        names.append(displayText(elementTypeName(type)));
    }
    return names;
}

TensorType InputsModel::shown(const Input& input) const
{
    TensorType type = input.known;
    if (const auto given = m_options.shapes.find(input.name); given != m_options.shapes.end()) {
        type.shape = given->second;
    }
    if (const auto given = m_options.types.find(input.name); given != m_options.types.end()) {
        type.element = given->second;
    }
    return type;
}

QString InputsModel::origin(const Input& input) const
{
    if (m_options.shapes.contains(input.name) || m_options.types.contains(input.name)) {
        return tr("Set by you");
    }
    if (input.file.shape) {
        return tr("From the file");
    }
    return input.known.shape ? tr("Inferred from the weights") : tr("Unknown: set a shape");
}

int InputsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_inputs.size());
}

int InputsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QVariant InputsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Input& input = m_inputs[static_cast<std::size_t>(index.row())];
    const bool hasProblem = !m_problem.isEmpty() && m_problemInput == input.name;
    if (role == ProblemRole) {
        return hasProblem ? m_problem : QString();
    }
    if (role == ChoicesRole && index.column() == TypeColumn) {
        QStringList choices;
        for (const auto& name : typeNames()) {
            choices << name << name;
        }
        return choices;
    }
    if (role == CurrentChoiceRole) {
        return data(index, Qt::EditRole);
    }
    if (role == Qt::ToolTipRole) {
        return hasProblem ? m_problem
               : index.column() == ShapeColumn
                   ? tr("Sizes or names, such as N, 3, 224, 224. Leave empty to restore the shape of the file.")
                   : QString();
    }
    if (role == Qt::DecorationRole && index.column() == NameColumn) {
        return hasProblem ? QVariant(icon(QLatin1String("cross"), IconTint::Unsupported)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    const TensorType type = shown(input);
    switch (index.column()) {
    case NameColumn:
        return displayText(input.name);
    case TypeColumn:
        return displayText(
            elementTypeName(type.element == ElementType::Undefined ? ElementType::Float32 : type.element));
    case ShapeColumn:
        return type.shape ? (type.shape->empty() && role == Qt::DisplayRole ? tr("scalar") : shapeText(*type.shape))
                          : (role == Qt::DisplayRole ? tr("unknown") : QString());
    case OriginColumn:
        return origin(input);
    default:
        return {};
    }
}

QVariant InputsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NameColumn:
        return tr("Input");
    case TypeColumn:
        return tr("Type");
    case ShapeColumn:
        return tr("Shape");
    case OriginColumn:
        return tr("Origin");
    default:
        return {};
    }
}

Qt::ItemFlags InputsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && (index.column() == TypeColumn || index.column() == ShapeColumn)) {
        flags |= Qt::ItemIsEditable;
    }
    return flags;
}

bool InputsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) {
        return false;
    }
    const Input& input = m_inputs[static_cast<std::size_t>(index.row())];
    if (value.toString() == data(index, Qt::EditRole).toString()) {
        return true;
    }
    if (index.column() == TypeColumn) {
        const auto type = elementTypeFromName(value.toString().toStdString());
        if (type) {
            emit typeEdited(input.name, *type == input.file.element ? std::nullopt : type);
        }
        return type.has_value();
    }
    if (value.toString().trimmed().isEmpty()) { // a scalar is "()"
        if (m_options.shapes.contains(input.name)) {
            emit shapeEdited(input.name, std::nullopt);
        }
        return true;
    }
    auto shape = parseShape(value.toString());
    if (!shape) {
        return false;
    }
    emit shapeEdited(input.name, std::move(shape.value()));
    return true;
}

} // namespace crosswalk::ui
