#pragma once

#include "ui/document/document.h"
#include "ui/models/inputs_model.h"

#include <QWidget>

class QLabel;
class QLayout;

namespace crosswalk::ui {

class CellTable;

/// The model's inputs, whose shapes and types are edited here. The conversion follows at once; Ctrl+Z takes it back.
class InputsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit InputsPanel(Document& document, QWidget* parent = nullptr);
    ~InputsPanel() override;
    InputsModel* model() { return &m_model; }
    /// Opens the editor of the first shape that is not known, else of the first.
    void editOpenShape();

private:
    void refresh();
    void say(const QString& problem);
    void addPreset(QLayout& row, const char* name, const QString& text, const QString& tip, ShapePreset preset);

    Document& m_document;
    InputsModel m_model;
    CellTable* m_table;
    QLabel* m_message;
    QWidget* m_presets;
};

} // namespace crosswalk::ui
