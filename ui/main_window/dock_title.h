#pragma once

#include <QDockWidget>

class QLabel;

namespace crosswalk::ui {

/// Title bar of a dock: its name (or a note about its contents if a tab shows the name), and buttons to float and close
/// it.
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
