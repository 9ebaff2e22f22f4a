#pragma once

#include "core/collection/collection_report.h"

#include <filesystem>
#include <string>

namespace crosswalk {

/// A page with the counts, the gaps by the number of models that they block, the architectures and all models. It loads
/// no other resources.
std::string collectionHtml(const CollectionReport& report);

/// Writes a report of a collection: JSON or HTML, by the extension of the path. `output`: the folder of the ONNX files.
/// Throws ModelError "usage" for any other extension, and "unwritable".
void writeCollectionReport(CollectionReport report, const std::filesystem::path& path,
                           const std::filesystem::path& output);
/// The same checks without writing: of the name, and whether the folder takes a file.
void expectReportName(const std::filesystem::path& path);
void expectWritableReport(const std::filesystem::path& path);

} // namespace crosswalk
