#include "app/manual/man_pages.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace crosswalk::manual {
namespace {

/// Escapes a word or a line that the reader may copy: all hyphens are ASCII hyphens.
std::string literal(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '\\':
            escaped += "\\e";
            break;
        case '-':
            escaped += "\\-";
            break;
        case '\'':
            escaped += "\\(aq";
            break;
        case '`':
            escaped += "\\(ga";
            break;
        case '^':
            escaped += "\\(ha";
            break;
        case '~':
            escaped += "\\(ti";
            break;
        case '"':
            escaped += "\\(dq";
            break;
        default:
            escaped += c;
        }
    }
    const bool isRequest = escaped.starts_with('.');
    return isRequest ? "\\&" + escaped : escaped;
}

bool isCode(std::string_view word)
{
    return word.starts_with('-') || word.find_first_of("/_=.") < word.size() - 1;
}

/// Words between backquotes become bold.
std::string withBold(std::string text)
{
    constexpr std::string_view mark = "\\(ga";
    bool isBold = false;
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        isBold = !isBold;
        text.replace(at, mark.size(), isBold ? "\\fB" : "\\fR");
    }
    return text;
}

/// Escapes prose. Hyphens between letters stay, so that lines may break there.
std::string prose(std::string_view text)
{
    std::string escaped;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (!word.empty()) {
            escaped += escaped.empty() ? "" : " ";
            std::string piece = literal(word);
            if (!isCode(word)) {
                for (auto at = piece.find("\\-"); at != std::string::npos; at = piece.find("\\-", at)) {
                    piece.erase(at, 1);
                }
            }
            escaped += piece;
        }
        begin = end + 1;
    }
    return withBold(std::move(escaped));
}

/// A sentence: options and commands are described by a clause without its final stop.
std::string sentence(std::string text)
{
    if (!text.empty()) {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        text += text.ends_with('.') || text.ends_with(':') ? "" : ".";
    }
    return text;
}

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string heading(const ProgramDescription& program, const std::string& page, std::string_view summary)
{
    return fmt::format(".\\\" Generated from the description of the command line.\n"
                       ".TH {} 1 {} \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       literal(upper(page)), program.date, program.name, program.version, literal(page),
                       prose(summary));
}

std::string synopsis(const std::string& words, const CommandDescription& command, bool takesCommand)
{
    std::string text = fmt::format(".SH SYNOPSIS\n.B {}\n", literal(words));
    for (const ArgumentGroup& group : command.groups) {
        for (const Argument& option : group.options) {
            if (option.isRequired) {
                text += fmt::format(".B {}\n.I {}\n", literal(option.names.back()), literal(option.value));
            }
        }
    }
    text += takesCommand ? ".I COMMAND\n" : "";
    text += fmt::format("[\\fIOPTION\\fR]...\n");
    for (const Argument& positional : command.positionals) {
        const std::string name =
            fmt::format("\\fI{}\\fR{}", literal(positional.names.front()), positional.isRepeatable ? "..." : "");
        text += positional.isRequired ? name + "\n" : "[" + name + "]\n";
    }
    return text;
}

std::string argument(const Argument& argument)
{
    std::string tag;
    const bool isOption = argument.names.front().starts_with('-');
    for (const std::string& name : argument.names) {
        tag += fmt::format("{}{}{}\\fR", tag.empty() ? "" : ", ", isOption ? "\\fB" : "\\fI", literal(name));
    }
    if (isOption && !argument.value.empty()) {
        tag += fmt::format(" \\fI{}\\fR", literal(argument.value));
    }
    std::string text = sentence(argument.help);
    if (!argument.defaultValue.empty()) {
        text += fmt::format(" The default is {}.", argument.defaultValue);
    }
    if (argument.isRequired && isOption) {
        text += " Required.";
    }
    if (argument.isRepeatable) {
        text += " May be repeated.";
    }
    return fmt::format(".TP\n{}\n{}\n", tag, prose(text));
}

std::string arguments(const CommandDescription& command)
{
    std::string text;
    if (!command.positionals.empty()) {
        text += ".SH ARGUMENTS\n";
        for (const Argument& positional : command.positionals) {
            text += argument(positional);
        }
    }
    for (const ArgumentGroup& group : command.groups) {
        text += group.title == "Options" ? ".SH OPTIONS\n" : fmt::format(".SS {}\n", prose(group.title));
        text += group.introduction.empty() ? "" : prose(sentence(group.introduction + ":")) + "\n";
        for (const Argument& option : group.options) {
            text += argument(option);
        }
    }
    return text;
}

std::vector<std::string> paragraphs(const std::string& text)
{
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find("\n\n", begin), text.size());
        if (end > begin) {
            found.push_back(text.substr(begin, end - begin));
        }
        begin = end + 2;
    }
    return found;
}

std::string example(const std::string& paragraph)
{
    std::string text = ".SH EXAMPLES\n.EX\n";
    for (std::size_t begin = paragraph.find('\n') + 1; begin < paragraph.size();) {
        const auto end = std::min(paragraph.find('\n', begin), paragraph.size());
        const std::string line = paragraph.substr(begin, end - begin);
        text += literal(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + "\n";
        begin = end + 1;
    }
    return text + ".EE\n";
}

/// The sections that follow the options. Prose comes first, because it continues the description.
struct Notes {
    std::string description;
    std::string examples;
    std::string exitStatus;
};

Notes notesOf(const CommandDescription& command)
{
    Notes notes;
    constexpr std::string_view status = "Exit status: ";
    for (std::string paragraph : paragraphs(command.notes)) {
        if (paragraph.starts_with("Example")) {
            notes.examples += example(paragraph);
        } else if (paragraph.starts_with(status)) {
            notes.exitStatus = fmt::format(".SH EXIT STATUS\n{}\n", prose(paragraph.substr(status.size())));
        } else {
            std::ranges::replace(paragraph, '\n', ' ');
            notes.description += fmt::format(".PP\n{}\n", prose(paragraph));
        }
    }
    return notes;
}

std::string listed(std::string_view title, const std::vector<std::pair<std::string, std::string>>& rows)
{
    std::string text = rows.empty() ? std::string() : fmt::format(".SH {}\n", title);
    for (const auto& [name, meaning] : rows) {
        text += fmt::format(".TP\n.B {}\n{}\n", literal(name), prose(sentence(meaning)));
    }
    return text;
}

std::string seeAlso(const std::vector<std::string>& pages)
{
    std::string text;
    for (const std::string& page : pages) {
        text += fmt::format("{}.BR {} (1)", text.empty() ? ".SH SEE ALSO\n" : ",\n", literal(page));
    }
    return text.empty() ? text : text + "\n";
}

std::string pageName(const ProgramDescription& program, const CommandDescription& command)
{
    return program.name + "-" + command.name;
}

std::string mainPage(const ProgramDescription& program)
{
    const Notes notes = notesOf(program.program);
    std::string text = heading(program, program.name, program.summary) +
                       synopsis(program.name, program.program, !program.commands.empty()) +
                       fmt::format(".SH DESCRIPTION\n{}\n", prose(program.program.summary)) + notes.description;
    if (!program.commands.empty()) {
        text += ".SH COMMANDS\n";
        for (const CommandDescription& command : program.commands) {
            text += fmt::format(".TP\n.BR {} (1)\n{}\n", literal(pageName(program, command)),
                                prose(sentence(command.summary)));
        }
    }
    text += arguments(program.program);
    std::vector<std::pair<std::string, std::string>> statuses;
    for (const auto& [status, meaning] : program.exitStatuses) {
        statuses.emplace_back(std::to_string(status), meaning);
    }
    text += listed("EXIT STATUS", statuses) + listed("ENVIRONMENT", program.environment) + notes.examples;
    std::vector<std::string> others = program.seeAlso;
    for (const CommandDescription& command : program.commands) {
        others.push_back(pageName(program, command));
    }
    std::ranges::sort(others);
    return text + seeAlso(others);
}

std::string commandPage(const ProgramDescription& program, const CommandDescription& command)
{
    std::string summary = command.summary;
    summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
    const Notes notes = notesOf(command);
    return heading(program, pageName(program, command), summary) +
           synopsis(program.name + " " + command.name, command, false) +
           fmt::format(".SH DESCRIPTION\n{}\n", prose(sentence(command.summary))) + notes.description +
           arguments(command) + notes.exitStatus + notes.examples + seeAlso({program.name});
}

} // namespace

std::map<std::string, std::string> manPages(const ProgramDescription& program)
{
    std::map<std::string, std::string> pages{{program.name + ".1", mainPage(program)}};
    for (const CommandDescription& command : program.commands) {
        pages[pageName(program, command) + ".1"] = commandPage(program, command);
    }
    return pages;
}

} // namespace crosswalk::manual
