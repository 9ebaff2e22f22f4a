#pragma once

#include "ui/canvas/picture_file.h"
#include "ui/document/checked_export.h"
#include "ui/jobs/job_runner.h"

#include <functional>
#include <stop_token>

namespace crosswalk::ui {

class Document;

/// Writes what a document shows: the ONNX model, pictures, tables and reports. Works in the background, on one export
/// and one of the others at a time.
class Exporter final : public QObject {
    Q_OBJECT
public:
    explicit Exporter(Document& document);

    JobRunner& exporting() { return m_exporting; }
    JobRunner& saving() { return m_saving; }
    const ExportSettings& settings() const { return m_settings; }
    void setSettings(const ExportSettings& settings) { m_settings = settings; }

    /// The files that are being written: "Exporting model.onnx".
    QStringList activities() const;
    /// The reason why an export is impossible; empty if it is possible.
    QString obstacle() const;
    /// Whether ONNX Runtime can run the export: it is possible, and has no gaps.
    bool isRunnable() const;
    /// Checks and writes the export, and verifies it if recorded tensors are next to the source.
    void exportTo(const std::filesystem::path& path);
    /// The same for a file that is moved afterwards: it never refers to files of the source.
    void exportApart(const std::filesystem::path& path);
    /// Draws a part of a scene into a file.
    void savePicture(const std::filesystem::path& path, ScenePart part);
    /// Writes the layers of the source as comma-separated values, with the errors of the check if there is one.
    void saveLayers(const std::filesystem::path& path);
    /// Writes a report of the conversion, with measured differences if recorded tensors are next to the source.
    void saveReport(const std::filesystem::path& path);

signals:
    void exported(const crosswalk::ui::ExportResult& result);
    void exportFailed(const crosswalk::Diagnostic& problem);
    void saved(const std::filesystem::path& path); ///< a picture, a table or a report
    void saveFailed(const crosswalk::Diagnostic& problem);
    void cancelled(const QStringList& activities);

private:
    void exportTo(const std::filesystem::path& path, const ExportSettings& settings);
    void save(const std::filesystem::path& path, std::function<void(std::stop_token)> write);

    Document& m_document;
    JobRunner m_exporting;
    JobRunner m_saving;
    ExportSettings m_settings;
};

} // namespace crosswalk::ui
