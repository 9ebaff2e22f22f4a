#include "core/convert/check_options.h"

#include "core/base/diagnostic.h"
#include "core/convert/framework.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace crosswalk {
namespace {

/// The inputs whose shapes users set.
std::vector<std::string> dataInputs(const Graph& graph)
{
    std::vector<std::string> names;
    for (const ValueId id : graph.inputs) {
        if (graph.value(id).role == Role::Data) {
            names.push_back(graph.value(id).name);
        }
    }
    return names;
}

} // namespace

void checkNames(const ConvertOptions& options, const Graph& graph, const SourceNames& names,
                const std::function<bool(std::string_view name)>& isInput)
{
    const auto check = [&](const std::string& name, std::string_view option) {
        if (!isInput(name)) {
            throw ModelError("unknown-input", fmt::format("{}: the model has no input {}; its inputs are {}", option,
                                                          name, fmt::join(dataInputs(graph), ", ")));
        }
    };
    for (const auto& [name, strategy] : options.strategies) {
        if (!names.find(name)) {
            throw ModelError("unknown-node", fmt::format("--strategy: the model has no node {}", name));
        }
    }
    for (const auto& [name, shape] : options.shapes) {
        check(name, "--shape");
    }
    for (const auto& [name, type] : options.types) {
        check(name, "--dtype");
    }
}

bool areDefault(const ConvertOptions& options)
{
    // Lists all members, so that a new one does not compile until it is considered here.
    const auto& [opset, shapes, types, recurrent, strategies, customOperators, renames, outputs, part, scanOverBatch,
                 reroll, optimize, fuseAttention] = options;
    const bool setsNames = !shapes.empty() || !types.empty() || !strategies.empty() || !customOperators.empty() ||
                           !renames.empty() || !outputs.empty() || part || !scanOverBatch.empty();
    return !setsNames && !opset && recurrent == Strategy::Exact && !reroll && !optimize && !fuseAttention;
}

bool canBeRerolled(const Graph& graph)
{
    const Framework* framework = findFramework(graph.format);
    return framework != nullptr && framework->rerolls;
}

} // namespace crosswalk
