#include "core/formats/tensorflow/lowering/recurrent_loops.h"

#include "core/formats/tensorflow/lowering/step_recognition.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

class RecurrentLoop {
public:
    RecurrentLoop(Graph& graph, NodeId node)
        : m_graph(graph)
        , m_id(node)
        , m_body(bodyOf("body"))
        , m_condition(bodyOf("cond"))
        , m_outer(graph)
        , m_step(m_body)
    {
        const Node& loop = m_graph.node(m_id);
        m_rows = static_cast<std::size_t>(intOf(loop, "stacked_outputs", 0));
        m_variables = loop.outputs.size() - m_rows;
        m_conditionCaptures = static_cast<std::size_t>(intOf(loop, "condition_captures", 0));
    }

    bool fuse()
    {
        std::vector<std::size_t> states;
        for (std::size_t i = 0; i < m_variables; ++i) {
            if (!isCounter(i)) {
                states.push_back(i);
            }
        }
        if (!findSequence() || !runsAlongSequence(m_condition.outputs.at(0))) {
            return false;
        }
        std::optional<StepWeights> weights;
        if (states.size() == 2) {
            weights = asLstm(states[0], states[1]);
            weights = weights ? std::move(weights) : asLstm(states[1], states[0]);
        } else if (states.size() == 1) {
            const StepInputs inputs{.x = m_x, .h = m_body.inputs[states[0]], .c = {}};
            m_h = states[0];
            weights = matchGru(m_step, inputs, m_body.outputs[m_h]);
            weights = weights ? std::move(weights) : matchRnn(m_step, inputs, m_body.outputs[m_h]);
        }
        const bool rowsAreOutputs =
            std::all_of(m_body.outputs.begin() + static_cast<std::ptrdiff_t>(m_variables), m_body.outputs.end(),
                        [&](ValueId row) { return row == m_body.outputs[m_h]; });
        if (!weights || !rowsAreOutputs) {
            return false;
        }
        replace(*weights);
        return true;
    }

private:
    const Graph& bodyOf(std::string_view name) const
    {
        return m_graph.subgraph(*attributeOf<SubgraphId>(m_graph.node(m_id), name));
    }

    /// The value in the graph around the loop that is passed to an input of a body.
    ValueId outerOf(const Graph& body, ValueId input, std::size_t firstCapture) const
    {
        const auto at = std::find(body.inputs.begin(), body.inputs.end(), input);
        const auto index = static_cast<std::size_t>(at - body.inputs.begin());
        const auto& inputs = m_graph.node(m_id).inputs;
        if (at == body.inputs.end() || index < m_variables || firstCapture + index - m_variables >= inputs.size()) {
            return {};
        }
        return inputs[firstCapture + index - m_variables];
    }

    /// Whether a loop variable counts the steps from 0.
    bool isCounter(std::size_t variable) const
    {
        const ValueId now = m_body.inputs[variable];
        const auto summands = m_step.summands(m_body.outputs[variable]);
        const auto counts = [&](ValueId a, ValueId b) { return a == now && m_step.integer(b) == 1; };
        return m_outer.integer(m_graph.node(m_id).inputs[variable]) == 0 && summands.size() == 2 &&
               (counts(summands[0], summands[1]) || counts(summands[1], summands[0]));
    }

    bool isCounter(ValueId input) const
    {
        const auto at = std::find(m_body.inputs.begin(), m_body.inputs.end(), input);
        const auto index = static_cast<std::size_t>(at - m_body.inputs.begin());
        return index < m_variables && isCounter(index);
    }

    /// The only sequence whose element at the step's index the body reads.
    bool findSequence()
    {
        for (const Node& node : m_body.nodes()) {
            if (node.op != "GatherV2" || node.inputs.size() != 3 || !isCounter(node.inputs[1])) {
                continue;
            }
            const ValueId outer = outerOf(m_body, node.inputs[0], m_variables + m_conditionCaptures);
            if (!outer || m_step.integer(node.inputs[2]) != 0 || (m_sequence && outer != m_sequence)) {
                return false;
            }
            if (m_x && m_x != node.outputs[0]) {
                return false;
            }
            m_sequence = outer;
            m_x = node.outputs[0];
        }
        return static_cast<bool>(m_sequence);
    }

    /// Whether the condition holds for as many steps as the sequence has elements.
    bool runsAlongSequence(ValueId truth) const
    {
        const StepMatcher condition(m_condition);
        if (const Node* both = condition.node(truth, "LogicalAnd")) {
            return runsAlongSequence(both->inputs[0]) && runsAlongSequence(both->inputs[1]);
        }
        const Node* less = condition.node(truth, "Less");
        if (less == nullptr || less->inputs.size() != 2) {
            return false;
        }
        const auto at = std::find(m_condition.inputs.begin(), m_condition.inputs.end(), less->inputs[0]);
        const auto counter = static_cast<std::size_t>(at - m_condition.inputs.begin());
        return counter < m_variables && isCounter(counter) &&
               isLength(outerOf(m_condition, less->inputs[1], m_variables));
    }

    /// Whether a value is the number of the sequence's elements or equivalent: min(length, max(1, length)).
    bool isLength(ValueId value) const
    {
        if (!value) {
            return false;
        }
        if (const Node* minimum = m_outer.node(value, "Minimum")) {
            return isLength(minimum->inputs[0]) && isLength(minimum->inputs[1]);
        }
        if (const Node* maximum = m_outer.node(value, "Maximum")) {
            const auto one = m_outer.integer(maximum->inputs[0]);
            const auto other = m_outer.integer(maximum->inputs[1]);
            return (one && *one <= 1 && isLength(maximum->inputs[1])) ||
                   (other && *other <= 1 && isLength(maximum->inputs[0]));
        }
        const Node* slice = m_outer.node(value, "StridedSlice");
        if (slice == nullptr || slice->inputs.size() != 4 || intOf(*slice, "shrink_axis_mask", 0) != 1 ||
            intOf(*slice, "begin_mask", 0) > 1 || m_outer.integer(slice->inputs[1]) != 0) {
            return false;
        }
        return m_outer.argument("Shape", slice->inputs[0]) == m_sequence;
    }

    std::optional<StepWeights> asLstm(std::size_t h, std::size_t c)
    {
        m_h = h;
        m_c = c;
        return matchLstm(m_step, {.x = m_x, .h = m_body.inputs[h], .c = m_body.inputs[c]}, m_body.outputs[h],
                         m_body.outputs[c]);
    }

    ValueId stored(const std::string& name, const Tensor& tensor)
    {
        const TensorType type{tensor.type(), shapeOf(tensor.dims())};
        return m_graph.addValue(
            {.name = name, .type = type, .tensor = m_graph.addTensor(tensor), .role = Role::Parameter});
    }

    /// None if a state starts at zero, which needs no input.
    ValueId initial(std::size_t variable) const
    {
        const ValueId value = m_graph.node(m_id).inputs[variable];
        const Node* fill = m_outer.node(value, "Fill");
        return fill != nullptr && m_outer.number(fill->inputs[1]) == 0.0 ? ValueId{} : value;
    }

    void replace(const StepWeights& weights)
    {
        const std::string name = m_graph.node(m_id).name;
        std::vector<ValueId> inputs{m_sequence};
        const auto add = [&](const std::vector<Tensor>& tensors, std::string_view what) {
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                inputs.push_back(stored(fmt::format("{}/{}{}", name, what, tensors.size() > 1 ? std::to_string(i) : ""),
                                        tensors[i]));
            }
        };
        add(weights.input, "kernel");
        add(weights.recurrent, "recurrent_kernel");
        add(weights.bias, "bias");
        inputs.push_back(initial(m_h));
        if (weights.kind == "lstm") {
            inputs.push_back(initial(m_c));
            add(weights.peepholes, "peephole");
        }
        std::vector<std::string> results;
        for (std::size_t i = 0; i < m_graph.node(m_id).outputs.size(); ++i) {
            results.emplace_back(i >= m_variables                     ? "sequence"
                                 : i == m_h                           ? "h"
                                 : weights.kind == "lstm" && i == m_c ? "c"
                                                                      : "steps");
        }
        Node& node = m_graph.node(m_id);
        node.op = "RecurrentLayer";
        node.inputs = std::move(inputs);
        node.attributes = {{"kind", weights.kind},
                           {"gate_order", weights.gateOrder},
                           {"hidden", weights.hidden},
                           {"weights", static_cast<std::int64_t>(weights.input.size())},
                           {"forget_bias", weights.forgetBias},
                           {"activation", weights.activation},
                           {"results", std::move(results)}};
    }

    Graph& m_graph;
    NodeId m_id;
    const Graph& m_body;
    const Graph& m_condition;
    StepMatcher m_outer;
    StepMatcher m_step;
    std::size_t m_rows = 0;
    std::size_t m_variables = 0;
    std::size_t m_conditionCaptures = 0;
    ValueId m_sequence; ///< of the graph around the loop
    ValueId m_x;        ///< of the body
    std::size_t m_h = 0;
    std::size_t m_c = 0;
};

} // namespace

void fuseRecurrentLoops(Graph& graph)
{
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        // A loop that could not be lowered has no bodies.
        if (node.op == "While" && attributeOf<SubgraphId>(node, "body") != nullptr) {
            RecurrentLoop(graph, NodeId{i}).fuse();
        }
    }
}

} // namespace crosswalk::tensorflow
