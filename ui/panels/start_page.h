#pragma once

#include <QWidget>

#include <utility>

class QLabel;
class QVBoxLayout;

namespace crosswalk::ui {

class RecentFiles;

/// The page shown while no model is open: drop a model, open one, a recent one, or an example.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    StartPage(RecentFiles& recent, QWidget* parent = nullptr);

signals:
    void openAsked();
    void pathChosen(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void addLink(QVBoxLayout* column, const QString& title, const QString& path);

    RecentFiles& m_recent;
    QWidget* m_drop;
    QVBoxLayout* m_recentColumn;
    QVBoxLayout* m_exampleColumn;
};

/// Titles and files of the installed example models.
QList<std::pair<QString, QString>> exampleModels();

} // namespace crosswalk::ui
