#pragma once

#include <QFileDialog>

#include <filesystem>

namespace crosswalk::ui {

/// A dialog that does not block, so that the window behind stays alive and tests can drive it. It deletes itself.
QFileDialog* fileDialog(QWidget* parent, const char* name, const QString& title, const QString& folder,
                        const QString& filter);

/// Filters of dialogs: files of all formats, then those of each format, then all files.
QString modelFilter();
/// Files that have weights alone.
QString weightsFilter();
bool isWeightsFile(const QString& path);

/// What the files of a model are called after: model-symbol.json gives model.
QString plainStem(const std::filesystem::path& model);
/// What its export is called at first: model-symbol.json gives model.onnx.
QString exportName(const std::filesystem::path& model);

} // namespace crosswalk::ui
