#include "core/base/diagnostic.h"
#include "core/collection/collection_report.h"
#include "core/collection/find_models.h"
#include "core/collection/run_collection.h"
#include "core/collection/run_progress.h"
#include "core/report/collection_html.h"
#include "tests/support/temporary_files.h"

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

ModelOutcome outcome(std::string model, Outcome how, std::vector<ReportedProblem> problems = {},
                     std::string architecture = {})
{
    ModelOutcome made{.model = std::move(model), .outcome = how};
    made.problems = std::move(problems);
    made.architecture = std::move(architecture);
    return made;
}

ReportedProblem gap(std::string op)
{
    return {.severity = Severity::Error, .code = "unsupported-operator", .message = "no " + op, .node = {}, .op = op};
}

} // namespace

class TestCollectionReport : public QObject {
    Q_OBJECT

private slots:
    void ranksGapsByTheModelsThatTheyBlock()
    {
        const CollectionReport report{{outcome("a", Outcome::Refused, {gap("Foo"), gap("Bar"), gap("Bar")}),
                                       outcome("b", Outcome::Refused, {gap("Bar")}),
                                       outcome("c", Outcome::Converted, {gap("Foo")})}};
        const auto gaps = report.gaps();
        QCOMPARE(gaps.size(), std::size_t{2});
        QCOMPARE(gaps[0].op, std::string("Bar"));
        QCOMPARE(gaps[0].models, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(gaps[1].models, (std::vector<std::size_t>{0}));
    }

    void groupsModelsByArchitecture()
    {
        const CollectionReport report{{outcome("a", Outcome::Converted, {}, "1"),
                                       outcome("b", Outcome::Converted, {}, "2"),
                                       outcome("c", Outcome::Converted, {}, "2"), outcome("d", Outcome::Crashed)}};
        const auto groups = report.architectures();
        QCOMPARE(groups.size(), std::size_t{2});
        QCOMPARE(groups[0].models, (std::vector<std::size_t>{1, 2}));
    }

    void omitsWeightsOfOtherModels()
    {
        CollectionReport report{{outcome("a.json", Outcome::Converted), outcome("a.h5", Outcome::Refused)}};
        report.models[0].weights = "a.h5";
        report.models[1].weights = "a.h5"; // a whole model names itself
        report = withoutWeightFiles(report);
        QCOMPARE(report.models.size(), std::size_t{1});
        QCOMPARE(report.models[0].model, std::string("a.json"));
    }

    void mergesParts()
    {
        const std::array parts{CollectionReport{{outcome("a", Outcome::Converted), outcome("b", Outcome::Cancelled)}},
                               CollectionReport{{outcome("a", Outcome::TimedOut), outcome("b", Outcome::Refused),
                                                 outcome("c", Outcome::Crashed)}}};
        const CollectionReport whole = merged(parts);
        QCOMPARE(whole.models.size(), std::size_t{3});
        QCOMPARE(whole.models[0].outcome, Outcome::Converted);
        QCOMPARE(whole.models[1].outcome, Outcome::Refused);
    }

    void readsWhatItWrites()
    {
        CollectionReport report{{outcome("a\x01\"<b>", Outcome::OutOfMemory, {gap("Foo")}, "12ab")}};
        report.models[0].output = "a.onnx";
        report.models[0].peakBytes = 5;
        report.models[0].seconds = 0.25;
        report.models[0].verdict = "decomposed";
        QCOMPARE(reportFromJson(reportJson(report)).models, report.models);
    }

    void estimatesTheTimeLeft()
    {
        RunProgress progress(10);
        QVERIFY(!progress.secondsLeft(1));
        progress.add(outcome("a", Outcome::Converted), true); // takes no time
        QVERIFY(!progress.secondsLeft(1));
        progress.add(outcome("b", Outcome::Converted), false);
        progress.add(outcome("c", Outcome::Refused), false);
        QCOMPARE(progress.secondsLeft(4).value(), 4.0 / 2 * 7);
        QCOMPARE(progress.finished(), std::size_t{3});
        QCOMPARE(progress.converted(), std::size_t{2});
        for (int i = 0; i < 7; ++i) {
            progress.add(outcome("d", Outcome::Crashed), false);
        }
        QVERIFY(progress.isDone());
        QVERIFY(!progress.secondsLeft(4));
    }

    void rejectsOtherTexts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no report") << QByteArray("{\"a\": 1}");
        QTest::newRow("an unknown outcome") << QByteArray(R"({"models": [{"model": "a", "outcome": "fine"}]})");
        QTest::newRow("a number in place of a text")
            << QByteArray(R"({"models": [{"model": 3, "outcome": "refused"}]})");
        QTest::newRow("a count beyond all numbers")
            << QByteArray(R"({"models": [{"model": "a", "outcome": "refused", "nodes": 1e308}]})");
        QTest::newRow("a negative count")
            << QByteArray(R"({"models": [{"model": "a", "outcome": "refused", "peak_bytes": -1}]})");
        QTest::newRow("cut off") << QByteArray("{\"models\": [{\"model\": \"a\", \"outco");
    }

    void rejectsOtherTexts()
    {
        QFETCH(QByteArray, text);
        QVERIFY_EXCEPTION_THROWN(reportFromJson({text.data(), static_cast<std::size_t>(text.size())}), ModelError);
    }

    void escapesNamesInHtml()
    {
        CollectionReport report{{outcome("<script>alert(1)</script>", Outcome::Refused, {gap("<img onerror=x>")})}};
        report.models[0].output = "a b/\"c.onnx";
        report.models[0].architecture = "<img>";
        report.models.push_back(report.models[0]);
        report.folder = "..";
        const std::string page = collectionHtml(report);
        QVERIFY(page.find("<script") == std::string::npos);
        QVERIFY(page.find("<img") == std::string::npos);
        QVERIFY(page.find("href=\"../a%20b/%22c.onnx\"") != std::string::npos);
    }

    void namesOutputs()
    {
        const auto named = [](const char* name) { return CollectionModel{name, name}; };
        const auto names = outputNames({named("a/net-symbol.json"), named("a/x.pb"), named("a/x.h5"), named("b/x.pb")});
        QCOMPARE(names, (std::vector<std::filesystem::path>{"a/net.onnx", "a/x.pb.onnx", "a/x.h5.onnx", "b/x.onnx"}));
    }

    void readsLists()
    {
        const TemporaryFiles files;
        const auto list =
            files.write("list.txt", "# models\na/x.pb\r\n\n../other/y.pb\t--shape x=1,3  --optimize\n../a/x.pb\n");
        const auto models = listedModels(list);
        QCOMPARE(models.size(), std::size_t{3});
        QCOMPARE(models[0].path, list.parent_path() / "a/x.pb");
        QCOMPARE(models[1].name, std::filesystem::path("other/y.pb")); // stays in the output folder
        QCOMPARE(models[1].options, (std::vector<std::string>{"--shape", "x=1,3", "--optimize"}));
        QCOMPARE(models[2].name, std::filesystem::path("2/a/x.pb")); // another file
        QVERIFY_EXCEPTION_THROWN(listedModels(files.write("empty.txt", "# none\n")), ModelError);
    }

    /// It would be converted with the options of one line only.
    void rejectsARepeatedPath()
    {
        const TemporaryFiles files;
        const auto list = files.write("list.txt", "a.pb\t--opset 13\n\n./a.pb\t--opset 18\n");
        try {
            listedModels(list);
            QFAIL("no error");
        } catch (const ModelError& error) {
            QCOMPARE(error.diagnostic.message, std::string("line 3: ./a.pb is on line 1 already"));
        }
    }
};

QTEST_APPLESS_MAIN(TestCollectionReport)
#include "tst_collection_report.moc"
