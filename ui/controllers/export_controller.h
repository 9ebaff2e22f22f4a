#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

class QToolButton;

namespace crosswalk::ui {

class DragOutController;
class VerifyController;

/// Export to a file of the user's choice: its dialogs, its button, and its result.
class ExportController final : public Controller {
    Q_OBJECT
public:
    ExportController(const WindowParts& parts, DragOutController& dragOut, VerifyController& verify);

    /// The button of the tool bar, which names what an export would lack.
    QToolButton* makeButton(QWidget* parent);

private:
    void ask();
    void askPath();
    /// Asks before replacing a file; the question warns if it is the open model.
    void exportOver(const QString& path);
    void report(const ExportResult& result);
    void refreshButton();

    DragOutController& m_dragOut;
    VerifyController& m_verify;
    QToolButton* m_button = nullptr;
};

} // namespace crosswalk::ui
