#include "core/formats/tensorflow/lowering/step_recognition.h"

#include "core/formats/tensorflow/lowering/step_weights.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

/// The factors of a product, each with its activation if it has one.
struct Gated {
    Activated gate;
    ValueId other;
};

/// A product of an activated value and another one, in both orders.
std::vector<Gated> gatedProducts(const StepMatcher& step, ValueId value)
{
    std::vector<Gated> found;
    for (const auto& [first, second] : step.products(value)) {
        if (const auto gate = activationOf(step, first)) {
            found.push_back({*gate, second});
        }
    }
    return found;
}

/// f c + i g
struct CellState {
    Activated forget;
    Activated input;
    Activated candidate;
};

std::optional<CellState> cellState(const StepMatcher& step, ValueId nextC, ValueId c)
{
    const auto terms = step.summands(nextC);
    if (terms.size() != 2) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < 2; ++k) {
        for (const Gated& kept : gatedProducts(step, terms[k])) {
            if (kept.other != c) {
                continue;
            }
            for (const Gated& added : gatedProducts(step, terms[1 - k])) {
                const auto candidate = activationOf(step, added.other);
                if (candidate && added.gate.activation == kept.gate.activation) {
                    return CellState{kept.gate, added.gate, *candidate};
                }
            }
        }
    }
    return std::nullopt;
}

/// Takes the product of a cell state and stored weights out of the sum of a gate.
const Tensor* takePeephole(const StepMatcher& step, StepSum& sum, ValueId cell)
{
    for (auto other = sum.others.begin(); other != sum.others.end(); ++other) {
        for (const auto& [state, weights] : step.products(other->whole)) {
            const Tensor* stored = step.stored(weights);
            if (other->count == 1 && state == cell && stored != nullptr) {
                sum.others.erase(other);
                return stored;
            }
        }
    }
    return nullptr;
}

/// The output of a cell behind its projection.
struct Projected {
    ValueId output;
    std::vector<Tensor> weights = {};
    std::optional<StepClip> clip = {};
};

/// [clip](W m), or m itself
Projected projectedOutput(const StepMatcher& step, ValueId value)
{
    const auto clipped = clippedOf(step, value);
    const StepSum sum = sumOf(step, clipped ? clipped->argument : value);
    if (sum.products.size() != 1 || !sum.biases.empty() || !sum.others.empty() || sum.number != 0 ||
        sum.products[0].weights.count != 1) {
        return {value};
    }
    return {sum.products[0].operand,
            {*step.stored(sum.products[0].weights.whole)},
            clipped ? std::optional(clipped->clip) : std::nullopt};
}

} // namespace

void StepDifference::note(int atDepth, ValueId at, std::string_view whatIsExpected)
{
    if (atDepth > depth) {
        depth = atDepth;
        value = at;
        expected = whatIsExpected;
    }
}

std::optional<StepWeights> matchLstm(const StepMatcher& step, const StepStates& states, StepDifference& difference)
{
    const auto clipped = clippedOf(step, states.nextC);
    const auto cell = cellState(step, clipped ? clipped->argument : states.nextC, states.c);
    if (!cell) {
        difference.note(1, states.nextC, "f c + i g, the new cell state of an LSTM");
        return std::nullopt;
    }
    // h' = o tanh(c'), which may be projected
    const Projected projected = projectedOutput(step, states.nextH);
    std::optional<Activated> output;
    std::optional<Activated> squashed;
    for (const Gated& product : gatedProducts(step, projected.output)) {
        const auto inner = activationOf(step, product.other);
        if (inner && inner->argument == states.nextC && product.gate.activation == cell->forget.activation) {
            output = product.gate;
            squashed = inner;
        }
    }
    if (!output) {
        difference.note(2, states.nextH, "o tanh(c), the new output of an LSTM");
        return std::nullopt;
    }
    const std::array arguments{cell->input.argument, cell->forget.argument, cell->candidate.argument, output->argument};
    std::vector<GateSum> gates;
    std::array<const Tensor*, 4> peepholes{};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        GateSum gate{"ifco"[i], sumOf(step, arguments[i]), arguments[i]};
        peepholes[i] = takePeephole(step, gate.sum, i == 3 ? states.nextC : states.c);
        gates.push_back(std::move(gate));
    }
    StepWeights weights{.kind = "lstm", .projection = projected.weights, .projectionClip = projected.clip};
    if (clipped) {
        weights.cellClip = clipped->clip;
    }
    if (peepholes[2] != nullptr || !assemble(step, gates, states.h, weights, difference)) {
        return std::nullopt;
    }
    if (std::any_of(peepholes.begin(), peepholes.end(), [](const Tensor* each) { return each != nullptr; })) {
        for (const std::size_t i : {0U, 3U, 1U}) { // of i, o and f
            const Tensor* each = peepholes[i];
            if (each != nullptr && each->elements() != weights.hidden) {
                return std::nullopt;
            }
            weights.peepholes.push_back(each != nullptr
                                            ? each->reshaped({weights.hidden})
                                            : Tensor::filled(weights.recurrent[0].type(), {weights.hidden}, 0));
        }
    }
    if (!weights.projection.empty() && weights.projection[0].dims()[0] != weights.hidden) {
        return std::nullopt;
    }
    weights.activations = {cell->forget.activation, cell->candidate.activation, squashed->activation};
    return weights;
}

namespace {

/// A gate of a GRU, whose activation is before or after the split.
std::optional<std::pair<StepActivation, StepSum>> gruGate(const StepMatcher& step, ValueId value)
{
    if (const auto activated = activationOf(step, value)) {
        return std::pair{activated->activation, sumOf(step, activated->argument)};
    }
    const auto part = step.part(value);
    const auto whole = part ? activationOf(step, part->whole) : std::nullopt;
    return whole ? std::optional(std::pair{whole->activation, partOf(sumOf(step, whole->argument), *part)})
                 : std::nullopt;
}

struct NewState {
    ValueId update;
    Activated candidate;
};

/// z h + (1 - z) c
std::optional<NewState> newState(const StepMatcher& step, ValueId nextH, ValueId h)
{
    const auto terms = step.summands(nextH);
    for (std::size_t k = 0; terms.size() == 2 && k < 2; ++k) {
        for (const auto& [z, kept] : step.products(terms[k])) {
            for (const auto& [rest, added] : step.products(terms[1 - k])) {
                const Node* complement = step.node(rest, "Sub");
                const auto candidate = activationOf(step, added);
                if (kept == h && complement != nullptr && complement->inputs.size() == 2 &&
                    complement->inputs[1] == z && step.number(complement->inputs[0]) == 1.0 && candidate) {
                    return NewState{z, *candidate};
                }
            }
        }
    }
    return std::nullopt;
}

/// The product of the reset gate and the state: the recurrent operand of the candidate.
struct Reset {
    ValueId gate;
    ValueId product;
    ValueId inner; ///< the sum that the gate multiplies, if that is not the state
};

/// Resets before the product with the recurrent weights.
std::vector<Reset> resetsBefore(const StepMatcher& step, ValueId h)
{
    std::vector<Reset> found;
    for (std::uint32_t i = 0; i < step.body().valueCount(); ++i) {
        for (const auto& [r, state] : step.products(ValueId{i})) {
            if (state == h) {
                found.push_back({r, ValueId{i}, {}});
            }
        }
    }
    return found;
}

} // namespace

std::optional<StepWeights> matchGru(const StepMatcher& step, const StepStates& states, StepDifference& difference)
{
    const auto state = newState(step, states.nextH, states.h);
    if (!state) {
        difference.note(1, states.nextH, "z h + (1 - z) c, the new state of a GRU");
        return std::nullopt;
    }
    const auto update = gruGate(step, state->update);
    if (!update) {
        difference.note(2, state->update, "the update gate of a GRU");
        return std::nullopt;
    }
    const StepSum candidate = sumOf(step, state->candidate.argument);
    std::vector<Reset> resets = resetsBefore(step, states.h);
    for (const StepMatcher::Part& other : candidate.others) {
        for (const auto& [r, inner] : step.products(other.whole)) {
            if (other.count == 1) {
                resets.push_back({r, other.whole, inner});
            }
        }
    }
    for (const Reset& each : resets) {
        const auto reset = gruGate(step, each.gate);
        if (!reset || reset->first != update->first) {
            continue;
        }
        std::vector<GateSum> gates{{'z', update->second, state->update}, {'r', reset->second, each.gate}};
        GateSum newer{'h', candidate, state->candidate.argument};
        if (each.inner) {
            std::erase_if(newer.sum.others, [&](const auto& other) { return other.whole == each.product; });
            newer.inner = sumOf(step, each.inner);
        } else {
            newer.state = each.product;
        }
        gates.push_back(std::move(newer));
        StepWeights weights{.kind = "gru", .resetAfter = static_cast<bool>(each.inner)};
        if (assemble(step, gates, states.h, weights, difference)) {
            weights.activations = {update->first, state->candidate.activation};
            return weights;
        }
    }
    difference.note(3, state->candidate.argument, "W x + R (r h) + b or W x + r (R h + b), the candidate of a GRU");
    return std::nullopt;
}

std::optional<StepWeights> matchRnn(const StepMatcher& step, const StepStates& states, StepDifference& difference)
{
    const auto activated = activationOf(step, states.nextH);
    if (!activated) {
        return std::nullopt;
    }
    StepWeights weights{.kind = "rnn"};
    GateSum gate{'h', sumOf(step, activated->argument), activated->argument};
    if (!assemble(step, {gate}, states.h, weights, difference)) {
        return std::nullopt;
    }
    weights.gateOrder.clear();
    weights.activations = {activated->activation};
    return weights;
}

} // namespace crosswalk::tensorflow
