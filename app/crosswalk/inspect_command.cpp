#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "core/base/visible_text.h"
#include "core/convert/select_outputs.h"
#include "core/formats/onnx_graph.h"
#include "core/graph/needed_nodes.h"
#include "core/graph/readable_shape.h"
#include "core/onnx/work.h"
#include "core/report/layer_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::app {
namespace {

constexpr std::size_t layerColumns = 7; ///< of the printed table
constexpr std::size_t firstNumber = 3;
constexpr std::size_t lastNumber = 5;

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

/// What --outputs leaves of a model.
struct InspectedPart {
    std::shared_ptr<const Graph> graph;
    std::vector<bool> values; ///< by value: whether it belongs to the part
    std::vector<bool> nodes;  ///< by node
};

Result<InspectedPart> partOf(const Model& model, const std::vector<std::string>& outputs)
{
    const std::shared_ptr<const Graph>& whole = model.loaded().graph;
    if (outputs.empty()) {
        return InspectedPart{whole, std::vector<bool>(whole->valueCount(), true),
                             std::vector<bool>(whole->nodeCount(), true)};
    }
    try {
        const auto cut = std::make_shared<const Graph>(withOutputs(*whole, outputs));
        return InspectedPart{cut, neededValues(*cut), neededNodes(*cut)};
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

/// Element types to the numbers of weights.
std::map<std::string, std::size_t> weightTypes(const InspectedPart& part)
{
    std::map<std::string, std::size_t> types;
    visitParameters(*part.graph, part.values, [&](const std::string&, const Tensor& tensor) {
        ++types[std::string(elementTypeName(tensor.type()))];
    });
    return types;
}

Json describe(const Model& model, const ModelSummary& summary, const InspectedPart& part)
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
             {{"tensors", parameters.tensors},
              {"elements", parameters.elements},
              {"bytes", parameters.bytes},
              {"types", weightTypes(part)}}},
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
                                                   : dim.is_null() ? std::string("*")
                                                                   : std::to_string(dim.get<std::int64_t>()));
        }
        shape = shape.empty() ? "scalar" : shape;
    }
    printLine("{:10} {}  {} {}", kind, tensor["name"].get<std::string>(),
              tensor["type"].is_null() ? "" : tensor["type"].get<std::string>(), shape);
}

/// Prints the format and the producer, in one line if the framework writes its own format.
void printOrigin(const ModelSummary& summary)
{
    const bool isOnnx = summary.format == "onnx";
    const auto opset = summary.opsets.find({});
    if (isOnnx) {
        printLine("{:10} ONNX{}", "format",
                  opset == summary.opsets.end() ? "" : fmt::format(", opset {}", opset->second));
    }
    if (!summary.producer.empty()) {
        printLine("{:10} {} {}", isOnnx ? "producer" : "format", summary.producer, summary.version);
    }
}

/// The first names of a list, and how many there are.
std::string beginningOf(const std::string& names)
{
    constexpr std::string_view comma = ", ";
    constexpr std::size_t shown = 4;
    std::size_t count = 1;
    std::size_t end = names.size();
    for (std::size_t at = names.find(comma); at != std::string::npos; at = names.find(comma, at + 1)) {
        end = count == shown ? at : end;
        ++count;
    }
    return count > shown ? fmt::format("{}, ... ({} in all)", names.substr(0, end), count) : names;
}

/// Prints a line with the number of nodes for each name.
void printCounts(std::string_view kind, const std::map<std::string, std::size_t>& counts)
{
    for (const auto& [name, count] : counts) {
        printLine("{:10} {:6} {}", kind, count, name);
    }
}

void printSignatures(const ModelSummary& summary)
{
    if (const auto tags = summary.metadata.find("tags"); tags != summary.metadata.end()) {
        printLine("{:10} {}", "tags", tags->second);
    }
    if (const auto others = summary.metadata.find("other_tags"); others != summary.metadata.end()) {
        printLine("{:10} {}", "other tags", others->second);
    }
    for (const Signature& signature : summary.signatures) {
        printLine("{:10} {}: {} -> {}{}", "signature", signature.name, fmt::join(signature.inputs, ", "),
                  fmt::join(signature.outputs, ", "), signature.isUsed ? " (used)" : "");
    }
}

Json describe(const Graph& graph, const LayerTable& table)
{
    const NodeNames names(graph);
    const auto orNull = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
    Json layers = Json::array();
    for (const LayerRow& row : table.rows) {
        const auto& [element, shape] = row.output;
        layers.push_back({{"name", names.of(row.node)},
                          {"operator", graph.node(row.node).op},
                          {"type", element != ElementType::Undefined ? Json(elementTypeName(element)) : Json(nullptr)},
                          {"shape", shape ? toJson(*shape) : Json(nullptr)},
                          {"parameters", row.weights.elements},
                          {"bytes", row.weights.bytes},
                          {"multiply_adds", orNull(row.multiplyAdds)},
                          {"counted_at", row.countedAt ? Json(names.of(row.countedAt)) : Json(nullptr)},
                          {"verdict", row.verdict ? Json(verdictName(*row.verdict)) : Json(nullptr)}});
    }
    return {{"layers", layers}, {"sizes_of_1", table.symbolsAsOne}};
}

/// Prints columns as wide as their widest text, those from `firstNumber` to `lastNumber` to the right.
template <std::size_t columns>
void printTable(std::vector<std::array<std::string, columns>> lines, std::size_t firstNumber, std::size_t lastNumber)
{
    std::array<std::size_t, columns> widths{};
    for (auto& line : lines) {
        for (std::size_t i = 0; i < columns; ++i) {
            line[i] = visibleLine(line[i]);
            widths[i] = std::max(widths[i], line[i].size());
        }
    }
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < columns; ++i) {
            text += i < firstNumber || i > lastNumber ? fmt::format("{:<{}}", line[i], widths[i])
                                                      : fmt::format("{:>{}}", line[i], widths[i]);
            text += "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        printLine("{}", text);
    }
}

std::string readableType(const TensorType& type)
{
    std::string text(type.element != ElementType::Undefined ? elementTypeName(type.element) : "");
    return type.shape ? text + (text.empty() ? "" : " ") + readableShape(*type.shape) : text;
}

Json describeWeights(const InspectedPart& part)
{
    Json list = Json::array();
    visitParameters(*part.graph, part.values, [&](const std::string& name, const Tensor& tensor) {
        list.push_back({{"name", name},
                        {"type", elementTypeName(tensor.type())},
                        {"shape", tensor.dims()},
                        {"elements", tensor.elements()},
                        {"bytes", tensor.bytes()}});
    });
    return {{"weights", list}};
}

void printWeights(const InspectedPart& part)
{
    std::vector<std::array<std::string, 4>> lines{{"weight", "type", "parameters", "size"}};
    visitParameters(*part.graph, part.values, [&](const std::string& name, const Tensor& tensor) {
        lines.push_back({name, readableType({tensor.type(), shapeOf(tensor.dims())}),
                         readableCount(static_cast<std::uint64_t>(tensor.elements())), readableBytes(tensor.bytes())});
    });
    printTable(std::move(lines), 2, 3);
}

void printLayers(const Graph& graph, const LayerTable& table)
{
    const NodeNames names(graph);
    std::vector<std::array<std::string, layerColumns>> lines{
        {"name", "operator", "output", "parameters", "size", "multiply-adds", "verdict"}};
    for (const LayerRow& row : table.rows) {
        lines.push_back({names.of(row.node), graph.node(row.node).op, readableType(row.output),
                         row.weights.elements > 0 ? readableCount(row.weights.elements) : "",
                         row.weights.bytes > 0 ? readableBytes(row.weights.bytes) : "",
                         row.multiplyAdds ? readableCount(static_cast<std::uint64_t>(*row.multiplyAdds))
                         : row.countedAt  ? "at " + names.of(row.countedAt)
                                          : "unknown",
                         std::string(row.verdict ? verdictName(*row.verdict) : "")});
    }
    printTable(std::move(lines), firstNumber, lastNumber);
}

struct InspectArguments {
    ModelArguments model;
    bool layers = false;
    bool weights = false;
    bool json = false;
    bool csv = false;
};

void printLayers(const InspectArguments& arguments, const Graph& graph, const LayerTable& table)
{
    if (arguments.json) {
        print(describe(graph, table));
    } else if (arguments.csv) {
        writeText(stdout, layersCsv(graph, table));
    } else {
        printLayers(graph, table);
    }
}

int runWeights(const InspectArguments& arguments, const Model& model, const InspectedPart& part)
{
    const std::vector<Diagnostic>& problems = model.problems();
    reportAll(problems, arguments.model.model(), arguments.json || arguments.csv);
    if (arguments.json) {
        print(describeWeights(part));
    } else if (arguments.csv) {
        writeText(stdout, weightsCsv(*part.graph, part.values));
    } else {
        printWeights(part);
    }
    return hasErrors(problems) ? BadInput : Done;
}

/// Prints a list of the layers, or of the weights.
int runList(const InspectArguments& arguments, const std::stop_token& stop)
{
    int status = Done;
    const ConvertOptions options = arguments.model.options();
    const auto model = arguments.model.read(stop, status);
    if (!model) {
        return status;
    }
    const std::vector<Diagnostic>& problems = model->problems();
    const auto inspected = partOf(*model, options.outputs);
    if (!inspected) {
        return reportError(inspected.problem(), arguments.model.model());
    }
    const InspectedPart& part = inspected.value();
    if (arguments.weights || isWeightsOnly(*part.graph)) { // there is nothing to convert
        return runWeights(arguments, *model, part);
    }
    auto exported = convert(*model, options, stop);
    if (!exported) {
        return reportError(exported.problem(), arguments.model.model());
    }
    reportAll(problems, arguments.model.model(), arguments.json || arguments.csv);
    OnnxExport& made = exported.value();
    Graph onnx = graphOf(made.conversion());
    printLayers(arguments, *part.graph, namedLayers(*part.graph, made.conversion(), onnx, stop, part.nodes));
    return hasErrors(problems) ? BadInput : Done;
}

int runInspect(const ModelArguments& arguments, bool json, const std::stop_token& stop)
{
    int status = Done;
    const ConvertOptions options = arguments.options();
    const auto model = arguments.read(stop, status);
    if (!model) {
        return status;
    }
    const auto summary = inspect(*model, options, stop);
    if (!summary) {
        return reportError(summary.problem(), arguments.model());
    }
    const Json about = describe(*model, summary.value(), partOf(*model, options.outputs).value());
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
    printLine("{:10} {} in {}, {}", "parameters", readableCount(parameters["elements"].get<std::uint64_t>()),
              counted(parameters["tensors"].get<std::uint64_t>(), "tensor"),
              readableBytes(parameters["bytes"].get<std::uint64_t>()));
    printCounts("type", parameters["types"].get<std::map<std::string, std::size_t>>());
    for (const char* const key : {"buffers", "device"}) {
        if (const auto entry = summary.value().metadata.find(key); entry != summary.value().metadata.end()) {
            printLine("{:10} {}", key, beginningOf(entry->second));
        }
    }
    if (work) {
        printLine("{:10} {}", "work", toString(*work));
    }
    for (const Json& state : about["states"]) {
        printLine("{:10} {} <- {}", "state", state["input"].get<std::string>(), state["output"].get<std::string>());
    }
    printCounts("operator", summary.value().operators);
    printCounts("function", summary.value().functions);
    printCounts("unused", summary.value().unused);
    for (const LookupTable& table : summary.value().tables) {
        printLine("{:10} {}: {} -> {}{}", "table", table.node, elementTypeName(table.keys),
                  elementTypeName(table.values), table.file.empty() ? "" : ", from " + table.file);
    }
    for (const std::string& asset : summary.value().assets) {
        printLine("{:10} {}", "asset", asset);
    }
    return status;
}

} // namespace

Command addInspect(CLI::App& app)
{
    auto arguments = std::make_shared<InspectArguments>();
    CLI::App* command = app.add_subcommand("inspect", "Summarize the contents of a model file");
    arguments->model.addModel(*command);
    arguments->model.addOutputs(*command);
    arguments->model.addSignature(*command);
    auto* json = command->add_flag("--json", arguments->json, "as JSON");
    auto* layers =
        command->add_flag("--layers", arguments->layers,
                          "list the nodes with their output shapes, parameters, work and verdicts; of a file that "
                          "contains only weights, list these");
    auto* weights = command->add_flag("--weights", arguments->weights, "list the weights with their types and shapes");
    auto* csv = command->add_flag("--csv", arguments->csv, "the list of layers or weights as comma-separated values");
    weights->excludes(layers);
    csv->excludes(json);
    command->callback([arguments] {
        if (arguments->csv && !arguments->layers && !arguments->weights) {
            throw CLI::RequiresError("--csv", "--layers or --weights");
        }
    });
    arguments->model.addShapes(*command);
    command->footer("Examples:\n"
                    "  crosswalk inspect model-symbol.json\n"
                    "  crosswalk inspect model-symbol.json --layers --csv --shape data=1,3,224,224 > layers.csv\n"
                    "  crosswalk inspect model.pt --weights");
    return {command, [arguments](std::stop_token stop) {
                const bool isList = arguments->layers || arguments->weights;
                return isList ? runList(*arguments, stop) : runInspect(arguments->model, arguments->json, stop);
            }};
}

} // namespace crosswalk::app
