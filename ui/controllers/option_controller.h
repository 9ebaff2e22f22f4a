#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <functional>

class QMenu;

namespace crosswalk::ui {

class Command;

/// The conversion options of the model: opset, recurrent layers, and optimizations.
class OptionController final : public Controller {
    Q_OBJECT
public:
    explicit OptionController(const WindowParts& parts);

    QMenu& opsetMenu() { return *m_opsetMenu; }
    QMenu& recurrentMenu() { return *m_recurrentMenu; }

private:
    void addOpsets();
    void addRecurrent();
    Command& addSwitch(const char* name, const QString& text, Qt::Key key, bool ConvertOptions::*option,
                       const std::function<void(bool)>& set);
    bool isEditable() const { return m_document.isOpen() && m_document.compared() == nullptr; }

    QMenu* m_opsetMenu;
    QMenu* m_recurrentMenu;
};

} // namespace crosswalk::ui
