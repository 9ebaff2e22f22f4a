#include "core/graph/operator_info.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/text_graph.h"
#include "tests/support/zip_files.h"
#include "ui/document/conversion_marks.h"
#include "ui/document/document.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/panels/operator_doc_view.h"

#include <QSignalSpy>

#include <fstream>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr int patience = 60000;

/// data -> fc (FullyConnected, 4 of 3) -> act -> out (two ONNX nodes or more)
struct Opened {
    Opened()
    {
        model = files.write("net-symbol.json",
                            symbolFile({variable("data"), variable("fc_weight"), variable("fc_bias"),
                                        node("FullyConnected", "fc", "[[0, 0, 0], [1, 0, 0], [2, 0, 0]]",
                                             R"({"num_hidden": "4", "flatten": "False"})"),
                                        node("Activation", "act", "[[3, 0, 0]]", R"({"act_type": "relu"})"),
                                        node("L2Normalization", "norm", "[[4, 0, 0]]", R"({"mode": "instance"})")}));
        files.write("net-0000.params", paramsFile({{"arg:fc_weight", {4, 3}}, {"arg:fc_bias", {4}}}));
        document.open(model, {}, {.shapes = {{"data", {Dim("N"), Dim(3)}}}});
    }
    bool settle()
    {
        return QTest::qWaitFor([this] { return document.isIdle(); }, patience);
    }
    std::uint32_t box(Side side, const std::string& name)
    {
        const auto& graphSide = document.side(side);
        for (std::uint32_t i = 0; i < graphSide->scene->nodes.size(); ++i) {
            if (graphSide->label(i) == name) {
                return i;
            }
        }
        qFatal("there is no %s", name.c_str());
    }
    Shape targetShape()
    {
        const auto& graph = *document.side(Side::Target)->graph;
        return *graph.value(graph.inputs.front()).type.shape;
    }

    TemporaryFiles files;
    std::filesystem::path model;
    Document document;
};

const DetailSection* section(const std::vector<DetailSection>& sections, const char* title)
{
    const auto found = std::find_if(sections.begin(), sections.end(),
                                    [&](const DetailSection& s) { return s.title == QLatin1String(title); });
    return found != sections.end() ? &*found : nullptr;
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT
private slots:
    void openingShowsTheSourceBeforeTheConversion()
    {
        Opened opened;
        QStringList order;
        connect(&opened.document, &Document::opened, this, [&] { order << QStringLiteral("opened"); });
        connect(&opened.document, &Document::conversionChanged, this, [&] {
            order << (opened.document.converted() ? QStringLiteral("converted") : QStringLiteral("not yet"));
            QVERIFY(opened.document.side(Side::Source));
        });
        QVERIFY(opened.settle());
        QCOMPARE(order, (QStringList{"opened", "not yet", "converted"}));
        QVERIFY(opened.document.side(Side::Target));
        QVERIFY(opened.document.exporter().obstacle().isEmpty());
        QCOMPARE(opened.document.gapCount(), 0);
    }

    void aFailedOpenKeepsTheOpenModel()
    {
        Opened opened;
        QVERIFY(opened.settle());
        QSignalSpy failed(&opened.document, &Document::openFailed);
        opened.document.open(opened.files.path("nowhere.onnx"));
        QVERIFY(opened.settle());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(opened.document.path(), opened.model);
        QVERIFY(opened.document.side(Side::Source));
    }

    void theLastOfManyOpeningsWins()
    {
        Opened opened;
        QSignalSpy done(&opened.document, &Document::opened);
        const auto other =
            opened.files.write("other-symbol.json", symbolFile({variable("data"), node("relu", "r", "[[0, 0, 0]]")}));
        for (int i = 0; i < 20; ++i) {
            opened.document.open(i == 19 ? other : opened.model);
        }
        QVERIFY(opened.settle());
        QCOMPARE(done.count(), 1);
        QCOMPARE(opened.document.path(), other);
    }

    void cancellingLeavesNothingHalfOpen()
    {
        Opened opened;
        opened.document.cancel();
        QVERIFY(opened.document.isIdle());
        QVERIFY(!opened.document.isOpen());
        opened.document.open(opened.model);
        QVERIFY(opened.settle());
        QVERIFY(opened.document.isOpen());
    }

    void nothingIsExportedAfterACancelledConversion()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& document = opened.document;
        document.setOpset(13);
        document.cancel();
        QCOMPARE(document.options().opset, std::optional<int>(13));
        QVERIFY(!document.exporter().obstacle().isEmpty());
        QSignalSpy saved(&document.exporter(), &Exporter::saved);
        document.exporter().exportTo(opened.files.path("out.onnx"));
        document.exporter().saveReport(opened.files.path("out.html"));
        QVERIFY(opened.settle());
        QVERIFY(!std::filesystem::exists(opened.files.path("out.onnx")));
        QCOMPARE(saved.count(), 0);
        document.convertAgain();
        QVERIFY(opened.settle());
        QVERIFY(document.exporter().obstacle().isEmpty());
        QCOMPARE(document.converted()->options.opset, std::optional<int>(13));
    }

    void aCancelledColouringReturnsToTheCategories()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& colours = opened.document.colours();
        colours.setColouring(Colouring::Type);
        opened.document.cancel();
        QCOMPARE(colours.colouring(), Colouring::Category);
        colours.setColouring(Colouring::Type);
        QVERIFY(opened.settle());
        QCOMPARE(colours.colouring(), Colouring::Type);
        QVERIFY(!colours.legend().empty());
    }

    void aCancelledComparisonOfStrategiesStartsAgain()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& comparison = opened.document.strategyComparison();
        const StrategyComparison::Subject subject{.graph = opened.document.loaded()->graph,
                                                  .options = opened.document.options(),
                                                  .node = NodeId{0},
                                                  .name = "fc",
                                                  .strategies = {Strategy::Exact, Strategy::Fused}};
        comparison.compare(subject);
        opened.document.cancel();
        comparison.compare(subject);
        QVERIFY(opened.settle());
        QCOMPARE(comparison.costs().size(), std::size_t{2});

        comparison.measure();
        QVERIFY(comparison.isMeasuring());
        QSignalSpy changed(&comparison, &StrategyComparison::changed);
        opened.document.cancel();
        QVERIFY(!comparison.isMeasuring());
        QCOMPARE(changed.count(), 1);
    }

    void readingTheOtherModelCanBeCancelled()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& document = opened.document;
        QSignalSpy cancelled(&document, &Document::conversionCancelled);
        connect(&document, &Document::opened, &document, &Document::cancel, Qt::QueuedConnection);
        document.open({.model = opened.model, .compared = opened.model});
        QVERIFY(QTest::qWaitFor([&] { return cancelled.count() == 1; }, patience));
        QVERIFY(document.isOpen() && document.isIdle() && !document.converted());
        document.convertAgain();
        QVERIFY(opened.settle());
        QVERIFY(document.converted());
    }

    void aChoiceThatIsInForceIsNoEdit()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& document = opened.document;
        document.setOpset(document.converted()->conversion.opset);
        document.setRecurrent(document.options().recurrent);
        QCOMPARE(document.undoStack()->count(), 0);
        document.setOpset(13);
        document.setOpset(13);
        QCOMPARE(document.undoStack()->count(), 1);
    }

    void optionsAreUndoneOneByOne()
    {
        Opened opened;
        QVERIFY(opened.settle());
        QVERIFY(opened.targetShape() == (Shape{Dim("N"), Dim(3)}));
        opened.document.setInputShape("data", Shape{Dim(7), Dim(3)});
        opened.document.setOpset(13);
        QVERIFY(opened.settle());
        QVERIFY(opened.targetShape() == (Shape{Dim(7), Dim(3)}));
        QCOMPARE(opened.document.converted()->conversion.opset, 13);
        opened.document.undoStack()->undo();
        QVERIFY(opened.settle());
        QCOMPARE(opened.document.converted()->conversion.opset, defaultOpset);
        QVERIFY(opened.targetShape() == (Shape{Dim(7), Dim(3)}));
        opened.document.undoStack()->undo();
        QVERIFY(opened.settle());
        QVERIFY(opened.targetShape() == (Shape{Dim("N"), Dim(3)}));
        QVERIFY(!opened.document.undoStack()->canUndo());
    }

    void anotherShapeMovesNoBoxOfTheSource()
    {
        Opened opened;
        QVERIFY(opened.settle());
        const auto before = opened.document.drawing(Side::Source)->drawn->scene.layout.positions.back();
        opened.document.setOpset(12);
        QVERIFY(opened.settle());
        const auto after = opened.document.drawing(Side::Source)->drawn->scene.layout.positions.back();
        QCOMPARE(after.x, before.x);
        QCOMPARE(after.y, before.y);
    }

    void selectingFindsTheCounterparts()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& document = opened.document;
        document.selection().select(Side::Source, {opened.box(Side::Source, "norm")});
        const auto several = document.selection().counterparts();
        QVERIFY(several.size() > 1);
        QVERIFY(std::is_sorted(several.begin(), several.end()));
        document.selection().select(Side::Target, {several.front()});
        QCOMPARE(document.selection().counterparts(), std::vector<std::uint32_t>{opened.box(Side::Source, "norm")});
        QCOMPARE(document.selection().sourceNode().has_value(), true);
        document.selection().select(Side::Source, {opened.box(Side::Source, "data")});
        QCOMPARE(document.selection().counterparts(), std::vector<std::uint32_t>{opened.box(Side::Target, "data")});
        document.selection().select(Side::Source, {999999}); // no such box
        QVERIFY(document.selection().isEmpty());
    }

    void aSelectedBoxCountsOnce()
    {
        Opened opened;
        QVERIFY(opened.settle());
        const auto fc = opened.box(Side::Source, "fc");
        const auto act = opened.box(Side::Source, "act");
        opened.document.selection().select(Side::Source, {act, fc, act});
        QCOMPARE(opened.document.selection().boxes(),
                 (std::vector<std::uint32_t>{std::min(fc, act), std::max(fc, act)}));
    }

    void theSelectionOutlivesAConversion()
    {
        Opened opened;
        QVERIFY(opened.settle());
        const auto norm = opened.box(Side::Source, "norm");
        opened.document.selection().select(Side::Source, {norm});
        opened.document.setOpset(11);
        QVERIFY(opened.settle());
        QCOMPARE(opened.document.selection().boxes(), std::vector<std::uint32_t>{norm});
        QVERIFY(!opened.document.selection().counterparts().empty());
    }

    void aNodeIsDescribed()
    {
        Opened opened;
        QVERIFY(opened.settle());
        const auto fc = opened.box(Side::Source, "fc");
        opened.document.selection().select(Side::Source, {fc});
        const auto sections = nodeDetails(opened.document, Side::Source, fc);
        const auto* attributes = section(sections, "Attributes");
        QVERIFY(attributes != nullptr);
        QVERIFY(std::any_of(attributes->details.begin(), attributes->details.end(), [](const Detail& d) {
            return d.name == QStringLiteral("num_hidden") && d.value == QStringLiteral("4");
        }));
        const auto* weights = section(sections, "Weights");
        QVERIFY(weights != nullptr);
        QCOMPARE(weights->details.size(), std::size_t{2});
        QVERIFY(weights->details.front().value.startsWith(QStringLiteral("float32 4\u00d73")));
        const auto* outputs = section(sections, "Outputs");
        QVERIFY(outputs != nullptr);
        QCOMPARE(outputs->details.front().value, QStringLiteral("float32 N\u00d74"));
        const auto* readers = section(sections, "Read by");
        QVERIFY(readers != nullptr);
        QCOMPARE(readers->details.front().box, opened.box(Side::Source, "act"));
        QVERIFY(verdictSentence(opened.document, Side::Source, fc).startsWith(QStringLiteral("Exact")));
        QVERIFY(boxToolTip(opened.document, Side::Source, fc).contains(QStringLiteral("FullyConnected")));
        QVERIFY(boxToolTip(opened.document, Side::Source, 999999).isEmpty());
    }

    void missingAttributesShowTheirDefaults()
    {
        Opened opened;
        QVERIFY(opened.settle());
        const auto attributeOf = [&](Side side, const char* node, const char* name) -> Detail {
            const auto sections = nodeDetails(opened.document, side, opened.box(side, node));
            const auto* attributes = section(sections, "Attributes");
            for (const auto& detail : attributes != nullptr ? attributes->details : std::vector<Detail>()) {
                if (detail.name == QLatin1String(name)) {
                    return detail;
                }
            }
            return {};
        };
        QCOMPARE(attributeOf(Side::Source, "fc", "no_bias").value, QStringLiteral("False (default)"));
        QVERIFY(attributeOf(Side::Source, "fc", "no_bias").isDefault);
        QVERIFY(!attributeOf(Side::Source, "fc", "flatten").isDefault); // False, where True is the default
        QVERIFY(!attributeOf(Side::Source, "fc", "num_hidden").isDefault);
        // An ONNX attribute has its schema's default and text.
        opened.document.selection().select(Side::Source, {opened.box(Side::Source, "norm")});
        const auto& target = *opened.document.side(Side::Target)->graph;
        const auto found = std::find_if(target.nodes().begin(), target.nodes().end(),
                                        [](const Node& n) { return n.op.starts_with("Reduce"); });
        QVERIFY(found != target.nodes().end());
        const auto docOf = [&](const Node& node) { return operatorInfo(target, node).doc(target, node); };
        const OperatorDoc doc = docOf(*found);
        QVERIFY(!doc.text.empty());
        QVERIFY(doc.attribute("keepdims") != nullptr);
        QCOMPARE(doc.attribute("keepdims")->defaultValue, std::string("1"));
        QVERIFY(doc.attribute("nothing") == nullptr);
        QVERIFY(docOf({.op = "NoSuchOperator"}).text.empty());
        // Links are said by their words.
        const std::string product = docOf({.op = "MatMul"}).text;
        QVERIFY2(product.find("numpy.matmul") != std::string::npos && product.find("](") == std::string::npos,
                 product.c_str());
        // Lines that were broken at a width are one, what is a paragraph or code of its own is not.
        const QString softmax = fromUtf8(docOf({.op = "Softmax"}).text);
        QVERIFY2(softmax.startsWith("The operator computes the normalized exponential values for the given input:\n"
                                    "Softmax(input, axis) = Exp(input) / ReduceSum(") &&
                     softmax.contains("along which Softmax will be performed. The output tensor"),
                 qPrintable(softmax));
        const QString loop = fromUtf8(docOf({.op = "Loop"}).text);
        QVERIFY2(loop.contains("\n1) Trip count. Iteration count specified at runtime. Set by specifying the input M."),
                 qPrintable(loop));
        QVERIFY2(loop.contains("for (int i=0; ; ++i) {\n"), qPrintable(loop));
        QVERIFY(!fromUtf8(docOf({.op = "OneHot"}).text).startsWith("\n"));
    }

    void documentationStartsWithWholeSentences_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("beginning");
        QTest::newRow("a word") << "If conditional"
                                << "If conditional";
        QTest::newRow("all") << "One. Two."
                             << "One. Two.";
        QTest::newRow("what fits") << "The first one. The second one. The third."
                                   << "The first one. The second one.";
        QTest::newRow("at least one") << "A sentence of more than thirty characters. Two."
                                      << "A sentence of more than thirty characters.";
        QTest::newRow("leads to the next") << "Computes:\ny = 1.5 x\nOf any x. And more."
                                           << "Computes:\ny = 1.5 x\nOf any x.";
        QTest::newRow("only its first line") << "Loops. Ends are:\n1) Trips. So."
                                             << "Loops.";
        QTest::newRow("abbreviated") << "Like others (i.e. these). More than thirty."
                                     << "Like others (i.e. these).";
    }
    void documentationStartsWithWholeSentences()
    {
        QFETCH(QString, text);
        QTEST(firstSentences(text, 30), "beginning");
    }

    void otherWeightsLeaveTheChoices()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& document = opened.document;
        document.setInputShape("data", Shape{Dim(5), Dim(3)});
        document.setInputType("data", ElementType::Float16);
        document.setStrategy({"act"}, Strategy::Unrolled);
        document.setRecurrent(Strategy::Fused);
        document.setOpset(13);
        document.setAttentionFused(true);
        document.setRenames({{"data", "image"}, {"norm_output", "scores"}});
        const ConvertOptions chosen = document.options();
        const auto other =
            opened.files.write("other.params", paramsFile({{"arg:fc_weight", {4, 3}, 7}, {"arg:fc_bias", {4}}}));
        document.openAgain(other);
        QVERIFY(opened.settle());
        QCOMPARE(document.loaded()->weights, other);
        QCOMPARE(document.options().shapes, chosen.shapes);
        QCOMPARE(document.options().types, chosen.types);
        QCOMPARE(document.options().strategies, chosen.strategies);
        QCOMPARE(document.options().recurrent, Strategy::Fused);
        QCOMPARE(document.options().opset, std::optional<int>(13));
        QVERIFY(document.options().optimize && document.options().fuseAttention);
        QCOMPARE(document.options().renames, chosen.renames);
        QCOMPARE(toString(opened.targetShape()), std::string("5x3"));

        // What these weights hold is no input any more; the rest of the choices stays.
        const auto all = opened.files.write(
            "all.params", paramsFile({{"arg:fc_weight", {4, 3}}, {"arg:fc_bias", {4}}, {"arg:data", {2, 3}}}));
        document.openAgain(all);
        QVERIFY(opened.settle());
        QVERIFY(document.options().shapes.empty() && document.options().types.empty());
        QCOMPARE(document.options().renames.size(), std::size_t{1});
        QCOMPARE(document.options().renames.begin()->second, std::string("scores"));
        QCOMPARE(document.options().opset, std::optional<int>(13));
        QVERIFY(document.converted() != nullptr);
    }

    void aModelThatIsReadAgainKeepsWhatChangesMeanwhile()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& document = opened.document;
        document.openAgain({});
        document.setOpset(13);
        document.setStrategy({"act"}, Strategy::Unrolled);
        QVERIFY(document.files());
        QCOMPARE(document.files()->options.opset, std::optional<int>(13)); // what a crash would leave
        QVERIFY(opened.settle());
        QCOMPARE(document.options().opset, std::optional<int>(13));
        QCOMPARE(document.options().strategies.size(), std::size_t{1});
        document.compareWith(opened.model);
        document.setOpset(14);
        QCOMPARE(document.files()->options.opset, std::optional<int>(14));
        QVERIFY(opened.settle());
        QCOMPARE(document.options().opset, std::optional<int>(14));
    }

    void anotherModelDoesNotTakeTheOptionsOfTheOpenOne()
    {
        Opened opened;
        QVERIFY(opened.settle());
        opened.document.setOpset(13);
        opened.document.open(opened.model);
        QVERIFY(opened.settle());
        QVERIFY(!opened.document.options().opset);
    }

    void reopeningAChangedModelKeepsValidOptions()
    {
        Opened opened;
        QVERIFY(opened.settle());
        opened.document.setStrategy({"act", "fc"}, Strategy::Unrolled);
        QVERIFY(opened.settle());
        opened.files.write("net-symbol.json",
                           symbolFile({variable("x"), variable("fc_weight"), variable("fc_bias"),
                                       node("FullyConnected", "fc", "[[0, 0, 0], [1, 0, 0], [2, 0, 0]]",
                                            R"({"num_hidden": "4", "flatten": "False"})")}));
        opened.document.openAgain({});
        QVERIFY(opened.settle());
        QVERIFY(opened.document.options().shapes.empty()); // data is called x
        QCOMPARE(opened.document.options().strategies.size(), std::size_t{1});
        QVERIFY(opened.document.converted() != nullptr);
    }

    void weightsThatWereWrittenInPlaceAreReadAgain()
    {
        Opened opened;
        QVERIFY(opened.settle());
        QSignalSpy failed(&opened.document, &Document::openFailed);
        const auto before = opened.document.loaded()->graph;
        std::ofstream(opened.files.path("net-0000.params"), std::ios::binary)
            << paramsFile({{"arg:fc_weight", {4, 3}, 7}, {"arg:fc_bias", {4}, 7}});
        opened.document.openAgain({});
        QVERIFY(opened.settle());
        QCOMPARE(failed.count(), 0);
        QVERIFY(opened.document.loaded()->graph != before && opened.document.converted() != nullptr);
    }

    void givenShapesDetermineTheGraphOfAProgram()
    {
        const TemporaryFiles files;
        const auto model = files.write(
            "m.pt", zipFile({{"m/data.pkl", std::string("\x80\x02") + "c__torch__\nModel\n)\x81}b."},
                             {"m/code/__torch__.py", "class Model(Module):\n  def forward(self: __torch__.Model,\n"
                                                     "    x: Tensor) -> List[Tensor]:\n"
                                                     "    return torch.unbind(x, 0)\n"},
                             {"m/version", "3\n"}}));
        Document document;
        for (const std::int64_t rows : {2, 3}) {
            document.open(model, {}, {.shapes = {{"x", {Dim(rows), Dim(4)}}}});
            QVERIFY(QTest::qWaitFor([&] { return document.isIdle(); }, patience));
            QVERIFY(document.isOpen());
            QCOMPARE(document.loaded()->graph->outputs.size(), static_cast<std::size_t>(rows));
        }
    }

    void theModelIsSummarised()
    {
        Opened opened;
        QVERIFY(opened.settle());
        QString all;
        for (const auto& part : modelSummary(opened.document)) {
            for (const auto& detail : part.details) {
                all += detail.name + u' ' + detail.value + u'\n';
            }
        }
        QVERIFY2(all.contains(QStringLiteral("FullyConnected 1")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("16")), qPrintable(all)); // 4 x 3 weights and 4 biases
    }

    void operatorsThatStayAreListedOnce()
    {
        Opened opened;
        QVERIFY(opened.settle());
        QVERIFY(section(modelSummary(opened.document), "ONNX operators") != nullptr);
        const auto exported = opened.files.path("out.onnx");
        opened.document.exporter().exportTo(exported);
        QVERIFY(opened.settle());
        opened.document.open(exported);
        QVERIFY(opened.settle());
        QVERIFY(opened.document.side(Side::Target));
        const auto sections = modelSummary(opened.document);
        QVERIFY(section(sections, "Operators") != nullptr);
        QVERIFY(section(sections, "ONNX operators") == nullptr);
    }

    void reportsUnwritableExports()
    {
        Opened opened;
        QVERIFY(opened.settle());
        QSignalSpy failed(&opened.document.exporter(), &Exporter::exportFailed);
        QSignalSpy exported(&opened.document.exporter(), &Exporter::exported);
        opened.document.exporter().exportTo(opened.files.path("no/such/folder/out.onnx"));
        QVERIFY(opened.settle());
        QCOMPARE(failed.count(), 1);
        opened.document.exporter().exportTo(opened.files.path("out.onnx"));
        QVERIFY(opened.settle());
        QCOMPARE(exported.count(), 1);
        QVERIFY(std::filesystem::exists(opened.files.path("out.onnx")));
    }

    void everyFileIsWrittenInTurn()
    {
        Opened opened;
        QVERIFY(opened.settle());
        auto& exporter = opened.document.exporter();
        QSignalSpy cancelled(&exporter, &Exporter::cancelled);
        for (const char* name : {"a.onnx", "b.onnx"}) {
            exporter.exportTo(opened.files.path(name));
        }
        for (const char* name : {"a.html", "b.html"}) {
            exporter.saveReport(opened.files.path(name));
        }
        QCOMPARE(exporter.activities(), (QStringList{"Exporting a.onnx", "Saving a.html"}));
        QVERIFY(opened.settle());
        for (const char* name : {"a.onnx", "b.onnx", "a.html", "b.html"}) {
            QVERIFY2(std::filesystem::exists(opened.files.path(name)), name);
        }
        QVERIFY(exporter.activities().isEmpty());
        QCOMPARE(cancelled.count(), 0);

        exporter.exportTo(opened.files.path("c.onnx"));
        exporter.exportTo(opened.files.path("d.onnx"));
        opened.document.cancel();
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(cancelled.front().front().toStringList(), (QStringList{"Exporting c.onnx", "Exporting d.onnx"}));
    }

    void nothingReplacesTheWeightsOfTheModel()
    {
        Opened opened;
        QVERIFY(opened.settle());
        const auto weights = opened.files.path("net-0000.params");
        const auto size = std::filesystem::file_size(weights);
        QSignalSpy exportFailed(&opened.document.exporter(), &Exporter::exportFailed);
        QSignalSpy saveFailed(&opened.document.exporter(), &Exporter::saveFailed);
        opened.document.exporter().exportTo(weights);
        opened.document.exporter().saveReport(weights);
        QVERIFY(opened.settle());
        QCOMPARE(exportFailed.count(), 1);
        QCOMPARE(saveFailed.count(), 1);
        QCOMPARE(std::filesystem::file_size(weights), size);
    }

    void nothingIsExportedWhileNothingIsOpen()
    {
        Document document;
        QVERIFY(!document.exporter().obstacle().isEmpty());
        const TemporaryFiles files;
        document.exporter().exportTo(files.path("out.onnx"));
        QVERIFY(document.isIdle());
        QVERIFY(!std::filesystem::exists(files.path("out.onnx")));
    }

    /// Red is seen at every zoom, even where the node is drawn as part of another.
    void aGapThatIsFoldedIntoANodeMarksIt()
    {
        const auto graph = std::make_shared<const Graph>(textGraph("data = input 2x12\n"
                                                                   "w = weight 4x3\n"
                                                                   "gap = mystery(w)\n"
                                                                   "plain = Reshape(w) shape=(-1,)\n"
                                                                   "sum = broadcast_add(data,gap)\n"
                                                                   "more = broadcast_add(sum,plain)\n"
                                                                   "output more"));
        const auto side = DrawnSide::make(graph, {}, {}, {}).side;
        Conversion conversion;
        conversion.verdicts = {Verdict::Unsupported, Verdict::Folded, Verdict::Exact, Verdict::Decomposed};
        const SceneMarks marks = sourceMarks(*side, conversion);
        const auto of = [&](std::uint32_t node) { return marks.verdicts[*side->boxOf(NodeId{node})]; };
        QCOMPARE(of(2), Verdict::Unsupported);
        QCOMPARE(of(3), Verdict::Decomposed);
        QCOMPARE(marks.alarms, std::vector<std::uint32_t>{*side->boxOf(NodeId{2})});
    }
};

QTEST_MAIN(TestDocument)
#include "tst_document.moc"
