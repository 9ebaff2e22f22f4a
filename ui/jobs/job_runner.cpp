#include "ui/jobs/job_runner.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

JobRunner::JobRunner(QString activity, QObject* parent)
    : QObject(parent)
    , m_activity(std::move(activity))
{
}

JobRunner::~JobRunner()
{
    for (auto& run : m_runs) {
        run.thread.request_stop();
    }
    m_runs.clear();
}

std::shared_ptr<std::atomic<double>> JobRunner::trackProgress()
{
    m_progress = std::make_shared<std::atomic<double>>(unknownProgress);
    return m_progress;
}

void JobRunner::start(Task task)
{
    const bool wasBusy = isBusy();
    if (wasBusy) {
        m_runs.back().thread.request_stop();
    }
    const auto id = ++m_lastId;
    m_current = id;
    // A thread that finishes before push_back returns only posts its result; this thread collects it later.
    m_runs.push_back({id, std::jthread([this, id, task = std::move(task)](std::stop_token stop) {
                          Delivery delivery;
                          try {
                              delivery = task(std::move(stop));
                          } catch (const std::exception& error) {
                              delivery = [this, what = QString::fromUtf8(error.what())] { emit failed(what); };
                          }
                          post({id, std::move(delivery)});
                      })});
    if (!wasBusy) {
        emit started();
    }
}

void JobRunner::startWaiting()
{
    if (!isBusy() && !m_waiting.empty()) {
        Waiting next = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_activity = std::move(next.activity);
        start(std::move(next.task));
    }
}

// The closure is passed through a mailbox with its own mutex, and the event only wakes the receiver: Debian's Qt is not
// instrumented, so the thread sanitizer cannot see the ordering by Qt's event queue.
void JobRunner::post(Letter letter)
{
    {
        const std::scoped_lock lock(m_mailboxMutex);
        m_mailbox.push_back(std::move(letter));
    }
    QMetaObject::invokeMethod(this, "collect", Qt::QueuedConnection);
}

void JobRunner::collect()
{
    std::vector<Letter> letters;
    {
        const std::scoped_lock lock(m_mailboxMutex);
        letters.swap(m_mailbox);
    }
    for (const auto& letter : letters) {
        finish(letter.id, letter.delivery);
    }
}

void JobRunner::finish(quint64 id, const Delivery& delivery)
{
    std::erase_if(m_runs, [id](const Run& run) { return run.id == id; });
    if (id != m_current) {
        return;
    }
    m_current = 0;
    delivery();
    startWaiting();
    if (!isBusy()) {
        emit finished();
    }
}

void JobRunner::cancel()
{
    if (isBusy()) {
        QStringList activities{m_activity};
        for (const Waiting& waiting : std::exchange(m_waiting, {})) {
            activities.append(waiting.activity);
        }
        m_runs.back().thread.request_stop();
        m_current = 0;
        emit finished();
        emit cancelled(activities);
    }
}

} // namespace crosswalk::ui
