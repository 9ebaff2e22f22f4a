#pragma once

#include "crosswalk/options.h"
#include "ui/collection/collection_filter.h"

#include <QMainWindow>

#include <string>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTextBrowser;
class QTreeView;

namespace crosswalk::ui {

class ElidedLabel;
class Toast;

/// A window for the models of a folder: a table with the verdict of each, found by checking them in processes of their
/// own. Opens single models and converts all of them.
class CollectionWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// `options`: of each conversion.
    explicit CollectionWindow(const ConvertOptions& options, QWidget* parent = nullptr);
    ~CollectionWindow() override;

    /// Finds the models of the folder and checks them.
    void openFolder(const QString& folder);
    /// Converts all models into a folder, and asks before it replaces files there.
    void convertInto(const QString& folder);
    bool isIdle() const { return !m_job->isBusy(); }
    CollectionTable* table() { return &m_table; }

signals:
    /// The user opens a model of the table.
    void modelChosen(const QString& path);
    void becameIdle();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildActions();
    QAction* addCommand(QMenu* menu, const char* name, const QString& text, const QKeySequence& shortcut,
                        void (CollectionWindow::*run)());
    QWidget* buildContent();
    void buildStatusBar();

    void askFolder();
    void askConvert();
    void askReport();
    void checkAgain();
    void checkRest();
    void cancel();
    void openSelected();
    void showInFolder();
    void copyPaths();
    void showArchitecture();
    void focusFilter();
    void showMenu(const QPoint& place);

    void check(std::vector<CollectionModel> models);
    void convert(const std::filesystem::path& output);
    /// Starts a run; false if there is no program for it.
    bool start(std::vector<CollectionModel> models, CollectionRun run);
    void take(const std::vector<FoundModel>& models);
    void finish();
    void reportFailed(const QString& text);

    void refresh();
    void refreshSelection();
    void refreshFilters();
    void showCounts();
    void showDetails();
    QList<int> selectedRows() const;

    QString m_folder;
    std::vector<std::string> m_options; ///< of each conversion, as on the command line
    std::filesystem::path m_output;     ///< of the last conversion; empty before
    bool m_isConverting = false;
    bool m_isSearching = false;
    CollectionTable m_table;
    CollectionFilter m_filter{&m_table, nullptr};
    CollectionJob* m_job;

    QHash<QString, QAction*> m_actions;
    ElidedLabel* m_title = nullptr;
    QLineEdit* m_query = nullptr;
    QComboBox* m_verdict = nullptr;
    QComboBox* m_reason = nullptr;
    QLabel* m_count = nullptr;
    QStackedWidget* m_stack = nullptr;
    QTreeView* m_view = nullptr;
    QLabel* m_empty = nullptr;
    QPushButton* m_chooseButton = nullptr;
    QTextBrowser* m_details = nullptr;
    QLabel* m_status = nullptr;
    QWidget* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progressBar = nullptr;
    Toast* m_toast = nullptr;
};

/// The options as arguments of crosswalk's command line, those of settings for all models.
std::vector<std::string> optionsAsArguments(const ConvertOptions& options);

} // namespace crosswalk::ui
