#include "ui/panels/inputs_panel.h"

#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/cell_table.h"
#include "ui/panels/choice_delegate.h"
#include "ui/panels/fitted_columns.h"
#include "ui/panels/shape_delegate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {

InputsPanel::InputsPanel(const DocumentView& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_signatureList(new QTreeView(this))
    , m_table(new CellTable(InputsModel::ShapeColumn, this))
    , m_message(new QLabel(this))
    , m_presets(new QWidget(this))
{
    setObjectName(QStringLiteral("inputsPanel"));
    m_table->setObjectName(QStringLiteral("inputsTable"));
    m_table->setAccessibleName(tr("Inputs of the model"));
    m_table->setModel(&m_model);
    m_table->setItemDelegateForColumn(InputsModel::TypeColumn, new ChoiceDelegate(m_table));
    auto* shapes = new ShapeDelegate(m_table);
    m_table->setItemDelegateForColumn(InputsModel::ShapeColumn, shapes);
    new FittedColumns(m_table, InputsModel::ShapeColumn);
    m_message->setObjectName(QStringLiteral("inputsMessage"));
    m_message->setWordWrap(true);
    m_message->setMargin(8);

    buildSignatures();

    auto* sides = new QSplitter(this);
    sides->setChildrenCollapsible(false);
    sides->setHandleWidth(1);
    sides->addWidget(m_table);
    sides->addWidget(m_signatureList);
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sides, 1);
    layout->addWidget(m_message);
    layout->addWidget(m_presets);
    m_presets->setObjectName(QStringLiteral("inputsPresets"));
    auto* row = new QHBoxLayout(m_presets);
    row->setContentsMargins(8, 0, 8, 8);
    addPreset(*row, "presetFile", tr("As in the file"), tr("Discard all shapes and types that you have set"),
              ShapePreset::AsInFile);
    addPreset(*row, "presetBatchOne", tr("Batch 1"), tr("One sample at a time, for every input"),
              ShapePreset::BatchOne);
    addPreset(*row, "presetBatchFree", tr("Batch N"), tr("Any number of samples, for every input"),
              ShapePreset::BatchFree);
    row->addStretch(1);

    connect(shapes, &ShapeDelegate::problemTyped, this, &InputsPanel::showProblem);
    connect(&m_model, &InputsModel::shapeEdited, this, &InputsPanel::shapeEdited);
    connect(&m_model, &InputsModel::typeEdited, this, &InputsPanel::typeEdited);
    connect(&m_document, &DocumentView::opened, this, &InputsPanel::refreshSignatures);
    connect(&m_document, &DocumentView::opened, this, &InputsPanel::refresh);
    connect(&m_document, &DocumentView::optionsChanged, this, [this] { m_model.setOptions(m_document.options()); });
    connect(&m_document, &DocumentView::conversionChanged, this, &InputsPanel::refresh);
    refresh();
}

InputsPanel::~InputsPanel()
{
    // An open editor would otherwise signal the end of editing to a destroyed object.
    m_table->itemDelegateForColumn(InputsModel::ShapeColumn)->disconnect(this);
}

void InputsPanel::buildSignatures()
{
    m_signatureList->setObjectName(QStringLiteral("signaturesTable"));
    m_signatureList->setAccessibleName(tr("Signatures of the model"));
    m_signatureList->setModel(&m_signatures);
    m_signatureList->setRootIsDecorated(false);
    m_signatureList->setUniformRowHeights(true);
    m_signatureList->setEditTriggers(QAbstractItemView::NoEditTriggers);
    new FittedColumns(m_signatureList, SignaturesModel::InputsColumn);
    m_signatureList->hide();
    // Depending on the platform, a click activates a row as well.
    connect(m_signatureList, &QTreeView::clicked, this, [this](const QModelIndex& row) { chooseSignature(row.row()); });
    connect(m_signatureList, &QTreeView::activated, this,
            [this](const QModelIndex& row) { chooseSignature(row.row()); });
}

void InputsPanel::refreshSignatures()
{
    const auto* loaded = m_document.loaded();
    m_signatures.setSignatures(loaded != nullptr ? loaded->signatures : SignaturesModel::List());
    m_signatureList->setVisible(m_signatures.rowCount() > 1);
    showUsedSignature();
}

void InputsPanel::showUsedSignature()
{
    m_signatureList->setCurrentIndex(m_signatures.index(std::max(m_signatures.usedRow(), 0), 0));
}

void InputsPanel::chooseSignature(int row)
{
    if (row != m_signatures.usedRow() && m_document.isIdle() && m_document.compared() == nullptr) {
        emit signatureChosen(m_signatures.name(row));
    } else {
        showUsedSignature();
    }
}

void InputsPanel::addPreset(QLayout& row, const char* name, const QString& text, const QString& tip, ShapePreset preset)
{
    auto* button = new QPushButton(text, m_presets);
    button->setObjectName(QLatin1String(name));
    button->setAccessibleName(tr("Shapes of all inputs: %1").arg(text));
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, [this, preset] { emit presetChosen(preset); });
    row.addWidget(button);
}

void InputsPanel::editOpenShape()
{
    int row = 0;
    while (row + 1 < m_model.rowCount() && m_model.input(row).known.shape) {
        ++row;
    }
    if (m_model.rowCount() > 0) {
        const QModelIndex shape = m_model.index(row, InputsModel::ShapeColumn);
        m_table->setFocus(Qt::OtherFocusReason);
        m_table->setCurrentIndex(shape);
        m_table->edit(shape);
    }
}

void InputsPanel::refresh()
{
    const auto* loaded = m_document.loaded();
    if (loaded == nullptr) {
        m_model.setInputs({});
    } else {
        const auto& converted = m_document.converted();
        m_model.setInputs(inputsOf(*loaded->graph, converted
                                                       ? std::span<const TensorType>(converted->conversion.valueTypes)
                                                       : std::span<const TensorType>()));
    }
    m_model.setOptions(m_document.options());
    const bool isComparing = m_document.compared() != nullptr;
    m_table->setEnabled(!isComparing);
    m_signatureList->setEnabled(!isComparing);
    m_presets->setVisible(m_model.rowCount() > 0 && !isComparing);
    showProblem({});
}

void InputsPanel::showProblem(const QString& problem)
{
    QString text = problem;
    bool isError = !problem.isEmpty();
    if (text.isEmpty()) {
        std::string badInput;
        QString badText;
        // After the user has set shapes, they may be the cause of the first error at any node.
        const auto& problems = m_document.problems();
        const bool given = !m_document.options().shapes.empty() || !m_document.options().types.empty();
        const auto open = std::find_if(problems.begin(), problems.end(), [given](const Diagnostic& d) {
            return d.code == Code("unknown-shape") || d.code == Code("shape-conflict") ||
                   (given && d.severity == Severity::Error && !d.node.empty());
        });
        if (open != problems.end()) {
            const QString where = open->node.empty() ? QString() : displayText(open->node) + QStringLiteral(": ");
            text = where + messageText(open->message);
            isError = true;
            const auto& shapes = m_document.options().shapes;
            badInput = shapes.size() == 1 ? shapes.begin()->first : std::string();
            badText = text;
        } else if (m_document.compared() != nullptr) {
            text = tr("Two models are being compared: the inputs are those of the first model's file.");
        } else if (m_model.rowCount() > 0) {
            text = tr("Sizes or names: N, 3, 224, 224. A name is a dynamic dimension. Press Enter to convert, Ctrl+Z "
                      "to undo.");
        }
        m_model.setProblem(badInput, badText);
    }
    // Colours come from the style sheet, which follows the theme.
    m_message->setProperty("muted", !isError);
    m_message->setProperty("alarming", isError);
    m_message->style()->unpolish(m_message);
    m_message->style()->polish(m_message);
    m_message->setText(wrappable(text));
    m_message->setVisible(!text.isEmpty());
}

} // namespace crosswalk::ui
