#include "app/crosswalk/json.h"
#include "app/crosswalk/printing.h"
#include "core/formats/model_files.h"
#include "core/graph/architecture_hash.h"

#include <cstdio>
#include <fmt/format.h>

namespace crosswalk::app {

Json toJson(const Shape& shape)
{
    Json dims = Json::array();
    for (const Dim& dim : shape) {
        if (dim.isFixed()) {
            dims.push_back(dim.size);
        } else if (dim.symbol().empty()) {
            dims.push_back(nullptr);
        } else {
            dims.push_back(dim.symbol());
        }
    }
    return dims;
}

Json toJson(const Diagnostic& problem)
{
    Json choices = Json::array();
    for (const Choice& choice : problem.choices) {
        choices.push_back({{"strategy", choice.strategy}, {"cost", choice.cost}, {"exact", choice.exact}});
    }
    return {{"severity", severityName(problem.severity)},
            {"code", problem.code.text()},
            {"node", problem.node},
            {"op", problem.op},
            {"attribute", problem.attribute},
            {"message", problem.message},
            {"hint", problem.hint},
            {"choices", choices}};
}

Json problemsJson(const LoadedModel& loaded, const Conversion& conversion)
{
    Json problems = Json::array();
    for (const auto* list : {&loaded.problems, &conversion.problems}) {
        for (const Diagnostic& problem : *list) {
            problems.push_back(toJson(problem));
        }
    }
    std::array<std::size_t, 5> counts{};
    for (const Verdict verdict : conversion.verdicts) {
        ++counts[static_cast<std::size_t>(verdict)];
    }
    Json summary{{"nodes", loaded.graph->nodeCount()}};
    for (const Verdict verdict :
         {Verdict::Exact, Verdict::Decomposed, Verdict::Approximate, Verdict::Unsupported, Verdict::Folded}) {
        summary[std::string(verdictName(verdict))] = counts[static_cast<std::size_t>(verdict)];
    }
    summary["behind_gaps"] = conversion.behindGaps.size();
    Json files = Json::array();
    for (const std::filesystem::path& file : filesOf(loaded)) {
        files.push_back(file.string());
    }
    return {{"model", loaded.path.string()},
            {"format", loaded.graph->format},
            {"weights", loaded.weights.string()},
            {"files", files},
            {"architecture", fmt::format("{:016x}", architectureHash(*loaded.graph))},
            {"problems", problems},
            {"summary", summary}};
}

void print(const Json& json)
{
    writeText(stdout, json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

} // namespace crosswalk::app
