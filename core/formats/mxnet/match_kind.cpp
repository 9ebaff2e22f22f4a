#include "core/formats/mxnet/match_kind.h"

#include "core/formats/mxnet/natural_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

using Places = std::vector<std::size_t>;

constexpr std::size_t undecided = static_cast<std::size_t>(-1);
/// More weights of one kind than any model that was saved without names has: what keeps the comparing short.
constexpr std::size_t mostOfAKind = 2048;

/// Whether node `to` depends on node `from`.
bool reaches(const Graph& graph, NodeId from, NodeId to)
{
    std::vector<bool> dependent(graph.valueCount());
    for (std::uint32_t i = from.index; i <= to.index; ++i) {
        const Node& node = graph.node(NodeId{i});
        const bool hit = i == from.index || std::any_of(node.inputs.begin(), node.inputs.end(),
                                                        [&](ValueId input) { return dependent[input.index]; });
        if (hit && i == to.index) {
            return true;
        }
        for (const ValueId output : node.outputs) {
            dependent[output.index] = hit;
        }
    }
    return false;
}

/// Whether it is a fact that `first` comes before `second`.
bool isOrdered(const Graph& graph, const WeightWant& first, const WeightWant& second)
{
    if (withoutNumbers(first.name) == withoutNumbers(second.name)) {
        return naturalOrder(first.name, second.name) < 0;
    }
    return first.reader == second.reader || reaches(graph, first.reader, second.reader);
}

/// The order in a file is that in which the layers were made, unless an old Python shuffled it: then numbers run
/// backwards.
bool isOrdered(const StoredArray& first, const StoredArray& second)
{
    return withoutNumbers(first.name) != withoutNumbers(second.name) || naturalOrder(first.name, second.name) <= 0;
}

/// Brings variables whose names differ in numbers only into the order of the numbers, among the places that they have:
/// a graph lists a shortcut before the branch beside it, whichever was made first.
void sortByNumbers(std::vector<WeightWant>& wants)
{
    std::map<std::string, Places> groups;
    for (std::size_t i = 0; i < wants.size(); ++i) {
        groups[withoutNumbers(wants[i].name)].push_back(i);
    }
    const std::vector<WeightWant> before = wants;
    for (const auto& [pattern, places] : groups) {
        Places sorted = places;
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            return naturalOrder(before[a].name, before[b].name) < 0;
        });
        for (std::size_t k = 0; k < places.size(); ++k) {
            wants[places[k]] = before[sorted[k]];
        }
    }
}

class KindMatcher {
public:
    KindMatcher(const Graph& graph, const std::vector<WeightWant>& wants, const std::vector<const StoredArray*>& arrays)
        : m_graph(graph)
        , m_wants(wants)
        , m_arrays(arrays)
        , m_matched(wants.size())
    {
    }

    std::vector<const StoredArray*> match(std::string& refusal)
    {
        const bool matched = decideByShape() && decideByOrder();
        refusal = std::move(m_refusal);
        return matched ? std::move(m_matched) : std::vector<const StoredArray*>();
    }

private:
    /// Arrays of equal shape form a class. A variable that one class alone fits belongs to it, and a class with no
    /// array left is open to no other.
    bool decideByShape()
    {
        std::map<std::vector<std::int64_t>, Places> byShape;
        for (std::size_t i = 0; i < m_arrays.size(); ++i) {
            byShape[m_arrays[i]->tensor.dims()].push_back(i);
        }
        std::vector<std::size_t> left;
        for (auto& [dims, places] : byShape) {
            left.push_back(places.size());
            m_classes.push_back(std::move(places));
        }
        m_classOf.assign(m_wants.size(), undecided);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < m_wants.size(); ++i) {
                const Places fitting = m_classOf[i] == undecided ? fittingClasses(m_wants[i], left) : Places(2);
                if (fitting.empty()) {
                    m_refusal = fmt::format("no array is left that fits '{}'", m_wants[i].name);
                    return false;
                }
                if (fitting.size() == 1) {
                    m_classOf[i] = fitting.front();
                    --left[fitting.front()];
                    changed = true;
                }
            }
        }
        return true;
    }

    Places fittingClasses(const WeightWant& want, const std::vector<std::size_t>& left) const
    {
        Places fitting;
        for (std::size_t c = 0; c < m_classes.size() && fitting.size() < 2; ++c) {
            if (left[c] > 0 && fits(want, m_arrays[m_classes[c].front()]->tensor)) {
                fitting.push_back(c);
            }
        }
        return fitting;
    }

    bool decideByOrder()
    {
        if (std::find(m_classOf.begin(), m_classOf.end(), undecided) != m_classOf.end()) {
            Places all(m_wants.size());
            std::iota(all.begin(), all.end(), std::size_t{0});
            return pair(all, all) && isSure(all);
        }
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            Places members;
            for (std::size_t i = 0; i < m_wants.size(); ++i) {
                if (m_classOf[i] == c) {
                    members.push_back(i);
                }
            }
            if (!pair(members, m_classes[c]) || !isSure(members)) {
                return false;
            }
        }
        return true;
    }

    bool pair(const Places& wants, const Places& arrays)
    {
        assert(wants.size() == arrays.size());
        for (std::size_t i = 0; i < wants.size(); ++i) {
            m_matched[wants[i]] = m_arrays[arrays[i]];
            if (!fits(m_wants[wants[i]], m_arrays[arrays[i]]->tensor)) {
                m_refusal = fmt::format("in the file's order '{}' would get '{}', which does not fit",
                                        m_wants[wants[i]].name, m_arrays[arrays[i]]->name);
                return false;
            }
        }
        return true;
    }

    /// Whether the order is a fact wherever two variables could change places.
    bool isSure(const Places& wants)
    {
        const auto ordered = [this](std::size_t a, std::size_t b) {
            return isOrdered(m_graph, m_wants[a], m_wants[b]) && isOrdered(*m_matched[a], *m_matched[b]);
        };
        bool chain = true; // Then it holds between all.
        for (std::size_t i = 1; i < wants.size() && chain; ++i) {
            chain = ordered(wants[i - 1], wants[i]);
        }
        for (std::size_t i = 0; i < wants.size() && !chain; ++i) {
            for (std::size_t j = i + 1; j < wants.size(); ++j) {
                const std::size_t a = wants[i];
                const std::size_t b = wants[j];
                const bool exchangeable =
                    fits(m_wants[a], m_matched[b]->tensor) && fits(m_wants[b], m_matched[a]->tensor);
                if (exchangeable && !ordered(a, b)) {
                    m_refusal = fmt::format("'{}' and '{}' could each take the other's array", m_wants[a].name,
                                            m_wants[b].name);
                    return false;
                }
            }
        }
        return true;
    }

    const Graph& m_graph;
    const std::vector<WeightWant>& m_wants;
    const std::vector<const StoredArray*>& m_arrays;
    std::vector<const StoredArray*> m_matched;
    std::vector<Places> m_classes; ///< places in the arrays
    std::vector<std::size_t> m_classOf;
    std::string m_refusal;
};

} // namespace

std::vector<const StoredArray*> matchKind(const Graph& graph, std::vector<WeightWant>& wants,
                                          const std::vector<const StoredArray*>& arrays, std::string& refusal)
{
    if (wants.size() != arrays.size()) {
        const auto kind = kindOf(arrays.empty() ? std::string_view() : std::string_view(arrays.front()->name));
        refusal = fmt::format("it has {} arrays '{}' where the model has {}", arrays.size(), kind, wants.size());
        return {};
    }
    if (wants.size() > mostOfAKind) {
        refusal = fmt::format("{} weights of one kind are too many to be told apart", wants.size());
        return {};
    }
    sortByNumbers(wants);
    return KindMatcher(graph, wants, arrays).match(refusal);
}

} // namespace crosswalk::mxnet
