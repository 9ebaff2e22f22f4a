#include "ui/controllers/messages.h"

#include "ui/document/document.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/panels/banner.h"
#include "ui/panels/toast.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QUrl>

#include <utility>

namespace crosswalk::ui {

Messages::Messages(QWidget& area, Document& document)
    : QObject(&area)
    , m_document(document)
    , m_banner(new Banner(&area))
    , m_toast(new Toast(&area))
    , m_label(new QLabel(&area))
{
    m_label->setObjectName(QStringLiteral("statusMessage"));
    m_label->setAccessibleName(tr("Result"));
    connect(&document, &Document::opened, this, [this] {
        m_banner->hide();
        clear();
    });
    // The previous message concerned another conversion.
    connect(&document, &Document::conversionChanged, this, [this] { show(std::exchange(m_whenConverted, {})); });
    connect(&document, &Document::conversionFailed, this, &Messages::clear);
    connect(&document, &Document::internalErrorOccurred, this, &Messages::reportInternalError);
}

void Messages::show(const QString& text, const QString& toolTip)
{
    m_label->setText(text);
    m_label->setToolTip(toolTip);
}

void Messages::clear()
{
    m_label->clear();
    m_whenConverted.clear();
}

void Messages::showWhenConverted(const QString& text)
{
    m_whenConverted = text;
}

void Messages::offerFile(const QString& text, const std::filesystem::path& file)
{
    const QString path = pathText(file);
    m_toast->show(text, {{QStringLiteral("toastFolder"), tr("Show in folder"),
                          [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); }},
                         {QStringLiteral("toastCopy"), tr("Copy path"), [path] {
                              QApplication::clipboard()->setText(
                                  QDir::toNativeSeparators(QFileInfo(path).absoluteFilePath()));
                          }}});
}

void Messages::reportInternalError(const QString& activity, const QString& what)
{
    const QString report = QStringLiteral("Crosswalk %1, Qt %2\n%3: %4\nModel: %5\n")
                               .arg(QLatin1String(CROSSWALK_VERSION), QLatin1String(qVersion()), activity, what,
                                    displayText(m_document.path().filename().string()));
    m_banner->show(
        QStringLiteral("internalError"), Severity::Error,
        tr("Internal error (%1). The open model is unaffected; please send us the report.").arg(displayText(what)),
        tr("Copy the report"), [report] { QApplication::clipboard()->setText(report); });
}

} // namespace crosswalk::ui
