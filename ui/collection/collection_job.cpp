#include "ui/collection/collection_job.h"

#include "core/base/diagnostic.h"
#include "crosswalk/result.h"

#include <fmt/format.h>

namespace crosswalk::ui {
namespace {

namespace fs = std::filesystem;

constexpr int pollInterval = 100; ///< milliseconds

std::uint64_t bytesOf(const fs::path& path)
{
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
        const auto size = fs::file_size(path, failed);
        return failed ? 0 : size;
    }
    std::uint64_t bytes = 0;
    for (auto entry = fs::recursive_directory_iterator(path, failed);
         !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        std::error_code unknown;
        if (entry->is_regular_file(unknown)) {
            const auto size = entry->file_size(unknown);
            bytes += unknown ? 0 : size;
        }
    }
    return bytes;
}

} // namespace

/// Outcomes on their way from the threads of a run.
struct CollectionJob::Mailbox {
    std::mutex mutex;
    std::vector<std::pair<FinishedModel, bool>> models; ///< and whether an earlier run finished them
};

CollectionJob::CollectionJob(QObject* parent)
    : QObject(parent)
    , m_runner(new JobRunner(QString(), this))
{
    m_poll.setInterval(pollInterval);
    connect(&m_poll, &QTimer::timeout, this, &CollectionJob::deliver);
    connect(m_runner, &JobRunner::started, this, &CollectionJob::busyChanged);
    connect(m_runner, &JobRunner::finished, this, [this] {
        m_poll.stop();
        deliver();
        emit busyChanged();
    });
    connect(m_runner, &JobRunner::failed, this, [this](const QString& what) {
        emit failed({.severity = Severity::Error, .code = "internal", .message = what.toStdString()});
    });
}

void CollectionJob::find(const fs::path& folder)
{
    m_mailbox.reset();
    m_progress = RunProgress(0);
    m_runner->run(
        this,
        [folder](const std::stop_token& stop) -> Result<std::vector<FoundModel>> {
            try {
                std::vector<FoundModel> models;
                for (CollectionModel& model : findModels(folder, stop)) {
                    const std::uint64_t bytes = bytesOf(model.path);
                    models.push_back({std::move(model), bytes});
                }
                return models;
            } catch (const ModelError& error) {
                Diagnostic problem = error.diagnostic;
                problem.message = fmt::format("{}: {}", folder.string(), problem.message);
                return problem;
            }
        },
        [this](const Result<std::vector<FoundModel>>& models) {
            emit found(models ? models.value() : std::vector<FoundModel>());
            if (!models) {
                emit failed(models.problem());
            }
        });
}

void CollectionJob::run(std::vector<CollectionModel> models, CollectionRun run)
{
    m_mailbox = std::make_shared<Mailbox>();
    m_progress = RunProgress(models.size());
    m_clock.start();
    run.finished = [mailbox = m_mailbox, folder = run.folder](const ModelOutcome& outcome, bool reused) {
        FinishedModel model{outcome, outcome.weights.empty() ? 0 : bytesOf(folder / outcome.weights)};
        const std::scoped_lock lock(mailbox->mutex);
        mailbox->models.emplace_back(std::move(model), reused);
    };
    m_poll.start();
    m_runner->run(
        this,
        [models = std::move(models), run = std::move(run)](const std::stop_token& stop) -> std::optional<Diagnostic> {
            try {
                runCollection(models, run, stop);
                return std::nullopt;
            } catch (const ModelError& error) {
                return error.diagnostic;
            }
        },
        [this](const std::optional<Diagnostic>& problem) {
            deliver();
            if (problem) {
                emit failed(*problem);
            } else {
                emit completed();
            }
        });
}

void CollectionJob::cancel()
{
    m_runner->cancel();
}

std::optional<double> CollectionJob::secondsLeft() const
{
    constexpr double millisecondsPerSecond = 1000;
    return m_progress.secondsLeft(static_cast<double>(m_clock.elapsed()) / millisecondsPerSecond);
}

void CollectionJob::deliver()
{
    if (!m_mailbox) {
        return;
    }
    std::vector<std::pair<FinishedModel, bool>> models;
    {
        const std::scoped_lock lock(m_mailbox->mutex);
        models.swap(m_mailbox->models);
    }
    std::vector<FinishedModel> finished;
    for (auto& [model, reused] : models) {
        m_progress.add(model.outcome, reused);
        finished.push_back(std::move(model));
    }
    if (!finished.empty()) {
        emit arrived(finished);
    }
}

} // namespace crosswalk::ui
