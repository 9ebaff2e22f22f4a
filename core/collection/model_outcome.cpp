#include "core/collection/model_outcome.h"

#include "core/base/diagnostic.h"
#include "core/collection/outcome_json.h"

#include <array>
#include <fmt/format.h>

namespace crosswalk {
namespace {

constexpr std::array<std::string_view, 8> names{"converted", "refused",       "bad input", "not writable",
                                                "timed out", "out of memory", "crashed",   "cancelled"};

Severity severityFromName(std::string_view name)
{
    for (const Severity severity : {Severity::Error, Severity::Warning}) {
        if (severityName(severity) == name) {
            return severity;
        }
    }
    return Severity::Note;
}

} // namespace

std::string_view outcomeName(Outcome outcome)
{
    return names[static_cast<std::size_t>(outcome)];
}

std::optional<Outcome> outcomeFromName(std::string_view name)
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) {
            return static_cast<Outcome>(i);
        }
    }
    return std::nullopt;
}

Json toJson(const ModelOutcome& outcome)
{
    Json problems = Json::array();
    for (const ReportedProblem& problem : outcome.problems) {
        problems.push_back({{"severity", severityName(problem.severity)},
                            {"code", problem.code},
                            {"node", problem.node},
                            {"op", problem.op},
                            {"message", problem.message},
                            {"hint", problem.hint}});
    }
    return {{"model", outcome.model},
            {"outcome", outcomeName(outcome.outcome)},
            {"format", outcome.format},
            {"weights", outcome.weights},
            {"output", outcome.output},
            {"report", outcome.report},
            {"architecture", outcome.architecture},
            {"verdict", outcome.verdict},
            {"nodes", outcome.nodes},
            {"seconds", outcome.seconds},
            {"peak_bytes", outcome.peakBytes},
            {"problems", problems}};
}

std::vector<ReportedProblem> problemsFromJson(const Json& json)
{
    std::vector<ReportedProblem> problems;
    for (const Json& problem : json) {
        problems.push_back({.severity = severityFromName(problem.value("severity", "")),
                            .code = problem.value("code", ""),
                            .message = problem.value("message", ""),
                            .node = problem.value("node", ""),
                            .op = problem.value("op", ""),
                            .hint = problem.value("hint", "")});
    }
    return problems;
}

std::uint64_t countAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end()) {
        return 0;
    }
    if (!found->is_number_unsigned()) {
        throw ModelError("damaged", fmt::format("'{}' is not a count", key));
    }
    return found->get<std::uint64_t>();
}

std::string textOf(const Json& json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

ModelOutcome outcomeFromJson(const Json& json)
{
    try {
        ModelOutcome outcome;
        outcome.model = json.at("model").get<std::string>();
        const auto known = outcomeFromName(json.at("outcome").get<std::string>());
        if (!known) {
            throw ModelError("damaged", "has an outcome that is not known");
        }
        outcome.outcome = *known;
        outcome.format = json.value("format", "");
        outcome.weights = json.value("weights", "");
        outcome.output = json.value("output", "");
        outcome.report = json.value("report", "");
        outcome.architecture = json.value("architecture", "");
        outcome.verdict = json.value("verdict", "");
        outcome.nodes = countAt(json, "nodes");
        outcome.seconds = json.value("seconds", 0.0);
        outcome.peakBytes = countAt(json, "peak_bytes");
        outcome.problems = problemsFromJson(json.value("problems", Json::array()));
        return outcome;
    } catch (const Json::exception& error) {
        throw ModelError("damaged", std::string("is not a report of a collection: ") + error.what());
    }
}

} // namespace crosswalk
