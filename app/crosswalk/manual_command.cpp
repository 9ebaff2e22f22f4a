#include "app/crosswalk/commands.h"
#include "app/crosswalk/describe_commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/manual/manual.h"

namespace crosswalk::app {

Command addManual(CLI::App& app)
{
    auto folder = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("manual", "Write manual pages and completions");
    command->group(""); // for the build: not a command for users
    command->add_option("DIR", *folder, "the folder to write to, laid out as /usr/share")->required();
    return {command, [&app, folder](std::stop_token) {
                manual::writeManual(describe(app), *folder);
                return static_cast<int>(Done);
            }};
}

} // namespace crosswalk::app
