#include "core/convert/unknown_operator.h"

#include "core/base/similar_names.h"
#include "core/convert/framework.h"
#include "core/graph/attributes.h"
#include "core/graph/reads.h"

#include <algorithm>

namespace crosswalk {
namespace {

constexpr std::size_t mostOperators = 4;
constexpr std::size_t longestName = 256; ///< of an operator that is compared with others
constexpr std::size_t shortestPart = 4;  ///< of a name that the unknown one may contain, such as Relu in FastRelu

/// The name without its namespace, such as "add" of "family::add" and "conv" of "family.conv": operators are not
/// similar because they share a namespace.
std::string_view withoutNamespace(std::string_view op)
{
    const auto separator = op.find_last_of(":.");
    return separator + 1 < op.size() ? op.substr(separator + 1) : op;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return lower;
}

/// By value: whether it depends on one of the values, or is one of them.
std::vector<bool> dependentValues(const Graph& graph, const std::vector<ValueId>& on)
{
    std::vector<std::vector<std::uint32_t>> readers(graph.valueCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        forEachRead(graph, graph.node(NodeId{i}), [&](ValueId value) { readers[value.index].push_back(i); });
    }
    std::vector<bool> depends(graph.valueCount());
    std::vector<ValueId> open;
    const auto reach = [&](ValueId value) {
        if (value && !depends[value.index]) {
            depends[value.index] = true;
            open.push_back(value);
        }
    };
    std::ranges::for_each(on, reach);
    while (!open.empty()) {
        const ValueId value = open.back();
        open.pop_back();
        for (const std::uint32_t reader : readers[value.index]) {
            std::ranges::for_each(graph.node(NodeId{reader}).outputs, reach);
        }
    }
    return depends;
}

} // namespace

const std::string& operatorType(const Node& node)
{
    if (node.op == "Custom") {
        const auto type = std::ranges::find(node.attributes, "op_type", &Attribute::name);
        const std::string* text = type != node.attributes.end() ? textOf(*type) : nullptr;
        return text != nullptr ? *text : node.op;
    }
    return node.op;
}

std::vector<std::string> similarOperators(const Framework& framework, std::string_view op)
{
    if (op.size() > longestName) {
        return {};
    }
    std::map<std::string, std::string_view, std::less<>> whole; // by the lower case of the name without its namespace
    std::vector<std::string> names;
    for (const SupportedOperator& row : framework.operators()) {
        const bool isConverted = row.support != Support::NotSupported && row.support != Support::TrainingOnly;
        if (isConverted && whole.try_emplace(lowerCase(withoutNamespace(row.name)), row.name).second) {
            names.push_back(lowerCase(withoutNamespace(row.name)));
        }
    }
    const std::string written = lowerCase(withoutNamespace(op));
    std::vector<std::string> found = similarNames(written, names, mostOperators);
    std::ranges::stable_sort(names, std::greater{}, &std::string::size);
    for (const std::string& name : names) {
        const bool isPart = name.size() >= shortestPart && written.find(name) != std::string::npos;
        if (found.size() < mostOperators && isPart && std::ranges::find(found, name) == found.end()) {
            found.push_back(name);
        }
    }
    std::ranges::transform(found, found.begin(), [&](const std::string& name) { return std::string(whole[name]); });
    return found;
}

std::vector<ValueId> outputsWithout(const Graph& graph, std::span<const NodeId> nodes)
{
    std::vector<ValueId> results;
    for (const NodeId node : nodes) {
        const auto& own = graph.node(node).outputs;
        results.insert(results.end(), own.begin(), own.end());
    }
    const std::vector<bool> isBehind = dependentValues(graph, results);
    const std::vector<bool> isComputed = dependentValues(graph, graph.inputs);
    std::vector<ValueId> outputs;
    std::ranges::copy_if(graph.outputs, std::back_inserter(outputs),
                         [&](ValueId output) { return output && !isBehind[output.index]; });
    const auto end = [&](ValueId value) {
        const bool isInput = std::ranges::find(graph.inputs, value) != graph.inputs.end();
        const bool isKnown = std::ranges::find(outputs, value) != outputs.end();
        if (isComputed[value.index] && !isBehind[value.index] && !isInput && !isKnown) {
            outputs.push_back(value);
        }
    };
    for (const NodeId node : nodes) {
        forEachRead(graph, graph.node(node), end);
    }
    return outputs;
}

} // namespace crosswalk
