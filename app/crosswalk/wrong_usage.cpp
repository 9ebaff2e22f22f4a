#include "app/crosswalk/wrong_usage.h"

#include "core/base/similar_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::app {

std::vector<const CLI::App*> commandsOf(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

namespace {

using Words = std::vector<std::string>;

std::string suggestion(std::string_view word, const Words& known)
{
    const Words near = similarNames(word, known, 1);
    return near.empty() ? std::string() : fmt::format("; did you mean {}?", near.front());
}

Words commandNames(const CLI::App& app)
{
    Words names;
    for (const CLI::App* command : commandsOf(app)) {
        names.push_back(command->get_name());
    }
    return names;
}

Words optionNames(const CLI::App& app)
{
    Words names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
        for (const std::string& name : option->get_snames()) {
            names.push_back("-" + name);
        }
    }
    return names;
}

bool hasOption(const CLI::App& app, const std::string& option)
{
    const Words names = optionNames(app);
    return std::find(names.begin(), names.end(), option) != names.end();
}

bool isOption(std::string_view word)
{
    return word.size() > 1 && word.front() == '-';
}

/// The first word that was not parsed; empty if all were.
std::string leftOver(const CLI::App& app)
{
    const Words words = app.remaining();
    const auto word = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w != "--"; });
    return word == words.end() ? std::string() : word->substr(0, isOption(*word) ? word->find('=') : word->npos);
}

/// The error for an unknown word before the command or instead of it.
std::string unknownBeforeCommand(const CLI::App& app, const std::string& word)
{
    if (!isOption(word)) {
        const std::string near = suggestion(word, commandNames(app));
        return near.empty() ? fmt::format("there is no command {}, only {}", word, fmt::join(commandNames(app), ", "))
                            : fmt::format("there is no command {}{}", word, near);
    }
    const auto commands = commandsOf(app);
    const bool belongsToCommand = std::any_of(commands.begin(), commands.end(),
                                              [&](const CLI::App* command) { return hasOption(*command, word); });
    return belongsToCommand ? fmt::format("{} must follow the command that it belongs to", word)
                            : fmt::format("there is no option {}{}", word, suggestion(word, optionNames(app)));
}

std::string unknownToCommand(const CLI::App& command, const std::string& word)
{
    return isOption(word)
               ? fmt::format("{} has no option {}{}", command.get_name(), word, suggestion(word, optionNames(command)))
               : fmt::format("{} takes no further arguments: {}", command.get_name(), word);
}

} // namespace

Diagnostic wrongUsage(const CLI::App& app, const CLI::ParseError& error)
{
    const auto problem = [](std::string message, std::string_view page) {
        return Diagnostic{.severity = Severity::Error,
                          .code = "usage",
                          .message = std::move(message),
                          .hint = fmt::format("crosswalk{} --help", page)};
    };
    if (const std::string word = leftOver(app); !word.empty()) {
        return problem(unknownBeforeCommand(app, word), {});
    }
    const auto commands = app.get_subcommands();
    if (commands.empty()) {
        return problem(fmt::format("a command is missing: {}", fmt::join(commandNames(app), ", ")), {});
    }
    const CLI::App& command = *commands.front();
    const std::string word = leftOver(command);
    return problem(word.empty() ? error.what() : unknownToCommand(command, word), " " + command.get_name());
}

} // namespace crosswalk::app
