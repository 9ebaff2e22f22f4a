// The command line as a process: signals, closed and full streams, pipes in place of files.

#include "core/base/diagnostic.h"
#include "core/onnx/writer.h"
#include "tests/app/command_line.h"
#include "tests/support/endless_loop.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// A record of the float 1 with this name.
QByteArray oneRecord(char name)
{
    return QByteArray("\x08\x01\x10\x01\x42\x01") + name + QByteArray("\x4a\x04\0\0\x80\x3f", 6);
}

/// A model whose conversion takes some seconds: layers that differ by their names only.
QByteArray longConversion()
{
    QByteArray nodes = R"({"op":"null","name":"x","inputs":[]})";
    constexpr int count = 120000;
    for (int i = 0; i < count; ++i) {
        nodes += ",{\"op\":\"tanh\",\"name\":\"t" + QByteArray::number(i) + "\",\"inputs\":[[" + QByteArray::number(i) +
                 ",0,0]]}";
    }
    return "{\"nodes\":[" + nodes + "],\"arg_nodes\":[0],\"heads\":[[" + QByteArray::number(count) +
           ",0,0]],\"attrs\":{\"mxnet_version\":[\"int\",10901]}}";
}

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
    int m_faults = 0;
    int m_lost = 0;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void cleanupTestCase()
    {
        qInfo("faults injected while reading: %d, data lost: %d", m_faults, m_lost); // ./dev robustness prints it
    }

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

    void constantsOfASmallFileAreBounded()
    {
        const QString model = path("line-symbol.json");
        write(
            model,
            R"({"nodes":[{"op":"_linspace","name":"l","inputs":[],"attrs":{"start":"0","stop":"1","num":"900000000"}}],)"
            R"("arg_nodes":[],"heads":[[0,0,0]],"attrs":{"mxnet_version":["int",10901]}})");
        const auto ran = run({"convert", model, "-o", path("line.onnx")});
        QCOMPARE(ran.status, 4);
        QVERIFY2(ran.err.contains("3.6 GB of constants"), ran.err.constData());
        QVERIFY(!QFile::exists(path("line.onnx")));
    }

    void pipesAreRefused()
    {
        const QString pipe = path("pipe");
        QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        QCOMPARE(run({"inspect", pipe}).status, 3);
        QCOMPARE(run({"convert", lstm, pipe, "-o", path("out.onnx")}).status, 3);
    }

    void readsThatFailAreReported_data()
    {
        QTest::addColumn<QStringList>("model");
        const QString external = path("external.onnx");
        OnnxModel large = emptyModel();
        addInput(large, "x", {ElementType::Float32, Shape{2000}});
        addWeight(large, "w", Tensor::of<float>(ElementType::Float32, {2000}, std::vector<float>(2000, 1)));
        addNode(large, "Add", {"x", "w"}, {"y"});
        addOutput(large, "y", {ElementType::Float32, Shape{2000}});
        writeOnnx(large, external.toStdString(), {.externalData = true});
        QTest::newRow("a file and its neighbour") << QStringList{lstm, examples + "request_bilstm/model-0000.params"};
        QTest::newRow("a file") << QStringList{examples + "speech_commands/frozen.pb"};
        QTest::newRow("an archive") << QStringList{examples + "wearable_activity/activity.ptl"};
        QTest::newRow("external data") << QStringList{external, external + ".data"};
    }

    /// Every call that reads a file of the model fails once: it is named, and the older output stays.
    void readsThatFailAreReported()
    {
        QFETCH(QStringList, model);
        const QTemporaryDir folder;
        const QString out = folder.filePath("out.onnx");
        constexpr int mostCalls = 60; // more than any of these conversions makes
        QSet<QString> named;
        for (int call = 1; call <= mostCalls; ++call) {
            write(out, "older");
            const auto ran = shell(QStringLiteral("CROSSWALK_FAIL_CALL=%1:5 \"$1\" convert '%2' -o '%3'")
                                       .arg(QString::number(call), model.front(), out));
            QVERIFY2(ran.status == 0 || ran.status == 3 || ran.status == 5, ran.err.constData());
            m_faults += ran.status == 0 ? 0 : 1;
            m_lost += ran.status == 0 || read(out) == "older" ? 0 : 1;
            if (ran.status == 0) {
                QVERIFY(read(out) != "older");
            } else {
                QCOMPARE(read(out), QByteArray("older"));
                QList<QByteArray> lines = ran.err.trimmed().split('\n');
                lines.removeIf([](const QByteArray& line) { return line.startsWith("note: "); });
                QCOMPARE(lines.size(), 1);
                QVERIFY2(ran.err.contains("Input/output error") || ran.err.contains("changed"), ran.err.constData());
            }
            for (const QString& file : model) {
                if (ran.status == 3 && ran.err.contains(QFileInfo(file).fileName().toUtf8())) {
                    named.insert(file);
                }
            }
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"out.onnx"});
        }
        QCOMPARE(named.size(), model.size());
    }

    void aModelThatChangesIsNotDrawn_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("output");
        QTest::newRow("render") << "render" << path("changed.svg");
        QTest::newRow("report") << "report" << path("changed.html");
    }

    void aModelThatChangesIsNotDrawn()
    {
        QFETCH(QString, command);
        QFETCH(QString, output);
        constexpr int count = 3000; // drawing them takes longer than the interval of the changes
        OnnxModel model = emptyModel();
        addInput(model, "v0", {ElementType::Float32, Shape{4}});
        for (int i = 0; i < count; ++i) {
            addNode(model, "Relu", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
        }
        addOutput(model, "v" + std::to_string(count), {ElementType::Float32, Shape{4}});
        const QString file = path("changed.onnx");
        writeOnnx(model, file.toStdString());
        QProcess process;
        process.start(programFolder() + QStringLiteral("/crosswalk"), {command, file, "-o", output});
        QVERIFY(process.waitForStarted());
        while (!process.waitForFinished(5) && process.state() == QProcess::Running) {
            QCOMPARE(::utimensat(AT_FDCWD, file.toLocal8Bit().constData(), nullptr, 0), 0);
        }
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("was changed while it was read"));
        QVERIFY(!QFile::exists(output));
    }

    void linksToPipesAreNotWritten()
    {
        const auto ran = shell(QStringLiteral("\"$1\" convert '%1' -o /dev/stdout | cat").arg(lstm));
        QVERIFY2(ran.err.contains("it is a link to something that is not a regular file"), ran.err.constData());
    }

    void modelsThatRunWithoutEndAreStopped()
    {
        const QString model = path("loop.onnx");
        writeOnnx(endlessLoop(), model.toStdString());
        QVERIFY(QDir().mkpath(path("data")));
        write(path("data/input_0.pb"), oneRecord('x'));
        write(path("data/output_0.pb"), oneRecord('y'));
        const auto ran = run({"verify", model, "--data", path("data"), "--time-limit", "0.5"});
        QCOMPARE(ran.status, 1);
        QVERIFY(ran.err.contains("more than 0.5 s"));
    }

    void largeIntegersThatDifferAreShown()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Int64, Shape{1}});
        addNode(model, "Identity", {"x"}, {"y"});
        addOutput(model, "y", {ElementType::Int64, Shape{1}});
        writeOnnx(model, path("integers.onnx").toStdString());
        const QString data = path("integers");
        QVERIFY(QDir().mkpath(data));
        const auto record = [](char last) { // of 2^60 and these lowest bits
            return QByteArray("\x08\x01\x10\x07\x4a\x08", 6) + last + QByteArray("\0\0\0\0\0\0\x10", 7);
        };
        write(data + "/input_0.pb", record(1));
        write(data + "/output_0.pb", record(0));
        const auto ran = run({"verify", path("integers.onnx"), "--data", data});
        QCOMPARE(ran.status, 1);
        QVERIFY2(ran.out.startsWith("different  y: 1 of 1 values; 1152921504606846977, recorded 1152921504606846976; "
                                    "largest difference 1 absolute, 8.67e-19 relative; at [0]\n"),
                 ran.out.constData());
    }

    void aCrashOfTheRuntimeIsOneLine()
    {
        const QString model = path("crash.onnx");
        writeOnnx(endlessLoop(), model.toStdString());
        QVERIFY(QDir().mkpath(path("data")));
        write(path("data/input_0.pb"), oneRecord('x'));
        write(path("data/output_0.pb"), oneRecord('y'));
        qputenv("CROSSWALK_ONNXRUNTIME", CRASHING_RUNTIME);
        const auto ran = run({"verify", model, "--data", path("data")});
        qunsetenv("CROSSWALK_ONNXRUNTIME");
        QCOMPARE(ran.status, 1);
        QCOMPARE(ran.err.trimmed().count('\n'), 0);
        QVERIFY(ran.err.contains("crashed"));
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
        const QString model = path("long-symbol.json");
        write(model, longConversion());
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

    /// As under nohup.
    void ignoredSignalsStayIgnored()
    {
        const QString model = path("long-symbol.json");
        write(model, longConversion());
        const QString out = path("ignored.onnx");
        const auto ran = shell(QStringLiteral("trap '' HUP; \"$1\" convert '%1' -o '%2' --shape x=4 & sleep 0.3; "
                                              "kill -HUP $!; wait $!")
                                   .arg(model, out));
        QVERIFY2(ran.status == 0, ran.err.constData());
        QVERIFY(QFile::exists(out));
    }
};

QTEST_GUILESS_MAIN(TestProcess)
#include "tst_process.moc"
