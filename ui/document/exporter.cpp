#include "ui/document/exporter.h"

#include "core/api/export_gate.h"
#include "core/base/text_file.h"
#include "core/formats/model_files.h"
#include "core/report/report_html.h"
#include "ui/document/document.h"
#include "ui/models/shape_text.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

Exporter::Exporter(Document& document)
    : QObject(&document)
    , m_document(document)
    , m_exporting(tr("Exporting"), this)
    , m_saving(tr("Saving"), this)
{
    connect(&m_exporting, &JobRunner::cancelled, this, &Exporter::cancelled);
    connect(&m_saving, &JobRunner::cancelled, this, &Exporter::cancelled);
}

QString Exporter::obstacle() const
{
    if (!m_document.isOpen()) {
        return tr("Open a model first.");
    }
    if (m_document.isComparing()) {
        return tr("Two models are being compared.");
    }
    if (m_document.isConverting()) {
        return tr("The conversion is still running.");
    }
    if (m_document.isOutdated()) {
        return tr("The model was not converted with the current options: convert it again, or reload it (F5).");
    }
    const auto& converted = m_document.converted();
    if (!converted || !converted->target) {
        return tr("Nothing could be converted: see the problems.");
    }
    if (const auto obstacle = conversionObstacle(*m_document.loaded(), converted->conversion, true)) {
        const bool isDamaged = obstacle->code == Code("damaged-source") || obstacle->code == Code("invalid-model");
        return obstacle->code == Code("bad-weights") ? tr("Weights are missing or do not fit: see the problems.")
               : isDamaged                           ? tr("The source file has errors: see the problems.")
                                                     : tr("The conversion is not complete: see the problems.");
    }
    // Gaps of an ONNX file already exist in it; a model that is not converted as requested must not be written.
    const auto& problems = converted->conversion.problems;
    const bool isRefused =
        m_document.isOnnx() && std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
            return problem.severity == Severity::Error && problem.code != Code("unsupported-operator");
        });
    if (isRefused || (converted->conversion.hasErrors() && m_document.gapCount() == 0)) {
        return tr("The conversion is not complete: see the problems.");
    }
    return {};
}

QStringList Exporter::activities() const
{
    QStringList running;
    for (const JobRunner* job : {&m_exporting, &m_saving}) {
        if (job->isBusy()) {
            running.append(job->activity());
        }
    }
    return running;
}

bool Exporter::isRunnable() const
{
    return obstacle().isEmpty() && m_document.gapCount() == 0;
}

void Exporter::exportTo(const std::filesystem::path& path)
{
    exportTo(path, m_settings);
}

void Exporter::exportApart(const std::filesystem::path& path)
{
    ExportSettings settings = m_settings;
    settings.write.weightsInPlace = false;
    exportTo(path, settings);
}

void Exporter::exportTo(const std::filesystem::path& path, const ExportSettings& settings)
{
    if (!obstacle().isEmpty()) {
        return;
    }
    const auto data = m_document.gapCount() == 0 ? m_document.verifier().recordedTensors() : std::filesystem::path();
    m_exporting.enqueue(
        tr("Exporting %1").arg(displayText(path.filename().string())), this,
        [loaded = *m_document.loaded(), model = m_document.converted(), path, data, settings](std::stop_token stop) {
            return checkAndWrite(loaded, model, path, data, settings, std::move(stop));
        },
        [this](const Result<ExportResult>& result) {
            if (result && result.value().verified) {
                m_document.verifier().take(result.value().model, *result.value().verified);
            }
            if (result) {
                emit exported(result.value());
            } else {
                emit exportFailed(result.problem());
            }
        });
}

void Exporter::save(const std::filesystem::path& path, std::function<void(std::stop_token)> write)
{
    m_saving.enqueue(
        tr("Saving %1").arg(displayText(path.filename().string())), this,
        [write = std::move(write), path,
         inputs = m_document.isOpen() ? filesOf(*m_document.loaded()) : std::vector<std::filesystem::path>()](
            std::stop_token stop) -> std::optional<Diagnostic> {
            try {
                expectNoneOf(inputs, path);
                write(std::move(stop));
            } catch (const ModelError& error) {
                return error.diagnostic;
            }
            return std::nullopt;
        },
        [this, path](const std::optional<Diagnostic>& problem) {
            if (problem) {
                emit saveFailed(*problem);
            } else {
                emit saved(path);
            }
        });
}

void Exporter::savePicture(const std::filesystem::path& path, ScenePart part)
{
    save(path, [path, part = std::move(part)](const std::stop_token&) { writePicture(path, part); });
}

void Exporter::saveLayers(const std::filesystem::path& path)
{
    if (!m_document.converted()) {
        return;
    }
    save(path, [path, graph = m_document.loaded()->graph, layers = m_document.converted()->layers,
                check = m_document.verifier().check(),
                latencies = m_document.verifier().layerLatencies()](const std::stop_token&) {
        writeTextFile(path, layersCsv(*graph, *layers, check.get(), latencies));
    });
}

void Exporter::saveReport(const std::filesystem::path& path)
{
    if (!m_document.isOpen() || !m_document.converted() || m_document.isOutdated()) {
        return;
    }
    const auto data = isRunnable() ? m_document.verifier().recordedTensors() : std::filesystem::path();
    save(path, [path, loaded = *m_document.loaded(), model = m_document.converted(), data,
                settings = m_settings](std::stop_token stop) {
        std::optional<VerifyReport> numbers;
        if (!data.empty()) {
            if (auto report = verifyOn(loaded, model, data, settings, stop)) {
                numbers = std::move(report.value().outputs);
            }
        }
        writeTextFile(path, reportHtml(loaded, model->conversion, numbers ? &*numbers : nullptr, std::move(stop)));
    });
}

} // namespace crosswalk::ui
