#include "ui/document/checked_export.h"

#include "core/api/export_gate.h"
#include "core/base/temporary_folder.h"
#include "ui/document/converted_model.h"

#include <chrono>
#include <utility>

namespace crosswalk::ui {

Result<ExportResult> checkAndWrite(const LoadedModel& loaded, const std::shared_ptr<const ConvertedModel>& model,
                                   const std::filesystem::path& path, const std::filesystem::path& data,
                                   const ExportSettings& settings, std::stop_token stop)
{
    const auto start = std::chrono::steady_clock::now();
    ExportResult result;
    result.model = model;
    result.path = path;
    try {
        const ExportOptions options{.externalData = settings.write.externalData,
                                    .weightsInPlace = settings.write.weightsInPlace,
                                    .partial = true,
                                    .overwrite = Overwrite::OnnxSource};
        result.written = writeExport(loaded, model->conversion, path, options, stop);
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!data.empty()) {
        result.verified = checkNodes(*model->source.side->graph, model->conversion, path, data, settings.tolerance,
                                     stop, settings.limits);
    }
    return result;
}

Result<NodeCheck> verifyOn(const LoadedModel& loaded, const std::shared_ptr<const ConvertedModel>& model,
                           const std::filesystem::path& data, const ExportSettings& settings, std::stop_token stop)
{
    try {
        const TemporaryFolder folder;
        const auto path = folder.path() / "model.onnx";
        auto result =
            checkAndWrite(loaded, model, path, data, {{}, settings.tolerance, settings.limits}, std::move(stop));
        return result ? std::move(*result.value().verified) : Result<NodeCheck>(result.problem());
    } catch (const ModelError& error) { // no temporary folder
        return error.diagnostic;
    }
}

} // namespace crosswalk::ui
