#pragma once

#include "core/formats/read_model.h"
#include "core/onnx/writer.h"
#include "core/verify/node_check.h"
#include "ui/document/export_settings.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

namespace crosswalk::ui {

struct ConvertedModel;

/// The result of an export.
struct ExportResult {
    std::shared_ptr<const ConvertedModel> model; ///< the conversion that was exported
    std::filesystem::path path;
    WriteReport written;
    double seconds = 0;
    std::optional<Result<NodeCheck>> verified; ///< set if there were recorded tensors
};

/// Checks the conversion, writes it, and compares its results with the recorded tensors in `data` unless that is empty.
/// The dialog asks before gaps are written, and before an ONNX model is replaced by its export.
Result<ExportResult> checkAndWrite(const LoadedModel& loaded, const std::shared_ptr<const ConvertedModel>& model,
                                   const std::filesystem::path& path, const std::filesystem::path& data,
                                   const ExportSettings& settings, std::stop_token stop);

/// Exports to a temporary file and runs it on recorded tensors.
Result<NodeCheck> verifyOn(const LoadedModel& loaded, const std::shared_ptr<const ConvertedModel>& model,
                           const std::filesystem::path& data, const ExportSettings& settings, std::stop_token stop);

} // namespace crosswalk::ui
