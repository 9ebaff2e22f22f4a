// The neutral graph at 100,000 nodes: the target is less than 0.2 s of CPU time to build it and less than 100 MB.

#include "core/graph/graph.h"
#include "tests/bench/process.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

using namespace crosswalk;

namespace {

/// A chain of layers like those of real files: an operator with two inputs, a few attributes and a weight each.
Graph chain(std::int64_t nodes)
{
    Graph graph;
    ValueId last = graph.addValue({.name = "data"});
    graph.inputs.push_back(last);
    for (std::int64_t i = 0; i < nodes; ++i) {
        const ValueId weight =
            graph.addValue({.name = fmt::format("stage1_unit{}_conv_weight", i), .role = Role::Parameter});
        const NodeId node = graph.addNode({.op = "Convolution",
                                           .name = fmt::format("stage1_unit{}_conv", i),
                                           .inputs = {last, weight},
                                           .attributes = {{"kernel", std::string("(3, 3)")},
                                                          {"num_filter", std::string("64")},
                                                          {"pad", std::string("(1, 1)")}}});
        last = graph.addOutput(node, fmt::format("stage1_unit{}_conv_output", i));
    }
    graph.outputs.push_back(last);
    return graph;
}

void buildGraph(benchmark::State& state)
{
    std::uint64_t memory = 0;
    for (auto _ : state) {
        const std::uint64_t before = bench::anonymousMemory();
        const Graph graph = chain(state.range(0));
        memory = std::max(memory, bench::anonymousMemory() - before);
        benchmark::DoNotOptimize(graph.nodeCount());
    }
    state.counters["MB"] = static_cast<double>(memory) / 1e6;
}
BENCHMARK(buildGraph)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void findConsumers(benchmark::State& state)
{
    const Graph graph = chain(state.range(0));
    for (auto _ : state) {
        const Consumers consumers(graph);
        benchmark::DoNotOptimize(consumers.of(graph.outputs[0]));
    }
}
BENCHMARK(findConsumers)->Arg(100'000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
