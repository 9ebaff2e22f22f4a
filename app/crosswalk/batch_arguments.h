#pragma once

#include "app/crosswalk/model_arguments.h"
#include "core/collection/collection_report.h"

namespace crosswalk::app {

/// --batch and its options: convert and diagnose run over a collection of models, each in a process of its own.
class BatchArguments {
public:
    void add(CLI::App& command);
    bool isGiven() const { return m_isGiven; }

    /// Runs over the collection that the model argument names, a folder or a text file that lists models. `output`: the
    /// folder of the ONNX files; empty to diagnose only. Returns the exit status. Throws ModelError.
    int run(const ModelArguments& model, const std::string& output, std::vector<std::string> exportOptions,
            const std::stop_token& stop) const;

private:
    bool m_isGiven = false;
    bool m_resume = false;
    std::size_t m_jobs = 0; ///< 0: one for each processor
    double m_seconds = 600;
    std::uint64_t m_megabytes = 4096;
    std::vector<std::string> m_reports;
};

/// Writes a report of a collection: JSON or HTML, by the extension of the path. `output`: the folder of the ONNX files.
/// Throws ModelError "usage" for any other extension.
void writeCollectionReport(const CollectionReport& report, const std::filesystem::path& path,
                           const std::filesystem::path& output);
/// The same check without writing.
void expectReportName(const std::filesystem::path& path);

} // namespace crosswalk::app
