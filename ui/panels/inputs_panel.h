#pragma once

#include "ui/document/document_view.h"
#include "ui/document/shape_presets.h"
#include "ui/models/inputs_model.h"
#include "ui/models/signatures_model.h"

#include <QWidget>

#include <optional>
#include <string>

class QLabel;
class QLayout;
class QTreeView;

namespace crosswalk::ui {

class CellTable;

/// Edits the shapes and types of the model's inputs, and chooses the signature that they belong to. Every change
/// converts the model again; Ctrl+Z undoes a shape or type.
class InputsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit InputsPanel(const DocumentView& document, QWidget* parent = nullptr);
    ~InputsPanel() override;
    InputsModel* model() { return &m_model; }
    /// Opens the editor of the first unknown shape, otherwise of the first shape.
    void editOpenShape();

signals:
    void signatureChosen(const std::string& signature);
    /// Nothing: as in the file.
    void shapeEdited(const std::string& input, const std::optional<crosswalk::Shape>& shape);
    void typeEdited(const std::string& input, std::optional<crosswalk::ElementType> type);
    void presetChosen(crosswalk::ui::ShapePreset preset);

private:
    void buildSignatures();
    void refreshSignatures();
    void chooseSignature(int row);
    void showUsedSignature();
    void refresh();
    void showProblem(const QString& problem);
    void addPreset(QLayout& row, const char* name, const QString& text, const QString& tip, ShapePreset preset);

    const DocumentView& m_document;
    InputsModel m_model;
    SignaturesModel m_signatures;
    QTreeView* m_signatureList; ///< visible if there are several
    CellTable* m_table;
    QLabel* m_message;
    QWidget* m_presets;
};

} // namespace crosswalk::ui
