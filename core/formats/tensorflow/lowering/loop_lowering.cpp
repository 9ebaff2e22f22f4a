#include "core/formats/tensorflow/lowering/loop_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/lowering/lists.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

Lowered operand(const Lowered& of, const Node& node, std::size_t index)
{
    assert(of.scope != nullptr); // `node` computes `of`
    return index < node.inputs.size() ? of.scope->tensor(node.inputs[index]) : Lowered{};
}

/// The value in the enclosing scope that a body captures; the value itself if it is not a capture.
Lowered capturedBy(const Lowered& tensor)
{
    if (!tensor.isTensor() || tensor.scope->parent() == nullptr) {
        return tensor;
    }
    const auto& inputs = tensor.scope->graph.inputs;
    const auto& captures = tensor.scope->captures();
    const auto at = std::find(inputs.begin(), inputs.end(), tensor.value);
    const auto first = inputs.iteratorAt(inputs.size() - captures.size());
    return at != inputs.end() && at >= first ? captures[static_cast<std::size_t>(at - first)] : tensor;
}

/// Whether `limit` is `size` or equivalent: the same number, or dynamic_rnn's min(size, max(1, size)), which is always
/// equal to it.
bool isSize(const Lowered& limit, const Lowered& size)
{
    if (limit == size || (scalarOf(limit) && scalarOf(limit) == scalarOf(size))) {
        return true;
    }
    const Node* node = producerOf(limit);
    if (node == nullptr || (node->op != "Minimum" && node->op != "Maximum") || node->inputs.size() != 2) {
        return false;
    }
    const Lowered a = operand(limit, *node, 0);
    const Lowered b = operand(limit, *node, 1);
    if (node->op == "Minimum") {
        return isSize(a, size) && isSize(b, size);
    }
    const auto one = scalarOf(a) ? scalarOf(a) : scalarOf(b);
    return one && *one <= 1 && (isSize(a, size) || isSize(b, size));
}

/// `value` - `base` if that is a number: both are stored, or `value` is computed by adding numbers to `base`.
std::optional<std::int64_t> difference(Lowered value, const Lowered& base)
{
    std::int64_t sum = 0;
    while (!(value == base)) {
        if (scalarOf(value) && scalarOf(base)) {
            return *scalarOf(value) + sum - *scalarOf(base);
        }
        const Node* node = producerOf(value);
        if (node == nullptr || node->inputs.size() != 2 ||
            (node->op != "Sub" && node->op != "AddV2" && node->op != "Add")) {
            return std::nullopt;
        }
        const Lowered a = operand(value, *node, 0);
        const auto number = scalarOf(operand(value, *node, 1));
        if (!number) {
            return std::nullopt;
        }
        sum += node->op == "Sub" ? -*number : *number;
        value = a;
    }
    return sum;
}

} // namespace

LoopLowering::LoopLowering(ModelLowering& model, Region& region, NodeId node)
    : m_model(model)
    , m_region(region)
    , m_node(node)
    , m_condition(&region.target)
    , m_body(&region.target)
{
}

Lowered LoopLowering::variableIn(TargetScope& target, std::size_t index, const Lowered& initial)
{
    if (initial.isTensor()) {
        const Value& value = initial.scope->graph.value(initial.value);
        return target.input(fmt::format("{}/{}", value.name, index), value.type);
    }
    if (initial.kind == Lowered::Kind::List && m_isCarried[index]) {
        const TensorType type{initial.list->element, std::nullopt};
        return stackedList(target.input(fmt::format("elements/{}", index), type), sizeOfCarried(index));
    }
    if (initial.kind == Lowered::Kind::List) {
        return listOf({.content = List::Content::Variable,
                       .element = initial.list->element,
                       .size = initial.list->size,
                       .before = initial.list});
    }
    return initial; // handles do not change
}

bool LoopLowering::isInvariant(std::size_t index) const
{
    return m_next[index] == m_inBody[index];
}

/// The value in the enclosing scope that a value of the condition or the body always has; the value itself if there is
/// none.
Lowered LoopLowering::outerOf(const Lowered& inStep) const
{
    for (const Variables* variables : {&m_inCondition, &m_inBody}) {
        const auto at = std::find(variables->begin(), variables->end(), inStep);
        const auto variable = static_cast<std::size_t>(at - variables->begin());
        if (at != variables->end() && isInvariant(variable)) {
            return m_initial[variable];
        }
    }
    return capturedBy(inStep);
}

/// The initial value of a loop variable that increases by 1 in each iteration; absent for other values of the body.
Lowered LoopLowering::startOfCounter(const Lowered& index) const
{
    const auto at = std::find(m_inBody.begin(), m_inBody.end(), index);
    if (at == m_inBody.end() || !index.isTensor()) {
        return {};
    }
    const auto variable = static_cast<std::size_t>(at - m_inBody.begin());
    const Node* next = producerOf(m_next[variable]);
    if (next == nullptr || (next->op != "AddV2" && next->op != "Add")) {
        return {};
    }
    const Lowered a = operand(m_next[variable], *next, 0);
    const Lowered b = operand(m_next[variable], *next, 1);
    const bool grows = (a == index && scalarOf(outerOf(b)) == 1) || (b == index && scalarOf(outerOf(a)) == 1);
    return grows ? m_initial[variable] : Lowered{};
}

/// The largest start of the counters that the condition compares with `size`: the condition holds for that many steps
/// less than `size`. Absent for other conditions.
std::optional<std::int64_t> LoopLowering::unfilled(const Lowered& truth, const Lowered& size) const
{
    const Node* node = producerOf(truth);
    if (node == nullptr || node->inputs.size() != 2) {
        return std::nullopt;
    }
    const Lowered a = operand(truth, *node, 0);
    const Lowered b = operand(truth, *node, 1);
    if (node->op == "LogicalAnd") {
        const auto first = unfilled(a, size);
        const auto second = unfilled(b, size);
        return first && second ? std::max(first, second) : std::nullopt;
    }
    const auto at = std::find(m_inCondition.begin(), m_inCondition.end(), a);
    if (node->op != "Less" || at == m_inCondition.end() || !isSize(outerOf(b), size)) {
        return std::nullopt;
    }
    return scalarOf(startOfCounter(m_inBody[static_cast<std::size_t>(at - m_inCondition.begin())]));
}

/// Whether the loop writes every element of a list that was not written before it.
bool LoopLowering::fills(const Lowered& truth, std::size_t index) const
{
    return unfilled(truth, m_initial[index].list->size) == (beginsWritten(index) ? 1 : 0);
}

/// Whether the only element before the loop is the first one and the loop continues after it, as in tf.scan.
bool LoopLowering::beginsWritten(std::size_t index) const
{
    const List& list = *m_initial[index].list;
    return list.content == List::Content::Written && list.before->content == List::Content::Empty &&
           scalarOf(list.index) == 0 && scalarOf(startOfCounter(m_next[index].list->index)) == 1;
}

/// The loop variable that is the index of a list's element if it decreases by 1 in each iteration.
std::optional<std::size_t> LoopLowering::countdownOf(const Lowered& index) const
{
    const auto at = std::find(m_inBody.begin(), m_inBody.end(), index);
    if (at == m_inBody.end() || !index.isTensor()) {
        return std::nullopt;
    }
    const auto variable = static_cast<std::size_t>(at - m_inBody.begin());
    return difference(m_next[variable], index) == -1 ? std::optional(variable) : std::nullopt;
}

/// Whether the loop ends after the step in which a variable is 0: another limit leaves it at least `size` steps.
bool LoopLowering::runsToZero(const Lowered& truth, std::size_t variable, const Lowered& size) const
{
    const Node* node = producerOf(truth);
    if (node == nullptr || node->inputs.size() != 2) {
        return false;
    }
    const Lowered a = operand(truth, *node, 0);
    const Lowered b = operand(truth, *node, 1);
    const auto isEnough = [&](const Lowered& other) {
        const Node* less = producerOf(other);
        const auto at = less == nullptr || less->op != "Less"
                            ? m_inCondition.end()
                            : std::find(m_inCondition.begin(), m_inCondition.end(), operand(other, *less, 0));
        return at != m_inCondition.end() &&
               scalarOf(startOfCounter(m_inBody[static_cast<std::size_t>(at - m_inCondition.begin())])) == 0 &&
               difference(outerOf(operand(other, *less, 1)), size).value_or(-1) >= 0;
    };
    if (node->op == "LogicalAnd") {
        return (isEnough(a) && runsToZero(b, variable, size)) || (isEnough(b) && runsToZero(a, variable, size));
    }
    return node->op == "GreaterEqual" && a == m_inCondition[variable] && scalarOf(b) == 0;
}

/// Whether the loop writes the elements of a list from the last one, or the one before that if the last one is written
/// before the loop, to the first one.
bool LoopLowering::writesBackwards(const Lowered& truth, std::size_t index) const
{
    const Lowered& next = m_next[index];
    const List& list = *m_initial[index].list;
    if (next.kind != Lowered::Kind::List || next.list->content != List::Content::Written ||
        next.list->before != m_inBody[index].list || !list.size.isTensor()) {
        return false;
    }
    const auto variable = countdownOf(next.list->index);
    const bool isBegun = list.content == List::Content::Written && list.before->content == List::Content::Empty &&
                         difference(list.index, list.size) == -1;
    return variable && (isBegun || list.content == List::Content::Empty) &&
           difference(m_initial[*variable], list.size) == (isBegun ? -2 : -1) &&
           runsToZero(truth, *variable, list.size);
}

/// Whether a step reads elements that earlier steps may have written.
bool LoopLowering::isRead(std::size_t index) const
{
    return m_inBody[index].list->isRead || m_inCondition[index].list->isRead;
}

/// Whether a list can be collected from what the steps write: once in each of them, at an index that counts them, to a
/// list that is empty before the loop but for a first element.
bool LoopLowering::isCollected(const Lowered& truth, std::size_t index) const
{
    const Lowered& next = m_next[index];
    if (writesBackwards(truth, index)) {
        return true;
    }
    const bool isWritten = next.kind == Lowered::Kind::List && next.list->content == List::Content::Written &&
                           next.list->before == m_inBody[index].list;
    if (!isWritten) {
        return false;
    }
    const bool isEmpty = m_initial[index].list->content == List::Content::Empty;
    if (next.list->isAppended) {
        return isEmpty;
    }
    return (startOfCounter(next.list->index).isTensor() || isOnlyElement(next)) && (isEmpty || beginsWritten(index));
}

/// The size of a list that is carried: its number of elements, unless its rows are all of them.
Lowered LoopLowering::sizeOfCarried(std::size_t index) const
{
    return m_isResized[index] ? Lowered{} : m_initial[index].list->size;
}

/// The elements of a list that is carried, as rows: before the loop or after a step.
Lowered LoopLowering::carriedRows(Region& region, std::size_t index, const Lowered& list) const
{
    const bool areAll = m_isResized[index] && list.list->size.isTensor();
    return areAll ? m_model.rows(region, m_node, list) : m_model.givenRows(region, m_node, list);
}

/// Makes those lists variables of the loop whose elements the steps need, or write otherwise than in order. Returns
/// whether the step must be lowered again.
bool LoopLowering::carryLists(const Lowered& truth)
{
    bool areMore = false;
    for (std::size_t i = 0; i < m_initial.size(); ++i) {
        if (!m_isCarried[i] || m_next[i].kind != Lowered::Kind::List) {
            continue;
        }
        for (const List* list = m_next[i].list.get(); list != nullptr; list = list->before.get()) {
            if (list->content == List::Content::Variable) {
                list->isRead = true; // the next elements depend on those of another list
            }
        }
        // A list of another size, from another variable or made in the step, may replace it.
        if (!m_isResized[i] && !(m_next[i].list->size == m_initial[i].list->size)) {
            m_isResized[i] = true;
            areMore = true;
        }
    }
    for (std::size_t i = 0; i < m_initial.size(); ++i) {
        if (m_initial[i].kind == Lowered::Kind::List && !m_isCarried[i] && !isInvariant(i) &&
            (isRead(i) || !isCollected(truth, i))) {
            m_isCarried[i] = true;
            areMore = true;
        }
    }
    return areMore;
}

/// Whether every step writes the only element of a list: Keras keeps the last output this way.
bool LoopLowering::isOnlyElement(const Lowered& written) const
{
    return scalarOf(written.list->index) == 0 && scalarOf(written.list->size) == 1;
}

Lowered LoopLowering::lastRow(const Lowered& rows)
{
    const auto bound = [&](std::int64_t value) { return m_model.intConstant(m_region, m_node, {value}, false); };
    const ElementType element = rows.scope->graph.value(rows.value).type.element;
    std::vector<Attribute> masks{{"end_mask", std::int64_t{1}}};
    for (const char* mask : {"begin_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
        masks.push_back({mask, std::int64_t{0}});
    }
    return m_model
        .emit(m_region, m_node, "StridedSlice", {rows, bound(-1), bound(0), bound(1)}, std::move(masks),
              {TensorType{element, std::nullopt}}, "/last")
        .front();
}

/// The elements of a list after the loop: the rows that the iterations wrote, preceded by the earlier ones.
Lowered LoopLowering::rowsOf(std::size_t index, const Lowered& stacked)
{
    if (m_next[index].list->isAppended) {
        return stacked;
    }
    const Lowered start = startOfCounter(m_next[index].list->index);
    if (!start.isTensor()) { // each iteration wrote the only element
        return lastRow(stacked);
    }
    if (scalarOf(start) == 0) {
        return stacked;
    }
    const ElementType element = stacked.scope->graph.value(stacked.value).type.element;
    if (beginsWritten(index)) {
        return withFirst(index, stacked, true);
    }
    return m_model
        .emit(m_region, m_node, "PrependRows", {stacked, start}, {}, {TensorType{element, std::nullopt}}, "/elements")
        .front();
}

/// Rows preceded, or else followed, by the element that was written before the loop.
Lowered LoopLowering::withFirst(std::size_t index, const Lowered& rows, bool isBefore)
{
    const ElementType element = rows.scope->graph.value(rows.value).type.element;
    const Lowered zero = m_model.intConstant(m_region, m_node, {0}, true);
    const Lowered first = m_model
                              .emit(m_region, m_node, "ExpandDims", {m_initial[index].list->tensor, zero}, {},
                                    {TensorType{element, std::nullopt}}, "/first")
                              .front();
    return m_model
        .emit(m_region, m_node, "ConcatV2", {isBefore ? first : rows, isBefore ? rows : first, zero},
              {{"N", std::int64_t{2}}}, {TensorType{element, std::nullopt}}, "/elements")
        .front();
}

/// The elements of a list that the loop writes from the last one to the first one.
Lowered LoopLowering::reversedRows(std::size_t index, const Lowered& stacked)
{
    const ElementType element = stacked.scope->graph.value(stacked.value).type.element;
    const Lowered rows =
        m_model
            .emit(m_region, m_node, "ReverseV2", {stacked, m_model.intConstant(m_region, m_node, {0}, false)}, {},
                  {TensorType{element, std::nullopt}}, "/reversed")
            .front();
    return m_initial[index].list->content == List::Content::Written ? withFirst(index, rows, false) : rows;
}

/// The name of a variable's value after the loop: that of the source's output, which a loop of TensorFlow 1 does not
/// have.
std::string LoopLowering::nameAfterLoop(std::size_t index) const
{
    const SourceScope& source = m_region.source;
    const auto& outputs = source.graph.node(m_node).outputs;
    const bool isOutput =
        outputs.size() > 1 || (outputs.size() == 1 && source.flow.frameOf[m_node.index] == Frame::none);
    return isOutput && index < outputs.size() ? source.prefix + source.graph.value(outputs[index]).name
                                              : fmt::format("{}/variable_{}", m_model.nameOf(m_region, m_node), index);
}

/// Lowers the body and the condition, and returns the condition's result.
Lowered LoopLowering::lowerStep(const LoopCondition& condition, const LoopBody& body)
{
    m_inCondition.clear();
    m_inBody.clear();
    for (std::size_t i = 0; i < m_initial.size(); ++i) {
        m_inCondition.push_back(variableIn(m_condition, i, m_initial[i]));
        m_inBody.push_back(variableIn(m_body, i, m_initial[i]));
    }
    m_next = body(m_body, m_inBody);
    assert(m_next.size() == m_initial.size());
    Lowered truth = condition(m_condition, m_inCondition);
    if (!truth.isTensor()) {
        m_model.fail(m_region, m_node, "damaged", "its condition is not a tensor");
    }
    return truth;
}

LoopLowering::Variables LoopLowering::lower(const Variables& initial, const LoopCondition& condition,
                                            const LoopBody& body)
{
    m_initial = initial;
    m_isCarried.assign(initial.size(), false);
    m_isResized.assign(initial.size(), false);
    const std::size_t problems = m_model.m_problems.size();
    Lowered truth = lowerStep(condition, body);
    while (carryLists(truth)) {
        m_model.m_problems.resize(problems);
        m_condition = TargetScope(&m_region.target);
        m_body = TargetScope(&m_region.target);
        truth = lowerStep(condition, body);
    }

    Node node{.op = "While", .name = m_model.nameOf(m_region, m_node)};
    node.origins.push_back(m_model.refOf(m_region, m_node));
    Variables inputs;
    ValueIds results;
    std::vector<ValueType> types;
    std::vector<std::string> names;
    std::vector<std::string> rowNames;
    Ints listVariables;
    Variables rows;
    for (std::size_t i = 0; i < initial.size(); ++i) {
        if (isInvariant(i)) {
            if (initial[i].isTensor()) {
                m_body.captureInput(m_inBody[i].value, initial[i]);
                m_condition.captureInput(m_inCondition[i].value, initial[i]);
            } else if (m_isCarried[i]) {
                const Lowered elements = carriedRows(m_region, i, initial[i]);
                m_body.captureInput(m_inBody[i].list->tensor.value, elements);
                m_condition.captureInput(m_inCondition[i].list->tensor.value, elements);
            }
        } else if (initial[i].isTensor() && m_next[i].isTensor()) {
            inputs.push_back(initial[i]);
            results.push_back(m_body.use(m_next[i]));
            types.emplace_back(TensorType{initial[i].scope->graph.value(initial[i].value).type.element, std::nullopt});
            names.push_back(nameAfterLoop(i));
        } else if (initial[i].kind == Lowered::Kind::List && m_isCarried[i]) {
            if (m_next[i].kind != Lowered::Kind::List) {
                const std::string gap = describeGap(m_next[i]);
                m_model.fail(m_region, m_node, "unsupported-control-flow",
                             gap.empty() ? "its loop changes a TensorArray to a tensor" : "in its body, " + gap);
            }
            Region step{m_region.source, m_body, &m_region};
            listVariables.push_back(static_cast<std::int64_t>(inputs.size()));
            inputs.push_back(carriedRows(m_region, i, initial[i]));
            results.push_back(m_body.use(carriedRows(step, i, m_next[i])));
            types.emplace_back(TensorType{initial[i].list->element, std::nullopt});
            names.push_back(fmt::format("{}/elements_{}", node.name, i));
        } else if (initial[i].kind == Lowered::Kind::List) {
            rows.push_back(m_next[i].list->tensor);
            rowNames.push_back(fmt::format("{}/rows_{}", node.name, i));
        } else {
            m_model.fail(m_region, m_node, "unsupported-control-flow", "its loop changes a resource");
        }
    }
    for (const Lowered& row : rows) {
        results.push_back(m_body.use(row));
        types.emplace_back(TensorType{m_body.graph.value(results.back()).type.element, std::nullopt});
    }
    m_condition.graph.outputs = {m_condition.use(truth)};
    m_body.graph.outputs = results;
    inputs.insert(inputs.end(), m_condition.captures().begin(), m_condition.captures().end());
    inputs.insert(inputs.end(), m_body.captures().begin(), m_body.captures().end());
    Graph& graph = m_region.target.graph;
    node.attributes = {{"cond", addBody(graph, m_condition.graph)},
                       {"body", addBody(graph, m_body.graph)},
                       {"condition_captures", static_cast<std::int64_t>(m_condition.captures().size())},
                       {"stacked_outputs", static_cast<std::int64_t>(rows.size())}};
    if (!listVariables.empty()) {
        node.attributes.push_back({"list_variables", std::move(listVariables)});
    }
    names.insert(names.end(), rowNames.begin(), rowNames.end());
    const Variables made = m_region.target.add(std::move(node), inputs, types, names);

    Variables after;
    std::size_t tensor = 0;
    std::size_t row = types.size() - rows.size();
    for (std::size_t i = 0; i < initial.size(); ++i) {
        if (isInvariant(i)) {
            after.push_back(initial[i]);
        } else if (initial[i].isTensor()) {
            after.push_back(made[tensor++]);
        } else if (m_isCarried[i]) {
            after.push_back(stackedList(made[tensor++], sizeOfCarried(i)));
        } else {
            const bool isBackwards = writesBackwards(truth, i);
            const Lowered elements = isBackwards ? reversedRows(i, made[row]) : rowsOf(i, made[row]);
            ++row;
            // Elements after the last step are zeros.
            const bool isFull = isBackwards || isOnlyElement(m_next[i]) || fills(truth, i);
            after.push_back(stackedList(elements, isFull ? Lowered{} : initial[i].list->size));
        }
    }
    return after;
}

} // namespace crosswalk::tensorflow
