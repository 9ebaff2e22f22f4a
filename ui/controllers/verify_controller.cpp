#include "ui/controllers/verify_controller.h"

#include "core/verify/runtime.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/controllers/status_line.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <algorithm>

namespace crosswalk::ui {

namespace {

const QString verifyBanner = QStringLiteral("verify");
const QString timesBanner = QStringLiteral("times");
const QString runtimeKey = QStringLiteral("onnxruntime");
constexpr const char* runtimeVariable = "CROSSWALK_ONNXRUNTIME";

/// The largest difference over all outputs.
double largestDifference(const VerifyReport& report)
{
    double largest = 0;
    for (const auto& output : report.outputs) {
        largest = std::max(largest, output.maxAbsolute);
    }
    return largest;
}

} // namespace

VerifyController::VerifyController(const WindowParts& parts, GraphPanes& panes, StatusLine& status)
    : Controller(parts)
    , m_panes(panes)
    , m_status(status)
{
    const auto isRunnable = [this] { return m_document.exporter().isRunnable(); };
    m_commands
        .add("modelVerify", tr("&Verify against recorded tensors\u2026"), QKeySequence(Qt::CTRL | Qt::Key_R), "verify",
             [this] { ask(); })
        .enabledIf(isRunnable);
    m_commands
        .add("modelVerifyOriginal", tr("Verify against the &original"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_V),
             nullptr, [this] { verifyEquivalence(); })
        .enabledIf([this, isRunnable] { return m_document.isOnnx() && isRunnable(); });
    connect(&m_document, &Document::conversionChanged, this, [this] { m_messages.banner().clear(verifyBanner); });
    connect(&m_document.verifier(), &Verifier::verified, this, &VerifyController::report);
    auto& strategies = m_document.strategyComparison();
    connect(&strategies, &StrategyComparison::measuringFailed, this, &VerifyController::reportMeasuringFailed);
    connect(&strategies, &StrategyComparison::changed, this, [this, &strategies] {
        if (strategies.isMeasuring()) {
            m_messages.banner().clear(timesBanner);
        }
    });
    restoreRuntime();
}

void VerifyController::ask()
{
    const auto recorded = m_document.verifier().recordedTensors();
    if (!recorded.empty()) {
        verifyAgainst(recorded);
        return;
    }
    if (m_document.isOnnx()) {
        verifyEquivalence();
        return;
    }
    auto* dialog = fileDialog(&m_window, "verifyDialog",
                              tr("Folder with recorded tensors (test_data_set_0, or input_0.pb and output_0.pb)"),
                              QString::fromStdString(m_document.path().parent_path().string()), {});
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { verifyAgainst(std::filesystem::path(path.toStdString())); });
    dialog->open();
}

bool VerifyController::canVerify()
{
    QString obstacle = m_document.exporter().obstacle();
    const int gaps = m_document.gapCount();
    if (obstacle.isEmpty() && gaps > 0) {
        obstacle = counted(gaps, tr("1 node has no ONNX equivalent: no runtime can run the model."),
                           tr("%Ln nodes have no ONNX equivalent: no runtime can run the model.", nullptr, gaps));
    }
    if (!obstacle.isEmpty()) {
        m_messages.banner().show(verifyBanner, Severity::Warning,
                                 tr("The model cannot be verified yet. %1").arg(obstacle));
    }
    return obstacle.isEmpty();
}

void VerifyController::verifyAgainst(const std::filesystem::path& data)
{
    if (canVerify()) {
        m_data = data;
        m_document.verifier().verifyAgainst(data);
    }
}

void VerifyController::verifyEquivalence()
{
    if (canVerify()) {
        m_data.clear();
        m_document.verifier().verifyEquivalence();
    }
}

void VerifyController::report(const Result<NodeCheck>& result)
{
    if (!result) {
        reportFailure(result.problem());
        return;
    }
    const NodeCheck& check = result.value();
    const int proven = static_cast<int>(check.count(Proof::Proven));
    const int dataSets = static_cast<int>(check.outputs.dataSets);
    const QString verified =
        check.isOriginal ? tr("matches the original, largest difference %L1") : tr("verified, largest difference %L1");
    const QString words = check.outputs.equal() ? verified.arg(largestDifference(check.outputs), 0, 'g', 2)
                          : check.isOriginal    ? tr("differs from the original")
                                                : tr("differs");
    const QString inputs = check.isOriginal ? inputsText(check)
                                            : counted(dataSets, tr("1 recorded data set"),
                                                      tr("%Ln recorded data sets", nullptr, dataSets));
    m_status.showVerified(words,
                          tr("ONNX Runtime %1, %2; %3")
                              .arg(displayText(check.outputs.runtimeVersion), inputs,
                                   counted(proven, tr("1 node matches"), tr("%Ln nodes match", nullptr, proven))));
    const QString sentence = checkSentence(m_document, check);
    if (sentence.isEmpty()) {
        m_messages.banner().clear(verifyBanner);
        return;
    }
    if (!check.firstDifference) {
        m_messages.banner().show(verifyBanner, check.outputs.equal() ? Severity::Note : Severity::Error, sentence);
        return;
    }
    const auto go = [this, node = *check.firstDifference] {
        m_document.selection().selectNode(Side::Source, node);
        m_panes.revealSelection();
    };
    m_messages.banner().show(verifyBanner, Severity::Error, sentence, tr("Go to the node"), go);
    go();
}

void VerifyController::reportFailure(const Diagnostic& problem)
{
    m_status.showVerified(tr("not verified"), {});
    if (problem.code == Code("no-runtime")) {
        m_messages.banner().show(verifyBanner, Severity::Note,
                                 tr("The export was not verified: %1. Exporting itself requires no runtime.")
                                     .arg(messageText(problem.message)),
                                 tr("Installation\u2026"), [this, problem] { explainRuntime(problem); });
        return;
    }
    m_messages.banner().show(verifyBanner, Severity::Error,
                             withHint(tr("Verification failed: %1.").arg(messageText(problem.message)), problem));
}

void VerifyController::reportMeasuringFailed(const Diagnostic& problem)
{
    if (problem.code == Code("no-runtime")) {
        explainRuntime(problem);
    } else if (problem.code != Code("cancelled")) {
        m_messages.banner().show(
            timesBanner, Severity::Error,
            withHint(tr("The times were not measured: %1.").arg(messageText(problem.message)), problem));
    }
}

void VerifyController::explainRuntime(const Diagnostic& problem)
{
    QString places;
    for (const auto& place : runtimePlaces()) {
        places += QStringLiteral("\u2022 %1\n").arg(displayText(place));
    }
    auto* box = new QMessageBox(QMessageBox::Information, tr("ONNX Runtime"),
                                tr("Verification runs the export in ONNX Runtime."), QMessageBox::Close, &m_window);
    box->setIconPixmap(iconPixmap(QLatin1String("info"), theme().decomposed, 40, m_window.devicePixelRatioF()));
    box->setObjectName(QStringLiteral("runtimeDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Searched in this order:\n%1\nTo install it, run pip install onnxruntime or unpack a release archive of "
           "ONNX Runtime; both contain libonnxruntime.so. Choose that file below, or set CROSSWALK_ONNXRUNTIME to it "
           "or to its folder.\n\n%2.")
            .arg(places, messageText(problem.message)));
    auto* choose = box->addButton(tr("Choose the library\u2026"), QMessageBox::ActionRole);
    choose->setObjectName(QStringLiteral("chooseRuntime"));
    connect(choose, &QAbstractButton::clicked, this, &VerifyController::askRuntime);
    box->open();
}

void VerifyController::askRuntime()
{
    auto* dialog = fileDialog(&m_window, "runtimeFileDialog", tr("Choose ONNX Runtime's library"), QDir::homePath(),
                              tr("ONNX Runtime (libonnxruntime.so*);;All files (*)"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        qputenv(runtimeVariable, path.toUtf8());
        if (m_settings != nullptr) {
            m_settings->setValue(runtimeKey, path);
        }
        m_messages.banner().clear(verifyBanner);
        if (!m_data.empty()) {
            verifyAgainst(m_data);
        } else if (m_document.isOnnx()) {
            verifyEquivalence();
        }
    });
    dialog->open();
}

void VerifyController::restoreRuntime()
{
    const QString path = m_settings != nullptr ? m_settings->value(runtimeKey).toString() : QString();
    if (!path.isEmpty() && qEnvironmentVariableIsEmpty(runtimeVariable)) {
        qputenv(runtimeVariable, path.toUtf8());
    }
}

} // namespace crosswalk::ui
