#pragma once

#include <QDockWidget>

class QLabel;

namespace crosswalk::ui {

/// Title of a dock: its name, or, where a tab says the name already, a note about its content; float and close.
class DockTitle final : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    void setNote(const QString& note);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    QDockWidget* m_dock;
    QLabel* m_text;
    QString m_note;
};

} // namespace crosswalk::ui
