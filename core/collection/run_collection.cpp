#include "core/collection/run_collection.h"

#include "core/base/diagnostic.h"
#include "core/base/out_of_memory.h"
#include "core/collection/journal.h"
#include "core/collection/outcome_json.h"
#include "core/formats/read_model.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

// Exit statuses of the program, as the README lists them.
constexpr int done = 0;
constexpr int wrongUsage = 2;
constexpr int badInput = 3;
constexpr int notConvertible = 4;
constexpr int notWritable = 5;

Outcome outcomeOf(const ChildResult& result)
{
    switch (result.end) {
    case ChildResult::End::TimedOut:
        return Outcome::TimedOut;
    case ChildResult::End::Cancelled:
        return Outcome::Cancelled;
    case ChildResult::End::Signalled:
        return Outcome::Crashed;
    case ChildResult::End::Exited:
        break;
    }
    if (result.errors.ends_with(": " + outOfMemory().message + "\n")) {
        return Outcome::OutOfMemory;
    }
    switch (result.code) {
    case done:
        return Outcome::Converted;
    case badInput:
        return Outcome::BadInput;
    case wrongUsage: // the options do not fit this model
    case notConvertible:
        return Outcome::Refused;
    case notWritable:
        return Outcome::NotWritable;
    default:
        return Outcome::Crashed;
    }
}

/// Whether a person or the kernel ended the process, which is not a result for the model.
bool wasKilled(const ChildResult& result)
{
    return result.end == ChildResult::End::Signalled && (result.code == SIGKILL || result.code == SIGTERM);
}

/// The message of a model that ended without a report: what the process wrote last, "error: FILE: message". `model`:
/// the path that the process got.
ReportedProblem lastWords(const ChildResult& result, Outcome outcome, const std::string& model)
{
    ReportedProblem problem{.severity = Severity::Error, .code = std::string(outcomeName(outcome)), .message = {}};
    std::string_view text = result.errors;
    constexpr std::string_view mark = "error: ";
    if (const auto at = text.find(mark); at != std::string_view::npos) {
        text.remove_prefix(at + mark.size());
        text = text.substr(0, text.find('\n'));
        if (const std::string file = model + ": "; text.starts_with(file)) {
            text.remove_prefix(file.size());
        }
        problem.message = std::string(text);
    } else if (result.end == ChildResult::End::Signalled) {
        problem.message = fmt::format("the conversion was ended by signal {}", result.code);
    } else if (result.end == ChildResult::End::TimedOut) {
        problem.message = fmt::format("the conversion took more than {:.0f} s", result.seconds);
    } else {
        problem.message = fmt::format("the conversion ended with status {}", result.code);
    }
    return problem;
}

std::string worstVerdict(const Json& summary)
{
    for (const char* verdict : {"approximate", "decomposed"}) {
        if (countAt(summary, verdict) > 0) {
            return verdict;
        }
    }
    return "exact";
}

class Runner {
public:
    Runner(const std::vector<CollectionModel>& models, const CollectionRun& run, const std::stop_token& stop)
        : m_models(models)
        , m_run(run)
        , m_stop(stop)
        , m_outputs(outputNames(models))
    {
        m_report.models.resize(models.size());
        for (std::size_t i = 0; i < models.size(); ++i) {
            m_report.models[i] = {.model = models[i].name.generic_string(), .outcome = Outcome::Cancelled};
        }
        if (!run.output.empty()) {
            makeFolder(run.output);
            m_journal.emplace(run.output,
                              fmt::format("{} {}", fmt::join(run.options, " "), fmt::join(run.exportOptions, " ")),
                              fmt::format("{} ms, {} bytes", run.limits.time.count(), run.limits.memory), run.resume);
        }
    }

    CollectionReport run()
    {
        {
            std::vector<std::jthread> workers;
            for (std::size_t i = 0; i < std::clamp<std::size_t>(m_run.jobs, 1, m_models.size()); ++i) {
                workers.emplace_back([this] { work(); });
            }
        }
        if (m_failure) {
            std::rethrow_exception(m_failure);
        }
        return std::move(m_report);
    }

private:
    void work()
    {
        for (std::size_t i = m_next++; i < m_models.size() && !m_isFailed; i = m_next++) {
            if (m_stop.stop_requested()) {
                return;
            }
            try {
                finish(i);
            } catch (...) {
                const std::lock_guard lock(m_mutex);
                m_failure = std::current_exception();
                m_isFailed = true;
            }
        }
    }

    void finish(std::size_t i)
    {
        ModelOutcome& outcome = m_report.models[i];
        const ModelOutcome* known = m_journal ? m_journal->find(m_models[i]) : nullptr;
        std::vector<std::string> files;
        outcome = known != nullptr ? *known : converted(i, files);
        if (known == nullptr && m_journal && outcome.outcome != Outcome::Cancelled) {
            m_journal->add(m_models[i], outcome, files);
        }
        if (m_run.finished && outcome.outcome != Outcome::Cancelled) {
            const std::lock_guard lock(m_mutex);
            m_run.finished(outcome, known != nullptr);
        }
    }

    /// `files`: receives all files that the outcome was computed from; stays empty if they are not known.
    ModelOutcome converted(std::size_t i, std::vector<std::string>& files) const
    {
        const CollectionModel& model = m_models[i];
        const bool isWritten = !m_run.output.empty();
        std::vector<std::string> command = commandFor(isWritten ? "convert" : "diagnose", model);
        const std::string path = command.back();
        command.emplace_back("--json");
        if (isWritten) {
            makeFolder((m_run.output / m_outputs[i]).parent_path());
            command.insert(command.end(), {"-o", (m_run.output / m_outputs[i]).string()});
            command.insert(command.end(), m_run.exportOptions.begin(), m_run.exportOptions.end());
        }
        ChildResult result = runChild(command, m_run.limits, m_stop);
        if (wasKilled(result)) {
            result = runChild(command, m_run.limits, m_stop);
        }
        ModelOutcome outcome{.model = model.name.generic_string(), .outcome = outcomeOf(result)};
        outcome.seconds = result.seconds;
        outcome.peakBytes = result.peakBytes;
        readReport(result.output, outcome, files);
        if (outcome.outcome == Outcome::Converted) {
            outcome.output = isWritten ? m_outputs[i].generic_string() : std::string();
        } else if (outcome.outcome != Outcome::Cancelled &&
                   std::ranges::none_of(outcome.problems, [](const ReportedProblem& problem) {
                       return problem.severity == Severity::Error;
                   })) {
            outcome.problems.push_back(lastWords(result, outcome.outcome, path));
        }
        if (isWritten && m_run.modelReports && outcome.outcome == Outcome::Refused) {
            outcome.report = htmlReport(model, m_outputs[i]);
        }
        return outcome;
    }

    std::vector<std::string> commandFor(const char* name, const CollectionModel& model) const
    {
        std::vector<std::string> command{m_run.program.string(), name};
        command.insert(command.end(), m_run.options.begin(), m_run.options.end());
        command.insert(command.end(), model.options.begin(), model.options.end());
        command.push_back(fs::absolute(model.path).string()); // never an option
        return command;
    }

    /// What the process reported as JSON. A process that ended early reported nothing.
    void readReport(const std::string& text, ModelOutcome& outcome, std::vector<std::string>& files) const
    {
        const Json json = Json::parse(text, nullptr, false);
        if (!json.is_object()) {
            return;
        }
        fs::path weights;
        try {
            outcome.format = json.value("format", "");
            outcome.architecture = json.value("architecture", "");
            const Json summary = json.value("summary", Json::object());
            outcome.nodes = countAt(summary, "nodes");
            outcome.verdict = outcome.outcome == Outcome::Converted ? worstVerdict(summary) : std::string();
            outcome.problems = problemsFromJson(json.value("problems", Json::array()));
            weights = json.value("weights", "");
            // A model that lacks weights depends on files that it does not have.
            if (outcome.outcome == Outcome::Converted || outcome.outcome == Outcome::Refused) {
                files = json.value("files", files);
            }
            if (!std::ranges::all_of(files, [](const fs::path& file) {
                    std::error_code failed;
                    return fs::exists(file, failed);
                })) {
                files.clear(); // names that are not UTF-8
            }
        } catch (const Json::exception&) {
            return; // of another version of the program
        } catch (const ModelError&) {
            return;
        }
        if (!weights.empty() && !m_run.folder.empty()) {
            outcome.weights = weights.lexically_normal()
                                  .lexically_relative(fs::absolute(m_run.folder).lexically_normal())
                                  .generic_string();
        }
    }

    /// Writes the report of a model beside where its ONNX file would be; returns its name, or nothing if it was not
    /// written.
    std::string htmlReport(const CollectionModel& model, const fs::path& output) const
    {
        const fs::path name = fs::path(output).replace_extension(".html");
        std::vector<std::string> command = commandFor("report", model);
        command.insert(command.end(), {"-o", (m_run.output / name).string()});
        const ChildResult result = runChild(command, m_run.limits, m_stop);
        return result.end == ChildResult::End::Exited && result.code == done ? name.generic_string() : std::string();
    }

    const std::vector<CollectionModel>& m_models;
    const CollectionRun& m_run;
    const std::stop_token& m_stop;
    std::vector<fs::path> m_outputs;
    std::optional<Journal> m_journal;
    CollectionReport m_report;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_isFailed = false;
    std::exception_ptr m_failure;
    std::mutex m_mutex;
};

} // namespace

CollectionReport runCollection(const std::vector<CollectionModel>& models, const CollectionRun& run,
                               const std::stop_token& stop)
{
    return models.empty() ? CollectionReport() : withoutWeightFiles(Runner(models, run, stop).run());
}

void makeFolder(const fs::path& folder)
{
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        throw ModelError("unwritable",
                         fmt::format("{}: the folder cannot be created: {}", folder.string(), failed.message()));
    }
}

bool hasJournal(const fs::path& output)
{
    std::error_code failed;
    return fs::exists(Journal::path(output), failed);
}

std::vector<fs::path> outputNames(const std::vector<CollectionModel>& models)
{
    const auto withEnding = [](fs::path name) { return name += ".onnx"; };
    std::map<fs::path, std::size_t> uses;
    std::vector<fs::path> names;
    for (const CollectionModel& model : models) {
        names.push_back(withEnding(model.name.parent_path() / modelStem(model.path)));
        ++uses[names.back()];
    }
    std::set<fs::path> taken;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (uses[names[i]] > 1) {
            names[i] = withEnding(models[i].name);
        }
        while (!taken.insert(names[i]).second) { // "a", "a.onnx" and "a.pb" in one folder
            names[i] = withEnding(names[i]);
        }
    }
    return names;
}

} // namespace crosswalk
