#include "core/formats/tensorflow/graph_builder.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/scope_builder.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The number of outputs that a model may have regardless of its file size.
constexpr std::size_t outputsOfAnyFile = 1U << 20U;

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

Graph buildGraph(const std::shared_ptr<const SourceFile>& file, const GraphDef& def,
                 const std::function<void()>& checkStop)
{
    const FunctionTable functions = tableOf(def.functions);
    std::size_t outputsLeft = outputsOfAnyFile + file->bytes().size() / 8;
    Graph graph = buildScope({.file = file,
                              .nodes = def.nodes,
                              .functions = functions,
                              .producer = def.producer,
                              .outputsLeft = outputsLeft});
    graph.producer = "TensorFlow";
    for (const FunctionDef& function : def.functions) {
        checkStop();
        try {
            Graph body = buildScope({.file = file,
                                     .nodes = function.nodes,
                                     .function = &function,
                                     .functions = functions,
                                     .producer = def.producer,
                                     .outputsLeft = outputsLeft});
            const SubgraphId id = graph.addSubgraph(std::make_shared<const Graph>(std::move(body)));
            graph.functions.push_back({std::string(function.signature.name), id});
        } catch (ModelError& error) {
            error.diagnostic.message =
                fmt::format("function {}: {}", function.signature.name, error.diagnostic.message);
            throw;
        }
    }
    return graph;
}

} // namespace crosswalk::tensorflow
