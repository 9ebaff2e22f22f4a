#include "core/base/diagnostic.h"
#include "core/formats/onnx/file_types.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/writer.h"
#include "tests/support/conversion_reference.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Graph graphInFile(const TemporaryFolder& folder, const ::onnx::ModelProto& model)
{
    const auto path = folder.path() / "m.onnx";
    writeMessage(model, path.string());
    return graphOfFile(*ModelSource::at(path));
}

bool isLeftToConversion(const ::onnx::ModelProto& model)
{
    const TemporaryFolder folder;
    return !typesOfFile(graphInFile(folder, model), {});
}

} // namespace

class TestFileTypes : public QObject {
    Q_OBJECT
private slots:
    void infersAsTheConversion_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::newRow("symbols") << "g (float[N,3] x) => (float[N,N] y) { a = Transpose(x) y = MatMul(x, a) }";
        QTest::newRow("invented symbols")
            << "g (float[N] x, bool[N] c) => (float[M] y) { a = Compress(x, c) b = Compress(x, c) "
               "y = Concat<axis = 0>(a, b) }";
        QTest::newRow("a symbol that looks invented")
            << "g (float[unk__0] x, bool[N] c) => (float[M] y) { a = Compress(x, c) y = Concat<axis = 0>(a, x) }";
        QTest::newRow("a declared value") << "g (float[N,3] x) => (float[N,3] y) <float[2,M] a> "
                                             "{ a = Relu(x) y = Neg(a) }";
        QTest::newRow("a declared value with an invented symbol")
            << "g (float[N] x, bool[N] c) => (float[M] y) <float[unk__0] a> { a = Compress(x, c) y = Compress(x, c) }";
        QTest::newRow("an output that an initializer is")
            << "g (float[3] x) => (float[3] y, float[3] w) <float[3] w = {1, 2, 3}> { y = Add(x, w) }";
        QTest::newRow("an initializer as a size") << "g (float[N,6] x) => (float[a,b,c] y) <int64[3] s = {0, 2, 3}> "
                                                     "{ y = Reshape(x, s) }";
        QTest::newRow("an initializer of strings")
            << "g (string[N] x) => (bool[N] y, string[2] z) <string[2] s = {\"a\", \"b\"}> "
               "{ z = Identity(s) y = com.acme.Same(x, s) }";
        QTest::newRow("an initializer without elements")
            << "g (float[3] x) => (float[3] y) <float[0] e = {}> { y = Concat<axis = 0>(x, e) }";
        QTest::newRow("an initializer that is an input")
            << "g (float[2,3] x, float[3] w) => (float[2,3] y) <float[3] w = {1, 2, 3}> { y = Add(x, w) }";
        QTest::newRow("a computed size")
            << "g (float[N,3,4] x) => (float[a,b] y) { s = Shape(x) i = Constant<value_ints = [0]>() "
               "n = Gather(s, i) m = Constant<value = int64[1] {12}>() t = Concat<axis = 0>(n, m) y = Reshape(x, t) }";
        QTest::newRow("a constant that is read far away")
            << "g (float[N,6] x) => (float[a,b,c] y) { s = Constant<value = int64[3] {0, 2, 3}>() p = Relu(x) "
               "q = Relu(p) r = Relu(q) y = Reshape(r, s) }";
        QTest::newRow("absent operands") << "g (float[5] x, float h) => (float[5] y) { y = Clip(x, , h) }";
        QTest::newRow("an operator of another domain")
            << "g (float[N] x) => (float[M] y) { a = com.acme.Own(x) y = Neg(a) }";
        QTest::newRow("an output without a type") << "g (float[2] x) => (y) { y = Neg(x) }";
        QTest::newRow("a sequence") << "g (float[N,2] x) => (float[M,2] y) { s = SequenceConstruct(x, x) "
                                       "y = ConcatFromSequence<axis = 0>(s) }";
        QTest::newRow("an optional") << "g (float[N] x) => (float[N] y) { o = Optional(x) y = OptionalGetElement(o) }";
    }

    void infersAsTheConversion()
    {
        QFETCH(QString, graph);
        const TemporaryFolder folder;
        auto model = parseModel(graph.toStdString());
        auto* custom = model.add_opset_import();
        custom->set_domain("com.acme");
        custom->set_version(1);
        const Graph read = graphInFile(folder, model);
        QVERIFY(typesOfFile(read, {}));
        QCOMPARE(QString::fromStdString(differenceFromConversion(read)), QString());
    }

    void negativeDimensionsAreUnknown()
    {
        const TemporaryFolder folder;
        auto model = parseModel("g (float[2,3] x) => (float[2,3] y) <float[2,7] a> { a = com.acme.Own(x) y = Neg(a) }");
        auto* custom = model.add_opset_import();
        custom->set_domain("com.acme");
        custom->set_version(1);
        const auto makeNegative = [](::onnx::ValueInfoProto& info) {
            info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_value(-1);
        };
        makeNegative(*model.mutable_graph()->mutable_input(0));
        makeNegative(*model.mutable_graph()->mutable_output(0));
        makeNegative(*model.mutable_graph()->mutable_value_info(0));
        const Graph graph = graphInFile(folder, model);
        QVERIFY(typesOfFile(graph, {}));
        QCOMPARE(QString::fromStdString(differenceFromConversion(graph)), QString());
    }

    void otherModelsAreLeftToTheConversion_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::newRow("a conflict") << "g (float[2,3] x, float[5,7] w) => (float[2,7] y) { y = MatMul(x, w) }";
        QTest::newRow("a declared type that conflicts") << "g (float[2,3] x) => (float[2,4] y) { y = Neg(x) }";
        QTest::newRow("a weight of another size than its input")
            << "g (float[2,3] x, float[2] w) => (float[2,3] y) <float[3] w = {1, 2, 3}> { y = Add(x, w) }";
        QTest::newRow("an unknown operator") << "g (float[2] x) => (float[2] y) { y = Negate(x) }";
        QTest::newRow("an attribute of another type")
            << "g (float[2] x) => (float[2] y) { y = Softmax<axis = 0.5>(x) }";
        QTest::newRow("too few operands") << "g (float[2] x) => (float[2] y) { y = Add(x) }";
        QTest::newRow("no import of a domain") << "g (float[2] x) => (float[2] y) { y = com.acme.Own(x) }";
        QTest::newRow("no name") << " (float[2] x) => (float[2] y) { y = Neg(x) }";
        QTest::newRow("unsorted nodes") << "g (float[2] x) => (float[2] y) { y = Neg(a) a = Neg(x) }";
        QTest::newRow("branches") << "g (float[2] x, bool c) => (float[2] y) { y = If(c)<then_branch = t () => (p) "
                                     "{ p = Neg(x) }, else_branch = e () => (q) { q = Abs(x) }> }";
    }

    void otherModelsAreLeftToTheConversion()
    {
        QFETCH(QString, graph);
        auto model = parseModel(graph.startsWith(' ') ? "g" + graph.toStdString() : graph.toStdString());
        if (graph.startsWith(' ')) {
            model.mutable_graph()->clear_name();
        }
        QVERIFY(isLeftToConversion(model));
    }

    void modelsWithFunctionsAreLeftToTheConversion()
    {
        ::onnx::ModelProto proto;
        ::onnx::OnnxParser parser(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            g (float[N,3] x) => (float[M,3] y) { y = own.twice(x) }
            <domain: "own", opset_import: ["" : 17]> twice (a) => (b) { b = Concat<axis = 0>(a, a) })");
        QVERIFY(parser.Parse(proto).IsOK());
        QVERIFY(isLeftToConversion(proto));
    }

    void otherHeadersAreLeftToTheConversion()
    {
        const auto model = [] { return parseModel("g (float[2] x) => (float[2] y) { y = Neg(x) }"); };
        QVERIFY(!isLeftToConversion(model()));
        auto old = model();
        old.set_ir_version(3);
        QVERIFY(isLeftToConversion(old));
        auto withStates = model();
        auto* entry = withStates.add_metadata_props();
        entry->set_key("crosswalk.states");
        entry->set_value(R"({"x": "y"})");
        QVERIFY(isLeftToConversion(withStates));
        auto repeated = model();
        *repeated.add_metadata_props() = *withStates.mutable_metadata_props(0);
        repeated.mutable_metadata_props(0)->set_key("a");
        *repeated.add_metadata_props() = repeated.metadata_props(0);
        QVERIFY(isLeftToConversion(repeated)); // which the checker does not accept
        auto unnamed = model();
        unnamed.mutable_graph()->add_value_info()->mutable_type()->mutable_tensor_type()->set_elem_type(1);
        QVERIFY(isLeftToConversion(unnamed));
    }

    void aFileThatChangedIsLeftToTheConversion()
    {
        const TemporaryFolder folder;
        const Graph graph = graphInFile(folder, parseModel("g (float[2] x) => (float[2] y) { a = Neg(x) y = Abs(a) }"));
        for (const char* changed : {"g (float[2] x) => (float[2] y) { y = Neg(x) }",
                                    "g (float[2] x) => (float[2] y) { a = Neg(x) y = Add(a, x) }",
                                    "g (float[2] x) => (float[2] y) { a = Neg(x) y, b = Split<axis = 0>(a) }"}) {
            writeMessage(parseModel(changed), (folder.path() / "m.onnx").string());
            QVERIFY(!typesOfFile(graph, {}));
        }
    }

    void isCancelled()
    {
        const TemporaryFolder folder;
        const Graph graph = graphInFile(folder, parseModel("g (float[2] x) => (float[2] y) { y = Neg(x) }"));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(QString::fromStdString(codeOf([&] { typesOfFile(graph, stop.get_token()); })), "cancelled");
    }
};

QTEST_APPLESS_MAIN(TestFileTypes)
#include "tst_file_types.moc"
