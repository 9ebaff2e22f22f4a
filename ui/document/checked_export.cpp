#include "ui/document/checked_export.h"

#include "core/api/export_gate.h"
#include "ui/document/converted_model.h"

#include <QTemporaryDir>

#include <chrono>
#include <utility>

namespace crosswalk::ui {

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

Result<NodeCheck> verifyOn(const LoadedModel& loaded, const ConvertedModel& model, const std::filesystem::path& data,
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

} // namespace crosswalk::ui
