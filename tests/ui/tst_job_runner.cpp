#include "ui/jobs/job_runner.h"

#include <QSignalSpy>
#include <QtTest>

#include <atomic>
#include <semaphore>
#include <stdexcept>

using namespace crosswalk::ui;

class TestJobRunner : public QObject {
    Q_OBJECT
private slots:
    void deliversTheValueInTheGuiThread()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy finished(&runner, &JobRunner::finished);
        int got = 0;
        std::thread::id workedIn;
        std::thread::id deliveredIn;
        runner.run(
            this,
            [&workedIn](std::stop_token) {
                workedIn = std::this_thread::get_id();
                return 42;
            },
            [&](int value) {
                got = value;
                deliveredIn = std::this_thread::get_id();
            });
        QVERIFY(runner.isBusy());
        QVERIFY(finished.wait());
        QCOMPARE(got, 42);
        QCOMPARE(deliveredIn, std::this_thread::get_id());
        QVERIFY(workedIn != deliveredIn);
        QVERIFY(!runner.isBusy());
    }

    void reportsProgressOfTheCurrentRun()
    {
        JobRunner runner(QStringLiteral("Reading"), nullptr);
        QSignalSpy finished(&runner, &JobRunner::finished);
        QCOMPARE(runner.progress(), JobRunner::unknownProgress);
        std::binary_semaphore halfway(0);
        std::binary_semaphore seen(0);
        runner.run(
            this,
            [&, progress = runner.trackProgress()](std::stop_token) {
                progress->store(0.5);
                halfway.release();
                seen.acquire();
                return 0;
            },
            [](int) {});
        halfway.acquire();
        QCOMPARE(runner.progress(), 0.5);
        seen.release();
        QVERIFY(finished.wait());
        QCOMPARE(runner.progress(), JobRunner::unknownProgress);
    }

    void aNewRunStopsThePreviousOne()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy finished(&runner, &JobRunner::finished);
        QSignalSpy started(&runner, &JobRunner::started);
        std::binary_semaphore running(0);
        std::atomic<bool> stopped = false;
        QList<int> got;
        runner.run(
            this,
            [&](std::stop_token stop) {
                std::binary_semaphore asked(0);
                const std::stop_callback callback(stop, [&asked] { asked.release(); });
                running.release();
                asked.acquire();
                stopped = true;
                return 1;
            },
            [&](int value) { got.append(value); });
        running.acquire();
        runner.run(
            this, [](std::stop_token) { return 2; }, [&](int value) { got.append(value); });
        QVERIFY(finished.wait());
        QCOMPARE(got, QList<int>{2});
        QCOMPARE(started.count(), 1);
        QTRY_VERIFY(stopped);
    }

    void runsThatWaitFollowInOrder()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy finished(&runner, &JobRunner::finished);
        std::binary_semaphore noticed(0);
        QList<int> got;
        QStringList activities;
        const auto add = [&](int value) {
            got.append(value);
            activities.append(runner.activity());
        };
        runner.enqueue(
            QStringLiteral("First"), this,
            [&](std::stop_token stop) {
                noticed.acquire();
                return stop.stop_requested() ? 0 : 1;
            },
            add);
        runner.enqueue(
            QStringLiteral("Second"), this, [](std::stop_token) -> int { throw std::logic_error("out of numbers"); },
            add);
        runner.enqueue(
            QStringLiteral("Third"), this, [](std::stop_token) { return 3; }, add);
        QCOMPARE(runner.activity(), QStringLiteral("First"));
        noticed.release();
        QVERIFY(finished.wait());
        QCOMPARE(got, (QList<int>{1, 3}));
        QCOMPARE(activities, (QStringList{"First", "Third"}));
        QCOMPARE(finished.count(), 1);
    }

    void cancellingNamesWhatIsStopped()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy cancelled(&runner, &JobRunner::cancelled);
        runner.cancel();
        QCOMPARE(cancelled.count(), 0);
        bool delivered = false;
        for (const char* activity : {"First", "Second"}) {
            runner.enqueue(
                QLatin1String(activity), this, [](std::stop_token) { return 1; }, [&](int) { delivered = true; });
        }
        runner.cancel();
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(cancelled.front().front().toStringList(), (QStringList{"First", "Second"}));
        QVERIFY(!runner.isBusy());
        QSignalSpy finished(&runner, &JobRunner::finished);
        runner.run(
            this, [](std::stop_token) { return 2; }, [](int) {});
        QVERIFY(finished.wait());
        QVERIFY(!delivered);
    }

    void aCancelledRunDeliversNothing()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy finished(&runner, &JobRunner::finished);
        bool delivered = false;
        runner.run(
            this, [](std::stop_token) { return 1; }, [&](int) { delivered = true; });
        runner.cancel();
        QCOMPARE(finished.count(), 1);
        QVERIFY(!runner.isBusy());
        runner.run(
            this, [](std::stop_token) { return 2; }, [](int) {});
        QVERIFY(finished.wait());
        QVERIFY(!delivered);
    }

    void aDestroyedContextIsNotNotified()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy finished(&runner, &JobRunner::finished);
        auto context = std::make_unique<QObject>();
        bool delivered = false;
        runner.run(
            context.get(), [](std::stop_token) { return 1; }, [&](int) { delivered = true; });
        context.reset();
        QVERIFY(finished.wait());
        QVERIFY(!delivered);
    }

    void reportsExceptionsOfTheWork()
    {
        JobRunner runner(QStringLiteral("Counting"), nullptr);
        QSignalSpy failed(&runner, &JobRunner::failed);
        QSignalSpy finished(&runner, &JobRunner::finished);
        runner.run(
            this, [](std::stop_token) -> int { throw std::logic_error("out of numbers"); }, [](int) {});
        QVERIFY(finished.wait());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().toString(), QStringLiteral("out of numbers"));
    }

    void destructionStopsTheWork()
    {
        std::atomic<bool> stopped = false;
        std::binary_semaphore running(0);
        {
            JobRunner runner(QStringLiteral("Counting"), nullptr);
            runner.run(
                this,
                [&](std::stop_token stop) {
                    std::binary_semaphore asked(0);
                    const std::stop_callback callback(stop, [&asked] { asked.release(); });
                    running.release();
                    asked.acquire();
                    stopped = true;
                    return 1;
                },
                [](int) {});
            running.acquire();
        }
        QVERIFY(stopped);
    }
};

QTEST_GUILESS_MAIN(TestJobRunner)
#include "tst_job_runner.moc"
