#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "core/convert/framework.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::app {
namespace {

int runOps(const std::string& format, bool json)
{
    const Framework* framework = findFramework(format);
    if (framework == nullptr) {
        throw ModelError("usage", fmt::format("--framework {}: there is no such framework", format));
    }
    const auto operators = framework->operators();
    if (json) {
        Json list = Json::array();
        for (const SupportedOperator& op : operators) {
            list.push_back(
                {{"operator", op.name}, {"status", supportName(op.support)}, {"onnx", op.form}, {"note", op.note}});
        }
        print(list);
        return Done;
    }
    std::size_t nameWidth = 8;
    std::size_t statusWidth = 6;
    for (const SupportedOperator& op : operators) {
        nameWidth = std::max(nameWidth, op.name.size());
        statusWidth = std::max(statusWidth, supportName(op.support).size());
    }
    fmt::print("{:{}}  {:{}}  {}\n", "operator", nameWidth, "status", statusWidth, "ONNX");
    for (const SupportedOperator& op : operators) {
        fmt::print("{:{}}  {:{}}  {}{}{}\n", op.name, nameWidth, supportName(op.support), statusWidth, op.form,
                   op.note.empty() || op.form.empty() ? "" : "  -- ", op.note);
    }
    return Done;
}

} // namespace

Command addOps(CLI::App& app)
{
    struct Arguments {
        std::string framework = "mxnet";
        bool json = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("ops", "List the operators of a framework and what they become");
    command->add_option("--framework", arguments->framework, "whose operators")->capture_default_str();
    command->add_flag("--json", arguments->json, "as JSON");
    command->footer("Example:\n  crosswalk ops --framework mxnet");
    return {command, [arguments](std::stop_token) { return runOps(arguments->framework, arguments->json); }};
}

} // namespace crosswalk::app
