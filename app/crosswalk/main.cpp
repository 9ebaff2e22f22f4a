// The command line: parses arguments, calls core, and maps errors to exit statuses.

#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/printing.h"
#include "app/crosswalk/wrong_usage.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace crosswalk::app {
namespace {

std::stop_source& interruption()
{
    static std::stop_source source;
    return source;
}

/// A failed assertion is a bug in crosswalk and ends with the exit status for internal errors.
extern "C" void onAbort(int /*signal*/)
{
    constexpr std::string_view text = "error: internal: crosswalk failed an internal check; please report this bug\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(Internal);
}

extern "C" void onInterrupt(int /*signal*/)
{
    interruption().request_stop();
}

void installSignalHandlers()
{
    interruption();
    std::signal(SIGABRT, onAbort);
    std::signal(SIGPIPE,
                SIG_DFL); // restores the default, which a parent may have changed: a closed pipe ends the program
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(signal, onInterrupt);
    }
}

/// The status of a command, or an error if its output could not be written.
int written(int status)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return status;
    }
    printText(stderr, "error: cannot write to standard output: {}\n", std::strerror(errno));
    return NotWritable;
}

int run(int argc, char** argv)
{
    CLI::App app("Crosswalk inspects neural-network models and converts them to ONNX exactly.", "crosswalk");
    app.set_version_flag("--version", fmt::format("crosswalk {}", CROSSWALK_VERSION));
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.footer("Examples:\n"
               "  crosswalk inspect model-symbol.json\n"
               "  crosswalk convert model-symbol.json -o model.onnx --shape data=1,3,224,224\n"
               "  crosswalk verify model.onnx --data test_data_set_0\n"
               "\nNothing leaves your machine. Run `crosswalk COMMAND --help` for details.");
    const std::array commands{addConvert(app), addDiagnose(app), addInspect(app), addVerify(app), addRender(app),
                              addReport(app),  addExtract(app),  addOps(app),     addDiff(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(error);
        }
        return reportError(wrongUsage(app, error), {});
    }
    for (const Command& command : commands) {
        if (command.parser->parsed()) {
            return written(command.run(interruption().get_token()));
        }
    }
    return WrongUsage;
}

int runAndReport(int argc, char** argv)
{
    try {
        return run(argc, argv);
    } catch (const ModelError& error) {
        return reportError(error.diagnostic, {});
    } catch (const std::exception& error) {
        if (std::ferror(stdout) != 0) {
            return written(Done);
        }
        printText(stderr, "error: internal: {}\n", error.what());
        return Internal;
    }
}

} // namespace
} // namespace crosswalk::app

int main(int argc, char** argv)
{
    crosswalk::app::installSignalHandlers();
    const int status = crosswalk::app::runAndReport(argc, argv);
#ifdef __SANITIZE_ADDRESS__
    return status; // the leak checker runs as an exit handler
#else
    // Destroying onnx's operator schemas at exit would take about 8 % of the instructions of a short conversion.
    std::fflush(nullptr);
    std::_Exit(status);
#endif
}
