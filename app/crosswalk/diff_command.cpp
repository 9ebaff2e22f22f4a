#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "crosswalk/crosswalk.h"

#include <fmt/format.h>

namespace crosswalk::app {
namespace {

struct DiffArguments {
    std::string before;
    std::string after;
    bool json = false;
    bool allowLarge = false;
};

Json differencesJson(const std::vector<Difference>& differences)
{
    Json list = Json::array();
    for (const Difference& difference : differences) {
        list.push_back({{"what", difference.what}, {"before", difference.before}, {"after", difference.after}});
    }
    return list;
}

Json diffJson(const DiffReport& diff)
{
    Json report{{"equal", diff.isEqual()},
                {"model", differencesJson(diff.model)},
                {"removed", Json::array()},
                {"added", Json::array()},
                {"changed", Json::array()}};
    for (const NodeChange& change : diff.nodes) {
        Json node{{"node", change.node}, {"op", change.op}};
        if (change.change == Change::Changed) {
            node["counterpart"] = change.counterpart;
            node["differences"] = differencesJson(change.differences);
        }
        report[std::string(changeName(change.change))].push_back(std::move(node));
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
        printLine("~ {}", line(difference));
    }
    for (const Json& node : report["removed"]) {
        printLine("- {} ({})", node["node"].get<std::string>(), node["op"].get<std::string>());
    }
    for (const Json& node : report["added"]) {
        printLine("+ {} ({})", node["node"].get<std::string>(), node["op"].get<std::string>());
    }
    for (const Json& node : report["changed"]) {
        for (const Json& difference : node["differences"]) {
            printLine("~ {} ({}): {}", node["node"].get<std::string>(), node["op"].get<std::string>(),
                      line(difference));
        }
    }
}

std::optional<Model> read(const std::string& path, bool allowLarge, const std::stop_token& stop, int& status)
{
    auto model = open(path, {.allowLarge = allowLarge, .stop = stop});
    if (!model) {
        status = reportError(model.problem(), path);
        return std::nullopt;
    }
    reportAll(model.value().problems(), path, false);
    if (hasErrors(model.value().problems())) {
        status = BadInput;
        return std::nullopt;
    }
    return std::move(model.value());
}

int runDiff(const DiffArguments& arguments, const std::stop_token& stop)
{
    int status = Done;
    const auto before = read(arguments.before, arguments.allowLarge, stop, status);
    const auto after = before ? read(arguments.after, arguments.allowLarge, stop, status) : std::nullopt;
    if (!after) {
        return status;
    }
    const auto compared = diff(*before, *after, stop);
    if (!compared) {
        return reportError(compared.problem(), {});
    }
    const DiffReport& differences = compared.value();
    const Json report = diffJson(differences);
    if (arguments.json) {
        print(report);
    } else {
        printDiff(report);
        const std::size_t same = differences.count(Change::Same);
        printLine("{} {} the same, {} changed, {} removed, {} added", counted(same, "node"), same == 1 ? "is" : "are",
                  differences.count(Change::Changed), differences.count(Change::Removed),
                  differences.count(Change::Added));
    }
    return differences.isEqual() ? Done : Different;
}

} // namespace

Command addDiff(CLI::App& app)
{
    auto arguments = std::make_shared<DiffArguments>();
    CLI::App* command = app.add_subcommand("diff", "Compare two models node by node");
    command->add_option("BEFORE", arguments->before, "a model")->required();
    command->add_option("AFTER", arguments->after, "the model to compare it with")->required();
    command->add_flag("--allow-large", arguments->allowLarge, allowLargeHelp);
    command->add_flag("--json", arguments->json, "as JSON");
    command->footer("Example:\n  crosswalk diff model.onnx optimized.onnx\n\nExit status: 0 equal, 1 different, 3 a "
                    "model is damaged.");
    return {command, [arguments](std::stop_token stop) { return runDiff(*arguments, stop); }};
}

} // namespace crosswalk::app
