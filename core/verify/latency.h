#pragma once

#include "core/onnx/lazy_model.h"
#include "core/verify/runtime.h"
#include "crosswalk/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// Times that ONNX Runtime takes for the nodes of a model, in seconds.
struct LatencyReport {
    std::string runtimeVersion;
    /// By node of the graph, the mean of all runs. A node with bodies includes the time of these. Nothing for a node
    /// that did not run.
    std::vector<std::optional<double>> nodes;
    double total = 0; ///< of a run, with the time between nodes
    std::size_t runs = 0;
    bool isRandom = false;          ///< the inputs were random, not recorded
    std::vector<std::string> sizes; ///< if random: the sizes of symbolic dimensions, "N = 1"
};

/// Runs a model with ONNX Runtime's profiler: once to warm up, then for about a second, at least three and at most 50
/// times. `data` contains recorded inputs (see readDataSets); if it is empty, the inputs are random, and symbolic
/// dimensions get the first sizes that the model accepts. Without graph optimizations, because a fused node has no
/// time for its parts. Problem codes: "no-runtime", "runtime", "missing-input", "unreadable", "damaged",
/// "cancelled", and those of Runtime::start(): the model runs in a separate process.
Result<LatencyReport> measureLatency(const LazyModel& model, const std::filesystem::path& data = {},
                                     std::stop_token stop = {}, const RuntimeLimits& limits = {});

} // namespace crosswalk
