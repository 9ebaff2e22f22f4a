#pragma once

#include "core/graph/tensor_type.h"
#include "core/onnx/opsets.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk {

/// How a node is expressed whose function ONNX's own operator does not have.
enum class Strategy {
    Exact,    ///< the same function, whatever it takes (for recurrent layers: a Scan of the step)
    Fused,    ///< ONNX's nearest operator: faster, and not the same function; a warning says what is lost
    Unrolled, ///< the same function, one copy of the step for each time: needs a fixed length
};

/// "exact", "fused", "unrolled".
std::string_view strategyName(Strategy strategy);
std::optional<Strategy> strategyFromName(std::string_view name);

struct CustomOperator {
    std::string domain;
    std::string name;
};

/// A part of a model, by the values that it begins and ends at.
struct ModelPart {
    std::vector<std::string> from;
    std::vector<std::string> to;

    friend bool operator==(const ModelPart&, const ModelPart&) = default;
};

/// What the user asks of a conversion; the same on the command line and in the window.
struct ConvertOptions {
    std::optional<int> opset = {}; ///< not given: defaultOpset, or the source's own where that is ONNX
    std::map<std::string, Shape, std::less<>> shapes = {};        ///< by input name; a symbol is a free dimension
    std::map<std::string, ElementType, std::less<>> types = {};   ///< by input name
    Strategy recurrent = Strategy::Exact;                         ///< --rnn
    std::map<std::string, Strategy, std::less<>> strategies = {}; ///< by node as NodeNames writes it; beats `recurrent`
    std::map<std::string, CustomOperator, std::less<>> customOperators =
        {};                                                       ///< by source operator, as the user names it
    std::map<std::string, std::string, std::less<>> renames = {}; ///< of the export's inputs and outputs, by old name
    std::optional<ModelPart> part = {};                           ///< of an ONNX source: what is kept of it
    /// --each-sample: the symbol, in `shapes`, of the axes along which a model of one sample is to take any number of
    /// them, each by itself (see core/rewrite/scan_over_batch.h); empty: not asked for.
    std::string scanOverBatch = {};
    bool reroll = false;
    bool optimize = false;
};

} // namespace crosswalk
