#include "core/formats/tensorflow/lowering/step_weights.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

struct Gate {
    char letter;
    SumOperands operands = {};
    std::vector<Block> biases = {};
    double number = 0;
    std::vector<Block> recurrentBiases = {};
    double recurrentNumber = 0;
};

/// One after the other, the blocks of all gates; blocks that make up a whole are not cut.
template <typename T, typename BlockOf>
std::vector<Tensor> joinedBlocks(const StepMatcher& step, const std::vector<T>& parts, BlockOf blockOf)
{
    std::vector<Tensor> joined;
    for (std::size_t i = 0; i < parts.size();) {
        const Block first = blockOf(parts[i]);
        std::size_t length = 0;
        while (i + length < parts.size() && blockOf(parts[i + length]) == Block{first.whole, length, first.count}) {
            ++length;
        }
        T part = parts[i];
        if (length == first.count) {
            blockOf(part) = Block{first.whole};
        }
        joined.push_back(contentOf(step, part));
        i += std::max<std::size_t>(length == first.count ? length : 1, 1);
    }
    return joined;
}

std::vector<Tensor> joinedRows(const StepMatcher& step, const std::vector<BlockRows>& parts)
{
    return joinedBlocks(
        step, parts, [](auto& part) -> auto& { return part.block; });
}

/// The sum of vectors and a number.
Tensor summed(const StepMatcher& step, const std::vector<Block>& biases, double number, ElementType type,
              std::int64_t width)
{
    std::vector<double> total(static_cast<std::size_t>(width), number);
    for (const Block& bias : biases) {
        const std::vector<double> values = contentOf(step, bias).toDoubles();
        std::transform(values.begin(), values.end(), total.begin(), total.begin(), std::plus<>());
    }
    return Tensor::of<double>(ElementType::Float64, {width}, total).converted(type);
}

/// The biases of all gates; empty if they are zero.
std::vector<Tensor> biasesOf(const StepMatcher& step, const std::vector<Gate>& gates, StepWeights& weights)
{
    const ElementType type = weights.recurrent[0].type();
    const bool isPlain = std::all_of(gates.begin(), gates.end(), [](const Gate& gate) {
        return gate.biases.size() == 1 && (gate.number == 0 || gate.letter == 'f');
    });
    const bool hasNone = std::all_of(gates.begin(), gates.end(), [](const Gate& gate) {
        return gate.biases.empty() && (gate.number == 0 || gate.letter == 'f');
    });
    if (isPlain || hasNone) {
        for (const Gate& gate : gates) {
            weights.forgetBias += gate.number;
        }
    }
    if (hasNone) {
        return {};
    }
    if (isPlain) {
        std::vector<Block> blocks;
        std::transform(gates.begin(), gates.end(), std::back_inserter(blocks),
                       [](const Gate& gate) { return gate.biases[0]; });
        return joinedBlocks(
            step, blocks, [](auto& block) -> auto& { return block; });
    }
    std::vector<Tensor> sums;
    sums.reserve(gates.size());
    for (const Gate& gate : gates) {
        sums.push_back(summed(step, gate.biases, gate.number, type, weights.hidden));
    }
    return sums;
}

/// The operands of a gate, with the recurrent weights of its inner sum.
std::optional<Gate> gateOf(const StepMatcher& step, const GateSum& each, ValueId h, std::int64_t stateSize)
{
    Gate gate{.letter = each.letter, .biases = each.sum.biases, .number = each.sum.number};
    const auto outer = operandsOf(step, each.sum, each.state ? each.state : h, stateSize);
    if (!outer) {
        return std::nullopt;
    }
    gate.operands = *outer;
    if (!each.inner) {
        return gate;
    }
    const auto inner = operandsOf(step, *each.inner, h, stateSize);
    if (!inner || inner->input || inner->projected || gate.operands.recurrent || inner->width != outer->width) {
        return std::nullopt;
    }
    gate.operands.recurrent = inner->recurrent;
    gate.recurrentBiases = each.inner->biases;
    gate.recurrentNumber = each.inner->number;
    return gate;
}

/// Whether the gates have the same input and fit the same state.
bool agree(const std::vector<Gate>& gates, std::int64_t stateSize)
{
    const SumOperands& first = gates[0].operands;
    return std::all_of(gates.begin(), gates.end(), [&](const Gate& gate) {
        const SumOperands& each = gate.operands;
        const bool projectsAlike = each.projected.has_value() == first.projected.has_value() &&
                                   (!each.projected || (each.projected->whole == first.projected->whole &&
                                                        each.projected->count == gates.size()));
        return each.recurrent && each.x == first.x && each.width == first.width &&
               each.recurrent->count == (stateSize != 0 ? stateSize : each.width) &&
               each.input.has_value() != each.projected.has_value() && projectsAlike &&
               (!each.input || each.input->count == first.input->count);
    });
}

/// Gates that share a matrix come in the order of its columns.
void sortByColumns(std::vector<Gate>& gates)
{
    std::stable_sort(gates.begin(), gates.end(), [](const Gate& a, const Gate& b) {
        const auto key = [](const Gate& gate) {
            const Block& block = gate.operands.recurrent->block;
            const std::size_t projected = gate.operands.projected ? gate.operands.projected->index : 0;
            return std::tuple(projected, block.whole, block.index);
        };
        return key(a) < key(b);
    });
}

} // namespace

bool assemble(const StepMatcher& step, const std::vector<GateSum>& sums, ValueId h, StepWeights& weights,
              StepDifference& difference)
{
    std::vector<Gate> gates;
    for (const GateSum& each : sums) {
        auto gate = gateOf(step, each, h, weights.projectedSize());
        if (!gate || !gate->operands.recurrent) {
            difference.note(4, each.value, "W x + R h + b with stored weights");
            return false;
        }
        gates.push_back(std::move(*gate));
    }
    if (!agree(gates, weights.projectedSize())) {
        difference.note(5, sums[0].value, "the same input for all gates");
        return false;
    }
    sortByColumns(gates);
    weights.hidden = gates[0].operands.width;
    std::vector<BlockRows> input;
    std::vector<BlockRows> recurrent;
    for (std::size_t i = 0; i < gates.size(); ++i) {
        const SumOperands& operands = gates[i].operands;
        weights.gateOrder += gates[i].letter;
        recurrent.push_back(*operands.recurrent);
        if (operands.input) {
            input.push_back(*operands.input);
        } else if (operands.projected->index != i) {
            return false;
        }
    }
    weights.x = input.empty() ? std::vector{gates[0].operands.projected->whole} : gates[0].operands.x;
    weights.input = joinedRows(step, input);
    weights.recurrent = joinedRows(step, recurrent);
    weights.bias = biasesOf(step, gates, weights);
    if (weights.resetAfter) {
        for (const Gate& gate : gates) {
            weights.recurrentBias.push_back(
                summed(step, gate.recurrentBiases, gate.recurrentNumber, weights.recurrent[0].type(), weights.hidden));
        }
    }
    return true;
}

} // namespace crosswalk::tensorflow
