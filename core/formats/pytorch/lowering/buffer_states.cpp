#include "core/formats/pytorch/lowering/buffer_states.h"

#include "core/formats/pytorch/argument_names.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

std::string nextName(const std::string& name)
{
    return name + "/next";
}

void warn(std::vector<Diagnostic>& problems, const std::string& name, std::string hint)
{
    problems.push_back({.severity = Severity::Warning,
                        .code = "state-not-exported",
                        .message = fmt::format("each run of the program writes {}; the exported model starts every run "
                                               "from the stored content",
                                               name),
                        .hint = std::move(hint)});
}

/// Whether every run writes the same, from the stored content as well as from what a run has written: the rows of an
/// embedding that are longer than its largest norm.
bool isWrittenAlike(const Graph& graph, ValueId stored, ValueId next)
{
    while (next != stored) {
        const NodeId producer = graph.value(next).producer;
        const Node* node = producer ? &graph.node(producer) : nullptr;
        const bool isSame = node != nullptr && (node->op == "aten::alias" || node->op == "aten::detach");
        if (node == nullptr || node->inputs.empty() || (!isSame && node->op != "aten::embedding_renorm")) {
            return false;
        }
        next = node->inputs[0];
    }
    return true;
}

} // namespace

ValueIds exportStates(Graph& graph, const ProgramState& state, std::vector<Diagnostic>& problems)
{
    ValueIds states;
    for (const auto& [stored, next] : state.tensors) {
        const std::string name = graph.value(stored).name;
        const auto selected = std::ranges::find(graph.outputs, stored);
        if (selected == graph.outputs.end()) {
            if (!isWrittenAlike(graph, stored, next)) {
                warn(problems, name, fmt::format("add {} to --outputs to make it an input and an output", name));
            }
            continue;
        }
        Node alias{.op = "aten::alias", .name = nextName(name), .inputs = {next}};
        alias.attributes.push_back({std::string(argumentNames), std::vector<std::string>{"self"}});
        if (const NodeId producer = graph.value(next).producer) {
            alias.origins = graph.node(producer).origins;
            if (alias.origins.empty()) {
                alias.origins = {{{}, producer}};
            }
        }
        *selected = graph.addOutput(graph.addNode(std::move(alias)), nextName(name));
        graph.value(*selected).type = graph.value(stored).type;
        states.push_back(stored);
    }
    for (const std::string& name : state.numbers) {
        warn(problems, name, "keep it in a buffer of the module to make it a state");
    }
    return states;
}

void addStateInputs(LoweredGraph& lowered, std::span<const ValueId> states)
{
    for (const ValueId state : states) {
        const ValueId input = lowered.standIns[state.index].value;
        Value& value = lowered.graph.value(input);
        value.role = Role::Data;
        lowered.graph.inputs.push_back(input);
        lowered.defaults.insert(value.name);
        lowered.states.emplace(value.name, nextName(value.name));
    }
}

} // namespace crosswalk::pytorch
