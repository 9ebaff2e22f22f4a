#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/graph/verdict.h"
#include "core/onnx/model.h"
#include "crosswalk/options.h"
#include "crosswalk/result.h"

#include <stop_token>
#include <vector>

namespace crosswalk {

/// By body, the type and shape of each of its values.
using BodyTypes = std::map<const Graph*, std::vector<TensorType>>;

/// What a conversion gives: the ONNX model, how it hangs together with the source, and all that is to say.
struct Conversion {
    OnnxModel model;
    int opset = defaultOpset;
    std::int64_t irVersion = 0;
    std::vector<Diagnostic> problems;

    std::vector<Verdict> verdicts; ///< by source node
    /// The same of the nodes of the source's bodies, by the path to each body. They count the ONNX nodes that were
    /// emitted, before those without effect were dropped.
    std::map<GraphPath, std::vector<Verdict>> bodyVerdicts;
    std::vector<NodeId> behindGaps;                  ///< unsupported only for want of what another gap would give
    std::vector<std::vector<std::uint32_t>> targets; ///< ONNX nodes of each source node
    std::vector<std::vector<NodeId>> sources;        ///< source nodes of each ONNX node
    /// Source nodes that are part of the form of another one, such as those of a loop: that one, whose ONNX nodes are
    /// theirs as well.
    std::map<NodeId, NodeId> mergedInto;
    std::vector<std::string> valueNames; ///< ONNX name of each source value; empty: has none
    std::vector<TensorType> valueTypes;  ///< type and shape of each source value, as far as known
    /// The same of the values of the source's subgraphs, at any depth: what a body has while its node runs it.
    BodyTypes bodyTypes;
    std::map<std::string, std::string> states; ///< state input to the output that carries it on

    bool hasErrors() const;
    /// Errors of the source itself (missing weights and the like), exit status 3, as against gaps, exit status 4.
    bool inputIsBad() const;
};

/// Converts the whole graph and reports every problem, not only the first. Never throws for what a file says;
/// fails as a whole only when cancelled ("cancelled") or when an option names what is not there ("unknown-input",
/// "unknown-node", "unknown-output"). Nodes that the chosen outputs do not need are folded.
Result<Conversion> convert(const Graph& graph, const ConvertOptions& options, std::stop_token stop = {});

} // namespace crosswalk
