#pragma once

#include "crosswalk/shape.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

inline constexpr int oldestOpset = 11;
inline constexpr int newestOpset = 26; ///< the newest that ONNX Runtime 1.31 supports
inline constexpr int defaultOpset = 17;

/// How to express a node that ONNX's own operator cannot represent exactly.
enum class Strategy {
    Exact,    ///< the same function at any cost (for recurrent layers: a Scan of the step)
    Fused,    ///< ONNX's nearest operator: faster, but a different function; a warning states the difference
    Unrolled, ///< the same function, one copy of the step per time step: requires a fixed length
};

/// "exact", "fused", "unrolled".
std::string_view strategyName(Strategy strategy);
std::optional<Strategy> strategyFromName(std::string_view name);

struct CustomOperator {
    std::string domain;
    std::string name;
};

/// A part of a model, defined by its input and output values.
struct ModelPart {
    std::vector<std::string> from;
    std::vector<std::string> to;

    friend bool operator==(const ModelPart&, const ModelPart&) = default;
};

/// The user's options for a conversion, on the command line and in the window. convert() checks the names of inputs,
/// nodes and values against the model, and fails if it does not have them.
struct ConvertOptions {
    std::optional<int> opset = {};                              ///< default: defaultOpset, or that of an ONNX source
    std::map<std::string, Shape, std::less<>> shapes = {};      ///< by input name; a symbol is a dynamic dimension
    std::map<std::string, ElementType, std::less<>> types = {}; ///< by input name
    Strategy recurrent = Strategy::Exact;                       ///< --rnn
    std::map<std::string, Strategy, std::less<>> strategies =
        {}; ///< by node, as messages write it; overrides `recurrent`
    std::map<std::string, CustomOperator, std::less<>> customOperators =
        {};                                                       ///< by source operator, as the user names it
    std::map<std::string, std::string, std::less<>> renames = {}; ///< of inputs and outputs, by original name
    /// Values of the source's own graph that become the outputs in place of the source's, by value
    /// name, or by the name of a node with one output. Empty: the source's. What they do not need is not converted.
    std::vector<std::string> outputs = {};
    std::optional<ModelPart> part = {}; ///< of an ONNX source: the part to extract
    /// --each-sample: the symbol, in `shapes`, of the batch axes of a model for a single sample, which is run on each
    /// sample separately; empty if not used.
    std::string scanOverBatch = {};
    bool reroll = false;
    bool optimize = false;
    /// --optimize=attention: with `optimize`, attention becomes ONNX's Attention where that is exact (opset 23 and
    /// later). A note tells for each attention what became of it.
    bool fuseAttention = false;
};

/// Names of the inputs to which the options give a shape or a type.
std::vector<std::string> describedInputs(const ConvertOptions& options);

} // namespace crosswalk
