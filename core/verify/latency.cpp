#include "core/verify/latency.h"

#include "core/base/temporary_folder.h"
#include "core/onnx/writer.h"
#include "core/verify/pairing.h"
#include "core/verify/random_inputs.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <onnx/onnx_pb.h>

namespace crosswalk {
namespace {

using Tensors = std::vector<NamedTensor>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t leastRuns = 3;
constexpr std::size_t mostRuns = 50;
constexpr double enough = 1; ///< seconds
constexpr std::string_view prefix = "crosswalk-node-";
constexpr std::string_view kernelTime = "_kernel_time";
constexpr std::string_view runTime = "model_run";

/// Names by which the profile refers to the nodes of the graph. Nodes of bodies get none of them.
void renameNodes(::onnx::GraphProto& graph, bool isBody)
{
    for (int i = 0; i < graph.node_size(); ++i) {
        auto& node = *graph.mutable_node(i);
        node.set_name(isBody ? std::string() : fmt::format("{}{}", prefix, i));
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                renameNodes(*attribute.mutable_g(), true);
            }
            for (auto& body : *attribute.mutable_graphs()) {
                renameNodes(body, true);
            }
        }
    }
}

/// Random inputs whose symbolic dimensions have this size.
Tensors randomInputs(const RuntimeSession& session, std::int64_t size, IntegerValues integers)
{
    Tensors inputs;
    for (const auto& port : session.inputs()) {
        std::vector<std::int64_t> dims;
        for (const Dim& dim : port.type.shape.value_or(Shape())) {
            dims.push_back(dim.isFixed() ? dim.size : size);
        }
        inputs.push_back({port.name, randomTensor(port.type.element, std::move(dims), port.name, 0, integers)});
    }
    return inputs;
}

std::vector<std::string> sizesOf(const RuntimeSession& session, std::int64_t size)
{
    std::map<std::string, std::int64_t> sizes;
    for (const auto& port : session.inputs()) {
        for (const Dim& dim : port.type.shape.value_or(Shape())) {
            if (!dim.isFixed()) {
                sizes.emplace(dim.symbol().empty() ? "?" : dim.symbol(), size);
            }
        }
    }
    std::vector<std::string> texts;
    texts.reserve(sizes.size());
    for (const auto& [symbol, value] : sizes) {
        texts.push_back(fmt::format("{} = {}", symbol, value));
    }
    return texts;
}

/// The first random inputs with which the model runs.
Tensors acceptedInputs(const RuntimeSession& session, LatencyReport& report, const std::stop_token& stop)
{
    std::optional<ModelError> first;
    for (const std::int64_t size : {1, 2, 4, 8, 16, 32, 64, 224}) {
        for (const IntegerValues integers : {IntegerValues::ZeroAndOne, IntegerValues::Ones}) {
            try {
                Tensors inputs = randomInputs(session, size, integers);
                session.run(inputs, stop);
                report.isRandom = true;
                report.sizes = sizesOf(session, size);
                return inputs;
            } catch (const ModelError& error) {
                if (error.diagnostic.code != Code("runtime")) {
                    throw;
                }
                first = first ? first : std::optional(error);
            }
        }
    }
    throw ModelError("runtime", fmt::format("the model does not run on random inputs: {}", first->diagnostic.message),
                     "set the shapes of the inputs");
}

/// The file that the profiler wrote into a folder.
nlohmann::json readProfile(const std::filesystem::path& folder)
{
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") {
            std::ifstream file(entry.path());
            auto events = nlohmann::json::parse(file, nullptr, false);
            if (events.is_array()) {
                return events;
            }
        }
    }
    throw ModelError("runtime", "ONNX Runtime wrote no readable profile");
}

/// The time of each run, in seconds and in order.
struct Times {
    std::vector<double> runs;
    std::vector<std::vector<double>> nodes;
};

Times timesOf(const nlohmann::json& events, std::size_t nodes)
{
    Times times;
    times.nodes.resize(nodes);
    for (const auto& event : events) {
        const auto name = event.is_object() ? event.value("name", std::string()) : std::string();
        if (!event.contains("dur") || !event["dur"].is_number()) {
            continue;
        }
        if (name == runTime) {
            times.runs.push_back(event["dur"].get<double>() * 1e-6);
        }
        if (!name.starts_with(prefix) || !name.ends_with(kernelTime)) {
            continue;
        }
        const std::string number = name.substr(prefix.size(), name.size() - prefix.size() - kernelTime.size());
        const bool isNumber =
            !number.empty() && number.find_first_not_of("0123456789") == std::string::npos && number.size() < 10;
        if (const std::size_t index = isNumber ? std::stoul(number) : nodes; index < nodes) {
            times.nodes[index].push_back(event["dur"].get<double>() * 1e-6);
        }
    }
    return times;
}

std::optional<double> meanAfterFirst(const std::vector<double>& times)
{
    return times.size() < 2 ? std::nullopt
                            : std::optional(std::accumulate(times.begin() + 1, times.end(), 0.0) /
                                            static_cast<double>(times.size() - 1));
}

LatencyReport measure(const OnnxModel& model, const std::filesystem::path& data, const std::stop_token& stop,
                      const RuntimeLimits& limits)
{
    const auto runtime = Runtime::start(limits, stop);
    LatencyReport report;
    report.runtimeVersion = runtime->version();
    const TemporaryFolder folder;
    OnnxModel named{std::make_shared<::onnx::ModelProto>(*model.proto), model.weights};
    renameNodes(*named.proto->mutable_graph(), false);
    const auto path = folder.path() / "model.onnx";
    writeOnnx(named, path, {}, stop);
    Tensors inputs;
    {
        // Which sizes the model accepts is tried without the profiler.
        const RuntimeSession session(runtime, path, {.optimize = false});
        inputs = data.empty() ? acceptedInputs(session, report, stop)
                              : pairInputs(session.inputs(), readDataSets(data).front());
    }
    {
        const auto profile = (folder.path() / "profile").string();
        const RuntimeSession session(runtime, path, {.optimize = false, .profile = profile});
        session.run(inputs, stop); // the first run allocates memory
        const auto start = Clock::now();
        const auto seconds = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
        while (report.runs < leastRuns || (report.runs < mostRuns && seconds() < enough)) {
            session.run(inputs, stop);
            ++report.runs;
        }
    } // the end of the session writes the profile
    const auto nodes = static_cast<std::size_t>(named.proto->graph().node_size());
    const Times times = timesOf(readProfile(folder.path()), nodes);
    report.total = meanAfterFirst(times.runs).value_or(0);
    std::ranges::transform(times.nodes, std::back_inserter(report.nodes), meanAfterFirst);
    return report;
}

} // namespace

Result<LatencyReport> measureLatency(const LazyModel& model, const std::filesystem::path& data, std::stop_token stop,
                                     const RuntimeLimits& limits)
{
    try {
        return measure(model.whole(), data, stop, limits);
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
