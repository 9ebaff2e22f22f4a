#pragma once

#include "core/convert/conversion.h"
#include "core/convert/lowering.h"
#include "core/convert/node_context.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

enum class Support : std::uint8_t {
    Exact,
    ExactWithStrategy, ///< exact by default, with cheaper approximations to choose
    Approximate,
    TrainingOnly, ///< has no meaning at inference
    NotSupported,
};
std::string_view supportName(Support support);

/// A row of `crosswalk ops`.
struct SupportedOperator {
    std::string_view name;
    Support support = Support::Exact;
    std::string_view form; ///< the ONNX operators it becomes, "Transpose, Reshape"; empty: none
    std::string_view note = {};
};

/// The operations that conversion from a source framework needs. One constant table per framework.
struct Framework {
    std::string_view format; ///< Graph::format
    /// Emits the node and returns its outputs, in order; trailing hidden ones may be omitted. Throws ModelError. Null
    /// where convertWhole is not.
    OnnxValues (*translate)(NodeContext& context);
    /// Infers shapes and types of inputs that neither file nor user specify, from the weights they are combined with.
    /// May be null.
    void (*inferInputs)(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs);
    std::vector<SupportedOperator> (*operators)();
    /// Converts a whole ONNX model instead of `translate`. Null for every other framework. Throws ModelError if
    /// convert() fails as a whole.
    Conversion (*convertWhole)(const Graph& graph, const ConvertOptions& options,
                               const std::stop_token& stop) = nullptr;
    /// The types of a graph's values, except the stored ones, if convertWhole would not change the graph: for callers
    /// that need no model. Nothing if only the conversion can tell. Null where convertWhole is. Throws ModelError
    /// "cancelled".
    std::optional<std::vector<TensorType>> (*typesOfUnchanged)(const Graph& graph,
                                                               const std::stop_token& stop) = nullptr;
    /// Inputs that contain a state, each with the output that returns the next one. Null if the framework has none.
    std::map<std::string, std::string> (*states)(const Graph& graph) = nullptr;
    /// Makes the graph acyclic and functional before its nodes are translated. Null if graphs are already so when read.
    /// Throws ModelError for a graph that is damaged.
    LoweredGraph (*lower)(const Graph& graph, const ConvertOptions& options) = nullptr;
    bool rerolls = false; ///< whether `lower` implements ConvertOptions::reroll
    /// A sentence about the names in `operators`, for their page of documentation; may be empty.
    std::string_view noteOnNames = {};
};

std::span<const Framework* const> frameworks();
const Framework* findFramework(std::string_view format);

} // namespace crosswalk
