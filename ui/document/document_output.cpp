// Exporting and verifying a document.

#include "ui/document/document.h"

#include "core/api/export_gate.h"
#include "core/base/text_file.h"
#include "core/formats/model_files.h"
#include "core/formats/onnx_graph.h"
#include "core/report/report_html.h"

#include <QTemporaryDir>

#include <algorithm>
#include <chrono>

namespace crosswalk::ui {
namespace {

/// The dialog asks before gaps are written, and before an ONNX model is replaced by its export.
Result<ExportResult> checkAndWrite(const LoadedModel& loaded, const ConvertedModel& model,
                                   const std::filesystem::path& path, const std::filesystem::path& data,
                                   const ExportSettings& settings, std::stop_token stop)
{
    const auto start = std::chrono::steady_clock::now();
    ExportResult result;
    result.path = path;
    try {
        const ExportOptions options{
            .externalData = settings.write.externalData, .partial = true, .overwrite = Overwrite::OnnxSource};
        result.written = writeExport(loaded, model.conversion, path, options, stop);
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!data.empty()) {
        result.verified = checkNodes(*model.source.side->graph, model.conversion, path, data, settings.tolerance, stop);
    }
    return result;
}

/// Exports to a temporary file and runs it on recorded tensors.
Result<NodeCheck> verifiedOn(const LoadedModel& loaded, const ConvertedModel& model, const std::filesystem::path& data,
                             const Tolerance& tolerance, std::stop_token stop)
{
    const QTemporaryDir folder;
    if (!folder.isValid()) {
        return Diagnostic{.code = "unwritable", .message = "cannot create a temporary folder for the check"};
    }
    const auto path = std::filesystem::path(folder.path().toStdString()) / "model.onnx";
    auto result = checkAndWrite(loaded, model, path, data, {{}, tolerance}, std::move(stop));
    return result ? std::move(*result.value().verified) : Result<NodeCheck>(result.problem());
}

} // namespace

int Document::gapCount() const
{
    return m_converted ? m_converted->gaps : 0;
}

QString Document::exportObstacle() const
{
    if (!m_loaded) {
        return tr("Open a model first.");
    }
    if (m_compared) {
        return tr("Two models are being compared.");
    }
    if (m_converting.isBusy()) {
        return tr("The conversion is still running.");
    }
    if (!m_converted || !m_converted->target) {
        return tr("Nothing could be converted: see the problems.");
    }
    if (const auto obstacle = conversionObstacle(*m_loaded, m_converted->conversion, true)) {
        return obstacle->code == Code("bad-weights")      ? tr("Weights are missing or do not fit: see the problems.")
               : obstacle->code == Code("damaged-source") ? tr("The source file has errors: see the problems.")
                                                          : tr("The conversion is not complete: see the problems.");
    }
    // Gaps of an ONNX file already exist in it; a model that is not converted as requested must not be written.
    const auto& problems = m_converted->conversion.problems;
    const bool isRefused =
        isOnnx() && std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
            return problem.severity == Severity::Error && problem.code != Code("unsupported-operator");
        });
    if (isRefused || (m_converted->conversion.hasErrors() && gapCount() == 0)) {
        return tr("The conversion is not complete: see the problems.");
    }
    return {};
}

std::filesystem::path Document::recordedTensors() const
{
    if (m_path.empty() || m_options.part || !m_options.outputs.empty()) {
        return {}; // recorded of the whole
    }
    std::error_code ignored;
    auto folder = std::filesystem::absolute(m_path, ignored).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with("test_data_set_") && entry.is_directory(ignored)) {
            return folder;
        }
    }
    return {};
}

void Document::exportTo(const std::filesystem::path& path)
{
    if (!exportObstacle().isEmpty()) {
        return;
    }
    const auto data = gapCount() == 0 ? recordedTensors() : std::filesystem::path();
    m_exporting.setActivity(tr("Exporting %1").arg(QString::fromStdString(path.filename().string())));
    m_exporting.run(
        this,
        [loaded = *m_loaded, model = m_converted, path, data, settings = m_exportSettings](std::stop_token stop) {
            return checkAndWrite(loaded, *model, path, data, settings, std::move(stop));
        },
        [this, model = m_converted](const Result<ExportResult>& result) {
            if (result && result.value().verified) {
                takeCheck(model, *result.value().verified);
            }
            if (result) {
                emit exported(result.value());
            } else {
                emit exportFailed(result.problem());
            }
        });
}

void Document::verifyAgainst(const std::filesystem::path& data)
{
    if (!exportObstacle().isEmpty()) {
        return;
    }
    m_verifying.run(
        this,
        [loaded = *m_loaded, model = m_converted, data, tolerance = m_exportSettings.tolerance](std::stop_token stop) {
            return verifiedOn(loaded, *model, data, tolerance, std::move(stop));
        },
        [this, model = m_converted](const Result<NodeCheck>& check) {
            takeCheck(model, check);
            emit verified(check);
        });
}

void Document::verifyEquivalence()
{
    if (!exportObstacle().isEmpty() || !isOnnx()) {
        return;
    }
    m_verifying.run(
        this,
        [model = m_converted](std::stop_token stop) -> Result<NodeCheck> {
            try {
                checkModel(model->conversion.model);
                const Graph& source = *model->source.side->graph;
                return checkAgainstOriginal(source, modelOf(source), model->conversion, {}, std::move(stop));
            } catch (const ModelError& error) {
                return error.diagnostic;
            }
        },
        [this, model = m_converted](const Result<NodeCheck>& check) {
            takeCheck(model, check);
            emit verified(check);
        });
}

void Document::save(const std::filesystem::path& path, std::function<void(std::stop_token)> write)
{
    m_saving.setActivity(tr("Saving %1").arg(QString::fromStdString(path.filename().string())));
    m_saving.run(
        this,
        [write = std::move(write), path, inputs = m_loaded ? filesOf(*m_loaded) : std::vector<std::filesystem::path>()](
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

void Document::savePicture(const std::filesystem::path& path, ScenePart part)
{
    save(path, [path, part = std::move(part)](const std::stop_token&) { writePicture(path, part); });
}

void Document::saveLayers(const std::filesystem::path& path)
{
    if (!m_converted) {
        return;
    }
    save(path, [path, graph = m_loaded->graph, layers = m_converted->layers, check = m_check](const std::stop_token&) {
        writeTextFile(path, layersCsv(*graph, *layers, check.get()));
    });
}

void Document::saveReport(const std::filesystem::path& path)
{
    if (!m_loaded || !m_converted) {
        return;
    }
    const auto data = exportObstacle().isEmpty() && gapCount() == 0 ? recordedTensors() : std::filesystem::path();
    const auto tolerance = m_exportSettings.tolerance;
    save(path, [path, loaded = *m_loaded, model = m_converted, data, tolerance](std::stop_token stop) {
        std::optional<VerifyReport> numbers;
        if (!data.empty()) {
            if (auto report = verifiedOn(loaded, *model, data, tolerance, stop)) {
                numbers = std::move(report.value().outputs);
            }
        }
        writeTextFile(path, reportHtml(loaded, model->conversion, numbers ? &*numbers : nullptr, std::move(stop)));
    });
}

} // namespace crosswalk::ui
