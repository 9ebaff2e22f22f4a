#include "core/verify/verify.h"

#include "core/verify/compare.h"
#include "core/verify/data_sets.h"
#include "core/verify/pairing.h"
#include "core/verify/runtime.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;
using Tensors = std::vector<NamedTensor>;

/// Names of recorded outputs as an export writes them: the second output of a name is `name#2`.
std::vector<std::string> uniqueNames(const Tensors& recorded)
{
    std::map<std::string, int> seen;
    std::vector<std::string> names;
    for (const NamedTensor& tensor : recorded) {
        const int count = ++seen[tensor.name];
        names.push_back(count == 1 ? tensor.name : fmt::format("{}#{}", tensor.name, count));
    }
    return names;
}

Comparison unpaired(std::string name, std::string why)
{
    Comparison comparison;
    comparison.name = std::move(name);
    comparison.why = std::move(why);
    return comparison;
}

std::vector<Comparison> compareOutputs(const Tensors& got, const Tensors& recorded, const Tolerance& tolerance)
{
    std::vector<std::string> names;
    for (const NamedTensor& tensor : got) {
        names.push_back(tensor.name);
    }
    const auto recordedNames = uniqueNames(recorded);
    const auto pairs = pairNames(names, recordedNames);
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < got.size(); ++i) {
        comparisons.push_back(pairs[i] ? compare(names[i], got[i].tensor, recorded[*pairs[i]].tensor, tolerance)
                                       : unpaired(names[i], "no recorded tensor"));
    }
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (std::ranges::find(pairs, i) == pairs.end()) {
            comparisons.push_back(unpaired(recordedNames[i], "the model has no such output"));
        }
    }
    return comparisons;
}

bool allEqual(const std::vector<Comparison>& comparisons)
{
    return std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.equal; });
}

std::vector<Comparison> verifySet(const RuntimeSession& session, const DataSet& set, const Tolerance& tolerance,
                                  const std::stop_token& stop)
{
    const Tensors got = session.run(pairInputs(session.inputs(), set), stop);
    auto comparisons = compareOutputs(got, set.outputs, tolerance);
    if (allEqual(comparisons)) {
        return comparisons;
    }
    for (const auto& [name, outputs] : set.alternatives) {
        if (auto others = compareOutputs(got, outputs, tolerance); allEqual(others)) {
            for (Comparison& comparison : others) {
                comparison.why = fmt::format("matches the alternative outputs in {}", name);
            }
            return others;
        }
    }
    return comparisons;
}

} // namespace

bool VerifyReport::equal() const
{
    return !outputs.empty() && allEqual(outputs);
}

Result<VerifyReport> verify(const fs::path& model, const fs::path& data, const Tolerance& tolerance,
                            std::stop_token stop, const RuntimeLimits& limits)
{
    try {
        const auto sets = readDataSets(data);
        const auto runtime = Runtime::start(limits, stop);
        const RuntimeSession session(runtime, model);
        VerifyReport report;
        report.runtimeVersion = runtime->version();
        for (const DataSet& set : sets) {
            auto comparisons = verifySet(session, set, tolerance, stop);
            for (Comparison& comparison : comparisons) {
                if (!comparison.equal && sets.size() > 1) {
                    comparison.why = fmt::format("in {}: {}", set.folder.filename().string(), comparison.why);
                }
            }
            report.outputs.insert(report.outputs.end(), comparisons.begin(), comparisons.end());
            ++report.dataSets;
        }
        return report;
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
