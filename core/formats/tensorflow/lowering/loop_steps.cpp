#include "core/formats/tensorflow/lowering/loop_steps.h"

#include "core/formats/tensorflow/lowering/length_tests.h"
#include "core/formats/tensorflow/lowering/small_integers.h"
#include "core/graph/attributes.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

const Graph& bodyOf(const Graph& graph, NodeId loop, std::string_view name)
{
    return graph.subgraph(*attributeOf<SubgraphId>(graph.node(loop), name));
}

} // namespace

bool operator==(const SampleLengths& a, const SampleLengths& b)
{
    if (a.stored == nullptr || b.stored == nullptr) {
        return a.outer == b.outer && a.stored == b.stored;
    }
    return isInteger(a.stored->type()) && isInteger(b.stored->type()) && a.stored->toInts() == b.stored->toInts();
}

LoopSteps::LoopSteps(const Graph& graph, NodeId loop)
    : m_graph(graph)
    , m_loop(loop)
    , m_outer(graph)
    , m_step(bodyOf(graph, loop, "body"), [this](ValueId input) { return m_outer.stored(outerOf(input)); })
    , m_condition(bodyOf(graph, loop, "cond"))
    , m_variables(graph.node(loop).outputs.size() -
                  static_cast<std::size_t>(intOf(graph.node(loop), "stacked_outputs", 0)))
    , m_conditionCaptures(static_cast<std::size_t>(intOf(graph.node(loop), "condition_captures", 0)))
{
}

ValueId LoopSteps::outerOf(const Graph& body, ValueId input, std::size_t firstCapture) const
{
    const auto at = std::find(body.inputs.begin(), body.inputs.end(), input);
    const auto index = static_cast<std::size_t>(at - body.inputs.begin());
    const auto& inputs = loop().inputs;
    if (at == body.inputs.end() || index < m_variables || firstCapture + index - m_variables >= inputs.size()) {
        return {};
    }
    return inputs[firstCapture + index - m_variables];
}

ValueId LoopSteps::outerOf(ValueId input) const
{
    return outerOf(m_step.body(), input, m_variables + m_conditionCaptures);
}

bool LoopSteps::isCounter(std::size_t variable) const
{
    const ValueId now = before(variable);
    const auto summands = m_step.summands(after(variable));
    const auto counts = [&](ValueId a, ValueId b) { return a == now && m_step.integer(b) == 1; };
    return m_outer.integer(initial(variable)) == 0 && summands.size() == 2 &&
           (counts(summands[0], summands[1]) || counts(summands[1], summands[0]));
}

ElementType LoopSteps::typeOfCounter(std::size_t variable) const
{
    return m_outer.stored(initial(variable))->type();
}

std::optional<std::size_t> LoopSteps::counterOf(const Graph& body, ValueId input) const
{
    const auto at = std::find(body.inputs.begin(), body.inputs.end(), input);
    const auto index = static_cast<std::size_t>(at - body.inputs.begin());
    return index < m_variables && isCounter(index) ? std::optional(index) : std::nullopt;
}

ValueId LoopSteps::sequenceOf(ValueId value) const
{
    const Node* read = m_step.node(value, "GatherV2");
    const bool isElement = read != nullptr && read->inputs.size() == 3 && intOf(*read, "batch_dims", 0) == 0 &&
                           m_step.integer(read->inputs[2]) == 0 && counterOf(m_step.body(), read->inputs[1]);
    return isElement ? outerOf(read->inputs[0]) : ValueId{};
}

std::optional<LoopSteps::End> LoopSteps::endOf(ValueId condition) const
{
    const auto test = lengthTestOf(
        condition, [&](ValueId value, std::string_view op) { return m_step.node(value, op); },
        [&](ValueId operand) { return counterOf(m_step.body(), operand).has_value(); });
    if (!test) {
        return std::nullopt;
    }
    const std::size_t counter = *counterOf(m_step.body(), test->step);
    const SampleLengths found{outerOf(test->lengths), m_step.stored(test->lengths), typeOfCounter(counter)};
    return found ? std::optional(End{found, test->isPast}) : std::nullopt;
}

bool LoopSteps::addLimits(ValueId truth, std::vector<Limit>& limits) const
{
    if (const Node* both = m_condition.node(truth, "LogicalAnd")) {
        return addLimits(both->inputs[0], limits) && addLimits(both->inputs[1], limits);
    }
    const Node* less = m_condition.node(truth, "Less");
    const auto counter =
        less != nullptr && less->inputs.size() == 2 ? counterOf(m_condition.body(), less->inputs[0]) : std::nullopt;
    if (!counter) {
        return false;
    }
    const ValueId limit = less->inputs[1];
    limits.push_back(
        {outerOf(m_condition.body(), limit, m_variables), m_condition.stored(limit), typeOfCounter(*counter)});
    const Tensor* stored = limits.back().stored;
    return limits.back().outer || (stored != nullptr && isInteger(stored->type()) && stored->elements() == 1);
}

std::vector<LoopSteps::Limit> LoopSteps::limits() const
{
    std::vector<Limit> found;
    return addLimits(m_condition.body().outputs.at(0), found) ? found : std::vector<Limit>{};
}

bool LoopSteps::runAlong(ValueId sequence, const SampleLengths& lengths) const
{
    const Dimension time = dimensionOf(m_graph, sequence, 0);
    bool isLimited = false;
    for (const Limit& limit : limits()) {
        isLimited = true;
        const bool fits = limit.outer ? boundOf(limit.outer, sequence, lengths) != Bound::Other
                                      : time.size && limit.stored->toInts() == std::vector{*time.size};
        if (!fits) {
            return false;
        }
    }
    return isLimited;
}

bool LoopSteps::isLength(ValueId value, ValueId sequence) const
{
    return boundOf(value, sequence, {}) == Bound::Time;
}

LoopSteps::Bound LoopSteps::boundOf(ValueId value, ValueId sequence, const SampleLengths& lengths) const
{
    const auto dimension = asDimension(m_graph, value);
    if (dimension && isSame(*dimension, dimensionOf(m_graph, sequence, 0))) {
        return Bound::Time;
    }
    if (const Node* minimum = m_outer.node(value, "Minimum")) {
        const Bound a = boundOf(minimum->inputs[0], sequence, lengths);
        const Bound b = boundOf(minimum->inputs[1], sequence, lengths);
        return a == Bound::Other || b == Bound::Other ? Bound::Other : a == Bound::Time ? b : a;
    }
    if (const Node* maximum = m_outer.node(value, "Maximum")) {
        const auto one = m_outer.integer(maximum->inputs[0]);
        const auto other = m_outer.integer(maximum->inputs[1]);
        return one && *one <= 1       ? boundOf(maximum->inputs[1], sequence, lengths)
               : other && *other <= 1 ? boundOf(maximum->inputs[0], sequence, lengths)
                                      : Bound::Other;
    }
    const Node* longest = m_outer.node(value, "Max");
    const bool isLongest = longest != nullptr && lengths &&
                           SampleLengths{longest->inputs[0], m_outer.stored(longest->inputs[0])} == lengths;
    return isLongest ? Bound::Lengths : Bound::Other;
}

} // namespace crosswalk::tensorflow
