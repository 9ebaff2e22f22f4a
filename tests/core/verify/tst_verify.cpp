#include "core/verify/verify.h"

#include "core/verify/data_sets.h"
#include "tests/support/onnx_text.h"
#include "tests/support/shared_cases.h"

#include <QtTest>

using namespace crosswalk;
namespace fs = std::filesystem;

namespace {

void record(const fs::path& file, const std::string& name, std::vector<float> values)
{
    fs::create_directories(file.parent_path());
    ::onnx::TensorProto proto;
    proto.set_name(name);
    proto.set_data_type(::onnx::TensorProto::FLOAT);
    proto.add_dims(static_cast<std::int64_t>(values.size()));
    for (const float value : values) {
        proto.add_float_data(value);
    }
    test::writeMessage(proto, file);
}

} // namespace

class TestVerify : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path m_data;

    fs::path model(const std::string& graph) const
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / "model.onnx";
        test::writeMessage(test::parseModel(graph), path);
        return path;
    }
    fs::path difference() const { return model("g (float[N] a, float[N] b) => (float[N] y) { y = Sub(a, b) }"); }

private slots:
    void init() { m_data = fs::path(m_folder.path().toStdString()) / QTest::currentTestFunction(); }

    void pairsInputsByName()
    {
        record(m_data / "input_0.pb", "b", {1, 2});
        record(m_data / "input_1.pb", "a", {5, 5});
        record(m_data / "output_0.pb", "y", {4, 3});
        const auto report = verify(difference(), m_data);
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        QVERIFY(report.value().equal());
        QCOMPARE(report.value().dataSets, 1U);
        QVERIFY(!report.value().runtimeVersion.empty());
    }

    void pairsInputsByPosition()
    {
        record(m_data / "input_0.pb", "", {5, 5});
        record(m_data / "input_1.pb", "", {1, 2});
        record(m_data / "output_0.pb", "", {4, 3});
        const auto report = verify(difference(), m_data);
        QVERIFY(report && report.value().equal());
    }

    void pairsByNameBeforePosition()
    {
        record(m_data / "input_0.pb", "b", {1, 2});
        record(m_data / "input_1.pb", "renamed", {5, 5});
        record(m_data / "output_0.pb", "z", {1, 2});
        record(m_data / "output_1.pb", "renamed", {4, 3});
        const auto path =
            model("g (float[N] a, float[N] b) => (float[N] y, float[N] z) { y = Sub(a, b) z = Identity(b) }");
        const auto report = verify(path, m_data);
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        QVERIFY(report.value().equal());
    }

    void unusedRecordedLabelsAreIgnored()
    {
        record(m_data / "input_0.pb", "label", {9, 9, 9});
        record(m_data / "input_1.pb", "a", {5, 5});
        record(m_data / "input_2.pb", "b", {1, 2});
        record(m_data / "output_0.pb", "y", {4, 3});
        const auto report = verify(difference(), m_data);
        QVERIFY(report && report.value().equal());
    }

    void anInputThatDoesNotFitIsReportedWithItsDimension()
    {
        const auto problemOf = [&](const std::string& graph, const std::vector<float>& values) {
            record(m_data / "input_0.pb", "a", values);
            record(m_data / "output_0.pb", "y", values);
            const auto report = verify(model(graph), m_data);
            return report ? Diagnostic{.message = {}} : report.problem();
        };
        const Diagnostic rank = problemOf("g (float[N,4] a) => (float[N,4] y) { y = Neg(a) }", {1, 2, 3});
        QCOMPARE(rank.code, Code("wrong-input"));
        QVERIFY2(rank.message.ends_with("its rank is 1 (3), 2 expected (Nx4)"), rank.message.c_str());
        const Diagnostic size = problemOf("g (float[4] a) => (float[4] y) { y = Neg(a) }", {1, 2, 3});
        QVERIFY2(size.message.starts_with("the tensor for input a in ") &&
                     size.message.ends_with("its dimension 0 is 3, 4 expected (3, the model's input is 4)"),
                 size.message.c_str());
        const Diagnostic type = problemOf("g (int64[3] a) => (int64[3] y) { y = Neg(a) }", {1, 2, 3});
        QVERIFY2(type.message.ends_with("it is float32, int64 expected"), type.message.c_str());
        QVERIFY(problemOf("g (float[N] a) => (float[N] y) { y = Identity(a) }", {1, 2, 3}).message.empty());
    }

    void missingInputIsReportedByName()
    {
        record(m_data / "input_0.pb", "a", {5, 5});
        record(m_data / "output_0.pb", "y", {4, 3});
        const auto report = verify(difference(), m_data);
        QVERIFY(!report);
        QCOMPARE(report.problem().code, Code("missing-input"));
        QVERIFY(report.problem().message.ends_with("input b"));
    }

    void repeatedOutputNamesAreNumbered()
    {
        record(m_data / "input_0.pb", "x", {1});
        record(m_data / "output_0.pb", "y", {-1});
        record(m_data / "output_1.pb", "y", {1});
        const auto path = [this] {
            auto proto = test::parseModel("g (float[N] x) => (float[N] y2, float[N] y) { y = Neg(x) y2 = Abs(x) }");
            proto.mutable_graph()->mutable_output(0)->set_name("y#2");
            proto.mutable_graph()->mutable_node(1)->set_output(0, "y#2");
            const fs::path file = fs::path(m_folder.path().toStdString()) / "repeated.onnx";
            test::writeMessage(proto, file);
            return file;
        }();
        const auto report = verify(path, m_data);
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        QVERIFY(report.value().equal());
    }

    void differentOutputCountIsADifference()
    {
        record(m_data / "input_0.pb", "x", {1});
        record(m_data / "output_0.pb", "y", {-1});
        const auto more = verify(model("g (float[N] x) => (float[N] y, float[N] z) { y = Neg(x) z = Abs(x) }"), m_data);
        QVERIFY(more && !more.value().equal());
        QCOMPARE(more.value().outputs.size(), 2U);
        record(m_data / "output_1.pb", "z", {1});
        const auto fewer = verify(model("g (float[N] x) => (float[N] y) { y = Neg(x) }"), m_data);
        QVERIFY(fewer && !fewer.value().equal());
        QCOMPARE(fewer.value().outputs.size(), 2U);
        QCOMPARE(fewer.value().outputs[1].name, std::string("z"));
    }

    void allDataSetsAreVerified()
    {
        for (int k = 0; k < 12; ++k) {
            const fs::path set = m_data / ("test_data_set_" + std::to_string(k));
            const auto value = static_cast<float>(k);
            record(set / "input_0.pb", "x", {value});
            record(set / "output_0.pb", "y", {k == 11 ? 0 : -value});
        }
        const auto report = verify(model("g (float[N] x) => (float[N] y) { y = Neg(x) }"), m_data);
        QVERIFY(report);
        QCOMPARE(report.value().dataSets, 12U);
        QVERIFY(!report.value().equal());
        QVERIFY(report.value().outputs[10].equal);
        QCOMPARE(report.value().outputs[11].got, -11.0);
        QCOMPARE(report.value().outputs[11].why, std::string("in test_data_set_11: 1 of 1 values"));
    }

    void alternativeOutputsMustMatchCompletely()
    {
        const fs::path set = m_data / "test_data_set_0";
        record(set / "input_0.pb", "x", {1});
        record(set / "output_0.pb", "y", {5});
        record(set / "output_1.pb", "z", {1});
        record(m_data / "alt_other" / "output_0.pb", "y", {-1});
        record(m_data / "alt_other" / "output_1.pb", "z", {6});
        const fs::path path = model("g (float[N] x) => (float[N] y, float[N] z) { y = Neg(x) z = Abs(x) }");
        auto report = verify(path, m_data);
        QVERIFY(report && !report.value().equal()); // y of one alternative and z of the other do not match
        record(m_data / "alt_other" / "output_1.pb", "z", {1});
        report = verify(path, m_data);
        QVERIFY(report && report.value().equal());
        QCOMPARE(report.value().outputs[0].why, std::string("matches the alternative outputs in alt_other"));
        report = verify(path, set);
        QVERIFY(report && report.value().equal());
    }

    void folderWithoutTensorsIsReported()
    {
        fs::create_directories(m_data);
        const auto empty = verify(difference(), m_data);
        QVERIFY(!empty);
        QCOMPARE(empty.problem().code, Code("unreadable"));
        const auto absent = verify(difference(), m_data / "nowhere");
        QVERIFY(!absent);
        QCOMPARE(absent.problem().code, Code("unreadable"));
    }

    void recordedCasesAreRead()
    {
        REQUIRE_SHARED_CASES();
        int sets = 0;
        for (const auto& entry : fs::recursive_directory_iterator(test::sharedFolder() / "cases")) {
            if (entry.path().filename() == "case.json" &&
                fs::exists(entry.path().parent_path() / "test_data_set_0" / "output_0.pb")) {
                sets += static_cast<int>(readDataSets(entry.path().parent_path()).size());
            }
        }
        QVERIFY2(sets > 2000, std::to_string(sets).c_str());
    }
};

QTEST_APPLESS_MAIN(TestVerify)
#include "tst_verify.moc"
