// Branches: Switch and Merge of TensorFlow 1, and the `If` that represents every branch.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"

#include <algorithm>

namespace crosswalk::tensorflow {

/// The outputs of a node that ends or begins a branch of TensorFlow 1; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::branchNode(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    if (node.op == "Merge" && node.inputs.size() == 2) {
        return mergedBranch(region, id);
    }
    if (node.op == "Switch" && region.isBranch) {
        const Lowered data = get(*region.parent, node.inputs[0]);
        return std::vector{data, data};
    }
    return std::nullopt;
}

/// The outputs of the Merge of a branch of TensorFlow 1: output 0 the value, output 1 the index of the selected input.
std::vector<Lowered> ModelLowering::mergedBranch(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    const auto& branches = region.source.flow.branches;
    const auto& first = branches[node.inputs[0].index];
    const auto& second = branches[node.inputs[1].index];
    const auto split = std::find_if(first.begin(), first.end(), [&](const ControlFlow::Branch& each) {
        return std::binary_search(second.begin(), second.end(), ControlFlow::Branch{each.predicate, !each.side});
    });
    if (split == first.end()) {
        fail(region, id, "unsupported-control-flow", "its inputs are not the two branches of one Switch");
    }
    const Lowered condition = get(region, split->predicate);
    if (!condition.isTensor()) {
        fail(region, id, "damaged", "its condition is not a tensor");
    }
    noteBranch(region, id, split->predicate);
    return branch(region, id, condition, [&](TargetScope& target, bool side) {
        const std::size_t taken = split->side == side ? 0 : 1;
        Region inner{region.source, target, &region};
        inner.branch = {split->predicate, side};
        inner.isBranch = true;
        std::vector<Lowered> results{get(inner, node.inputs[taken])};
        results.push_back(
            target.constant(nameOf(region, id), Tensor::scalar(ElementType::Int32, static_cast<double>(taken))));
        return results;
    });
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

std::vector<Lowered>
ModelLowering::branch(Region& region, NodeId id, const Lowered& condition,
                      const std::function<std::vector<Lowered>(TargetScope&, bool side)>& lowerSide)
{
    std::vector<Lowered> inputs{condition};
    std::vector<Attribute> attributes;
    std::vector<ValueType> types;
    for (const bool side : {true, false}) {
        TargetScope target(&region.target);
        for (const Lowered& result : lowerSide(target, side)) {
            if (!result.isTensor()) {
                fail(region, id, "unsupported-control-flow", "a branch returns a value that is not a tensor");
            }
            const ValueId value = target.use(result);
            target.graph.outputs.push_back(value);
            if (side) {
                types.emplace_back(TensorType{target.graph.value(value).type.element, std::nullopt});
            }
        }
        if (target.graph.outputs.size() != types.size()) {
            fail(region, id, "damaged", "its branches return different numbers of values");
        }
        if (side) {
            attributes.push_back({"then_captures", static_cast<std::int64_t>(target.captures().size())});
        }
        inputs.insert(inputs.end(), target.captures().begin(), target.captures().end());
        attributes.push_back({side ? "then_branch" : "else_branch", addBody(region.target.graph, target.graph)});
    }
    return emit(region, id, "If", inputs, std::move(attributes), types);
}

} // namespace crosswalk::tensorflow
