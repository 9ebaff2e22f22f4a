#include "ui/main_window/tabbed_window.h"

#include "ui/collection/collection_window.h"
#include "ui/main_window/crash_recovery.h"
#include "ui/main_window/dropped_files.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/models/shape_text.h"
#include "ui/panels/closable_tabs.h"
#include "ui/theme/icons.h"
#include "ui/theme/styled_parts.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxClosed = 10;
const QString geometryKey = QStringLiteral("window/geometry");

/// Set while all windows close: keep the session as it was before.
bool quitting = false;

} // namespace

TabbedWindow::TabbedWindow(std::unique_ptr<QSettings> settings, QWidget* parent)
    : QWidget(parent)
    , m_settings(std::move(settings))
    , m_bars(new QStackedWidget(this))
    , m_tabs(new ClosableTabs(QStringLiteral("modelTabs"), tr("Open models"), this))
    , m_models(new QStackedWidget(this))
{
    setObjectName(QStringLiteral("tabbedWindow"));
    m_bars->setObjectName(QStringLiteral("modelBars"));
    m_bars->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    styleApart(*m_tabs);
    m_tabs->setMovable(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bars);
    layout->addWidget(m_tabs);
    layout->addWidget(m_models, 1);
    connect(m_tabs, &QTabBar::tabCloseRequested, this, &TabbedWindow::closeTab);
    connect(m_tabs, &QTabBar::currentChanged, this, &TabbedWindow::showTab);
    connect(m_tabs, &QTabBar::tabMoved, this, [this](int from, int to) {
        std::swap(m_pages[static_cast<std::size_t>(from)], m_pages[static_cast<std::size_t>(to)]);
        m_front = m_tabs->currentIndex();
    });
    setAcceptDrops(true);
    resize(1440, 900);
    if (m_settings) {
        restoreGeometry(m_settings->value(geometryKey).toByteArray());
        m_recovery = std::make_unique<CrashRecovery>(QFileInfo(m_settings->fileName()).absolutePath() +
                                                     QStringLiteral("/recovery"));
    }
    addTab();
}

TabbedWindow::~TabbedWindow()
{
    m_tabs->disconnect(this);
    m_pages.clear();
}

MainWindow* TabbedWindow::addTab()
{
    return adopt(new MainWindow(openedAgain(m_settings.get()), this));
}

MainWindow* TabbedWindow::adopt(MainWindow* model)
{
    auto* bars = new QWidget(m_bars);
    styleApart(*bars);
    auto* column = new QVBoxLayout(bars);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    model->moveBars(column);
    m_bars->addWidget(bars);
    model->setWindowFlags(Qt::Widget);
    m_models->addWidget(model);
    model->setTabs(this);
    connect(model, &QWidget::windowTitleChanged, this, &TabbedWindow::showTitles);
    connect(&model->document(), &Document::busyChanged, this, &TabbedWindow::showTitles);
    connect(&model->document(), &Document::optionsChanged, this, &TabbedWindow::storeEdits);
    connect(&model->document(), &Document::opened, this, [this, model] {
        showTitles();
        storeEdits();
        for (const auto& page : m_pages) {
            if (page.model != model && model->document().isOpen() && page.model->document().isOpen()) {
                model->takeLayout(*page.model);
                break;
            }
        }
    });
    m_pages.push_back({model, bars, std::nullopt});
    showTab(m_tabs->addClosable(QString()));
    storeEdits();
    return model;
}

TabbedWindow::Page TabbedWindow::release(int tab)
{
    Page page = m_pages[static_cast<std::size_t>(tab)];
    page.model->document().disconnect(this);
    page.model->disconnect(this);
    m_pages.erase(m_pages.begin() + tab);
    m_front = -1;
    m_bars->removeWidget(page.bars);
    m_models->removeWidget(page.model);
    m_tabs->removeTab(tab);
    if (!m_pages.empty()) {
        showTab(m_tabs->currentIndex());
    }
    storeEdits();
    return page;
}

int TabbedWindow::tabOf(const MainWindow* model) const
{
    const auto found =
        std::find_if(m_pages.begin(), m_pages.end(), [model](const Page& page) { return page.model == model; });
    return static_cast<int>(found - m_pages.begin());
}

void TabbedWindow::showTab(int tab)
{
    if (tab < 0 || tab >= count()) {
        return;
    }
    Page& page = m_pages[static_cast<std::size_t>(tab)];
    auto* before = qobject_cast<MainWindow*>(m_models->currentWidget());
    m_front = tab;
    m_tabs->setCurrentIndex(tab);
    m_bars->setCurrentWidget(page.bars);
    m_models->setCurrentWidget(page.model);
    if (page.waiting) {
        page.model->restore(*std::exchange(page.waiting, std::nullopt));
    } else if (before != nullptr && before != page.model && before->document().isOpen() &&
               page.model->document().isOpen()) {
        page.model->takeLayout(*before);
    }
    if (!m_tabs->hasFocus()) {
        page.model->takeFocus();
    }
    showTitles();
    for (const auto& other : m_pages) {
        other.model->refreshTabActions();
    }
}

void TabbedWindow::stepTab(int step)
{
    showTab((m_front + step + count()) % count());
}

void TabbedWindow::showTitles()
{
    QStringList names;
    for (const auto& page : m_pages) {
        const QString model = stateOf(page).model;
        const QString failed = page.model->windowFilePath();
        names.append(!model.isEmpty()    ? displayText(QFileInfo(model).fileName())
                     : !failed.isEmpty() ? displayText(QFileInfo(failed).fileName())
                                         : tr("New tab"));
    }
    for (int i = 0; i < count(); ++i) {
        const QString path = stateOf(m_pages[static_cast<std::size_t>(i)]).model;
        // Many models are called model-symbol.json: add the folder to distinguish them.
        const bool isAmbiguous = !path.isEmpty() && names.count(names[i]) > 1;
        const QString text = isAmbiguous ? displayText(QFileInfo(path).dir().dirName()) + u'/' + names[i] : names[i];
        m_tabs->setTabText(i, QString(text).replace(u'&', QStringLiteral("&&")));
        m_tabs->setTabToolTip(i, displayText(QDir::toNativeSeparators(path)));
    }
    m_tabs->setVisible(count() > 1);
    if (m_front >= 0) {
        setWindowTitle(current()->windowTitle());
    }
}

std::vector<TabbedWindow::Page>::iterator TabbedWindow::pageOf(const QString& model)
{
    return std::find_if(m_pages.begin(), m_pages.end(), [&](const Page& page) { return stateOf(page).model == model; });
}

MainWindow* TabbedWindow::vacantTab()
{
    return current()->isVacant() ? current() : addTab();
}

ModelState TabbedWindow::stateOf(const Page& page) const
{
    return page.waiting ? *page.waiting : page.model->state();
}

void TabbedWindow::openModel(const QString& path, const QString& weights)
{
    openModel({.model = path.toStdString(),
               .weights = weights.toStdString(),
               .options = current()->preferences().startingOptions()});
}

void TabbedWindow::openModel(OpenedFiles files)
{
    const QString whole = QFileInfo(QString::fromStdString(files.model.string())).absoluteFilePath();
    if (const auto shown = files.weights.empty() ? pageOf(whole) : m_pages.end(); shown != m_pages.end()) {
        showTab(static_cast<int>(shown - m_pages.begin()));
        return;
    }
    vacantTab()->document().open(std::move(files));
}

void TabbedWindow::closeTab(int tab)
{
    if (tab < 0 || tab >= count()) {
        return;
    }
    MainWindow* model = m_pages[static_cast<std::size_t>(tab)].model;
    if (const QStringList unfinished = model->document().exporter().activities(); !unfinished.isEmpty()) {
        askToStop(unfinished, *model, [this, model] { dropTab(tabOf(model)); });
    } else {
        dropTab(tab);
    }
}

void TabbedWindow::askToStop(const QStringList& activities, const QObject& context, std::function<void()> close)
{
    auto* question = new QMessageBox(QMessageBox::Question, tr("Stop writing files"),
                                     tr("Files are still being written. Close anyway?"), QMessageBox::Cancel, this);
    question->setIconPixmap(iconPixmap(QLatin1String("warning"), theme().approximate, 40, devicePixelRatioF()));
    question->setObjectName(QStringLiteral("stopDialog"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(activities.join(u'\n'));
    question->setDefaultButton(QMessageBox::Cancel);
    auto* stop = question->addButton(tr("Stop and close"), QMessageBox::DestructiveRole);
    stop->setObjectName(QStringLiteral("stopAndClose"));
    connect(stop, &QAbstractButton::clicked, &context, [close = std::move(close)] { close(); });
    question->open();
}

void TabbedWindow::dropTab(int tab)
{
    const Page& page = m_pages[static_cast<std::size_t>(tab)];
    if (auto state = stateOf(page); !state.model.isEmpty()) {
        m_closed.push_back(std::move(state));
        if (m_closed.size() > maxClosed) {
            m_closed.erase(m_closed.begin());
        }
    } else if (count() == 1) {
        close();
        return;
    }
    if (page.model->document().isOpen()) {
        page.model->saveLayout();
    }
    if (count() == 1) {
        page.model->document().close();
        page.model->refreshTabActions();
    } else {
        const Page gone = release(tab);
        gone.model->document().cancel();
        gone.model->deleteLater();
        gone.bars->deleteLater();
    }
    saveSession();
}

void TabbedWindow::reopenClosed()
{
    if (m_closed.empty()) {
        return;
    }
    const ModelState state = std::move(m_closed.back());
    m_closed.pop_back();
    vacantTab()->restore(state);
}

TabbedWindow* TabbedWindow::openWindow()
{
    auto* window = new TabbedWindow(openedAgain(m_settings.get()));
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->resize(size());
    window->move(pos() + QPoint(32, 32));
    window->show();
    return window;
}

void TabbedWindow::moveToWindow()
{
    if (count() < 2) {
        return;
    }
    const Page page = release(m_front);
    TabbedWindow* window = openWindow();
    // The bars continue in their frame of the new window.
    window->adopt(page.model);
    page.bars->deleteLater();
    window->closeTab(0);
    window->activateWindow();
}

void TabbedWindow::askCollection()
{
    const QString model = current()->state().model;
    auto* dialog = fileDialog(this, "collectionDialog", tr("Open a folder as a collection"),
                              model.isEmpty() ? QDir::homePath() : QFileInfo(model).absolutePath(), {});
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &TabbedWindow::openCollection);
    dialog->open();
}

CollectionWindow* TabbedWindow::openCollection(const QString& folder)
{
    auto* collection = new CollectionWindow(current()->preferences().startingOptions());
    collection->setAttribute(Qt::WA_DeleteOnClose);
    // The collection outlives this window.
    connect(collection, &CollectionWindow::modelChosen, collection,
            [window = QPointer<TabbedWindow>(this),
             settings = std::shared_ptr<QSettings>(openedAgain(m_settings.get()))](const QString& path) mutable {
                if (window == nullptr || !window->isVisible()) {
                    window = new TabbedWindow(openedAgain(settings.get()));
                    window->setAttribute(Qt::WA_DeleteOnClose);
                    window->show();
                }
                window->openModel(path);
                window->raise();
                window->activateWindow();
            });
    collection->move(pos() + QPoint(32, 32));
    collection->show();
    collection->activateWindow();
    collection->openFolder(folder);
    return collection;
}

QList<const TabbedWindow*> TabbedWindow::windowsOfSession() const
{
    QList<const TabbedWindow*> windows{this};
    for (const auto* widget : QApplication::topLevelWidgets()) {
        const auto* window = qobject_cast<const TabbedWindow*>(widget);
        if (window != nullptr && window != this && window->isVisible() && window->m_settings &&
            window->m_settings->fileName() == m_settings->fileName()) {
            windows.append(window);
        }
    }
    return windows;
}

void TabbedWindow::takePreferences() const
{
    const auto windows = m_settings ? windowsOfSession() : QList<const TabbedWindow*>{this};
    for (const auto* window : windows) {
        for (const Page& page : window->m_pages) {
            page.model->takePreferences();
        }
    }
}

void TabbedWindow::saveSession() const
{
    if (!m_settings || quitting) {
        return;
    }
    m_settings->remove(QStringLiteral("session"));
    m_settings->beginGroup(QStringLiteral("session"));
    m_settings->beginWriteArray(QStringLiteral("windows"));
    int at = 0;
    for (const auto* window : windowsOfSession()) {
        m_settings->setArrayIndex(at++);
        m_settings->setValue(QStringLiteral("geometry"), window->saveGeometry());
        m_settings->setValue(QStringLiteral("front"), window->m_front);
        m_settings->beginWriteArray(QStringLiteral("tabs"), window->count());
        for (int tab = 0; tab < window->count(); ++tab) {
            m_settings->setArrayIndex(tab);
            writeState(*m_settings, stateOf(window->m_pages[static_cast<std::size_t>(tab)]));
        }
        m_settings->endArray();
    }
    m_settings->endArray();
    m_settings->endGroup();
}

void TabbedWindow::restoreSession()
{
    if (!m_settings || !Preferences(m_settings.get()).restoresSession()) {
        return;
    }
    struct Left {
        QByteArray geometry;
        int front = 0;
        std::vector<ModelState> models;
    };
    std::vector<Left> windows;
    m_settings->beginGroup(QStringLiteral("session"));
    const int count = m_settings->beginReadArray(QStringLiteral("windows"));
    for (int i = 0; i < count; ++i) {
        m_settings->setArrayIndex(i);
        Left left{m_settings->value(QStringLiteral("geometry")).toByteArray(), 0, {}};
        const int front = m_settings->value(QStringLiteral("front")).toInt();
        const int tabs = m_settings->beginReadArray(QStringLiteral("tabs"));
        for (int tab = 0; tab < tabs; ++tab) {
            m_settings->setArrayIndex(tab);
            if (ModelState state = readState(*m_settings); state.isThere()) {
                left.front = tab <= front ? static_cast<int>(left.models.size()) : left.front;
                left.models.push_back(std::move(state));
            }
        }
        m_settings->endArray();
        if (!left.models.empty()) {
            windows.push_back(std::move(left));
        }
    }
    m_settings->endArray();
    m_settings->endGroup();
    TabbedWindow* window = this;
    for (const auto& left : windows) {
        window = window == nullptr ? openWindow() : window;
        window->restoreGeometry(left.geometry);
        for (std::size_t i = 0; i < left.models.size(); ++i) {
            if (i > 0) {
                window->addTab();
            }
            window->m_pages.back().waiting = left.models[i];
        }
        window->showTab(left.front);
        window = nullptr;
    }
}

void TabbedWindow::storeEdits()
{
    if (!m_recovery) {
        return;
    }
    std::vector<ModelState> edited;
    for (const Page& page : m_pages) {
        if (ModelState state = stateOf(page); state.isEdited(page.model->preferences().startingOptions())) {
            edited.push_back(std::move(state));
        }
    }
    m_recovery->store(edited);
}

void TabbedWindow::offerLeftEdits()
{
    const auto left = m_recovery ? m_recovery->findLeft() : std::vector<LeftEdits>();
    if (left.empty()) {
        return;
    }
    QStringList names;
    for (const LeftEdits& each : left) {
        for (const ModelState& state : each.models) {
            names.append(displayText(QDir::toNativeSeparators(state.model)));
        }
    }
    names.removeDuplicates();
    constexpr qsizetype maxNames = 10;
    if (const auto others = names.size() - maxNames; others > 0) {
        names = names.first(maxNames) << tr("and %Ln more", nullptr, static_cast<int>(others));
    }
    auto* question = new QMessageBox(QMessageBox::Question, tr("Restore edits"),
                                     tr("Crosswalk ended unexpectedly. Restore the edits of these models?"),
                                     QMessageBox::Cancel, this);
    question->setIconPixmap(iconPixmap(QLatin1String("warning"), theme().approximate, 40, devicePixelRatioF()));
    question->setObjectName(QStringLiteral("recoveryDialog"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(names.join(u'\n'));
    question->button(QMessageBox::Cancel)->setText(tr("Later"));
    auto* restore = question->addButton(tr("Restore"), QMessageBox::AcceptRole);
    restore->setObjectName(QStringLiteral("restoreEdits"));
    question->setDefaultButton(restore);
    connect(restore, &QAbstractButton::clicked, this, [this, left] { restoreEdits(left); });
    auto* discard = question->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    discard->setObjectName(QStringLiteral("discardEdits"));
    connect(discard, &QAbstractButton::clicked, this, [left] {
        for (const LeftEdits& each : left) {
            CrashRecovery::discard(each);
        }
    });
    question->open();
}

void TabbedWindow::restoreEdits(const std::vector<LeftEdits>& left)
{
    QStringList restored;
    for (const LeftEdits& each : left) { // the newest edits first
        const QStringList newer = restored;
        for (const ModelState& state : each.models) {
            if (newer.contains(state.model)) {
                continue;
            }
            const auto shown = restored.contains(state.model) ? m_pages.end() : pageOf(state.model);
            if (shown != m_pages.end()) {
                shown->waiting = state;
                showTab(static_cast<int>(shown - m_pages.begin()));
            } else {
                vacantTab()->restore(state);
            }
            restored.append(state.model);
        }
    }
    storeEdits(); // before the files are removed that have them so far
    for (const LeftEdits& each : left) {
        CrashRecovery::discard(each);
    }
}

void TabbedWindow::saveLayout() const
{
    const auto isOpen = [](const Page& page) { return page.model->document().isOpen(); };
    const Page& front = m_pages[static_cast<std::size_t>(m_front)];
    const auto shown = isOpen(front) ? m_pages.begin() + m_front : std::ranges::find_if(m_pages, isOpen);
    if (shown != m_pages.end()) { // an empty tab shows no panels
        shown->model->saveLayout();
    }
}

void TabbedWindow::quit() const
{
    saveSession();
    quitting = true;
    QApplication::closeAllWindows();
    quitting = false;
}

void TabbedWindow::closeEvent(QCloseEvent* event)
{
    QStringList unfinished;
    for (const auto& page : m_pages) {
        unfinished.append(page.model->document().exporter().activities());
    }
    if (!unfinished.isEmpty() && !m_isStopped) {
        event->ignore();
        askToStop(unfinished, *this, [this] {
            m_isStopped = true;
            close();
        });
        return;
    }
    if (m_settings) {
        if (windowsOfSession().size() == 1) {
            saveSession();
        }
        m_settings->setValue(geometryKey, saveGeometry());
    }
    saveLayout();
    for (const auto& page : m_pages) {
        page.model->document().cancel();
    }
    if (m_recovery) {
        m_recovery->store({});
    }
    QWidget::closeEvent(event);
}

void TabbedWindow::dragEnterEvent(QDragEnterEvent* event)
{
    acceptFiles(*event);
}

void TabbedWindow::dropEvent(QDropEvent* event)
{
    // Files dropped next to the model, on tabs or tools, are for it, too.
    event->acceptProposedAction();
    current()->takeFiles(event->mimeData()->urls());
}

} // namespace crosswalk::ui
