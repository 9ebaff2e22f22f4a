#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stop_token>

namespace crosswalk::app {

/// Each function adds a subcommand with its options and help, and returns it with the function that runs it. The stop
/// token is triggered by Ctrl+C.
using Run = std::function<int(std::stop_token)>;
struct Command {
    CLI::App* parser;
    Run run;
};

/// Of --allow-large, which several commands have.
inline constexpr const char* allowLargeHelp = "accept models that ask for far more than their size justifies";

Command addConvert(CLI::App& app);
Command addDiagnose(CLI::App& app);
Command addDiff(CLI::App& app);
Command addExtract(CLI::App& app);
Command addInspect(CLI::App& app);
Command addManual(CLI::App& app);
Command addOps(CLI::App& app);
Command addRender(CLI::App& app);
Command addReport(CLI::App& app);
Command addVerify(CLI::App& app);

} // namespace crosswalk::app
