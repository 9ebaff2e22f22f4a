#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/graph/verdict.h"
#include "core/onnx/lazy_model.h"
#include "crosswalk/options.h"
#include "crosswalk/result.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// By body, the type and shape of each of its values.
using BodyTypes = std::map<const Graph*, std::vector<TensorType>>;

/// The result of a conversion: the ONNX model, its links to the source, and all problems.
struct Conversion {
    LazyModel model;
    int opset = defaultOpset;
    std::int64_t irVersion = 0;
    bool keepsGraph = false; ///< the source is a valid ONNX model, to which only metadata was added
    std::vector<Diagnostic> problems;

    std::vector<Verdict> verdicts; ///< by source node
    /// The same of the nodes of the source's bodies, by the path to each body. They count the ONNX nodes that were
    /// emitted, before those without effect were dropped.
    std::map<GraphPath, std::vector<Verdict>> bodyVerdicts;
    std::vector<NodeId> behindGaps;                  ///< unsupported only because the shape of an input is unknown
    std::vector<std::vector<std::uint32_t>> targets; ///< ONNX nodes of each source node
    std::vector<std::vector<NodeId>> sources;        ///< source nodes of each ONNX node
    /// Source nodes that belong to the form of another one, such as those of a loop: that node, whose ONNX nodes they
    /// share.
    std::map<NodeId, NodeId> mergedInto;
    std::vector<std::string> valueNames; ///< ONNX name of each source value; empty: has none
    std::vector<TensorType> valueTypes;  ///< type and shape of each source value, if known
    /// The same of the values of the source's subgraphs, at any depth: the types in a body while its node runs it.
    BodyTypes bodyTypes;
    std::map<std::string, std::string> states; ///< maps a state input to the output that returns the next state

    bool hasErrors() const;
    /// Errors of the source itself (such as missing weights), exit status 3, in contrast to gaps, exit status 4.
    bool inputIsBad() const;
};

/// Converts the whole graph and reports every problem, not only the first. Never throws because of a file's content;
/// fails as a whole only if cancelled ("cancelled") or if an option refers to something missing ("unknown-input",
/// "unknown-node", "unknown-output"). Nodes that the chosen outputs do not need are folded.
Result<Conversion> convert(const Graph& graph, const ConvertOptions& options, std::stop_token stop = {});

} // namespace crosswalk
