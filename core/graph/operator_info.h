#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// Decides the tint of a node's header.
enum class OperatorCategory : std::uint8_t {
    Recurrent,
    Convolution, ///< matrix products too
    Normalisation,
    Activation,
    Pooling, ///< resizing too
    Shape,   ///< moves elements
    Arithmetic,
    ControlFlow,
    Data, ///< inputs, outputs, constants, variables, random numbers
    Other,
};

/// Documentation of an operator, for users.
struct OperatorDoc {
    struct Attribute {
        std::string name;
        std::string defaultValue; ///< as text; empty for a required attribute, and where there is no fixed default
        std::string text = {};    ///< may be empty
    };
    std::string text;                  ///< UTF-8, one paragraph per line
    std::vector<Attribute> attributes; ///< those that are documented

    const Attribute* attribute(std::string_view name) const;
};

/// Features of recurrent layers for which the window has badges, because ONNX's operators lack them.
enum class RecurrentFeature : std::uint8_t { None, CellClip, CellClipOfNan, Projection, SequenceLengths };

/// What layout and window need of the operators of a format: one constant table per format, which returns neutral
/// answers for operators and attributes that it does not contain.
struct OperatorInfo {
    OperatorCategory (*category)(const Node& node) = [](const Node&) { return OperatorCategory::Other; };
    OperatorDoc (*doc)(const Graph& graph, const Node& node) = [](const Graph&, const Node&) { return OperatorDoc(); };
    /// Whether drawings omit an attribute: it has its default value, or matters to training or to the runtime only.
    /// `text` is its value as it would be drawn.
    bool (*isOmitted)(const Node& node, const Attribute& attribute,
                      std::string_view text) = [](const Node&, const Attribute&, std::string_view) { return false; };
    /// Name of the operand at an input, "weight"; empty where it has none.
    std::string_view (*operandName)(const Node& node, std::size_t input) = [](const Node&, std::size_t) {
        return std::string_view();
    };
    /// Whether stored values have generated names, so that names of operands describe them better.
    bool prefersOperandNames = false;
    /// Whether the operator returns other values each time it runs.
    bool (*isRandom)(const Node& node) = [](const Node&) { return false; };
    /// The attribute of a node that holds its only output as a tensor; empty for a node that is no constant.
    std::string_view (*constantAttribute)(const Node& node) = [](const Node&) { return std::string_view(); };
    RecurrentFeature (*recurrentFeature)(std::string_view attribute) = [](std::string_view) {
        return RecurrentFeature::None;
    };
};

/// The table of the graph's format. For an operator of another framework in an ONNX graph (a gap, a custom operator),
/// the table of the framework that the graph was converted from.
const OperatorInfo& operatorInfo(const Graph& graph, const Node& node);

/// The feature that an attribute of any format configures, for attributes that diagnostics name.
RecurrentFeature recurrentFeature(std::string_view attribute);

} // namespace crosswalk
