// The equations of the cells (mxnet-rnn.md, section 3), matched backwards from the result of a step.

#include "core/formats/mxnet/reroll/cell_step.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/reroll/linear_gate.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

/// The operand of an activation; nothing if the value is not the result of one.
std::optional<ValueId> under(const GraphRewriter& graph, std::string_view function, ValueId value)
{
    const Node* node = graph.producerNode(value);
    const bool is =
        node != nullptr && node->inputs.size() == 1 &&
        (node->op == function || (node->op == "Activation" && findAttribute(node->attributes, "act_type") == function));
    return is ? std::optional(graph.input(*node, 0)) : std::nullopt;
}

/// The two operands of a node in both orders.
using Pairs = std::vector<std::pair<ValueId, ValueId>>;
Pairs operandsOf(const GraphRewriter& graph, std::initializer_list<std::string_view> ops, ValueId value)
{
    const Node* node = graph.producerNode(value);
    if (node == nullptr || node->inputs.size() != 2 || std::find(ops.begin(), ops.end(), node->op) == ops.end()) {
        return {};
    }
    const ValueId a = graph.input(*node, 0);
    const ValueId b = graph.input(*node, 1);
    return {{a, b}, {b, a}};
}
Pairs factorsOf(const GraphRewriter& graph, ValueId value)
{
    return operandsOf(graph, {"elemwise_mul", "broadcast_mul"}, value);
}
Pairs summandsOf(const GraphRewriter& graph, ValueId value)
{
    return operandsOf(graph, {"elemwise_add", "broadcast_add"}, value);
}

class Matcher {
public:
    Matcher(const GraphRewriter& graph, ValueId h)
        : m_graph(graph)
    {
        m_step.h = graph.current(h);
    }

    std::optional<UnrolledStep> run()
    {
        if (lstm() || gru() || plain()) {
            std::sort(m_step.nodes.begin(), m_step.nodes.end());
            m_step.nodes.erase(std::unique(m_step.nodes.begin(), m_step.nodes.end()), m_step.nodes.end());
            return m_step;
        }
        return std::nullopt;
    }

private:
    /// Starts over: discards the nodes matched so far.
    void forget()
    {
        m_step.nodes.clear();
        m_step.operands = {};
    }
    void take(std::initializer_list<ValueId> made)
    {
        for (const ValueId value : made) {
            m_step.nodes.push_back(m_graph.producer(value));
        }
    }

    /// Adds a gate that reads both operands. The first gate determines which operand is the first.
    bool takeGate(ValueId preactivation)
    {
        const auto gate = readLinearGate(m_graph, preactivation);
        if (!gate || gate->terms.size() != 2) {
            return false;
        }
        const LinearGate::Term* first = gate->terms.data();
        const LinearGate::Term* second = first + 1;
        auto& operands = m_step.operands;
        if (operands[0].gates.empty()) {
            operands[0].value = first->value;
            operands[1].value = second->value;
        } else if (first->value != operands[0].value) {
            std::swap(first, second);
        }
        return first->rows.count == second->rows.count && takeRows(*gate, *first, 0) && takeRows(*gate, *second, 1);
    }
    bool takeRows(const LinearGate& gate, const LinearGate::Term& term, std::size_t operand)
    {
        CellOperand& to = m_step.operands[operand];
        if (term.value != to.value || (!to.gates.empty() && to.gates.front().count != term.rows.count)) {
            return false;
        }
        to.gates.push_back(term.rows);
        m_step.nodes.insert(m_step.nodes.end(), gate.nodes.begin(), gate.nodes.end());
        return true;
    }

    // h = sigmoid(o) * tanh(c)
    bool lstm()
    {
        for (const auto& [open, squashed] : factorsOf(m_graph, m_step.h)) {
            const auto o = under(m_graph, "sigmoid", open);
            const auto c = under(m_graph, "tanh", squashed);
            const Pairs summands = o && c ? summandsOf(m_graph, *c) : Pairs{};
            for (const auto& [kept, added] : summands) {
                if (cellState(kept, added, *o)) {
                    m_step.mode = CellMode::Lstm;
                    m_step.c = *c;
                    take({m_step.h, open, squashed, *c, kept, added});
                    return true;
                }
            }
        }
        return false;
    }
    // c = sigmoid(f) * c before + sigmoid(i) * tanh(g)
    bool cellState(ValueId kept, ValueId added, ValueId o)
    {
        for (const auto& [iOpen, gSquashed] : factorsOf(m_graph, added)) {
            const auto i = under(m_graph, "sigmoid", iOpen);
            const auto g = under(m_graph, "tanh", gSquashed);
            const Pairs factors = i && g ? factorsOf(m_graph, kept) : Pairs{};
            for (const auto& [fOpen, cBefore] : factors) {
                const auto f = under(m_graph, "sigmoid", fOpen);
                forget();
                if (f && takeGate(*i) && takeGate(*f) && takeGate(*g) && takeGate(o)) {
                    m_step.cBefore = cBefore;
                    take({iOpen, gSquashed, fOpen});
                    return true;
                }
            }
        }
        return false;
    }

    // h = (1 - z) * n + z * h before
    bool gru()
    {
        for (const auto& [fresh, kept] : summandsOf(m_graph, m_step.h)) {
            for (const auto& [rest, n] : factorsOf(m_graph, fresh)) {
                for (const auto& [z, before] : factorsOf(m_graph, kept)) {
                    forget();
                    if (isOneMinus(rest, z) && gruGates(z, n, before)) {
                        m_step.mode = CellMode::Gru;
                        take({m_step.h, fresh, kept, rest, n, z});
                        return true;
                    }
                }
            }
        }
        return false;
    }
    bool isOneMinus(ValueId rest, ValueId z)
    {
        if (const Node* node = m_graph.from("_rminus_scalar", rest)) {
            return m_graph.input(*node, 0) == z && number(node->attributes, "scalar") == 1;
        }
        const Node* node = m_graph.from("elemwise_sub", rest);
        node = node != nullptr ? node : m_graph.from("broadcast_sub", rest);
        const Node* ones = node != nullptr ? m_graph.from("ones_like", m_graph.input(*node, 0)) : nullptr;
        if (ones != nullptr && m_graph.input(*node, 1) == z && m_graph.input(*ones, 0) == z) {
            take({m_graph.input(*node, 0)});
            return true;
        }
        return false;
    }
    // n = tanh(W x + r * (R h + b)): the reset gate also multiplies the bias
    bool gruGates(ValueId z, ValueId n, ValueId before)
    {
        const auto zSum = under(m_graph, "sigmoid", z);
        const auto nSum = under(m_graph, "tanh", n);
        const Pairs summands = zSum && nSum ? summandsOf(m_graph, *nSum) : Pairs{};
        for (const auto& [input, reset] : summands) {
            for (const auto& [r, recalled] : factorsOf(m_graph, reset)) {
                const auto rSum = under(m_graph, "sigmoid", r);
                const auto fromInput = readLinearGate(m_graph, input);
                const auto fromState = readLinearGate(m_graph, recalled);
                const std::vector<NodeId> so = m_step.nodes;
                if (rSum && fromInput && fromState && fromInput->terms.size() == 1 && fromState->terms.size() == 1 &&
                    fromState->terms[0].value == before) {
                    m_step.operands = {};
                    if (takeGate(*rSum) && takeGate(*zSum) && inputComesFirst(before) &&
                        takeRows(*fromInput, fromInput->terms[0], 0) && takeRows(*fromState, fromState->terms[0], 1)) {
                        take({*nSum, reset, r});
                        return true;
                    }
                }
                m_step.nodes = so;
            }
        }
        return false;
    }
    bool inputComesFirst(ValueId before)
    {
        auto& operands = m_step.operands;
        if (operands[0].value == before && operands[1].value != before) {
            std::swap(operands[0], operands[1]);
        }
        return operands[1].value == before && operands[0].value != before;
    }

    // h = tanh(W x + R h)
    bool plain() { return plain(CellMode::RnnTanh, "tanh") || plain(CellMode::RnnRelu, "relu"); }
    bool plain(CellMode mode, std::string_view function)
    {
        forget();
        const auto sum = under(m_graph, function, m_step.h);
        if (!sum || !takeGate(*sum)) {
            return false;
        }
        m_step.mode = mode;
        take({m_step.h});
        return true;
    }

    const GraphRewriter& m_graph;
    UnrolledStep m_step{};
};

} // namespace

std::string_view modeName(CellMode mode)
{
    switch (mode) {
    case CellMode::RnnRelu:
        return "rnn_relu";
    case CellMode::RnnTanh:
        return "rnn_tanh";
    case CellMode::Lstm:
        return "lstm";
    case CellMode::Gru:
        break;
    }
    return "gru";
}

std::string_view cellName(CellMode mode)
{
    return mode == CellMode::Lstm ? "LSTM" : mode == CellMode::Gru ? "GRU" : "RNN";
}

std::optional<UnrolledStep> matchCellStep(const GraphRewriter& graph, ValueId h)
{
    return Matcher(graph, h).run();
}

std::optional<UnrolledStep> projectedBy(const GraphRewriter& graph, NodeId id, const UnrolledStep& step)
{
    const Node& node = graph.graph().node(id);
    const auto rows = integer(node.attributes, "num_hidden");
    if (step.mode != CellMode::Lstm || node.op != "FullyConnected" || node.inputs.size() != 2 ||
        !flag(node.attributes, "no_bias", false) || graph.input(node, 0) != step.h || !rows) {
        return std::nullopt;
    }
    UnrolledStep projected = step;
    projected.h = node.outputs[0];
    projected.projection = {graph.input(node, 1), {}, 0, *rows, *rows};
    projected.nodes.push_back(id);
    return projected;
}

} // namespace crosswalk::mxnet
