#pragma once

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "crosswalk/crosswalk.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace crosswalk {

/// Why a conversion is not to be written, wherever it goes: as obstacleTo(), without the check of the path.
std::optional<Diagnostic> conversionObstacle(const LoadedModel& source, const Conversion& conversion, bool partial);

/// Throws ModelError "usage" where writing to `path` would replace a file of the source that is not to be replaced.
void expectReplaceable(const LoadedModel& source, const std::filesystem::path& path, Overwrite overwrite);

/// The only way in which an export is written: expectReplaceable(), conversionObstacle(), ONNX's checker, writeOnnx().
/// Throws ModelError.
WriteReport writeExport(const LoadedModel& source, const Conversion& conversion, const std::filesystem::path& path,
                        const ExportOptions& options, std::stop_token stop);

/// The same for a part of an ONNX model that was extracted, not converted: its nodes are the source's. `files`: of the
/// source (filesOf). Throws ModelError "usage", "unreadable" if one of them has changed, "damaged", "unwritable",
/// "cancelled".
WriteReport writePart(const OnnxModel& part, const std::vector<std::filesystem::path>& files,
                      const std::filesystem::path& path, Overwrite overwrite, std::stop_token stop);

} // namespace crosswalk
