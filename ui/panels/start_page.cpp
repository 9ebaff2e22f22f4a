#include "ui/panels/start_page.h"

#include "core/formats/format_reader.h"
#include "ui/models/recent_files.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace crosswalk::ui {
namespace {

QLabel* heading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setProperty("muted", true);
    return label;
}

constexpr qsizetype maxLinks = 6; ///< of each list

QString exampleTitle(const QString& folder)
{
    if (folder == QLatin1String("digits_crnn")) {
        return StartPage::tr("Digit reader: CNN and bidirectional LSTM");
    }
    if (folder == QLatin1String("keyword_lstmp")) {
        return StartPage::tr("Keyword spotter: LSTM with a clipped cell and a projection");
    }
    if (folder == QLatin1String("request_bilstm")) {
        return StartPage::tr("Bidirectional LSTM");
    }
    if (folder == QLatin1String("speech_commands")) {
        return StartPage::tr("Speech commands: a while loop that is an LSTM");
    }
    if (folder == QLatin1String("wearable_activity")) {
        return StartPage::tr("Phone activity: convolutions and a GRU");
    }
    return capitalised(QString(folder).replace(u'_', u' '));
}

/// The path of the model in a folder: the main file of a format, else a file with the name of one. Empty if there is
/// none.
QString modelIn(const QDir& folder)
{
    for (const FormatReader& reader : formatReaders()) {
        const QFileInfo model(folder, fromUtf8(reader.mainFile));
        if (model.isFile()) {
            return model.absoluteFilePath();
        }
    }
    for (const FormatReader& reader : formatReaders()) {
        const auto files = folder.entryInfoList(fromUtf8(reader.files).split(u' '), QDir::Files, QDir::Name);
        if (!files.isEmpty()) {
            return files.first().absoluteFilePath();
        }
    }
    return {};
}

/// With the file to open, where a model has several.
QStringList formatNames()
{
    QStringList names;
    for (const FormatReader& reader : formatReaders()) {
        const QString name = fromUtf8(reader.name);
        names.append(reader.mainFile.empty() ? name : QStringLiteral("%1 (%2)").arg(name, fromUtf8(reader.mainFile)));
    }
    return names;
}

void clear(QVBoxLayout* column)
{
    while (auto* item = column->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->deleteLater();
        }
        delete item;
    }
}

} // namespace

QList<std::pair<QString, QString>> exampleModels()
{
    QList<std::pair<QString, QString>> examples;
    const QDir program(QCoreApplication::applicationDirPath());
    for (const auto& folder : {program.filePath(QStringLiteral("../share/crosswalk/examples")),
                               program.filePath(QStringLiteral("../../../resources/examples"))}) {
        for (const auto& example : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            if (const QString model = modelIn(QDir(example.filePath())); !model.isEmpty()) {
                examples.append({exampleTitle(example.fileName()), model});
            }
        }
        if (!examples.isEmpty()) {
            break;
        }
    }
    return examples;
}

StartPage::StartPage(RecentFiles& recent, QWidget* parent)
    : QWidget(parent)
    , m_recent(recent)
    , m_drop(new QWidget(this))
    , m_recentColumn(new QVBoxLayout)
    , m_exampleColumn(new QVBoxLayout)
{
    setObjectName(QStringLiteral("startPage"));
    setAccessibleName(tr("Start"));

    auto* picture = new QLabel(m_drop);
    picture->setPixmap(iconPixmap(QLatin1String("model"), theme().accent, 56, devicePixelRatioF()));
    picture->setObjectName(QStringLiteral("startPicture"));
    auto* title = new QLabel(tr("Drop a model here"), m_drop);
    QFont large = title->font();
    large.setPixelSize(22);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    auto* text = new QLabel(
        tr("Models of %1. Nothing leaves this machine.").arg(QLocale().createSeparatedList(formatNames())), m_drop);
    text->setProperty("muted", true);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    auto* open = new QPushButton(tr("Open\u2026"), m_drop);
    open->setObjectName(QStringLiteral("startOpen"));
    open->setAccessibleName(tr("Open a model"));
    open->setProperty("primary", true);
    open->setFocusPolicy(Qt::TabFocus);
    connect(open, &QPushButton::clicked, this, &StartPage::openAsked);

    auto* dropLayout = new QVBoxLayout(m_drop);
    dropLayout->setContentsMargins(32, 36, 32, 36);
    dropLayout->setSpacing(10);
    dropLayout->addWidget(picture, 0, Qt::AlignHCenter);
    dropLayout->addWidget(title, 0, Qt::AlignHCenter);
    dropLayout->addWidget(text);
    dropLayout->addSpacing(6);
    dropLayout->addWidget(open, 0, Qt::AlignHCenter);

    auto* lists = new QHBoxLayout;
    lists->setSpacing(56);
    lists->addStretch(1);
    for (auto* column : {m_recentColumn, m_exampleColumn}) {
        column->setSpacing(2);
        lists->addLayout(column);
    }
    lists->addStretch(1);
    auto* page = new QVBoxLayout;
    page->setSpacing(28);
    page->addStretch(2);
    page->addWidget(m_drop);
    page->addLayout(lists);
    page->addStretch(3);
    auto* across = new QHBoxLayout(this);
    across->addStretch(1);
    auto* center = new QWidget(this);
    center->setLayout(page);
    center->setMaximumWidth(680);
    center->setMinimumWidth(420);
    across->addWidget(center, 4);
    across->addStretch(1);

    connect(&m_recent, &RecentFiles::changed, this, &StartPage::refresh);
    refresh();
}

void StartPage::addLink(QVBoxLayout* column, const QString& title, const QString& path)
{
    auto* link = new QToolButton(this);
    link->setObjectName(QStringLiteral("startLink"));
    link->setText(title);
    link->setAccessibleName(tr("Open %1").arg(title));
    link->setToolTip(displayText(QDir::toNativeSeparators(path)));
    link->setIcon(icon(QLatin1String("model")));
    link->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    link->setCursor(Qt::PointingHandCursor);
    connect(link, &QToolButton::clicked, this, [this, path] { emit pathChosen(path); });
    column->addWidget(link, 0, Qt::AlignLeft);
}

void StartPage::showEvent(QShowEvent* event)
{
    refresh(); // other tabs and windows open models as well
    QWidget::showEvent(event);
}

void StartPage::refresh()
{
    clear(m_recentColumn);
    clear(m_exampleColumn);
    const QStringList paths = m_recent.paths();
    if (!paths.isEmpty()) {
        m_recentColumn->addWidget(heading(tr("Recent"), this));
        for (const auto& path : paths.mid(0, maxLinks)) {
            const QFileInfo file(path);
            addLink(m_recentColumn, displayText(QStringLiteral("%1/%2").arg(file.dir().dirName(), file.fileName())),
                    path);
        }
        m_recentColumn->addStretch(1);
    }
    const auto examples = exampleModels();
    if (!examples.isEmpty()) {
        m_exampleColumn->addWidget(heading(tr("Examples"), this));
        for (const auto& [title, path] : examples.mid(0, maxLinks)) {
            addLink(m_exampleColumn, title, path);
        }
        m_exampleColumn->addStretch(1);
    }
}

void StartPage::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme().canvas);
    QRectF frame(m_drop->mapTo(this, QPoint(0, 0)), m_drop->size());
    QPen dashed(theme().strongLine, 1.5);
    dashed.setDashPattern({5, 4});
    painter.setPen(dashed);
    painter.setBrush(theme().panel);
    painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 12, 12);
}

} // namespace crosswalk::ui
