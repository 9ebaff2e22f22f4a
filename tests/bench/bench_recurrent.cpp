// The forms of recurrent layers that ONNX's operators do not support, in ONNX Runtime: an LSTM with 256 units over 200
// steps with a batch of 8, with a clipped cell state or a projected h. docs/rnn-gaps.md contains the results.
//
// Times are CPU seconds of one thread: conversion with writing, loading, and the median of the runs.

#include "core/base/cpu_time.h"
#include "core/base/temporary_folder.h"
#include "core/convert/conversion.h"
#include "core/onnx/writer.h"
#include "core/verify/runtime.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

using namespace crosswalk;

namespace {

constexpr std::int64_t steps = 200;
constexpr std::int64_t batch = 8;
constexpr std::int64_t units = 256;
constexpr std::int64_t features = 256;
constexpr std::int64_t projection = 128;
constexpr int runs = 15;

struct Layer {
    std::string_view name;
    std::int64_t outputs; ///< width of h
    std::vector<Attribute> attributes;
};

Tensor noise(std::vector<std::int64_t> dims, float range, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-range, range);
    std::size_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= static_cast<std::size_t>(dim);
    }
    std::vector<float> values(count);
    std::generate(values.begin(), values.end(), [&] { return uniform(generator); });
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values);
}

Graph graphOf(const Layer& layer)
{
    Graph graph;
    graph.format = "mxnet";
    const ValueId data =
        graph.addValue({.name = "data", .type = {ElementType::Float32, Shape{steps, batch, features}}});
    graph.inputs = {data};
    const auto stored = [&](const std::string& name, const Tensor& tensor) {
        const TensorId id = graph.addTensor(tensor);
        return graph.addValue({.name = name, .tensor = id, .role = Role::Parameter});
    };
    const bool projects = layer.outputs != units;
    const std::int64_t parameters = 4 * units * (features + layer.outputs + 2) + (projects ? layer.outputs * units : 0);
    const float range = 1.0F / std::sqrt(static_cast<float>(units));
    const ValueId packed = stored("parameters", noise({parameters}, range, 1));
    const ValueId h = stored("h", Tensor::filled(ElementType::Float32, {1, batch, layer.outputs}, 0));
    const ValueId c = stored("c", Tensor::filled(ElementType::Float32, {1, batch, units}, 0));
    Node node{.op = "RNN", .name = "lstm", .inputs = {data, packed, h, c}, .attributes = layer.attributes};
    node.attributes.push_back({"mode", std::string("lstm")});
    node.attributes.push_back({"state_size", std::to_string(units)});
    node.attributes.push_back({"num_layers", std::string("1")});
    const NodeId id = graph.addNode(std::move(node));
    graph.outputs = {graph.addOutput(id, "lstm_output")};
    return graph;
}

struct Measured {
    int nodes;
    std::uint64_t bytes;
    double converting;
    double loading;
    double running; ///< median
    std::vector<double> output;
};

Measured measure(const Graph& graph, Strategy strategy)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "model.onnx";
    Measured measured{};
    double start = threadCpuSeconds();
    const Conversion conversion = convert(graph, {.recurrent = strategy}).value();
    measured.bytes = writeOnnx(conversion.model, path).bytes;
    measured.converting = threadCpuSeconds() - start;
    measured.nodes = static_cast<int>(conversion.sources.size());
    start = threadCpuSeconds();
    const RuntimeSession session(Runtime::load(), path, {.threads = 1});
    measured.loading = threadCpuSeconds() - start;
    const std::vector<NamedTensor> inputs{{"data", noise({steps, batch, features}, 1, 2)}};
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        start = threadCpuSeconds();
        const auto outputs = session.run(inputs);
        times.push_back(threadCpuSeconds() - start);
        measured.output = outputs.front().tensor.toDoubles();
    }
    std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
    measured.running = times[runs / 2];
    return measured;
}

void compare(const Layer& layer)
{
    fmt::print("{}\n", layer.name);
    fmt::print("  {:10} {:>7} {:>9} {:>10} {:>10} {:>10} {:>12}\n", "form", "nodes", "MB", "convert s", "load s",
               "run ms", "difference");
    const Graph graph = graphOf(layer);
    std::vector<double> exact;
    for (const Strategy strategy : {Strategy::Exact, Strategy::Fused, Strategy::Unrolled}) {
        const Measured measured = measure(graph, strategy);
        if (exact.empty()) {
            exact = measured.output;
        }
        double worst = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            worst = std::max(worst, std::abs(exact[i] - measured.output[i]));
        }
        fmt::print("  {:10} {:>7} {:>9.2f} {:>10.3f} {:>10.3f} {:>10.1f} {:>12.1e}\n", strategyName(strategy),
                   measured.nodes, static_cast<double>(measured.bytes) / 1e6, measured.converting, measured.loading,
                   measured.running * 1e3, worst);
    }
}

} // namespace

int main()
{
    Runtime::load(); // so that loading the runtime is not measured
    fmt::print("LSTM, {} steps, batch {}, {} features, {} units, one thread, median of {} runs\n", steps, batch,
               features, units, runs);
    const std::string bound = "0.05";
    compare({"cell state clipped to [-0.05, 0.05]",
             units,
             {{"lstm_state_clip_min", "-" + bound}, {"lstm_state_clip_max", bound}}});
    compare({"h projected to 128 features", projection, {{"projection_size", std::to_string(projection)}}});
}
