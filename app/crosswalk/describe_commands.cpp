#include "app/crosswalk/describe_commands.h"

#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/wrong_usage.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::app {
namespace {

/// CLI11 appends the checks of a value to its type: "TEXT:{exact,fused}", "INT:INT in [11 - 26]". Forms of assignments,
/// such as "TYPE=DOMAIN:NAME", have a colon of their own.
void readForm(const CLI::Option& option, manual::Argument& argument)
{
    std::string form = option.get_type_name();
    if (const auto colon = form.find(':'); colon != std::string::npos && form.find('=') == std::string::npos) {
        const std::string check = form.substr(colon + 1);
        form.resize(colon);
        if (check.starts_with('{') && check.ends_with('}')) {
            form = check.substr(1, check.size() - 2);
            std::ranges::replace(form, ',', '|');
        }
    }
    if (form == "INT" || form == "UINT") {
        form = "N";
    } else if (form == "FLOAT") {
        form = "NUMBER";
    }
    argument.value = form;
    argument.choices = manual::choicesIn(form);
}

manual::Argument describe(const CLI::Option& option)
{
    manual::Argument argument{.help = option.get_description(), .isRequired = option.get_required()};
    for (const std::string& name : option.get_snames()) {
        argument.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        argument.names.push_back("--" + name);
    }
    if (option.get_positional()) {
        argument.names.push_back(option.get_name());
    }
    if (option.get_items_expected_max() > 0) {
        readForm(option, argument);
        argument.defaultValue = option.get_default_str();
        argument.isRepeatable = option.get_items_expected_max() > 1;
    }
    return argument;
}

std::vector<manual::Argument>& optionsOfGroup(manual::CommandDescription& command, const std::string& title)
{
    auto group = std::ranges::find(command.groups, title, &manual::ArgumentGroup::title);
    if (group == command.groups.end()) {
        command.groups.push_back({.title = title});
        group = std::prev(command.groups.end());
    }
    return group->options;
}

void addArguments(const CLI::App& app, const std::string& title, manual::CommandDescription& command)
{
    for (const CLI::Option* option : app.get_options()) {
        const bool isHidden = option->get_group().empty();
        const bool isInherited = !title.empty() && option == app.get_help_ptr();
        if (isHidden || isInherited) {
            continue;
        }
        if (option->get_positional()) {
            command.positionals.push_back(describe(*option));
        } else {
            optionsOfGroup(command, title.empty() ? option->get_group() : title).push_back(describe(*option));
        }
    }
    for (const CLI::App* group : app.get_subcommands([](const CLI::App* part) { return part->get_name().empty(); })) {
        command.groups.push_back({.title = group->get_group(), .introduction = group->get_description()});
        addArguments(*group, group->get_group(), command);
    }
}

manual::CommandDescription describeCommand(const CLI::App& app)
{
    manual::CommandDescription command{
        .name = app.get_name(), .summary = app.get_description(), .notes = app.get_footer()};
    addArguments(app, {}, command);
    return command;
}

} // namespace

manual::ProgramDescription describe(const CLI::App& app)
{
    manual::ProgramDescription program{
        .name = app.get_name(),
        .version = CROSSWALK_VERSION,
        .date = CROSSWALK_RELEASE_DATE,
        .summary = "inspector of neural-network models and converter to ONNX",
        .program = describeCommand(app),
        .exitStatuses = exitStatusMeanings(),
        .environment = {{"CROSSWALK_ONNXRUNTIME", "the file libonnxruntime.so, or its folder; by default, the "
                                                  "program searches its own folders and those of the system"}},
        .seeAlso = {"crosswalk-gui"}};
    program.program.name.clear();
    for (const CLI::App* command : commandsOf(app)) {
        program.commands.push_back(describeCommand(*command));
    }
    return program;
}

} // namespace crosswalk::app
