#pragma once

#include <QObject>

class QMainWindow;
class QSettings;

namespace crosswalk::ui {

class CommandSet;
class Document;
class Messages;

/// What all controllers of a window use.
struct WindowParts {
    QMainWindow& window;
    Document& document;
    CommandSet& commands;
    Messages& messages;
    QSettings* settings; ///< null: nothing is stored
};

/// Owns one concern of the window: its commands, its dialogs, and its reaction to the document. The window creates the
/// controllers and connects them.
class Controller : public QObject {
    Q_OBJECT
protected:
    explicit Controller(const WindowParts& parts);

    QMainWindow& m_window;
    Document& m_document;
    CommandSet& m_commands;
    Messages& m_messages;
    QSettings* m_settings;
};

} // namespace crosswalk::ui
