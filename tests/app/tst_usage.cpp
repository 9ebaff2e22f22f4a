// What the command line says of a command line that it cannot read: one line, with the word that is wrong.

#include "tests/app/command_line.h"
#include "tests/support/paths.h"

using namespace crosswalk::test;

class TestUsage : public QObject {
    Q_OBJECT
private slots:
    void reportsUsageErrors_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QStringList& arguments, const char* said) {
            QTest::newRow(name) << arguments << QByteArray(said);
        };
        const char* all = "convert, diagnose, inspect, verify, render, report, extract, ops, diff";
        row("nothing", {}, all);
        row("no such command", {"transmogrify"}, "no command transmogrify, only convert, diagnose");
        row("a command misspelled", {"konvert", lstm}, "no command konvert; did you mean convert?");
        row("a command that is none, with options", {"bogus", "--opset", "13"}, "no command bogus");
        row("an option alone", {"--bogus"}, "no option --bogus");
        row("an option alone, with a value", {"--bogus=3"}, "no option --bogus (");
        row("an option alone, misspelled", {"--versoin"}, "no option --versoin; did you mean --version?");
        row("a short option", {"-x"}, "no option -x");
        row("an option before a command", {"--bogus", "inspect", lstm}, "no option --bogus");
        row("an option of the command before it", {"--opset", "13", "inspect", lstm}, "--opset must follow");
        row("an option of a command", {"inspect", lstm, "--bogus"}, "inspect has no option --bogus");
        row("a misspelled one, which is missing thereby", {"convert", lstm, "--ouptut", "o.onnx"},
            "convert has no option --ouptut; did you mean --output?");
        row("an option of another command", {"inspect", lstm, "--side", "onnx"}, "inspect has no option --side");
        row("an extra argument", {"ops", "mxnet"}, "ops takes no further arguments: mxnet");
        row("no output", {"convert", lstm}, "--output");
        row("no model", {"inspect"}, "MODEL");
        row("an empty name of the model", {"inspect", ""}, "MODEL: the name is empty");
    }

    void reportsUsageErrors()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const auto ran = run(arguments);
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.startsWith("error: ") && ran.err.contains(said), ran.err.constData());
        QCOMPARE(ran.err.count('\n'), 1);
        QVERIFY2(ran.err.endsWith("--help)\n"), ran.err.constData());
        QVERIFY(ran.out.isEmpty());
    }

    void unwrittenOutputIsAnError_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("a few lines") << QStringList{"inspect", lstm};
        QTest::newRow("many") << QStringList{"ops", "--framework", "mxnet"};
    }
    void unwrittenOutputIsAnError()
    {
        QFETCH(QStringList, arguments);
        if (!QFile::exists(QStringLiteral("/dev/full"))) {
            QSKIP("this system has no /dev/full");
        }
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(programFolder() + QStringLiteral("/crosswalk"), arguments);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 5);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.startsWith("error: cannot write to standard output: "), said.constData());
        QCOMPARE(said.count('\n'), 1);
    }
};

QTEST_GUILESS_MAIN(TestUsage)
#include "tst_usage.moc"
