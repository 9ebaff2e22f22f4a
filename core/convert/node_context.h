#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/options.h"
#include "core/convert/source_names.h"
#include "core/graph/graph.h"
#include "core/onnx/builder.h"

#include <functional>

namespace crosswalk {

/// Thrown by a translator that cannot go on because a shape or type is not known. Behind a gap it is silence, elsewhere
/// the problem names the graph inputs whose shape is open.
struct UnknownShape : ModelError {
    using ModelError::ModelError;
};

/// What surrounds a node while it is translated.
struct TranslationScope {
    const Graph& graph;
    const SourceNames& names;
    const ConvertOptions& options;
    OnnxBuilder& onnx;
    std::vector<Diagnostic>& problems;
    const std::vector<NodeRef>& origins; ///< the source nodes that the node comes from, at least one
    /// Translates a body of the graph in place (inside an ONNX body that is open): its input values in, its output
    /// values out.
    std::function<OnnxValues(SubgraphId body, const OnnxValues& inputs)> translateSubgraph;
};

/// What a translator sees of the node that it translates. Accessors throw a Diagnostic that knows the node, so a
/// translator reads straight on.
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
    OnnxValue input(std::size_t i) const; ///< error where the node has no such input
    const OnnxValues& inputs() const { return m_inputs; }

    /// The source node as the user writes it.
    std::string name() const;
    /// The strategy chosen for this node: --strategy, else --rnn.
    Strategy strategy() const;
    bool isApproximate() const { return m_approximate; }
    /// Translates the body that an attribute of the node refers to; call between beginBody and endBody. `inputs` stand
    /// for Graph::inputs of the subgraph, in order.
    OnnxValues translateSubgraph(SubgraphId body, const OnnxValues& inputs) const;

    // Shape and type of any value; throw UnknownShape where they are not known.
    const Shape& shape(OnnxValue value) const;
    std::size_t rank(OnnxValue value) const { return shape(value).size(); }
    ElementType element(OnnxValue value) const;
    std::int64_t fixedDim(OnnxValue value, std::int64_t axis) const; ///< axis may be negative
    /// Input i is a stored weight in another shape than the node's attributes call for: code "wrong-weight", both
    /// named. Unknown dimensions of `expected` fit anything; an input that is not stored is left to inference.
    void expectWeight(std::size_t i, const Shape& expected) const;
    /// "wrong-weight" in other words, with the same hint: the shapes that were given may be at fault.
    [[noreturn]] void wrongWeight(std::string message) const;
    /// A negative axis counted from the end; error where it is outside the rank.
    std::int64_t axis(std::int64_t axis, std::size_t rank, std::string_view attribute = "axis") const;

    /// One operator with one output: the common case.
    OnnxValue emit(std::string_view op, const OnnxValues& inputs, const OnnxAttributes& attributes = {}) const
    {
        return onnx.add(op, inputs, attributes);
    }

    /// The node cannot be expressed exactly: code "unsupported-attribute", and what to do in `hint`.
    [[noreturn]] void refuse(std::string message, std::string attribute = {}, std::string hint = {},
                             std::vector<Choice> choices = {}) const;
    /// The file says something that the framework itself does not take: code "invalid-attribute".
    [[noreturn]] void invalid(std::string message, std::string attribute = {}) const;
    void note(Code code, std::string message, std::string attribute = {}) const;
    /// The user's choice made the node approximate; `message` says what is lost, `choices` the ways back.
    void approximate(std::string message, std::string attribute = {}, std::vector<Choice> choices = {});
    /// An exact form was taken where a choice exists: the note offers it.
    void choices(Code code, std::string message, std::string attribute, std::vector<Choice> choices) const;

    /// For a translation that is tried and made again: how many problems there are, and taking back those after.
    std::size_t problemCount() const { return m_scope.problems.size(); }
    void forgetProblems(std::size_t count) const { m_scope.problems.resize(count); }

private:
    Diagnostic about(Severity severity, Code code, std::string message, std::string attribute) const;

    const TranslationScope& m_scope;
    OnnxValues m_inputs;
    bool m_approximate = false;
};

} // namespace crosswalk
