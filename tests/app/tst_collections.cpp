// crosswalk convert --batch: a model that cannot be converted never stops the others, and a killed run goes on where it
// was.

#include "core/base/shadow_memory.h"
#include "tests/app/command_line.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <csignal>

using namespace crosswalk::test;

class TestCollections : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QDir(path("")).mkpath(QStringLiteral("models/speech"));
        QDir(path("")).mkpath(QStringLiteral("models/copy"));
        for (const char* name : {"model-symbol.json", "model-0000.params"}) {
            const QString source = examples + QStringLiteral("keyword_lstmp/") + QLatin1String(name);
            QVERIFY(QFile::copy(source, path("models/") + QLatin1String(name)));
            QVERIFY(QFile::copy(source, path("models/copy/") + QLatin1String(name)));
        }
        QVERIFY(QFile::copy(examples + QStringLiteral("speech_commands/frozen.pb"), path("models/speech/frozen.pb")));
        const QByteArray frozen = read(path("models/speech/frozen.pb"));
        write(path("models/cut.pb"), frozen.left(frozen.size() - 1000));
        write(path("models/notes.txt"), "not a model");
    }

    void convertsFolders()
    {
        const auto ran = batch({"--report", path("report.json"), "--report", path("report.html")});
        QCOMPARE(ran.status, 4);
        QVERIFY2(ran.out.startsWith("4 models, 3 converted, 1 bad input\n"), ran.out.constData());
        QVERIFY(QFile::exists(path("out/model.onnx")));
        QVERIFY(QFile::exists(path("out/copy/model.onnx")));
        QVERIFY(QFile::exists(path("out/speech/frozen.onnx")));
        QVERIFY(!QFile::exists(path("out/cut.onnx")));

        const auto report = QJsonDocument::fromJson(read(path("report.json"))).object();
        QCOMPARE(report["summary"]["converted"].toInt(), 3);
        QCOMPARE(report["architectures"][0]["models"].toArray().size(), 2);
        QCOMPARE(report["gaps"][0]["models"].toArray(), QJsonArray{"cut.pb"});
        for (const QJsonValue model : report["models"].toArray()) {
            const bool isConverted = model["outcome"].toString() == QLatin1String("converted");
            QCOMPARE(model["verdict"].toString(), isConverted ? QStringLiteral("decomposed") : QString());
        }
        const QString message = report["gaps"][0]["message"].toString();
        QVERIFY2(!message.isEmpty() && !message.contains(path("")), qPrintable(message));
        const QByteArray page = read(path("report.html"));
        QVERIFY(page.contains("href=\"out/speech/frozen.onnx\""));
    }

    /// Beside intact models, too: nobody would notice a model that is absent from the report.
    void reportsFilesThatAreModelsByName()
    {
        write(path("models/empty.onnx"), "");
        write(path("models/page.onnx"), "<!DOCTYPE html><html><body>Not Found</body></html>");
        write(path("models/old.pb"), "");
        QVERIFY(QFile::link(path("absent"), path("models/gone.pt")));
        write(path("models/config.json"), R"({"version": 1})");
        write(path("models/.page.onnx"), "of another program");
        QDir(path("")).mkpath(QStringLiteral("models/test_data_set_0"));
        write(path("models/test_data_set_0/input_0.pb"), "a tensor");
        write(path("models/test_data_set_0/output_0.pb"), "a tensor");
        const auto ran = batch({"--report", path("report.json")});
        QCOMPARE(ran.status, 4);
        QVERIFY2(ran.out.startsWith("8 models, 3 converted, 5 bad input\n"), ran.out.constData());
        const auto report = QJsonDocument::fromJson(read(path("report.json"))).object();
        QStringList damaged;
        for (const QJsonValue model : report["models"].toArray()) {
            if (model["outcome"].toString() == QLatin1String("bad input")) {
                damaged.append(model["model"].toString());
            }
        }
        QCOMPARE(damaged, (QStringList{"cut.pb", "empty.onnx", "gone.pt", "old.pb", "page.onnx"}));
    }

    void reportsFoldersThatCannotBeRead()
    {
        const QString locked = path("models/locked");
        QDir(path("")).mkpath(QStringLiteral("models/locked"));
        QVERIFY(QFile::setPermissions(locked, {}));
        if (QDir(locked).isReadable()) {
            QSKIP("this user may read everything");
        }
        const auto ran = batch({});
        QFile::setPermissions(locked, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
        QVERIFY2(ran.out.startsWith("5 models, 3 converted, 2 bad input\n"), ran.out.constData());
        QVERIFY2(ran.out.contains("Permission denied"), ran.out.constData());
    }

    void printsWhatIsRequested()
    {
        const auto printed = run({"diagnose", "--batch", path("models"), "--json"});
        QCOMPARE(printed.status, 4);
        const auto report = QJsonDocument::fromJson(printed.out).object();
        QCOMPARE(report["summary"]["converted"].toInt(), 3);
        const auto quiet = batch({"--quiet"});
        QCOMPARE(quiet.status, 4);
        QVERIFY2(quiet.out.isEmpty() && quiet.err.isEmpty(), quiet.err.constData());
    }

    void namesWeightsRelativeToAList()
    {
        write(path("list.txt"), "models/model-symbol.json\n");
        QCOMPARE(run({"diagnose", "--batch", path("list.txt"), "--report", path("report.json")}).status, 0);
        const auto report = QJsonDocument::fromJson(read(path("report.json"))).object();
        QCOMPARE(report["models"][0]["weights"].toString(), QStringLiteral("models/model-0000.params"));
    }

    void diagnosesWithoutWriting()
    {
        const auto ran = run({"diagnose", "--batch", path("models")});
        QCOMPARE(ran.status, 4);
        QVERIFY(ran.out.startsWith("4 models, 3 converted, 1 bad input\n"));
        QVERIFY(QDir(path("models")).entryList({"*.onnx"}).isEmpty());
    }

    void resumes()
    {
        QCOMPARE(batch({}).status, 4);
        const QString kept = path("out/copy/model.onnx");
        const QString changed = path("out/speech/frozen.onnx");
        const auto age = QDateTime::currentDateTime().addDays(-1);
        for (const QString& name : {kept, changed, path("models/speech/frozen.pb")}) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(age, QFileDevice::FileModificationTime));
        }
        QVERIFY(QFile::remove(path("out/model.onnx")));
        const auto ran = batch({"--resume"});
        QVERIFY2(ran.out.startsWith("4 models, 3 converted, 1 bad input\n"), ran.out.constData());
        QVERIFY(QFile::exists(path("out/model.onnx")));
        QCOMPARE(QFileInfo(kept).lastModified(), age);
        QVERIFY(QFileInfo(changed).lastModified() > age);
        batch({"--resume", "--opset", "13"});
        QVERIFY(QFileInfo(kept).lastModified() > age);
    }

    void resumesWithOtherWeights()
    {
        const QString weights = path("models/copy/model-0000.params");
        const QString away = path("model-0000.params");
        QVERIFY(QFile::rename(weights, away));
        QVERIFY(batch({}).out.startsWith("4 models, 2 converted, 2 bad input\n"));
        QVERIFY(QFile::rename(away, weights));
        QVERIFY(batch({"--resume"}).out.startsWith("4 models, 3 converted, 1 bad input\n"));

        const QString kept = path("out/model.onnx");
        const QString changed = path("out/copy/model.onnx");
        const auto age = QDateTime::currentDateTime().addDays(-1);
        for (const QString& name : {kept, changed, weights}) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(age, QFileDevice::FileModificationTime));
        }
        batch({"--resume"});
        QCOMPARE(QFileInfo(kept).lastModified(), age);
        QVERIFY(QFileInfo(changed).lastModified() > age);
    }

    void convertsIntoAFolderOfTheCollection()
    {
        const QStringList inside{"convert", "--batch", path("models"), "-o", path("models/onnx")};
        for (int i = 0; i < 2; ++i) {
            const auto ran = run(inside);
            QVERIFY2(ran.out.startsWith("4 models, 3 converted, 1 bad input\n"), ran.out.constData());
        }
    }

    void convertsIntoTheFolderOfTheCollection()
    {
        const QStringList inPlace{"convert", "--batch", path("models"), "-o", path("models")};
        for (const QStringList& options : {QStringList(), QStringList(), QStringList{"--resume"}}) {
            const auto ran = run(inPlace + options);
            QVERIFY2(ran.out.startsWith("4 models, 3 converted, 1 bad input\n"), ran.out.constData());
            QCOMPARE(QDir(path("models")).entryList({"*.onnx"}), QStringList{"model.onnx"});
        }
        // A model that no run wrote is one of the collection, and is not replaced.
        QVERIFY(QFile::copy(path("models/model.onnx"), path("models/other.onnx")));
        const auto ran = run(inPlace + QStringList{"--resume"});
        QVERIFY2(ran.out.startsWith("5 models, 3 converted, 1 refused, 1 bad input\n"), ran.out.constData());
    }

    /// A line of the journal that is cut off is ignored.
    void resumesAfterAKill()
    {
        QCOMPARE(batch({}).status, 4);
        const QString journal = path("out/.crosswalk-journal.jsonl");
        const QByteArray lines = read(journal);
        write(journal, lines.left(lines.size() - 20));
        const auto ran = batch({"--resume"});
        QVERIFY(ran.out.startsWith("4 models, 3 converted, 1 bad input\n"));
    }

    void reportsLimits()
    {
        const auto ran = batch({"--time-limit", "0.0001", "--report", path("report.json")});
        QCOMPARE(ran.status, 4);
        QVERIFY2(ran.out.contains(" timed out"), ran.out.constData()); // a model may be faster than the clock is read
        const auto retried = batch({"--resume"});                      // other limits
        QVERIFY(retried.out.startsWith("4 models, 3 converted, 1 bad input\n"));
    }

    void reportsModelsThatNeedMoreMemory()
    {
        if (crosswalk::hasShadowMemory) {
            QSKIP("a process with shadow memory has no limit");
        }
        QDir(path("")).mkpath(QStringLiteral("large"));
        QString nodes = R"({"op": "null", "name": "x", "inputs": []})";
        constexpr int count = 200'000;
        for (int i = 0; i < count; ++i) {
            nodes += QString(R"(,{"op": "relu", "name": "r%1", "inputs": [[%1, 0, 0]]})").arg(i);
        }
        const QString model = R"({"nodes": [%1], "arg_nodes": [0], "heads": [[1, 0, 0]]})";
        write(path("large/net-symbol.json"), model.arg(nodes).toUtf8());
        const auto ran = run({"diagnose", "--batch", path("large"), "--memory-limit", "100"});
        QVERIFY2(ran.out.startsWith("1 model, 1 out of memory\n"), ran.out.constData());
    }

    void mergesReports()
    {
        write(path("one.txt"), "models/cut.pb\n");
        write(path("other.txt"), "models/speech/frozen.pb\nmodels/cut.pb\n");
        QCOMPARE(run({"diagnose", "--batch", path("one.txt"), "--report", path("one.json")}).status, 4);
        const QStringList part{"convert", "--batch", path("other.txt"), "-o", path("onnx/part-1")};
        QCOMPARE(run(part + QStringList{"--report", path("onnx/report-1.json")}).status, 4);
        const QStringList merge{"report", "--merge", path("one.json"), path("onnx/report-1.json"), "-o"};
        QCOMPARE(run(merge + QStringList{path("all.json")}).status, 0);
        const auto report = QJsonDocument::fromJson(read(path("all.json"))).object();
        QCOMPARE(report["summary"]["models"].toInt(), 2);
        QCOMPARE(report["models"][1]["output"].toString(), QStringLiteral("onnx/part-1/models/speech/frozen.onnx"));
        QCOMPARE(run(merge + QStringList{path("onnx/all.html")}).status, 0);
        QVERIFY(read(path("onnx/all.html")).contains("href=\"part-1/models/speech/frozen.onnx\""));
        QCOMPARE(run({"report", "--merge", path("one.txt"), "-o", path("all.json")}).status, 3);
    }

    /// Before the models are converted.
    void rejectsReportsThatCannotBeWritten()
    {
        const auto ran = batch({"--report", path("out/report.json"), "--report", path("absent/report.html")});
        QCOMPARE(ran.status, 5);
        QVERIFY2(ran.err.startsWith("error: " + path("absent/report.html").toUtf8()), ran.err.constData());
        QVERIFY(!QFile::exists(path("out/model.onnx")));
        QVERIFY(!QFile::exists(path("out/report.json")));
    }

    void reportsWrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::newRow("a report of another kind") << QStringList{"--report", "report.xml"} << 2;
        QTest::newRow("no jobs") << QStringList{"--jobs", "0"} << 2;
        QTest::newRow("more seconds than a clock counts") << QStringList{"--time-limit", "1e300"} << 2;
        QTest::newRow("no number of seconds") << QStringList{"--time-limit", "nan"} << 2;
        QTest::newRow("a negative number of megabytes") << QStringList{"--memory-limit", "-5"} << 2;
        QTest::newRow("an invalid option of the conversion") << QStringList{"--shape", "x"} << 2;
        QTest::newRow("weights") << QStringList{"model-0000.params"} << 2;
    }

    void reportsWrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const auto ran = batch(arguments);
        QCOMPARE(ran.status, status);
        QCOMPARE(ran.err.count('\n'), 1);
        QVERIFY(!QFile::exists(path("out/model.onnx")));
    }

    void rejectsFilesThatAreNoLists()
    {
        const auto model = run({"convert", "--batch", path("models/speech/frozen.pb"), "-o", path("out")});
        QCOMPARE(model.status, 2);
        QVERIFY2(model.err.contains("is a model, not a list of models"), model.err.constData());
        QCOMPARE(run({"convert", "--batch", path("models/model-0000.params"), "-o", path("out")}).status, 3);
    }

    void rejectsOptionsOfCollectionsForAModel_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("report") << QStringList{"--report", "report.html"};
        QTest::newRow("resume") << QStringList{"--resume"};
        QTest::newRow("jobs") << QStringList{"--jobs", "3"};
        QTest::newRow("time limit") << QStringList{"--time-limit", "3"};
        QTest::newRow("memory limit") << QStringList{"--memory-limit", "3"};
    }

    void rejectsOptionsOfCollectionsForAModel()
    {
        QFETCH(QStringList, options);
        const auto ran =
            run(QStringList{"convert", path("models/speech/frozen.pb"), "-o", path("frozen.onnx")} + options);
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.contains(options.front().toUtf8() + " requires --batch"), ran.err.constData());
        QVERIFY(!QFile::exists(path("frozen.onnx")));
    }

    void reportsAnEmptyCollection()
    {
        QDir(path("")).mkpath(QStringLiteral("empty"));
        write(path("list.txt"), "# none\n");
        for (const char* name : {"empty", "absent", "list.txt"}) {
            const auto ran = run({"convert", "--batch", path(name), "-o", path("out")});
            QCOMPARE(ran.status, 3);
            QVERIFY2(ran.err.startsWith("error: " + path(name).toUtf8() + ": "), ran.err.constData());
            QCOMPARE(ran.err.count('\n'), 1);
        }
    }

private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    Ran batch(const QStringList& options) const
    {
        return run(QStringList{"convert", "--batch", path("models"), "-o", path("out"), "--jobs", "2"} + options);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestCollections)
#include "tst_collections.moc"
