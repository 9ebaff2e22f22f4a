#include "ui/document/problem_causes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace crosswalk::ui {
namespace {

/// The key that problems of one cause share. If strategies are offered, the selected one changes code and severity, but
/// not the cause.
auto keyOf(const Diagnostic& problem)
{
    const std::string_view code = problem.choices.empty() ? problem.code.text() : std::string_view();
    return std::tuple<std::string_view, std::string_view, std::string_view>(code, problem.op, problem.attribute);
}

bool offers(const Diagnostic& problem, std::string_view strategy)
{
    return std::any_of(problem.choices.begin(), problem.choices.end(),
                       [&](const Choice& choice) { return choice.strategy == strategy; });
}

void addWays(ProblemCause& cause, const Diagnostic& problem)
{
    for (const auto& choice : problem.choices) {
        const auto known = std::find_if(cause.ways.begin(), cause.ways.end(),
                                        [&](const auto& way) { return way.choice.strategy == choice.strategy; });
        if (known != cause.ways.end()) {
            ++known->nodes;
            known->costsDiffer = known->costsDiffer || known->choice.cost != choice.cost;
        } else {
            cause.ways.push_back({choice, 1});
        }
    }
}

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
using CauseOfNode = std::vector<std::size_t>;

/// Extends the causes of some nodes to those behind them, converted ones included: the inputs of a blocked node may
/// come from nodes that are converted although their shapes are not known.
void spread(CauseOfNode& causes, const Graph& graph)
{
    std::vector<std::vector<std::uint32_t>> consumers(graph.nodeCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        for (const ValueId input : graph.node(NodeId{i}).inputs) {
            if (const NodeId producer = input ? graph.value(input).producer : NodeId()) {
                consumers[producer.index].push_back(i);
            }
        }
    }
    std::vector<std::uint32_t> reached; // the nearest first
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        if (causes[i] != none) {
            reached.push_back(i);
        }
    }
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const std::uint32_t node = reached[next];
        for (const std::uint32_t consumer : consumers[node]) {
            if (causes[consumer] == none) {
                causes[consumer] = causes[node];
                reached.push_back(consumer);
            }
        }
    }
}

/// Nodes that read an input without a shape have the problem of the unknown shapes in front of them.
void addReadersOfShapeless(CauseOfNode& causes, std::size_t cause, const Graph& graph, const Conversion& conversion)
{
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const auto& inputs = graph.node(NodeId{i}).inputs;
        const bool isReader = std::ranges::any_of(inputs, [&](ValueId input) {
            return input && !graph.value(input).producer && !graph.value(input).tensor &&
                   input.index < conversion.valueTypes.size() && !conversion.valueTypes[input.index].shape;
        });
        causes[i] = isReader && causes[i] == none ? cause : causes[i];
    }
}

/// The nodes that read a missing weight have the problem of the missing weights in front of them.
void addReaders(CauseOfNode& causes, std::size_t cause, const Graph& graph)
{
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const auto& inputs = graph.node(NodeId{i}).inputs;
        const bool isReader = std::ranges::any_of(inputs, [&](ValueId input) {
            return input && graph.value(input).role == Role::Parameter && !graph.value(input).producer &&
                   !graph.value(input).tensor;
        });
        causes[i] = isReader && causes[i] == none ? cause : causes[i];
    }
}

} // namespace

std::vector<ProblemCause> causesOf(const std::vector<Diagnostic>& problems)
{
    std::vector<ProblemCause> causes;
    std::map<decltype(keyOf(problems.front())), std::size_t> known;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const bool ofNode = !problems[i].node.empty();
        const auto at = ofNode ? known.try_emplace(keyOf(problems[i]), causes.size()).first->second : causes.size();
        if (at == causes.size()) {
            causes.emplace_back();
        }
        causes[at].problems.push_back(i);
        addWays(causes[at], problems[i]);
    }
    return causes;
}

void addBlocked(std::vector<ProblemCause>& causes, const std::vector<Diagnostic>& problems, const Graph& source,
                const Conversion& conversion)
{
    CauseOfNode inFront(source.nodeCount(), none); // the cause of the nearest problem at the node or in front of it
    std::size_t ofModel = none;
    for (std::size_t i = 0; i < causes.size(); ++i) {
        bool hasMissing = false;
        for (const std::size_t k : causes[i].problems) {
            const Diagnostic& problem = problems[k];
            if (problem.severity != Severity::Error) {
                continue;
            }
            if (problem.nodeIndex && *problem.nodeIndex < inFront.size()) {
                inFront[*problem.nodeIndex] = i;
            } else if (problem.node.empty() && (ofModel == none || problem.code == Code("unknown-shape"))) {
                ofModel = i;
            }
            hasMissing = hasMissing || problem.code == Code("missing-weight");
        }
        if (hasMissing) {
            addReaders(inFront, i, source);
        }
    }
    if (ofModel != none && problems[causes[ofModel].problems.front()].code == Code("unknown-shape")) {
        addReadersOfShapeless(inFront, ofModel, source, conversion);
    }
    spread(inFront, source);
    for (const NodeId node : conversion.behindGaps) {
        const std::size_t cause = inFront[node.index] != none ? inFront[node.index] : ofModel;
        if (cause != none) {
            causes[cause].blocked.push_back(node);
        }
    }
}

std::vector<std::string> nodesOffering(const ProblemCause& cause, const std::vector<Diagnostic>& problems,
                                       std::string_view strategy)
{
    std::vector<std::string> nodes;
    for (const auto i : cause.problems) {
        if (offers(problems[i], strategy)) {
            nodes.push_back(problems[i].node);
        }
    }
    return nodes;
}

} // namespace crosswalk::ui
