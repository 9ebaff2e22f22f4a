#include "ui/collection/collection_window.h"

#include "core/report/collection_html.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/fitted_columns.h"
#include "ui/panels/toast.h"
#include "ui/theme/icons.h"
#include "ui/theme/styled_parts.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QStyledItemDelegate>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <thread>

namespace crosswalk::ui {
namespace {

namespace fs = std::filesystem;

constexpr int widthOfQuery = 300;
constexpr int widthOfName = 220; ///< at least
constexpr int lettersOfReason = 22;
constexpr qsizetype mostOpened = 20; ///< models at once

QString nativePath(const fs::path& path)
{
    return QDir::toNativeSeparators(QFileInfo(pathText(path)).absoluteFilePath());
}

/// The program that converts a model: beside this one, otherwise on PATH. Empty if there is none.
fs::path conversionProgram()
{
    const QString name = QStringLiteral("crosswalk");
    const QString beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
    return (beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside).toStdString();
}

/// "45 s", "3 min", "2 h".
QString durationText(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds < minute) {
        return CollectionWindow::tr("%L1 s").arg(std::max(1, static_cast<int>(seconds)));
    }
    return seconds < hour ? CollectionWindow::tr("%L1 min").arg(static_cast<int>(seconds / minute))
                          : CollectionWindow::tr("%L1 h").arg(seconds / hour, 0, 'f', 1);
}

/// Elides sentences at their end; names keep their end.
class SentenceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

QString problemHtml(const ReportedProblem& problem)
{
    const QColor color = theme().severity(problem.severity);
    return QStringLiteral("<p style='margin:3px 0'><span style='color:%1'>%2</span>&nbsp; %3%4</p>")
        .arg(color.name(), capitalised(severityWord(problem.severity)).toHtmlEscaped(),
             problem.node.empty() ? QString()
                                  : QStringLiteral("<b>%1</b>: ").arg(displayText(problem.node).toHtmlEscaped()),
             capitalised(messageText(problem.message)).toHtmlEscaped());
}

QString modelHtml(const CollectionTable::Row& row)
{
    const ModelVerdict verdict = modelVerdict(row.outcome);
    QStringList facts{capitalised(modelVerdictWord(verdict))};
    if (row.outcome && !row.outcome->format.empty()) {
        const auto nodes = static_cast<int>(row.outcome->nodes);
        facts.append(formatName(row.outcome->format));
        facts.append(
            counted(nodes, CollectionWindow::tr("1 operator"), CollectionWindow::tr("%Ln operators", nullptr, nodes)));
    }
    if (row.outcome && !row.outcome->output.empty()) {
        facts.append(CollectionWindow::tr("converted to %1").arg(displayText(row.outcome->output)));
    }
    QString html = QStringLiteral("<p style='margin:2px 0'><b>%1</b></p><p style='margin:2px 0;color:%2'>%3</p>")
                       .arg(displayText(row.found.model.name.generic_string()).toHtmlEscaped(),
                            theme().mutedText.name(), facts.join(QStringLiteral("  \u00b7  ")).toHtmlEscaped());
    if (row.outcome) {
        for (const ReportedProblem& problem : row.outcome->problems) {
            html += problemHtml(problem);
        }
    }
    return html;
}

} // namespace

std::vector<std::string> optionsAsArguments(const ConvertOptions& options)
{
    std::vector<std::string> words;
    if (options.opset) {
        words.insert(words.end(), {"--opset", std::to_string(*options.opset)});
    }
    words.insert(words.end(), {"--rnn", std::string(strategyName(options.recurrent))});
    if (options.reroll) {
        words.emplace_back("--reroll");
    }
    if (options.optimize) {
        words.emplace_back(options.fuseAttention ? "--optimize=attention" : "--optimize");
    }
    return words;
}

CollectionWindow::CollectionWindow(const ConvertOptions& options, QWidget* parent)
    : QMainWindow(parent)
    , m_options(optionsAsArguments(options))
    , m_job(new CollectionJob(this))
{
    setObjectName(QStringLiteral("collectionWindow"));
    styleApart(*this);
    setWindowTitle(tr("Collection \u2014 Crosswalk"));
    buildActions();
    setCentralWidget(buildContent());
    buildStatusBar();
    m_toast = new Toast(centralWidget());
    resize(1200, 760);

    connect(m_job, &CollectionJob::found, this, &CollectionWindow::take);
    connect(m_job, &CollectionJob::arrived, this, [this](const std::vector<FinishedModel>& models) {
        m_table.add(models);
        refresh();
    });
    connect(m_job, &CollectionJob::completed, this, &CollectionWindow::finish);
    connect(m_job, &CollectionJob::failed, this,
            [this](const Diagnostic& problem) { reportFailed(capitalised(messageText(problem.message))); });
    connect(m_job, &CollectionJob::busyChanged, this, [this] {
        refresh();
        if (isIdle()) {
            refreshFilters();
            emit becameIdle();
        }
    });
    refresh();
}

CollectionWindow::~CollectionWindow()
{
    m_job->disconnect(this);
}

QAction* CollectionWindow::addCommand(QMenu* menu, const char* name, const QString& text, const QKeySequence& shortcut,
                                      void (CollectionWindow::*run)())
{
    auto* action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, run);
    m_actions.insert(QLatin1String(name), action);
    return action;
}

void CollectionWindow::buildActions()
{
    auto* file = menuBar()->addMenu(tr("&File"));
    addCommand(file, "collectionFolder", tr("&Choose a folder\u2026"), QKeySequence::Open,
               &CollectionWindow::askFolder);
    addCommand(file, "collectionReport", tr("Save a &report\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
               &CollectionWindow::askReport);
    file->addSeparator();
    auto* closing = file->addAction(tr("C&lose"));
    closing->setObjectName(QStringLiteral("collectionClose"));
    closing->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_W));
    connect(closing, &QAction::triggered, this, &QWidget::close);

    auto* models = menuBar()->addMenu(tr("&Models"));
    addCommand(models, "collectionOpen", tr("&Open"), {}, &CollectionWindow::openSelected);
    addCommand(models, "collectionShowInFolder", tr("Show in the &file manager"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), &CollectionWindow::showInFolder);
    addCommand(models, "collectionCopy", tr("&Copy the path"), {}, &CollectionWindow::copyPaths);
    models->addSeparator();
    addCommand(models, "collectionConvert", tr("Con&vert all\u2026"), QKeySequence(Qt::CTRL | Qt::Key_E),
               &CollectionWindow::askConvert);
    addCommand(models, "collectionCheckAgain", tr("Check all &again"), QKeySequence(Qt::Key_F5),
               &CollectionWindow::checkAgain);
    addCommand(models, "collectionCheckRest", tr("Check the &remaining models"), QKeySequence(Qt::SHIFT | Qt::Key_F5),
               &CollectionWindow::checkRest);
    addCommand(models, "collectionCancel", tr("&Cancel"), QKeySequence(Qt::CTRL | Qt::Key_Period),
               &CollectionWindow::cancel);
    models->addSeparator();
    addCommand(models, "collectionFind", tr("&Filter"), QKeySequence::Find, &CollectionWindow::focusFilter);
    addCommand(models, "collectionArchitecture", tr("Only models of the &same architecture"),
               QKeySequence(Qt::CTRL | Qt::Key_G), &CollectionWindow::showArchitecture)
        ->setCheckable(true);
}

QWidget* CollectionWindow::buildContent()
{
    const auto button = [this](const char* action, const QString& text) {
        auto* made = new QPushButton(text, this);
        QAction* command = m_actions[QLatin1String(action)];
        made->setObjectName(QLatin1String(action) + QStringLiteral("Button"));
        made->setToolTip(QStringLiteral("%1 (%2)").arg(command->text().remove(u'&'),
                                                       command->shortcut().toString(QKeySequence::NativeText)));
        connect(made, &QPushButton::clicked, command, &QAction::trigger);
        connect(command, &QAction::changed, made, [made, command] { made->setEnabled(command->isEnabled()); });
        return made;
    };
    m_title = new ElidedLabel(this);
    m_title->setObjectName(QStringLiteral("collectionTitle"));
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    auto* converting = button("collectionConvert", tr("Convert all\u2026"));
    converting->setProperty("primary", true);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(12, 10, 12, 6);
    heading->setSpacing(8);
    heading->addWidget(m_title, 1);
    heading->addWidget(button("collectionReport", tr("Save a report\u2026")));
    heading->addWidget(converting);

    m_query = new QLineEdit(this);
    m_query->setObjectName(QStringLiteral("collectionQuery"));
    m_query->setAccessibleName(tr("Filter the models"));
    m_query->setPlaceholderText(tr("Filter"));
    m_query->setToolTip(tr("Filter by name, format, verdict or problem: onnx resnet, crashed"));
    m_query->setClearButtonEnabled(true);
    m_query->addAction(icon(QLatin1String("search")), QLineEdit::LeadingPosition);
    m_query->setMaximumWidth(widthOfQuery);
    m_query->installEventFilter(this);
    m_verdict = new QComboBox(this);
    m_verdict->setObjectName(QStringLiteral("collectionVerdict"));
    m_verdict->setAccessibleName(tr("Filter by verdict"));
    m_verdict->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_reason = new QComboBox(this);
    m_reason->setObjectName(QStringLiteral("collectionReason"));
    m_reason->setAccessibleName(tr("Filter by what blocks the conversion"));
    m_reason->setToolTip(tr("What blocks conversions, by the number of models"));
    m_reason->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_reason->setMinimumContentsLength(lettersOfReason);
    m_count = new QLabel(this);
    m_count->setObjectName(QStringLiteral("collectionCount"));
    m_count->setAccessibleName(tr("Number of models"));
    m_count->setProperty("muted", true);
    auto* filters = new QHBoxLayout;
    filters->setContentsMargins(12, 0, 12, 8);
    filters->setSpacing(8);
    filters->addWidget(m_query, 1);
    filters->addWidget(m_verdict);
    filters->addWidget(m_reason);
    filters->addStretch(1);
    filters->addWidget(m_count);

    m_view = new QTreeView(this);
    m_view->setObjectName(QStringLiteral("collectionTable"));
    m_view->setAccessibleName(tr("Models"));
    m_view->setModel(&m_filter);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->header()->setSortIndicatorClearable(true);
    m_view->setSortingEnabled(true);
    m_view->setItemDelegateForColumn(CollectionTable::ProblemsColumn, new SentenceDelegate(m_view));
    new FittedColumns(m_view, CollectionTable::ProblemsColumn, widthOfName);
    auto* opening = m_actions[QStringLiteral("collectionOpen")];
    opening->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    auto* copying = m_actions[QStringLiteral("collectionCopy")];
    copying->setShortcut(QKeySequence::Copy);
    for (auto* action : {opening, copying}) { // elsewhere these keys have another function
        action->setShortcutContext(Qt::WidgetShortcut);
        m_view->addAction(action);
    }

    m_empty = new QLabel(this);
    m_empty->setObjectName(QStringLiteral("collectionEmpty"));
    m_empty->setProperty("muted", true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_chooseButton = button("collectionFolder", tr("Choose a folder\u2026"));
    auto* emptyPage = new QWidget(this);
    auto* column = new QVBoxLayout(emptyPage);
    column->setContentsMargins(32, 32, 32, 32);
    column->setSpacing(12);
    column->addStretch(1);
    column->addWidget(m_empty);
    column->addWidget(m_chooseButton, 0, Qt::AlignHCenter);
    column->addStretch(1);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_view);
    m_stack->addWidget(emptyPage);

    m_details = new QTextBrowser(this);
    m_details->setObjectName(QStringLiteral("collectionDetails"));
    m_details->setAccessibleName(tr("Problems of the selected model"));
    m_details->setOpenLinks(false);
    constexpr int margin = 8;
    m_details->document()->setDocumentMargin(margin);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_stack);
    splitter->addWidget(m_details);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({480, 150});

    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addLayout(filters);
    layout->addWidget(splitter, 1);

    connect(m_query, &QLineEdit::textChanged, this, [this](const QString& query) {
        m_filter.setQuery(query);
        refresh();
    });
    connect(m_verdict, &QComboBox::activated, this, [this](int entry) {
        const int verdict = m_verdict->itemData(entry).toInt();
        m_filter.setVerdict(verdict < 0 ? std::nullopt : std::optional(static_cast<ModelVerdict>(verdict)));
        refresh();
    });
    connect(m_reason, &QComboBox::activated, this, [this](int entry) {
        const QStringList reason = m_reason->itemData(entry).toStringList();
        m_filter.setReason(reason.isEmpty()
                               ? std::nullopt
                               : std::optional(std::pair(reason[0].toStdString(), reason[1].toStdString())));
        refresh();
    });
    connect(m_view, &QTreeView::doubleClicked, this, &CollectionWindow::openSelected);
    connect(m_view, &QWidget::customContextMenuRequested, this, &CollectionWindow::showMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &CollectionWindow::refreshSelection);
    return content;
}

void CollectionWindow::buildStatusBar()
{
    m_status = new QLabel(this);
    m_status->setObjectName(QStringLiteral("collectionStatus"));
    m_progress = new QWidget(this);
    m_progressText = new QLabel(m_progress);
    m_progressText->setObjectName(QStringLiteral("collectionProgress"));
    m_progressBar = new QProgressBar(m_progress);
    m_progressBar->setObjectName(QStringLiteral("collectionProgressBar"));
    m_progressBar->setAccessibleName(tr("Progress"));
    m_progressBar->setTextVisible(false);
    m_progressBar->setFixedWidth(160);
    auto* cancelling = new QToolButton(m_progress);
    cancelling->setObjectName(QStringLiteral("collectionCancelButton"));
    cancelling->setText(tr("Cancel"));
    cancelling->setToolTip(tr("Cancel (Ctrl+.)"));
    connect(cancelling, &QToolButton::clicked, this, &CollectionWindow::cancel);
    auto* layout = new QHBoxLayout(m_progress);
    layout->setContentsMargins(10, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_progressBar);
    layout->addWidget(m_progressText);
    layout->addWidget(cancelling);
    layout->addStretch(1);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_progress, 1);
    statusBar()->addWidget(m_status, 1);
}

void CollectionWindow::openFolder(const QString& folder)
{
    m_folder = QFileInfo(folder).absoluteFilePath();
    m_output.clear();
    m_filter.setArchitecture({});
    m_isConverting = false;
    m_isSearching = true;
    const QString name = QDir(m_folder).dirName();
    setWindowTitle(tr("%1 \u2014 Collection \u2014 Crosswalk").arg(displayText(name.isEmpty() ? m_folder : name)));
    m_title->setText(displayText(QDir::toNativeSeparators(m_folder)));
    m_table.setModels({});
    m_job->find(m_folder.toStdString());
}

void CollectionWindow::take(const std::vector<FoundModel>& models)
{
    m_isSearching = false;
    m_table.setModels(models);
    refresh();
    if (!models.empty()) {
        m_view->setCurrentIndex(m_filter.index(0, 0));
        m_view->setFocus();
        check(m_table.models());
    }
}

void CollectionWindow::check(std::vector<CollectionModel> models)
{
    m_isConverting = false;
    start(std::move(models), {});
}

bool CollectionWindow::start(std::vector<CollectionModel> models, CollectionRun run)
{
    run.program = conversionProgram();
    if (run.program.empty()) {
        reportFailed(tr("Models cannot be checked: the program crosswalk is neither beside crosswalk-gui nor on PATH. "
                        "Install it, then check again. Single models can be opened without it."));
        return false;
    }
    run.folder = m_folder.toStdString();
    run.options = m_options;
    run.limits = usualLimits;
    run.jobs = std::max(1U, std::thread::hardware_concurrency());
    m_job->run(std::move(models), std::move(run));
    return true;
}

void CollectionWindow::checkAgain()
{
    openFolder(m_folder);
}

void CollectionWindow::checkRest()
{
    check(m_table.uncheckedModels());
}

void CollectionWindow::cancel()
{
    m_isSearching = false;
    m_job->cancel();
}

void CollectionWindow::finish()
{
    if (!m_isConverting) {
        return;
    }
    const CollectionReport report = m_table.report();
    const auto converted = static_cast<int>(report.counts()[static_cast<std::size_t>(Outcome::Converted)]);
    const QString path = nativePath(m_output);
    m_toast->show(
        tr("Converted %L1 of %Ln models into %2", nullptr, m_table.rowCount())
            .arg(converted)
            .arg(displayText(QFileInfo(path).fileName())),
        {{QStringLiteral("toastFolder"), tr("Show in folder"),
          [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }},
         {QStringLiteral("toastCopy"), tr("Copy path"), [path] { QApplication::clipboard()->setText(path); }}});
}

void CollectionWindow::reportFailed(const QString& text)
{
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Collection"), text, QMessageBox::Ok, this);
    box->setIconPixmap(iconPixmap(QLatin1String("warning"), theme().approximate, 40, devicePixelRatioF()));
    box->setObjectName(QStringLiteral("collectionFailed"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void CollectionWindow::askFolder()
{
    auto* dialog =
        fileDialog(this, "collectionDialog", tr("Open a folder as a collection"), QFileInfo(m_folder).path(), {});
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &CollectionWindow::openFolder);
    dialog->open();
}

void CollectionWindow::askConvert()
{
    auto* dialog =
        fileDialog(this, "convertAllDialog", tr("Choose the folder of the ONNX files"), QFileInfo(m_folder).path(), {});
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &CollectionWindow::convertInto);
    dialog->open();
}

void CollectionWindow::convertInto(const QString& folder)
{
    const fs::path output = folder.toStdString();
    std::error_code ignored;
    int existing = 0;
    // A folder with a journal contains the files of an earlier run, which goes on.
    if (!hasJournal(output)) {
        for (const fs::path& name : outputNames(m_table.models())) {
            existing += fs::exists(output / name, ignored) ? 1 : 0;
        }
    }
    if (existing == 0) {
        convert(output);
        return;
    }
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Replace files"),
                                     counted(existing, tr("1 file already exists. Replace it?"),
                                             tr("%Ln files already exist. Replace them?", nullptr, existing)),
                                     QMessageBox::Cancel, this);
    question->setIconPixmap(iconPixmap(QLatin1String("warning"), theme().approximate, 40, devicePixelRatioF()));
    question->setObjectName(QStringLiteral("replaceDialog"));
    question->setInformativeText(nativePath(output));
    question->setDefaultButton(QMessageBox::Cancel);
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* go = question->addButton(tr("Replace"), QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("replaceFiles"));
    connect(go, &QAbstractButton::clicked, this, [this, output] { convert(output); });
    question->open();
}

void CollectionWindow::convert(const std::filesystem::path& output)
{
    m_output = output;
    m_isConverting = true;
    CollectionRun run;
    run.output = m_output;
    run.resume = true;
    run.modelReports = true;
    start(m_table.models(), std::move(run));
}

void CollectionWindow::askReport()
{
    auto* dialog = fileDialog(this, "collectionReportDialog", tr("Save a report of the collection"),
                              m_output.empty() ? QFileInfo(m_folder).path() : nativePath(m_output),
                              tr("Web page (*.html);;JSON (*.json)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(QDir(m_folder).dirName() + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const fs::path file(path.toStdString());
        try {
            writeCollectionReport(m_table.report(), file, m_output);
            m_toast->show(tr("Saved %1").arg(displayText(file.filename().string())),
                          {{QStringLiteral("toastOpen"), tr("Open"),
                            [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }}});
        } catch (const ModelError& error) {
            reportFailed(capitalised(messageText(error.diagnostic.message)));
        }
    });
    dialog->open();
}

QList<int> CollectionWindow::selectedRows() const
{
    QList<int> rows;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        rows.append(m_filter.mapToSource(index).row());
    }
    std::ranges::sort(rows);
    return rows;
}

void CollectionWindow::openSelected()
{
    for (const int row : selectedRows().mid(0, mostOpened)) {
        emit modelChosen(pathText(m_table.at(row).found.model.path));
    }
}

void CollectionWindow::showInFolder()
{
    if (const auto rows = selectedRows(); !rows.isEmpty()) {
        const fs::path path = m_table.at(rows.front()).found.model.path;
        QDesktopServices::openUrl(QUrl::fromLocalFile(pathText(path.parent_path())));
    }
}

void CollectionWindow::copyPaths()
{
    QStringList paths;
    for (const int row : selectedRows()) {
        paths.append(nativePath(m_table.at(row).found.model.path));
    }
    QApplication::clipboard()->setText(paths.join(u'\n'));
}

void CollectionWindow::showArchitecture()
{
    const auto rows = selectedRows();
    const bool isSet = !m_filter.architecture().empty();
    m_filter.setArchitecture(isSet || rows.isEmpty() || !m_table.at(rows.front()).outcome
                                 ? std::string()
                                 : m_table.at(rows.front()).outcome->architecture);
    refresh();
}

void CollectionWindow::focusFilter()
{
    m_query->setFocus(Qt::ShortcutFocusReason);
    m_query->selectAll();
}

void CollectionWindow::showMenu(const QPoint& place)
{
    auto* menu = new QMenu(m_view);
    menu->setObjectName(QStringLiteral("collectionMenu"));
    menu->setAccessibleName(tr("Models"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const char* name : {"collectionOpen", "collectionShowInFolder", "collectionCopy", "collectionArchitecture"}) {
        menu->addAction(m_actions[QLatin1String(name)]);
    }
    menu->popup(m_view->viewport()->mapToGlobal(place));
}

void CollectionWindow::refresh()
{
    const bool isIdle = this->isIdle();
    const bool hasModels = m_table.rowCount() > 0;
    const auto enable = [this](const char* name, bool isEnabled) {
        m_actions[QLatin1String(name)]->setEnabled(isEnabled);
    };
    enable("collectionFind", hasModels);
    enable("collectionReport", hasModels && isIdle);
    enable("collectionConvert", hasModels && isIdle);
    enable("collectionCheckAgain", isIdle && !m_folder.isEmpty());
    enable("collectionCheckRest", isIdle && !m_table.uncheckedModels().empty());
    enable("collectionCancel", !isIdle);
    refreshFilters();
    showCounts();
    refreshSelection();
}

void CollectionWindow::refreshSelection()
{
    const auto rows = selectedRows();
    for (const char* name : {"collectionOpen", "collectionShowInFolder", "collectionCopy"}) {
        m_actions[QLatin1String(name)]->setEnabled(!rows.isEmpty());
    }
    const bool hasArchitecture =
        !rows.isEmpty() && m_table.at(rows.front()).outcome && !m_table.at(rows.front()).outcome->architecture.empty();
    auto* same = m_actions[QStringLiteral("collectionArchitecture")];
    same->setEnabled(hasArchitecture || !m_filter.architecture().empty());
    same->setChecked(!m_filter.architecture().empty());
    showDetails();
}

void CollectionWindow::refreshFilters()
{
    if (m_verdict->view()->isVisible() || m_reason->view()->isVisible()) {
        return; // an open list stays as it is
    }
    std::array<int, modelVerdictCount> counts{};
    for (int row = 0; row < m_table.rowCount(); ++row) {
        ++counts[static_cast<std::size_t>(m_table.verdict(row))];
    }
    const QVariant verdict = m_verdict->currentData();
    m_verdict->clear();
    m_verdict->addItem(tr("All verdicts"), -1);
    for (std::size_t i = 0; i < modelVerdictCount; ++i) {
        const auto each = static_cast<ModelVerdict>(i);
        if (counts[i] > 0 || verdict == QVariant(static_cast<int>(i))) {
            m_verdict->addItem(modelVerdictIcon(each), tr("%1 (%L2)").arg(modelVerdictWord(each)).arg(counts[i]),
                               static_cast<int>(i));
        }
    }
    m_verdict->setCurrentIndex(std::max(0, m_verdict->findData(verdict)));

    const auto reason = m_filter.reason();
    m_reason->clear();
    m_reason->addItem(tr("All reasons"), QStringList());
    int current = 0;
    for (const Gap& gap : m_table.report().gaps()) {
        if (reason && *reason == CollectionFilter::Reason(gap.code, gap.op)) {
            current = m_reason->count();
        }
        const QString cause = gap.op.empty() ? messageText(gap.message).simplified() : displayText(gap.op);
        const QString text = tr("%L1: %2").arg(gap.models.size()).arg(cause);
        m_reason->addItem(text, QStringList{fromUtf8(gap.code), fromUtf8(gap.op)});
        m_reason->setItemData(m_reason->count() - 1, capitalised(messageText(gap.message)), Qt::ToolTipRole);
    }
    if (reason && current == 0) {
        m_filter.setReason(std::nullopt);
    }
    m_reason->setCurrentIndex(current);
    m_reason->setEnabled(m_reason->count() > 1);
}

void CollectionWindow::showCounts()
{
    const int all = m_table.rowCount();
    const int shown = m_filter.rowCount();
    m_count->setText(all == shown ? counted(all, tr("1 model"), tr("%Ln models", nullptr, all))
                                  : tr("%L1 of %Ln models", nullptr, all).arg(shown));
    m_count->setVisible(all > 0);
    m_stack->setCurrentWidget(shown > 0 ? static_cast<QWidget*>(m_view) : m_empty->parentWidget());
    m_chooseButton->setVisible(all == 0 && !m_isSearching);
    for (QWidget* filter : {static_cast<QWidget*>(m_query), static_cast<QWidget*>(m_verdict)}) {
        filter->setEnabled(all > 0);
    }
    m_empty->setText(m_isSearching ? tr("Searching for models\u2026")
                     : all > 0     ? tr("No model matches.")
                     : m_folder.isEmpty()
                         ? QString()
                         : tr("%1 contains no models, and neither do its subfolders.")
                               .arg(wrappableInColumn(displayText(QDir::toNativeSeparators(m_folder)))));
    const bool isBusy = !isIdle();
    m_progress->setVisible(isBusy);
    m_status->setVisible(!isBusy);
    if (isBusy) {
        const auto total = static_cast<int>(m_job->progress().models());
        const auto done = static_cast<int>(m_job->progress().finished());
        m_progressBar->setRange(0, total);
        m_progressBar->setValue(done);
        const auto left = m_job->secondsLeft();
        const QString text = m_isSearching    ? tr("Searching for models")
                             : m_isConverting ? tr("Converted %L1 of %Ln models", nullptr, total).arg(done)
                                              : tr("Checked %L1 of %Ln models", nullptr, total).arg(done);
        m_progressText->setText(left ? tr("%1, %2 left").arg(text, durationText(*left)) : text);
        return;
    }
    QStringList parts;
    for (int i = 1; i < m_verdict->count(); ++i) {
        const auto verdict = static_cast<ModelVerdict>(m_verdict->itemData(i).toInt());
        int count = 0;
        for (int row = 0; row < all; ++row) {
            count += m_table.verdict(row) == verdict ? 1 : 0;
        }
        parts.append(tr("%L1 %2").arg(count).arg(modelVerdictWord(verdict)));
    }
    m_status->setText(parts.join(QStringLiteral("  \u00b7  ")));
}

void CollectionWindow::showDetails()
{
    const auto rows = selectedRows();
    m_details->setVisible(m_table.rowCount() > 0);
    const QString html = rows.size() == 1 ? modelHtml(m_table.at(rows.front()))
                         : rows.isEmpty() ? QString()
                                          : tr("%Ln models selected", nullptr, static_cast<int>(rows.size()));
    if (m_details->property("shown").toString() != html) { // keeps the position of the scroll bar
        m_details->setProperty("shown", html);
        m_details->setHtml(html);
    }
}

void CollectionWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_details != nullptr) {
        showDetails(); // in the colours of the theme
    }
}

bool CollectionWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_query && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (m_filter.rowCount() > 0) {
                m_view->setFocus(Qt::TabFocusReason);
                m_view->setCurrentIndex(m_filter.index(0, 0));
            }
            return true;
        }
        if (key == Qt::Key_Escape && (!m_query->text().isEmpty() || !m_filter.architecture().empty())) {
            m_query->clear();
            m_filter.setArchitecture({});
            refresh();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace crosswalk::ui
