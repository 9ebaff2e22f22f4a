#include "ui/controllers/controller.h"

#include <QMainWindow>

namespace crosswalk::ui {

Controller::Controller(const WindowParts& parts)
    : QObject(&parts.window)
    , m_window(parts.window)
    , m_document(parts.document)
    , m_commands(parts.commands)
    , m_messages(parts.messages)
    , m_settings(parts.settings)
{
}

} // namespace crosswalk::ui
