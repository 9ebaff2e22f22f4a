#include "core/formats/tensorflow/lowering/masked_branches.h"

#include "core/formats/tensorflow/identities.h"
#include "core/formats/tensorflow/lowering/length_tests.h"
#include "core/graph/tensor.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

/// The values of a graph of TensorFlow 1, whichever branches they are in.
class BranchValues {
public:
    BranchValues(const Graph& graph, const ControlFlow& flow)
        : m_graph(graph)
        , m_flow(flow)
    {
    }

    /// The value that a branch reads, behind Switch and Identity nodes.
    ValueId read(ValueId value) const
    {
        for (std::size_t i = 0; i < m_graph.nodeCount(); ++i) { // a damaged file can have cycles
            value = behindIdentities(m_graph, value);
            const Node* made = node(value, "Switch");
            if (made == nullptr || made->inputs.empty()) {
                break;
            }
            value = made->inputs[0];
        }
        return value;
    }

    /// A step and the lengths that a value compares it with.
    struct Test {
        ValueId lengths;
        std::int64_t step = 0;
        bool isPast = true; ///< step >= lengths; false: step < lengths
        bool isOf(const Test& other) const { return lengths == other.lengths && step == other.step; }
    };
    std::optional<Test> test(ValueId value) const
    {
        const auto found = lengthTestOf(
            read(value), [&](ValueId tested, std::string_view op) { return node(tested, op); },
            [&](ValueId operand) { return number(read(operand)).has_value(); });
        const ValueId lengths = found ? read(found->lengths) : ValueId{};
        return lengths && !number(lengths) ? std::optional(Test{lengths, *number(read(found->step)), found->isPast})
                                           : std::nullopt;
    }
    /// The same with the largest or smallest length: `reduction` is "Max" or "Min".
    std::optional<Test> testOfAll(ValueId value, std::string_view reduction) const
    {
        auto found = test(value);
        const Node* reduced = found ? node(found->lengths, reduction) : nullptr;
        if (reduced == nullptr || reduced->inputs.empty()) {
            return std::nullopt;
        }
        found->lengths = read(reduced->inputs[0]);
        return found;
    }

    /// A Merge as a choice by a test of lengths.
    struct Choice {
        ValueId predicate;
        Test test;
        ValueId past;   ///< if the step has reached the length
        ValueId before; ///< otherwise
    };
    std::optional<Choice> choice(ValueId merged, std::string_view reduction) const
    {
        const Node* merge = node(behindIdentities(m_graph, merged), "Merge");
        const auto condition = merge != nullptr ? conditionOf(m_flow, *merge) : std::nullopt;
        const auto found = condition ? testOfAll(condition->predicate, reduction) : std::nullopt;
        if (!found) {
            return std::nullopt;
        }
        const std::size_t past = (condition->side == 1) == found->isPast ? 0 : 1;
        return Choice{condition->predicate, *found, merge->inputs[past], merge->inputs[1 - past]};
    }

    /// A selection by the lengths themselves.
    std::optional<Choice> selection(ValueId value) const
    {
        const Node* select = node(behindIdentities(m_graph, value), "Select");
        const auto found = select != nullptr && select->inputs.size() == 3 ? test(select->inputs[0]) : std::nullopt;
        if (!found) {
            return std::nullopt;
        }
        const std::size_t past = found->isPast ? 1 : 2;
        return Choice{{}, *found, select->inputs[past], select->inputs[3 - past]};
    }

private:
    const Node* node(ValueId value, std::string_view op) const
    {
        const NodeId producer = value ? m_graph.value(value).producer : NodeId{};
        return producer && m_graph.node(producer).op == op ? &m_graph.node(producer) : nullptr;
    }

    std::optional<std::int64_t> number(ValueId value) const
    {
        const Tensor* content = value ? m_graph.tensorOf(value) : nullptr;
        const bool isNumber = content != nullptr && content->elements() == 1 &&
                              (content->type() == ElementType::Int32 || content->type() == ElementType::Int64);
        return isNumber ? std::optional(content->toInts().front()) : std::nullopt;
    }

    const Graph& m_graph;
    const ControlFlow& m_flow;
};

} // namespace

std::optional<ControlFlow::Branch> conditionOf(const ControlFlow& flow, const Node& merge)
{
    if (merge.inputs.size() != 2) {
        return std::nullopt;
    }
    const auto& first = flow.branches[merge.inputs[0].index];
    const auto& second = flow.branches[merge.inputs[1].index];
    const auto split = std::find_if(first.begin(), first.end(), [&](const ControlFlow::Branch& each) {
        return !each.isIndex && std::binary_search(second.begin(), second.end(),
                                                   ControlFlow::Branch{each.predicate, each.side == 0 ? 1U : 0U});
    });
    return split != first.end() ? std::optional(*split) : std::nullopt;
}

std::optional<MaskedBranch> maskedBranchOf(const Graph& graph, const ControlFlow& flow, NodeId merge)
{
    const BranchValues values(graph, flow);
    const auto outer = values.choice(graph.node(merge).outputs.at(0), "Max");
    if (!outer) {
        return std::nullopt;
    }
    MaskedBranch found{outer->before, {outer->predicate}};
    const auto inner = values.choice(outer->before, "Min");
    if (inner) {
        found.value = inner->past;
        found.predicates.push_back(inner->predicate);
    }
    const auto selection = values.selection(found.value);
    const bool isMasked =
        selection && selection->test.isOf(outer->test) && values.read(selection->past) == values.read(outer->past);
    const bool isInner = !inner || (selection && inner->test.isOf(outer->test) &&
                                    values.read(selection->before) == values.read(inner->before));
    return isMasked && isInner ? std::optional(found) : std::nullopt;
}

} // namespace crosswalk::tensorflow
