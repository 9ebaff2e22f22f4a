#include "core/formats/mxnet/reroll/unrolled_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk::mxnet {
namespace {

/// The operand of a step that is the h of the previous step; nothing if it does not follow that step. The two operands
/// of an lstm and of a plain cell are symmetric, so the first step of a run alone does not distinguish them.
std::optional<std::size_t> recurrentOperand(const UnrolledStep& step, const UnrolledStep& before, bool isFirst)
{
    const bool isLstm = step.mode == CellMode::Lstm;
    if (step.mode != before.mode || step.projection != before.projection || (isLstm && step.cBefore != before.c)) {
        return std::nullopt;
    }
    for (const std::size_t i : {1U, 0U}) {
        const auto& input = step.operands[1 - i];
        const auto& recurrent = step.operands[i];
        const auto matches = [&](std::size_t role) {
            return recurrent.hasWeightsOf(before.operands[role]) && input.hasWeightsOf(before.operands[1 - role]);
        };
        if (step.mode == CellMode::Gru && i == 0) {
            break;
        }
        if (recurrent.value == before.h && (matches(1) || (isFirst && step.mode != CellMode::Gru && matches(0)))) {
            return i;
        }
    }
    return std::nullopt;
}

void putInputFirst(UnrolledStep& step, const CellOperand& recurrent)
{
    if (!step.operands[1].hasWeightsOf(recurrent)) {
        std::swap(step.operands[0], step.operands[1]);
    }
}

} // namespace

ValueIds UnrolledRun::inputs() const
{
    ValueIds values;
    for (const UnrolledStep& step : steps) {
        values.push_back(step.operands[0].value);
    }
    return values;
}

ValueIds UnrolledRun::outputs() const
{
    ValueIds values;
    for (const UnrolledStep& step : steps) {
        values.push_back(step.h);
    }
    return values;
}

NodeSet UnrolledRun::nodes() const
{
    NodeSet all;
    for (const UnrolledStep& step : steps) {
        all.insert(step.nodes.begin(), step.nodes.end());
    }
    return all;
}

std::vector<UnrolledRun> findRuns(const GraphRewriter& graph, std::size_t least)
{
    std::vector<UnrolledRun> runs;
    ByValue<std::pair<std::size_t, std::size_t>> byOutput; // maps h to its run and its index there
    const auto projected = [&](NodeId id, const Node& node) {
        const auto known = node.inputs.empty() ? byOutput.end() : byOutput.find(graph.input(node, 0));
        return known == byOutput.end() ? std::nullopt
                                       : projectedBy(graph, id, runs[known->second.first].steps[known->second.second]);
    };
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (node.outputs.empty() || graph.current(node.outputs[0]) != node.outputs[0]) {
            continue;
        }
        auto step = matchCellStep(graph, node.outputs[0]);
        step = step ? step : projected(NodeId{i}, node);
        if (!step) {
            continue;
        }
        std::size_t run = runs.size();
        for (const CellOperand& operand : step->operands) {
            const auto known = byOutput.find(operand.value);
            if (known == byOutput.end()) {
                continue;
            }
            const auto [at, place] = known->second;
            UnrolledStep& before = runs[at].steps[place];
            const auto recurrent = recurrentOperand(*step, before, place == 0);
            if (recurrent && place + 1 == runs[at].steps.size()) {
                std::swap(step->operands[1], step->operands[*recurrent]);
                putInputFirst(before, step->operands[1]);
                run = at;
                break;
            }
        }
        if (run == runs.size()) {
            runs.emplace_back();
        }
        byOutput[step->h] = {run, runs[run].steps.size()};
        runs[run].steps.push_back(std::move(*step));
    }
    std::erase_if(runs, [&](const UnrolledRun& run) { return run.steps.size() < least; });
    return runs;
}

std::string obstacleOf(const GraphRewriter& graph, const UnrolledRun& run)
{
    const NodeSet nodes = run.nodes();
    ValueSet given;
    for (const UnrolledStep& step : run.steps) {
        given.insert(step.h);
    }
    ValueSet cells;
    for (const UnrolledStep& step : run.steps) {
        cells.insert(step.c);
    }
    if (run.validLength) {
        given.insert(cells.begin(), cells.end());
    } else if (run.mode() == CellMode::Lstm) {
        given.insert(run.steps.back().c);
    }
    const auto isHidden = [&](ValueId value) {
        const NodeId made = value ? graph.producer(value) : NodeId{};
        return made && nodes.contains(made) && !given.contains(graph.current(value));
    };
    const auto said = [&](ValueId value, std::string_view reader) {
        return fmt::format(
            "{} of a step inside the run is read by {}, but ONNX returns the states only after the last step",
            cells.contains(graph.current(value)) ? "the cell state" : "a gate", reader);
    };
    for (const ValueId output : graph.graph().outputs) {
        if (isHidden(output)) {
            return said(output, "an output of the model");
        }
    }
    const std::vector<bool> needed = graph.neededNodes();
    for (std::uint32_t i = 0; i < needed.size(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        for (const ValueId input : node.inputs) {
            if (needed[i] && !nodes.contains(NodeId{i}) && isHidden(input)) {
                return said(input, node.op + " " + node.name);
            }
        }
    }
    ValueIds read = run.inputs();
    read.push_back(run.steps.front().operands[1].value);
    if (run.mode() == CellMode::Lstm) {
        read.push_back(run.steps.front().cBefore);
    }
    if (run.validLength) {
        read.push_back(run.validLength->lengths);
    }
    if (graph.dependsOn(read, nodes)) {
        return "the input of a step is computed from the state of the previous step";
    }
    return {};
}

} // namespace crosswalk::mxnet
