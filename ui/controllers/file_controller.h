#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"
#include "ui/main_window/session.h"

#include <QList>
#include <QUrl>

#include <filesystem>
#include <optional>

class QFileSystemWatcher;
class QMenu;

namespace crosswalk::ui {

class DockController;
class GraphPanes;
class RecentFiles;
class VerifyController;

/// The files of the model: choosing and opening them, recent ones, changes on disk, and the state that a session saves
/// and restores.
class FileController final : public Controller {
    Q_OBJECT
public:
    FileController(const WindowParts& parts, RecentFiles& recent, GraphPanes& panes, DockController& docks,
                   VerifyController& verify);

    /// The recently opened models.
    QMenu& recentMenu() { return *m_recentMenu; }
    void refreshRecent();
    void askOpen(bool isFolder = false);
    /// Opens models, reopens the model with weights, or verifies against recorded tensors.
    void takeFiles(const QList<QUrl>& urls);
    ModelState state() const;
    void restore(const ModelState& state);

signals:
    /// A model to open in this window or another one. Empty weights: those next to the model.
    void openRequested(const QString& path, const QString& weights);
    /// The models of a folder, in a window of their own.
    void collectionRequested(const QString& folder);

private:
    void addCommands();
    void askWeights();
    /// Opens the only model in a folder, or asks which one; returns false if there is none.
    bool openModelIn(const QString& folder);
    void reportOpenFailed(const Diagnostic& problem, const std::filesystem::path& path);
    void watchFiles();
    void reportFileChanged(const QString& path);
    /// Reports files that were deleted and are there again.
    void findRewritten();
    void reload();
    void reloadLarge();
    void readAgain(const std::filesystem::path& weights);
    // The view of the model: view_state.cpp.
    ModelView view() const;
    void restoreView();

    RecentFiles& m_recent;
    GraphPanes& m_panes;
    VerifyController& m_verify;
    QMenu* m_recentMenu;
    QFileSystemWatcher* m_watcher;
    QStringList m_deleted;                    ///< files of the model that the watcher lost
    std::optional<ModelView> m_viewToRestore; ///< applied after the conversion
    std::filesystem::path m_watchedComparison;
};

} // namespace crosswalk::ui
