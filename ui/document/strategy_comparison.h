#pragma once

#include "core/convert/conversion.h"
#include "ui/jobs/job_runner.h"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// What a strategy for a node results in.
struct StrategyCost {
    Strategy strategy = Strategy::Exact;
    std::optional<std::size_t> nodes;         ///< ONNX nodes in place of the node; nothing if it is not converted
    std::optional<std::int64_t> multiplyAdds; ///< of these, with symbolic sizes of 1; nothing if unknown
    std::optional<double> seconds = {};       ///< of these in a run; nothing until measured
};

/// Converts a model once for each strategy of a node to compare them, and measures them on request. Works in the
/// background.
class StrategyComparison final : public QObject {
    Q_OBJECT
public:
    explicit StrategyComparison(QObject* parent);

    /// The node whose strategies are compared, and everything that the comparison depends on.
    struct Subject {
        std::shared_ptr<const Graph> graph;
        ConvertOptions options;
        NodeId node;
        std::string name; ///< as options.strategies refers to it
        std::vector<Strategy> strategies;
        std::filesystem::path data = {}; ///< recorded tensors for measuring; may be empty
    };
    /// Compares the strategies of another node; keeps the results if only the strategy of this node changed.
    void compare(Subject subject);
    void clear();
    /// In the order of the subject's strategies; empty while they are compared.
    const std::vector<StrategyCost>& costs() const { return m_costs; }
    /// Runs the model once for each strategy with ONNX Runtime's profiler.
    void measure();
    bool isMeasuring() const { return m_measuring.isBusy(); }
    JobRunner& comparing() { return m_comparing; }
    JobRunner& measuring() { return m_measuring; }

signals:
    void changed();
    void measuringFailed(const crosswalk::Diagnostic& problem);

private:
    std::optional<Subject> m_subject; ///< without the choice for its own node, which the comparison varies
    std::vector<StrategyCost> m_costs;
    JobRunner m_comparing;
    JobRunner m_measuring;
};

} // namespace crosswalk::ui
