#pragma once

#include <QObject>
#include <QPointer>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

namespace crosswalk::ui {

/// One line of background work: reading, converting, exporting... The only place of the window that knows threads.
/// A newer run stops the older one, whose result is then dropped. Everything here is called from the GUI thread.
class JobRunner final : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QString activity, QObject* parent);
    /// Stops what runs and waits for it.
    ~JobRunner() override;

    /// `work(std::stop_token)` runs in a thread and returns a value; `done(value)` gets it in the GUI thread, if
    /// `context` still lives and no newer run or cancel came in between.
    template <typename Work, typename Done>
    void run(QObject* context, Work work, Done done)
    {
        using Value = std::invoke_result_t<Work, std::stop_token>;
        start([work = std::move(work), done = std::move(done),
               context = QPointer<QObject>(context)](std::stop_token stop) mutable -> Delivery {
            auto value = std::make_shared<Value>(work(stop));
            return [value, done = std::move(done), context]() mutable {
                if (context) {
                    done(std::move(*value));
                }
            };
        });
    }

    /// What it does, in the words of the status bar: "Reading model-symbol.json".
    const QString& activity() const { return m_activity; }
    void setActivity(QString activity) { m_activity = std::move(activity); }
    bool isBusy() const { return m_current != 0; }
    /// Part of the current run that is done, from 0 to 1; unknownProgress where it does not tell.
    double progress() const { return isBusy() && m_progress ? m_progress->load() : unknownProgress; }
    static constexpr double unknownProgress = -1;
    /// Where the next run writes its progress, from its thread.
    std::shared_ptr<std::atomic<double>> trackProgress();
    /// Stops the current run; its `done` is not called.
    void cancel();

signals:
    void started();
    void finished();
    /// The work threw: a mistake of ours, in the words of the exception.
    void failed(const QString& what);

private:
    using Delivery = std::function<void()>;
    using Task = std::function<Delivery(std::stop_token)>;
    struct Run {
        quint64 id;
        std::jthread thread;
    };

    /// What a thread leaves for the GUI thread.
    struct Letter {
        quint64 id;
        Delivery delivery;
    };

    void start(Task task);
    void post(Letter letter);
    Q_INVOKABLE void collect();
    void finish(quint64 id, const Delivery& delivery);

    QString m_activity;
    std::vector<Run> m_runs; ///< the current one, and stopped ones that have not come back yet
    quint64 m_lastId = 0;
    quint64 m_current = 0;                           ///< 0: idle
    std::shared_ptr<std::atomic<double>> m_progress; ///< of the current run; null where it does not tell
    std::mutex m_mailboxMutex;
    std::vector<Letter> m_mailbox;
};

} // namespace crosswalk::ui
