// The command line as scripts see it: exit statuses, one line a problem, JSON keys, nothing half-written.

#include "tests/app/command_line.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/paths.h"
#include "tests/support/tensorflow_files.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace crosswalk::test;

namespace {

QJsonObject json(const Ran& ran)
{
    return QJsonDocument::fromJson(ran.out).object();
}

/// A graph of one operator over an input of shape 2x3.
QByteArray oneNode(const QByteArray& op)
{
    return R"({"nodes":[{"op":"null","name":"x","inputs":[]},{"op":")" + op +
           R"(","name":"y","inputs":[[0,0,0]]}],"arg_nodes":[0],"heads":[[1,0,0]],"attrs":{"mxnet_version":["int",10901]}})";
}

/// A tanh cell of 4 units on 3 features, unrolled over `steps`; its graph. All states of h are its outputs.
std::string unrolledCell(int steps)
{
    using namespace crosswalk::test;
    std::vector<std::string> nodes{
        variable("data"),
        variable("w_i"),
        variable("b_i"),
        variable("w_h"),
        variable("b_h"),
        variable("h"),
        node("SliceChannel", "split", "[[0, 0, 0]]",
             fmt::format(R"({{"num_outputs": "{}", "axis": "0", "squeeze_axis": "True"}})", steps))};
    std::vector<std::string> heads;
    std::size_t before = 5;
    for (int step = 0; step < steps; ++step) {
        const std::size_t first = nodes.size();
        const char* units = R"({"num_hidden": "4"})";
        nodes.push_back(node("FullyConnected", fmt::format("i{}", step),
                             fmt::format("[[6, {}, 0], [1, 0, 0], [2, 0, 0]]", step), units));
        nodes.push_back(node("FullyConnected", fmt::format("h{}", step),
                             fmt::format("[[{}, 0, 0], [3, 0, 0], [4, 0, 0]]", before), units));
        nodes.push_back(node("elemwise_add", fmt::format("sum{}", step),
                             fmt::format("[[{}, 0, 0], [{}, 0, 0]]", first, first + 1)));
        nodes.push_back(node("Activation", fmt::format("out{}", step), fmt::format("[[{}, 0, 0]]", first + 2),
                             R"({"act_type": "tanh"})"));
        before = first + 3;
        heads.push_back(fmt::format("[{}, 0, 0]", before));
    }
    nodes.push_back(node("stack", "all", fmt::format("[{}]", fmt::join(heads, ", ")),
                         fmt::format(R"({{"axis": "0", "num_args": "{}"}})", steps)));
    return symbolFile(nodes);
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QStringList left() const { return QDir(m_folder.path()).entryList(QDir::Files); }

private slots:
    void namesCannotForgeLines()
    {
        const QString model = path("forged-symbol.json");
        write(model, QByteArray(symbolFile({variable("data\\nforged"), variable("w\\r\\nforged"),
                                            node("FullyConnected", "fc\\nforged", "[[0, 0, 0], [1, 0, 0]]",
                                                 R"({"num_hidden": "4", "no_bias": "True"})"),
                                            node("Odd\\nforged", "odd\\nforged", "[[2, 0, 0]]")})
                                    .c_str()));
        for (const QStringList& command : {QStringList{"inspect"}, {"inspect", "--layers"}, {"diagnose"}}) {
            const auto ran = run(command + QStringList{model});
            QVERIFY(ran.out.contains("\\nforged") || ran.err.contains("forged"));
            for (const QByteArray& line : (ran.out + '\n' + ran.err).split('\n')) {
                QVERIFY2(!line.startsWith("forged"), line.constData());
            }
        }
    }

    void init()
    {
        for (const QString& name : left()) {
            QFile::remove(m_folder.filePath(name));
        }
    }

    void convertsAndVerifiesTheExamples_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shape");
        QTest::newRow("digits_crnn") << "digits_crnn"
                                     << "data=32,1,8,8";
        QTest::newRow("digits_crnn, any batch") << "digits_crnn"
                                                << "data=N,1,8,8";
        QTest::newRow("request_bilstm") << "request_bilstm"
                                        << "data=10,32,16";
        QTest::newRow("request_bilstm, any length and batch") << "request_bilstm"
                                                              << "data=T,N,16";
    }

    void convertsAndVerifiesTheExamples()
    {
        QFETCH(QString, name);
        QFETCH(QString, shape);
        const QString model = examples + name + QStringLiteral("/model-symbol.json");
        const auto ran = run({"convert", model, "-o", path("out.onnx"), "--shape", shape, "--json"});
        QCOMPARE(ran.status, 0);
        QCOMPARE(json(ran)["output"].toObject()["opset"].toInt(), 17);
        QCOMPARE(json(ran)["summary"].toObject()["unsupported"].toInt(), 0);
        const auto verified = run({"verify", path("out.onnx"), "--data", examples + name, "--json"});
        QCOMPARE(verified.status, 0);
        QVERIFY(json(verified)["equal"].toBool());
    }

    void aDifferenceIsStatusOneAndNamed()
    {
        QCOMPARE(run({"convert", lstm, "-o", path("out.onnx"), "--shape", "data=10,32,16"}).status, 0);
        const auto ran =
            run({"verify", path("out.onnx"), "--data", examples + "request_bilstm", "--rtol", "0", "--atol", "0"});
        QCOMPARE(ran.status, 1);
        QVERIFY(ran.out.contains("different"));
    }

    void innerDifferencesAreNotEqual()
    {
        QCOMPARE(run({"convert", lstm, "-o", path("out.onnx"), "--shape", "data=10,32,16"}).status, 0);
        for (const char* file : {"input_0.pb", "output_0.pb"}) {
            QVERIFY(QFile::copy(examples + "request_bilstm/test_data_set_0/" + file, path(file)));
        }
        const QByteArray name = json(run({"inspect", path("out.onnx"), "--json"}))["outputs"]
                                    .toArray()[0]
                                    .toObject()["name"]
                                    .toString()
                                    .toUtf8();
        // A record of one zero under the name of the output: a TensorProto's dims, type, name and bytes.
        QVERIFY(QDir().mkpath(path("inner")));
        write(path("inner/0.pb"), QByteArray("\x08\x01\x10\x01\x42") + static_cast<char>(name.size()) + name +
                                      QByteArray("\x4a\x04\0\0\0\0", 6));
        const QStringList command{"verify", path("out.onnx"), "--data", m_folder.path(), "--inner"};
        const auto said = run(command);
        QCOMPARE(said.status, 1);
        QVERIFY(said.out.trimmed().split('\n').last().contains("inner tensors differ"));
        const auto ran = run(command + QStringList{"--json"});
        QCOMPARE(ran.status, 1);
        QVERIFY(!json(ran)["equal"].toBool(true));
        QVERIFY(QDir(path("inner")).removeRecursively());
    }

    void anEditedModelIsVerifiedAgainstItsOriginal()
    {
        const QString model = examples + "digits_crnn/model-symbol.json";
        QCOMPARE(run({"convert", model, "-o", path("out.onnx"), "--shape", "data=2,1,8,8"}).status, 0);
        QCOMPARE(run({"convert", path("out.onnx"), "-o", path("open.onnx"), "--shape", "data=N,1,8,8", "--rename",
                      "data=image"})
                     .status,
                 0);
        const auto equal = run({"verify", path("open.onnx"), "--original", path("out.onnx"), "--json"});
        QCOMPARE(equal.status, 0);
        QVERIFY(json(equal)["equal"].toBool());
        QCOMPARE(json(equal)["times"].toArray().size(), 3);
        // Weights with a BatchNormalization folded in round otherwise.
        QCOMPARE(run({"convert", path("out.onnx"), "-o", path("folded.onnx"), "--optimize"}).status, 0);
        const auto different =
            run({"verify", path("folded.onnx"), "--original", path("out.onnx"), "--rtol", "0", "--atol", "0"});
        QCOMPARE(different.status, 1);
        QVERIFY(different.out.contains("differs from the original"));
        // A tolerance that was given is not scaled.
        QVERIFY(json(equal)["tolerance"].toObject()["scaled"].toBool());
        QVERIFY(different.out.contains("tolerance: 0 relative, 0 absolute\n"));
    }

    void reportsADamagedOriginal()
    {
        write(path("m-symbol.json"), oneNode("relu"));
        QCOMPARE(run({"convert", path("m-symbol.json"), "-o", path("out.onnx"), "--shape", "x=2,3"}).status, 0);
        write(path("broken.onnx"), QByteArray(500, '\xee'));
        const auto ran = run({"verify", path("out.onnx"), "--original", path("broken.onnx")});
        QCOMPARE(ran.status, 3);
        QVERIFY2(ran.err.contains("broken.onnx: ") && !ran.err.contains("out.onnx"), ran.err.constData());
    }

    /// Some builds of ONNX Runtime send telemetry, and store unsent events in these folders.
    void verifyLeavesNoFiles()
    {
        QCOMPARE(run({"convert", examples + "digits_crnn/model-symbol.json", "-o", path("out.onnx"), "--quiet"}).status,
                 0);
        QVERIFY(QDir().mkpath(path("home")));
        const QByteArray names[]{"HOME", "TMPDIR", "XDG_CACHE_HOME"};
        std::vector<QByteArray> before;
        for (const QByteArray& name : names) {
            before.push_back(qgetenv(name));
            qputenv(name, path("home").toUtf8());
        }
        const int status = run({"verify", path("out.onnx"), "--original", path("out.onnx")}).status;
        for (std::size_t i = 0; i < std::size(names); ++i) {
            before[i].isEmpty() ? qunsetenv(names[i]) : qputenv(names[i], before[i]);
        }
        QCOMPARE(status, 0);
        QCOMPARE(QDir(path("home")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    }

    void verifyAcceptsSizes()
    {
        const QString model = examples + "digits_crnn/model-symbol.json";
        QCOMPARE(run({"convert", model, "-o", path("out.onnx"), "--quiet"}).status, 0);
        const QStringList verify{"verify", path("out.onnx"), "--original", path("out.onnx")};
        QCOMPARE(run(verify + QStringList{"--time-limit", "0"}).status,
                 0); // eight times eight pixels are among the guesses
        QCOMPARE(run(verify + QStringList{"--shape", "data=3,1,8,24"}).status, 0);
        for (const char* wrong : {"data=3,1,8,W", "data=3,2,8,8", "data=3,1", "nope=3"}) {
            QCOMPARE(run(verify + QStringList{"--shape", wrong}).status, 2);
        }
        QCOMPARE(run({"verify", path("out.onnx"), "--data", examples, "--shape", "data=1,1,8,8"}).status, 2);
    }

    void aReducedBatchLimitsVerificationToOneBatch()
    {
        write(path("mean-symbol.json"), oneNode("mean"));
        QCOMPARE(run({"convert", path("mean-symbol.json"), "-o", path("out.onnx"), "--shape", "x=1,3"}).status, 0);
        QCOMPARE(run({"convert", path("out.onnx"), "-o", path("open.onnx"), "--shape", "x=N,3"}).status, 0);
        const auto ran = run({"verify", path("open.onnx"), "--original", path("out.onnx"), "--json"});
        QCOMPARE(ran.status, 0);
        QCOMPARE(json(ran)["times"].toArray().size(), 1);
        QVERIFY(json(ran)["limit"].toString().contains("axis 0"));
    }

    void modelsOfOtherFormatsAreNamed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("verify") << QStringList{"verify", lstm, "--data", examples + "request_bilstm"};
        QTest::newRow("verify against") << QStringList{"verify", lstm, "--original", lstm};
        QTest::newRow("extract") << QStringList{"extract", lstm, "--from", "a", "--to", "b", "-o", path("out.onnx")};
    }
    void modelsOfOtherFormatsAreNamed()
    {
        QFETCH(QStringList, arguments);
        const auto ran = run(arguments);
        QCOMPARE(ran.status, 3);
        QVERIFY2(ran.err.contains("is a model of Apache MXNet, not ONNX"), ran.err.constData());
        QVERIFY(ran.err.contains("crosswalk convert"));
        QCOMPARE(ran.err.count('\n'), 1);
    }

    void wrongUsageIsStatusTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("opset too new") << QStringList{"convert", lstm, "-o", path("o.onnx"), "--opset", "99"};
        QTest::newRow("shape without a name") << QStringList{"convert", lstm, "-o", path("o.onnx"), "--shape", "2,3"};
        QTest::newRow("shape of nonsense")
            << QStringList{"convert", lstm, "-o", path("o.onnx"), "--shape", "data=2,-3"};
        QTest::newRow("no such type") << QStringList{"convert", lstm, "-o", path("o.onnx"), "--dtype", "data=float"};
        QTest::newRow("no such input") << QStringList{"convert", lstm, "-o", path("o.onnx"), "--shape", "nope=1"};
        QTest::newRow("no such node") << QStringList{"convert", lstm, "-o", path("o.onnx"), "--strategy", "nope=exact"};
        QTest::newRow("samples without a shape")
            << QStringList{"convert", lstm, "-o", path("o.onnx"), "--each-sample", "N"};
        QTest::newRow("two models") << QStringList{"report", lstm, "--merge", "part.json", "-o", path("o.html")};
        QTest::newRow("options of a model")
            << QStringList{"report", "--merge", "part.json", "-o", path("o.html"), "--opset", "13"};
        for (const auto& [option, value] : {std::pair("--rtol", "-1"), std::pair("--rtol", "nan"),
                                            std::pair("--atol", "inf"), std::pair("--time-limit", "-1")}) {
            QTest::addRow("%s %s", option, value) << QStringList{"verify", "o.onnx", "--data", examples, option, value};
        }
        QTest::newRow("no such suffix") << QStringList{"render", lstm, "-o", path("o.gif")};
    }

    void wrongUsageIsStatusTwo()
    {
        QFETCH(QStringList, arguments);
        const auto ran = run(arguments);
        QCOMPARE(ran.status, 2);
        QVERIFY(ran.err.startsWith("error: "));
        QCOMPARE(ran.err.count('\n'), 1);
        QVERIFY(left().isEmpty());
    }

    void badInputIsStatusThree_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("truncated") << read(lstm).left(200);
        QTest::newRow("another kind of file") << QByteArray("\x89PNG\r\n\x1a\n and so on");
        QTest::newRow("a cycle") << oneNode("relu").replace("[[0,0,0]]}]", "[[1,0,0]]}]");
        QTest::newRow("a dangling input") << oneNode("relu").replace("[[0,0,0]]}]", "[[7,0,0]]}]");
    }

    void badInputIsStatusThree()
    {
        QFETCH(QByteArray, content);
        write(path("model-symbol.json"), content);
        const auto ran = run({"convert", path("model-symbol.json"), "-o", path("out.onnx")});
        QCOMPARE(ran.status, 3);
        QVERIFY(ran.err.startsWith("error: "));
        QCOMPARE(ran.err.count('\n'), 1);
        QCOMPARE(left(), QStringList{"model-symbol.json"});
    }

    void rejectsAFolderThatIsNotAModelInOneLine()
    {
        write(path("some.txt"), "no model");
        for (const QString& command : {QStringLiteral("inspect"), QStringLiteral("diagnose")}) {
            const auto ran = run({command, m_folder.path()});
            QCOMPARE(ran.status, 3);
            QVERIFY(ran.err.startsWith("error: "));
            QCOMPARE(ran.err.count('\n'), 1);
        }
    }

    void damagedWeightsAreStatusThreeForEveryCommand()
    {
        QVERIFY(QFile::copy(lstm, path("model-symbol.json")));
        write(path("model-0000.params"), read(examples + "request_bilstm/model-0000.params").left(1000));
        for (const char* command : {"inspect", "diagnose"}) {
            const auto ran = run({command, path("model-symbol.json")});
            QCOMPARE(ran.status, 3);
            QVERIFY(ran.err.startsWith("error: "));
            QVERIFY(!ran.out.isEmpty());
        }
    }

    void missingWeightsAreAllNamed()
    {
        write(path("model-symbol.json"), read(lstm));
        const auto ran =
            run({"convert", path("model-symbol.json"), "-o", path("out.onnx"), "--shape", "data=10,32,16"});
        QCOMPARE(ran.status, 3);
        for (const char* name : {"l0_i2h_weight", "l0_h2h_weight", "r0_i2h_bias", "r0_h2h_bias"}) {
            QVERIFY2(ran.err.contains(name), name);
        }
        QCOMPARE(run({"inspect", path("model-symbol.json")}).status, 0);
        QCOMPARE(run({"render", path("model-symbol.json"), "-o", path("g.svg")}).status, 0);
    }

    void aGapIsStatusFourAndWritesNothing()
    {
        write(path("model-symbol.json"), oneNode("Mystery"));
        const QStringList convert{"convert", path("model-symbol.json"), "-o", path("out.onnx"), "--shape", "x=2,3"};
        const auto ran = run(convert);
        QCOMPARE(ran.status, 4);
        QVERIFY(ran.err.contains("y: "));
        QCOMPARE(left(), QStringList{"model-symbol.json"});
        const auto diagnosed = run({"diagnose", path("model-symbol.json"), "--shape", "x=2,3", "--json"});
        QCOMPARE(diagnosed.status, 4);
        const auto problem = json(diagnosed)["problems"].toArray()[0].toObject();
        QCOMPARE(problem["code"].toString(), QStringLiteral("unsupported-operator"));
        QCOMPARE(problem["node"].toString(), QStringLiteral("y"));
        const auto partial = run(convert + QStringList{"--partial", "--json"});
        QCOMPARE(partial.status, 0);
        QVERIFY2(partial.err.startsWith("warning: "), partial.err.constData());
        QCOMPARE(json(partial)["problems"].toArray()[0].toObject()["severity"].toString(), QStringLiteral("warning"));
        QCOMPARE(run(convert + QStringList{"--custom-op", "Mystery=acme:Riddle"}).status, 0);
    }

    void otherOutputsLeaveTheRestOfAModelOut()
    {
        write(path("model-symbol.json"), QByteArray::fromStdString(symbolFile({
                                             variable("x"),
                                             node("relu", "act", "[[0, 0, 0]]"),
                                             variable("label"),
                                             node("Mystery", "head", "[[1, 0, 0], [2, 0, 0]]"),
                                         })));
        const QStringList convert{"convert", path("model-symbol.json"), "-o", path("out.onnx"), "--shape", "x=2,3"};
        QCOMPARE(run(convert).status, 4);
        for (const char* name : {"act", "act_output"}) {
            QCOMPARE(run(convert + QStringList{"--outputs", name, "--quiet"}).err, QByteArray());
            const auto about = json(run({"inspect", path("out.onnx"), "--json"}));
            QCOMPARE(about["inputs"].toArray().size(), 1);
            QCOMPARE(about["outputs"].toArray()[0].toObject()["name"].toString(), QStringLiteral("act_output"));
        }
        const auto cut = json(run({"inspect", path("model-symbol.json"), "--outputs", "act_output,x", "--json"}));
        QCOMPARE(cut["outputs"].toArray().size(), 2);
        QCOMPARE(cut["operators"].toObject().keys(), QStringList{"relu"});

        const auto unknown = run(convert + QStringList{"--outputs", "act_outptu"});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("no value act_outptu (similar names: act_output"), unknown.err.constData());
    }

    void namesOfOutputsMayContainCommas()
    {
        write(path("model-symbol.json"),
              QByteArray::fromStdString(
                  symbolFile({variable("x"), node("relu", "a,b", "[[0, 0, 0]]"), node("tanh", "c", "[[1, 0, 0]]")})));
        const QStringList render{"render", path("model-symbol.json"), "--outputs", "a\\,b,c"};
        for (const char* name : {"g.json", "g.png"}) { // the latter in another process
            const auto ran = run(render + QStringList{"-o", path(name)});
            QVERIFY2(ran.status == 0, ran.err.constData());
        }
        const QStringList convert{"convert",  path("model-symbol.json"), "-o", path("out.onnx"), "--shape", "x=2,3",
                                  "--outputs"};
        QCOMPARE(run(convert + QStringList{"a\\,b,c"}).status, 0);
        QCOMPARE(json(run({"inspect", path("out.onnx"), "--json"}))["outputs"].toArray().size(), 2);
        QCOMPARE(run(convert + QStringList{"a,b"}).status, 2);
        const auto extracted =
            run({"extract", path("out.onnx"), "--from", "x", "--to", "a\\,b_output", "-o", path("part.onnx")});
        QVERIFY2(extracted.status == 0, extracted.err.constData());
    }

    void namesThatNoFileCanHaveAreStatusFive()
    {
        for (const QString& name : {QString(), QString(300, u'x')}) {
            const auto ran = run({"convert", lstm, "-o", name, "--shape", "data=10,32,16", "--quiet"});
            QCOMPARE(ran.status, 5);
            QCOMPARE(ran.err.count('\n'), 1);
        }
    }

    void unwritableFilesAreStatusFive()
    {
        const auto ran = run({"convert", lstm, "-o", path("absent/out.onnx"), "--shape", "data=10,32,16", "--quiet"});
        QCOMPARE(ran.status, 5);
        QCOMPARE(ran.err, QByteArray("error: " + path("absent/out.onnx").toUtf8() +
                                     ": cannot be written: No such file or directory\n"));
    }

    void overwritingTheModelRequiresForce()
    {
        QCOMPARE(run({"convert", lstm, "-o", path("a.onnx"), "--shape", "data=10,32,16", "--quiet"}).status, 0);
        const QByteArray before = read(path("a.onnx"));
        QCOMPARE(run({"convert", path("a.onnx"), "-o", path("a.onnx")}).status, 2);
        QCOMPARE(read(path("a.onnx")), before);
        QCOMPARE(run({"convert", path("a.onnx"), "-o", path("a.onnx"), "--force"}).status, 0);
    }

    void noCommandReplacesAFileOfItsModel()
    {
        for (const char* file : {"model-symbol.json", "model-0000.params"}) {
            QVERIFY(QFile::copy(examples + "digits_crnn/" + file, path(file)));
        }
        const QString model = path("model-symbol.json");
        QCOMPARE(run({"convert", model, "-o", path("whole.onnx"), "--external-data", "--quiet"}).status, 0);
        const QString whole = path("whole.onnx");
        const QString data = path("whole.onnx.data");
        const QString relu = "digits_features_relu0_fwd_output";
        const QList<std::pair<QStringList, QString>> commands{
            {{"convert", model}, path("model-0000.params")},
            {{"report", model}, model},
            {{"report", model}, path("model-0000.params")},
            {{"render", model}, model},
            {{"convert", whole}, data},
            {{"report", whole}, data},
            {{"extract", whole, "--from", "data", "--to", relu}, whole},
            {{"extract", whole, "--from", "data", "--to", relu}, data},
        };
        for (const auto& [command, output] : commands) {
            const QByteArray before = read(output);
            const auto ran = run(command + QStringList{"-o", output});
            QCOMPARE(ran.status, 2);
            QCOMPARE(ran.err.count('\n'), 1);
            QCOMPARE(read(output), before);
        }
        // A folder has further files of the model.
        const QDir folder(m_folder.filePath(QStringLiteral("saved")));
        QVERIFY(folder.mkpath(QStringLiteral("assets")));
        const Message asset =
            Message().message(1, Message().bytes(1, "path:0")).bytes(2, "words.txt"); // of a tensor with its path
        const Message saved =
            Message()
                .number(1, std::uint64_t{1})
                .message(2, Message()
                                .message(1, Message().bytes(4, "serve"))
                                .message(2, graphDef({placeholder("x", {1}), unary("y", "Relu", "x")}))
                                .message(6, asset));
        write(folder.filePath("saved_model.pb"), QByteArray::fromStdString(saved.content()));
        for (const char* name : {"keras_metadata.pb", "fingerprint.pb", "assets/words.txt", "saved_model.pb"}) {
            const QString file = folder.filePath(QLatin1String(name));
            if (!QFile::exists(file)) {
                write(file, name);
            }
            const QByteArray before = read(file);
            const auto ran = run({"convert", folder.path(), "-o", file});
            QVERIFY2(ran.status == 2 && ran.err.contains("of the model itself"), ran.err.constData());
            QCOMPARE(read(file), before);
        }
        for (int i = 0; i < 2; ++i) { // its own output it may replace
            QCOMPARE(run({"convert", folder.path(), "-o", folder.filePath("model.onnx"), "--quiet"}).status, 0);
        }
        // What would get its weights beside it replaces those of another model.
        QCOMPARE(run({"convert", whole, "-o", path("next.onnx"), "--external-data", "--quiet"}).status, 0);
        QVERIFY(QFile::rename(whole, path("moved.onnx")));
        const QByteArray before = read(data);
        QCOMPARE(run({"convert", path("moved.onnx"), "-o", whole, "--external-data", "--quiet"}).status, 2);
        QCOMPARE(read(data), before);
        QVERIFY(!QFile::exists(whole));
        QCOMPARE(run({"extract", path("next.onnx"), "--from", "data", "--to", relu, "-o", path("next.onnx"), "--force"})
                     .status,
                 0);
    }

    void anUnsupportedTypeIsNotAnInternalError()
    {
        const QString model = examples + "digits_crnn/model-symbol.json";
        for (const char* type : {"int32", "float16", "string"}) {
            const auto ran = run({"convert", model, "-o", path("out.onnx"), "--dtype", QString("data=%1").arg(type)});
            QCOMPARE(ran.status, 4);
            QVERIFY(ran.err.contains(type == std::string_view("string")
                                         ? "--dtype: input data contains numbers, not text"
                                         : "digits_features_conv0_fwd: "));
            QVERIFY(!ran.err.contains("internal"));
        }
    }

    void quietPrintsNothing()
    {
        const auto ran = run({"convert", lstm, "-o", path("a.onnx"), "--shape", "data=10,32,16", "--quiet"});
        QCOMPARE(ran.status, 0);
        QVERIFY(ran.out.isEmpty());
        QVERIFY(ran.err.isEmpty());
    }

    void attentionIsFusedOnRequest()
    {
        write(path("attention-symbol.json"),
              QByteArray(
                  R"({"nodes": [{"op": "null", "name": "q", "inputs": []}, {"op": "null", "name": "k", "inputs": []},
{"op": "null", "name": "v", "inputs": []},
{"op": "batch_dot", "name": "scores", "inputs": [[0, 0, 0], [1, 0, 0]], "attrs": {"transpose_b": "True"}},
{"op": "softmax", "name": "weights", "inputs": [[3, 0, 0]]},
{"op": "batch_dot", "name": "sum", "inputs": [[4, 0, 0], [2, 0, 0]]}], "arg_nodes": [0, 1, 2], "heads": [[5, 0, 0]]})"));
        const auto convert = [this](const QStringList& arguments) {
            return run(QStringList{"convert", path("attention-symbol.json"), "-o", path("attention.onnx"), "--shape",
                                   "q=2,5,4", "--shape", "k=2,7,4", "--shape", "v=2,7,6"} +
                       arguments);
        };
        const auto operators = [this] {
            return json(run({"inspect", path("attention.onnx"), "--json"}))["operators"].toObject().keys();
        };
        const auto fused = convert({"--opset", "23", "--optimize=attention"});
        QCOMPARE(fused.status, 0);
        QVERIFY2(fused.err.contains("the attention around weights is one Attention node"), fused.err.constData());
        QVERIFY(operators().contains("Attention"));
        QCOMPARE(convert({"--opset", "23", "--optimize"}).status, 0);
        QVERIFY(!operators().contains("Attention"));
        const auto older = convert({"--optimize=attention"});
        QCOMPARE(older.status, 0);
        QVERIFY2(older.err.contains("ONNX has Attention from opset 23 on"), older.err.constData());
        QVERIFY(!operators().contains("Attention"));
        QCOMPARE(convert({"--optimize=fast"}).status, 2);
    }

    void unrolledCellsAreRerolledOnRequest()
    {
        write(path("cell-symbol.json"), QByteArray::fromStdString(unrolledCell(100)));
        write(path("cell-0000.params"),
              QByteArray::fromStdString(crosswalk::test::paramsFile(
                  {{"arg:w_i", {4, 3}}, {"arg:b_i", {4}}, {"arg:w_h", {4, 4}}, {"arg:b_h", {4}}})));
        const auto nodesOf = [this](const QStringList& arguments) {
            const auto ran =
                run(QStringList{"convert", path("cell-symbol.json"), "-o", path("cell.onnx"), "--json"} + arguments);
            return ran.status == 0 ? json(ran)["output"].toObject()["nodes"].toInt() : -1;
        };
        const int asTheyStand = nodesOf({"--shape", "data=100,2,3", "--shape", "h=2,4"});
        QVERIFY(asTheyStand > 300);
        const int rerolled = nodesOf({"--reroll", "--shape", "data=T,N,3", "--shape", "h=N,4"});
        QVERIFY(rerolled > 0 && 20 * rerolled < asTheyStand);
        const auto written = json(run({"inspect", path("cell.onnx"), "--json"}));
        QCOMPARE(written["operators"].toObject()["RNN"].toInt(), 1);
        QCOMPARE(written["inputs"].toArray()[0].toObject()["shape"].toArray()[0].toString(), QStringLiteral("T"));
    }

    void inspectHasItsKeys()
    {
        const auto ran = run({"inspect", lstm, "--json"});
        QCOMPARE(ran.status, 0);
        for (const char* key : {"path", "format", "producer", "version", "inputs", "outputs", "operators", "parameters",
                                "work", "states", "metadata", "opsets"}) {
            QVERIFY2(json(ran).contains(QLatin1String(key)), key);
        }
        QCOMPARE(json(ran)["inputs"].toArray()[0].toObject()["name"].toString(), QStringLiteral("data"));
        // What made an ONNX file is not its format.
        QCOMPARE(run({"convert", lstm, "-o", path("made.onnx"), "--opset", "15"}).status, 0);
        const auto text = run({"inspect", path("made.onnx")}).out;
        QVERIFY2(text.contains("format     ONNX, opset 15\n") && text.contains("producer   crosswalk "), text);
        QCOMPARE(json(run({"inspect", path("made.onnx"), "--json"}))["opsets"].toObject()[QString()].toInt(), 15);
        QCOMPARE(json(ran)["operators"].toObject()["RNN"].toInt(), 1);
        QVERIFY(json(ran)["work"].toObject()["multiply_adds"].toInt() > 0);
    }

    void inspectListsLayers()
    {
        const auto ran = run({"inspect", lstm, "--layers", "--json"});
        QCOMPARE(ran.status, 0);
        const auto layers = json(ran)["layers"].toArray();
        QVERIFY(!layers.isEmpty());
        std::int64_t parameters = 0;
        for (const auto& layer : layers) {
            for (const char* key : {"name", "operator", "type", "shape", "parameters", "bytes", "multiply_adds",
                                    "counted_at", "verdict"}) {
                QVERIFY2(layer.toObject().contains(QLatin1String(key)), key);
            }
            parameters += layer.toObject()["parameters"].toInteger();
        }
        const auto about = json(run({"inspect", lstm, "--json"}));
        QCOMPARE(parameters, about["parameters"].toObject()["elements"].toInteger());
        // The same rows in each form.
        const QByteArray csv = run({"inspect", lstm, "--layers", "--csv"}).out;
        QCOMPARE(csv.count('\n'), layers.size() + 1);
        QVERIFY2(csv.startsWith("name,operator,type,shape,parameters,bytes,multiply_adds,verdict,counted_at\n"),
                 csv.constData());
        QCOMPARE(run({"inspect", lstm, "--layers"}).out.count('\n'), layers.size() + 1);
        QCOMPARE(run({"inspect", lstm, "--csv"}).status, 2);
        QCOMPARE(run({"inspect", lstm, "--layers", "--csv", "--json"}).status, 2);
    }

    void inspectListsWeights()
    {
        const auto weights = json(run({"inspect", lstm, "--weights", "--json"}))["weights"].toArray();
        const auto parameters = json(run({"inspect", lstm, "--json"}))["parameters"].toObject();
        QCOMPARE(weights.size(), parameters["tensors"].toInteger());
        std::int64_t bytes = 0;
        for (const auto& weight : weights) {
            bytes += weight.toObject()["bytes"].toInteger();
        }
        QCOMPARE(bytes, parameters["bytes"].toInteger());
        QCOMPARE(parameters["types"].toObject(), (QJsonObject{{"float32", weights.size()}}));
        const QByteArray csv = run({"inspect", lstm, "--weights", "--csv"}).out;
        QVERIFY2(csv.startsWith("name,type,shape,parameters,bytes\n"), csv.constData());
        QCOMPARE(csv.count('\n'), weights.size() + 1);
        QCOMPARE(run({"inspect", lstm, "--weights"}).out.count('\n'), weights.size() + 1);
        QCOMPARE(run({"inspect", lstm, "--weights", "--layers"}).status, 2);
    }

    void inspectOfOtherOutputsListsOnlyWhatTheyNeed()
    {
        write(path("cut-symbol.json"),
              QByteArray::fromStdString(symbolFile({variable("x"), variable("w"), variable("v"),
                                                    node("broadcast_mul", "first", "[[0, 0, 0], [1, 0, 0]]"),
                                                    node("broadcast_add", "second", "[[3, 0, 0], [2, 0, 0]]"),
                                                    node("broadcast_mul", "other", "[[0, 0, 0], [1, 0, 0]]")},
                                                   "[[4, 0, 0], [5, 0, 0]]")));
        write(path("cut-0000.params"), QByteArray::fromStdString(paramsFile({{"arg:w", {3}}, {"arg:v", {1, 3}}})));
        const auto inspect = [this](const QStringList& options) {
            return run(QStringList{"inspect", path("cut-symbol.json"), "--shape", "x=2,3", "--outputs", "other"} +
                       options);
        };
        const auto about = json(inspect({"--json"}))["parameters"].toObject();
        QCOMPARE(about["elements"].toInt(), 3);
        QCOMPARE(about["types"].toObject(), (QJsonObject{{"float32", 1}}));
        const auto weights = json(inspect({"--weights", "--json"}))["weights"].toArray();
        QCOMPARE(weights.size(), 1);
        QCOMPARE(weights[0].toObject()["name"].toString(), QStringLiteral("w"));
        QCOMPARE(inspect({"--weights", "--csv"}).out,
                 QByteArray("name,type,shape,parameters,bytes\nw,float32,3,3,12\n"));
        const auto layers = json(inspect({"--layers", "--json"}))["layers"].toArray();
        QCOMPARE(layers.size(), 1);
        QCOMPARE(layers[0].toObject()["name"].toString(), QStringLiteral("other"));
        QCOMPARE(layers[0].toObject()["parameters"].toInt(), 3); // which `first` reads before
        for (const char* list : {"--weights", "--layers"}) {
            const auto unknown = run({"inspect", path("cut-symbol.json"), "--outputs", "nowhere", QLatin1String(list)});
            QCOMPARE(unknown.status, 2);
            QVERIFY2(unknown.err.contains("cut-symbol.json: the model has no value nowhere"), unknown.err.constData());
        }
    }

    void inspectTakesShapes()
    {
        const auto shaped = json(run({"inspect", lstm, "--json", "--shape", "data=10,32,16"}));
        QCOMPARE(shaped["inputs"].toArray()[0].toObject()["shape"].toArray()[1].toInt(), 32);
        QVERIFY(shaped["work"].toObject()["sizes_of_1"].toArray().isEmpty());
        QCOMPARE(run({"inspect", lstm, "--shape", "date=1"}).status, 2);
    }

    void extractCutsAPartOut()
    {
        QCOMPARE(run({"convert", lstm, "-o", path("a.onnx"), "--shape", "data=10,32,16"}).status, 0);
        const auto whole = json(run({"inspect", path("a.onnx"), "--json"}));
        const QString output = whole["outputs"].toArray()[0].toObject()["name"].toString();
        QCOMPARE(run({"extract", path("a.onnx"), "--from", "data", "--to", output, "-o", path("b.onnx")}).status, 0);
        const auto part = json(run({"inspect", path("b.onnx"), "--json"}));
        QCOMPARE(part["operators"], whole["operators"]);
        QCOMPARE(run({"extract", "--from", "data", "--to", output, path("a.onnx"), "-o", path("c.onnx")}).status, 0);
        QCOMPARE(read(path("c.onnx")), read(path("b.onnx")));
        QVERIFY(QFile::remove(path("c.onnx")));
        QCOMPARE(run({"extract", path("a.onnx"), "--from", "nope", "--to", output, "-o", path("c.onnx")}).status, 2);
        QVERIFY(!QFile::exists(path("c.onnx")));
    }

    void diffReportsRenames()
    {
        write(path("m-symbol.json"), oneNode("relu"));
        QCOMPARE(run({"convert", path("m-symbol.json"), "-o", path("a.onnx"), "--shape", "x=2,3"}).status, 0);
        QCOMPARE(
            run({"convert", path("a.onnx"), "-o", path("b.onnx"), "--shape", "x=N,3", "--rename", "x=image"}).status,
            0);
        QCOMPARE(run({"convert", path("a.onnx"), "-o", path("c.onnx"), "--rename", "q=image"}).status, 2);
        QCOMPARE(run({"convert", path("a.onnx"), "-o", path("c.onnx"), "--rename", "x=y_output"}).status, 2);
        QCOMPARE(
            run({"convert", path("a.onnx"), "-o", path("c.onnx"), "--rename", "x=image", "--rename", "x=data"}).status,
            2);
        QCOMPARE(run({"diff", path("a.onnx"), path("a.onnx")}).status, 0);
        const Ran ran = run({"diff", path("a.onnx"), path("b.onnx"), "--json"});
        QCOMPARE(ran.status, 1);
        QVERIFY(!json(ran)["equal"].toBool(true));
        QCOMPARE(json(ran)["model"].toArray().at(0).toObject()["what"].toString(), QStringLiteral("input x"));
        QCOMPARE(run({"diff", path("a.onnx"), path("gone.onnx")}).status, 3);
        QVERIFY(run({"diff", path("a.onnx"), path("a.onnx")}).out.startsWith("1 node is the same, "));
    }

    void damagedModelsAreNotCompared()
    {
        const QString folder = examples + QStringLiteral("request_bilstm/");
        for (const char* copy : {"one", "two"}) {
            QVERIFY(QDir(m_folder.path()).mkpath(QString::fromLatin1(copy)));
            const QString to = path(copy) + QLatin1Char('/');
            write(to + "model-symbol.json", read(folder + "model-symbol.json"));
            write(to + "model-0000.params", read(folder + "model-0000.params").left(1000));
        }
        for (const QString& before : {path("one/model-symbol.json"), lstm}) {
            const Ran ran = run({"diff", before, path("two/model-symbol.json"), "--json"});
            QCOMPARE(ran.status, 3);
            QVERIFY(ran.out.isEmpty());
        }
    }

    void theDesktopProgramPrintsItsName()
    {
        QProcess program;
        program.start(programFolder() + QStringLiteral("/crosswalk-gui"), {"--help"});
        QVERIFY(program.waitForFinished());
        const QByteArray help = program.readAllStandardOutput();
        QVERIFY2(help.startsWith("Usage: crosswalk-gui "), help.constData());
    }

    void everyCommandHasHelpWithAnExample()
    {
        for (const char* command :
             {"convert", "diagnose", "inspect", "verify", "render", "report", "extract", "ops", "diff"}) {
            const auto ran = run({QLatin1String(command), "--help"});
            QCOMPARE(ran.status, 0);
            QVERIFY2(ran.out.contains("Example"), command);
        }
        QVERIFY(run({"--version"}).out.startsWith("crosswalk "));
    }

    /// docs/operators.md is made by the program: `crosswalk ops --markdown > docs/operators.md`.
    void theOperatorPageIsUpToDate()
    {
        const auto ran = run({"ops", "--markdown"});
        QCOMPARE(ran.status, 0);
        QCOMPARE(ran.out.split('\n'), read(sourceFolder() + QStringLiteral("/docs/operators.md")).split('\n'));
    }

    void jsonOfOperatorsContainsOpsets()
    {
        const auto ran = run({"ops", "--json"});
        const auto rows = QJsonDocument::fromJson(ran.out).array();
        QVERIFY(rows.size() > 300);
        const auto row = std::find_if(rows.begin(), rows.end(), [](const QJsonValue& op) {
            return op.toObject()["operator"].toString() == QStringLiteral("LayerNorm");
        });
        QVERIFY(row != rows.end());
        QCOMPARE(row->toObject()["opset"].toInt(), 11);
        QCOMPARE(row->toObject()["younger"].toObject()["LayerNormalization"].toInt(), 17);
    }

    void aClosedPipeIsNotAnError()
    {
        QProcess shell;
        shell.start("/bin/sh", {"-c", "trap '' PIPE; '" + programFolder() + "/crosswalk' ops | head -1"});
        QVERIFY(shell.waitForFinished(60000));
        QCOMPARE(shell.readAllStandardError(), QByteArray());
        QVERIFY(shell.readAllStandardOutput().startsWith("operator"));
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
