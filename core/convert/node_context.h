#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/source_names.h"
#include "core/graph/graph.h"
#include "core/onnx/builder.h"
#include "crosswalk/options.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswalk {

/// Thrown by a translator if a required shape or type is unknown. Not reported after a gap; otherwise the problem names
/// the graph inputs with unknown shapes.
struct UnknownShape : ModelError {
    using ModelError::ModelError;
};

/// The environment of a node during its translation.
struct TranslationScope {
    const Graph& graph;
    const SourceNames& names;
    const ConvertOptions& options;
    OnnxBuilder& onnx;
    std::vector<Diagnostic>& problems;
    const std::vector<NodeRef>& origins; ///< the source nodes of the node, at least one
    /// Translates a body of the graph in place (inside an open ONNX body). Takes its input values and returns its
    /// output values.
    std::function<OnnxValues(SubgraphId body, const OnnxValues& inputs)> translateSubgraph;
    std::vector<const Graph*> enclosing = {}; ///< the graphs around a body, the model's first
};

/// The interface of translators to the node that they translate. Accessors throw a Diagnostic that refers to the node,
/// so translators need no error handling.
class NodeContext {
public:
    NodeContext(const TranslationScope& scope, NodeId id, OnnxValues inputs);

    const Graph& graph;
    const NodeId id;
    const Node& node;
    const ConvertOptions& options;
    OnnxBuilder& onnx;

    std::size_t inputCount() const { return m_inputs.size(); }
    bool hasInput(std::size_t i) const { return i < m_inputs.size() && m_inputs[i]; }
    OnnxValue input(std::size_t i) const; ///< throws if the node has no such input
    const OnnxValues& inputs() const { return m_inputs; }
    /// For a translation in another type: the operands that the translator reads from now on.
    void replaceInputs(OnnxValues inputs) { m_inputs = std::move(inputs); }

    /// The graphs around the one of the node, the model's first.
    const std::vector<const Graph*>& enclosing() const { return m_scope.enclosing; }
    /// The name of the source node as shown to the user.
    std::string name() const;
    /// The strategy for this node: from --strategy, otherwise from --rnn.
    Strategy strategy() const;
    bool isApproximate() const { return m_approximate; }
    /// Translates a body that an attribute of the node refers to; call between beginBody and endBody. `inputs` are the
    /// values of the subgraph's Graph::inputs, in order.
    OnnxValues translateSubgraph(SubgraphId body, const OnnxValues& inputs) const;

    // Shape and type of any value; throw UnknownShape if they are unknown.
    const Shape& shape(OnnxValue value) const;
    std::size_t rank(OnnxValue value) const { return shape(value).size(); }
    ElementType element(OnnxValue value) const;
    std::int64_t fixedDim(OnnxValue value, std::int64_t axis) const; ///< axis may be negative
    /// Throws "wrong-weight" if input i is a stored weight whose shape differs from `expected`. Unknown dimensions of
    /// `expected` match any size; an input that is not stored is left to inference.
    void expectWeight(std::size_t i, const Shape& expected) const;
    /// Throws "wrong-weight" with another message and the same hint: the input shapes may be wrong.
    [[noreturn]] void wrongWeight(std::string message) const;
    /// Converts a negative axis to one counted from the start; throws if it is out of range.
    std::int64_t axis(std::int64_t axis, std::size_t rank, std::string_view attribute = "axis") const;

    /// Adds an operator with one output.
    OnnxValue emit(std::string_view op, const OnnxValues& inputs, const OnnxAttributes& attributes = {}) const
    {
        return onnx.add(op, inputs, attributes);
    }

    /// Throws "unsupported-attribute": the node cannot be expressed exactly. `hint` contains the remedy.
    [[noreturn]] void refuse(std::string message, std::string attribute = {}, std::string hint = {},
                             std::vector<Choice> choices = {}) const;
    /// Throws "invalid-attribute": the framework itself would reject the file.
    [[noreturn]] void invalid(std::string message, std::string attribute = {}) const;
    void note(Code code, std::string message, std::string attribute = {}) const;
    /// Marks the node as approximate by the user's choice; `message` states the difference, `choices` the alternatives.
    void approximate(std::string message, std::string attribute = {}, std::vector<Choice> choices = {});
    /// Adds a note that offers alternatives to the exact form that was used.
    void choices(Code code, std::string message, std::string attribute, std::vector<Choice> choices) const;

    /// For a translation that may be repeated: the number of problems, and a function that removes later ones.
    std::size_t problemCount() const { return m_scope.problems.size(); }
    void forgetProblems(std::size_t count) const { m_scope.problems.resize(count); }

private:
    Diagnostic about(Severity severity, Code code, std::string message, std::string attribute) const;

    const TranslationScope& m_scope;
    OnnxValues m_inputs;
    bool m_approximate = false;
};

} // namespace crosswalk
