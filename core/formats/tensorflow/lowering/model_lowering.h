#pragma once

#include "core/convert/lowering.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "core/formats/tensorflow/lowering/region.h"
#include "core/formats/tensorflow/lowering/variable_writes.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosswalk::tensorflow {

/// Adds a body to a graph, without the nodes that the body's outputs do not need.
SubgraphId addBody(Graph& graph, const Graph& body);

/// Lower the condition and the body of a loop into a target, for the values of the loop variables at the start of a
/// step.
using LoopCondition = std::function<Lowered(TargetScope& target, const std::vector<Lowered>& variables)>;
using LoopBody = std::function<std::vector<Lowered>(TargetScope& target, const std::vector<Lowered>& variables)>;

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
    void lowerInOrder(Region& region, std::vector<NodeId> ends, std::span<const NodeId> operations);
    void lowerNodes(Region& region, const std::vector<bool>& needed, const std::vector<NodeId>& writers,
                    const std::function<bool(const ControlFlow::Context&)>& isHere);
    void findWriters(SourceScope& source, std::span<const NodeId> ends) const;
    void findReferences(const Region& region) const;
    void run(Region& region, NodeId id);
    void addOutput(const Lowered& result, const std::string& name, const NodeRef& origin, ElementType type);
    Lowered get(Region& region, ValueId value);
    Lowered lowerValue(Region& region, ValueId value);
    Lowered gap(Region& region, NodeId id, std::uint32_t output, const std::string& why);
    bool belongsTo(const Region& region, ValueId value) const;

    // Nodes, by their kind.
    Lowered lowerOutput(Region& region, NodeId id, std::uint32_t output);
    std::vector<Lowered> lowerNode(Region& region, NodeId id);
    std::vector<Lowered> lowerOnce(Region& region, NodeId id);
    std::vector<Lowered> plainNode(Region& region, NodeId id);
    std::optional<std::vector<Lowered>> functionNode(Region& region, NodeId id);
    std::vector<Lowered> functionalLoop(Region& region, NodeId id);
    std::vector<Lowered> functionalBranch(Region& region, NodeId id);
    std::vector<Lowered> functionalCase(Region& region, NodeId id);
    Lowered frameValue(Region& region, NodeId id);
    std::vector<Lowered> frameLoop(Region& region, std::uint32_t index);
    std::vector<NodeId> writersInFrame(Region& region, std::uint32_t index);
    void runStep(Region& step, const std::vector<NodeId>& writers);
    void noteFrame(const Region& region, std::uint32_t index);
    std::optional<std::vector<Lowered>> branchNode(Region& region, NodeId id);
    std::vector<Lowered> mergedBranch(Region& region, NodeId id);
    std::vector<Lowered> mergedCase(Region& region, NodeId id, const ControlFlow::Context& sides);
    std::optional<Lowered> maskedBranch(Region& region, NodeId id);
    std::vector<NodeId> mergesWith(Region& region, NodeId id, ValueId predicate) const;
    std::vector<Lowered> lowerSide(Region& side, const std::vector<NodeId>& merges,
                                   const std::vector<std::size_t>& taken);
    static std::vector<Lowered> outputsOf(Region& region, const std::vector<NodeId>& merges,
                                          std::vector<Lowered> results);
    void runBranch(Region& side, NodeId merge, const ValueIds& results);
    void noteBranch(const Region& region, NodeId merge, ValueId predicate);
    std::optional<std::vector<Lowered>> listNode(Region& region, NodeId id);
    Lowered scattered(Region& region, NodeId id, Lowered list, const Lowered& indices, const Lowered& values);
    Lowered splitList(Region& region, NodeId id, Lowered list, const Lowered& tensor, const Lowered& lengths);
    Lowered givenRows(Region& region, NodeId id, const Lowered& list);
    Lowered rows(Region& region, NodeId id, const Lowered& list);
    Lowered element(Region& region, NodeId id, const Lowered& list, const Lowered& index);
    std::vector<Lowered> joinedElements(Region& region, NodeId id, const Lowered& list);
    std::optional<std::vector<Lowered>> cellNode(Region& region, NodeId id);
    std::vector<Lowered> lstmCell(Region& region, NodeId id);
    std::vector<Lowered> gruCell(Region& region, NodeId id);
    std::optional<std::vector<Lowered>> variableNode(Region& region, NodeId id);
    std::optional<std::vector<Lowered>> tableNode(Region& region, NodeId id);

    // Variables.
    struct Variable {
        const Graph* graph; ///< has the node that creates it
        std::string name;
        Lowered initial = {}; ///< its content before the first write; absent until something reads it
    };
    using Written = std::map<NodeRef, Lowered>;
    /// Restores the content of variables where lowering fails inside a body, whose values only the body can read.
    class RestoreOnError {
    public:
        RestoreOnError(Written& written, const Written& before)
            : m_written(written)
            , m_before(before)
        {
        }
        RestoreOnError(const RestoreOnError&) = delete;
        RestoreOnError& operator=(const RestoreOnError&) = delete;
        ~RestoreOnError()
        {
            if (std::uncaught_exceptions() > m_exceptions) {
                m_written = m_before;
            }
        }

    private:
        Written& m_written;
        const Written& m_before;
        int m_exceptions = std::uncaught_exceptions();
    };
    Lowered contentOf(const NodeRef& ref);
    Lowered initialContent(const NodeRef& ref, const Variable& variable);
    Lowered read(Region& region, NodeId id, const Lowered& handle);
    void noteReferenceReads(Region& region, NodeId id) const;
    static void noteAccess(Region& region, const NodeRef& variable, const Access& access);
    NodeRef writtenVariable(Region& region, NodeId id);
    std::vector<Lowered> write(Region& region, NodeId id);
    bool isFed(const Region& region, ValueId value) const;
    void keep(Region& region, ValueId value, const Lowered& result) const;
    std::vector<NodeRef> changedSince(const Written& before) const;
    std::vector<Lowered> loop(Region& region, NodeId id, const std::vector<Lowered>& initial, bool mayWrite,
                              const LoopCondition& condition, const LoopBody& body);
    std::vector<NodeRef> addWritten(const Written& before,
                                    std::initializer_list<std::pair<const Written*, std::vector<Lowered>*>> sides);
    void checkAccessOrder(const SourceScope& scope);
    void findStates();
    void addStates(LoweredGraph& lowered);

    Lowered placeholder(Region& region, NodeId id, std::uint32_t output);
    void addNamedPlaceholders(Region& whole);
    void noteDefault(NodeId id, const Lowered& input);
    void storeDefaults(LoweredGraph& lowered);

    std::vector<Lowered> inlined(Region& caller, NodeId id, std::string_view function, std::vector<Lowered> arguments,
                                 TargetScope& target);
    std::vector<Lowered> branch(Region& region, NodeId id, const Lowered& condition,
                                const std::function<std::vector<Lowered>(TargetScope&, bool side)>& lowerSide);
    /// Adds a node whose origin is `source`, and whose name is that of `source` followed by `suffix`.
    std::vector<Lowered> emit(Region& region, NodeId source, std::string op, const std::vector<Lowered>& inputs,
                              std::vector<Attribute> attributes, const std::vector<ValueType>& types,
                              std::string_view suffix = {});
    Lowered intConstant(Region& region, NodeId source, Ints values, bool isScalar);

    std::vector<Lowered> inputsOf(Region& region, NodeId id);
    NodeRef refOf(const Region& region, NodeId node) const { return {region.source.path, node}; }
    std::string nameOf(const Region& region, NodeId node) const;
    Diagnostic problemAt(const SourceScope& scope, NodeId node, Code code, std::string message) const;
    [[noreturn]] void fail(const Region& region, NodeId node, Code code, std::string message) const;

    const Graph& m_model;
    const ConvertOptions& m_options;
    TargetScope m_top;
    std::vector<std::string> m_calls; ///< functions that are being inlined
    VariableWriters m_writers;
    std::map<NodeRef, Variable> m_variables;   ///< by the node that creates it
    Written m_written;                         ///< the current content of variables that were written
    std::set<NodeRef> m_states;                ///< variables that the user selected as outputs
    std::map<ValueId, Lowered> m_placeholders; ///< of the model's graph
    std::map<ValueId, Tensor> m_defaults;      ///< of inputs of the lowered graph
    std::map<NodeId, NodeId> m_merged;         ///< of the model's graph: nodes of loops and branches
    std::vector<Diagnostic> m_problems;
    std::size_t m_depth = 0;
    std::uint64_t m_lowered = 0;                        ///< nodes so far, a node of a function once for each call
    std::uint64_t m_modelNodes;                         ///< in the file
    std::map<std::string_view, SubgraphId> m_functions; ///< bodies of the model's functions, by name
};

} // namespace crosswalk::tensorflow
