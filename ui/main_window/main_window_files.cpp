// Changes of the open model's files on disk, and saving and restoring the state of a model.

#include "ui/canvas/canvas_view.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/models/shape_text.h"
#include "ui/panels/banner.h"
#include "ui/panels/graph_pane.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>

#include <algorithm>
#include <span>

namespace crosswalk::ui {
namespace {

const QString fileBanner = QStringLiteral("file");
constexpr std::size_t maxSelected = 64; ///< selected nodes to restore

QString wholePath(const std::filesystem::path& path)
{
    return path.empty() ? QString() : QFileInfo(pathText(path)).absoluteFilePath();
}

/// The files directly in the folder of a model that is a folder.
QStringList watchedFiles(const std::filesystem::path& path)
{
    constexpr qsizetype maxWatched = 64;
    const QFileInfo file(pathText(path));
    if (path.empty() || !file.isDir()) {
        return path.empty() ? QStringList() : QStringList{pathText(path)};
    }
    QStringList files;
    for (const QFileInfo& entry : QDir(file.filePath()).entryInfoList(QDir::Files).mid(0, maxWatched)) {
        files.append(entry.filePath());
    }
    return files;
}

} // namespace

void MainWindow::watchFiles()
{
    if (!m_watcher->files().isEmpty()) {
        m_watcher->removePaths(m_watcher->files());
    }
    m_banner->clear(fileBanner);
    if (const auto* loaded = m_document.loaded()) {
        const auto* compared = m_document.compared();
        for (const auto& path : {loaded->path, loaded->weights, compared ? compared->path : std::filesystem::path()}) {
            if (const QStringList files = watchedFiles(path); !files.isEmpty()) {
                m_watcher->addPaths(files);
            }
        }
    }
}

void MainWindow::reportFileChanged(const QString& path)
{
    if (!m_document.isOpen()) {
        return;
    }
    const QFileInfo file(path);
    if (!file.exists()) {
        m_banner->show(fileBanner, Severity::Warning,
                       tr("%1 was deleted. The open model keeps its contents.").arg(file.fileName()));
        return;
    }
    // The watcher loses a file that a program replaces by a new one.
    m_watcher->addPath(path);
    m_banner->show(fileBanner, Severity::Note, tr("%1 has changed on disk.").arg(file.fileName()), tr("Reload"),
                   [this] { reload(); });
}

void MainWindow::reload()
{
    if (const auto* loaded = m_document.loaded()) {
        readAgain(loaded->weights);
    }
}

void MainWindow::readAgain(const std::filesystem::path& weights)
{
    m_viewToRestore = view();
    m_document.openAgain(weights);
}

ModelView MainWindow::view() const
{
    ModelView view;
    view.side = m_document.selectedSide();
    for (const auto box :
         std::span(m_document.selection()).first(std::min(m_document.selection().size(), maxSelected))) {
        view.selected.append(fromUtf8(m_document.side(view.side)->label(box)));
    }
    for (const auto side : {Side::Source, Side::Target}) {
        const auto& place = (side == Side::Source ? m_sourcePane : m_targetPane)->canvas()->transform();
        view.places[static_cast<std::size_t>(side)] = place;
        auto& bodies = view.bodies[static_cast<std::size_t>(side)];
        const auto* shown = side == Side::Source ? m_sourcePane : m_targetPane;
        bodies = {shown->tabs(), shown->front()};
    }
    return view;
}

void MainWindow::restoreView()
{
    if (!m_viewToRestore || !m_document.converted()) {
        return;
    }
    const ModelView view = *std::exchange(m_viewToRestore, std::nullopt);
    const auto& side = m_document.side(view.side);
    std::vector<std::uint32_t> boxes;
    for (std::uint32_t i = 0; side && i < side->scene->nodes.size(); ++i) {
        if (view.selected.contains(fromUtf8(side->label(i)))) {
            boxes.push_back(i);
        }
    }
    m_document.select(view.side, std::move(boxes));
    for (const auto which : {Side::Source, Side::Target}) {
        canvas(which)->setTransform(view.places[static_cast<std::size_t>(which)]);
        const auto& bodies = view.bodies[static_cast<std::size_t>(which)];
        for (const auto& path : m_document.side(which) ? bodies.paths : std::vector<BodyPath>()) {
            pane(which)->openTab(*m_document.side(which), path);
        }
        pane(which)->showFront(bodies.front);
    }
}

ModelState MainWindow::state() const
{
    const auto files = m_document.files();
    if (!files) {
        return {};
    }
    const bool isSeen = m_document.isOpen() && m_document.path() == files->model;
    return {wholePath(files->model),
            wholePath(files->weights),
            files->options,
            m_viewToRestore ? m_viewToRestore
            : isSeen        ? std::optional(view())
                            : std::nullopt,
            wholePath(files->compared),
            files->signature};
}

void MainWindow::restore(const ModelState& state)
{
    if (!state.isThere()) {
        return;
    }
    m_viewToRestore = state.view;
    const QString weights = !state.weights.isEmpty() && QFileInfo::exists(state.weights) ? state.weights : QString();
    if (!state.compared.isEmpty() && QFileInfo::exists(state.compared)) {
        m_document.compare(state.model.toStdString(), state.compared.toStdString(), weights.toStdString(),
                           state.options);
    } else {
        m_document.open(state.model.toStdString(), weights.toStdString(), state.options, state.signature);
    }
}

} // namespace crosswalk::ui
