#include "core/base/child_process.h"
#include "core/base/diagnostic.h"
#include "core/base/shadow_memory.h"

#include <QtTest>
#include <array>
#include <csignal>
#include <thread>

using namespace crosswalk;
using End = ChildResult::End;

class TestChildProcess : public QObject {
    Q_OBJECT

private slots:
    void returnsStatusAndStreams()
    {
        const ChildResult result = shell("cat; echo out; echo err >&2; exit 7"); // the input is empty
        QCOMPARE(result.end, End::Exited);
        QCOMPARE(result.code, 7);
        QCOMPARE(result.output, std::string("out\n"));
        QCOMPARE(result.errors, std::string("err\n"));
        QVERIFY(result.peakBytes > 0);
    }

    void returnsTheSignalOfACrash()
    {
        const ChildResult result = shell("kill -SEGV $$");
        QCOMPARE(result.end, End::Signalled);
        QCOMPARE(result.code, SIGSEGV);
    }

    void endsAtTheTimeLimitWithAllThatItStarted()
    {
        QTemporaryDir folder;
        const QString mark = folder.filePath(QStringLiteral("mark"));
        const ChildResult result =
            shell("(sleep 2; touch " + mark.toStdString() + ") & sleep 60", {.time = std::chrono::milliseconds(200)});
        QCOMPARE(result.end, End::TimedOut);
        QTest::qWait(2500);
        QVERIFY(!QFile::exists(mark));
    }

    void endsAtTheTimeLimitWithoutStreams()
    {
        const ChildResult result = shell("exec >&- 2>&-; sleep 60", {.time = std::chrono::milliseconds(200)});
        QCOMPARE(result.end, End::TimedOut);
    }

    void doesNotWaitForWhatTheChildLeftBehind()
    {
        QElapsedTimer timer;
        timer.start();
        const ChildResult result = shell("sleep 60 & exit 3");
        QCOMPARE(result.code, 3);
        QVERIFY(timer.elapsed() < 30000);
    }

    void endsOnAStopRequest()
    {
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.request_stop();
        });
        QCOMPARE(shell("sleep 60", {}, stop.get_token()).end, End::Cancelled);
    }

    void limitsMemory()
    {
        if (hasShadowMemory) {
            QSKIP("a sanitizer needs more memory than any limit");
        }
        const std::string allocate = "x=$(head -c 50000000 /dev/zero | tr '\\0' a); exit 0";
        QCOMPARE(shell(allocate).code, 0);
        const ChildResult result = shell(allocate, {.memory = 20'000'000});
        QVERIFY(result.end != End::Exited || result.code != 0);
    }

    void keepsSoMuchOfALongOutput()
    {
        const ChildResult result = shell("head -c 1000000 /dev/zero; exit 4", {.output = 1000});
        QCOMPARE(result.code, 4);
        QCOMPARE(result.output.size(), std::size_t{1000});
    }

    void throwsWithoutAProgram()
    {
        const std::array<std::string, 1> command{"/no/such/program"};
        QVERIFY_EXCEPTION_THROWN(runChild(command, {}, {}), ModelError);
    }

private:
    static ChildResult shell(const std::string& text, const ChildLimits& limits = {}, const std::stop_token& stop = {})
    {
        const std::array<std::string, 3> command{"/bin/sh", "-c", text};
        return runChild(command, limits, stop);
    }
};

QTEST_GUILESS_MAIN(TestChildProcess)
#include "tst_child_process.moc"
