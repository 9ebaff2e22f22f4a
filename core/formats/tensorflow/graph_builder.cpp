#include "core/formats/tensorflow/graph_builder.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/scope_builder.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

FunctionTable tableOf(const std::vector<FunctionDef>& functions)
{
    FunctionTable table;
    for (const FunctionDef& function : functions) {
        if (!table.emplace(function.signature.name, &function).second) {
            throw ModelError("damaged", fmt::format("two functions have the name '{}' (the second one at byte {})",
                                                    function.signature.name, function.begin));
        }
    }
    return table;
}

} // namespace

Graph buildGraph(const std::shared_ptr<const SourceFile>& file, const GraphDef& def, Budget budget,
                 const std::function<void()>& checkStop)
{
    const FunctionTable functions = tableOf(def.functions);
    std::uint64_t nodes = def.nodes.size();
    for (const FunctionDef& function : def.functions) {
        nodes += function.nodes.size();
    }
    budget.expectNodes(nodes);
    Graph graph = buildScope(
        {.file = file, .nodes = def.nodes, .functions = functions, .producer = def.producer, .budget = budget});
    graph.producer = "TensorFlow";
    for (const FunctionDef& function : def.functions) {
        checkStop();
        try {
            Graph body = buildScope({.file = file,
                                     .nodes = function.nodes,
                                     .function = &function,
                                     .functions = functions,
                                     .producer = def.producer,
                                     .budget = budget});
            const SubgraphId id = graph.addSubgraph(std::make_shared<const Graph>(std::move(body)));
            graph.functions.push_back({std::string(function.signature.name), id});
        } catch (ModelError& error) {
            if (error.diagnostic.code != Code("large-file")) { // that is about the whole file
                error.diagnostic.message =
                    fmt::format("function {}: {}", function.signature.name, error.diagnostic.message);
            }
            throw;
        }
    }
    graph.budget = budget;
    return graph;
}

} // namespace crosswalk::tensorflow
