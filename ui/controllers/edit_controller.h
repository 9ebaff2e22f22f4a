#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

namespace crosswalk::ui {

class GraphPanes;

/// Edits of a model besides its shapes: names of inputs and outputs, other outputs, a part of an ONNX source; and undo.
class EditController final : public Controller {
    Q_OBJECT
public:
    EditController(const WindowParts& parts, GraphPanes& panes);

private:
    void addCommands();
    bool isEditable() const { return m_document.isOpen() && m_document.compared() == nullptr; }
    void refreshUndoTexts();
    void askNames();
    void extractSelection();
    void makeSelectionOutput();
    /// Cuts the model in front of the selection.
    void cutHere();
    void showWhenConverted(const QString& text);

    GraphPanes& m_panes;
};

} // namespace crosswalk::ui
