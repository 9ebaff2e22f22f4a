#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "core/convert/select_outputs.h"
#include "core/formats/onnx_graph.h"
#include "core/graph/parameters.h"
#include "core/onnx/work.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::app {
namespace {

Json describe(const Work& work)
{
    return {{"multiply_adds", work.multiplyAdds},
            {"sizes_of_1", work.symbolsAsOne},
            {"nodes_not_counted", work.unknownNodes}};
}

/// The report of `inspect`, computed from the graph. Shapes and the amount of work are those that a conversion without
/// options other than the outputs infers.
Json describe(const LoadedModel& loaded, const std::vector<std::string>& outputs, std::optional<Work>& work)
{
    const Graph graph =
        outputs.empty() ? *loaded.graph : withOutputs(*loaded.graph, findOutputs(*loaded.graph, outputs));
    const std::vector<bool> needed =
        outputs.empty() ? std::vector<bool>(graph.valueCount(), true) : neededValues(graph);
    std::vector<TensorType> types;
    std::map<std::string, std::string> states;
    if (auto conversion = convert(*loaded.graph, {.outputs = outputs})) {
        work = workOf(graphOf(conversion.value()));
        types = std::move(conversion.value().valueTypes);
        states = std::move(conversion.value().states);
    }
    std::vector<ValueId> inputs;
    std::copy_if(graph.inputs.begin(), graph.inputs.end(), std::back_inserter(inputs),
                 [&](ValueId id) { return graph.value(id).role == Role::Data; });
    std::map<std::string, std::size_t> operators;
    for (const Node& node : graph.nodes()) {
        const bool isNeeded =
            outputs.empty() || std::any_of(node.outputs.begin(), node.outputs.end(),
                                           [&](ValueId output) { return output && needed[output.index]; });
        if (isNeeded) {
            ++operators[node.op];
        }
    }
    const ParameterCount parameters = countParameters(graph, needed);
    Json pairs = Json::array();
    for (const auto& [input, output] : states) {
        pairs.push_back({{"input", input}, {"output", output}});
    }
    return {{"path", loaded.path.string()},
            {"format", graph.format},
            {"producer", graph.producer},
            {"version", graph.version},
            {"opsets", graph.opsets},
            {"inputs", inputsOrOutputs(graph, inputs, types)},
            {"outputs", inputsOrOutputs(graph, graph.outputs, types)},
            {"operators", operators},
            {"parameters",
             {{"tensors", parameters.tensors}, {"elements", parameters.elements}, {"bytes", parameters.bytes}}},
            {"work", work ? describe(*work) : Json()},
            {"states", pairs},
            {"metadata", graph.metadata}};
}

void printTensor(const Json& tensor, std::string_view kind)
{
    std::string shape;
    if (tensor["shape"].is_null()) {
        shape = "unknown shape";
    } else {
        for (const Json& dim : tensor["shape"]) {
            shape += (shape.empty() ? "" : "x") + (dim.is_string() ? dim.get<std::string>()
                                                   : dim.is_null() ? std::string("?")
                                                                   : std::to_string(dim.get<std::int64_t>()));
        }
        shape = shape.empty() ? "scalar" : shape;
    }
    fmt::print("{:10} {}  {} {}\n", kind, tensor["name"].get<std::string>(),
               tensor["type"].is_null() ? "" : tensor["type"].get<std::string>(), shape);
}

/// Prints the format and the producer, in one line if the framework writes its own format.
void printOrigin(const Graph& graph)
{
    const bool isOnnx = graph.format == "onnx";
    const auto opset = graph.opsets.find({});
    if (isOnnx) {
        fmt::print("{:10} ONNX{}\n", "format",
                   opset == graph.opsets.end() ? "" : fmt::format(", opset {}", opset->second));
    }
    if (!graph.producer.empty()) {
        fmt::print("{:10} {} {}\n", isOnnx ? "producer" : "format", graph.producer, graph.version);
    }
}

int runInspect(const ModelArguments& model, bool json, std::stop_token stop)
{
    int status = Done;
    const auto loaded = model.read(std::move(stop), status);
    if (!loaded) {
        return status;
    }
    std::optional<Work> work;
    const Json about = describe(*loaded, model.options().outputs, work);
    reportAll(loaded->problems, model.model(), json);
    status = hasErrors(loaded->problems) ? BadInput : Done;
    if (json) {
        print(about);
        return status;
    }
    printOrigin(*loaded->graph);
    for (const Json& input : about["inputs"]) {
        printTensor(input, "input");
    }
    for (const Json& output : about["outputs"]) {
        printTensor(output, "output");
    }
    const Json& parameters = about["parameters"];
    fmt::print("{:10} {} in {}, {}\n", "parameters", readableCount(parameters["elements"].get<std::uint64_t>()),
               counted(parameters["tensors"].get<std::uint64_t>(), "tensor"),
               readableBytes(parameters["bytes"].get<std::uint64_t>()));
    if (work) {
        fmt::print("{:10} {}\n", "work", toString(*work));
    }
    for (const Json& state : about["states"]) {
        fmt::print("{:10} {} <- {}\n", "state", state["input"].get<std::string>(), state["output"].get<std::string>());
    }
    for (const auto& [op, count] : about["operators"].items()) {
        fmt::print("{:10} {:6} {}\n", "operator", count.get<std::size_t>(), op);
    }
    return status;
}

} // namespace

Command addInspect(CLI::App& app)
{
    struct Arguments {
        ModelArguments model;
        bool json = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("inspect", "Summarize the contents of a model file");
    arguments->model.addModel(*command);
    arguments->model.addOutputs(*command);
    command->add_flag("--json", arguments->json, "as JSON");
    command->footer("Example:\n  crosswalk inspect model-symbol.json");
    return {command, [arguments](std::stop_token stop) {
                return runInspect(arguments->model, arguments->json, std::move(stop));
            }};
}

} // namespace crosswalk::app
