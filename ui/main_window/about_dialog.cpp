#include "ui/main_window/about_dialog.h"

#include "core/verify/runtime.h"
#include "crosswalk/options.h"
#include "ui/models/shape_text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace crosswalk::ui {
namespace {

struct Library {
    const char* name;
    const char* licence;
    const char* page;
};

// What a package links to or contains; LICENSE and the packages' copyright files have the texts.
constexpr Library libraries[] = {
    {"Qt", "LGPL 3", "https://www.qt.io"},
    {"ONNX", "Apache 2.0", "https://onnx.ai"},
    {"Protocol Buffers", "BSD 3-Clause", "https://protobuf.dev"},
    {"{fmt}", "MIT", "https://fmt.dev"},
    {"JSON for Modern C++", "MIT", "https://json.nlohmann.me"},
    {"simdjson", "Apache 2.0", "https://simdjson.org"},
    {"libzip", "BSD 3-Clause", "https://libzip.org"},
    {"Snappy", "BSD 3-Clause", "https://google.github.io/snappy"},
    {"CLI11", "BSD 3-Clause", "https://cliutils.github.io/CLI11/book"},
    {"mimalloc", "MIT", "https://microsoft.github.io/mimalloc"},
    {"Graphviz", "EPL 1.0", "https://graphviz.org"},
    {"Inter", "OFL 1.1", "https://rsms.me/inter"},
};

/// Nothing if it is not found.
std::optional<std::string> runtimeVersion(std::stop_token stop)
{
    try {
        return Runtime::start({.time = std::chrono::seconds(10)}, std::move(stop))->version();
    } catch (const ModelError&) {
        return std::nullopt;
    }
}

} // namespace

QString AboutDialog::versions() const
{
    return QStringLiteral("Crosswalk %1\nQt %2\nONNX Runtime %3\nONNX opsets %4 to %5\n%6\n")
        .arg(QLatin1String(CROSSWALK_VERSION), QLatin1String(qVersion()), m_runtime)
        .arg(oldestOpset)
        .arg(newestOpset)
        .arg(QSysInfo::prettyProductName());
}

AboutDialog::AboutDialog(QWidget* parent)
    : QDialog(parent)
    , m_starting(QString(), this)
{
    setObjectName(QStringLiteral("aboutDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("About Crosswalk"));
    auto* picture = new QLabel(this);
    picture->setPixmap(iconPixmap(QLatin1String("crosswalk"), theme().text, 64, devicePixelRatioF()));
    auto* name = new QLabel(tr("Crosswalk %1").arg(QLatin1String(CROSSWALK_VERSION)), this);
    name->setObjectName(QStringLiteral("aboutName"));
    QFont large = name->font();
    large.setPixelSize(20);
    large.setWeight(QFont::DemiBold);
    name->setFont(large);
    const auto text = [this](const QString& content, const char* objectName) {
        auto* label = new QLabel(content, this);
        label->setObjectName(QLatin1String(objectName));
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        label->setOpenExternalLinks(true);
        return label;
    };
    auto* purpose = text(tr("Inspects neural-network models and converts them to ONNX, node by node and never silently "
                            "wrong. Everything happens on this machine: nothing is sent anywhere."),
                         "aboutPurpose");
    m_versions = text({}, "aboutVersions");
    showVersions();
    QString rows;
    for (const Library& library : libraries) {
        rows += QStringLiteral("<tr><td><a href=\"%2\">%1</a>&nbsp;&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(QLatin1String(library.name), QLatin1String(library.page), QLatin1String(library.licence));
    }
    auto* licences = text(tr("Crosswalk is free software under the %1. It uses:")
                                  .arg(QStringLiteral("<a href=\"https://www.apache.org/licenses/LICENSE-2.0\">"
                                                      "Apache License 2.0</a>")) +
                              QStringLiteral("<table cellpadding='2' cellspacing='0'>%1</table>").arg(rows),
                          "aboutLicences");
    licences->setTextFormat(Qt::RichText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_copy = buttons->addButton(tr("Copy the versions"), QDialogButtonBox::ActionRole);
    m_copy->setObjectName(QStringLiteral("aboutCopy"));
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(versions()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* words = new QVBoxLayout;
    words->setSpacing(10);
    for (auto* label : {name, purpose, m_versions, licences}) {
        words->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(18);
    row->addWidget(picture, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(row);
    layout->addWidget(buttons);
    resize(480, sizeHint().height());
    findRuntime();
}

void AboutDialog::findRuntime()
{
    m_copy->setEnabled(false);
    m_starting.run(this, runtimeVersion, [this](const std::optional<std::string>& version) {
        m_runtime = version ? displayText(*version) : tr("not found");
        showVersions();
        m_copy->setEnabled(true);
    });
}

void AboutDialog::showVersions()
{
    m_versions->setText(tr("Qt %1, ONNX opsets %2 to %3, ONNX Runtime %4")
                            .arg(QLatin1String(qVersion()))
                            .arg(oldestOpset)
                            .arg(newestOpset)
                            .arg(m_runtime));
}

} // namespace crosswalk::ui
