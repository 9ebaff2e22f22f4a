#include "core/compare/match_nodes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {
namespace {

/// Maps unique keys to nodes.
class Lookup {
public:
    void add(std::string key, NodeId node)
    {
        const auto [entry, isNew] = m_nodes.emplace(std::move(key), node);
        if (!isNew) {
            entry->second = {}; // the key is not unique
        }
    }
    NodeId find(const std::string& key) const
    {
        const auto entry = m_nodes.find(key);
        return entry != m_nodes.end() ? entry->second : NodeId{};
    }
    const auto& entries() const { return m_nodes; }

private:
    std::unordered_map<std::string, NodeId> m_nodes;
};

class Matching {
public:
    Matching(const Graph& first, const Graph& second)
        : m_first(first)
        , m_second(second)
        , m_firstReaders(first)
        , m_secondReaders(second)
        , m_match{std::vector<NodeId>(first.nodeCount()), std::vector<NodeId>(second.nodeCount())}
    {
    }

    NodeMatch run()
    {
        pairByKey([](const Graph&, const Node& node) {
            return node.name.empty() ? std::string() : fmt::format("{}:{}:{}", node.domain, node.op, node.name);
        });
        pairByKey([](const Graph& graph, const Node& node) {
            return node.outputs.empty()
                       ? std::string()
                       : fmt::format("{}:{}:{}", node.domain, node.op, graph.value(node.outputs.front()).name);
        });
        pairPorts(m_first.outputs, m_second.outputs, [this](ValueId a, ValueId b) { pairProducers(a, b); });
        pairPorts(m_first.inputs, m_second.inputs, [this](ValueId a, ValueId b) { pairReaders(a, b); });
        pairNeighbours();
        pairByKey([](const Graph&, const Node& node) { return node.name; });
        pairByKey([](const Graph& graph, const Node& node) {
            return node.outputs.empty() ? std::string() : graph.value(node.outputs.front()).name;
        });
        pairNeighbours();
        return std::move(m_match);
    }

private:
    bool isFree(NodeId a, NodeId b) const { return !m_match.ofFirst[a.index] && !m_match.ofSecond[b.index]; }

    void pair(NodeId a, NodeId b)
    {
        m_match.ofFirst[a.index] = b;
        m_match.ofSecond[b.index] = a;
        m_open.push_back(a);
    }

    /// Pairs free nodes with the same key, if the key is unique in both graphs.
    template <typename Key>
    void pairByKey(Key&& key)
    {
        Lookup a;
        Lookup b;
        for (std::uint32_t i = 0; i < m_first.nodeCount(); ++i) {
            std::string text = m_match.ofFirst[i] ? std::string() : key(m_first, m_first.node(NodeId{i}));
            if (!text.empty()) {
                a.add(std::move(text), NodeId{i});
            }
        }
        for (std::uint32_t i = 0; i < m_second.nodeCount(); ++i) {
            std::string text = m_match.ofSecond[i] ? std::string() : key(m_second, m_second.node(NodeId{i}));
            if (!text.empty()) {
                b.add(std::move(text), NodeId{i});
            }
        }
        for (const auto& [text, node] : a.entries()) {
            const NodeId other = b.find(text);
            if (node && other && isFree(node, other)) {
                pair(node, other);
            }
        }
    }

    bool haveSameOperator(NodeId a, NodeId b) const
    {
        return m_first.node(a).op == m_second.node(b).op && m_first.node(a).domain == m_second.node(b).domain;
    }

    /// Pairs ports by name, otherwise by position.
    template <typename Use>
    void pairPorts(const ValueIds& first, const ValueIds& second, Use&& use)
    {
        std::unordered_map<std::string_view, ValueId> byName;
        for (const ValueId id : second) {
            byName.emplace(m_second.value(id).name, id);
        }
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto named = byName.find(m_first.value(first[i]).name);
            if (named != byName.end()) {
                use(first[i], named->second);
            } else if (first.size() == second.size()) {
                use(first[i], second[i]);
            }
        }
    }

    void pairProducers(ValueId a, ValueId b)
    {
        if (!a || !b) {
            return;
        }
        const Value& x = m_first.value(a);
        const Value& y = m_second.value(b);
        if (x.producer && y.producer && x.producerOutput == y.producerOutput && isFree(x.producer, y.producer) &&
            haveSameOperator(x.producer, y.producer)) {
            pair(x.producer, y.producer);
        }
    }

    /// Pairs readers with the same operator and input index, in file order.
    void pairReaders(ValueId a, ValueId b)
    {
        std::map<std::pair<std::string_view, std::size_t>, std::vector<NodeId>> candidates;
        const auto inputIndex = [](const Node& node, ValueId value) {
            return static_cast<std::size_t>(std::find(node.inputs.begin(), node.inputs.end(), value) -
                                            node.inputs.begin());
        };
        for (const NodeId reader : m_secondReaders.of(b)) {
            const Node& node = m_second.node(reader);
            if (!m_match.ofSecond[reader.index]) {
                candidates[{node.op, inputIndex(node, b)}].push_back(reader);
            }
        }
        std::map<std::pair<std::string_view, std::size_t>, std::size_t> used;
        for (const NodeId reader : m_firstReaders.of(a)) {
            const Node& node = m_first.node(reader);
            const auto found = candidates.find({node.op, inputIndex(node, a)});
            if (m_match.ofFirst[reader.index] || found == candidates.end()) {
                continue;
            }
            std::size_t& next = used[found->first];
            if (next < found->second.size() && isFree(reader, found->second[next]) &&
                haveSameOperator(reader, found->second[next])) {
                pair(reader, found->second[next]);
                ++next;
            }
        }
    }

    void pairNeighbours()
    {
        while (!m_open.empty()) {
            const NodeId a = m_open.back();
            m_open.pop_back();
            const Node& x = m_first.node(a);
            const Node& y = m_second.node(m_match.ofFirst[a.index]);
            for (std::size_t i = 0; i < std::min(x.inputs.size(), y.inputs.size()); ++i) {
                pairProducers(x.inputs[i], y.inputs[i]);
            }
            for (std::size_t i = 0; i < std::min(x.outputs.size(), y.outputs.size()); ++i) {
                if (x.outputs[i] && y.outputs[i]) {
                    pairReaders(x.outputs[i], y.outputs[i]);
                }
            }
        }
    }

    const Graph& m_first;
    const Graph& m_second;
    Consumers m_firstReaders;
    Consumers m_secondReaders;
    NodeMatch m_match;
    std::vector<NodeId> m_open; ///< paired nodes of the first graph whose neighbours have not been visited
};

} // namespace

NodeMatch matchNodes(const Graph& first, const Graph& second)
{
    return Matching(first, second).run();
}

} // namespace crosswalk
