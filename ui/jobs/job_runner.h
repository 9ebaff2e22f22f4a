#pragma once

#include <QObject>
#include <QPointer>

#include <QStringList>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// Runs one kind of background work: reading, converting, exporting... The only class of the window that deals with
/// threads. A new run either stops the current one and drops its result, or waits for it. All functions must be called
/// from the GUI thread.
class JobRunner final : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QString activity, QObject* parent);
    /// Stops the current run and waits for it.
    ~JobRunner() override;

    /// `work(std::stop_token)` runs in a thread and returns a value. `done(value)` receives it in the GUI thread if
    /// `context` still exists and the run was neither superseded nor cancelled.
    template <typename Work, typename Done>
    void run(QObject* context, Work work, Done done)
    {
        start(taskOf(context, std::move(work), std::move(done)));
    }
    /// The same, but the work starts after the current run and those that wait already. `activity` is that of the
    /// runner from then on.
    template <typename Work, typename Done>
    void enqueue(QString activity, QObject* context, Work work, Done done)
    {
        m_waiting.push_back({std::move(activity), taskOf(context, std::move(work), std::move(done))});
        startWaiting();
    }

    /// The activity as shown in the status bar: "Reading model-symbol.json".
    const QString& activity() const { return m_activity; }
    void setActivity(QString activity) { m_activity = std::move(activity); }
    bool isBusy() const { return m_current != 0; }
    /// Progress of the current run from 0 to 1; unknownProgress if the run does not report it.
    double progress() const { return isBusy() && m_progress ? m_progress->load() : unknownProgress; }
    static constexpr double unknownProgress = -1;
    /// The variable to which the thread of the next run writes its progress.
    std::shared_ptr<std::atomic<double>> trackProgress();
    /// Stops the current run and drops those that wait; their `done` is not called.
    void cancel();

signals:
    void started();
    void finished();
    void cancelled(const QStringList& activities); ///< of the current run and of those that waited
    /// The work threw an exception, which is an internal error; `what` is its message.
    void failed(const QString& what);

private:
    using Delivery = std::function<void()>;
    using Task = std::function<Delivery(std::stop_token)>;
    struct Run {
        quint64 id;
        std::jthread thread;
    };
    struct Waiting {
        QString activity;
        Task task;
    };

    /// The result of a thread for the GUI thread.
    struct Letter {
        quint64 id;
        Delivery delivery;
    };

    template <typename Work, typename Done>
    static Task taskOf(QObject* context, Work work, Done done)
    {
        using Value = std::invoke_result_t<Work, std::stop_token>;
        return [work = std::move(work), done = std::move(done),
                context = QPointer<QObject>(context)](std::stop_token stop) mutable -> Delivery {
            auto value = std::make_shared<Value>(work(stop));
            return [value, done = std::move(done), context]() mutable {
                if (context) {
                    done(std::move(*value));
                }
            };
        };
    }

    void start(Task task);
    void startWaiting();
    void post(Letter letter);
    Q_INVOKABLE void collect();
    void finish(quint64 id, const Delivery& delivery);

    QString m_activity;
    std::vector<Run> m_runs; ///< the current run, and stopped runs that have not finished yet
    std::deque<Waiting> m_waiting;
    quint64 m_lastId = 0;
    quint64 m_current = 0;                           ///< 0 if idle
    std::shared_ptr<std::atomic<double>> m_progress; ///< of the current run; null if it does not report progress
    std::mutex m_mailboxMutex;
    std::vector<Letter> m_mailbox;
};

} // namespace crosswalk::ui
