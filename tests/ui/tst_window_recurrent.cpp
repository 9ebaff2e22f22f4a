// Recurrent layers that ONNX's own operators cannot say, as a user meets them: the badge, the marked attribute, the
// choices, and the right side that follows.

#include "tests/support/mxnet_files.h"
#include "tests/support/shared_cases.h"
#include "tests/ui/driven_window.h"

#include <QDockWidget>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// An LSTM with 3 features and 4 units whose cell state is clipped, and its weights.
QString clippedLstm(const TemporaryFiles& files)
{
    const auto model = files.write(
        "net-symbol.json",
        symbolFile({variable("data"), variable("parameters"), variable("state"), variable("state_cell"),
                    node("RNN", "rnn", "[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]",
                         R"({"mode": "lstm", "num_layers": "1", "state_size": "4", "lstm_state_clip_min": "-1",)"
                         R"( "lstm_state_clip_max": "1"})")}));
    files.write("net-0000.params", paramsFile({{"arg:parameters", {144}}}));
    return QString::fromStdString(model.string());
}

/// The same with h projected to 2 features, from begin states of zeros whose batch MXNet fills in.
QString projectedLstm(const TemporaryFiles& files)
{
    const auto model = files.write(
        "net-symbol.json",
        symbolFile({variable("data"), variable("parameters"),
                    node("_zeros", "state", "[]", R"j({"shape": "(1, 0, 2)"})j"),
                    node("_zeros", "state_cell", "[]", R"j({"shape": "(1, 0, 4)"})j"),
                    node("RNN", "rnn", "[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]",
                         R"({"mode": "lstm", "num_layers": "1", "state_size": "4", "projection_size": "2"})")}));
    files.write("net-0000.params", paramsFile({{"arg:parameters", {120}}}));
    return QString::fromStdString(model.string());
}

/// An LSTM whose states are fed and given.
QString streamingLstm(const TemporaryFiles& files)
{
    const auto model = files.write(
        "net-symbol.json",
        symbolFile({variable("data"), variable("parameters"), variable("h"), variable("c"),
                    node("RNN", "rnn", "[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]",
                         R"({"mode": "lstm", "num_layers": "1", "state_size": "4", "state_outputs": "True"})")},
                   "[[4, 0, 0], [4, 1, 0], [4, 2, 0]]"));
    files.write("net-0000.params", paramsFile({{"arg:parameters", {144}}}));
    return QString::fromStdString(model.string());
}

} // namespace

class TestWindowRecurrent : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aRecurrentGapOffersStrategies()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(clippedLstm(files)));
        const auto rnn = driven.boxNamed(Side::Source, "rnn");
        QVERIFY(rnn);
        QCOMPARE(driven.document().marks(Side::Source)->badges.at(*rnn), QStringList{QStringLiteral("clip")});
        QCOMPARE(driven.operators(Side::Target).count("Scan"), std::size_t{1});

        driven.clickNode(Side::Source, "rnn");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("lstm_state_clip_min")), QStringLiteral("-1"));
        QVERIFY(driven.find<QRadioButton>("strategy-exact")->isChecked());
        driven.keepPicture(QStringLiteral("recurrent_gap"));
        driven.pick("strategy-fused");
        QCOMPARE(driven.operators(Side::Target).count("LSTM"), std::size_t{1});
        QCOMPARE(driven.operators(Side::Target).count("Scan"), std::size_t{0});
        QCOMPARE(driven.document().marks(Side::Source)->verdicts[*rnn], Verdict::Approximate);
        QVERIFY(driven.find<QRadioButton>("strategy-fused")->isChecked());
        // The node stays selected, and its counterparts are the new ones.
        QCOMPARE(driven.window.canvas(Side::Source)->selection(), std::vector<std::uint32_t>{*rnn});
        QVERIFY(!driven.window.canvas(Side::Target)->counterparts().empty());

        driven.undo();
        QCOMPARE(driven.operators(Side::Target).count("Scan"), std::size_t{1});
        QVERIFY(driven.find<QRadioButton>("strategy-exact")->isChecked());
    }

    void recordedGapsHaveTheirBadges_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QStringList>("badges");
        QTest::addColumn<bool>("hasFused"); // a projection from a given state has no fused form
        const auto row = [](const char* folder, const QStringList& badges, bool hasFused) {
            QTest::newRow(folder) << QString::fromLatin1(folder) << badges << hasFused;
        };
        row("cl_sym_03", {QStringLiteral("clip")}, true);
        row("cl_sym_nan_on", {QStringLiteral("clip"), QStringLiteral("nan")}, true);
        row("pr_gl_tnc_l1_uni", {QStringLiteral("proj")}, false);
        row("pr_sym_l1_uni", {QStringLiteral("proj")}, false);
        row("cl_sym_projection_bi_l2", {QStringLiteral("clip"), QStringLiteral("proj")}, false);
    }
    void recordedGapsHaveTheirBadges()
    {
        REQUIRE_SHARED_CASES();
        QFETCH(QString, folder);
        QFETCH(QStringList, badges);
        const auto model = sharedFolder() / "cases/rnn" / folder.toStdString() / "model-symbol.json";
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        const auto& marks = driven.document().marks(Side::Source)->badges;
        QCOMPARE(marks.size(), std::size_t{1});
        QStringList found = marks.begin()->second;
        found.sort();
        QCOMPARE(found, badges);
        // Another strategy gives another right side, and undo brings the first one back.
        driven.clickNode(Side::Source, marks.begin()->first);
        QFETCH(bool, hasFused);
        QCOMPARE(driven.window.findChild<QRadioButton*>(QStringLiteral("strategy-fused")) != nullptr, hasFused);
        if (!hasFused) {
            return;
        }
        const auto exact = driven.operators(Side::Target);
        driven.pick("strategy-fused");
        QVERIFY(driven.operators(Side::Target) != exact);
        QCOMPARE(driven.operators(Side::Target).count("LSTM"), std::size_t{1});
        driven.undo();
        QCOMPARE(driven.operators(Side::Target), exact);
    }

    void aProjectionIsUnrolledFusedAndUndone()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(projectedLstm(files)));
        const auto rnn = driven.boxNamed(Side::Source, "rnn");
        QVERIFY(rnn);
        QCOMPARE(driven.document().marks(Side::Source)->badges.at(*rnn), QStringList{QStringLiteral("proj")});
        driven.giveShape(QStringLiteral("data"), QStringLiteral("5, 2, 3"));
        const auto exact = driven.operators(Side::Target);
        QCOMPARE(exact.at("Scan"), 1);

        driven.clickNode(Side::Source, "rnn");
        driven.pick("strategy-unrolled");
        const auto unrolled = driven.operators(Side::Target);
        QCOMPARE(unrolled.count("Scan"), std::size_t{0});
        QCOMPARE(unrolled.count("LSTM"), std::size_t{0});
        QCOMPARE(unrolled.at("Tanh"), 10); // of the cell gate and of c, in each of 5 steps
        QCOMPARE(driven.document().marks(Side::Source)->verdicts[*rnn], Verdict::Decomposed);

        driven.pick("strategy-fused");
        QCOMPARE(driven.operators(Side::Target).at("LSTM"), 1);
        QCOMPARE(driven.operators(Side::Target).count("Tanh"), std::size_t{0});
        QVERIFY(driven.document().marks(Side::Source)->verdicts[*rnn] != Verdict::Approximate);

        driven.undo();
        QCOMPARE(driven.operators(Side::Target), unrolled);
        QVERIFY(driven.find<QRadioButton>("strategy-unrolled")->isChecked());
        driven.undo();
        QCOMPARE(driven.operators(Side::Target), exact);
        QVERIFY(driven.find<QRadioButton>("strategy-exact")->isChecked());
    }

    void unrollingADynamicLengthExplainsTheRemedy()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(clippedLstm(files)));
        driven.clickNode(Side::Source, "rnn");
        driven.pick("strategy-unrolled");
        const auto& problems = driven.document().problems();
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().severity, Severity::Error);
        QCOMPARE(problems.front().node, std::string("rnn"));
        QVERIFY(problems.front().message.find("fixed number of steps") != std::string::npos);
        driven.giveShape(QStringLiteral("data"), QStringLiteral("3, N, 3"));
        QCOMPARE(driven.operators(Side::Target).at("Clip"), 3);
        QCOMPARE(driven.operators(Side::Target).count("Scan"), std::size_t{0});
    }

    void theSummaryListsRecurrentStates()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(streamingLstm(files)));
        driven.showDock("summaryDock");
        QVERIFY(!driven.detail("summaryTree", QStringLiteral("Multiply-adds")).isEmpty());
        QCOMPARE(driven.detail("summaryTree", QStringLiteral("State")),
                 QStringLiteral("rnn_statecell_output \u2192 c"));
    }

    void theNodePanelKeepsItsWidth()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(clippedLstm(files)));
        const int before = driven.find<QDockWidget>("nodeDock")->width();
        driven.clickNode(Side::Source, "rnn");
        QCoreApplication::processEvents();
        QCOMPARE(driven.find<QDockWidget>("nodeDock")->width(), before);
    }
};

QTEST_MAIN(TestWindowRecurrent)
#include "tst_window_recurrent.moc"
