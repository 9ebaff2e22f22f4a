#include "core/rewrite/scan_over_batch.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"
#include "tests/support/sample_runs.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

ConvertOptions eachOf(std::map<std::string, Shape, std::less<>> shapes)
{
    ConvertOptions options;
    options.shapes = std::move(shapes);
    options.scanOverBatch = std::string(1, 'N'); // GCC 12 warns about a literal (bug 105329)
    return options;
}

Shape shapeOfInput(const OnnxModel& model, int input)
{
    return *fromProto(model.proto->graph().input(input).type()).shape;
}

std::vector<std::int64_t> sizes(const Shape& shape)
{
    std::vector<std::int64_t> dims;
    for (const Dim& dim : shape) {
        dims.push_back(dim.size);
    }
    return dims;
}

std::string toText(const OnnxModel& model)
{
    return toString(fromProto(model.proto->graph().output(0).type()));
}

} // namespace

class TestScanOverBatch : public QObject {
    Q_OBJECT
private slots:
    /// Models of one sample along axis 0 that cannot process several at once.
    void resultsEqualThoseOfSingleSamples_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromLatin1(text); };
        row("selected sample", "g (float[1,4] x) => (float[1,4] y) <int64[1] i = {0}> { y = Gather<axis = 0>(x, i) }");
        row("reduction of all elements",
            R"(g (float[1,6,4] x) => (float[1,6,4] y) <int64[1] s = {24}, int64[3] t = {1, 6, 4}> {
            f = Reshape(x, s)
            m = Softmax<axis = 0>(f)
            y = Reshape(m, t)
        })");
        row("reduction over the batch",
            "g (float[1,4] x) => (float[1,4] y) { n = ReduceMax<axes = [0]>(x)  y = Sub(n, x) }");
        row("several outputs", R"(g (float[1,4,2] x) => (float[1,4,2] y, float[1,1,2] z) {
            y = Neg(x)
            z = ReduceMean<axes = [1]>(y)
        })");
        row("a body with captures", R"(g (float[1,4] x) => (float[1,4] y) {
            s = ReduceSum<keepdims = 0>(x)
            zero = Constant<value_float = 0.0>()
            c = Greater(s, zero)
            y = If(c) <then_branch = a () => (float[1,4] p) { p = Neg(x) }, else_branch = b () => (float[1,4] q) { q = Abs(x) }>
        })");
        row("names in use", R"(g (float[1,4] x) => (float[1,4] y) {
            x_sample = Neg(x)
            x_slice = Abs(x_sample)
            y_slice = Add(x_slice, x)
            y = Sub(y_slice, x_sample)
        })");
    }
    void resultsEqualThoseOfSingleSamples()
    {
        QFETCH(const QString, text);
        for (const int opset : {11, 17}) {
            const TemporaryFolder folder;
            const OnnxModel model = modelOf(folder, text.toStdString());
            const auto alone = folder.path() / "model.onnx";
            Shape shape = shapeOfInput(model, 0);
            const std::vector<std::int64_t> dims = sizes(shape);
            shape[0] = Dim("N");
            ConvertOptions options = eachOf({{"x", shape}});
            options.opset = opset;
            const Conversion conversion = converted(model, options);
            QVERIFY2(!conversion.hasErrors(),
                     conversion.problems.empty() ? "" : conversion.problems[0].message.c_str());
            checkModel(conversion.model.whole());
            QCOMPARE(conversion.model.whole().proto->graph().node_size(), 1);
            const auto many = folder.path() / "many.onnx";
            writeOnnx(conversion.model, many);

            std::vector<Tensor> samples;
            std::vector<std::vector<Tensor>> wanted(static_cast<std::size_t>(model.proto->graph().output_size()));
            for (int i = 0; i < 3; ++i) {
                samples.push_back(numbers(dims, i));
                const auto outputs = run(alone, "x", samples.back());
                for (std::size_t k = 0; k < wanted.size(); ++k) {
                    wanted[k].push_back(outputs[k].tensor);
                }
            }
            const auto together = run(many, "x", Tensor::joined(samples));
            const auto single = run(many, "x", samples[1]);
            for (std::size_t k = 0; k < wanted.size(); ++k) {
                QCOMPARE(together[k].tensor.dims(), Tensor::joined(wanted[k]).dims());
                QCOMPARE(together[k].tensor.toBytes(), Tensor::joined(wanted[k]).toBytes());
                QCOMPARE(single[k].tensor.toBytes(), wanted[k][1].toBytes());
            }
        }
    }

    void outputsKeepTheBatchAxisOfTheInput()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[5,1,4] x) => (float[5,1,2] y)
            <int64[2] s = {5, 4}, int64[3] t = {5, 1, 2}, float[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}> {
            a = Reshape(x, s)
            b = MatMul(a, w)
            y = Reshape(b, t)
        })");
        const Conversion conversion = converted(model, eachOf({{"x", {5, Dim("N"), 4}}}));
        QVERIFY(conversion.problems.empty());
        QCOMPARE(toText(conversion.model.whole()), std::string("float32 5xNx2"));
        const auto many = folder.path() / "many.onnx";
        writeOnnx(conversion.model, many);
        const Tensor two = numbers({5, 2, 4}, 1);
        const auto got = run(many, "x", two)[0].tensor;
        QCOMPARE(got.dims(), (std::vector<std::int64_t>{5, 2, 2}));
        // The first sample: element (t, 0, c) of the input.
        std::vector<float> first;
        const auto bytes = two.toBytes();
        const auto* all = reinterpret_cast<const float*>(bytes.data());
        for (std::size_t t = 0; t < 5; ++t) {
            first.insert(first.end(), all + t * 8, all + t * 8 + 4);
        }
        const auto alone =
            run(folder.path() / "model.onnx", "x", Tensor::of<float>(ElementType::Float32, {5, 1, 4}, first));
        const auto one = alone[0].tensor.toBytes();
        const auto both = got.toBytes();
        for (std::size_t t = 0; t < 5; ++t) {
            QVERIFY(std::equal(one.begin() + static_cast<std::ptrdiff_t>(t * 8),
                               one.begin() + static_cast<std::ptrdiff_t>(t * 8 + 8),
                               both.begin() + static_cast<std::ptrdiff_t>(t * 16)));
        }
    }

    void outputWithoutAxisOfLengthOneGetsABatchAxis()
    {
        const TemporaryFolder folder;
        const OnnxModel model =
            modelOf(folder, "g (float[1,4] x) => (float[4] y) <int64 i = {0}> { y = Gather<axis = 0>(x, i) }");
        const Conversion conversion = converted(model, eachOf({{"x", {Dim("N"), 4}}}));
        QCOMPARE(toText(conversion.model.whole()), std::string("float32 Nx4"));
        QCOMPARE(conversion.problems.size(), std::size_t{1});
        QCOMPARE(conversion.problems[0].code, Code("new-axis"));
        const auto many = folder.path() / "many.onnx";
        writeOnnx(conversion.model, many);
        const Tensor three = numbers({3, 4}, 2);
        QCOMPARE(run(many, "x", three)[0].tensor.toBytes(), three.toBytes());
    }

    void otherInputsAreShared()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, "g (float[1,4] x, float[1,4] w) => (float[1,4] y) { y = Add(x, w) }");
        const Conversion conversion = converted(model, eachOf({{"x", {Dim("N"), 4}}}));
        checkModel(conversion.model.whole());
        QCOMPARE(conversion.problems.size(), std::size_t{1});
        QCOMPARE(conversion.problems[0].code, Code("kept-input"));
        QCOMPARE(toText(conversion.model.whole()), std::string("float32 Nx4"));
        QCOMPARE(toString(shapeOfInput(conversion.model.whole(), 1)), std::string("1x4"));
    }

    void passedThroughInputStaysAnOutput()
    {
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, "g (float[1,4] x) => (float[1,4] y) { y = Neg(x) }");
        addOutput(model, "x", {ElementType::Float32, Shape{1, 4}});
        const Conversion conversion = converted(model, eachOf({{"x", {Dim("N"), 4}}}));
        checkModel(conversion.model.whole());
        QCOMPARE(toString(fromProto(conversion.model.whole().proto->graph().output(1).type())),
                 std::string("float32 Nx4"));
    }

    void nodesKeepTheirVerdicts()
    {
        const Graph graph = textGraph("x = input 1x4\n"
                                      "w = weight 3x4\n"
                                      "h = FullyConnected(x, w) num_hidden=3 no_bias=True\n"
                                      "y = Activation(h) act_type=relu\n"
                                      "output y\n");
        ConvertOptions options = eachOf({{"x", {Dim("N"), 4}}});
        auto result = convert(graph, options);
        QVERIFY(result);
        const Conversion& conversion = result.value();
        checkModel(conversion.model.whole());
        QCOMPARE(conversion.model.whole().proto->graph().node(0).op_type(), std::string("Scan"));
        QCOMPARE(conversion.sources.size(), std::size_t{1});
        QCOMPARE(conversion.sources[0].size(), std::size_t{2});
        QCOMPARE(conversion.targets[0], std::vector<std::uint32_t>{0});
        QCOMPARE(conversion.targets[1], std::vector<std::uint32_t>{0});
        QCOMPARE(conversion.verdicts[1], Verdict::Exact);
        QCOMPARE(conversion.model.whole().proto->graph().node(0).metadata_props(0).value(),
                 std::string(R"(["h","y"])"));
        QCOMPARE(toString(conversion.valueTypes[graph.inputs[0].index]), std::string("float32 Nx4"));
        QCOMPARE(toString(conversion.valueTypes[graph.outputs[0].index]), std::string("float32 Nx3"));
        const ValueId inner = graph.node(NodeId{0}).outputs[0];
        QCOMPARE(toString(conversion.valueTypes[inner.index]), std::string("float32 1x3"));
        QCOMPARE(conversion.valueNames[inner.index], std::string());
    }

    void invalidBatchSymbolsAreRejected()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, "g (float[1,1] x) => (float[1,1] y) { y = Neg(x) }");
        const auto refusal = [&](const ConvertOptions& options) {
            try {
                converted(model, options);
            } catch (const ModelError& error) {
                return error.diagnostic.message;
            }
            return std::string();
        };
        QCOMPARE(refusal(eachOf({{"x", {Dim("M"), 1}}})), std::string("--each-sample: no --shape contains N"));
        QCOMPARE(refusal(eachOf({{"x", {Dim("N"), Dim("N")}}})),
                 std::string("--each-sample: N occurs twice in the shape of input x, NxN"));
        ConvertOptions part = eachOf({{"x", {Dim("N"), 1}}});
        part.part = ModelPart{{"x"}, {"y"}};
        QCOMPARE(refusal(part), std::string("--each-sample cannot be combined with extracting a part"));
    }

    /// The error for a dynamic batch suggests --each-sample if the original batch size is 1.
    void errorForABatchSuggestsEachSample()
    {
        const TemporaryFolder folder;
        const auto hintFor = [&](const char* text, Shape shape) {
            ConvertOptions options;
            options.shapes["x"] = std::move(shape);
            return converted(modelOf(folder, text), options).problems.at(0).hint;
        };
        QCOMPARE(hintFor("g (float[1,4] x) => (float[4] y) <int64 i = {0}> { [p] y = Gather<axis = 0>(x, i) }",
                         {Dim("B"), 4}),
                 std::string("--each-sample B runs the model on each sample separately"));
        QCOMPARE(hintFor("g (float[2,4] x) => (float[4] y) <int64 i = {0}> { [p] y = Gather<axis = 0>(x, i) }",
                         {Dim("B"), 4}),
                 std::string());
    }

    void opsetWithoutScanIsRejected()
    {
        OnnxModel model = smallModel();
        model.proto->mutable_opset_import(0)->set_version(8);
        const BatchAxes axes{{"x", 0}};
        const BatchScan sampled = scanOverBatch(model, axes, "N");
        QVERIFY(!sampled.isChanged);
        QCOMPARE(sampled.problems.size(), std::size_t{1});
        QCOMPARE(sampled.problems[0].code, Code("each-sample"));
        QCOMPARE(model.proto->graph().node_size(), 1);
    }
};

QTEST_APPLESS_MAIN(TestScanOverBatch)
#include "tst_scan_over_batch.moc"
