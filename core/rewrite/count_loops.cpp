#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"
#include "core/rewrite/graph_edit.h"
#include "core/rewrite/rename_ports.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

// Loop: inputs (trip count, condition, states...), body inputs (iteration, condition, states...) and
// body outputs (condition, states..., rows...).
constexpr int statesOfNode = 2;
constexpr int statesOfBody = 2;
constexpr int resultsOfBody = 1;

/// The nodes of a graph by the values that they compute.
using Producers = std::unordered_map<std::string, const NodeProto*>;

Producers producersOf(const GraphProto& graph)
{
    Producers producers;
    for (const auto& node : graph.node()) {
        for (const std::string& output : node.output()) {
            producers.emplace(output, &node);
        }
    }
    return producers;
}

const NodeProto* producer(const Producers& producers, const std::string& value, std::string_view op)
{
    const auto found = producers.find(value);
    const bool matches = found != producers.end() && found->second->domain().empty() && found->second->op_type() == op;
    return matches ? found->second : nullptr;
}

/// left < right
struct Comparison {
    std::string left;
    std::string right;
};

/// The comparisons whose conjunction is `condition`. Nothing if it contains anything else.
std::optional<std::vector<Comparison>> comparisonsOf(const Producers& producers, const std::string& condition)
{
    std::vector<Comparison> comparisons;
    std::vector<std::string> terms{condition};
    while (!terms.empty()) {
        const std::string term = terms.back();
        terms.pop_back();
        if (const auto* conjunction = producer(producers, term, "And")) {
            terms.insert(terms.end(), conjunction->input().begin(), conjunction->input().end());
        } else if (const auto* less = producer(producers, term, "Less")) {
            comparisons.push_back({less->input(0), less->input(1)});
        } else if (const auto* greater = producer(producers, term, "Greater")) {
            comparisons.push_back({greater->input(1), greater->input(0)});
        } else {
            return std::nullopt;
        }
    }
    return comparisons;
}

std::optional<std::int64_t> storedInteger(const GraphEdit& edit, const std::string& name)
{
    const Tensor* tensor = edit.stored(name);
    if (tensor == nullptr || tensor->elements() != 1 ||
        (tensor->type() != ElementType::Int32 && tensor->type() != ElementType::Int64)) {
        return std::nullopt;
    }
    return tensor->toInts().front();
}

/// A state that starts at a stored integer and grows by 1 in each iteration, and what it has to be less than.
struct Counter {
    int state = 0;
    std::int64_t start = 0;
    std::string bound;
};

/// A Loop that runs as long as its counters are less than their bounds.
class CountedLoop {
public:
    CountedLoop(GraphEdit& edit, const Producers& around, int index)
        : m_edit(edit)
        , m_around(around)
        , m_index(index)
        , m_node(*edit.graph().mutable_node(index))
        , m_body(*findAttribute(m_node, "body")->mutable_g())
        , m_inside(producersOf(m_body))
    {
    }

    void rewrite()
    {
        if (!inputOf(m_node, 0).empty() || inputOf(m_node, 1).empty()) {
            return;
        }
        dropLowerBounds();
        if (!readCounters() || !startsAlike()) {
            return;
        }
        const std::string trips = tripCount();
        if (trips.empty()) {
            return;
        }
        m_node.set_input(0, trips);
        m_node.set_input(1, "");
        returnTrue();
        for (int state = m_node.input_size() - statesOfNode; state-- > 0;) {
            useIteration(state);
        }
    }

private:
    /// A value that is at least a stored integer.
    struct LowerBound {
        std::string value;
        std::int64_t bound = 0;
    };

    std::optional<LowerBound> lowerBound(const Producers& producers, const std::string& condition) const
    {
        const auto* least = producer(producers, condition, "GreaterOrEqual");
        const auto number = least != nullptr ? storedInteger(m_edit, least->input(1)) : std::nullopt;
        return number ? std::optional(LowerBound{least->input(0), *number}) : std::nullopt;
    }

    /// Whether a conjunction contains a comparison of the kind that `matches`.
    static bool hasTerm(const Producers& producers, const std::string& condition,
                        const std::function<bool(const std::string& term)>& matches)
    {
        const auto* conjunction = producer(producers, condition, "And");
        return conjunction != nullptr ? hasTerm(producers, conjunction->input(0), matches) ||
                                            hasTerm(producers, conjunction->input(1), matches)
                                      : matches(condition);
    }

    /// Removes from the body's condition that a counter is at least what it had to be at the beginning. It is less than
    /// a bound too, so that adding 1 does not overflow.
    void dropLowerBounds()
    {
        while (const auto* conjunction = producer(m_inside, m_body.output(0).name(), "And")) {
            const auto dropped = std::find_if(conjunction->input().begin(), conjunction->input().end(),
                                              [&](const std::string& term) { return isImplied(term); });
            if (dropped == conjunction->input().end()) {
                return;
            }
            const int other = dropped == conjunction->input().begin() ? 1 : 0;
            const std::string kept = conjunction->input(other);
            if (!m_inside.contains(kept)) {
                return;
            }
            m_body.mutable_output(0)->set_name(kept);
            dropUnread();
            m_inside = producersOf(m_body);
        }
    }

    bool isImplied(const std::string& term) const
    {
        const auto inside = lowerBound(m_inside, term);
        if (!inside) {
            return false;
        }
        for (int state = 0; state < m_node.input_size() - statesOfNode; ++state) {
            const std::string& start = m_node.input(statesOfNode + state);
            const auto startsAbove = [&](const std::string& condition) {
                const auto outside = lowerBound(m_around, condition);
                return outside && outside->value == start && outside->bound == inside->bound;
            };
            const auto endsBelow = [](const Producers& producers, const std::string& value) {
                return [&producers, &value](const std::string& condition) {
                    const auto* less = producer(producers, condition, "Less");
                    return less != nullptr && less->input(0) == value;
                };
            };
            if (m_body.output(resultsOfBody + state).name() == inside->value && growsByOne(state) &&
                hasTerm(m_around, m_node.input(1), startsAbove) &&
                hasTerm(m_around, m_node.input(1), endsBelow(m_around, start)) &&
                hasTerm(m_inside, m_body.output(0).name(), endsBelow(m_inside, inside->value))) {
                return true;
            }
        }
        return false;
    }

    /// Finds the counters of the condition that the body computes for the next iteration.
    bool readCounters()
    {
        const auto comparisons = comparisonsOf(m_inside, m_body.output(0).name());
        if (!comparisons) {
            return false;
        }
        return std::all_of(comparisons->begin(), comparisons->end(), [&](const Comparison& comparison) {
            const auto state = counterOf(comparison.left);
            if (!state || isInside(comparison.right)) {
                return false;
            }
            m_counters.push_back({*state, startOf(*state), comparison.right});
            return true;
        });
    }

    bool isInside(const std::string& value) const
    {
        return m_inside.contains(value) || std::any_of(m_body.input().begin(), m_body.input().end(),
                                                       [&](const auto& input) { return input.name() == value; });
    }

    std::int64_t startOf(int state) const { return *storedInteger(m_edit, m_node.input(statesOfNode + state)); }

    /// Whether a state grows by 1 in each iteration, from a stored integer.
    bool isCounter(int state) const
    {
        return storedInteger(m_edit, m_node.input(statesOfNode + state)) && growsByOne(state);
    }

    bool growsByOne(int state) const
    {
        const auto* sum = producer(m_inside, m_body.output(resultsOfBody + state).name(), "Add");
        const std::string& current = m_body.input(statesOfBody + state).name();
        return sum != nullptr && ((sum->input(0) == current && storedInteger(m_edit, sum->input(1)) == 1) ||
                                  (sum->input(1) == current && storedInteger(m_edit, sum->input(0)) == 1));
    }

    /// The counter that `next` is in the next iteration. A start of 0 or an int32 keeps its distance from any bound
    /// within int64.
    std::optional<int> counterOf(const std::string& next) const
    {
        for (int state = 0; state < m_node.input_size() - statesOfNode; ++state) {
            if (m_body.output(resultsOfBody + state).name() == next && isCounter(state) &&
                (startOf(state) == 0 ||
                 m_edit.stored(m_node.input(statesOfNode + state))->type() == ElementType::Int32)) {
                return state;
            }
        }
        return std::nullopt;
    }

    bool isSameBound(const std::string& one, const std::string& other) const
    {
        const auto number = storedInteger(m_edit, one);
        return one == other || (number && number == storedInteger(m_edit, other));
    }

    /// Whether the condition of the first iteration is the one of the others, at the start of the counters.
    bool startsAlike() const
    {
        const auto comparisons = comparisonsOf(m_around, m_node.input(1));
        if (!comparisons) {
            return false;
        }
        const auto isOneOf = [&](const Counter& counter, const Comparison& comparison) {
            const bool isStart = comparison.left == m_node.input(statesOfNode + counter.state) ||
                                 storedInteger(m_edit, comparison.left) == counter.start;
            return isStart && isSameBound(comparison.right, counter.bound);
        };
        return std::all_of(m_counters.begin(), m_counters.end(),
                           [&](const Counter& counter) {
                               return std::any_of(comparisons->begin(), comparisons->end(),
                                                  [&](const auto& first) { return isOneOf(counter, first); });
                           }) &&
               std::all_of(comparisons->begin(), comparisons->end(), [&](const Comparison& first) {
                   return std::any_of(m_counters.begin(), m_counters.end(),
                                      [&](const Counter& counter) { return isOneOf(counter, first); });
               });
    }

    /// The bounds of the counters with a start, without Min: min(a, max(a, b)) is a.
    std::vector<std::string> boundsFrom(std::int64_t start) const
    {
        std::vector<std::string> terms;
        std::vector<std::string> bounds;
        for (const Counter& counter : m_counters) {
            if (counter.start == start) {
                terms.push_back(counter.bound);
            }
        }
        while (!terms.empty()) {
            const std::string term = terms.back();
            terms.pop_back();
            if (const auto* minimum = producer(m_around, term, "Min")) {
                terms.insert(terms.end(), minimum->input().begin(), minimum->input().end());
            } else if (std::none_of(bounds.begin(), bounds.end(),
                                    [&](const std::string& bound) { return isSameBound(bound, term); })) {
                bounds.push_back(term);
            }
        }
        const auto isAnother = [&](const std::string& bound, const std::string& value) {
            return value != bound && std::find(bounds.begin(), bounds.end(), value) != bounds.end();
        };
        std::vector<std::string> needed;
        std::copy_if(bounds.begin(), bounds.end(), std::back_inserter(needed), [&](const std::string& bound) {
            const auto* maximum = producer(m_around, bound, "Max");
            return maximum == nullptr ||
                   std::none_of(maximum->input().begin(), maximum->input().end(),
                                [&](const std::string& value) { return isAnother(bound, value); });
        });
        return needed;
    }

    /// The number of iterations, a scalar of int64 (0 or less for none). Empty if a bound is not an integer.
    std::string tripCount()
    {
        std::map<std::int64_t, std::vector<std::string>> bounds; // by start
        for (const Counter& counter : m_counters) {
            bounds.try_emplace(counter.start, boundsFrom(counter.start));
        }
        std::vector<std::string> counts;
        std::optional<std::int64_t> known;
        for (auto& [start, values] : bounds) {
            std::erase_if(values, [&, start = start](const std::string& bound) {
                const auto number = storedInteger(m_edit, bound);
                if (number) {
                    known = std::min(known.value_or(std::numeric_limits<std::int64_t>::max()),
                                     std::max(*number, start) - start);
                }
                return number.has_value();
            });
            if (!std::all_of(values.begin(), values.end(), [&](const auto& bound) { return isInteger(bound); })) {
                return {};
            }
        }
        for (const auto& [start, values] : bounds) {
            for (const std::string& bound : values) {
                const std::string wide = widened(bound);
                counts.push_back(start == 0 ? wide : emit("Sub", {wide, constant(start)}));
            }
        }
        if (known) {
            counts.push_back(constant(*known));
        }
        return counts.size() == 1 ? counts.front() : smallest(counts);
    }

    std::string smallest(const std::vector<std::string>& counts)
    {
        if (m_edit.opset() >= firstIntegerExtremes) {
            return emit("Min", counts);
        }
        return std::accumulate(counts.begin() + 1, counts.end(), counts.front(),
                               [&](const std::string& least, const std::string& count) {
                                   const std::string isLess = emit("Less", {least, count}, ElementType::Bool);
                                   return emit("Where", {isLess, least, count});
                               });
    }

    bool isInteger(const std::string& bound) const
    {
        const TensorType type = m_edit.typeOf(bound);
        return type.shape && type.shape->empty() &&
               (type.element == ElementType::Int32 || type.element == ElementType::Int64);
    }

    std::string widened(const std::string& bound)
    {
        return m_edit.typeOf(bound).element == ElementType::Int64 ? bound : emit("Cast", {bound});
    }

    std::string constant(std::int64_t number)
    {
        return m_edit.addWeight(labelOf(m_node) + "/trip_count/constant",
                                Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&number, 1)));
    }

    /// Inserts a node in front of the Loop. Returns its output, a scalar.
    std::string emit(const char* op, const std::vector<std::string>& inputs, ElementType type = ElementType::Int64)
    {
        NodeProto node;
        node.set_op_type(op);
        node.mutable_input()->Assign(inputs.begin(), inputs.end());
        if (node.op_type() == "Cast") {
            addInt(node, "to", ::onnx::TensorProto::INT64);
        }
        std::string output = m_edit.newValue(labelOf(m_node) + "/trip_count", {type, Shape{}});
        node.add_output(output);
        m_edit.insert(m_index, std::move(node), {m_index});
        return output;
    }

    /// Makes the body return its condition, and removes the nodes that computed the old one.
    void returnTrue()
    {
        NodeProto node;
        node.set_op_type("Identity");
        node.add_input(m_body.input(1).name());
        node.add_output(m_edit.newValue(labelOf(m_node) + "/condition", {ElementType::Bool, Shape{}}));
        m_body.mutable_output(0)->set_name(node.output(0));
        *m_body.add_node() = std::move(node);
        dropUnread();
    }

    /// Dead-code elimination in the body, whose nodes are in topological order.
    void dropUnread()
    {
        std::unordered_set<std::string> needed;
        for (const auto& output : m_body.output()) {
            needed.insert(output.name());
        }
        for (int i = m_body.node_size(); i-- > 0;) {
            const NodeProto& node = m_body.node(i);
            if (!node.domain().empty() || std::any_of(node.output().begin(), node.output().end(),
                                                      [&](const auto& name) { return needed.contains(name); })) {
                forEachRead(node, [&](const std::string& name) { needed.insert(name); });
            } else {
                m_body.mutable_node()->DeleteSubrange(i, 1);
            }
        }
    }

    /// Replaces a counter by the number of the iteration, unless its last value is used.
    void useIteration(int state)
    {
        const std::string& start = m_node.input(statesOfNode + state);
        const std::string& last = m_node.output(state);
        if (!isCounter(state) || startOf(state) != 0 || m_edit.stored(start)->rank() != 0 ||
            (!last.empty() && m_edit.reads(last) > 0)) {
            return;
        }
        const auto counter = m_body.input(statesOfBody + state);
        m_node.mutable_input()->DeleteSubrange(statesOfNode + state, 1);
        m_node.mutable_output()->DeleteSubrange(state, 1);
        m_body.mutable_input()->DeleteSubrange(statesOfBody + state, 1);
        m_body.mutable_output()->DeleteSubrange(resultsOfBody + state, 1);
        dropUnread();

        const std::string& iteration = m_body.input(0).name();
        for (auto& node : *m_body.mutable_node()) { // indices of both types are allowed
            if (node.domain().empty() && node.op_type() == "Gather" && node.input(1) == counter.name()) {
                node.set_input(1, iteration);
            }
        }
        if (!readValues(m_body).contains(counter.name())) {
            return;
        }
        NodeProto cast;
        cast.set_op_type("Cast");
        cast.add_input(iteration);
        cast.add_output(counter.name());
        addInt(cast, "to", counter.type().tensor_type().elem_type());
        *m_body.add_value_info() = counter;
        *m_body.add_node() = std::move(cast);
        for (int i = m_body.node_size(); --i > 0;) {
            m_body.mutable_node()->SwapElements(i, i - 1);
        }
    }

    GraphEdit& m_edit;
    const Producers& m_around;
    int m_index = 0;
    NodeProto& m_node;
    GraphProto& m_body;
    Producers m_inside; ///< removed nodes do not compute results, by which nodes are looked up
    std::vector<Counter> m_counters;
};

} // namespace

void countLoops(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    const Producers around = producersOf(edit.graph());
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        const NodeProto& node = edit.graph().node(i);
        if (node.domain().empty() && node.op_type() == "Loop") {
            CountedLoop(edit, around, i).rewrite();
        }
    }
    edit.finish();
}

} // namespace crosswalk
