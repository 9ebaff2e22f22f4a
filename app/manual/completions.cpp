#include "app/manual/completions.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace crosswalk::manual {
namespace {

using Words = std::vector<std::string>;

std::vector<Argument> optionsOf(const CommandDescription& command)
{
    std::vector<Argument> options;
    for (const ArgumentGroup& group : command.groups) {
        options.insert(options.end(), group.options.begin(), group.options.end());
    }
    return options;
}

/// The first clause of a text: a list of candidates has one line for each.
std::string firstClause(const std::string& text)
{
    auto end = text.size();
    for (const std::string_view mark : {"; ", ". ", ": ", ", which"}) {
        end = std::min(end, text.find(mark));
    }
    std::string clause = text.substr(0, end);
    if (clause.ends_with('.')) {
        clause.pop_back();
    }
    return clause;
}

/// Quotes for a shell: nothing is special between single quotes except these. Fish also escapes with backslashes there.
std::string quoted(std::string_view text, std::string_view quote)
{
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += quote;
        } else {
            out += c;
        }
    }
    return out + "'";
}

std::string bashAction(const Argument& option)
{
    switch (completionOf(option)) {
    case Completion::Words:
        return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")", fmt::join(option.choices, " "));
    case Completion::Files:
        return "compopt -o default";
    case Completion::Folders:
        return "compopt -o dirnames";
    case Completion::Nothing:
        break;
    }
    return {};
}

std::string bashCase(const CommandDescription& command, const std::string& pattern)
{
    Words names;
    Words others; // whose values the shell cannot know
    std::string values;
    for (const Argument& option : optionsOf(command)) {
        names.insert(names.end(), option.names.begin(), option.names.end());
        if (option.value.empty()) {
            continue;
        }
        if (completionOf(option) == Completion::Nothing) {
            others.insert(others.end(), option.names.begin(), option.names.end());
        } else {
            values += fmt::format("        {})\n            {}\n            return\n            ;;\n",
                                  fmt::join(option.names, " | "), bashAction(option));
        }
    }
    if (!others.empty()) {
        values += fmt::format("        {})\n            return\n            ;;\n", fmt::join(others, " | "));
    }
    std::string text = fmt::format("    {})\n        options='{}'\n", pattern, fmt::join(names, " "));
    if (!values.empty()) {
        text += fmt::format("        case $previous in\n{}        esac\n", values);
    }
    return text + "        ;;\n";
}

std::string zshText(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        escaped +=
            std::string_view("[]:\\").find(c) != std::string_view::npos ? std::string("\\") + c : std::string(1, c);
    }
    return escaped;
}

std::string zshValue(const Argument& argument)
{
    std::string form = argument.names.front().starts_with('-') ? argument.value : argument.names.front();
    form = zshText(form);
    switch (completionOf(argument)) {
    case Completion::Words:
        return fmt::format(":{}:({})", form, fmt::join(argument.choices, " "));
    case Completion::Files:
        return fmt::format(":{}:_files", form);
    case Completion::Folders:
        return fmt::format(":{}:_files -/", form);
    case Completion::Nothing:
        break;
    }
    return fmt::format(":{}: ", form);
}

std::string zshOption(const Argument& option)
{
    constexpr std::string_view quote = "'\\''";
    const std::string rest =
        fmt::format("[{}]{}", zshText(firstClause(option.help)), option.value.empty() ? "" : zshValue(option));
    std::string text;
    for (const std::string& name : option.names) {
        const std::string others =
            option.isRepeatable ? std::string("*") : fmt::format("({})", fmt::join(option.names, " "));
        const bool takesEquals = name.starts_with("--") && !option.value.empty();
        text += fmt::format(" \\\n                {}",
                            quoted(fmt::format("{}{}{}{}", others, name, takesEquals ? "=" : "", rest), quote));
    }
    return text;
}

std::string zshArguments(const CommandDescription& command)
{
    std::string text = "_arguments -s";
    for (const Argument& option : optionsOf(command)) {
        text += zshOption(option);
    }
    for (const Argument& positional : command.positionals) {
        const std::string_view repeat = positional.isRepeatable ? "*" : positional.isRequired ? "" : ":";
        text +=
            fmt::format(" \\\n                {}", quoted(fmt::format("{}{}", repeat, zshValue(positional)), "'\\''"));
    }
    return text + "\n";
}

std::string fishOption(const std::string& program, const std::string& condition, const Argument& option)
{
    constexpr std::string_view quote = "\\'";
    std::string text = fmt::format("complete -c {}{}", program, condition);
    for (const std::string& name : option.names) {
        text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
    }
    if (!option.value.empty()) {
        switch (completionOf(option)) {
        case Completion::Words:
            text += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option.choices, " ")), quote));
            break;
        case Completion::Files:
            text += " -r -F";
            break;
        case Completion::Folders:
            text += " -x -a '(__fish_complete_directories)'";
            break;
        case Completion::Nothing:
            text += " -x";
            break;
        }
    }
    return fmt::format("{} -d {}\n", text, quoted(firstClause(option.help), quote));
}

} // namespace

std::string bashCompletion(const ProgramDescription& program)
{
    std::string cases;
    Words commands;
    for (const CommandDescription& command : program.commands) {
        cases += bashCase(command, command.name);
        commands.push_back(command.name);
    }
    cases += bashCase(program.program, "'' | *");
    const std::string files = commands.empty()
                                  ? "        compopt -o default\n"
                                  : fmt::format("        if [[ -z $command ]]; then\n"
                                                "            mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")\n"
                                                "        else\n            compopt -o default\n        fi\n",
                                                fmt::join(commands, " "));
    std::string function = program.name;
    std::ranges::replace(function, '-', '_');
    return fmt::format("# Completion of {0} for bash, generated from the description of the command line.\n"
                       "_{1}() {{\n"
                       "    local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
                       "    local command='' options='' i\n"
                       "    # bash splits --option=value at the equals sign\n"
                       "    if [[ $word == = ]]; then\n"
                       "        word=''\n"
                       "    elif [[ $previous == = ]]; then\n"
                       "        previous=${{COMP_WORDS[COMP_CWORD - 2]}}\n"
                       "    fi\n"
                       "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                       "        if [[ ${{COMP_WORDS[i]}} != -* ]]; then\n"
                       "            command=${{COMP_WORDS[i]}}\n"
                       "            break\n"
                       "        fi\n"
                       "    done\n"
                       "    COMPREPLY=()\n"
                       "    case $command in\n{2}    esac\n"
                       "    if [[ $word == -* ]]; then\n"
                       "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
                       "    else\n{3}    fi\n"
                       "}}\n"
                       "complete -F _{1} {0}\n",
                       program.name, function, cases, files);
}

std::string zshCompletion(const ProgramDescription& program)
{
    constexpr std::string_view quote = "'\\''";
    if (program.commands.empty()) {
        return fmt::format("#compdef {}\n# Generated from the description of the command line.\n{}", program.name,
                           zshArguments(program.program));
    }
    std::string commands;
    std::string cases;
    for (const CommandDescription& command : program.commands) {
        commands += fmt::format("            {}\n", quoted(command.name + ":" + zshText(command.summary), quote));
        cases += fmt::format("        {})\n            {}            ;;\n", command.name, zshArguments(command));
    }
    std::string options;
    for (const Argument& option : optionsOf(program.program)) {
        options += zshOption(option);
    }
    return fmt::format("#compdef {0}\n"
                       "# Generated from the description of the command line.\n"
                       "_{0}() {{\n"
                       "    local curcontext=$curcontext state line\n"
                       "    local -a commands\n"
                       "    _arguments -C{1} \\\n"
                       "                '1: :->command' '*:: :->argument'\n"
                       "    case $state in\n"
                       "    command)\n"
                       "        commands=(\n{2}        )\n"
                       "        _describe command commands\n"
                       "        ;;\n"
                       "    argument)\n"
                       "        case $words[1] in\n{3}        esac\n"
                       "        ;;\n"
                       "    esac\n"
                       "}}\n"
                       "_{0} \"$@\"\n",
                       program.name, options, commands, cases);
}

std::string fishCompletion(const ProgramDescription& program)
{
    constexpr std::string_view quote = "\\'";
    std::string text =
        fmt::format("# Completion of {} for fish, generated from the description of the command line.\n", program.name);
    const std::string first = program.commands.empty() ? "" : " -n __fish_use_subcommand";
    if (!program.commands.empty()) {
        text += fmt::format("complete -c {}{} -f\n", program.name, first);
    }
    for (const Argument& option : optionsOf(program.program)) {
        text += fishOption(program.name, first, option);
    }
    for (const CommandDescription& command : program.commands) {
        text += fmt::format("complete -c {}{} -a {} -d {}\n", program.name, first, command.name,
                            quoted(command.summary, quote));
    }
    for (const CommandDescription& command : program.commands) {
        const std::string condition = fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
        for (const Argument& option : optionsOf(command)) {
            text += fishOption(program.name, condition, option);
        }
    }
    return text;
}

} // namespace crosswalk::manual
