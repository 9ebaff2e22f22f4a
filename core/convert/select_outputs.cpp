#include "core/convert/select_outputs.h"

#include "core/base/similar_names.h"
#include "core/convert/source_names.h"
#include "core/graph/needed_nodes.h"
#include "core/graph/reads.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

constexpr std::size_t mostSuggestions = 3;

[[noreturn]] void refuse(std::string message, std::string hint = {})
{
    throw ModelError("unknown-output", std::move(message), std::move(hint));
}

/// Whether a body that the attributes of the node refer to has a value of that name, at any depth.
bool hasInBody(const Graph& graph, const Node& node, std::string_view name)
{
    const auto has = [&](SubgraphId id) {
        const Graph& body = graph.subgraph(id);
        const auto isNamed = [&](const Value& value) { return value.name == name; };
        const auto holds = [&](const Node& inner) { return hasInBody(body, inner, name); };
        return std::ranges::any_of(body.values(), isNamed) || std::ranges::any_of(body.nodes(), holds);
    };
    return std::ranges::any_of(node.attributes, [&](const Attribute& attribute) {
        const auto* one = std::get_if<SubgraphId>(&attribute.value);
        const auto* several = std::get_if<std::vector<SubgraphId>>(&attribute.value);
        return (one != nullptr && has(*one)) || (several != nullptr && std::ranges::any_of(*several, has));
    });
}

class OutputFinder {
public:
    explicit OutputFinder(const Graph& graph)
        : m_graph(graph)
        , m_nodes(graph)
    {
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            m_values.emplace(graph.value(ValueId{i}).name, ValueId{i});
        }
    }

    ValueId find(const std::string& written) const
    {
        const auto [first, last] = m_values.equal_range(written);
        if (first != last && std::next(first) == last) {
            return first->second;
        }
        if (first != last) {
            std::vector<std::string> producers;
            for (auto value = first; value != last; ++value) {
                const NodeId producer = m_graph.value(value->second).producer;
                producers.push_back(producer ? m_nodes.of(producer) : "an input");
            }
            std::ranges::sort(producers);
            refuse(fmt::format("several values have the name {}, of {}", written, fmt::join(producers, ", ")),
                   "name the node of the value");
        }
        if (const auto node = m_nodes.find(written)) {
            return onlyOutput(written, *node);
        }
        constexpr std::string_view firstOutput = ":0";
        if (written.ends_with(firstOutput)) {
            const auto name = std::string_view(written).substr(0, written.size() - firstOutput.size());
            if (const auto node = m_nodes.find(name); node && !m_graph.node(*node).outputs.empty()) {
                return m_graph.node(*node).outputs[0];
            }
        }
        explain(written);
    }

private:
    ValueId onlyOutput(const std::string& written, NodeId id) const
    {
        const Node& node = m_graph.node(id);
        ValueIds outputs;
        std::ranges::copy_if(node.outputs, std::back_inserter(outputs), [](ValueId value) { return bool(value); });
        if (outputs.size() == 1) {
            return outputs[0];
        }
        std::vector<std::string> names;
        names.reserve(outputs.size());
        for (const ValueId output : outputs) {
            names.push_back(m_graph.value(output).name);
        }
        refuse(outputs.empty() ? fmt::format("node {} has no output", written)
                               : fmt::format("node {} has several outputs: {}", written, fmt::join(names, ", ")),
               outputs.empty() ? "" : "name one of them");
    }

    [[noreturn]] void explain(const std::string& written) const
    {
        if (written.empty()) {
            refuse("the list of outputs has an empty name");
        }
        const SourceNames sourceNames(m_graph);
        const auto node = sourceNames.find(written);
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            if ((node && !node->path.empty() && node->path.front().node == i) ||
                hasInBody(m_graph, m_graph.node(NodeId{i}), written)) {
                refuse(fmt::format("{} is in a body of node {}; only values outside of bodies can be outputs", written,
                                   m_nodes.of(NodeId{i})));
            }
        }
        for (const Graph::Function& function : m_graph.functions) {
            const auto isNamed = [&](const Value& value) { return value.name == written; };
            if (std::ranges::any_of(m_graph.subgraph(function.body).values(), isNamed)) {
                refuse(fmt::format("{} is in function {}; only values outside of functions can be outputs", written,
                                   function.name));
            }
        }
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            for (const ValueId output : m_graph.node(NodeId{i}).outputs) {
                if (output) {
                    names.push_back(m_graph.value(output).name);
                }
            }
        }
        const auto similar = similarNames(written, names, mostSuggestions);
        std::vector<std::string> outputs;
        for (const ValueId output : m_graph.outputs) {
            outputs.push_back(m_graph.value(output).name);
        }
        refuse(fmt::format("the model has no value {}", written),
               similar.empty() ? fmt::format("its outputs are {}", fmt::join(outputs, ", "))
                               : fmt::format("similar names: {}", fmt::join(similar, ", ")));
    }

    const Graph& m_graph;
    NodeNames m_nodes;
    std::multimap<std::string_view, ValueId> m_values;
};

/// The graph with these outputs, and with the inputs that they need.
Graph cutTo(Graph graph, ValueIds outputs)
{
    graph.outputs = std::move(outputs);
    const std::vector<bool> needed = neededValues(graph);
    std::erase_if(graph.inputs, [&](ValueId input) { return !needed[input.index]; });
    return graph;
}

bool hasPort(const Graph& graph, std::string_view name)
{
    return graph.findInput(name) ||
           std::ranges::any_of(graph.outputs, [&](ValueId output) { return graph.value(output).name == name; });
}

} // namespace

ValueIds findOutputs(const Graph& graph, std::span<const std::string> names)
{
    const OutputFinder finder(graph);
    ValueIds outputs;
    for (const std::string& name : names) {
        const ValueId output = finder.find(name);
        if (std::ranges::find(outputs, output) == outputs.end()) {
            outputs.push_back(output);
        }
    }
    return outputs;
}

std::vector<bool> neededValues(const Graph& graph)
{
    std::vector<bool> needed(graph.valueCount());
    const auto need = [&](ValueId value) { needed[value.index] = true; };
    for (const ValueId output : graph.outputs) {
        if (output) {
            need(output);
        }
    }
    const std::vector<bool> isNeeded = neededNodes(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        if (isNeeded[i]) {
            forEachRead(graph, graph.node(NodeId{i}), need);
        }
    }
    return needed;
}

Graph withOutputs(const Graph& graph, std::span<const std::string> names)
{
    Graph extended = graph;
    const NodeNames nodes(graph);
    std::vector<std::string> outputs;
    for (const std::string& name : names) {
        const auto node = nodes.find(name);
        if (!node || !graph.node(*node).outputs.empty()) {
            outputs.push_back(name);
            continue;
        }
        outputs.push_back("^" + name); // no value has this name: values of operations are added here
        if (std::ranges::count(outputs, outputs.back()) == 1) {
            extended.value(extended.addOutput(*node, outputs.back())).type = ValueType::opaque(operationType);
        }
    }
    ValueIds found = findOutputs(extended, outputs);
    return cutTo(std::move(extended), std::move(found));
}

ConvertOptions withoutCutPorts(ConvertOptions options, const Graph& graph, const Graph& cut)
{
    const auto isCutInput = [&](const auto& entry) {
        return graph.findInput(entry.first).has_value() && !cut.findInput(entry.first).has_value();
    };
    const auto isCutPort = [&](const auto& entry) { return hasPort(graph, entry.first) && !hasPort(cut, entry.first); };
    std::erase_if(options.shapes, isCutInput);
    std::erase_if(options.types, isCutInput);
    std::erase_if(options.renames, isCutPort);
    return options;
}

} // namespace crosswalk
