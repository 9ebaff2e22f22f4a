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
    const auto names = uniqueNames(recorded);
    const bool byName = std::all_of(names.begin(), names.end(),
                                    [&](const std::string& name) { return findNamed(got, name) != nullptr; });
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto named = std::find(names.begin(), names.end(), got[i].name);
        const auto index = byName ? static_cast<std::size_t>(named - names.begin()) : i;
        if (index < recorded.size()) {
            comparisons.push_back(compare(got[i].name, got[i].tensor, recorded[index].tensor, tolerance));
        } else {
            comparisons.push_back(unpaired(got[i].name, "no recorded tensor"));
        }
    }
    for (std::size_t i = byName ? recorded.size() : got.size(); i < recorded.size(); ++i) {
        comparisons.push_back(unpaired(names[i], "the model has no such output"));
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
    for (const Tensors& alternative : set.alternatives) {
        if (auto others = compareOutputs(got, alternative, tolerance); allEqual(others)) {
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
            report.outputs.insert(report.outputs.end(), comparisons.begin(), comparisons.end());
            ++report.dataSets;
        }
        return report;
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
