#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "core/onnx/work.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::app {
namespace {

Json describe(const Work& work)
{
    return {{"multiply_adds", work.multiplyAdds},
            {"sizes_of_1", work.symbolsAsOne},
            {"nodes_not_counted", work.unknownNodes}};
}

Json portsJson(const std::vector<Port>& ports)
{
    Json list = Json::array();
    for (const Port& port : ports) {
        const bool hasElement = port.type.element != ElementType::Undefined;
        list.push_back({{"name", port.name},
                        {"type", hasElement ? Json(elementTypeName(port.type.element)) : Json(nullptr)},
                        {"shape", port.type.shape ? toJson(*port.type.shape) : Json(nullptr)}});
    }
    return list;
}

Json describe(const Model& model, const ModelSummary& summary)
{
    Json pairs = Json::array();
    for (const auto& [input, output] : summary.states) {
        pairs.push_back({{"input", input}, {"output", output}});
    }
    Json signatures = Json::array();
    for (const Signature& signature : summary.signatures) {
        signatures.push_back({{"name", signature.name},
                              {"inputs", signature.inputs},
                              {"outputs", signature.outputs},
                              {"used", signature.isUsed}});
    }
    Json tables = Json::array();
    for (const LookupTable& table : summary.tables) {
        tables.push_back({{"node", table.node},
                          {"keys", elementTypeName(table.keys)},
                          {"values", elementTypeName(table.values)},
                          {"file", table.file}});
    }
    const ParameterCount& parameters = summary.parameters;
    return {{"path", model.path().string()},
            {"format", summary.format},
            {"producer", summary.producer},
            {"version", summary.version},
            {"opsets", summary.opsets},
            {"inputs", portsJson(summary.inputs)},
            {"outputs", portsJson(summary.outputs)},
            {"operators", summary.operators},
            {"parameters",
             {{"tensors", parameters.tensors}, {"elements", parameters.elements}, {"bytes", parameters.bytes}}},
            {"work", summary.work ? describe(*summary.work) : Json()},
            {"states", pairs},
            {"signatures", signatures},
            {"functions", summary.functions},
            {"unused", summary.unused},
            {"tables", tables},
            {"assets", summary.assets},
            {"metadata", summary.metadata}};
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
void printOrigin(const ModelSummary& summary)
{
    const bool isOnnx = summary.format == "onnx";
    const auto opset = summary.opsets.find({});
    if (isOnnx) {
        fmt::print("{:10} ONNX{}\n", "format",
                   opset == summary.opsets.end() ? "" : fmt::format(", opset {}", opset->second));
    }
    if (!summary.producer.empty()) {
        fmt::print("{:10} {} {}\n", isOnnx ? "producer" : "format", summary.producer, summary.version);
    }
}

/// Prints a line with the number of nodes for each name.
void printCounts(std::string_view kind, const std::map<std::string, std::size_t>& counts)
{
    for (const auto& [name, count] : counts) {
        fmt::print("{:10} {:6} {}\n", kind, count, name);
    }
}

void printSignatures(const ModelSummary& summary)
{
    if (const auto tags = summary.metadata.find("tags"); tags != summary.metadata.end()) {
        fmt::print("{:10} {}\n", "tags", tags->second);
    }
    for (const Signature& signature : summary.signatures) {
        fmt::print("{:10} {}: {} -> {}{}\n", "signature", signature.name, fmt::join(signature.inputs, ", "),
                   fmt::join(signature.outputs, ", "), signature.isUsed ? " (used)" : "");
    }
}

int runInspect(const ModelArguments& arguments, bool json, const std::stop_token& stop)
{
    int status = Done;
    const auto model = arguments.read(stop, status);
    if (!model) {
        return status;
    }
    const auto summary = inspect(*model, arguments.options().outputs, stop);
    if (!summary) {
        return reportError(summary.problem(), arguments.model());
    }
    const Json about = describe(*model, summary.value());
    const std::optional<Work>& work = summary.value().work;
    reportAll(model->problems(), arguments.model(), json);
    status = hasErrors(model->problems()) ? BadInput : Done;
    if (json) {
        print(about);
        return status;
    }
    printOrigin(summary.value());
    printSignatures(summary.value());
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
    printCounts("operator", summary.value().operators);
    printCounts("function", summary.value().functions);
    printCounts("unused", summary.value().unused);
    for (const LookupTable& table : summary.value().tables) {
        fmt::print("{:10} {}: {} -> {}{}\n", "table", table.node, elementTypeName(table.keys),
                   elementTypeName(table.values), table.file.empty() ? "" : ", from " + table.file);
    }
    for (const std::string& asset : summary.value().assets) {
        fmt::print("{:10} {}\n", "asset", asset);
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
    arguments->model.addSignature(*command);
    command->add_flag("--json", arguments->json, "as JSON");
    command->footer("Example:\n  crosswalk inspect model-symbol.json");
    return {command, [arguments](std::stop_token stop) { return runInspect(arguments->model, arguments->json, stop); }};
}

} // namespace crosswalk::app
