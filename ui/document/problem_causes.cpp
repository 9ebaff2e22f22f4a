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
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> inFront(source.nodeCount(), none); // by node: the cause of the gap at or in front of it
    std::size_t ofModel = none;
    for (std::size_t i = 0; i < causes.size(); ++i) {
        for (const std::size_t k : causes[i].problems) {
            const Diagnostic& problem = problems[k];
            if (problem.severity != Severity::Error) {
                continue;
            }
            if (problem.nodeIndex && *problem.nodeIndex < inFront.size()) {
                inFront[*problem.nodeIndex] = i;
            } else if (problem.node.empty() && ofModel == none) {
                ofModel = i;
            }
        }
    }
    std::vector<bool> isBehind(source.nodeCount());
    for (const NodeId node : conversion.behindGaps) {
        isBehind[node.index] = true;
    }
    for (std::uint32_t i = 0; i < source.nodeCount(); ++i) {
        if (!isBehind[i]) {
            continue;
        }
        for (const ValueId input : source.node(NodeId{i}).inputs) {
            const NodeId producer = input ? source.value(input).producer : NodeId();
            if (inFront[i] == none && producer) {
                inFront[i] = inFront[producer.index];
            }
        }
        const std::size_t cause = inFront[i] != none ? inFront[i] : ofModel;
        if (cause != none) {
            causes[cause].blocked.push_back(NodeId{i});
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
