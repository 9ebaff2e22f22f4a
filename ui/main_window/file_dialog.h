#pragma once

#include <QFileDialog>

#include <filesystem>

namespace crosswalk::ui {

/// Opens a non-blocking dialog, so that the window stays responsive and tests can drive it. It deletes itself.
QFileDialog* fileDialog(QWidget* parent, const char* name, const QString& title, const QString& folder,
                        const QString& filter);

/// Dialog filters: files of all formats, then those of each format, then all files.
QString modelFilter();
/// Files that contain only weights.
QString weightsFilter();
bool isWeightsFile(const QString& path);

QString pathText(const std::filesystem::path& path);
/// The common name of a model's files: "model" for model-symbol.json.
QString plainStem(const std::filesystem::path& model);
/// The stem for files made from a model: that of its file or, if that says nothing, the name of its folder.
QString suggestedStem(const std::filesystem::path& model);
/// The name of a file for a person: with its folder if the file's own name says nothing ("digits/model-symbol.json").
QString modelTitle(const std::filesystem::path& model);
/// The default name of the export: digits.onnx for digits/model-symbol.json.
QString exportName(const std::filesystem::path& model);

} // namespace crosswalk::ui
