#include "core/formats/tensorflow/lowering/step_recognition.h"

#include "core/graph/attributes.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

/// x W + h R + b with stored weights.
struct Linear {
    Tensor input;
    Tensor recurrent;
    Tensor bias;
};

/// Rows [first, first + count) of a matrix.
Tensor rowsOf(const Tensor& matrix, std::int64_t first, std::int64_t count)
{
    return matrix.range(first * matrix.dims()[1], {count, matrix.dims()[1]});
}

class LinearMatcher {
public:
    /// `h`: the operand of the recurrent weights, `hidden`: its width.
    LinearMatcher(const StepMatcher& step, ValueId x, ValueId h, std::int64_t hidden)
        : m_step(step)
        , m_x(x)
        , m_h(h)
        , m_hidden(hidden)
    {
    }

    std::optional<Linear> match(ValueId value)
    {
        for (const ValueId summand : m_step.summands(value)) {
            if (!takeProduct(summand) && !takeBias(summand)) {
                return std::nullopt;
            }
        }
        if (!m_input || !m_recurrent || m_input->dims()[1] != m_recurrent->dims()[1]) {
            return std::nullopt;
        }
        const std::int64_t width = m_input->dims()[1];
        if (!m_bias) {
            m_bias = Tensor::filled(m_input->type(), {width}, 0);
        }
        if (m_bias->elements() != width) {
            return std::nullopt;
        }
        return Linear{*m_input, *m_recurrent, m_bias->reshaped({width})};
    }

private:
    bool takeProduct(ValueId summand)
    {
        const Node* product = m_step.node(summand, "MatMul");
        if (product == nullptr || product->inputs.size() != 2 || isTransposed(*product)) {
            return false;
        }
        const Tensor* weights = m_step.stored(product->inputs[1]);
        if (weights == nullptr || weights->rank() != 2) {
            return false;
        }
        const ValueId from = product->inputs[0];
        if (from == m_x) {
            return take(m_input, *weights);
        }
        if (from == m_h) {
            return take(m_recurrent, *weights);
        }
        return takeJoined(from, *weights);
    }

    static bool isTransposed(const Node& product)
    {
        const auto isSet = [&](std::string_view name) {
            const auto* flag = attributeOf<bool>(product, name);
            return flag != nullptr && *flag;
        };
        return isSet("transpose_a") || isSet("transpose_b");
    }

    /// [x, h] with one matrix for both.
    bool takeJoined(ValueId from, const Tensor& weights)
    {
        const Node* concat = m_step.node(from, "ConcatV2");
        if (concat == nullptr || concat->inputs.size() != 3) {
            return false;
        }
        const auto axis = m_step.integer(concat->inputs[2]);
        const bool isForward = concat->inputs[0] == m_x && concat->inputs[1] == m_h;
        const bool isBackward = concat->inputs[0] == m_h && concat->inputs[1] == m_x;
        if (!axis || (*axis != 1 && *axis != -1) || (!isForward && !isBackward) || m_hidden >= weights.dims()[0]) {
            return false;
        }
        const std::int64_t features = weights.dims()[0] - m_hidden;
        return take(m_input, rowsOf(weights, isForward ? 0 : m_hidden, features)) &&
               take(m_recurrent, rowsOf(weights, isForward ? features : 0, m_hidden));
    }

    bool takeBias(ValueId summand)
    {
        const Tensor* bias = m_step.stored(summand);
        return bias != nullptr && isFloating(bias->type()) && bias->rank() <= 2 && take(m_bias, *bias);
    }

    static bool take(std::optional<Tensor>& slot, const Tensor& tensor)
    {
        if (slot) {
            return false;
        }
        slot = tensor;
        return true;
    }

    const StepMatcher& m_step;
    ValueId m_x;
    ValueId m_h;
    std::int64_t m_hidden;
    std::optional<Tensor> m_input;
    std::optional<Tensor> m_recurrent;
    std::optional<Tensor> m_bias;
};

std::optional<Linear> linear(const StepMatcher& step, ValueId value, ValueId x, ValueId h, std::int64_t hidden)
{
    return LinearMatcher(step, x, h, hidden).match(value);
}

/// A gate of an LSTM: sigmoid of a part of the linear sums, of a number, and of a peephole.
struct Gate {
    StepMatcher::Part part;
    double bias = 0;
    const Tensor* peephole = nullptr;
};

std::optional<Gate> gateOf(const StepMatcher& step, ValueId argument, ValueId cell)
{
    Gate gate;
    bool hasPart = false;
    for (const ValueId summand : step.summands(argument)) {
        if (const auto part = step.part(summand); part && !hasPart) {
            gate.part = *part;
            hasPart = true;
        } else if (const auto number = step.number(summand)) {
            gate.bias += *number;
        } else {
            const auto products = step.products(summand);
            const auto own = std::find_if(products.begin(), products.end(), [&](const auto& product) {
                return cell && product[0] == cell && step.stored(product[1]) != nullptr;
            });
            if (own == products.end() || gate.peephole != nullptr) {
                return std::nullopt;
            }
            gate.peephole = step.stored((*own)[1]);
        }
    }
    return hasPart ? std::optional(gate) : std::nullopt;
}

/// The width of a matrix product's result, by its stored weights: the sum of the widths of a value's parts.
std::optional<std::int64_t> widthOf(const StepMatcher& step, ValueId sum)
{
    for (const ValueId summand : step.summands(sum)) {
        const Node* product = step.node(summand, "MatMul");
        const Tensor* weights =
            product != nullptr && product->inputs.size() == 2 ? step.stored(product->inputs[1]) : nullptr;
        if (weights != nullptr && weights->rank() == 2) {
            return weights->dims()[1];
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<StepWeights> matchLstm(const StepMatcher& step, const StepInputs& inputs, ValueId nextH, ValueId nextC)
{
    // h' = sigmoid(o) tanh(c')
    ValueId output;
    for (const auto& [first, second] : step.products(nextH)) {
        const ValueId argument = step.argument("Sigmoid", first);
        output = argument && step.argument("Tanh", second) == nextC ? argument : output;
    }
    // c' = sigmoid(f) c + sigmoid(i) tanh(g)
    ValueId forget;
    ValueId input;
    ValueId candidate;
    const auto terms = step.summands(nextC);
    if (!output || terms.size() != 2) {
        return std::nullopt;
    }
    for (const ValueId term : terms) {
        for (const auto& [first, second] : step.products(term)) {
            const ValueId gate = step.argument("Sigmoid", first);
            if (gate && second == inputs.c) {
                forget = gate;
            } else if (gate && step.argument("Tanh", second)) {
                input = gate;
                candidate = step.argument("Tanh", second);
            }
        }
    }
    if (!forget || !input) {
        return std::nullopt;
    }
    const auto i = gateOf(step, input, inputs.c);
    const auto f = gateOf(step, forget, inputs.c);
    const auto o = gateOf(step, output, nextC);
    const auto g = gateOf(step, candidate, {});
    if (!i || !f || !o || !g || i->bias != 0 || o->bias != 0 || g->bias != 0 || g->peephole != nullptr ||
        i->part.count != 4) {
        return std::nullopt;
    }
    StepWeights weights{.kind = "lstm"};
    weights.gateOrder.assign(4, ' ');
    for (const auto& [gate, letter] : {std::pair(&*i, 'i'), {&*f, 'f'}, {&*o, 'o'}, {&*g, 'c'}}) {
        if (gate->part.whole != i->part.whole || weights.gateOrder[gate->part.index] != ' ') {
            return std::nullopt;
        }
        weights.gateOrder[gate->part.index] = letter;
    }
    const auto width = widthOf(step, i->part.whole);
    if (!width || *width % 4 != 0) {
        return std::nullopt;
    }
    weights.hidden = *width / 4;
    const auto sums = linear(step, i->part.whole, inputs.x, inputs.h, weights.hidden);
    if (!sums) {
        return std::nullopt;
    }
    weights.input = {sums->input};
    weights.recurrent = {sums->recurrent};
    weights.bias = {sums->bias};
    weights.forgetBias = f->bias;
    const std::array peepholes{i->peephole, o->peephole, f->peephole};
    const auto given = std::count(peepholes.begin(), peepholes.end(), nullptr);
    if (given == 0) {
        for (const Tensor* peephole : peepholes) {
            if (peephole->elements() != weights.hidden) {
                return std::nullopt;
            }
            weights.peepholes.push_back(peephole->reshaped({weights.hidden}));
        }
    }
    return given == 0 || given == 3 ? std::optional(std::move(weights)) : std::nullopt;
}

namespace {

/// A gate of a GRU, whose sigmoid is before or after the split.
std::optional<StepMatcher::Part> gruGate(const StepMatcher& step, ValueId value)
{
    if (const auto part = step.part(value)) {
        const ValueId argument = step.argument("Sigmoid", part->whole);
        return argument ? std::optional(StepMatcher::Part{argument, part->index, part->count}) : std::nullopt;
    }
    const ValueId argument = step.argument("Sigmoid", value);
    return argument ? step.part(argument) : std::nullopt;
}

} // namespace

std::optional<StepWeights> matchGru(const StepMatcher& step, const StepInputs& inputs, ValueId nextH)
{
    // h' = z h + (1 - z) tanh(...)
    ValueId update;
    ValueId candidate;
    const auto terms = step.summands(nextH);
    if (terms.size() != 2) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < 2; ++k) {
        for (const auto& [z, h] : step.products(terms[k])) {
            for (const auto& [rest, newer] : step.products(terms[1 - k])) {
                const Node* complement = step.node(rest, "Sub");
                if (h == inputs.h && complement != nullptr && complement->inputs[1] == z &&
                    step.number(complement->inputs[0]) == 1.0 && step.argument("Tanh", newer)) {
                    update = z;
                    candidate = step.argument("Tanh", newer);
                }
            }
        }
    }
    const auto z = update ? gruGate(step, update) : std::nullopt;
    if (!z || z->count != 2) {
        return std::nullopt;
    }
    // The candidate's recurrent weights multiply r h.
    for (std::uint32_t i = 0; i < step.body().valueCount(); ++i) {
        for (const auto& [r, h] : step.products(ValueId{i})) {
            const auto reset = h == inputs.h ? gruGate(step, r) : std::nullopt;
            if (!reset || reset->whole != z->whole || reset->index == z->index) {
                continue;
            }
            const auto width = widthOf(step, candidate);
            const auto gates = width ? linear(step, z->whole, inputs.x, inputs.h, *width) : std::nullopt;
            const auto newer = width ? linear(step, candidate, inputs.x, ValueId{i}, *width) : std::nullopt;
            if (!gates || !newer || gates->input.dims()[1] != 2 * *width) {
                continue;
            }
            return StepWeights{.kind = "gru",
                               .gateOrder = z->index == 1 ? "rzh" : "zrh",
                               .hidden = *width,
                               .input = {gates->input, newer->input},
                               .recurrent = {gates->recurrent, newer->recurrent},
                               .bias = {gates->bias, newer->bias}};
        }
    }
    return std::nullopt;
}

std::optional<StepWeights> matchRnn(const StepMatcher& step, const StepInputs& inputs, ValueId nextH)
{
    for (const std::string_view activation : {"Tanh", "Relu", "Sigmoid"}) {
        const ValueId sum = step.argument(activation, nextH);
        const auto width = sum ? widthOf(step, sum) : std::nullopt;
        const auto sums = width ? linear(step, sum, inputs.x, inputs.h, *width) : std::nullopt;
        if (sums) {
            return StepWeights{.kind = "rnn",
                               .hidden = *width,
                               .input = {sums->input},
                               .recurrent = {sums->recurrent},
                               .bias = {sums->bias},
                               .activation = std::string(activation)};
        }
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
