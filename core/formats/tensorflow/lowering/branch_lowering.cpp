// Branches: Switch and Merge of TensorFlow 1, and the `If` that represents every branch.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/identities.h"
#include "core/formats/tensorflow/lowering/lists.h"
#include "core/formats/tensorflow/lowering/masked_branches.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <utility>

namespace crosswalk::tensorflow {
namespace {

/// For each input of a Merge the output of one _SwitchN that it depends on; nothing if it ends another branch.
std::optional<ControlFlow::Context> sidesOfCase(const ControlFlow& flow, const Node& merge)
{
    const auto branchesOf = [&](ValueId input) { return input ? flow.branches[input.index] : ControlFlow::Context(); };
    for (const ControlFlow::Branch& first : branchesOf(merge.inputs[0])) {
        if (!first.isIndex) {
            continue;
        }
        ControlFlow::Context sides;
        std::set<std::uint32_t> numbers;
        for (const ValueId input : merge.inputs) {
            const auto own = branchesOf(input);
            const auto side = std::ranges::find(own, first.predicate, &ControlFlow::Branch::predicate);
            if (side == own.end() || !numbers.insert(side->side).second) {
                break;
            }
            sides.push_back(*side);
        }
        if (sides.size() == merge.inputs.size()) {
            return sides;
        }
    }
    return std::nullopt;
}

/// The condition or index of the branch that a Merge ends; invalid if it ends none.
ValueId predicateOf(const ControlFlow& flow, const Node& merge)
{
    if (const auto sides = sidesOfCase(flow, merge)) {
        return sides->front().predicate;
    }
    const auto split = merge.inputs.size() == 2 ? conditionOf(flow, merge) : std::nullopt;
    return split ? split->predicate : ValueId{};
}

/// Whether a value of one side can be read outside of it.
bool isOutside(const Lowered& value, const TargetScope& target)
{
    const TargetScope* scope = &target;
    while (scope != nullptr && scope != value.scope) {
        scope = scope->parent();
    }
    return scope != nullptr;
}

/// The writes that lead from a list to another, the last one first; nothing if they do not.
std::optional<std::vector<const List*>> writesSince(const List* before, const List* list)
{
    std::vector<const List*> writes;
    for (; list != before; list = list->before.get()) {
        if (list == nullptr || list->content != List::Content::Written) {
            return std::nullopt;
        }
        writes.push_back(list);
    }
    return writes;
}

/// The list that both sides write the same elements of, and the writes of each, the last one first.
struct SameWrites {
    std::shared_ptr<const List> before;
    Lowered thenList; ///< owns the writes
    Lowered elseList;
    std::vector<const List*> onThen;
    std::vector<const List*> onElse;
};

std::optional<SameWrites> sameWrites(const Lowered& onThen, const Lowered& onElse)
{
    std::set<const List*> ofElse;
    for (const List* list = onElse.list.get(); list != nullptr; list = list->before.get()) {
        ofElse.insert(list);
    }
    std::shared_ptr<const List> before = onThen.list;
    while (before != nullptr && !ofElse.contains(before.get())) {
        before = before->before;
    }
    if (before == nullptr) {
        return std::nullopt;
    }
    const auto first = writesSince(before.get(), onThen.list.get());
    const auto second = writesSince(before.get(), onElse.list.get());
    const auto isSame = [](const List* a, const List* b) {
        return a->isAppended == b->isAppended &&
               (a->isAppended || a->index == b->index || (a->position && a->position == b->position));
    };
    if (!first || !second || !std::ranges::equal(*first, *second, isSame)) {
        return std::nullopt;
    }
    return SameWrites{before, onThen, onElse, *first, *second};
}

/// Results of branches of which some are lists: as tensors, which an `If` returns, and back.
class ListResults {
public:
    using Rows = std::function<Lowered(bool side, const Lowered& list, bool areAll)>;
    using Index = std::function<Lowered(const Lowered& index)>;

    /// Replaces lists among the results by tensors. `rows` makes the rows of a list on a side: those given, or all up
    /// to its size.
    void toTensors(std::vector<Lowered>& onThen, std::vector<Lowered>& onElse, const TargetScope& around,
                   const Rows& rows)
    {
        std::vector<Lowered> thenTensors;
        std::vector<Lowered> elseTensors;
        for (std::size_t i = 0; i < onThen.size(); ++i) {
            const bool areLists = onThen[i].kind == Lowered::Kind::List && onElse[i].kind == Lowered::Kind::List;
            Form form;
            if (areLists) {
                form.same = sameWrites(onThen[i], onElse[i]);
                const auto isReadable = [&](const List* write) {
                    return write->isAppended || write->position || isOutside(write->index, around);
                };
                if (form.same && !std::ranges::all_of(form.same->onThen, isReadable)) {
                    form.same.reset();
                }
                form.isRows = !form.same;
                const Lowered& size = onThen[i].list->size;
                if (size == onElse[i].list->size && (!size.isTensor() || isOutside(size, around))) {
                    form.size = size;
                } else {
                    form.areAll = true;
                }
            }
            if (form.same) {
                for (std::size_t k = 0; k < form.same->onThen.size(); ++k) {
                    thenTensors.push_back(form.same->onThen[k]->tensor);
                    elseTensors.push_back(form.same->onElse[k]->tensor);
                }
            } else {
                if (form.isRows) {
                    m_rows.push_back(static_cast<std::int64_t>(thenTensors.size()));
                }
                thenTensors.push_back(form.isRows ? rows(true, onThen[i], form.areAll) : onThen[i]);
                elseTensors.push_back(form.isRows ? rows(false, onElse[i], form.areAll) : onElse[i]);
            }
            m_forms.push_back(std::move(form));
        }
        onThen = std::move(thenTensors);
        onElse = std::move(elseTensors);
    }

    /// The outputs of the `If` that are rows of lists.
    const Ints& rowOutputs() const { return m_rows; }

    /// The results, from the outputs of the `If`. `constantIndex` makes a stored index in the graph around it.
    std::vector<Lowered> fromTensors(const std::vector<Lowered>& outputs, const Index& constantIndex) const
    {
        std::vector<Lowered> results;
        std::size_t next = 0;
        for (const Form& form : m_forms) {
            if (!form.same) {
                const Lowered& output = outputs[next++];
                results.push_back(form.isRows ? stackedList(output, form.size) : output);
                continue;
            }
            Lowered list{.kind = Lowered::Kind::List, .list = form.same->before};
            const std::size_t count = form.same->onThen.size();
            for (std::size_t k = count; k-- > 0;) { // from the first write on
                const List& write = *form.same->onThen[k];
                list = write.isAppended ? appended(list, outputs[next + k])
                                        : written(list, constantIndex(write.index), outputs[next + k]);
            }
            next += count;
            results.push_back(list);
        }
        return results;
    }

private:
    struct Form {
        std::optional<SameWrites> same;
        bool isRows = false;
        bool areAll = false; ///< whether the rows are extended to the size of the list, because the sizes differ
        Lowered size = {};   ///< of the list, if its size is the same on both sides
    };
    std::vector<Form> m_forms; ///< by result
    Ints m_rows;
};

} // namespace

/// The outputs of a node that ends or begins a branch of TensorFlow 1; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::branchNode(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    if (node.op == "Merge" && !node.inputs.empty()) {
        if (const auto sides = sidesOfCase(region.source.flow, node)) {
            return mergedCase(region, id, *sides);
        }
        if (node.inputs.size() == 2) {
            return mergedBranch(region, id);
        }
    }
    if (node.op == "_SwitchN" && region.isBranch && node.inputs.size() == 2) {
        return std::vector(node.outputs.size(), get(*region.parent, node.inputs[0]));
    }
    const auto isIgnored = [&] {
        return node.inputs.size() == 2 &&
               region.source.ignoredPredicates.contains(behindIdentities(region.source.graph, node.inputs[1]));
    };
    if ((node.op == "Switch" || node.op == "RefSwitch") && (region.isBranch || isIgnored())) {
        const Lowered data = isIgnored() ? get(region, node.inputs[0]) : get(*region.parent, node.inputs[0]);
        return std::vector{data, data};
    }
    return std::nullopt;
}

/// The outputs of the Merge of a branch of TensorFlow 1: output 0 the value, output 1 the index of the selected input.
std::vector<Lowered> ModelLowering::mergedBranch(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    const auto split = conditionOf(region.source.flow, node);
    if (!split) {
        fail(region, id, "unsupported-control-flow", "its inputs are not the two branches of one Switch");
    }
    if (const auto masked = maskedBranch(region, id)) {
        return {*masked};
    }
    const Lowered condition = get(region, split->predicate);
    if (!condition.isTensor()) {
        fail(region, id, "damaged", "its condition is not a tensor");
    }
    noteBranch(region, id, split->predicate);
    const std::vector<NodeId> merges = mergesWith(region, id, split->predicate);
    std::vector<Lowered> results = branch(region, id, condition, [&](TargetScope& target, bool side) {
        Region inner{region.source, target, &region};
        inner.branch = {split->predicate, side ? 1U : 0U};
        inner.isBranch = true;
        std::vector<std::size_t> taken;
        taken.reserve(merges.size());
        for (const NodeId merge : merges) {
            taken.push_back((conditionOf(region.source.flow, region.source.graph.node(merge))->side == 1) == side ? 0
                                                                                                                  : 1);
        }
        return lowerSide(inner, merges, taken);
    });
    return outputsOf(region, merges, std::move(results));
}

/// The Merge nodes that end the same branch as `id`, that node first. Where a side writes variables, they are lowered
/// together, so that it writes once, between its reads.
std::vector<NodeId> ModelLowering::mergesWith(Region& region, NodeId id, ValueId predicate) const
{
    const SourceScope& source = region.source;
    const ControlFlow& flow = source.flow;
    std::vector<NodeId> merges{id};
    if (source.writers.empty()) {
        return merges;
    }
    std::vector<std::vector<bool>> needed{neededInIteration(source.graph, id)};
    const auto isInBranch = [&](NodeId writer) {
        return !region.whole().ran.contains(writer) &&
               std::ranges::any_of(flow.contextOf[writer.index],
                                   [&](const ControlFlow::Branch& branch) { return branch.predicate == predicate; });
    };
    if (std::ranges::none_of(m_writers.writersAmong(source.graph, needed.front()), isInBranch)) {
        return merges;
    }
    const Node& first = source.graph.node(id);
    const bool isCase = sidesOfCase(flow, first).has_value();
    for (const NodeId join : source.joins) {
        const Node& node = source.graph.node(join);
        if (join == id || node.op != "Merge" || node.outputs.empty() || node.inputs.size() != first.inputs.size() ||
            sidesOfCase(flow, node).has_value() != isCase || flow.frameOf[join.index] != flow.frameOf[id.index] ||
            flow.contextOf[join.index] != flow.contextOf[id.index] || predicateOf(flow, node) != predicate ||
            region.values.contains(node.outputs[0]) || isFed(region, node.outputs[0])) {
            continue;
        }
        // Another branch on the same condition runs before or after this one.
        std::vector<bool> own = neededInIteration(source.graph, join);
        bool isOrdered = false;
        for (std::size_t i = 0; i < merges.size(); ++i) {
            isOrdered = isOrdered || own[merges[i].index] || needed[i][join.index];
        }
        if (!isOrdered) {
            merges.push_back(join);
            needed.push_back(std::move(own));
        }
    }
    return merges;
}

/// The two outputs of each Merge on one side of a branch; `taken` has the input of each that the side computes.
std::vector<Lowered> ModelLowering::lowerSide(Region& side, const std::vector<NodeId>& merges,
                                              const std::vector<std::size_t>& taken)
{
    ValueIds inputs;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        inputs.push_back(side.source.graph.node(merges[i]).inputs[taken[i]]);
    }
    runBranch(side, merges.front(), inputs);
    std::vector<Lowered> results;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        results.push_back(get(side, inputs[i]));
        results.push_back(side.target.constant(nameOf(side, merges[i]),
                                               Tensor::scalar(ElementType::Int32, static_cast<double>(taken[i]))));
    }
    return results;
}

/// The outputs of the first Merge, from those of all. Keeps those of the others for what reads them.
std::vector<Lowered> ModelLowering::outputsOf(Region& region, const std::vector<NodeId>& merges,
                                              std::vector<Lowered> results)
{
    for (std::size_t i = 1; i < merges.size(); ++i) {
        const ValueIds& outputs = region.source.graph.node(merges[i]).outputs;
        for (std::size_t k = 0; k < outputs.size() && k < 2; ++k) {
            region.values[outputs[k]] = results[2 * i + k];
        }
    }
    results.resize(2);
    return results;
}

/// The outputs of the Merge of a case: nested branches on the index. Every other index selects the last side.
std::vector<Lowered> ModelLowering::mergedCase(Region& region, NodeId id, const ControlFlow::Context& sides)
{
    const Node& node = region.source.graph.node(id);
    const ValueId predicate = sides.front().predicate;
    const Lowered index = get(region, predicate);
    if (!index.isTensor()) {
        fail(region, id, "damaged", "its index is not a tensor");
    }
    noteBranch(region, id, predicate);
    std::vector<std::size_t> order(sides.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t input) { return sides[input].side; });
    const std::vector<NodeId> merges = mergesWith(region, id, predicate);
    const auto selected = [&](Region& around, TargetScope& target, std::size_t input) {
        Region inner{region.source, target, &around};
        inner.branch = sides[input];
        inner.isBranch = true;
        std::vector<std::size_t> taken;
        for (const NodeId merge : merges) {
            const auto others = sidesOfCase(region.source.flow, region.source.graph.node(merge));
            const auto at = std::ranges::find(*others, sides[input].side, &ControlFlow::Branch::side);
            if (at == others->end()) {
                fail(region, merge, "unsupported-control-flow",
                     "it ends other sides of a case than the Merge " + node.name);
            }
            taken.push_back(static_cast<std::size_t>(at - others->begin()));
        }
        return lowerSide(inner, merges, taken);
    };
    const std::function<std::vector<Lowered>(Region&, std::size_t)> select = [&](Region& around, std::size_t first) {
        const auto number = Tensor::scalar(ElementType::Int32, static_cast<double>(sides[order[first]].side));
        const auto isFirst = emit(around, id, "Equal", {index, around.target.constant(nameOf(region, id), number)}, {},
                                  {TensorType{ElementType::Bool, Shape{}}}, fmt::format("/is{}", first));
        return branch(around, id, isFirst.front(), [&](TargetScope& target, bool side) {
            if (side || first + 2 == order.size()) {
                return selected(around, target, order[side ? first : first + 1]);
            }
            Region others{region.source, target, &around};
            others.isBranch = true; // of no side: what it reads is computed around it
            return select(others, first + 1);
        });
    };
    if (order.size() == 1) {
        return outputsOf(region, merges, selected(region, region.target, 0));
    }
    return outputsOf(region, merges, select(region, 0));
}

/// The value of a Merge that is the same whichever branch runs: it is computed without a branch, where nothing is
/// written to variables and nothing reads which branch ran.
std::optional<Lowered> ModelLowering::maskedBranch(Region& region, NodeId id)
{
    SourceScope& source = region.source;
    const auto masked = m_writers.any() ? std::nullopt : maskedBranchOf(source.graph, source.flow, id);
    if (!masked) {
        return std::nullopt;
    }
    if (!source.readValues) {
        source.readValues.emplace();
        for (const Node& node : source.graph.nodes()) {
            source.readValues->insert(node.inputs.begin(), node.inputs.end());
        }
        source.readValues->insert(source.graph.outputs.begin(), source.graph.outputs.end());
    }
    const ValueIds& outputs = source.graph.node(id).outputs;
    if (outputs.size() > 1 && source.readValues->contains(outputs[1])) {
        return std::nullopt;
    }
    source.ignoredPredicates.insert(masked->predicates.begin(), masked->predicates.end());
    return get(region, masked->value);
}

/// Lowers the nodes of a side of a branch in their order if some of them write variables. `results` are the side's
/// inputs of Merge nodes.
void ModelLowering::runBranch(Region& side, NodeId merge, const ValueIds& results)
{
    const SourceScope& source = side.source;
    if (source.writers.empty()) {
        return;
    }
    std::vector<NodeId> ends;
    for (const ValueId result : results) {
        ends.push_back(source.graph.value(result).producer);
    }
    ControlFlow::Context context = source.flow.contextOf[merge.index];
    context.insert(std::lower_bound(context.begin(), context.end(), side.branch), side.branch);
    std::vector<NodeId> writers = m_writers.writersAmong(source.graph, neededNodes(source.graph, ends));
    std::erase_if(writers, [&](NodeId writer) {
        return source.flow.contextOf[writer.index] != context || side.whole().ran.contains(writer);
    });
    if (writers.empty()) {
        return;
    }
    ends.insert(ends.end(), source.joins.begin(), source.joins.end());
    ends.insert(ends.end(), writers.begin(), writers.end());
    lowerNodes(side, neededNodes(source.graph, ends, Edges::Values), writers,
               [&](const ControlFlow::Context& other) { return other == context; });
}

/// The nodes on both sides of the outermost branches of the model's graph belong to the translation of their Merge.
void ModelLowering::noteBranch(const Region& region, NodeId merge, ValueId predicate)
{
    if (!region.source.path.empty() || region.parent != nullptr) {
        return;
    }
    for (std::uint32_t value = 0; value < region.source.graph.valueCount(); ++value) {
        const auto& branches = region.source.flow.branches[value];
        const NodeId producer = region.source.graph.value(ValueId{value}).producer;
        if (producer && std::any_of(branches.begin(), branches.end(),
                                    [&](const ControlFlow::Branch& branch) { return branch.predicate == predicate; })) {
            m_merged.try_emplace(producer, merge);
        }
    }
}

/// `lowerSide` lowers one side and returns its results. Variables that a side writes are further results of both.
std::vector<Lowered>
ModelLowering::branch(Region& region, NodeId id, const Lowered& condition,
                      const std::function<std::vector<Lowered>(TargetScope&, bool side)>& lowerSide)
{
    const Written before = m_written;
    const RestoreOnError restore(m_written, before);
    TargetScope thenScope(&region.target);
    std::vector<Lowered> thenResults = lowerSide(thenScope, true);
    const Written afterThen = std::exchange(m_written, before);
    TargetScope elseScope(&region.target);
    std::vector<Lowered> elseResults = lowerSide(elseScope, false);
    const Written afterElse = std::exchange(m_written, before);
    if (thenResults.size() != elseResults.size()) {
        fail(region, id, "damaged", "its branches return different numbers of values");
    }
    for (std::size_t i = 0; i < thenResults.size(); ++i) {
        if ((thenResults[i].kind == Lowered::Kind::List) != (elseResults[i].kind == Lowered::Kind::List)) {
            const std::string gap = describeGap(thenResults[i]) + describeGap(elseResults[i]);
            fail(region, id, "unsupported-control-flow",
                 gap.empty() ? "one of its branches returns a list, and the other one does not"
                             : "in one of its branches, " + gap);
        }
    }
    ListResults lists;
    lists.toTensors(thenResults, elseResults, region.target, [&](bool side, const Lowered& list, bool areAll) {
        Region inner{region.source, side ? thenScope : elseScope, &region};
        return areAll && list.list->size.isTensor() ? rows(inner, id, list) : givenRows(inner, id, list);
    });
    const std::size_t results = thenResults.size();
    const std::vector<NodeRef> written = addWritten(before, {{&afterThen, &thenResults}, {&afterElse, &elseResults}});

    std::vector<Lowered> inputs{condition};
    std::vector<Attribute> attributes;
    std::vector<ValueType> types;
    const auto addSide = [&](TargetScope& target, const std::vector<Lowered>& values, const char* attribute) {
        for (const Lowered& value : values) {
            if (!value.isTensor()) {
                fail(region, id, "unsupported-control-flow", "a branch returns a value that is not a tensor");
            }
            target.graph.outputs.push_back(target.use(value));
        }
        inputs.insert(inputs.end(), target.captures().begin(), target.captures().end());
        attributes.push_back({attribute, addBody(region.target.graph, target.graph)});
    };
    addSide(thenScope, thenResults, "then_branch");
    attributes.insert(attributes.begin(), {"then_captures", static_cast<std::int64_t>(thenScope.captures().size())});
    addSide(elseScope, elseResults, "else_branch");
    for (const ValueId output : thenScope.graph.outputs) {
        types.emplace_back(TensorType{thenScope.graph.value(output).type.element, std::nullopt});
    }
    if (!lists.rowOutputs().empty()) {
        attributes.push_back({"list_outputs", lists.rowOutputs()});
    }
    std::vector<Lowered> outputs = emit(region, id, "If", inputs, std::move(attributes), types);
    for (std::size_t i = 0; i < written.size(); ++i) {
        m_written[written[i]] = outputs[results + i];
    }
    outputs.resize(results);
    return lists.fromTensors(outputs, [&](const Lowered& index) {
        const auto number = scalarOf(index);
        return number ? intConstant(region, id, {*number}, true) : index;
    });
}

/// Appends the content of each variable that one of the sides wrote to the results of both. Returns the variables.
std::vector<NodeRef>
ModelLowering::addWritten(const Written& before,
                          std::initializer_list<std::pair<const Written*, std::vector<Lowered>*>> sides)
{
    std::set<NodeRef> variables;
    for (const auto& [after, results] : sides) {
        m_written = *after;
        const std::vector<NodeRef> changed = changedSince(before);
        variables.insert(changed.begin(), changed.end());
    }
    for (const auto& [after, results] : sides) {
        m_written = *after;
        for (const NodeRef& variable : variables) {
            results->push_back(contentOf(variable));
        }
    }
    m_written = before;
    return {variables.begin(), variables.end()};
}

} // namespace crosswalk::tensorflow
