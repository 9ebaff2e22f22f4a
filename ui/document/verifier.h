#pragma once

#include "core/verify/latency.h"
#include "core/verify/node_check.h"
#include "ui/jobs/job_runner.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace crosswalk::ui {

class Document;
struct ConvertedModel;

/// Runs the export of a document with ONNX Runtime, in the background: compares its results with recorded tensors or
/// with the original model, and measures the latency of its nodes, one after the other. Results belong to the current
/// conversion.
class Verifier final : public QObject {
    Q_OBJECT
public:
    explicit Verifier(Document& document);

    JobRunner& job() { return m_job; }
    /// The folder next to the model that contains recorded tensors; empty if there is none.
    std::filesystem::path recordedTensors() const;
    /// Writes the model to a temporary file and compares its results with recorded tensors, including inner ones.
    void verifyAgainst(const std::filesystem::path& data);
    /// Runs an ONNX source and its edited version on the same inputs, and compares the results.
    void verifyEquivalence();
    /// The result of verifying the current conversion; null if it was not verified.
    const std::shared_ptr<const NodeCheck>& check() const { return m_check; }
    /// Adopts the check of an export. Ignored if it failed or another conversion followed.
    void take(const std::shared_ptr<const ConvertedModel>& of, const Result<NodeCheck>& check);
    /// Runs the export with ONNX Runtime's profiler, on recorded inputs if there are any.
    void measureLatency();
    /// The times of the nodes of the ONNX graph; null if they were not measured.
    const std::shared_ptr<const LatencyReport>& latencies() const { return m_latencies; }
    /// The times of the nodes of the source in seconds, by node; empty if they were not measured.
    std::vector<std::optional<double>> layerLatencies() const;
    /// Stops the running check, and drops the result of the previous conversion. Emits nothing.
    void forget();
    void forgetLatencies() { m_latencies.reset(); }

signals:
    /// There is a check of the current conversion.
    void checked();
    void verified(const crosswalk::Result<crosswalk::NodeCheck>& check);
    void latencyMeasured(const crosswalk::Result<crosswalk::LatencyReport>& result);

private:
    static QString verifying(); ///< the activity

    Document& m_document;
    JobRunner m_job;
    std::shared_ptr<const NodeCheck> m_check;
    std::shared_ptr<const LatencyReport> m_latencies;
};

} // namespace crosswalk::ui
