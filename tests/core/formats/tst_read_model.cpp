#include "core/formats/file_kind.h"
#include "core/formats/read_model.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/zip_files.h"

#include <algorithm>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// x through a layer of 4 and one of 3 units; weights fc1_weight 4x2, fc1_bias 4, fc2_weight 3x4, fc2_bias 3.
std::string twoLayers(std::string_view hint = "{}")
{
    return symbolFile({variable("x"), variable("fc1_weight", hint), variable("fc1_bias"),
                       node("FullyConnected", "fc1", "[[0, 0], [1, 0], [2, 0]]", R"j({"num_hidden": "4"})j"),
                       variable("fc2_weight"), variable("fc2_bias"),
                       node("FullyConnected", "fc2", "[[3, 0], [4, 0], [5, 0]]", R"j({"num_hidden": "3"})j")});
}

std::vector<NamedArray> weightsOfTwoLayers()
{
    return {{"arg:fc1_weight", {4, 2}, 10},
            {"arg:fc1_bias", {4}, 20},
            {"arg:fc2_weight", {3, 4}, 30},
            {"arg:fc2_bias", {3}, 40}};
}

std::string dense(int units)
{
    return fmt::format(R"j({{"num_hidden": "{}", "no_bias": "True"}})j", units);
}

/// Layers of two units, each of which reads the one named.
std::string chainOfEqualLayers(std::string_view first, std::string_view second, bool sideBySide)
{
    const std::string square = dense(2);
    return symbolFile({variable("x"), variable(fmt::format("{}_weight", first)),
                       node("FullyConnected", first, "[[0, 0], [1, 0]]", square),
                       variable(fmt::format("{}_weight", second)),
                       node("FullyConnected", second, sideBySide ? "[[0, 0], [3, 0]]" : "[[2, 0], [3, 0]]", square),
                       node("elemwise_add", "sum", "[[2, 0], [4, 0]]")});
}

QStringList codes(const LoadedModel& model)
{
    QStringList list;
    for (const Diagnostic& problem : model.problems) {
        list << QString::fromStdString(std::string(severityName(problem.severity)) + " " +
                                       std::string(problem.code.text()));
    }
    return list;
}

/// First element of the weight with this name; -1 where it has none.
double firstOf(const LoadedModel& model, std::string_view name)
{
    for (std::uint32_t i = 0; i < model.graph->valueCount(); ++i) {
        if (model.graph->value(ValueId{i}).name == name) {
            const Tensor* tensor = model.graph->tensorOf(ValueId{i});
            return tensor != nullptr ? tensor->toDoubles()[0] : -1;
        }
    }
    return -1;
}

QStringList inputs(const LoadedModel& model)
{
    QStringList list;
    for (const ValueId id : model.graph->inputs) {
        list << QString::fromStdString(model.graph->value(id).name);
    }
    return list;
}

} // namespace

class TestReadModel : public QObject {
    Q_OBJECT
private slots:
    void init() { m_files.emplace(); }

    void aSymbolFileIsKnownByItsContent()
    {
        for (const auto* name : {"net-symbol.json", "net.txt", "net.onnx", "net"}) {
            m_files->write(name, "\n " + twoLayers());
            const auto model = read(name);
            QCOMPARE(model.graph->format, std::string("mxnet"));
            QCOMPARE(model.graph->producer, std::string("Apache MXNet"));
            QCOMPARE(model.graph->nodeCount(), std::size_t{2});
        }
    }

    void weightsAreFoundByMxnetsNaming_data()
    {
        QTest::addColumn<QByteArrayList>("files");
        QTest::addColumn<QByteArray>("symbol");
        QTest::addColumn<QByteArray>("taken");
        QTest::addColumn<QStringList>("said");
        const QStringList nothing;
        const QStringList newest{QStringLiteral("note newest-epoch")};
        const QStringList missing{QStringLiteral("note no-weights-file")};
        QTest::newRow("one epoch") << QByteArrayList{"net-0000.params"} << QByteArray("net-symbol.json")
                                   << QByteArray("net-0000.params") << nothing;
        QTest::newRow("the newest of several")
            << QByteArrayList{"net-0002.params", "net-0010.params", "net-0009.params"} << QByteArray("net-symbol.json")
            << QByteArray("net-0010.params") << newest;
        QTest::newRow("more than 9999 epochs")
            << QByteArrayList{"net-9999.params", "net-10000.params"} << QByteArray("net-symbol.json")
            << QByteArray("net-10000.params") << newest;
        QTest::newRow("no epoch") << QByteArrayList{"net.params"} << QByteArray("net-symbol.json")
                                  << QByteArray("net.params") << nothing;
        QTest::newRow("an epoch goes before none")
            << QByteArrayList{"net.params", "net-0001.params"} << QByteArray("net-symbol.json")
            << QByteArray("net-0001.params") << nothing;
        QTest::newRow("a plain name") << QByteArrayList{"net.params"} << QByteArray("net.json")
                                      << QByteArray("net.params") << nothing;
        QTest::newRow("a plain name with epochs")
            << QByteArrayList{"net-0003.params"} << QByteArray("net.json") << QByteArray("net-0003.params") << nothing;
        QTest::newRow("those of another model are not taken")
            << QByteArrayList{"other-0000.params", "net2-0000.params", "net-old-0000.params", "net-12.params"}
            << QByteArray("net-symbol.json") << QByteArray() << missing;
    }
    void weightsAreFoundByMxnetsNaming()
    {
        QFETCH(QByteArrayList, files);
        QFETCH(QByteArray, symbol);
        QFETCH(QByteArray, taken);
        QFETCH(QStringList, said);
        m_files->write(symbol.toStdString(), twoLayers());
        for (const QByteArray& file : files) {
            m_files->write(file.toStdString(), paramsFile(weightsOfTwoLayers()));
        }
        const auto model = read(symbol.toStdString());
        QCOMPARE(QByteArray::fromStdString(model.weights.filename().string()), taken);
        QCOMPARE(codes(model), said);
        QCOMPARE(inputs(model).size(), taken.isEmpty() ? 5 : 1);
    }

    void weightsCanBeNamed()
    {
        m_files->write("net-symbol.json", twoLayers());
        m_files->write("net-0000.params", paramsFile({}));
        m_files->write("mine.bin", paramsFile(weightsOfTwoLayers()));
        const auto model = read("net-symbol.json", "mine.bin");
        QCOMPARE(codes(model), QStringList());
        QCOMPARE(inputs(model), QStringList{QStringLiteral("x")});
        QCOMPARE(firstOf(model, "fc2_weight"), 30.0);
    }

    void namesCountWithAnyPrefix()
    {
        m_files->write("net-symbol.json", twoLayers());
        m_files->write("net.params", paramsFile({{"aux:fc1_weight", {4, 2}, 1},
                                                 {"fc1_bias", {4}, 2},
                                                 {"arg:fc2_weight", {3, 4}, 3},
                                                 {"fc2_bias", {3}, 4}}));
        const auto model = read("net-symbol.json");
        QCOMPARE(codes(model), QStringList());
        QCOMPARE(inputs(model), QStringList{QStringLiteral("x")});
    }

    void weightsOf20AreReadFromTheirArchive()
    {
        m_files->write("net-symbol.json", twoLayers());
        m_files->write("net-0000.params", npyZip(weightsOfTwoLayers()));
        const auto model = read("net-symbol.json");
        QCOMPARE(codes(model), QStringList());
        QCOMPARE(firstOf(model, "fc1_bias"), 20.0);
        QCOMPARE(firstOf(model, "fc2_bias"), 40.0);
    }

    void anArchiveInFortranOrderIsTransposed()
    {
        m_files->write("net-symbol.json", symbolFile({variable("w"), node("relu", "r", "[[0, 0]]")}));
        m_files->write("net.params", npyZip({{"w", {2, 3}, 0}}, true));
        const auto model = read("net-symbol.json");
        const Tensor* tensor = model.graph->tensorOf(model.graph->node(NodeId{0}).inputs[0]);
        QCOMPARE(tensor->dims(), (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(tensor->toDoubles(), (std::vector<double>{0, 2, 4, 1, 3, 5}));
    }

    void aDamagedArchiveDoesNoHarm()
    {
        m_files->write("net-symbol.json", twoLayers());
        const std::string whole = npyZip(weightsOfTwoLayers());
        for (std::size_t size = 0; size < whole.size(); ++size) {
            m_files->write("net.params", std::string_view(whole).substr(0, size));
            QVERIFY2(hasError(read("net-symbol.json")), std::to_string(size).c_str());
        }
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
            m_files->write("net.params", damaged);
            read("net-symbol.json");
        }
    }

    void unreadableWeightsLeaveTheGraphToBeSeen()
    {
        m_files->write("net-symbol.json", twoLayers());
        const std::string whole = paramsFile(weightsOfTwoLayers());
        m_files->write("net-0000.params", whole.substr(0, whole.size() - 1));
        QCOMPARE(codes(read("net-symbol.json")), QStringList{QStringLiteral("error truncated")});
        QCOMPARE(read("net-symbol.json").graph->nodeCount(), std::size_t{2});
        m_files->write("net-0000.params", "no weights");
        QCOMPARE(codes(read("net-symbol.json")), QStringList{QStringLiteral("error damaged")});
        QCOMPARE(codes(read("net-symbol.json", "absent.params")), QStringList{QStringLiteral("error unreadable")});
    }

    void wrongShapesAreSaidWithBoth()
    {
        auto weights = weightsOfTwoLayers();
        weights[0].dims = {2, 4};
        m_files->write("net.params", paramsFile(weights));
        m_files->write("net-symbol.json", twoLayers(R"j({"__shape__": "(4, 2)"})j"));
        const auto model = read("net-symbol.json");
        QCOMPARE(codes(model), QStringList{QStringLiteral("error wrong-weight")});
        const std::string& message = model.problems[0].message;
        QVERIFY(message.find("2x4") != std::string::npos && message.find("4x2") != std::string::npos);
        QCOMPARE(model.graph->nodeCount(), std::size_t{2});
    }

    void aHintWithOpenDimensionsIsNoContradiction()
    {
        m_files->write("net.params", paramsFile(weightsOfTwoLayers()));
        m_files->write("net-symbol.json", twoLayers(R"j({"__shape__": "(4, 0)"})j"));
        QCOMPARE(codes(read("net-symbol.json")), QStringList());
    }

    void structuralNamesAreMatchedByOrderAndShape()
    {
        m_files->write("net-symbol.json", twoLayers());
        m_files->write(
            "net.params",
            paramsFile({{"0.weight", {4, 2}, 1}, {"0.bias", {4}, 2}, {"1.weight", {3, 4}, 3}, {"1.bias", {3}, 4}}));
        const auto model = read("net-symbol.json");
        QCOMPARE(codes(model), QStringList{QStringLiteral("note weights-by-order")});
        QCOMPARE(firstOf(model, "fc1_weight"), 1.0);
        QCOMPARE(firstOf(model, "fc1_bias"), 2.0);
        QCOMPARE(firstOf(model, "fc2_weight"), 3.0);
        QCOMPARE(inputs(model), QStringList{QStringLiteral("x")});
    }

    void shapeDecidesAgainstOrder()
    {
        m_files->write("net-symbol.json", twoLayers());
        m_files->write(
            "net.params",
            paramsFile({{"b.bias", {3}, 4}, {"b.weight", {3, 4}, 3}, {"a.weight", {4, 2}, 1}, {"a.bias", {4}, 2}}));
        const auto model = read("net-symbol.json");
        QCOMPARE(firstOf(model, "fc1_weight"), 1.0);
        QCOMPARE(firstOf(model, "fc2_bias"), 4.0);
    }

    void equalLayersAreMatchedOnlyWhereTheirOrderIsAFact_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<QByteArray>("arrays"); // the two names
        QTest::addColumn<bool>("sideBySide");
        QTest::addColumn<double>("firstGets"); // -1: refused
        const auto row = [](const char* name, const char* first, const char* second, const char* arrays,
                            bool sideBySide, double firstGets) {
            QTest::newRow(name) << QByteArray(first) << QByteArray(second) << QByteArray(arrays) << sideBySide
                                << firstGets;
        };
        row("numbered, in a row", "dense0", "dense1", "a b", false, 100);
        row("numbered, side by side", "dense0", "dense1", "a b", true, 100);
        row("numbered against the flow", "dense1", "dense0", "a b", false, -1);
        row("numbered with two digits", "dense9", "dense10", "a b", true, 100);
        row("named, in a row", "query", "key", "a b", false, -1);
        row("named, side by side", "query", "key", "a b", true, -1);
        row("named alike", "net0_att0_dense0", "net0_ffn0_dense0", "att.p ffn.p", false, 100);
        row("named alike, side by side", "query", "key", "m.query m.key", true, 100);
        row("one named alike", "net0_att0_dense0", "net0_ffn0_dense0", "x.p ffn.p", false, 100);
        row("named the other way round", "net0_att0_dense0", "net0_ffn0_dense0", "ffn.p att.p", false, -1);
        row("named by part of a word", "enc", "dec", "encoder decoder", false, -1);
        row("in a sequence", "query", "key", "m.0.p m.1.p", false, 100);
        row("in a sequence, side by side", "query", "key", "m.0.p m.1.p", true, -1);
        row("in sequences of their own", "query", "key", "a.0 b.1", false, -1);
    }
    void equalLayersAreMatchedOnlyWhereTheirOrderIsAFact()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(QByteArray, arrays);
        QFETCH(bool, sideBySide);
        QFETCH(double, firstGets);
        const auto names = arrays.split(' ');
        m_files->write("net-symbol.json", chainOfEqualLayers(first.toStdString(), second.toStdString(), sideBySide));
        m_files->write("net.params", paramsFile({{names[0].toStdString() + ".weight", {2, 2}, 100},
                                                 {names[1].toStdString() + ".weight", {2, 2}, 200}}));
        const auto model = read("net-symbol.json");
        QCOMPARE(firstOf(model, first.toStdString() + "_weight"), firstGets);
        QCOMPARE(hasError(model), firstGets < 0);
    }

    void theOrderOfAFileIsRecognised_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<double>("shortcutGets"); // -1: refused
        const NamedArray shortcut = {"proj.weight", {2, 2}, 100};
        const NamedArray wide = {"a.weight", {3, 2}, 200};
        const NamedArray narrow = {"b.weight", {2, 3}, 300};
        const auto row = [](const char* name, const std::vector<NamedArray>& arrays, double shortcutGets) {
            QTest::newRow(name) << QByteArray::fromStdString(paramsFile(arrays)) << shortcutGets;
        };
        row("as the graph lists the layers", {shortcut, wide, narrow}, 100);
        row("as they were made", {wide, narrow, shortcut}, 100);
        row("with numbers that run backwards", {{"2.weight", {3, 2}}, {"1.weight", {2, 3}}, {"0.weight", {2, 2}}}, -1);
    }
    void theOrderOfAFileIsRecognised()
    {
        QFETCH(QByteArray, params);
        QFETCH(double, shortcutGets);
        // A graph lists a shortcut (dense2) before the branch beside it (dense0, dense1).
        m_files->write(
            "net-symbol.json",
            symbolFile({variable("x"), variable("dense2_weight"),
                        node("FullyConnected", "dense2", "[[0, 0], [1, 0]]", dense(2)), variable("dense0_weight"),
                        node("FullyConnected", "dense0", "[[0, 0], [3, 0]]", dense(3)), variable("dense1_weight"),
                        node("FullyConnected", "dense1", "[[4, 0], [5, 0]]", dense(2)),
                        node("elemwise_add", "sum", "[[2, 0], [6, 0]]")}));
        m_files->write("net.params", params.toStdString());
        QCOMPARE(firstOf(read("net-symbol.json"), "dense2_weight"), shortcutGets);
    }

    void structuralNamesThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<QByteArray>("params");
        const auto row = [](const char* name, const std::vector<NamedArray>& arrays) {
            QTest::newRow(name) << QByteArray::fromStdString(paramsFile(arrays));
        };
        row("too many",
            {{"0.weight", {4, 2}}, {"0.bias", {4}}, {"1.weight", {3, 4}}, {"1.bias", {3}}, {"2.bias", {3}}});
        row("too few", {{"0.weight", {4, 2}}, {"0.bias", {4}}});
        row("a shape that nothing has", {{"0.weight", {4, 2}}, {"0.bias", {4}}, {"1.weight", {9, 4}}, {"1.bias", {3}}});
        row("a kind that nothing has", {{"0.weight", {4, 2}}, {"0.bias", {4}}, {"1.weight", {3, 4}}, {"1.gamma", {3}}});
        row("layers that would be torn apart",
            {{"0.weight", {4, 2}}, {"1.bias", {4}}, {"1.weight", {3, 4}}, {"0.bias", {3}}});
    }
    void structuralNamesThatDoNotFitAreRefused()
    {
        QFETCH(QByteArray, params);
        m_files->write("net-symbol.json", twoLayers());
        m_files->write("net.params", params.toStdString());
        const auto model = read("net-symbol.json");
        QCOMPARE(codes(model), QStringList{QStringLiteral("error ambiguous-weights")});
        QVERIFY(!model.problems[0].hint.empty());
        QCOMPARE(inputs(model).size(), 5);
    }

    void aListWithoutNamesIsMatchedByOrder()
    {
        m_files->write("net-symbol.json", twoLayers());
        m_files->write("net.params", paramsFile({{"", {4, 2}, 1}, {"", {4}, 2}, {"", {3, 4}, 3}, {"", {3}, 4}}));
        const auto model = read("net-symbol.json");
        QCOMPARE(codes(model), QStringList{QStringLiteral("note weights-by-order")});
        QCOMPARE(firstOf(model, "fc1_weight"), 1.0);
        QCOMPARE(firstOf(model, "fc2_bias"), 4.0);
    }

    void aListWhoseAuxiliaryStatesMayStandInTwoPlacesIsRefused()
    {
        const auto norm = [](int i) {
            const int first = i * 5;
            return fmt::format("[[{}, 0], [{}, 0], [{}, 0], [{}, 0], [{}, 0]]", first, first + 1, first + 2, first + 3,
                               first + 4);
        };
        m_files->write("net-symbol.json",
                       symbolFile({variable("x"), variable("g1"), variable("b1"), variable("m1"), variable("v1"),
                                   node("BatchNorm", "bn1", norm(0)), variable("g2"), variable("b2"), variable("m2"),
                                   variable("v2"), node("BatchNorm", "bn2", norm(1))}));
        m_files->write(
            "net.params",
            paramsFile({{"", {3}}, {"", {3}}, {"", {3}}, {"", {3}}, {"", {3}}, {"", {3}}, {"", {3}}, {"", {3}}}));
        QCOMPARE(codes(read("net-symbol.json")), QStringList{QStringLiteral("error ambiguous-weights")});
    }

    void foreignAndSpareWeightsAreSaid()
    {
        m_files->write("net-symbol.json", twoLayers());
        auto weights = weightsOfTwoLayers();
        weights.push_back({"arg:fc3_weight", {2, 2}});
        m_files->write("net.params", paramsFile(weights));
        QCOMPARE(codes(read("net-symbol.json")), QStringList{QStringLiteral("note unused-weights")});
        m_files->write("net.params", paramsFile({{"arg:conv_weight", {2, 2}}}));
        QCOMPARE(codes(read("net-symbol.json")), QStringList{QStringLiteral("warning foreign-weights")});
    }

    void filesThatAreNoModelAreNamed_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](const char* name, std::string_view content, const char* kind) {
            QTest::newRow(kind) << QByteArray(name) << QByteArray(content.data(), qsizetype(content.size()))
                                << QByteArray(kind);
        };
        using namespace std::string_view_literals;
        row("a.json", "\x89PNG\r\n\x1a\n and more"sv, "PNG");
        row("a.json", "\xff\xd8\xff\xe0 and more"sv, "JPEG");
        row("a.onnx", "\x1f\x8b\x08 and more"sv, "gzip");
        row("a.onnx", zipFile({{"picture.png", "no model"}}), "zip");
        row("a.pt", "\x80\x02}q\x00X\x03"sv, "pickle");
        row("a.pt", zipFile({{"archive/code/model.py", "no program"}}), "TorchScript");
        row("a.tflite", "\x1c\x00\x00\x00TFL3 and more"sv, "Lite");
        row("a.json", "PDF? %PDF-"sv, "text");
        row("a.md", "# A text\n\nand nothing else\n"sv, "text");
        row("a.html", "<!doctype html>"sv, "HTML");
        row("a.bin",
            "\x7f"
            "ELF\x02\x01"sv,
            "ELF");
        row("a.npy", "\x93NUMPY\x01\x00"sv, "NumPy");
    }
    void filesThatAreNoModelAreNamed()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, kind);
        ReadRequest request;
        request.model = m_files->write(name.toStdString(), content.toStdString());
        const auto model = readModel(request);
        QVERIFY(!model);
        QCOMPARE(model.problem().code, Code("unknown-format"));
        QVERIFY2(model.problem().message.find(kind.toStdString()) != std::string::npos,
                 model.problem().message.c_str());
    }

    void weightsForAModelAreNamedAsThat()
    {
        ReadRequest request;
        request.model = m_files->write("net-0000.params", paramsFile(weightsOfTwoLayers()));
        QCOMPARE(readModel(request).problem().code, Code("unknown-format"));
        QVERIFY(!readModel(request).problem().hint.empty());
        request.model = m_files->write("net-0001.params", npyZip(weightsOfTwoLayers()));
        QCOMPARE(readModel(request).problem().code, Code("unknown-format"));
        QVERIFY(!readModel(request).problem().hint.empty());
    }

    void archivesAreNamedByTheirMembers()
    {
        const std::string large(5000, 'x');
        ReadRequest request;
        request.model = m_files->write("a.pt", zipFile({{"a/weights", large}, {"a/data.pkl", "pickled"}}));
        QCOMPARE(readModel(request).problem().code, Code("damaged"));
        QVERIFY(readModel(request).problem().message.find("a/data.pkl") != std::string::npos);
    }

    void readingCanBeStopped_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::newRow("a list of arrays") << QByteArray::fromStdString(paramsFile(weightsOfTwoLayers()));
        QTest::newRow("an archive") << QByteArray::fromStdString(npyZip(weightsOfTwoLayers()));
    }
    void readingCanBeStopped()
    {
        QFETCH(QByteArray, params);
        ReadRequest request;
        request.model = m_files->write("net-symbol.json", twoLayers());
        m_files->write("net-0000.params", params.toStdString());
        std::vector<double> reached;
        request.progress = [&](double part) { reached.push_back(part); };
        QVERIFY(bool(readModel(request)));
        QVERIFY(std::is_sorted(reached.begin(), reached.end()) && reached.back() == 1);
        // Stopped before it begins, then after each report but the last: the symbol file, the graph, the weights.
        for (std::size_t reports = 0; reports + 1 < reached.size(); ++reports) {
            std::stop_source stop;
            std::size_t seen = 0;
            const auto stopInTime = [&] {
                if (seen == reports) {
                    stop.request_stop();
                }
            };
            stopInTime();
            request.stop = stop.get_token();
            request.progress = [&](double) {
                ++seen;
                stopInTime();
            };
            const auto model = readModel(request);
            QVERIFY(!model);
            QCOMPARE(model.problem().code, Code("cancelled"));
            QCOMPARE(seen, reports);
        }
    }

    void weightsOutsideTheFolderAreTakenOnlyWhenNamed()
    {
        m_files->write("outside", paramsFile(weightsOfTwoLayers()));
        std::filesystem::create_directory(m_files->path("model"));
        m_files->write("model/net-symbol.json", twoLayers());
        std::filesystem::create_symlink("../outside", m_files->path("model/net-0000.params"));
        QCOMPARE(codes(read("model/net-symbol.json")), QStringList{QStringLiteral("error damaged")});
        QVERIFY(codes(read("model/net-symbol.json", "model/net-0000.params")).isEmpty());
    }

    void whatCannotBeOpenedIsSaid()
    {
        QCOMPARE(codeFor("absent.json"), Code("unreadable"));
        std::filesystem::create_directory(m_files->path("folder.json"));
        QCOMPARE(codeFor("folder.json"), Code("unreadable"));
        m_files->write("empty.json", "");
        QCOMPARE(codeFor("empty.json"), Code("damaged"));
        m_files->write("other.json", R"j({"name": "left-pad", "version": "1.0"})j");
        QCOMPARE(codeFor("other.json"), Code("damaged"));
    }

    void aSymbolFileCutAnywhereIsRefused()
    {
        const std::string whole = twoLayers();
        for (std::size_t size = 1; size < whole.size(); ++size) {
            m_files->write("net-symbol.json", std::string_view(whole).substr(0, size));
            QVERIFY2(codeFor("net-symbol.json") == Code("truncated"), std::to_string(size).c_str());
        }
    }

private:
    LoadedModel read(std::string_view model, std::string_view weights = {}) const
    {
        ReadRequest request;
        request.model = m_files->path(model);
        request.weights = weights.empty() ? std::filesystem::path() : m_files->path(weights);
        auto result = readModel(request);
        if (!result) {
            qFatal("%s", result.problem().message.c_str());
        }
        return result.value();
    }

    Code codeFor(std::string_view model) const
    {
        ReadRequest request;
        request.model = m_files->path(model);
        const auto result = readModel(request);
        return result ? Code("readable") : result.problem().code;
    }

    static bool hasError(const LoadedModel& model)
    {
        return std::any_of(model.problems.begin(), model.problems.end(),
                           [](const Diagnostic& problem) { return problem.severity == Severity::Error; });
    }

    std::optional<TemporaryFiles> m_files; ///< a folder for each test
};

QTEST_APPLESS_MAIN(TestReadModel)
#include "tst_read_model.moc"
