#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/printing.h"
#include "core/compare/model_diff.h"
#include "core/formats/read_model.h"

#include <fmt/format.h>

namespace crosswalk::app {
namespace {

struct DiffArguments {
    std::string before;
    std::string after;
    bool json = false;
};

Json differencesJson(const std::vector<Difference>& differences)
{
    Json list = Json::array();
    for (const Difference& difference : differences) {
        list.push_back({{"what", difference.what}, {"before", difference.before}, {"after", difference.after}});
    }
    return list;
}

Json nodeJson(const Graph& graph, const NodeNames& names, NodeId id)
{
    return {{"node", names.of(id)}, {"op", graph.node(id).op}};
}

Json diffJson(const Graph& a, const Graph& b, const ModelDiff& diff)
{
    const NodeNames names(a);
    const NodeNames others(b);
    Json report{{"equal", diff.isEqual()},
                {"model", differencesJson(diff.model)},
                {"removed", Json::array()},
                {"added", Json::array()},
                {"changed", Json::array()}};
    for (std::uint32_t i = 0; i < diff.ofFirst.size(); ++i) {
        if (diff.ofFirst[i] == Change::Removed) {
            report["removed"].push_back(nodeJson(a, names, NodeId{i}));
        } else if (diff.ofFirst[i] == Change::Changed) {
            Json node = nodeJson(a, names, NodeId{i});
            node["counterpart"] = others.of(diff.match.ofFirst[i]);
            node["differences"] = differencesJson(diff.differences[i]);
            report["changed"].push_back(std::move(node));
        }
    }
    for (std::uint32_t i = 0; i < diff.ofSecond.size(); ++i) {
        if (diff.ofSecond[i] == Change::Added) {
            report["added"].push_back(nodeJson(b, others, NodeId{i}));
        }
    }
    return report;
}

std::string line(const Json& difference)
{
    const auto text = [&](const char* key) {
        const auto value = difference[key].get<std::string>();
        return value.empty() ? std::string("nothing") : value;
    };
    return fmt::format("{}: {} -> {}", difference["what"].get<std::string>(), text("before"), text("after"));
}

void printDiff(const Json& report)
{
    for (const Json& difference : report["model"]) {
        fmt::print("~ {}\n", line(difference));
    }
    for (const Json& node : report["removed"]) {
        fmt::print("- {} ({})\n", node["node"].get<std::string>(), node["op"].get<std::string>());
    }
    for (const Json& node : report["added"]) {
        fmt::print("+ {} ({})\n", node["node"].get<std::string>(), node["op"].get<std::string>());
    }
    for (const Json& node : report["changed"]) {
        for (const Json& difference : node["differences"]) {
            fmt::print("~ {} ({}): {}\n", node["node"].get<std::string>(), node["op"].get<std::string>(),
                       line(difference));
        }
    }
}

std::optional<LoadedModel> read(const std::string& path, const std::stop_token& stop, int& status)
{
    auto loaded = readModel({.model = path, .weights = {}, .stop = stop});
    if (!loaded) {
        status = reportError(loaded.problem(), path);
        return std::nullopt;
    }
    reportAll(loaded.value().problems, path, false);
    return std::move(loaded.value());
}

int runDiff(const DiffArguments& arguments, const std::stop_token& stop)
{
    int status = Done;
    const auto before = read(arguments.before, stop, status);
    const auto after = before ? read(arguments.after, stop, status) : std::nullopt;
    if (!after) {
        return status;
    }
    const ModelDiff diff = compareGraphs(*before->graph, *after->graph, stop);
    const Json report = diffJson(*before->graph, *after->graph, diff);
    if (arguments.json) {
        print(report);
    } else {
        printDiff(report);
        fmt::print("{} nodes are the same, {} changed, {} removed, {} added\n", diff.count(Change::Same),
                   diff.count(Change::Changed), diff.count(Change::Removed), diff.count(Change::Added));
    }
    return diff.isEqual() ? Done : Different;
}

} // namespace

Command addDiff(CLI::App& app)
{
    auto arguments = std::make_shared<DiffArguments>();
    CLI::App* command = app.add_subcommand("diff", "Compare two models node by node");
    command->add_option("BEFORE", arguments->before, "a model")->required();
    command->add_option("AFTER", arguments->after, "the model to compare it with")->required();
    command->add_flag("--json", arguments->json, "as JSON");
    command->footer("Example:\n  crosswalk diff model.onnx optimized.onnx\n\nExit status: 0 equal, 1 different.");
    return {command, [arguments](std::stop_token stop) { return runDiff(*arguments, stop); }};
}

} // namespace crosswalk::app
