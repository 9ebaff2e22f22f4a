#pragma once

#include "ui/document/document.h"
#include "ui/models/inputs_model.h"
#include "ui/models/signatures_model.h"

#include <QWidget>

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
    explicit InputsPanel(Document& document, QWidget* parent = nullptr);
    ~InputsPanel() override;
    InputsModel* model() { return &m_model; }
    /// Opens the editor of the first unknown shape, otherwise of the first shape.
    void editOpenShape();

signals:
    void signatureChosen(const std::string& signature);

private:
    void buildSignatures();
    void refreshSignatures();
    void chooseSignature(int row);
    void refresh();
    void showProblem(const QString& problem);
    void addPreset(QLayout& row, const char* name, const QString& text, const QString& tip, ShapePreset preset);

    Document& m_document;
    InputsModel m_model;
    SignaturesModel m_signatures;
    QTreeView* m_signatureList; ///< visible if there are several
    CellTable* m_table;
    QLabel* m_message;
    QWidget* m_presets;
};

} // namespace crosswalk::ui
