// crosswalk ops: lists the supported operators as text, as JSON, or as the page docs/operators.md.

#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/printing.h"
#include "core/convert/framework.h"
#include "core/onnx/opsets.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace crosswalk::app {
namespace {

/// The ONNX operators in a row's form that are newer than the oldest opset, with the opset that introduced them. Lower
/// opsets use another form.
std::map<std::string, int> youngOperators(std::string_view form)
{
    std::map<std::string, int> newer;
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t begin = 0; begin < form.size();) {
        const auto* end = std::find_if_not(form.begin() + begin, form.end(), isLetter);
        const std::string word(form.begin() + begin, end);
        if (const auto opset = firstOpset(word); opset && *opset > oldestOpset) {
            newer[word] = *opset;
        }
        begin = static_cast<std::size_t>(end - form.begin()) + 1;
    }
    return newer;
}

bool isTranslated(const SupportedOperator& op)
{
    return op.support != Support::TrainingOnly && op.support != Support::NotSupported;
}

/// "11", or "11 (LayerNormalization from 17)"; empty for an operator that is not translated.
std::string opsetText(const SupportedOperator& op)
{
    if (!isTranslated(op)) {
        return {};
    }
    std::string newer;
    for (const auto& [name, opset] : youngOperators(op.form)) {
        newer += fmt::format("{}{} from {}", newer.empty() ? "" : ", ", name, opset);
    }
    return newer.empty() ? std::to_string(oldestOpset) : fmt::format("{} ({})", oldestOpset, newer);
}

Json operatorJson(const SupportedOperator& op)
{
    Json row = {{"operator", op.name}, {"status", supportName(op.support)}, {"onnx", op.form}, {"note", op.note}};
    if (isTranslated(op)) {
        row["opset"] = oldestOpset;
        for (const auto& [name, opset] : youngOperators(op.form)) {
            row["younger"][name] = opset;
        }
    }
    return row;
}

void printOperators(const std::vector<SupportedOperator>& operators)
{
    std::size_t nameWidth = 8;
    std::size_t statusWidth = 6;
    for (const SupportedOperator& op : operators) {
        nameWidth = std::max(nameWidth, op.name.size());
        statusWidth = std::max(statusWidth, supportName(op.support).size());
    }
    printLine("{:{}}  {:{}}  {}", "operator", nameWidth, "status", statusWidth, "ONNX");
    for (const SupportedOperator& op : operators) {
        printLine("{:{}}  {:{}}  {}{}{}", op.name, nameWidth, supportName(op.support), statusWidth, op.form,
                  op.note.empty() || op.form.empty() ? "" : "  -- ", op.note);
    }
}

void printMarkdown(const Framework& framework)
{
    fmt::print("\n## {}\n\n{}| operator | status | ONNX | opset | note |\n|---|---|---|---|---|\n", framework.format,
               framework.noteOnNames.empty() ? "" : fmt::format("{}\n\n", framework.noteOnNames));
    for (const SupportedOperator& op : framework.operators()) {
        printLine("| `{}` | {} | {} | {} | {} |", op.name, supportName(op.support), op.form, opsetText(op), op.note);
    }
}

/// The page of the frameworks whose operators have translations.
void printPage(std::span<const Framework* const> listed)
{
    fmt::print("# Operators\n\n"
               "`crosswalk ops --markdown` generates this page. Models convert to opset {0} to {1}. ONNX operators "
               "newer than\n"
               "{0} are used from the opset that introduced them. Below it they are decomposed; a node that has no "
               "such form is\n"
               "reported.\n",
               oldestOpset, newestOpset);
    for (const Framework* framework : listed) {
        if (framework->translate != nullptr) {
            printMarkdown(*framework);
        }
    }
}

int runOps(const std::string& name, bool json, bool markdown)
{
    if (markdown && name.empty()) {
        printPage(frameworks());
        return Done;
    }
    const Framework* framework = name.empty() ? frameworks().front() : findFramework(name);
    if (framework == nullptr) {
        throw ModelError("usage", fmt::format("--framework {}: unknown framework", name));
    }
    const auto operators = framework->operators();
    if (json) {
        Json list = Json::array();
        for (const SupportedOperator& op : operators) {
            list.push_back(operatorJson(op));
        }
        print(list);
    } else if (markdown) {
        printPage(std::span(&framework, 1));
    } else {
        printOperators(operators);
    }
    return Done;
}

} // namespace

Command addOps(CLI::App& app)
{
    struct Arguments {
        std::string framework;
        bool json = false;
        bool markdown = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("ops", "List the operators of a framework and their ONNX forms");
    const std::string first(frameworks().front()->format);
    std::string names;
    for (const Framework* framework : frameworks()) {
        names += (names.empty() ? "" : "|") + std::string(framework->format);
    }
    command
        ->add_option("--framework", arguments->framework,
                     fmt::format("the framework to list; by default {}, and all of them as a page", first))
        ->type_name(names);
    auto* json = command->add_flag("--json", arguments->json, "as JSON");
    command->add_flag("--markdown", arguments->markdown, "as a page of documentation")->excludes(json);
    command->footer(fmt::format("Example:\n  crosswalk ops --framework {}", first));
    return {command, [arguments](std::stop_token) {
                return runOps(arguments->framework, arguments->json, arguments->markdown);
            }};
}

} // namespace crosswalk::app
