// Comparison of an edited model with its original at several sizes.

#include "core/base/temporary_folder.h"
#include "core/convert/conversion.h"
#include "core/convert/model_part.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/load.h"
#include "core/rewrite/scan_over_batch.h"
#include "core/verify/equivalence.h"
#include "core/verify/node_check.h"
#include "core/verify/random_inputs.h"
#include "tests/support/onnx_text.h"
#include "tests/support/temporary_files.h"

#include <QtTest>
#include <fmt/format.h>
#include <set>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

constexpr const char* hardcoded = R"(g (float[2,6] x) => (float[2,3] y)
    <int64[3] two = {2, 3, 2}, float[2,3] w = {1, 2, 3, 4, 5, 6}> {
    [reshape] a = Reshape(x, two)
    [sum] b = ReduceSum<keepdims = 0>(a, last)
    [last] last = Constant<value = int64[1] {2}>()
    [relu] y = Relu(b)
})";

constexpr const char* chain = R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, -2, 3, -4}> {
    [add] s = Add(x, w)
    [relu] t = Relu(s)
    [leaky] y = LeakyRelu<alpha = 0.5>(t)
})";

class Source {
public:
    explicit Source(const std::string& text)
    {
        const auto path = m_files.write("m.onnx", "");
        writeMessage(parseModel(text), path.string());
        graph = std::make_unique<Graph>(graphOfFile(*ModelSource::at(path)));
    }

    Conversion converted(const ConvertOptions& options) const
    {
        auto result = convert(*graph, options);
        if (!result) {
            throw ModelError(result.problem());
        }
        return std::move(result.value());
    }
    NodeCheck check(const Conversion& conversion) const
    {
        auto result = checkAgainstOriginal(*graph, modelOf(*graph), conversion);
        if (!result) {
            throw ModelError(result.problem());
        }
        return std::move(result.value());
    }

    std::unique_ptr<Graph> graph;

private:
    TemporaryFiles m_files; // must outlive the mapped weights
};

EquivalenceReport compared(const std::string& original, const std::string& edited)
{
    const Source before(original);
    const Source after(edited);
    auto report = verifyEquivalence(modelOf(*before.graph), modelOf(*after.graph), {});
    if (!report) {
        throw ModelError(report.problem());
    }
    return std::move(report.value());
}

/// The values of the edited model that differ from the original's.
std::set<std::string> differing(const std::string& original, const std::string& edited)
{
    std::set<std::string> names;
    for (const auto& value : compared(original, edited).values) {
        if (!value.comparison.equal) {
            names.insert(value.comparison.name);
        }
    }
    return names;
}

std::string reasonOf(auto&& call)
{
    try {
        call();
    } catch (const ModelError& error) {
        return std::string(error.diagnostic.code.text());
    }
    return {};
}

} // namespace

class TestEquivalence : public QObject {
    Q_OBJECT
private slots:
    void unchangedModelIsProvenAtEveryNode()
    {
        const Source source(chain);
        const NodeCheck check = source.check(source.converted({}));
        QVERIFY(check.isOriginal);
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, std::vector<std::int64_t>{1});
        QCOMPARE(check.count(Proof::Proven), std::size_t{3});
    }

    void dynamicBatchIsCheckedAtThreeSizes()
    {
        const Source source(chain);
        const NodeCheck check = source.check(source.converted({.shapes = {{"x", {Dim("N"), Dim(4)}}}}));
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, (std::vector<std::int64_t>{1, 3, 8}));
        QCOMPARE(check.outputs.outputs.size(), std::size_t{3});
        QVERIFY(check.limit.empty());
    }

    /// An axis along which a layer iterates counts steps, whatever its symbol; the other axis is checked with more
    /// samples.
    void timeAxisIsNoBatchAxis_data()
    {
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("batch");
        QTest::addColumn<std::vector<std::int64_t>>("times");
        QTest::newRow("both dynamic") << "T"
                                      << "N" << std::vector<std::int64_t>{1, 3, 8};
        QTest::newRow("with one symbol") << "N"
                                         << "N" << std::vector<std::int64_t>{1, 3, 8};
        QTest::newRow("only the time axis") << "N"
                                            << "" << std::vector<std::int64_t>{1};
        QTest::newRow("only the batch axis") << ""
                                             << "M" << std::vector<std::int64_t>{1, 3, 8};
    }
    void timeAxisIsNoBatchAxis()
    {
        QFETCH(QString, time);
        QFETCH(QString, batch);
        QFETCH(std::vector<std::int64_t>, times);
        const Source source(R"(g (float[5,1,2] x) => (float[5,1,3] y)
            <float[1,3,2] w = {1, 2, 3, 4, 5, 6}, float[1,3,3] r = {1, 0, 2, 0, 1, 0, 1, 1, 0}, int64[1] one = {1}> {
            a = Tanh(x)
            all = RNN<hidden_size = 3>(a, w, r)
            y = Squeeze(all, one)
        })");
        const auto opened = [](const QString& name, std::int64_t size) {
            return name.isEmpty() ? Dim(size) : Dim(name.toStdString());
        };
        const NodeCheck check =
            source.check(source.converted({.shapes = {{"x", {opened(time, 5), opened(batch, 1), Dim(2)}}}}));
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, times);
        QCOMPARE(check.limit.find("axis 0 of x is not a batch axis") == 0, batch.isEmpty());
    }

    void scanAxisIsNoBatchAxis()
    {
        const Source source(R"(g (float[2,5,1] x) => (float[1,2] y) <float[1,2] s0 = {0, 0}> {
            t = Transpose<perm = [1, 2, 0]>(x)
            y, all = Scan<num_scan_inputs = 1, body = step (float[1,2] s, float[1,2] now) => (float[1,2] n, float[1,2] o) {
                n = Add(s, now)
                o = Identity(n)
            }>(s0, t)
        })");
        QCOMPARE(timeAxes(*source.graph), (TimeAxes{{"x", {1}}}));
    }

    /// Tracking every path through the sums would take 2^64 steps.
    void axesAreTrackedThroughManyResidualSums()
    {
        const auto chain = [](int blocks) {
            std::string nodes = "t = Tanh(x) a0 = Identity(t)";
            for (int i = 0; i < blocks; ++i) {
                nodes += fmt::format(" a{} = Add(a{}, a{})", i + 1, i, i);
            }
            return fmt::format(
                "g (float[5,1,2] x) => (float[5,1,1,3] y) "
                "<float[1,3,2] w = {{1, 2, 3, 4, 5, 6}}, float[1,3,3] r = {{1, 0, 2, 0, 1, 0, 1, 1, 0}}> "
                "{{ {} y = RNN<hidden_size = 3>(a{}, w, r) }}",
                nodes, blocks);
        };
        const Source source(chain(64));
        QCOMPARE(timeAxes(*source.graph), (TimeAxes{{"x", {0}}}));
    }

    /// A difference that occurs only with several batches is located within the graph.
    void nodeThatMixesSamplesIsFound()
    {
        const Source source(R"(g (float[2,4] x) => (float[2,4] y) <int64[1] first = {0}> {
            [relu] a = Relu(x)
            [mean] m = ReduceMean<axes = [0]>(a)
            [sub] y = Sub(a, m)
        })");
        const NodeCheck check = source.check(source.converted({.shapes = {{"x", {Dim("N"), Dim(4)}}}}));
        QVERIFY(!check.outputs.equal());
        QVERIFY(check.firstDifference);
        QCOMPARE(source.graph->node(*check.firstDifference).name, std::string("mean"));
    }

    void fixedMultipleRunsThatManyBatches()
    {
        const Source source(chain);
        const NodeCheck check = source.check(source.converted({.shapes = {{"x", {Dim(6), Dim(4)}}}}));
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, std::vector<std::int64_t>{3});
    }

    void incompatibleSizesAreRejected()
    {
        const Source source(chain);
        const Conversion conversion = source.converted({.shapes = {{"x", {Dim(3), Dim(4)}}}});
        QCOMPARE(reasonOf([&] { source.check(conversion); }), std::string("other-size"));
    }

    void otherDynamicAxesKeepTheirSize()
    {
        const Source source(R"(g (float[2,4,4,4] x) => (float[2,4,4,4] y) { y = Relu(x) })");
        const NodeCheck check = source.check(source.converted({.shapes = {{"x", {Dim(2), Dim(4), Dim("H"), Dim(4)}}}}));
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, std::vector<std::int64_t>{1});
        QVERIFY(!check.limit.empty());
    }

    void mixedSamplesRunAlone()
    {
        const Source source(R"(g (float[1,4] x) => (float[1,4] y) { [m] y = ReduceMean<axes = [0]>(x) })");
        const Conversion conversion = source.converted({.shapes = {{"x", {Dim("N"), Dim(4)}}}});
        const NodeCheck check = source.check(conversion);
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, std::vector<std::int64_t>{1});
        QVERIFY(check.limit.starts_with("m: "));
        QCOMPARE(limitOf(conversion), check.limit);
        QCOMPARE(limitOf(*source.graph, conversion.model.whole(), {}), check.limit);
        QCOMPARE(limitOf(*source.graph, source.converted({}).model.whole(), {}), std::string());
    }

    void mixedSamplesWithEqualResultsAreReported()
    {
        // A detector pads all samples to the one with the most boxes; no sample depends on the count.
        const Source source(R"(g (float[1,4] x) => (float[1,4] y) {
            [m] most = ReduceMax<keepdims = 0>(x)
            none = Sub(most, most)
            y = Add(x, none)
        })");
        const Conversion conversion = source.converted({.shapes = {{"x", {Dim("N"), Dim(4)}}}});
        QVERIFY(limitOf(conversion).starts_with("m: "));
        const NodeCheck check = source.check(conversion);
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, (std::vector<std::int64_t>{1, 3, 8}));
        QVERIFY(check.limit.empty());
    }

    void scanOverBatchIsCheckedAtThreeSizes()
    {
        const Source source(R"(g (float[1,4] x) => (float[1,4] y) { [m] y = ReduceMean<axes = [0]>(x) })");
        ConvertOptions options;
        options.shapes = {{"x", {Dim("N"), Dim(4)}}};
        options.scanOverBatch = std::string(1, 'N'); // GCC 12 warns about a literal (bug 105329)
        const Conversion conversion = source.converted(options);
        const NodeCheck check = source.check(conversion);
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, (std::vector<std::int64_t>{1, 3, 8}));
        QVERIFY(isScanOverBatch(conversion.model.whole()));
        QCOMPARE(limitOf(*source.graph, conversion.model.whole(), {}), std::string());
    }

    void patchedShapeIsProven()
    {
        const Source source(hardcoded);
        const Conversion conversion = source.converted({.shapes = {{"x", {Dim("N"), Dim(6)}}}});
        QVERIFY(!conversion.hasErrors());
        const NodeCheck check = source.check(conversion);
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.times, (std::vector<std::int64_t>{1, 3, 8}));
    }

    void outputWithoutBatchAxisDiffers()
    {
        const Source source(chain);
        Conversion conversion = source.converted({.shapes = {{"x", {Dim("N"), Dim(4)}}}});
        auto& graph = *conversion.model.whole().proto->mutable_graph();
        auto& last = *graph.mutable_node(2);
        last.set_op_type("ReduceMean"); // over the batch
        last.clear_attribute();
        auto* axes = last.add_attribute();
        axes->set_name("axes");
        axes->set_type(::onnx::AttributeProto::INTS);
        axes->add_ints(0);
        graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
        QVERIFY(!source.check(conversion).outputs.equal());
    }

    void renamedPortsAndOtherOpsetAreEquivalent()
    {
        const Source source(chain);
        const NodeCheck check =
            source.check(source.converted({.opset = 19, .renames = {{"x", "image"}, {"y", "scores"}}}));
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.outputs.outputs.front().name, std::string("scores"));
        QCOMPARE(check.count(Proof::Proven), std::size_t{3});
    }

    void extractedPartReceivesValuesOfTheOriginal()
    {
        const Source source(chain);
        const Conversion part = source.converted({.part = partOf(*source.graph, std::vector{NodeId{1}})});
        const NodeCheck check = source.check(part);
        QVERIFY(check.outputs.equal());
        QCOMPARE(check.count(Proof::Proven), std::size_t{1});
        QCOMPARE(check.proofs[1], Proof::Proven);
    }

    void changedOperatorIsTheFirstDifference()
    {
        const Source source(chain);
        Conversion conversion = source.converted({});
        conversion.model.whole().proto->mutable_graph()->mutable_node(1)->set_op_type("Sigmoid");
        const NodeCheck check = source.check(conversion);
        QVERIFY(!check.outputs.equal());
        QCOMPARE(check.firstDifference, std::optional(NodeId{1}));
        QCOMPARE(check.proofs[0], Proof::Proven);
    }

    /// Large magnitudes of few elements, such as masked scores, do not make the tolerance of the others large.
    void maskedScoresDoNotHideDifferences()
    {
        const auto masking = [](const char* kept) {
            return std::string("g (float[2,3] x) => (float[2,3] y) <bool[2,3] masked = {1, 0, 0, 0, 1, 0}, "
                               "float lowest = {-1e9}> { k = ") +
                   kept + "(x) y = Where(masked, lowest, k) }";
        };
        QVERIFY(differing(masking("Identity"), masking("Identity")).empty());
        QCOMPARE(differing(masking("Identity"), masking("Neg")), (std::set<std::string>{"k", "y"}));
    }

    void anotherRankIsADifference()
    {
        const std::string relu = "g (float[2,3] x) => (float[2,3] y) { y = Relu(x) }";
        const std::string wrapped = "g (float[2,3] x) => (float[1,2,3] y) <int64[1] axes = {0}> { r = Relu(x) y = "
                                    "Unsqueeze(r, axes) }";
        QCOMPARE(differing(relu, wrapped), std::set<std::string>{"y"});
    }

    void outputsWithoutCounterpartAreReported()
    {
        const std::string two = "g (float[2] x) => (float[2] y, float[2] z) { y = Relu(x) z = Neg(x) }";
        const std::string other =
            "g (float[2] x) => (float[2] y, float[2] u, float[2] v) { y = Relu(x) u = Abs(x) v = Abs(x) }";
        QCOMPARE(differing(two, other), (std::set<std::string>{"u", "v"}));
        const std::string one = "g (float[2] x) => (float[2] y) { y = Relu(x) }";
        QVERIFY(differing(two, one).empty());
        QCOMPARE(compared(two, one).missing, std::vector<std::string>{"z"});
    }

    void storedOutputIsCompared()
    {
        const auto returning = [](int number) {
            return fmt::format("g (float[2] x) => (float[2] y, float[1] w) <float[1] w = {{{}}}> {{ y = Relu(x) }}",
                               number);
        };
        const std::string source = "g (float[2] x) => (float[2] y) <float[1] w = {1}> { y = Mul(x, w) }";
        QVERIFY(differing(returning(1), returning(1)).empty());
        QCOMPARE(differing(returning(1), returning(2)), std::set<std::string>{"w"});
        QCOMPARE(differing(source, returning(1)), std::set<std::string>{"y"});
    }

    void randomNumbersAreComparedByShape()
    {
        const Source source(R"(g (float[2,4] x) => (float[2,4] y, float[2,4] z)
            <float[4] w = {1, -2, 3, -4}, float ratio = {0.5}, bool on = {1}, bool off = {0}> {
            [noise] n = RandomNormalLike(x)
            [add] s = Add(x, n)
            [dropout] d = Dropout(x, ratio, on)
            [kept] k = Dropout(x, ratio, off)
            [sum] y = Add(s, d)
            [plain] z = Add(k, w)
        })");
        const OnnxModel model = modelOf(*source.graph);
        const auto report = verifyEquivalence(model, model, {});
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        QVERIFY(report.value().equal());
        std::set<std::string> random;
        for (const auto& value : report.value().values) {
            if (!value.comparison.why.empty()) {
                random.insert(value.comparison.name);
            }
        }
        QCOMPARE(random, (std::set<std::string>{"n", "s", "d", "y"}));
    }

    void randomNumbersOfTheEditAreADifference()
    {
        QCOMPARE(differing("g (float[2,4] x) => (float[2,4] y) { y = Relu(x) }",
                           "g (float[2,4] x) => (float[2,4] y) { r = Relu(x) n = RandomNormalLike(x) y = Add(r, n) }"),
                 std::set<std::string>{"y"});
    }

    void toleranceIsScaledOnRequest()
    {
        const Source before("g (float[4] x) => (float[4] y) <float[1] w = {1000000}> { y = Mul(x, w) }");
        const Source after("g (float[4] x) => (float[4] y) <float[1] w = {1000000}, float[1] b = {30}>"
                           "{ p = Mul(x, w) y = Add(p, b) }");
        const auto isEqual = [&](bool scalesTolerance) {
            const auto report = verifyEquivalence(modelOf(*before.graph), modelOf(*after.graph), {}, {}, {0, 1e-3}, {},
                                                  {}, {}, scalesTolerance);
            return report && report.value().equal();
        };
        QVERIFY(isEqual(true));
        QVERIFY(!isEqual(false));
    }

    void stringsAreConcatenatedAndCompared()
    {
        const Source source("g (float[2,2] x) => (string[2,2] y)"
                            "{ [big] b = Greater(x, zero) [zero] zero = Constant<value = float {0.0}>()"
                            "  [text] y = Cast<to = 8>(b) }");
        const NodeCheck check = source.check(source.converted({.shapes = {{"x", {Dim("N"), Dim(2)}}}}));
        QCOMPARE(check.times, (std::vector<std::int64_t>{1, 3, 8}));
        QVERIFY(check.outputs.equal());
        QVERIFY(std::ranges::all_of(check.outputs.outputs, &Comparison::isText));
    }

    void randomValuesDependOnTheName()
    {
        const auto made = [](ElementType type, const char* name, std::size_t round) {
            return randomTensor(type, {2, 3}, name, round, IntegerValues::ZeroAndOne).toDoubles();
        };
        QCOMPARE(made(ElementType::Float32, "x", 0), made(ElementType::Float32, "x", 0));
        QVERIFY(made(ElementType::Float32, "x", 0) != made(ElementType::Float32, "x", 1));
        QVERIFY(made(ElementType::Float32, "x", 0) != made(ElementType::Float32, "z", 0));
        for (const double value : made(ElementType::Int64, "x", 0)) {
            QVERIFY(value == 0 || value == 1);
        }
        QCOMPARE(randomTensor(ElementType::Int64, {3}, "x", 0, IntegerValues::Ones).toInts(),
                 (std::vector<std::int64_t>{1, 1, 1}));
        QCOMPARE(reasonOf([] { randomTensor(ElementType::String, {1}, "x", 0, IntegerValues::Ones); }),
                 std::string("missing-input"));
        constexpr std::int64_t many = std::int64_t{1} << 40; // its square does not fit 63 bits
        QCOMPARE(reasonOf([] { randomTensor(ElementType::Float32, {many}, "x", 0, IntegerValues::Ones); }),
                 std::string("too-large"));
        QCOMPARE(reasonOf([] {
                     randomTensor(ElementType::Float32, {many, many}, "x", 0, IntegerValues::Ones);
                 }),
                 std::string("too-large"));
    }

    void findsConcatenationCandidates()
    {
        const auto part = [](std::vector<std::int64_t> values) { return Tensor::ints(values).reshaped({1, 2}); };
        const std::vector<Tensor> parts{part({1, 2}), part({3, 4})};
        QCOMPARE(concatenated(parts, 0).toInts(), (std::vector<std::int64_t>{1, 2, 3, 4}));
        QCOMPARE(concatenated(parts, 1).dims(), (std::vector<std::int64_t>{1, 4}));
        const auto ways = concatenationCandidates(parts, {1, 4}, false);
        QCOMPARE(ways.size(), std::size_t{2});
        QCOMPARE(ways[0].toInts(), (std::vector<std::int64_t>{1, 2, 3, 4}));
        QCOMPARE(ways[1].toInts(), (std::vector<std::int64_t>{1, 3, 2, 4}));
        const auto stacked = concatenationCandidates(parts, {2, 1, 2}, false);
        QCOMPARE(stacked.size(), std::size_t{1});
        QCOMPARE(stacked[0].dims(), (std::vector<std::int64_t>{2, 1, 2}));
        QCOMPARE(stacked[0].toInts(), (std::vector<std::int64_t>{1, 2, 3, 4}));
        QVERIFY(concatenationCandidates(parts, {3, 1, 2}, false).empty());
        const std::span<const Tensor> single(parts.data(), 1);
        QVERIFY(concatenationCandidates(single, {1, 1, 2}, false).empty());
        QCOMPARE(concatenationCandidates(single, {1, 1, 2}, true).size(), std::size_t{1});
        QVERIFY(concatenationCandidates(parts, {1, 2}, false).empty());
        QVERIFY(concatenationCandidates(parts, {3, 2}, false).empty());

        const std::vector<Tensor> texts{Tensor::strings({1, 2}, {"a", "b"}), Tensor::strings({1, 2}, {"c", "d"})};
        const auto joined = concatenationCandidates(texts, {1, 4}, false);
        QCOMPARE(joined.size(), std::size_t{2});
        QCOMPARE(joined[0].toStrings(), (std::vector<std::string>{"a", "b", "c", "d"}));
        QCOMPARE(joined[1].toStrings(), (std::vector<std::string>{"a", "c", "b", "d"}));
    }
};

QTEST_APPLESS_MAIN(TestEquivalence)
#include "tst_equivalence.moc"
