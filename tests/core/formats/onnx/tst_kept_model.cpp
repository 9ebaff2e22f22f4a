// Models that stay in their file: what is read from it, and what is written, is what a model in memory has.

#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"

#include <QtTest>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> sourcesOf(const OnnxModel& model)
{
    std::vector<std::string> sources;
    for (const auto& node : model.proto->graph().node()) {
        for (const auto& entry : node.metadata_props()) {
            sources.push_back(entry.key() + entry.value());
        }
    }
    return sources;
}

/// A node without a name, two of one name, a type with a negative dimension, a small and a large weight.
OnnxModel exampleModel()
{
    OnnxModel model = emptyModel();
    addInput(model, "x", {ElementType::Float32, Shape{Dim("N"), 500}});
    addWeight(model, "small", Tensor::of<float>(ElementType::Float32, {1}, std::vector<float>(1, 2)));
    addWeight(model, "large", Tensor::of<float>(ElementType::Float32, {500}, std::vector<float>(500, 3)));
    addNode(model, "Mul", {"x", "small"}, {"a"});
    addNode(model, "Add", {"a", "large"}, {"b"}).set_name("twice");
    addNode(model, "Relu", {"b"}, {"c"}).set_name("twice");
    addNode(model, "Tanh", {"c"}, {"y"}).clear_name();
    addOutput(model, "y", {ElementType::Float32, Shape{Dim("N"), 500}});
    auto& type = *model.proto->mutable_graph()->add_value_info();
    type.set_name("a");
    type.mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::FLOAT);
    auto& shape = *type.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.add_dim()->set_dim_value(-1);
    shape.add_dim()->set_dim_value(500);
    return model;
}

} // namespace

class TestKeptModel : public QObject {
    Q_OBJECT
private slots:
    void theFileIsWrittenAsFromMemory()
    {
        const Conversion conversion = converted(exampleModel());
        QVERIFY(conversion.keepsGraph && conversion.model.parts() != nullptr);
        const OnnxModel inMemory = conversion.model.whole();
        checkModel(inMemory);
        QCOMPARE(inMemory.proto->graph().node_size(), 4);
        QVERIFY(!inMemory.proto->graph().value_info(0).type().tensor_type().shape().dim(0).has_dim_value());
        for (const bool isExternal : {false, true}) {
            const TemporaryFolder kept;
            const TemporaryFolder whole;
            writeOnnx(conversion.model, kept.path() / "m.onnx", {.externalData = isExternal});
            writeOnnx(inMemory, whole.path() / "m.onnx", {.externalData = isExternal});
            QVERIFY(!contentOf(kept.path() / "m.onnx").empty());
            QCOMPARE(contentOf(kept.path() / "m.onnx"), contentOf(whole.path() / "m.onnx"));
            QCOMPARE(contentOf(kept.path() / "m.onnx.data"), contentOf(whole.path() / "m.onnx.data"));
        }
    }

    void nodesRecordTheirSourceOnce()
    {
        const Conversion first = converted(exampleModel());
        const std::vector<std::string> wanted{"crosswalk.source[\"Mul_a\"]", "crosswalk.source[\"twice#1\"]",
                                              "crosswalk.source[\"twice#2\"]", "crosswalk.source[\"Tanh#3\"]"};
        QVERIFY(sourcesOf(first.model.whole()) == wanted);
        OnnxModel renamed = first.model.whole();
        for (auto& node : *renamed.proto->mutable_graph()->mutable_node()) {
            node.set_name("other_" + node.output(0));
        }
        const Conversion second = converted(renamed);
        QVERIFY(second.model.parts() != nullptr);
        QVERIFY(sourcesOf(second.model.whole()) == wanted);
    }

    void aChangeReadsTheWholeModel()
    {
        const Conversion conversion = converted(exampleModel());
        LazyModel changed = conversion.model;
        changed.whole().proto->mutable_graph()->mutable_node()->RemoveLast();
        QVERIFY(changed.parts() == nullptr);
        QCOMPARE(changed.frame().graph().node_size(), 3);
        QVERIFY(conversion.model.parts() != nullptr);
        QCOMPARE(conversion.model.frame().graph().node_size(), 0);
        QCOMPARE(conversion.model.frame().graph().output_size(), 1);
        const Conversion renamed = converted(exampleModel(), {.renames = {{"y", "z"}}});
        QVERIFY(!renamed.keepsGraph && renamed.model.parts() == nullptr);
        QCOMPARE(renamed.model.whole().proto->graph().output(0).name(), std::string("z"));
        QVERIFY(converted(exampleModel(), {.opset = opsetOf(exampleModel())}).model.parts() != nullptr);
        QVERIFY(converted(exampleModel(), {.opset = opsetOf(exampleModel()) - 1}).model.parts() == nullptr);
        QVERIFY(converted(exampleModel(), {.optimize = true}).model.parts() == nullptr);
    }

    void threadsReadItOnce()
    {
        const Conversion conversion = converted(exampleModel());
        const OnnxModel* read[2] = {};
        {
            std::jthread other([&] { read[0] = &conversion.model.whole(); });
            read[1] = &conversion.model.whole();
        }
        QVERIFY(read[0] != nullptr && read[0] == read[1]);
    }

    void aFileThatChangesIsNotWritten()
    {
        const TemporaryFolder folder;
        const auto path = folder.path() / "m.onnx";
        const auto out = folder.path() / "out.onnx";
        for (const std::string changed : {"Cosh", "Co\xffh", "\x01\x01\x01\x01"}) {
            writeOnnx(exampleModel(), path);
            const Graph graph = graphOfFile(*ModelSource::at(path));
            const auto conversion = convert(graph, {});
            QVERIFY(conversion && conversion.value().keepsGraph);
            const std::string content = contentOf(path);
            std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(content.find("Tanh")) - (changed[0] == 1 ? 2 : 0));
            file << changed;
            file.close();
            std::filesystem::last_write_time(path,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
            QVERIFY_THROWS_EXCEPTION(ModelError, writeOnnx(conversion.value().model, out));
            QVERIFY(!std::filesystem::exists(out));
        }
    }

    void missingKernelsAreFoundByInferredTypes()
    {
        QCOMPARE(notesOf("g (int32[3] x) => (bfloat16[3] y) { a = Cast<to = 16>(x) y = Mul(a, a) }"),
                 QByteArray("Mul#1"));
        QCOMPARE(notesOf("g (int32[3] x) => (float[3] y) { a = Cast<to = 1>(x) y = Mul(a, a) }"), QByteArray());
    }

    /// ONNX Runtime computes something else without an error.
    void aGatherOfRowsOfStringsIsReported()
    {
        QCOMPARE(notesOf("g (string[4,3] x, int64[2] i) => (string[2,3] y) { a = Identity(x) y = Gather(a, i) }"),
                 QByteArray("Gather#1"));
        QCOMPARE(notesOf("g (string[4,3] x, int64[2] i) => (string[4,2] y) { y = Gather<axis = -1>(x, i) }"),
                 QByteArray());
        QCOMPARE(notesOf("g (string[4,1] x, int64[2] i) => (string[2,1] y) { y = Gather(x, i) }"), QByteArray());
        QCOMPARE(notesOf("g (string[4,N] x, int64[2] i) => (string[2,N] y) { y = Gather(x, i) }"),
                 QByteArray("Gather#0"));
    }

    /// With --optimize, equal products replace them (runsProductsOfTransposesAndVectors).
    void productsThatRunWronglyAreReported()
    {
        QCOMPARE(notesOf("g (float[N,2,3] x, float[2] v) => (float[N,3] y) { t = Transpose <perm = [0, 2, 1]> (x) "
                         "y = MatMul(t, v) }"),
                 QByteArray("MatMul#1"));
        QCOMPARE(notesOf("g (float[2,3] x) => (float[3] y) <float[2] v = {1, 2}, float two = {2}> { t = Transpose(x) "
                         "s = Mul(two, t) y = MatMul(s, v) }"),
                 QByteArray("MatMul#2"));
        QCOMPARE(notesOf("g (float16[N,2,2] x) => (float16[A,B,C] y) <float16[2,2] w = {0, 0, 0, 0}> { "
                         "t = Transpose <perm = [1, 0, 2]> (x) y = MatMul(w, t) }"),
                 QByteArray("MatMul#1"));
        QCOMPARE(notesOf("g (float[N,2,3] x, float[3] v) => (float[N,2] y) { t = Transpose <perm = [0, 2, 1]> (x) "
                         "y = MatMul(v, t) }"),
                 QByteArray());
        QCOMPARE(notesOf("g (int32[N,2,3] x, int32[2] v) => (int32[N,3] y) { t = Transpose <perm = [0, 2, 1]> (x) "
                         "y = MatMul(t, v) }"),
                 QByteArray());
        QCOMPARE(notesOf("g (float[N,2,3] x, float[2] v) => (float[N,3] y, float[N,3,2] t) { "
                         "t = Transpose <perm = [0, 2, 1]> (x) y = MatMul(t, v) }"),
                 QByteArray());
        QCOMPARE(notesOf("g (float[N,2,3] x, float[2] v, float s) => (float[N,3] y) { "
                         "t = Transpose <perm = [0, 2, 1]> (x) m = Mul(t, s) y = MatMul(m, v) }"),
                 QByteArray());
        QCOMPARE(notesOf("g (float[N,2,2] x, float[2] v, float[2] b) => (float[N,2] y) { "
                         "t = Transpose <perm = [0, 2, 1]> (x) s = Add(t, b) y = MatMul(s, v) }"),
                 QByteArray());
    }

private:
    /// The nodes with a note, in a model that stays in its file. The same if it is in memory.
    static QByteArray notesOf(const std::string& text)
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, text);
        QByteArray notes[2];
        for (const bool isKept : {false, true}) {
            const Conversion conversion =
                converted(model, isKept ? ConvertOptions() : ConvertOptions{.renames = {{"y", "z"}}});
            for (const Diagnostic& problem : conversion.problems) {
                notes[isKept] += problem.code == Code("no-kernel") ? problem.node.c_str() : problem.message.c_str();
            }
        }
        return notes[0] == notes[1] ? notes[0] : notes[0] + " or " + notes[1];
    }
};

QTEST_APPLESS_MAIN(TestKeptModel)
#include "tst_kept_model.moc"
