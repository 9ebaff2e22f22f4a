#pragma once

#include "core/collection/run_collection.h"
#include "core/collection/run_progress.h"
#include "ui/jobs/job_runner.h"

#include <QElapsedTimer>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace crosswalk::ui {

struct FoundModel {
    CollectionModel model;
    std::uint64_t bytes = 0; ///< of the file, or of the files in a model that is a folder
};

struct FinishedModel {
    ModelOutcome outcome;
    std::uint64_t weightsBytes = 0; ///< of its weights file, if it has one
};

/// Finds the models of a folder, and checks or converts them, in the background.
class CollectionJob final : public QObject {
    Q_OBJECT
public:
    explicit CollectionJob(QObject* parent);

    void find(const std::filesystem::path& folder);
    void run(std::vector<CollectionModel> models, CollectionRun run);
    /// Stops the processes at work. Models without an outcome stay without one.
    void cancel();

    bool isBusy() const { return m_runner->isBusy(); }
    /// Of the current or last run.
    const RunProgress& progress() const { return m_progress; }
    std::optional<double> secondsLeft() const;

signals:
    void found(const std::vector<FoundModel>& models);
    /// Some models are finished, in any order.
    void arrived(const std::vector<FinishedModel>& models);
    /// All models are finished.
    void completed();
    void failed(const Diagnostic& problem);
    void busyChanged();

private:
    struct Mailbox;
    void deliver();

    JobRunner* m_runner;
    QTimer m_poll;
    QElapsedTimer m_clock;
    RunProgress m_progress{0};
    std::shared_ptr<Mailbox> m_mailbox; ///< of the current run
};

} // namespace crosswalk::ui
