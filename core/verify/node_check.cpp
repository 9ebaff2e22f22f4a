#include "core/verify/node_check.h"

#include "core/onnx/proto.h"
#include "core/verify/equivalence.h"
#include "core/verify/inner.h"

#include <algorithm>
#include <map>
#include <set>

namespace crosswalk {
namespace {

constexpr std::uint32_t ambiguous = ValueId::none;

/// Source values by name. A name that two values share is ambiguous and finds neither.
class ValuesByName {
public:
    void add(const std::string& name, ValueId value)
    {
        if (!name.empty()) {
            const auto [at, isNew] = m_values.try_emplace(name, value.index);
            at->second = isNew || at->second == value.index ? value.index : ambiguous;
        }
    }
    std::optional<ValueId> find(const std::string& name) const
    {
        const auto found = m_values.find(name);
        return found != m_values.end() && found->second != ambiguous ? std::optional(ValueId{found->second})
                                                                     : std::nullopt;
    }

private:
    std::map<std::string, std::uint32_t> m_values;
};

ValuesByName computedValues(const Graph& graph)
{
    ValuesByName values;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        if (graph.value(ValueId{i}).producer) {
            values.add(graph.value(ValueId{i}).name, ValueId{i});
        }
    }
    return values;
}

/// Maps names of source values to their names in the export, where they differ.
std::map<std::string, std::string> exportedNames(const Graph& graph, const Conversion& conversion,
                                                 const ValuesByName& computed)
{
    std::map<std::string, std::string> names;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        const std::string& name = graph.value(ValueId{i}).name;
        if (computed.find(name) == ValueId{i}) {
            names.emplace(name, conversion.valueNames[i]);
        }
    }
    return names;
}

void judge(const Graph& graph, NodeCheck& check)
{
    std::stable_sort(check.values.begin(), check.values.end(), [&](const auto& a, const auto& b) {
        return graph.value(a.value).producer.index < graph.value(b.value).producer.index;
    });
    check.proofs.assign(graph.nodeCount(), Proof::NotChecked);
    check.worst.resize(graph.nodeCount());
    for (std::size_t i = 0; i < check.values.size(); ++i) {
        const NodeId node = graph.value(check.values[i].value).producer;
        if (!node) {
            continue;
        }
        const Comparison& found = check.values[i].comparison;
        auto& worst = check.worst[node.index];
        const bool isWorse = !worst || (check.values[*worst].comparison.equal && !found.equal) ||
                             (check.values[*worst].comparison.equal == found.equal &&
                              check.values[*worst].comparison.maxAbsolute < found.maxAbsolute);
        worst = isWorse ? i : *worst;
        if (!found.equal) {
            check.proofs[node.index] = Proof::Differs;
        } else if (check.proofs[node.index] == Proof::NotChecked) {
            check.proofs[node.index] = Proof::Proven;
        }
    }
    const auto first = std::find(check.proofs.begin(), check.proofs.end(), Proof::Differs);
    if (first != check.proofs.end()) {
        check.firstDifference = NodeId{static_cast<std::uint32_t>(first - check.proofs.begin())};
    }
}

} // namespace

std::size_t NodeCheck::count(Proof proof) const
{
    return static_cast<std::size_t>(std::count(proofs.begin(), proofs.end(), proof));
}

Result<NodeCheck> checkNodes(const Graph& graph, const Conversion& conversion, const std::filesystem::path& exported,
                             const std::filesystem::path& data, const Tolerance& tolerance, std::stop_token stop,
                             const RuntimeLimits& limits)
{
    auto outputs = verify(exported, data, tolerance, stop, limits);
    if (!outputs) {
        return outputs.problem();
    }
    NodeCheck check;
    check.outputs = std::move(outputs.value());
    ValuesByName outputNames;
    for (const auto output : graph.outputs) {
        outputNames.add(conversion.valueNames[output.index], output);
    }
    for (const auto& comparison : check.outputs.outputs) {
        if (const auto value = outputNames.find(comparison.name)) {
            check.values.push_back({*value, comparison});
        }
    }
    if (hasInner(data)) {
        const ValuesByName computed = computedValues(graph);
        const auto names = exportedNames(graph, conversion, computed);
        auto inner = verifyInner(exported, data, tolerance, stop, names, limits);
        if (!inner && inner.problem().code == Code("cancelled")) {
            return inner.problem();
        }
        if (!inner) {
            check.innerProblem = inner.problem();
        } else {
            for (auto& comparison : inner.value().values) {
                if (const auto value = computed.find(comparison.name)) {
                    check.values.push_back({*value, std::move(comparison)});
                }
            }
        }
    }
    judge(graph, check);
    return check;
}

Result<NodeCheck> checkAgainstOriginal(const Graph& graph, const OnnxModel& original, const Conversion& conversion,
                                       const Tolerance& tolerance, std::stop_token stop, const RuntimeLimits& limits)
{
    std::map<std::string, std::string> originals;
    std::map<std::string, ValueId> values;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        if (const std::string& name = conversion.valueNames[i]; !name.empty()) {
            originals.emplace(name, graph.value(ValueId{i}).name);
            values.emplace(name, ValueId{i});
        }
    }
    const BatchFacts facts{limitOf(conversion), timeAxes(graph)};
    auto report =
        verifyEquivalence(original, conversion.model.whole(), originals, facts, tolerance, std::move(stop), {}, limits);
    if (!report) {
        return report.problem();
    }
    NodeCheck check;
    check.isOriginal = true;
    check.times = report.value().times;
    check.limit = report.value().limit;
    check.outputs.runtimeVersion = report.value().runtimeVersion;
    check.outputs.dataSets = check.times.size();
    std::set<std::string> outputs;
    for (const auto& output : conversion.model.frame().graph().output()) {
        outputs.insert(output.name());
    }
    for (const auto& [times, comparison] : report.value().values) {
        if (outputs.contains(comparison.name)) {
            check.outputs.outputs.push_back(comparison);
        }
        if (const auto value = values.find(comparison.name); value != values.end()) {
            check.values.push_back({value->second, comparison});
        }
    }
    judge(graph, check);
    return check;
}

} // namespace crosswalk
