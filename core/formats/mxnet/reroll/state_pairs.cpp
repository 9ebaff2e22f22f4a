#include "core/formats/mxnet/reroll/state_pairs.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/reroll/identity_elimination.h"
#include "core/formats/mxnet/reroll/run_parameters.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// Operators that return the elements of their input in the same order, possibly in another shape.
constexpr std::array<std::string_view, 5> rearranging{"Reshape", "expand_dims", "squeeze", "Cast", "Flatten"};

class StatePairs {
public:
    explicit StatePairs(const Graph& graph)
        : m_graph(graph, "_copy")
    {
        eliminateIdentities(m_graph);
        std::map<std::string, int> seen;
        for (const ValueId id : graph.outputs) {
            const std::string& name = graph.value(id).name;
            const int count = ++seen[name];
            m_outputs.try_emplace(origin(id), count == 1 ? name : fmt::format("{}#{}", name, count));
        }
    }

    std::map<std::string, std::string> run()
    {
        for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
            const Node& node = m_graph.graph().node(NodeId{i});
            if (node.op == "RNN") {
                recurrent(node);
            } else if (node.op == "_foreach") {
                foreach (node)
                    ;
            } else if (node.op == "_while_loop") {
                whileLoop(node);
            }
        }
        for (const UnrolledRun& run : findRuns(m_graph, 1)) {
            if (run.steps.size() == 1 && !isCertain(run)) {
                continue;
            }
            pair(run.steps.front().operands[1].value, run.steps.back().h);
            if (run.mode() == CellMode::Lstm) {
                pair(run.steps.front().cBefore, run.steps.back().c);
            }
        }
        return std::move(m_pairs);
    }

private:
    /// Whether a matrix after a single step is its projection rather than a following layer.
    bool isCertain(const UnrolledRun& run) const
    {
        const UnrolledStep& step = run.steps.front();
        return !step.projects() ||
               (columns(m_graph, step.operands[1]) == run.outputSize() && run.outputSize() != run.hidden());
    }

    /// The value whose elements these are.
    ValueId origin(ValueId value) const
    {
        value = m_graph.current(value);
        const Node* node = m_graph.producerNode(value);
        while (node != nullptr && std::find(rearranging.begin(), rearranging.end(), node->op) != rearranging.end()) {
            value = m_graph.input(*node, 0);
            node = m_graph.producerNode(value);
        }
        return value;
    }

    void pair(ValueId before, ValueId after)
    {
        if (!before || !after) {
            return;
        }
        const Value& input = m_graph.graph().value(origin(before));
        const auto output = m_outputs.find(origin(after));
        if (!input.producer && !input.tensor && input.role == Role::Data && output != m_outputs.end()) {
            m_pairs.try_emplace(input.name, output->second);
        }
    }

    void recurrent(const Node& node)
    {
        constexpr std::size_t firstState = 2; // after the data and the parameters
        const bool isLstm = findAttribute(node.attributes, "mode") == "lstm";
        for (std::size_t i = 0; i < (isLstm ? 2U : 1U); ++i) {
            if (firstState + i < node.inputs.size() && 1 + i < node.outputs.size()) {
                pair(node.inputs[firstState + i], node.outputs[1 + i]);
            }
        }
    }

    // Inputs are in the order data, states, others; outputs in the order stacked, states.
    void foreach (const Node& node)
    {
        const auto data = integers(node.attributes, "in_data_locs");
        const auto states = integers(node.attributes, "in_state_locs");
        const auto stacked = integer(node.attributes, "num_out_data");
        if (!data || !states || !stacked || *stacked < 0) {
            return;
        }
        for (std::size_t i = 0; i < states->size(); ++i) {
            const std::size_t input = data->size() + i;
            const std::size_t output = static_cast<std::size_t>(*stacked) + i;
            if (input < node.inputs.size() && output < node.outputs.size()) {
                pair(node.inputs[input], node.outputs[output]);
            }
        }
    }

    // A loop variable is identified by its index among the body's inputs, and these by their indices among the node's;
    // outputs are in the order stacked, variables.
    void whileLoop(const Node& node)
    {
        const auto places = integers(node.attributes, "func_input_locs");
        const auto variables = integers(node.attributes, "func_var_locs");
        const auto stacked = integer(node.attributes, "num_out_data");
        if (!places || !variables || !stacked || *stacked < 0) {
            return;
        }
        const auto within = [](std::int64_t place, std::size_t count) {
            return place >= 0 && static_cast<std::size_t>(place) < count;
        };
        for (std::size_t i = 0; i < variables->size(); ++i) {
            const std::size_t output = static_cast<std::size_t>(*stacked) + i;
            if (output >= node.outputs.size() || !within((*variables)[i], places->size())) {
                continue;
            }
            const std::int64_t input = (*places)[static_cast<std::size_t>((*variables)[i])];
            if (within(input, node.inputs.size())) {
                pair(node.inputs[static_cast<std::size_t>(input)], node.outputs[output]);
            }
        }
    }

    GraphRewriter m_graph;
    ByValue<std::string> m_outputs; ///< by what they hold: the output's name
    std::map<std::string, std::string> m_pairs;
};

} // namespace

std::map<std::string, std::string> statePairs(const Graph& graph)
{
    const auto fed = std::count_if(graph.inputs.begin(), graph.inputs.end(), [&](ValueId id) {
        return graph.value(id).role == Role::Data && !graph.value(id).tensor;
    });
    constexpr int dataAndState = 2;
    return fed < dataAndState ? std::map<std::string, std::string>{} : StatePairs(graph).run();
}

} // namespace crosswalk::mxnet
