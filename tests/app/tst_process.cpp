// The command line as a process: signals, closed and full streams, pipes in place of files.

#include "tests/app/command_line.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <sys/stat.h>

using namespace crosswalk::test;

namespace {

/// Runs a line of a shell, in which $1 is the program.
Ran shell(const QString& line)
{
    QProcess process;
    process.start(QStringLiteral("/bin/sh"),
                  {QStringLiteral("-c"), line, QStringLiteral("sh"), programFolder() + QStringLiteral("/crosswalk")});
    const bool ended = process.waitForFinished(60000);
    return {ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class TestProcess : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void textThatCannotBePrintedIsAnError()
    {
        for (const char* option : {"--help", "--version", "convert --help", "ops"}) {
            QCOMPARE(shell(QStringLiteral("\"$1\" %1 > /dev/full").arg(QLatin1String(option))).status, 5);
        }
        QCOMPARE(shell(QStringLiteral("\"$1\" --help")).status, 0);
    }

    void closedStreamsDoNotReachTheOutput()
    {
        const QString out = path("closed.onnx");
        QCOMPARE(shell(QStringLiteral("\"$1\" convert '%1' -o '%2' <&- >&- 2>&-").arg(lstm, out)).status, 0);
        QCOMPARE(run({"inspect", out}).status, 0);
        QVERIFY(!read(out).contains("operators")); // the summary was not written into the model
    }

    void pipesAreRefused()
    {
        const QString pipe = path("pipe");
        QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        QCOMPARE(run({"inspect", pipe}).status, 3);
        QCOMPARE(run({"convert", lstm, pipe, "-o", path("out.onnx")}).status, 3);
    }

    void signalsEndACommandWithinASecond_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("interrupt") << SIGINT;
        QTest::newRow("terminate") << SIGTERM;
    }

    void signalsEndACommandWithinASecond()
    {
        QFETCH(int, signal);
        // A conversion that takes some seconds: layers that differ by their names only.
        QByteArray nodes = R"({"op":"null","name":"x","inputs":[]})";
        constexpr int count = 120000;
        for (int i = 0; i < count; ++i) {
            nodes += ",{\"op\":\"tanh\",\"name\":\"t" + QByteArray::number(i) + "\",\"inputs\":[[" +
                     QByteArray::number(i) + ",0,0]]}";
        }
        const QString model = path("long-symbol.json");
        write(model, "{\"nodes\":[" + nodes + "],\"arg_nodes\":[0],\"heads\":[[" + QByteArray::number(count) +
                         ",0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}");
        QProcess process;
        process.start(programFolder() + QStringLiteral("/crosswalk"),
                      {"convert", model, "-o", path("long.onnx"), "--shape", "x=4"});
        QVERIFY(process.waitForStarted());
        QTest::qWait(300);
        QElapsedTimer timer;
        timer.start();
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("cancelled"));
        QVERIFY(!QFile::exists(path("long.onnx")));
    }
};

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
