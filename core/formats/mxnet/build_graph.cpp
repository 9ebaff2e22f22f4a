#include "core/formats/mxnet/build_graph.h"

#include "core/base/check_stop.h"
#include "core/formats/mxnet/aliases.h"
#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/attribute_parser.h"
#include "core/formats/mxnet/input_roles.h"
#include "core/formats/mxnet/node_order.h"
#include "core/formats/mxnet/operand_kinds.h"
#include "core/formats/mxnet/outputs.h"
#include "core/formats/mxnet/type_hints.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <memory_resource>
#include <unordered_map>

namespace crosswalk::mxnet {
namespace {

constexpr std::int64_t withAuxiliaryVariables = 900; ///< from 0.9.0 on the file lists them
constexpr std::int64_t withNegativeArgmaxAxis = 905; ///< before 0.9.5 an axis of -1 meant all of them

class GraphBuilder {
public:
    GraphBuilder(const SymbolFile& file, const SymbolGraph& symbol, bool isSubgraph, Budget& budget,
                 const std::stop_token& stop)
        : m_file(file)
        , m_symbol(symbol)
        , m_isSubgraph(isSubgraph)
        , m_budget(budget)
        , m_stop(stop)
    {
    }

    BuiltGraph build()
    {
        Graph& graph = m_built.graph;
        graph.format = "mxnet";
        graph.producer = "Apache MXNet";
        graph.version = versionText(m_file.version);
        countReferences();
        m_values.resize(m_symbol.nodes.size());
        m_nodes.resize(m_symbol.nodes.size());
        const auto variables = std::count_if(m_symbol.nodes.begin(), m_symbol.nodes.end(),
                                             [](const SymbolNode& node) { return node.isVariable(); });
        m_byName.reserve(static_cast<std::size_t>(variables));
        m_built.variables.reserve(static_cast<std::size_t>(variables));
        const auto needed = neededNodes(m_symbol);
        graph.reserve(needed.size() - std::min(needed.size(), static_cast<std::size_t>(variables)), needed.size());
        m_built.unusedNodes = m_symbol.nodes.size() - needed.size();
        for (const std::uint32_t index : needed) {
            checkStop(m_stop);
            if (m_symbol.nodes[index].isVariable()) {
                addVariable(index);
            } else {
                addOperator(index);
            }
        }
        for (const SymbolEntry head : m_symbol.heads) {
            graph.outputs.push_back(valueOf(head, "an output of the model"));
        }
        listInputs();
        assignInputRoles(graph);
        return std::move(m_built);
    }

private:
    void countReferences()
    {
        m_referenced.resize(m_symbol.nodes.size());
        const auto count = [this](const std::vector<SymbolEntry>& entries) {
            for (const SymbolEntry entry : entries) {
                m_referenced[entry.node] = std::max<std::uint64_t>(m_referenced[entry.node], entry.output + 1ULL);
            }
        };
        count(m_symbol.inputs);
        count(m_symbol.heads);
    }

    void addVariable(std::size_t index)
    {
        const SymbolNode& node = m_symbol.nodes[index];
        const auto attributes = parsed(node);
        Variable& added = variable(node.name);
        mergeHints(m_built.graph.value(added.value).type, typeHints(attributes, m_file.numpyShape));
        added.saysParameter = added.saysParameter || hasParameterHints(attributes);
        m_values[index] = added.value;
    }

    /// The variable of this name, created on first use. `name` must outlive the builder.
    Variable& variable(std::string_view name)
    {
        const auto next = static_cast<std::uint32_t>(m_built.variables.size());
        const auto [known, isNew] = m_byName.try_emplace(name, next);
        // In a subgraph, variables represent arguments by position, so two variables of the same name are distinct.
        if (isNew || m_isSubgraph) {
            known->second = next;
            m_built.variables.push_back({.value = m_built.graph.addValue({.name = std::string(name)})});
        }
        return m_built.variables[known->second];
    }

    void addOperator(std::size_t index)
    {
        const SymbolNode& source = m_symbol.nodes[index];
        Node node{.op = std::string(canonicalName(source.op)), .name = std::string(source.name)};
        addAttributes(node, source);
        addInputs(node, source);
        addSubgraphs(node, source);
        const NodeId id = m_built.graph.addNode(std::move(node));
        m_nodes[index] = id;
        addOutputs(id, index);
    }

    void addInputs(Node& node, const SymbolNode& source)
    {
        node.inputs.reserve(source.inputs.count);
        for (const SymbolEntry entry : source.inputs.of(m_symbol.inputs)) {
            node.inputs.push_back(valueOf(entry, source.name));
        }
        if (m_file.version < withAuxiliaryVariables) {
            appendVariables(node, inputOperands(node.op, node.attributes));
        }
    }

    // Before 0.9 only the params file contained auxiliary states; the names are those that MXNet assigns when it reads
    // such a file.
    void appendVariables(Node& node, const std::vector<Operand>& slots)
    {
        for (std::size_t i = node.inputs.size(); i < slots.size(); ++i) {
            const std::string& name = m_appendedNames.emplace_back(fmt::format("{}_{}", node.name, slots[i].name));
            node.inputs.push_back(variable(name).value);
        }
    }

    std::vector<Attribute> parsed(const SymbolNode& source) const
    {
        std::vector<Attribute> attributes;
        attributes.reserve(source.attributes.count);
        for (const SymbolAttribute& attribute : source.attributes.of(m_symbol.attributes)) {
            attributes.push_back(parsedAttribute(std::string(attribute.key), std::string(attribute.value)));
        }
        return attributes;
    }

    void addAttributes(Node& node, const SymbolNode& source) const
    {
        node.attributes = parsed(source);
        const bool allAxes = m_file.version < withNegativeArgmaxAxis && (node.op == "argmax" || node.op == "argmin") &&
                             integer(node.attributes, "axis") == -1;
        std::erase_if(node.attributes, [&](const Attribute& attribute) {
            return isHiddenKey(attribute.name) || (allAxes && attribute.name == "axis");
        });
    }

    void addSubgraphs(Node& node, const SymbolNode& source)
    {
        if (source.subgraphs.count == 0) {
            return;
        }
        std::vector<SubgraphId> ids;
        for (const SymbolGraph& subgraph : source.subgraphs.of(m_symbol.subgraphs)) {
            BuiltGraph built = GraphBuilder(m_file, subgraph, true, m_budget, m_stop).build();
            built.graph.name = source.name;
            ids.push_back(m_built.graph.addSubgraph(std::make_shared<const Graph>(std::move(built.graph))));
        }
        node.attributes.push_back({"subgraphs", std::move(ids)});
    }

    void addOutputs(NodeId id, std::size_t index)
    {
        Graph& graph = m_built.graph;
        OutputCount count = outputCount(graph.node(id).op, graph.node(id).attributes);
        const std::uint64_t referenced = m_referenced[index];
        if (count.known && referenced > count.all) {
            fail(id, fmt::format("output {} is used, but {} has {}", referenced - 1, graph.node(id).op, count.all));
        }
        count.visible = std::max(count.visible, referenced);
        count.all = std::max(count.all, referenced);
        // The node implies its first output; the others may be declared by number only.
        if (count.visible > 1) {
            try {
                m_budget.addImpliedOutputs(count.visible - 1);
            } catch (ModelError& error) {
                locate(error.diagnostic, id);
                throw;
            }
        }
        graph.node(id).outputs.reserve(count.visible);
        for (std::uint32_t i = 0; i < count.visible; ++i) {
            const Node& node = graph.node(id);
            graph.addOutput(id, node.name + outputSuffix(node.op, count, i));
        }
    }

    ValueId valueOf(SymbolEntry entry, std::string_view reader) const
    {
        if (m_symbol.nodes[entry.node].isVariable()) {
            if (entry.output != 0) {
                throw ModelError("damaged", fmt::format("'{}' reads output {} of the variable '{}', which has only one",
                                                        reader, entry.output, m_symbol.nodes[entry.node].name));
            }
            return m_values[entry.node];
        }
        return m_built.graph.node(m_nodes[entry.node]).outputs[entry.output];
    }

    void listInputs()
    {
        ValueIds& inputs = m_built.graph.inputs;
        std::vector<bool> listed(m_built.graph.valueCount() + m_symbol.arguments.size());
        const auto add = [&](ValueId value) {
            if (!listed[value.index]) {
                listed[value.index] = true;
                inputs.push_back(value);
            }
        };
        // Bodies receive their arguments by position in this list.
        if (m_isSubgraph) {
            for (const std::uint32_t argument : m_symbol.arguments) {
                if (!m_values[argument]) {
                    addVariable(argument); // Nothing reads it, but it counts in the positions of the others.
                }
                add(m_values[argument]);
            }
        }
        for (const Variable& each : m_built.variables) {
            add(each.value);
        }
    }

    [[noreturn]] void fail(NodeId id, std::string message) const
    {
        Diagnostic problem{.code = "damaged", .message = std::move(message)};
        locate(problem, id);
        throw ModelError(std::move(problem));
    }

    void locate(Diagnostic& problem, NodeId id) const
    {
        problem.node = m_built.graph.node(id).name;
        problem.nodeIndex = id.index;
        problem.op = m_built.graph.node(id).op;
    }

    const SymbolFile& m_file;
    const SymbolGraph& m_symbol;
    bool m_isSubgraph;
    Budget& m_budget;
    const std::stop_token& m_stop;
    BuiltGraph m_built;
    std::pmr::monotonic_buffer_resource m_pool; ///< of the table below: entries are added and removed together
    std::pmr::unordered_map<std::string_view, std::uint32_t> m_byName{&m_pool}; ///< index into the built variables
    std::deque<std::string> m_appendedNames;
    ValueIds m_values;                       ///< of each variable of the file
    std::vector<NodeId> m_nodes;             ///< of each operator of the file
    std::vector<std::uint64_t> m_referenced; ///< how many outputs of each the edges require
};

} // namespace

BuiltGraph buildGraph(const SymbolFile& file, Budget budget, const std::stop_token& stop)
{
    BuiltGraph built = GraphBuilder(file, file.graph, false, budget, stop).build();
    built.graph.budget = budget;
    built.graph.metadata = file.metadata;
    return built;
}

} // namespace crosswalk::mxnet
