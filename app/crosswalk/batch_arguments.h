#pragma once

#include "app/crosswalk/model_arguments.h"
#include "core/collection/run_collection.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk::app {

/// --batch and its options: convert and diagnose run over a collection of models, each in a process of its own.
class BatchArguments {
public:
    void add(CLI::App& command);
    bool isGiven() const { return m_isGiven; }

    /// What a run prints.
    struct Printing {
        bool json = false;  ///< the report in place of the summary
        bool quiet = false; ///< neither progress nor the summary
    };
    /// Runs over the collection that the model argument names, a folder or a text file that lists models. `output`: the
    /// folder of the ONNX files; empty to diagnose only. Returns the exit status. Throws ModelError.
    int run(const ModelArguments& model, const std::string& output, std::vector<std::string> exportOptions,
            Printing printing, const std::stop_token& stop) const;

private:
    static constexpr std::uint64_t megabyte = 1'000'000;

    bool m_isGiven = false;
    bool m_resume = false;
    std::size_t m_jobs = 0; ///< 0: one for each processor
    double m_seconds = std::chrono::duration<double>(usualLimits.time).count();
    std::uint64_t m_megabytes = usualLimits.memory / megabyte;
    std::vector<std::string> m_reports;
};

} // namespace crosswalk::app
