#include "core/collection/collection_report.h"

#include "core/base/diagnostic.h"
#include "core/collection/outcome_json.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace crosswalk {
namespace {

constexpr int reportVersion = 1;

} // namespace

std::array<std::size_t, 8> CollectionReport::counts() const
{
    std::array<std::size_t, 8> counts{};
    for (const ModelOutcome& model : models) {
        ++counts[static_cast<std::size_t>(model.outcome)];
    }
    return counts;
}

std::vector<Gap> CollectionReport::gaps() const
{
    std::map<std::tuple<std::string_view, std::string_view>, Gap> byReason;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i].outcome == Outcome::Converted) {
            continue;
        }
        for (const ReportedProblem& problem : models[i].problems) {
            if (problem.severity != Severity::Error) {
                continue;
            }
            Gap& gap = byReason[{problem.code, problem.op}];
            if (gap.models.empty()) {
                gap = {problem.code, problem.op, problem.message, {}};
            }
            if (gap.models.empty() || gap.models.back() != i) {
                gap.models.push_back(i);
            }
        }
    }
    std::vector<Gap> gaps;
    gaps.reserve(byReason.size());
    for (auto& [reason, gap] : byReason) {
        gaps.push_back(std::move(gap));
    }
    std::ranges::stable_sort(gaps, std::greater(), [](const Gap& gap) { return gap.models.size(); });
    return gaps;
}

std::vector<Architecture> CollectionReport::architectures() const
{
    std::map<std::string_view, std::size_t> known;
    std::vector<Architecture> all;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i].architecture.empty()) {
            continue;
        }
        const auto [entry, isNew] = known.try_emplace(models[i].architecture, all.size());
        if (isNew) {
            all.push_back({models[i].architecture, {}});
        }
        all[entry->second].models.push_back(i);
    }
    std::ranges::stable_sort(all, std::greater(), [](const Architecture& one) { return one.models.size(); });
    return all;
}

CollectionReport withoutWeightFiles(CollectionReport report)
{
    std::set<std::string> weights;
    for (const ModelOutcome& model : report.models) {
        if (!model.weights.empty() && model.weights != model.model) {
            weights.insert(model.weights);
        }
    }
    std::erase_if(report.models, [&](const ModelOutcome& model) { return weights.contains(model.model); });
    return report;
}

CollectionReport merged(std::span<const CollectionReport> parts)
{
    std::map<std::string, ModelOutcome> byName;
    for (const CollectionReport& part : parts) {
        for (const ModelOutcome& model : part.models) {
            const auto [entry, isNew] = byName.try_emplace(model.model, model);
            if (!isNew && (entry->second.outcome != Outcome::Converted || model.outcome == Outcome::Converted)) {
                entry->second = model;
            }
        }
    }
    CollectionReport report;
    report.models.reserve(byName.size());
    for (auto& [name, model] : byName) {
        report.models.push_back(std::move(model));
    }
    return report;
}

std::string reportJson(const CollectionReport& report)
{
    const auto namesOf = [&](const std::vector<std::size_t>& models) {
        Json names = Json::array();
        for (const std::size_t model : models) {
            names.push_back(report.models[model].model);
        }
        return names;
    };
    Json summary{{"models", report.models.size()}};
    const auto counts = report.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        summary[std::string(outcomeName(static_cast<Outcome>(i)))] = counts[i];
    }
    Json gaps = Json::array();
    for (const Gap& gap : report.gaps()) {
        gaps.push_back({{"code", gap.code}, {"op", gap.op}, {"message", gap.message}, {"models", namesOf(gap.models)}});
    }
    Json architectures = Json::array();
    for (const Architecture& architecture : report.architectures()) {
        architectures.push_back({{"architecture", architecture.hash}, {"models", namesOf(architecture.models)}});
    }
    Json models = Json::array();
    for (const ModelOutcome& model : report.models) {
        models.push_back(toJson(model));
    }
    return textOf(Json{{"version", reportVersion},
                       {"crosswalk", CROSSWALK_VERSION},
                       {"folder", report.folder},
                       {"summary", summary},
                       {"gaps", gaps},
                       {"architectures", architectures},
                       {"models", models}},
                  2) +
           "\n";
}

CollectionReport reportFromJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("models") || !json["models"].is_array()) {
        throw ModelError("damaged", "is not the report of a collection", "crosswalk convert --batch writes them");
    }
    CollectionReport report;
    for (const Json& model : json["models"]) {
        report.models.push_back(outcomeFromJson(model));
    }
    if (const auto folder = json.find("folder"); folder != json.end() && folder->is_string()) {
        report.folder = folder->get<std::string>();
    }
    return report;
}

} // namespace crosswalk
