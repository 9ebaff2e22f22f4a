#pragma once

#include "core/convert/conversion.h"
#include "core/graph/parameters.h"
#include "core/verify/node_check.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// A node of a model, as a table of its layers shows it.
struct LayerRow {
    NodeId node;
    TensorType output;                             ///< of its first output, as far as known
    ParameterCount weights;                        ///< as weightsByNode() counts them
    std::optional<std::int64_t> multiplyAdds = {}; ///< of one run; empty if unknown or counted at another node
    NodeId countedAt = {};                         ///< the node that has the work of the shared ONNX nodes, if any
    std::optional<Verdict> verdict = {};           ///< empty without a conversion
};

struct LayerTable {
    std::vector<LayerRow> rows;
    std::set<std::string> symbolsAsOne; ///< the dimensions that the work counts as 1
};

/// The nodes of a graph in its order, except those that are drawn as rows of their consumers because they compute only
/// from stored values. `onnx` is the graph of the conversion; the work of an ONNX node that several source nodes share
/// is counted at the first of them. `listed`: the nodes to list at all, by node; empty: all.
LayerTable layerTable(const Graph& graph, const Conversion& conversion, const Graph& onnx,
                      const std::vector<bool>& listed = {});
/// The same, after the dimensions that the conversion and its graph leave unknown got names (nameUnknownDims).
LayerTable namedLayers(const Graph& graph, Conversion& conversion, Graph& onnx, const std::stop_token& stop,
                       const std::vector<bool>& listed = {});
/// The same without a conversion: work and verdicts are unknown.
LayerTable layerTable(const Graph& graph);

/// The largest absolute difference that a check measured at a node; nothing if none of its outputs was compared.
std::optional<double> measuredError(const NodeCheck& check, NodeId node);

/// The table as comma-separated values with a header, one line per row: name, operator, type, shape, parameters, bytes,
/// multiply_adds, verdict. With a check, also the error; with measured times, by node, also the latency in seconds;
/// last, counted_at. Unknown values are empty.
std::string layersCsv(const Graph& graph, const LayerTable& table, const NodeCheck* check = nullptr,
                      std::span<const std::optional<double>> latencies = {});

/// The weights of a model (visitParameters) as comma-separated values with a header: name, type, shape, parameters,
/// bytes.
std::string weightsCsv(const Graph& graph, const std::vector<bool>& needed);

} // namespace crosswalk
