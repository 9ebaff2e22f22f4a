// Verification: recorded tensors, results, and help if ONNX Runtime is missing.

#include "core/verify/runtime.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace crosswalk::ui {
namespace {

const QString verifyBanner = QStringLiteral("verify");
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

void MainWindow::askVerify()
{
    const auto recorded = m_document.recordedTensors();
    if (!recorded.empty()) {
        verifyAgainst(recorded);
        return;
    }
    if (m_document.isOnnx()) {
        verifyEquivalence();
        return;
    }
    auto* dialog = fileDialog(this, "verifyDialog",
                              tr("Folder with recorded tensors (test_data_set_0, or input_0.pb and output_0.pb)"),
                              QString::fromStdString(m_document.path().parent_path().string()), {});
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { verifyAgainst(std::filesystem::path(path.toStdString())); });
    dialog->open();
}

bool MainWindow::canVerify()
{
    QString obstacle = m_document.exportObstacle();
    const int gaps = m_document.gapCount();
    if (obstacle.isEmpty() && gaps > 0) {
        obstacle = counted(gaps, tr("1 node has no ONNX equivalent: no runtime can run the model."),
                           tr("%Ln nodes have no ONNX equivalent: no runtime can run the model.", nullptr, gaps));
    }
    if (!obstacle.isEmpty()) {
        m_banner->show(verifyBanner, Severity::Warning, tr("The model cannot be verified yet. %1").arg(obstacle));
    }
    return obstacle.isEmpty();
}

void MainWindow::verifyAgainst(const std::filesystem::path& data)
{
    if (canVerify()) {
        m_data = data;
        m_document.verifyAgainst(data);
    }
}

void MainWindow::verifyEquivalence()
{
    if (canVerify()) {
        m_data.clear();
        m_document.verifyEquivalence();
    }
}

void MainWindow::reportVerified(const Result<NodeCheck>& result)
{
    if (!result) {
        reportVerificationFailed(result.problem());
        return;
    }
    const NodeCheck& check = result.value();
    const int proven = static_cast<int>(check.count(Proof::Proven));
    const int dataSets = static_cast<int>(check.outputs.dataSets);
    const QString verified =
        check.isOriginal ? tr("matches the original, largest difference %L1") : tr("verified, largest difference %L1");
    m_checked->setText(check.outputs.equal() ? verified.arg(largestDifference(check.outputs), 0, 'g', 2)
                       : check.isOriginal    ? tr("differs from the original")
                                             : tr("differs"));
    const QString inputs = check.isOriginal ? inputsText(check)
                                            : counted(dataSets, tr("1 recorded data set"),
                                                      tr("%Ln recorded data sets", nullptr, dataSets));
    m_checked->setToolTip(tr("ONNX Runtime %1, %2; %3")
                              .arg(QString::fromStdString(check.outputs.runtimeVersion), inputs,
                                   counted(proven, tr("1 node matches"), tr("%Ln nodes match", nullptr, proven))));
    const QString sentence = checkSentence(m_document, check);
    if (sentence.isEmpty()) {
        m_banner->clear(verifyBanner);
        return;
    }
    if (!check.firstDifference) {
        m_banner->show(verifyBanner, check.outputs.equal() ? Severity::Note : Severity::Error, sentence);
        return;
    }
    const auto go = [this, node = *check.firstDifference] {
        m_document.selectNode(Side::Source, node);
        revealSelection();
    };
    m_banner->show(verifyBanner, Severity::Error, sentence, tr("Go to the node"), go);
    go();
}

void MainWindow::reportVerificationFailed(const Diagnostic& problem)
{
    m_checked->setText(tr("not verified"));
    m_checked->setToolTip({});
    if (problem.code == Code("no-runtime")) {
        m_banner->show(
            verifyBanner, Severity::Note,
            tr("The export was not verified: %1. Exporting itself requires no runtime.").arg(fromUtf8(problem.message)),
            tr("Installation\u2026"), [this, problem] { explainRuntime(problem); });
        return;
    }
    QString text = tr("Verification failed: %1.").arg(fromUtf8(problem.message));
    if (!problem.hint.empty()) {
        text += u' ' + capitalised(fromUtf8(problem.hint)) + u'.';
    }
    m_banner->show(verifyBanner, Severity::Error, text);
}

void MainWindow::explainRuntime(const Diagnostic& problem)
{
    QString places;
    for (const auto& place : runtimePlaces()) {
        places += QStringLiteral("<li>%1</li>").arg(fromUtf8(place).toHtmlEscaped());
    }
    auto* box = new QMessageBox(QMessageBox::Information, tr("ONNX Runtime"),
                                tr("Verification runs the export in ONNX Runtime."), QMessageBox::Close, this);
    box->setIconPixmap(iconPixmap(QLatin1String("info"), theme().decomposed, 40, devicePixelRatioF()));
    box->setObjectName(QStringLiteral("runtimeDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(
        tr("Searched in this order:<ul>%1</ul>To install it, run <code>pip install onnxruntime</code> or unpack a "
           "release archive of ONNX Runtime; both contain libonnxruntime.so. Choose that file below, or set "
           "CROSSWALK_ONNXRUNTIME to it or to its folder.<br><br>%2.")
            .arg(places, fromUtf8(problem.message).toHtmlEscaped()));
    auto* choose = box->addButton(tr("Choose the library\u2026"), QMessageBox::ActionRole);
    choose->setObjectName(QStringLiteral("chooseRuntime"));
    connect(choose, &QAbstractButton::clicked, this, &MainWindow::askRuntime);
    box->open();
}

void MainWindow::askRuntime()
{
    auto* dialog = fileDialog(this, "runtimeFileDialog", tr("Choose ONNX Runtime's library"), QDir::homePath(),
                              tr("ONNX Runtime (libonnxruntime.so*);;All files (*)"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        qputenv(runtimeVariable, path.toUtf8());
        if (m_settings) {
            m_settings->setValue(runtimeKey, path);
        }
        m_banner->clear(verifyBanner);
        if (!m_data.empty()) {
            verifyAgainst(m_data);
        } else if (m_document.isOnnx()) {
            verifyEquivalence();
        }
    });
    dialog->open();
}

void MainWindow::restoreRuntime()
{
    const QString path = m_settings ? m_settings->value(runtimeKey).toString() : QString();
    if (!path.isEmpty() && qEnvironmentVariableIsEmpty(runtimeVariable)) {
        qputenv(runtimeVariable, path.toUtf8());
    }
}

} // namespace crosswalk::ui
