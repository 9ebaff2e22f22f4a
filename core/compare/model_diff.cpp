#include "core/compare/model_diff.h"

#include "core/base/diagnostic.h"
#include "core/base/readable.h"
#include "core/compare/tensor_diff.h"
#include "core/graph/attribute_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk {
namespace {

std::string shown(const Graph& graph, const Attribute& attribute)
{
    return attributeText(attribute, graph,
                         {.open = '[', .close = ']', .mostItems = 16, .longestText = 80, .tensorTypes = true});
}

class GraphComparison {
public:
    GraphComparison(const Graph& first, const Graph& second, bool isBody, const std::stop_token& stop)
        : m_first(first)
        , m_second(second)
        , m_isBody(isBody)
        , m_stop(stop)
        , m_firstNames(first)
        , m_secondNames(second)
    {
    }

    ModelDiff run()
    {
        m_diff.match = matchNodes(m_first, m_second);
        pairCaptures();
        m_diff.ofFirst.assign(m_first.nodeCount(), Change::Removed);
        m_diff.ofSecond.assign(m_second.nodeCount(), Change::Added);
        m_diff.differences.resize(m_first.nodeCount());
        for (std::uint32_t i = 0; i < m_first.nodeCount(); ++i) {
            if (m_stop.stop_requested()) {
                throw ModelError("cancelled", "the comparison was cancelled");
            }
            if (const NodeId other = m_diff.match.ofFirst[i]) {
                m_diff.differences[i] = compareNodes(m_first.node(NodeId{i}), m_second.node(other));
                const Change change = m_diff.differences[i].empty() ? Change::Same : Change::Changed;
                m_diff.ofFirst[i] = change;
                m_diff.ofSecond[other.index] = change;
            }
        }
        if (m_isBody) {
            compareBodyPorts();
        } else {
            compareOpsets();
            comparePorts("input", m_first.inputs, m_second.inputs);
            comparePorts("output", m_first.outputs, m_second.outputs);
        }
        return std::move(m_diff);
    }

private:
    void pairCaptures()
    {
        for (std::size_t i = 0; i < std::min(m_first.captures.size(), m_second.captures.size()); ++i) {
            m_captures.emplace(m_first.captures[i].inner, m_second.captures[i].inner);
        }
    }

    std::vector<Difference> compareNodes(const Node& a, const Node& b)
    {
        std::vector<Difference> found;
        if (a.op != b.op || a.domain != b.domain) {
            found.push_back({"operator", operatorOf(a), operatorOf(b)});
        }
        compareAttributes(a, b, found);
        for (std::size_t i = 0; i < std::max(a.inputs.size(), b.inputs.size()); ++i) {
            compareInput(i, i < a.inputs.size() ? a.inputs[i] : ValueId{},
                         i < b.inputs.size() ? b.inputs[i] : ValueId{}, found);
        }
        return found;
    }

    static std::string operatorOf(const Node& node)
    {
        return node.domain.empty() ? node.op : node.domain + "." + node.op;
    }

    void compareAttributes(const Node& a, const Node& b, std::vector<Difference>& found)
    {
        for (const Attribute& attribute : a.attributes) {
            const Attribute* other = find(b, attribute.name);
            const std::string what = "attribute " + attribute.name;
            if (other == nullptr) {
                found.push_back({what, shown(m_first, attribute), {}});
            } else if (auto difference = compareAttribute(attribute, *other)) {
                found.push_back({what, std::move(difference->first), std::move(difference->second)});
            }
        }
        for (const Attribute& attribute : b.attributes) {
            if (find(a, attribute.name) == nullptr) {
                found.push_back({"attribute " + attribute.name, {}, shown(m_second, attribute)});
            }
        }
    }

    static const Attribute* find(const Node& node, std::string_view name)
    {
        const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
        return found != node.attributes.end() ? &*found : nullptr;
    }

    std::optional<std::pair<std::string, std::string>> compareAttribute(const Attribute& first, const Attribute& second)
    {
        const auto texts = [&] { return std::pair(shown(m_first, first), shown(m_second, second)); };
        const AttributeValue& a = first.value;
        const AttributeValue& b = second.value;
        if (!first.text.empty() && !second.text.empty()) {
            return first.text == second.text ? std::nullopt : std::optional(texts());
        }
        if (a.index() != b.index()) {
            return texts();
        }
        if (const auto* id = std::get_if<TensorId>(&a)) {
            return tensorDifference(m_first.tensor(*id), m_second.tensor(std::get<TensorId>(b)));
        }
        if (const auto* id = std::get_if<SubgraphId>(&a)) {
            return compareBodies(*id, std::get<SubgraphId>(b));
        }
        if (const auto* ids = std::get_if<std::vector<SubgraphId>>(&a)) {
            const auto& others = std::get<std::vector<SubgraphId>>(b);
            for (std::size_t i = 0; i < ids->size() && ids->size() == others.size(); ++i) {
                if (auto difference = compareBodies((*ids)[i], others[i])) {
                    return difference;
                }
            }
            return ids->size() == others.size() ? std::nullopt : std::optional(texts());
        }
        return a == b ? std::nullopt : std::optional(texts());
    }

    std::optional<std::pair<std::string, std::string>> compareBodies(SubgraphId a, SubgraphId b)
    {
        const ModelDiff inside = GraphComparison(m_first.subgraph(a), m_second.subgraph(b), true, m_stop).run();
        if (inside.isEqual()) {
            return std::nullopt;
        }
        const auto nodesOf = [](const Graph& graph) {
            return fmt::format("a graph of {}", counted(graph.nodeCount(), "node"));
        };
        const std::string before = nodesOf(m_first.subgraph(a));
        const std::string after = nodesOf(m_second.subgraph(b));
        const auto changed = inside.count(Change::Changed);
        const auto removed = inside.count(Change::Removed);
        const auto added = inside.count(Change::Added);
        if (changed + removed + added == 0) {
            const Difference& first = inside.model.front();
            return std::pair(fmt::format("{}, {} {}", before, first.what, first.before),
                             fmt::format("{}, {} {}", after, first.what, first.after));
        }
        return std::pair(before, fmt::format("{}: {} changed, {} removed, {} added", after, changed, removed, added));
    }

    /// Whether two values correspond to each other, whatever their names.
    bool isSame(ValueId a, ValueId b) const
    {
        const Value& x = m_first.value(a);
        const Value& y = m_second.value(b);
        if (x.producer || y.producer) {
            return x.producer && y.producer && m_diff.match.ofFirst[x.producer.index] == y.producer &&
                   x.producerOutput == y.producerOutput;
        }
        const auto captured = m_captures.find(a);
        if (captured != m_captures.end()) {
            return captured->second == b;
        }
        const std::size_t port = portOf(m_first, a);
        return x.name == y.name || (port < m_first.inputs.size() && port == portOf(m_second, b));
    }

    static std::size_t portOf(const Graph& graph, ValueId value)
    {
        return static_cast<std::size_t>(std::find(graph.inputs.begin(), graph.inputs.end(), value) -
                                        graph.inputs.begin());
    }

    static std::string origin(const Graph& graph, const NodeNames& names, ValueId id)
    {
        if (!id) {
            return {};
        }
        const Value& value = graph.value(id);
        if (!value.producer) {
            return value.name;
        }
        return value.producerOutput == 0 ? names.of(value.producer)
                                         : fmt::format("{}:{}", names.of(value.producer), value.producerOutput);
    }

    void compareInput(std::size_t index, ValueId a, ValueId b, std::vector<Difference>& found)
    {
        if (!a && !b) {
            return;
        }
        const Tensor* x = a ? m_first.tensorOf(a) : nullptr;
        const Tensor* y = b ? m_second.tensorOf(b) : nullptr;
        if (x != nullptr && y != nullptr) {
            if (auto difference = tensorDifference(*x, *y)) {
                const std::string& name = m_first.value(a).name;
                found.push_back({"weight " + name, std::move(difference->first), std::move(difference->second)});
            }
        } else if (!a || !b || x != nullptr || y != nullptr || !isSame(a, b)) {
            found.push_back(
                {fmt::format("input {}", index), origin(m_first, m_firstNames, a), origin(m_second, m_secondNames, b)});
        }
    }

    void compareOpsets()
    {
        std::set<std::string> domains;
        for (const auto* opsets : {&m_first.opsets, &m_second.opsets}) {
            for (const auto& [domain, version] : *opsets) {
                domains.insert(domain);
            }
        }
        const auto versionIn = [](const Graph& graph, const std::string& domain) {
            const auto found = graph.opsets.find(domain);
            return found != graph.opsets.end() ? std::to_string(found->second) : std::string();
        };
        for (const std::string& domain : domains) {
            const std::string a = versionIn(m_first, domain);
            const std::string b = versionIn(m_second, domain);
            if (a != b) {
                m_diff.model.push_back({"opset " + (domain.empty() ? "ai.onnx" : domain), a, b});
            }
        }
    }

    void comparePorts(std::string_view kind, const ValueIds& a, const ValueIds& b)
    {
        const auto text = [](const Graph& graph, ValueId id) { return toString(graph.value(id).type); };
        std::map<std::string_view, ValueId> others;
        for (const ValueId id : b) {
            others.emplace(m_second.value(id).name, id);
        }
        for (const ValueId id : a) {
            const std::string& name = m_first.value(id).name;
            const auto other = others.find(name);
            const std::string before = text(m_first, id);
            const std::string after = other != others.end() ? text(m_second, other->second) : std::string();
            if (before != after) {
                m_diff.model.push_back({fmt::format("{} {}", kind, name), before, after});
            }
            if (other != others.end()) {
                others.erase(other);
            }
        }
        for (const auto& [name, id] : others) {
            m_diff.model.push_back({fmt::format("{} {}", kind, name), {}, text(m_second, id)});
        }
    }

    void compareBodyPorts()
    {
        const auto count = [](const ValueIds& ports) { return std::to_string(ports.size()); };
        if (m_first.inputs.size() != m_second.inputs.size()) {
            m_diff.model.push_back({"inputs", count(m_first.inputs), count(m_second.inputs)});
        }
        if (m_first.outputs.size() != m_second.outputs.size()) {
            m_diff.model.push_back({"outputs", count(m_first.outputs), count(m_second.outputs)});
        }
        for (std::size_t i = 0; i < std::min(m_first.outputs.size(), m_second.outputs.size()); ++i) {
            std::vector<Difference> found;
            compareInput(i, m_first.outputs[i], m_second.outputs[i], found);
            for (Difference& difference : found) {
                m_diff.model.push_back(
                    {fmt::format("output {}", i), std::move(difference.before), std::move(difference.after)});
            }
        }
    }

    const Graph& m_first;
    const Graph& m_second;
    bool m_isBody; ///< compares bodies of a node: ports correspond by position, and their types depend on the node's
                   ///< inputs
    const std::stop_token& m_stop;
    NodeNames m_firstNames;
    NodeNames m_secondNames;
    std::map<ValueId, ValueId> m_captures;
    ModelDiff m_diff;
};

} // namespace

std::string_view changeName(Change change)
{
    switch (change) {
    case Change::Same:
        return "same";
    case Change::Changed:
        return "changed";
    case Change::Removed:
        return "removed";
    case Change::Added:
        break;
    }
    return "added";
}

bool ModelDiff::isEqual() const
{
    const auto isSame = [](Change change) { return change == Change::Same; };
    return model.empty() && std::all_of(ofFirst.begin(), ofFirst.end(), isSame) &&
           std::all_of(ofSecond.begin(), ofSecond.end(), isSame);
}

std::size_t ModelDiff::count(Change change) const
{
    const auto& changes = change == Change::Added ? ofSecond : ofFirst;
    return static_cast<std::size_t>(std::count(changes.begin(), changes.end(), change));
}

ModelDiff compareGraphs(const Graph& first, const Graph& second, const std::stop_token& stop)
{
    return GraphComparison(first, second, false, stop).run();
}

} // namespace crosswalk
