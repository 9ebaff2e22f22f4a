// The command line: parses arguments, calls core, and maps errors to exit statuses.

#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/interruption.h"
#include "app/crosswalk/printing.h"
#include "app/crosswalk/wrong_usage.h"
#include "core/base/changed_files.h"
#include "core/base/out_of_memory.h"
#include "core/base/standard_streams.h"
#include "core/verify/runtime_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sstream>
#include <unistd.h>

namespace crosswalk::app {
namespace {

/// A failed assertion is a bug in crosswalk and ends with the exit status for internal errors, unless it only follows
/// from a file that was cut off while it was read.
extern "C" void onAbort(int /*signal*/)
{
    const auto write = [](std::string_view text) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    };
    if (const char* file = lostFile()) {
        write("error: ");
        write(file);
        write(" was changed while it was read\n");
        ::_exit(BadInput);
    }
    write("error: internal: crosswalk failed an internal check; please report this bug\n");
    ::_exit(Internal);
}

/// The status of a command, or an error if its output could not be written.
int written(int status)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
        return status;
    }
    printLine(stderr, "error: cannot write to standard output: {}", std::strerror(errno));
    return NotWritable;
}

/// The status of a command, or an error if a file changed while it was read.
int unchanged(int status)
{
    if (status > Different) {
        return status;
    }
    expectUnchanged();
    return status;
}

int run(int argc, char** argv, const std::stop_token& stop)
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
                              addReport(app),  addExtract(app),  addOps(app),     addDiff(app),   addManual(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            std::ostringstream text;
            app.exit(error, text, text);
            writeText(stdout, text.str());
            return written(Done);
        }
        return reportError(wrongUsage(app, error), {});
    }
    for (const Command& command : commands) {
        if (command.parser->parsed()) {
            return written(unchanged(command.run(stop)));
        }
    }
    return WrongUsage;
}

int runAndReport(int argc, char** argv, const std::stop_token& stop)
{
    try {
        return run(argc, argv, stop);
    } catch (const ModelError& error) {
        return reportError(error.diagnostic, {});
    } catch (const std::bad_alloc&) {
        return reportError(outOfMemory(), {});
    } catch (const std::exception& error) {
        if (std::ferror(stdout) != 0) {
            return written(Done);
        }
        printLine(stderr, "error: internal: {}", error.what());
        return Internal;
    }
}

} // namespace
} // namespace crosswalk::app

int main(int argc, char** argv)
{
    crosswalk::openStandardStreams();
    crosswalk::offerRuntimeProcess(argc, argv);
    std::signal(SIGABRT, crosswalk::app::onAbort);
    std::signal(SIGPIPE, SIG_DFL); // a parent may have changed it: a closed pipe ends the program
    const int status = crosswalk::app::runAndReport(argc, argv, crosswalk::app::stopOnSignals());
#if defined(__SANITIZE_ADDRESS__) || defined(CROSSWALK_COVERAGE)
    return status; // the leak checker and gcov run as exit handlers
#else
    // Destroying onnx's operator schemas at exit would take about 8 % of the instructions of a short conversion.
    std::fflush(nullptr);
    std::_Exit(status);
#endif
}
