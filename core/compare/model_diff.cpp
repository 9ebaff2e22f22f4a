#include "core/compare/model_diff.h"

#include "core/base/check_stop.h"
#include "core/base/readable.h"
#include "core/compare/tensor_diff.h"
#include "core/graph/attribute_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace crosswalk {
namespace {

std::string shown(const Graph& graph, const Attribute& attribute)
{
    return attributeText(attribute, graph,
                         {.open = '[', .close = ']', .mostItems = 16, .longestText = 80, .tensorTypes = true});
}

/// Whether two numbers have the same bits, or both are NaN.
bool isSameNumber(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class GraphComparison {
public:
    enum class Kind {
        Model,
        Body, ///< of a node or a function: ports correspond by position, and their types depend on the caller
    };

    /// `around`: the comparison of the graphs that values are captured from; null if there are none.
    GraphComparison(const Graph& first, const Graph& second, Kind kind, const GraphComparison* around,
                    const std::stop_token& stop)
        : m_first(first)
        , m_second(second)
        , m_kind(kind)
        , m_around(around)
        , m_stop(stop)
        , m_firstNames(first)
        , m_secondNames(second)
    {
    }

    ModelDiff run()
    {
        m_diff.match = matchNodes(m_first, m_second);
        m_diff.ofFirst.assign(m_first.nodeCount(), Change::Removed);
        m_diff.ofSecond.assign(m_second.nodeCount(), Change::Added);
        m_diff.differences.resize(m_first.nodeCount());
        for (std::uint32_t i = 0; i < m_first.nodeCount(); ++i) {
            checkStop(m_stop, "the comparison");
            if (const NodeId other = m_diff.match.ofFirst[i]) {
                m_diff.differences[i] = compareNodes(m_first.node(NodeId{i}), m_second.node(other));
                const Change change = m_diff.differences[i].empty() ? Change::Same : Change::Changed;
                m_diff.ofFirst[i] = change;
                m_diff.ofSecond[other.index] = change;
            }
        }
        compareOpsets();
        if (m_kind == Kind::Body) {
            compareBodyPorts();
        } else {
            comparePorts("input", m_first.inputs, m_second.inputs);
            comparePorts("output", m_first.outputs, m_second.outputs);
        }
        compareFunctions();
        return std::move(m_diff);
    }

private:
    std::vector<Difference> compareNodes(const Node& a, const Node& b)
    {
        std::vector<Difference> found;
        if (a.op != b.op || a.domain != b.domain) {
            found.push_back({"operator", operatorOf(a), operatorOf(b)});
        }
        compareAttributes(a, b, found);
        for (std::size_t i = 0; i < std::max(a.inputs.size(), b.inputs.size()); ++i) {
            if (auto difference =
                    compareValues(fmt::format("input {}", i), i < a.inputs.size() ? a.inputs[i] : ValueId{},
                                  i < b.inputs.size() ? b.inputs[i] : ValueId{})) {
                found.push_back(std::move(*difference));
            }
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

    using Texts =
        std::optional<std::pair<std::string, std::string>>; ///< of the two sides; nothing if they are the same

    Texts compareAttribute(const Attribute& first, const Attribute& second) const
    {
        const auto texts = [&] { return std::pair(shown(m_first, first), shown(m_second, second)); };
        const AttributeValue& a = first.value;
        const AttributeValue& b = second.value;
        if (!first.text.empty() && !second.text.empty()) {
            return first.text == second.text ? std::nullopt : std::optional(texts());
        }
        if (a.index() == b.index()) {
            if (const auto* id = std::get_if<TensorId>(&a)) {
                return compare(*id, std::get<TensorId>(b));
            }
            if (const auto* id = std::get_if<SubgraphId>(&a)) {
                return compare(*id, std::get<SubgraphId>(b));
            }
            if (const auto* ids = std::get_if<std::vector<SubgraphId>>(&a)) {
                const auto& others = std::get<std::vector<SubgraphId>>(b);
                for (std::size_t i = 0; i < ids->size() && ids->size() == others.size(); ++i) {
                    if (auto difference = compare((*ids)[i], others[i])) {
                        return difference;
                    }
                }
                return ids->size() == others.size() ? std::nullopt : std::optional(texts());
            }
        }
        return isSame(a, b) ? std::nullopt : std::optional(texts());
    }

    bool isSame(const AttributeValue& first, const AttributeValue& second) const
    {
        return first.index() == second.index() &&
               std::visit([&]<typename Value>(const Value& value) { return isSame(value, std::get<Value>(second)); },
                          static_cast<const AttributeValue::variant&>(first));
    }
    bool isSame(const Attribute& a, const Attribute& b) const { return a.name == b.name && !compareAttribute(a, b); }
    bool isSame(double a, double b) const { return isSameNumber(a, b); }
    bool isSame(TensorId a, TensorId b) const { return !compare(a, b); }
    bool isSame(SubgraphId a, SubgraphId b) const { return !compare(a, b); }
    bool isSame(const Boxed<FunctionReference>& a, const Boxed<FunctionReference>& b) const { return isSame(*a, *b); }
    bool isSame(const FunctionReference& a, const FunctionReference& b) const
    {
        return a.name == b.name && isSame(a.attributes, b.attributes);
    }
    template <typename Item>
    bool isSame(const std::vector<Item>& a, const std::vector<Item>& b) const
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [this](const Item& x, const Item& y) { return isSame(x, y); });
    }
    template <typename Plain>
    bool isSame(const Plain& a, const Plain& b) const
    {
        return a == b;
    }

    Texts compare(TensorId a, TensorId b) const { return tensorDifference(m_first.tensor(a), m_second.tensor(b)); }

    Texts compare(SubgraphId a, SubgraphId b) const
    {
        return compareBodies(m_first.subgraph(a), m_second.subgraph(b), this);
    }

    Texts compareBodies(const Graph& a, const Graph& b, const GraphComparison* around) const
    {
        const ModelDiff inside = GraphComparison(a, b, Kind::Body, around, m_stop).run();
        if (inside.isEqual()) {
            return std::nullopt;
        }
        const std::string before = sizeOf(a);
        const std::string after = sizeOf(b);
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

    static std::string sizeOf(const Graph& graph)
    {
        return fmt::format("a graph of {}", counted(graph.nodeCount(), "node"));
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
        const ValueId outerA = outerOf(m_first, a);
        const ValueId outerB = outerOf(m_second, b);
        if (outerA || outerB) {
            return outerA && outerB && m_around != nullptr && !m_around->compareValues({}, outerA, outerB);
        }
        return m_kind == Kind::Body ? isSamePort(a, b)
                                    : x.name == y.name || (!m_second.findInput(x.name) && !m_first.findInput(y.name) &&
                                                           isSamePort(a, b));
    }

    /// The captured value; none if the value is not a capture.
    static ValueId outerOf(const Graph& graph, ValueId inner)
    {
        const auto found = std::ranges::find(graph.captures, inner, &Graph::Capture::inner);
        return found != graph.captures.end() ? found->outer : ValueId{};
    }

    bool isSamePort(ValueId a, ValueId b) const
    {
        const std::size_t port = portOf(m_first, a);
        return port < m_first.inputs.size() ? port == portOf(m_second, b)
                                            : m_first.value(a).name == m_second.value(b).name;
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

    /// What two ports read or return.
    std::optional<Difference> compareValues(std::string port, ValueId a, ValueId b) const
    {
        if (!a && !b) {
            return std::nullopt;
        }
        const Tensor* x = a ? m_first.tensorOf(a) : nullptr;
        const Tensor* y = b ? m_second.tensorOf(b) : nullptr;
        if (x != nullptr && y != nullptr) {
            auto texts = tensorDifference(*x, *y);
            return texts ? std::optional(Difference{"weight " + m_first.value(a).name, std::move(texts->first),
                                                    std::move(texts->second)})
                         : std::nullopt;
        }
        if (a && b && x == nullptr && y == nullptr && isSame(a, b)) {
            return std::nullopt;
        }
        Difference difference{std::move(port), origin(m_first, m_firstNames, a), origin(m_second, m_secondNames, b)};
        if (difference.before == difference.after && (x == nullptr) != (y == nullptr)) {
            difference.before += x != nullptr ? " (stored)" : " (not stored)";
            difference.after += y != nullptr ? " (stored)" : " (not stored)";
        }
        return difference;
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
        std::multimap<std::string_view, ValueId> others; // an output may repeat
        for (const ValueId id : b) {
            others.emplace(m_second.value(id).name, id);
        }
        for (const ValueId id : a) {
            const std::string& name = m_first.value(id).name;
            const std::string what = fmt::format("{} {}", kind, name);
            const auto other = others.lower_bound(name);
            if (other == others.end() || other->first != name) {
                m_diff.model.push_back({what, text(m_first, id), {}});
                continue;
            }
            const std::string before = text(m_first, id);
            const std::string after = text(m_second, other->second);
            if (before != after) {
                m_diff.model.push_back({what, before, after});
            }
            if (auto difference = compareValues(what, id, other->second)) {
                m_diff.model.push_back(std::move(*difference));
            }
            others.erase(other);
        }
        for (const auto& [name, id] : others) {
            m_diff.model.push_back({fmt::format("{} {}", kind, name), {}, text(m_second, id)});
        }
        compareOrder(kind, a, b);
    }

    /// Programs also pass inputs and read outputs by position.
    void compareOrder(std::string_view kind, const ValueIds& a, const ValueIds& b)
    {
        const auto namesIn = [](const Graph& graph, const ValueIds& ports) {
            std::vector<std::string_view> names;
            for (const ValueId id : ports) {
                names.emplace_back(graph.value(id).name);
            }
            return names;
        };
        std::vector<std::string_view> before = namesIn(m_first, a);
        std::vector<std::string_view> after = namesIn(m_second, b);
        const std::set<std::string_view> first(before.begin(), before.end());
        const std::set<std::string_view> second(after.begin(), after.end());
        std::erase_if(before, [&](std::string_view name) { return !second.contains(name); });
        std::erase_if(after, [&](std::string_view name) { return !first.contains(name); });
        if (before != after && std::ranges::is_permutation(before, after)) { // of repeated ones, the number may differ
            m_diff.model.push_back({fmt::format("order of {}s", kind), fmt::format("{}", fmt::join(before, ", ")),
                                    fmt::format("{}", fmt::join(after, ", "))});
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
            const std::string what = fmt::format("output {}", i);
            if (auto difference = compareValues(what, m_first.outputs[i], m_second.outputs[i])) {
                m_diff.model.push_back({what, std::move(difference->before), std::move(difference->after)});
            }
        }
    }

    void compareFunctions()
    {
        for (const Graph::Function& function : m_first.functions) {
            const Graph& body = m_first.subgraph(function.body);
            const Graph* other = m_second.findFunction(function.name);
            const std::string what = "function " + function.name;
            if (other == nullptr) {
                m_diff.model.push_back({what, sizeOf(body), {}});
            } else if (auto texts = compareBodies(body, *other, nullptr)) {
                m_diff.model.push_back({what, std::move(texts->first), std::move(texts->second)});
            }
        }
        for (const Graph::Function& function : m_second.functions) {
            if (m_first.findFunction(function.name) == nullptr) {
                m_diff.model.push_back({"function " + function.name, {}, sizeOf(m_second.subgraph(function.body))});
            }
        }
    }

    const Graph& m_first;
    const Graph& m_second;
    Kind m_kind;
    const GraphComparison* m_around;
    const std::stop_token& m_stop;
    NodeNames m_firstNames;
    NodeNames m_secondNames;
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
    return GraphComparison(first, second, GraphComparison::Kind::Model, nullptr, stop).run();
}

} // namespace crosswalk
