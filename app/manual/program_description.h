#pragma once

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::manual {

/// An option, a flag, or a positional argument.
struct Argument {
    std::vector<std::string> names{};   ///< "-o", "--output"; of a positional argument "MODEL"
    std::string value{};                ///< form of the value, such as "NAME=2,3,H,W"; empty for a flag
    std::vector<std::string> choices{}; ///< the words that the value can be; may be incomplete
    std::string defaultValue{};
    std::string help{};
    bool isRequired = false;
    bool isRepeatable = false;
};

struct ArgumentGroup {
    std::string title{};
    std::string introduction{}; ///< a clause before the options; may be empty
    std::vector<Argument> options{};
};

struct CommandDescription {
    std::string name{}; ///< empty for a program without commands
    std::string summary{};
    std::vector<Argument> positionals{};
    std::vector<ArgumentGroup> groups{};
    std::string notes{}; ///< paragraphs; "Example:" and "Exit status:" begin those with a section of their own
};

/// What manual pages and completions contain about a program, independent of the library that parses its arguments.
struct ProgramDescription {
    std::string name{};
    std::string version{};
    std::string date{}; ///< of the release, as YYYY-MM-DD
    std::string summary{};
    CommandDescription program{}; ///< without a command
    std::vector<CommandDescription> commands{};
    std::vector<std::pair<int, std::string>> exitStatuses{};
    std::vector<std::pair<std::string, std::string>> environment{};
    std::vector<std::string> seeAlso{}; ///< other programs with a page in section 1
};

/// What a shell offers as the value of an argument.
enum class Completion { Nothing, Words, Files, Folders };
Completion completionOf(const Argument& argument);

/// Derives the choices from a form such as "auto|open|DEPTH": its words in lower case.
std::vector<std::string> choicesIn(const std::string& form);

} // namespace crosswalk::manual
