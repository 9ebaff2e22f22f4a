#include "ui/controllers/file_controller.h"

#include "core/formats/file_kind.h"
#include "core/formats/read_model.h"
#include "core/verify/data_sets.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/menu_text.h"
#include "ui/controllers/messages.h"
#include "ui/controllers/verify_controller.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/recent_files.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/inputs_panel.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace crosswalk::ui {

namespace {

const QString fileBanner = QStringLiteral("file");
const QString openBanner = QStringLiteral("open"); ///< a model cannot be opened

constexpr std::size_t mostFiles = 1000; ///< searched for models in a folder: the window waits for it

bool containsModel(const std::filesystem::path& folder)
{
    return std::ranges::any_of(modelsIn(folder, mostFiles), isModelFile);
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

FileController::FileController(const WindowParts& parts, RecentFiles& recent, GraphPanes& panes, DockController& docks,
                               VerifyController& verify)
    : Controller(parts)
    , m_recent(recent)
    , m_panes(panes)
    , m_verify(verify)
    , m_recentMenu(new QMenu(tr("Open &recent"), &m_window))
    , m_watcher(new QFileSystemWatcher(this))
{
    m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
    addCommands();
    connect(&docks, &DockController::weightsRequested, this, &FileController::askWeights);
    connect(&docks.inputs(), &InputsPanel::signatureChosen, this, [this](const std::string& signature) {
        m_viewToRestore = view();
        m_document.useSignature(signature);
    });
    connect(&m_recent, &RecentFiles::changed, this, &FileController::refreshRecent);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &FileController::reportFileChanged);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileController::findRewritten);
    connect(&m_document, &Document::opened, this, [this] {
        if (m_document.isOpen()) {
            m_recent.add(QString::fromStdString(m_document.path().string()));
        }
        watchFiles();
    });
    connect(&m_document, &Document::openFailed, this, &FileController::reportOpenFailed);
    // The view must not be restored later, after the user has moved it.
    connect(&m_document, &Document::openCancelled, this, [this] { m_viewToRestore.reset(); });
    connect(&m_document, &Document::conversionCancelled, this, [this] { m_viewToRestore.reset(); });
    connect(&m_document, &Document::conversionChanged, this, [this] {
        const auto* compared = m_document.compared();
        const auto with = compared != nullptr ? compared->path : std::filesystem::path();
        if (std::exchange(m_watchedComparison, with) != with) {
            watchFiles();
            m_messages.banner().clear(openBanner);
        }
        restoreView();
    });
    refreshRecent();
}

void FileController::addCommands()
{
    m_commands.add("fileOpen", tr("&Open\u2026"), QKeySequence::Open, "open", [this] { askOpen(); });
    m_commands.add("fileOpenFolder", tr("Open &folder\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), nullptr,
                   [this] { askOpen(true); });
    m_commands
        .add("fileWeights", tr("Choose &weights\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), nullptr,
             [this] { askWeights(); })
        .enabledIf([this] { return m_document.isOpen(); });
    m_commands.add("fileReload", tr("Re&load from disk"), QKeySequence(Qt::Key_F5), nullptr, [this] { reload(); })
        .enabledIf([this] { return m_document.isOpen(); });
    m_commands
        .add("fileReloadLarge", tr("Reload without li&mits"), QKeySequence(Qt::SHIFT | Qt::Key_F5), nullptr,
             [this] { reloadLarge(); })
        .enabledIf([this] { return m_document.isOpen() && !m_document.loaded()->graph->budget.allowsLarge(); });
}

void FileController::askOpen(bool isFolder)
{
    const QString folder = m_document.isOpen()          ? pathText(m_document.path().parent_path())
                           : m_recent.paths().isEmpty() ? QDir::homePath()
                                                        : QFileInfo(m_recent.paths().front()).absolutePath();
    auto* dialog = isFolder ? fileDialog(&m_window, "openFolderDialog", tr("Open a model folder"), folder, {})
                            : fileDialog(&m_window, "openDialog", tr("Open a model"), folder, modelFilter());
    dialog->setFileMode(isFolder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { emit openRequested(path, {}); });
    dialog->open();
}

bool FileController::openModelIn(const QString& folder)
{
    const auto models = modelsIn(folder.toStdString(), mostFiles);
    if (models.empty()) {
        return false;
    }
    if (models.size() == 1) {
        emit openRequested(pathText(models.front()), {});
        return true;
    }
    auto* dialog = new QDialog(&m_window);
    dialog->setObjectName(QStringLiteral("folderDialog"));
    dialog->setWindowTitle(tr("Open a model of %1").arg(displayText(QFileInfo(folder).fileName())));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto count = static_cast<int>(models.size());
    auto* text =
        new QLabel(tr("The folder contains %Ln models. Which one do you want to open?", nullptr, count), dialog);
    auto* list = new QListWidget(dialog);
    list->setObjectName(QStringLiteral("folderModels"));
    list->setAccessibleName(tr("Models in the folder"));
    for (const auto& model : models) {
        auto* item = new QListWidgetItem(displayText(model.filename().string()), list);
        item->setData(Qt::UserRole, pathText(model));
    }
    list->setCurrentRow(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, dialog);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(list);
    layout->addWidget(buttons);
    if (m_commands["fileOpenCollection"]->isEnabled()) {
        auto* all = buttons->addButton(tr("Show as a &collection"), QDialogButtonBox::ActionRole);
        all->setObjectName(QStringLiteral("folderCollection"));
        connect(all, &QPushButton::clicked, this, [this, dialog, folder] {
            dialog->reject();
            emit collectionRequested(folder);
        });
    }
    connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(list, &QListWidget::itemDoubleClicked, dialog, &QDialog::accept);
    connect(dialog, &QDialog::accepted, this, [this, list] {
        if (const auto* item = list->currentItem()) {
            emit openRequested(item->data(Qt::UserRole).toString(), {});
        }
    });
    dialog->open();
    list->setFocus();
    return true;
}

void FileController::askWeights()
{
    auto* dialog = fileDialog(&m_window, "weightsDialog",
                              tr("Choose the weights of %1").arg(displayText(m_document.path().filename().string())),
                              pathText(m_document.path().parent_path()), weightsFilter());
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { readAgain(std::filesystem::path(path.toStdString())); });
    dialog->open();
}

void FileController::refreshRecent()
{
    m_recentMenu->clear();
    for (const auto& path : m_recent.paths()) {
        auto* action = m_recentMenu->addAction(menuText(displayText(QDir::toNativeSeparators(path))));
        connect(action, &QAction::triggered, this, [this, path] { emit openRequested(path, {}); });
    }
    if (!m_recentMenu->isEmpty()) {
        m_recentMenu->addSeparator();
        connect(m_recentMenu->addAction(tr("Clear the list")), &QAction::triggered, &m_recent, &RecentFiles::clear);
    }
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
}

void FileController::reportOpenFailed(const Diagnostic& problem, const std::filesystem::path& path)
{
    // If only the second model of a comparison cannot be read, the first one is about to be shown.
    const bool isSecond = m_document.isOpen() && !m_document.converted();
    const auto requested = isSecond ? std::nullopt : std::exchange(m_viewToRestore, std::nullopt);
    // A folder that is not a model itself may contain models.
    std::error_code ignored;
    if (problem.code == Code("unreadable") && std::filesystem::is_directory(path, ignored)) {
        const QString folder = pathText(path);
        if (openModelIn(folder)) {
            return;
        }
        const bool hasFolders = !QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty();
        if (hasFolders && m_commands["fileOpenCollection"]->isEnabled()) {
            m_messages.banner().show(
                openBanner, Severity::Warning,
                tr("%1 itself contains no model. The models in its subfolders can be shown as a collection.")
                    .arg(displayText(path.filename().string())),
                tr("Show as a collection"), [this, folder] { emit collectionRequested(folder); });
            return;
        }
    }
    const QString text = withHint(
        tr("%1 cannot be opened: %2.").arg(displayText(path.filename().string()), messageText(problem.message)),
        problem);
    if (problem.code == Code("large-file")) {
        m_messages.banner().show(openBanner, Severity::Error, text, tr("Open anyway"), [this, path, requested] {
            if (m_document.isOpen() && path == m_document.path()) {
                m_viewToRestore = view();
            } else if (requested) {
                m_viewToRestore = requested;
            }
            m_document.openRefused();
        });
        return;
    }
    m_messages.banner().show(openBanner, Severity::Error, text, tr("Open another\u2026"), [this] { askOpen(); });
}

void FileController::takeFiles(const QList<QUrl>& urls)
{
    QStringList models;
    std::filesystem::path weights;
    std::filesystem::path data;
    for (const auto& url : urls) {
        const std::filesystem::path path(url.toLocalFile().toStdString());
        // A folder may contain the model as well as recorded tensors, a weights file the model itself.
        if (const auto recorded = dataFolderOf(path); recorded && !containsModel(path)) {
            data = *recorded;
        } else if (isWeightsFile(url.toLocalFile()) && !isModelFile(path)) {
            weights = path;
        } else {
            models.append(url.toLocalFile());
        }
    }
    if (!models.isEmpty()) {
        // Weights belong to the model dropped with them; several models look for their own weights.
        for (const auto& model : std::as_const(models)) {
            emit openRequested(model, models.size() == 1 ? QString::fromStdString(weights.string()) : QString());
        }
    } else if (!weights.empty()) {
        if (m_document.isOpen()) {
            readAgain(weights);
        } else { // the reader's error names the file to open instead
            emit openRequested(QString::fromStdString(weights.string()), {});
        }
    } else if (!data.empty()) {
        m_verify.verifyAgainst(data);
    }
}

void FileController::watchFiles()
{
    m_deleted.clear();
    if (const QStringList watched = m_watcher->files() + m_watcher->directories(); !watched.isEmpty()) {
        m_watcher->removePaths(watched);
    }
    m_messages.banner().clear(fileBanner);
    if (const auto* loaded = m_document.loaded()) {
        const auto* compared = m_document.compared();
        for (const auto& path : {loaded->path, loaded->weights, compared ? compared->path : std::filesystem::path()}) {
            if (const QStringList files = watchedFiles(path); !files.isEmpty()) {
                m_watcher->addPaths(files);
            }
        }
    }
}

void FileController::reportFileChanged(const QString& path)
{
    if (!m_document.isOpen()) {
        return;
    }
    const QFileInfo file(path);
    if (!file.exists()) {
        m_messages.banner().show(
            fileBanner, Severity::Warning,
            tr("%1 was deleted. The open model keeps its contents.").arg(displayText(file.fileName())));
        m_deleted.append(path);
        m_watcher->addPath(file.absolutePath());
        findRewritten(); // before the folder was watched
        return;
    }
    // The watcher loses a file that a program replaces by a new one.
    m_watcher->addPath(path);
    m_messages.banner().show(fileBanner, Severity::Note,
                             tr("%1 has changed on disk.").arg(displayText(file.fileName())), tr("Reload"),
                             [this] { reload(); });
}

void FileController::findRewritten()
{
    QStringList rewritten;
    std::ranges::copy_if(m_deleted, std::back_inserter(rewritten),
                         [](const QString& path) { return QFileInfo::exists(path); });
    for (const QString& path : std::as_const(rewritten)) {
        m_deleted.removeAll(path);
        reportFileChanged(path);
    }
}

void FileController::reload()
{
    if (const auto* loaded = m_document.loaded()) {
        readAgain(loaded->weights);
    }
}

void FileController::reloadLarge()
{
    m_viewToRestore = view();
    m_document.openAgain(m_document.loaded()->weights, true);
}

void FileController::readAgain(const std::filesystem::path& weights)
{
    m_viewToRestore = view();
    m_document.openAgain(weights);
}

} // namespace crosswalk::ui
