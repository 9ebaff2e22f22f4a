#include "core/verify/node_check.h"

#include "core/onnx/writer.h"
#include "tests/support/recorded.h"
#include "tests/support/shared_cases.h"
#include "tests/support/text_graph.h"

#include "core/formats/read_model.h"

#include <QTemporaryDir>
#include <cmath>

using namespace crosswalk;
using namespace crosswalk::test;
namespace fs = std::filesystem;

namespace {

/// relu, dropout (a no-op at inference), tanh, negative: on -1, 0, 2.
struct Chain {
    Chain()
        : graph(textGraph("x = input 3\n"
                          "relu = Activation(x) act_type=relu\n"
                          "drop = Dropout(relu)\n"
                          "tanh = Activation(drop) act_type=tanh\n"
                          "minus = negative(tanh)\n"
                          "output minus"))
        , conversion(std::move(convert(graph, {}).value()))
        , data(fs::path(folder.path().toStdString()) / "test_data_set_0")
    {
        record(data / "input_0.pb", "x", {3}, {-1, 0, 2});
        record(data / "output_0.pb", name("minus"), {3}, {0, 0, -std::tanh(2.0F)});
    }
    NodeId node(std::string_view of) const
    {
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            if (graph.node(NodeId{i}).name == of) {
                return NodeId{i};
            }
        }
        qFatal("there is no such node");
    }
    std::string name(std::string_view of) const { return graph.value(graph.node(node(of)).outputs.front()).name; }
    void recordInner(std::string_view of, const std::vector<float>& values)
    {
        record(data / "inner" / (std::string(of) + ".pb"), name(of), {3}, values);
    }
    Result<NodeCheck> check()
    {
        const fs::path model = fs::path(folder.path().toStdString()) / "model.onnx";
        writeOnnx(conversion.model, model);
        return checkNodes(graph, conversion, model, data.parent_path());
    }

    QTemporaryDir folder;
    Graph graph;
    Conversion conversion;
    fs::path data;
};

} // namespace

class TestNodeCheck : public QObject {
    Q_OBJECT
private slots:
    void onlyRecordedNodesAreProven()
    {
        Chain chain;
        const auto check = chain.check();
        QVERIFY2(check, check ? "" : check.problem().message.c_str());
        QVERIFY(check.value().outputs.equal());
        QCOMPARE(check.value().proofs[chain.node("minus").index], Proof::Proven);
        QCOMPARE(check.value().proofs[chain.node("tanh").index], Proof::NotChecked);
        QCOMPARE(check.value().count(Proof::Proven), std::size_t{1});
        QVERIFY(!check.value().firstDifference);
    }

    void innerTensorsProveTheirNodes()
    {
        Chain chain;
        chain.recordInner("relu", {0, 0, 2});
        chain.recordInner("drop", {0, 0, 2}); // passes its input through, and is compared as well
        const auto check = chain.check();
        QVERIFY2(check, check ? "" : check.problem().message.c_str());
        QVERIFY(!check.value().innerProblem);
        QCOMPARE(check.value().proofs[chain.node("relu").index], Proof::Proven);
        QCOMPARE(check.value().proofs[chain.node("drop").index], Proof::Proven);
        QCOMPARE(check.value().proofs[chain.node("tanh").index], Proof::NotChecked);
    }

    void firstDifferenceFollowsTheSourceOrder()
    {
        Chain chain;
        chain.recordInner("tanh", {0, 0, 0.5F});
        chain.recordInner("relu", {0, 0, 2});
        record(chain.data / "output_0.pb", chain.name("minus"), {3}, {0, 0, 7});
        const auto check = chain.check();
        QVERIFY(check);
        QVERIFY(!check.value().outputs.equal());
        QVERIFY(check.value().firstDifference == chain.node("tanh"));
        QCOMPARE(check.value().proofs[chain.node("relu").index], Proof::Proven);
        QCOMPARE(check.value().proofs[chain.node("minus").index], Proof::Differs);
        const auto& worst = check.value().values[*check.value().worst[chain.node("tanh").index]].comparison;
        QCOMPARE(worst.wanted, 0.5);
        QVERIFY(std::abs(worst.maxAbsolute - (std::tanh(2.0) - 0.5)) < 1e-6);
    }

    void ambiguousNamesAreIgnored()
    {
        Chain chain;
        chain.graph = textGraph("x = input 3\n"
                                "relu = Activation(x) act_type=relu\n"
                                "tanh = Activation(relu) act_type=tanh\n"
                                "relu = Activation(tanh) act_type=relu\n"
                                "minus = negative(relu)\n"
                                "output minus");
        chain.conversion = std::move(convert(chain.graph, {}).value());
        chain.recordInner("relu", {9, 9, 9}); // ambiguous
        const auto check = chain.check();
        QVERIFY(check);
        QCOMPARE(check.value().count(Proof::Differs), std::size_t{0});
    }

    /// Such as complex numbers, which an export computes as pairs.
    void valuesOfAnotherTypeAreNotCompared()
    {
        Chain chain;
        chain.recordInner("relu", {0, 0, 2});
        constexpr std::uint64_t int32Type = 6;
        record(chain.data / "inner" / "tanh.pb", chain.name("tanh"), {3}, {0, 0, 1}, int32Type);
        const auto check = chain.check();
        QVERIFY2(check, check ? "" : check.problem().message.c_str());
        QVERIFY(!check.value().innerProblem);
        QCOMPARE(check.value().proofs[chain.node("relu").index], Proof::Proven);
        QCOMPARE(check.value().proofs[chain.node("tanh").index], Proof::NotChecked);
    }

    void damagedInnerTensorsDoNotAffectOutputs()
    {
        Chain chain;
        fs::create_directories(chain.data / "inner");
        std::ofstream(chain.data / "inner" / "0.pb") << "no tensor";
        const auto check = chain.check();
        QVERIFY(check);
        QVERIFY(check.value().outputs.equal());
        QVERIFY(check.value().innerProblem);
        QCOMPARE(check.value().innerProblem->code, Code("damaged"));
    }

    void recordedCasesAreProven_data()
    {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"zoo/digits_crnn", "zoo/unet_small", "zoo/thin_bottleneck_v1"}) {
            QTest::newRow(folder) << QString::fromLatin1(folder);
        }
    }
    void recordedCasesAreProven()
    {
        REQUIRE_SHARED_CASES();
        QFETCH(QString, folder);
        const auto model = sharedFolder() / "cases" / folder.toStdString() / "model-symbol.json";
        const auto loaded = readModel({.model = model});
        QVERIFY(loaded);
        const auto conversion = convert(*loaded.value().graph, {});
        QVERIFY(conversion);
        const QTemporaryDir temporary;
        const auto exported = fs::path(temporary.path().toStdString()) / "model.onnx";
        writeOnnx(conversion.value().model, exported);
        const auto check = checkNodes(*loaded.value().graph, conversion.value(), exported, model.parent_path());
        QVERIFY(check);
        QVERIFY(!check.value().innerProblem);
        QCOMPARE(check.value().count(Proof::Differs), std::size_t{0});
        QVERIFY(check.value().count(Proof::Proven) >= 5);
    }
};

QTEST_MAIN(TestNodeCheck)
#include "tst_node_check.moc"
