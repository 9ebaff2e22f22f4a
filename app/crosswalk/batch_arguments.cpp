#include "app/crosswalk/batch_arguments.h"

#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "core/collection/run_progress.h"
#include "core/report/collection_html.h"

#include <chrono>
#include <cmath>
#include <thread>
#include <unistd.h>

namespace crosswalk::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::vector<CollectionModel> modelsOf(const fs::path& collection, const fs::path& output, const std::stop_token& stop)
{
    std::error_code failed;
    auto models =
        fs::is_directory(collection, failed) ? findModels(collection, stop, output) : listedModels(collection);
    if (models.empty()) {
        throw ModelError("unreadable", "contains no models");
    }
    return models;
}

/// Limits that no arithmetic with them can exceed. CLI::Range takes "nan" for a number in any range.
constexpr double mostSeconds = 1e9;
constexpr double mostMegabytes = 1e12;

CLI::Validator numberUpTo(double most)
{
    return {[most](const std::string& text) {
                double number = 0;
                const bool isNumber = CLI::detail::lexical_cast(text, number) && number >= 0 && number <= most;
                return isNumber ? std::string() : fmt::format("{} is not a number from 0 to {:.0f}", text, most);
            },
            "NONNEGATIVE"};
}

std::string minutes(double seconds)
{
    const auto whole = static_cast<std::int64_t>(seconds);
    constexpr std::int64_t minute = 60;
    return fmt::format("{}:{:02}", whole / minute, whole % minute);
}

/// Prints how far a run is: in place on a terminal, otherwise one line every 30 seconds.
class Progress {
public:
    explicit Progress(std::size_t models)
        : m_progress(models)
    {
    }

    void add(const ModelOutcome& outcome, bool reused)
    {
        m_progress.add(outcome, reused);
        const auto now = Clock::now();
        constexpr std::chrono::milliseconds onTerminal{200};
        constexpr std::chrono::seconds elsewhere{30};
        const bool isLast = m_progress.isDone();
        if (m_isTerminal ? now - m_printed < onTerminal && !isLast : now - m_printed < elsewhere) {
            return;
        }
        m_printed = now;
        const auto left = m_progress.secondsLeft(std::chrono::duration<double>(now - m_start).count());
        fmt::print(stderr, "{}{} of {}, {} converted{}{}", m_isTerminal ? "\r" : "", m_progress.finished(),
                   m_progress.models(), m_progress.converted(),
                   left ? fmt::format(", {} left", minutes(*left)) : std::string(),
                   m_isTerminal ? (isLast ? "          \n" : "          ") : "\n");
    }

private:
    RunProgress m_progress;
    bool m_isTerminal = ::isatty(STDERR_FILENO) == 1;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_printed = m_start;
};

void printSummary(const CollectionReport& report)
{
    std::string text;
    const auto counts = report.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) {
            text += fmt::format(", {} {}", counts[i], outcomeName(static_cast<Outcome>(i)));
        }
    }
    printLine("{}{}", counted(report.models.size(), "model"), text);
    constexpr std::size_t most = 10;
    const auto gaps = report.gaps();
    for (std::size_t i = 0; i < std::min(gaps.size(), most); ++i) {
        printLine("  blocks {}: {}{}{}", counted(gaps[i].models.size(), "model"),
                  gaps[i].op.empty() ? std::string() : gaps[i].op + ": ", gaps[i].message,
                  gaps[i].models.size() > 1 ? ", ..." : "");
    }
    if (gaps.size() > most) {
        printLine("  {} are in the report (--report)", counted(gaps.size() - most, "further reason"));
    }
}

fs::path ownProgram()
{
    std::error_code failed;
    fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (failed) {
        throw ModelError("unreadable", fmt::format("the program's own path is unknown: {}", failed.message()));
    }
    return program;
}

} // namespace

void BatchArguments::add(CLI::App& command)
{
    const char* group = "Collections";
    CLI::Option* batch =
        command
            .add_flag("--batch", m_isGiven,
                      "MODEL is a folder with models, also in subfolders, or a text file with a path on each line, and "
                      "a tab and options behind it if needed; each model is converted in a separate process")
            ->group(group);
    command.add_option("--jobs", m_jobs, "models at a time; by default one for each processor")
        ->check(CLI::Range(1, 1024))
        ->needs(batch)
        ->group(group);
    command.add_option("--time-limit", m_seconds, "seconds for each model; 0 for no limit")
        ->check(numberUpTo(mostSeconds))
        ->capture_default_str()
        ->needs(batch)
        ->group(group);
    command.add_option("--memory-limit", m_megabytes, "megabytes for each model, mapped weights apart; 0 for no limit")
        ->check(numberUpTo(mostMegabytes))
        ->capture_default_str()
        ->needs(batch)
        ->group(group);
    command.add_flag("--resume", m_resume, "skip models that an earlier run with the same options finished")
        ->needs(batch)
        ->group(group);
    command.add_option("--report", m_reports, "write a report of the collection; may be repeated")
        ->type_name("FILE.json|FILE.html")
        ->allow_extra_args(false)
        ->needs(batch)
        ->group(group);
}

int BatchArguments::run(const ModelArguments& model, const std::string& output, std::vector<std::string> exportOptions,
                        Printing printing, const std::stop_token& stop) const
{
    model.options(); // an invalid one is one error, not one for each model
    if (!model.weights().empty()) {
        throw ModelError("usage", fmt::format("{} is the weights file of one model", model.weights()),
                         "with --batch, the weights of each model are looked up beside it");
    }
    for (const std::string& report : m_reports) {
        expectReportName(report);
    }
    std::vector<CollectionModel> models;
    try {
        models = modelsOf(model.model(), output, stop);
    } catch (const ModelError& error) {
        return reportError(error.diagnostic, model.model());
    }
    if (!output.empty()) {
        makeFolder(output); // reports may be in it
    }
    for (const std::string& report : m_reports) {
        expectWritableReport(report); // while that costs nothing
    }
    Progress progress(models.size());
    constexpr double millisecondsPerSecond = 1000;
    std::error_code failed;
    const fs::path collection = fs::absolute(model.model());
    const fs::path folder = fs::is_directory(collection, failed) ? collection : collection.parent_path();
    CollectionRun run{.program = ownProgram(), .folder = folder, .output = output};
    run.options = model.optionsAsArguments();
    run.exportOptions = std::move(exportOptions);
    run.limits.time =
        std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(m_seconds * millisecondsPerSecond)));
    run.limits.memory = m_megabytes * megabyte;
    run.jobs = m_jobs != 0 ? m_jobs : std::max(1U, std::thread::hardware_concurrency());
    run.resume = m_resume;
    run.modelReports = std::ranges::any_of(m_reports, [](const std::string& path) { return path.ends_with(".html"); });
    if (!printing.quiet) {
        run.finished = [&progress](const ModelOutcome& outcome, bool reused) { progress.add(outcome, reused); };
    }
    CollectionReport report = runCollection(models, run, stop);
    report.folder = output;
    if (printing.json) {
        writeText(stdout, reportJson(report));
    } else if (!printing.quiet) {
        printSummary(report);
    }
    for (const std::string& path : m_reports) {
        writeCollectionReport(report, path, output);
    }
    if (stop.stop_requested()) {
        return Cancelled;
    }
    return report.counts()[static_cast<std::size_t>(Outcome::Converted)] == report.models.size() ? Done
                                                                                                 : NotConvertible;
}

} // namespace crosswalk::app
