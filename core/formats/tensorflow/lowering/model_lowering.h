#pragma once

#include "core/convert/lowering.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "core/formats/tensorflow/lowering/region.h"

#include <functional>

namespace crosswalk::tensorflow {

/// Adds a body to a graph, without the nodes that the body's outputs do not need.
SubgraphId addBody(Graph& graph, const Graph& body);

/// Lowers one model. Values are lowered on demand, so nodes that no output needs are never visited.
class ModelLowering {
public:
    ModelLowering(const Graph& model, const ConvertOptions& options);

    LoweredGraph run();

private:
    friend class CellLowering;
    friend class LoopLowering;

    /// Throws ModelError "unknown-output".
    void expectOutsideOfBodies(const ControlFlow& flow) const;

    // The whole of a source scope.
    void lowerInOrder(Region& region, const std::vector<ValueId>& outputs);
    Lowered get(Region& region, ValueId value);
    Lowered lowerValue(Region& region, ValueId value);
    Lowered gap(Region& region, NodeId id, std::uint32_t output, const std::string& why);
    bool belongsTo(const Region& region, ValueId value) const;

    // Nodes, by their kind.
    Lowered lowerOutput(Region& region, NodeId id, std::uint32_t output);
    std::vector<Lowered> lowerNode(Region& region, NodeId id);
    std::vector<Lowered> plainNode(Region& region, NodeId id);
    std::optional<std::vector<Lowered>> functionNode(Region& region, NodeId id);
    std::vector<Lowered> functionalLoop(Region& region, NodeId id);
    std::vector<Lowered> functionalBranch(Region& region, NodeId id);
    Lowered frameValue(Region& region, NodeId id);
    std::vector<Lowered> frameLoop(Region& region, std::uint32_t frame);
    void noteFrame(const Region& region, std::uint32_t frame);
    std::optional<std::vector<Lowered>> branchNode(Region& region, NodeId id);
    std::vector<Lowered> mergedBranch(Region& region, NodeId merge);
    void noteBranch(const Region& region, NodeId merge, ValueId predicate);
    std::optional<std::vector<Lowered>> listNode(Region& region, NodeId id);
    Lowered rows(Region& region, NodeId id, const Lowered& list);
    std::optional<std::vector<Lowered>> cellNode(Region& region, NodeId id);
    std::vector<Lowered> lstmCell(Region& region, NodeId id);
    std::vector<Lowered> gruCell(Region& region, NodeId id);
    std::optional<std::vector<Lowered>> variableNode(Region& region, NodeId id);
    Lowered variable(Region& region, NodeId id);
    Lowered contentOf(Region& region, NodeId id, const Lowered& handle);
    Lowered placeholder(Region& region, NodeId id, std::uint32_t output);

    std::vector<Lowered> inlined(Region& caller, NodeId id, std::string_view function, std::vector<Lowered> arguments,
                                 TargetScope& target);
    std::vector<Lowered> branch(Region& region, NodeId id, const Lowered& condition,
                                const std::function<std::vector<Lowered>(TargetScope&, bool side)>& lowerSide);
    /// Adds a node whose origin is `source`, and whose name is that of `source` followed by `suffix`.
    std::vector<Lowered> emit(Region& region, NodeId source, std::string op, const std::vector<Lowered>& inputs,
                              std::vector<Attribute> attributes, const std::vector<ValueType>& types,
                              std::string_view suffix = {});
    Lowered intConstant(Region& region, NodeId source, std::vector<std::int64_t> values, bool isScalar);

    std::vector<Lowered> inputsOf(Region& region, NodeId id);
    NodeRef refOf(const Region& region, NodeId node) const { return {region.source.path, node}; }
    std::string nameOf(const Region& region, NodeId node) const;
    [[noreturn]] void fail(const Region& region, NodeId node, Code code, std::string message) const;

    const Graph& m_model;
    const ConvertOptions& m_options;
    TargetScope m_top;
    std::vector<std::string> m_calls; ///< functions that are being inlined
    std::map<NodeRef, Lowered> m_variables;
    std::map<ValueId, Lowered> m_placeholders; ///< of the model's graph
    std::map<NodeId, NodeId> m_merged;         ///< of the model's graph: nodes of loops and branches
    std::vector<Diagnostic> m_problems;
    std::size_t m_depth = 0;
};

} // namespace crosswalk::tensorflow
