// The tables of the window: inputs and problems, shapes as they are typed, recent files.

#include "core/base/mapped_file.h"
#include "core/formats/mxnet/npy.h"
#include "core/graph/tensor_statistics.h"
#include "tests/support/temporary_files.h"
#include "tests/support/text_graph.h"
#include "ui/document/npy_file.h"
#include "ui/models/channels_model.h"
#include "ui/models/choice_roles.h"
#include "ui/models/inputs_model.h"
#include "ui/models/number_text.h"
#include "ui/models/problems_model.h"
#include "ui/models/recent_files.h"
#include "ui/models/shape_text.h"
#include "ui/models/tensor_values_model.h"
#include "ui/models/words.h"
#include "ui/panels/details_view.h"
#include "ui/panels/heat_map_view.h"
#include "ui/panels/toast.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

using namespace crosswalk;
using namespace crosswalk::ui;

Q_DECLARE_METATYPE(crosswalk::Shape)

namespace {

Diagnostic gap(std::string node)
{
    return {.severity = Severity::Warning,
            .code = "rnn-clip",
            .message = "the cell state is clipped",
            .node = std::move(node),
            .op = "RNN",
            .attribute = "lstm_state_clip_min",
            .choices = {{"exact", "a Scan of the step", true}, {"fused", "not clipped", false}}};
}

struct Inputs {
    explicit Inputs(const char* text)
        : graph(test::textGraph(text))
    {
        model.setInputs(inputsOf(graph, {}));
    }
    QString cell(int column, int role = Qt::DisplayRole) const { return model.index(0, column).data(role).toString(); }
    bool edit(int column, const QString& text) { return model.setData(model.index(0, column), text); }

    Graph graph;
    InputsModel model;
    QAbstractItemModelTester tester{&model};
};

} // namespace

class TestTables : public QObject {
    Q_OBJECT
private slots:
    /// The nearest problem counts, also through nodes that are converted.
    void blockedNodesFollowConvertedOnes()
    {
        Graph graph;
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        const auto add = [&](const char* name, const ValueId input) {
            return graph.addOutput(graph.addNode({.op = "Relu", .name = name, .inputs = {input}}), name);
        };
        const ValueId far = add("far", x);                              // 0: a problem
        const ValueId converted = add("converted", far);                // 1
        const ValueId near = add("near", x);                            // 2: another
        graph.outputs = {add("first", converted), add("second", near)}; // 3, 4
        Conversion conversion;
        conversion.behindGaps = {NodeId{3}, NodeId{4}};
        std::vector<Diagnostic> problems{
            {.severity = Severity::Error, .code = "unsupported-operator", .message = "far", .node = "far"},
            {.severity = Severity::Error, .code = "unsupported-attribute", .message = "near", .node = "near"}};
        problems[0].nodeIndex = 0;
        problems[1].nodeIndex = 2;
        auto causes = causesOf(problems);
        addBlocked(causes, problems, graph, conversion);
        QCOMPARE(causes[0].blocked, std::vector{NodeId{3}});
        QCOMPARE(causes[1].blocked, std::vector{NodeId{4}});
    }

    /// A node behind an input without a shape and behind a missing weight is blocked by what is nearer.
    void shapesAndWeightsBlockWhatReadsThem()
    {
        Graph graph;
        const auto input = [&](const char* name, Role role) {
            const ValueId made = graph.addValue({.name = name, .role = role});
            graph.inputs.push_back(made);
            return made;
        };
        const ValueId x = input("x", Role::Data);
        const ValueId weight = input("w", Role::Parameter);
        const auto add = [&](const char* name, ValueIds inputs) {
            return graph.addOutput(graph.addNode({.op = "Op", .name = name, .inputs = std::move(inputs)}), name);
        };
        const ValueId weighted = add("weighted", {x, weight});      // 0
        const ValueId shaped = add("shaped", {x});                  // 1: converted
        add("behind both, nearer to x", {x, add("f", {weighted})}); // 2, 3
        add("behind x", {shaped});                                  // 4
        Conversion conversion;
        conversion.behindGaps = {NodeId{0}, NodeId{2}, NodeId{3}, NodeId{4}};
        conversion.valueTypes.resize(graph.valueCount());
        const std::vector<Diagnostic> problems{
            {.severity = Severity::Error, .code = "unknown-shape", .message = "the shape of x is unknown"},
            {.severity = Severity::Error, .code = "missing-weight", .message = "1 weight is missing: w"}};
        auto causes = causesOf(problems);
        addBlocked(causes, problems, graph, conversion);
        QCOMPARE(causes[0].blocked, (std::vector{NodeId{3}, NodeId{4}}));
        QCOMPARE(causes[1].blocked, (std::vector{NodeId{0}, NodeId{2}}));
    }

    void blockedNodesAreBelowTheirCause()
    {
        Graph graph;
        graph.format = "onnx";
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        ValueId last = x;
        for (const char* name : {"odd", "first", "second"}) {
            last = graph.addOutput(graph.addNode({.op = "Relu", .name = name, .inputs = {last}}), name);
        }
        graph.outputs.push_back(last);
        Conversion conversion;
        conversion.behindGaps = {NodeId{1}, NodeId{2}};
        std::vector<Diagnostic> problems{
            {.severity = Severity::Error, .code = "damaged", .message = "something else"},
            {.severity = Severity::Error, .code = "unsupported-operator", .message = "no such thing", .node = "odd"}};
        problems[1].nodeIndex = 0;
        auto causes = causesOf(problems);
        addBlocked(causes, problems, graph, conversion);
        QVERIFY(causes[0].blocked.empty());
        QCOMPARE(causes[1].blocked.size(), std::size_t{2});

        const auto side = DrawnSide::make(std::make_shared<const Graph>(std::move(graph)), {}, {}, {}).side;
        ProblemsModel model;
        model.setProblems(problems, causes, side);
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex cause = model.index(1, 0);
        QCOMPARE(model.rowCount(cause), 2);
        QVERIFY(!model.isCause(cause));
        const QModelIndex blocked = model.index(1, 0, cause);
        QCOMPARE(blocked.data().toString(), QStringLiteral("second"));
        QVERIFY(model.blockedAt(blocked) == NodeId{2});
        QVERIFY(model.problemsAt(blocked).empty());
        QVERIFY(cause.siblingAtColumn(ProblemsModel::MessageColumn)
                    .data()
                    .toString()
                    .endsWith(QStringLiteral("2 nodes are blocked by this.")));
    }

    void inputsExcludeWeightsAndLabels()
    {
        const Inputs inputs("x = input 2xNx3\n"
                            "w = weight 4x3\n"
                            "y = FullyConnected(x,w) num_hidden=4 no_bias=True flatten=False\n"
                            "output y");
        QCOMPARE(inputs.model.rowCount(), 1);
        QCOMPARE(inputs.cell(InputsModel::NameColumn), QStringLiteral("x"));
        QCOMPARE(inputs.cell(InputsModel::TypeColumn), QStringLiteral("float32"));
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn), QStringLiteral("2, N, 3"));
        QCOMPARE(inputs.cell(InputsModel::OriginColumn), QStringLiteral("From the file"));
        QVERIFY(inputs.model.flags(inputs.model.index(0, InputsModel::ShapeColumn)).testFlag(Qt::ItemIsEditable));
        QVERIFY(!inputs.model.flags(inputs.model.index(0, InputsModel::NameColumn)).testFlag(Qt::ItemIsEditable));
    }

    void unknownShapesAreMarked()
    {
        const Inputs inputs("x = input\ny = Activation(x) act_type=relu\noutput y");
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn), QStringLiteral("unknown"));
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn, Qt::EditRole), QString());
        QCOMPARE(inputs.cell(InputsModel::OriginColumn), QStringLiteral("Unknown: set a shape"));
    }

    void anEditedShapeIsShownOnceItIsSet()
    {
        Inputs inputs("x = input 2x3\ny = Activation(x) act_type=relu\noutput y");
        QSignalSpy given(&inputs.model, &InputsModel::shapeEdited);
        QVERIFY(inputs.edit(InputsModel::ShapeColumn, QStringLiteral("N, 3")));
        QCOMPARE(given.count(), 1);
        QCOMPARE(given.front().front().value<std::string>(), std::string("x"));
        const Shape expected{Dim("N"), Dim(3)};
        QVERIFY(given.front().at(1).value<std::optional<Shape>>() == expected);
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn), QStringLiteral("2, 3")); // until it is in force

        ConvertOptions options;
        options.shapes["x"] = expected;
        inputs.model.setOptions(options);
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn), QStringLiteral("N, 3"));
        QCOMPARE(inputs.cell(InputsModel::OriginColumn), QStringLiteral("Set by you"));

        QVERIFY(inputs.edit(InputsModel::ShapeColumn, QString())); // emptied: back to the file's
        QVERIFY(!given.back().at(1).value<std::optional<Shape>>());
    }

    void anEmptiedShapeIsNoScalar()
    {
        Inputs inputs("x = input 2x3\ny = Activation(x) act_type=relu\noutput y");
        QSignalSpy given(&inputs.model, &InputsModel::shapeEdited);
        QVERIFY(inputs.edit(InputsModel::ShapeColumn, QString()));
        QVERIFY(given.isEmpty()); // it is the file's already
        QVERIFY(inputs.edit(InputsModel::ShapeColumn, QStringLiteral("()")));
        QVERIFY(given.back().at(1).value<std::optional<Shape>>() == Shape());
    }

    void rejectsInvalidShapesAndTypes()
    {
        Inputs inputs("x = input 2x3\ny = Activation(x) act_type=relu\noutput y");
        QSignalSpy shapes(&inputs.model, &InputsModel::shapeEdited);
        QSignalSpy types(&inputs.model, &InputsModel::typeEdited);
        QVERIFY(!inputs.edit(InputsModel::ShapeColumn, QStringLiteral("2, -3")));
        QVERIFY(!inputs.edit(InputsModel::TypeColumn, QStringLiteral("float33")));
        QVERIFY(!inputs.edit(InputsModel::NameColumn, QStringLiteral("z")));
        QVERIFY(shapes.isEmpty() && types.isEmpty());
        QVERIFY(inputs.edit(InputsModel::TypeColumn, QStringLiteral("float16")));
        QCOMPARE(types.count(), 1);
    }

    void aProblemIsShownAtItsInput()
    {
        Inputs inputs("x = input 2x3\ny = Activation(x) act_type=relu\noutput y");
        inputs.model.setProblem("x", QStringLiteral("3 features, not 4"));
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn, InputsModel::ProblemRole), QStringLiteral("3 features, not 4"));
        inputs.model.setProblem("other", QStringLiteral("3 features, not 4"));
        QCOMPARE(inputs.cell(InputsModel::ShapeColumn, InputsModel::ProblemRole), QString());
    }

    void shapesAreReadAsPeopleWriteThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shape"); // empty: is none
        QTest::newRow("commas") << "2, 3,224"
                                << "2, 3, 224";
        QTest::newRow("blanks") << "N 3"
                                << "N, 3";
        QTest::newRow("crosses") << "2x3x224"
                                 << "2, 3, 224";
        QTest::newRow("crosses between blanks") << "N x 3 x 224"
                                                << "N, 3, 224";
        QTest::newRow("a tuple") << "(1, 2)"
                                 << "1, 2";
        QTest::newRow("a tuple of one") << "(5,)"
                                        << "5";
        QTest::newRow("words") << "batch, time_steps"
                               << "batch, time_steps";
        QTest::newRow("a negative size") << "2, -1"
                                         << "";
        QTest::newRow("a fraction") << "2.5"
                                    << "";
        QTest::newRow("a gap") << "2,,3"
                               << "";
        QTest::newRow("more than 64 bits") << "99999999999999999999"
                                           << "";
    }
    void shapesAreReadAsPeopleWriteThem()
    {
        QFETCH(QString, text);
        QFETCH(QString, shape);
        const auto parsed = parseShape(text);
        QCOMPARE(parsed ? shapeText(parsed.value()) : QString(), shape);
        QVERIFY(parsed || !parsed.problem().message.empty());
    }

    void numbersHaveUnits()
    {
        QCOMPARE(bytesText(102'400'000), QStringLiteral("102 MB"));
        QCOMPARE(bytesText(999), QStringLiteral("999 bytes"));
        QCOMPARE(countText(25'600'000), QStringLiteral("25.6 M"));
        QCOMPARE(countText(812), QStringLiteral("812"));
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const QStringList german{bytesText(1'340), countText(25'600'000), countText(8'120), secondsText(1.5)};
        QLocale::setDefault(before);
        QCOMPARE(german, (QStringList{"1,34 kB", "25,6 M", "8.120", "1,50 s"}));
        QCOMPARE(secondsText(0.041), QStringLiteral("41 ms"));
        QCOMPARE(secondsText(3.2), QStringLiteral("3.20 s"));
        QCOMPARE(typeText({ElementType::Float32, Shape{Dim("N"), Dim(3)}}), QStringLiteral("float32 N\u00d73"));
    }

    void problemsAreCountedAndNamed()
    {
        ProblemsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setProblems({{.code = "unsupported-operator", .message = "no such thing", .node = "odd", .op = "Odd"},
                           gap("rnn"),
                           {.severity = Severity::Note, .code = "newest-epoch", .message = "epoch 7 of 3"}});
        QCOMPARE(model.count(Severity::Error), 1);
        QCOMPARE(model.count(Severity::Warning), 1);
        QCOMPARE(model.count(Severity::Note), 1);
        QCOMPARE(model.index(0, ProblemsModel::NodeColumn).data().toString(), QStringLiteral("odd"));
        QVERIFY(
            model.index(0, ProblemsModel::MessageColumn).data().toString().startsWith(QStringLiteral("No such thing")));
        QCOMPARE(model.index(2, ProblemsModel::NodeColumn).data().toString(), QStringLiteral("The whole model"));
        QCOMPARE(model.index(0, 0).data(ProblemsModel::CodeRole).toString(), QStringLiteral("unsupported-operator"));
    }

    void aStrategyIsPickedInTheTable()
    {
        ProblemsModel model;
        model.setProblems({gap("rnn"), {.code = "unsupported-operator", .message = "m", .node = "odd"}});
        const auto cell = model.index(0, ProblemsModel::ChoiceColumn);
        QVERIFY(model.flags(cell).testFlag(Qt::ItemIsEditable));
        QVERIFY(!model.flags(model.index(1, ProblemsModel::ChoiceColumn)).testFlag(Qt::ItemIsEditable));
        QCOMPARE(cell.data().toString(), QStringLiteral("Exact"));
        QCOMPARE(cell.data(ChoicesRole).toStringList().size(), 4); // value and text, twice

        QSignalSpy picked(&model, &ProblemsModel::strategyPicked);
        QVERIFY(!model.setData(cell, QStringLiteral("magic")));
        QVERIFY(model.setData(cell, QStringLiteral("exact"))); // in force already
        QVERIFY(picked.isEmpty());
        QVERIFY(model.setData(cell, QStringLiteral("fused")));
        QCOMPARE(picked.count(), 1);
        model.setPicked({{"rnn", Strategy::Fused}}, Strategy::Exact);
        QCOMPARE(cell.data().toString(), QStringLiteral("Fused"));
    }

    void problemsAreGroupedByCause()
    {
        ProblemsModel model;
        const QAbstractItemModelTester tester(&model);
        auto second = gap("b");
        second.message = "the cell state is clipped elsewhere";
        auto third = gap("c");
        third.choices.pop_back(); // no fused form
        model.setProblems(
            {gap("a"), {.code = "unsupported-operator", .message = "m", .node = "odd", .op = "Odd"}, second, third});
        QCOMPARE(model.rowCount(), 2);
        const auto cause = model.index(0, ProblemsModel::NodeColumn);
        QVERIFY(model.isCause(cause));
        QCOMPARE(cause.data().toString(), QStringLiteral("3 nodes"));
        QVERIFY(cause.siblingAtColumn(ProblemsModel::MessageColumn).data().toString().startsWith("Cell state clipped"));
        QCOMPARE(model.rowCount(cause), 3);
        QCOMPARE(model.index(1, ProblemsModel::NodeColumn, cause).data().toString(), QStringLiteral("b"));
        QVERIFY(!model.isCause(model.index(1, 0)));

        // A strategy of the cause goes to the nodes that have it.
        const auto cell = cause.siblingAtColumn(ProblemsModel::ChoiceColumn);
        QVERIFY(cell.data(ChoicesRole).toStringList().last().contains("2 of 3"));
        QSignalSpy picked(&model, &ProblemsModel::strategyPicked);
        QVERIFY(model.setData(cell, QStringLiteral("fused")));
        QCOMPARE(picked.front().front().value<std::vector<std::string>>(), (std::vector<std::string>{"a", "b"}));
        model.setPicked({{"a", Strategy::Fused}, {"b", Strategy::Fused}}, Strategy::Exact);
        QCOMPARE(cell.data().toString(), QStringLiteral("Mixed"));
        QCOMPARE(model.index(0, ProblemsModel::ChoiceColumn, cause).data().toString(), QStringLiteral("Fused"));
        QVERIFY(model.setData(model.index(0, ProblemsModel::ChoiceColumn, cause), QStringLiteral("exact")));
        QCOMPARE(picked.back().front().value<std::vector<std::string>>(), std::vector<std::string>{"a"});
    }

    void aPickedStrategyLeavesANodeUnderItsCause()
    {
        // As the conversion words it then: another code, another severity.
        auto fused = gap("b");
        fused.code = "approximate";
        const std::vector<Diagnostic> problems{fused, gap("a")};
        QCOMPARE(causesOf(problems).size(), std::size_t{1});
        // What offers no way around goes by its code.
        QCOMPARE(causesOf({{.code = "shape-conflict", .message = "m", .node = "a", .op = "Dot"},
                           {.code = "invalid-attribute", .message = "m", .node = "b", .op = "Dot"}})
                     .size(),
                 std::size_t{2});
    }

    void hintsReferToTheWindow()
    {
        const Diagnostic open{
            .code = "unknown-shape", .message = "the shape of x is open", .hint = "give --shape x=..."};
        QVERIFY(problemText(open).contains(QStringLiteral("Inputs panel")));
        QVERIFY(!problemText(open).contains(QStringLiteral("--")));
    }

    void aTensorIsATableOfItsLastTwoAxes()
    {
        std::vector<float> values(24);
        std::iota(values.begin(), values.end(), 0.0F);
        TensorValuesModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        model.setTensor(Tensor::of<float>(ElementType::Float32, {2, 3, 4}, values));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.columnCount(), 4);
        QCOMPARE(model.leadingDims(), std::vector<std::int64_t>{2});
        QCOMPARE(model.index(2, 1).data().toString(), QStringLiteral("9"));
        model.setSlice({1});
        QCOMPARE(model.index(2, 1).data().toString(), QStringLiteral("21"));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("12"));
        model.setTensor(Tensor::of<float>(ElementType::Float32, {24}, values)); // a vector is a column
        QCOMPARE(model.rowCount(), 24);
        QCOMPARE(model.columnCount(), 1);
        QCOMPARE(model.index(23, 0).data().toString(), QStringLiteral("23"));
        model.setTensor(Tensor::scalar(ElementType::Float32, 2.5));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("2.5"));
        model.setTensor(Tensor::filled(ElementType::Float32, {0, 4}, 0));
        QCOMPARE(model.rowCount(), 0);
    }

    void numbersHaveTheirShortestForm()
    {
        const auto f = [](float value) { return shortestText(static_cast<double>(value), ElementType::Float32); };
        QCOMPARE(f(0.1F), QStringLiteral("0.1"));
        QCOMPARE(f(100), QStringLiteral("100"));
        QCOMPARE(f(-1234.5F), QStringLiteral("-1234.5"));
        QCOMPARE(f(1.0F / 3), QStringLiteral("0.33333334"));
        QCOMPARE(f(1e-20F), QStringLiteral("1e-20"));
        QCOMPARE(shortestText(0.1, ElementType::Float64), QStringLiteral("0.1"));
        QCOMPARE(shortestText(0.0999755859375, ElementType::Float16), QStringLiteral("0.1"));
        // Below a power of two, the values of a type are twice as dense as above it.
        const double power = std::ldexp(1.0, -17);
        const double below = power * (1 - std::ldexp(1.0, -8));
        QVERIFY(shortestText(power, ElementType::BFloat16) != shortestText(below, ElementType::BFloat16));
    }

    void integersHaveAllTheirDigits()
    {
        const std::array<std::int64_t, 2> ends{std::numeric_limits<std::int64_t>::min(),
                                               std::numeric_limits<std::int64_t>::max()};
        TensorValuesModel model;
        model.setTensor(Tensor::of<std::int64_t>(ElementType::Int64, {2}, ends));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("-9223372036854775808"));
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("9223372036854775807"));
        const std::array<std::uint64_t, 2> numbers{std::numeric_limits<std::uint64_t>::max(), (1ULL << 53U) + 1};
        model.setTensor(Tensor::of<std::uint64_t>(ElementType::UInt64, {1, 2}, numbers));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("18446744073709551615"));
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("9007199254740993"));
        const std::array<std::int8_t, 1> small{-7};
        QCOMPARE(elementText(Tensor::of<std::int8_t>(ElementType::Int8, {1}, small), 0), QStringLiteral("-7"));
    }

    void aHeatMapShowsTheLargestOfAllRows()
    {
        constexpr std::int64_t rows = 51200; // a hundred in each block
        std::vector<float> values(rows);
        values[static_cast<std::size_t>(rows) / 2 + 57] = 1;
        HeatMapView view;
        view.resize(200, 600);
        view.setMatrix(Tensor::of<float>(ElementType::Float32, {rows, 1}, values), 1);
        view.show();
        // A column of blocks at the left edge.
        const auto colours = [&view] {
            const QImage picture = view.grab().toImage();
            QSet<QRgb> found;
            for (int y = view.height() / 4; y < view.height() * 3 / 4; ++y) {
                found.insert(picture.pixel(14, y));
            }
            return found.size();
        };
        QTRY_COMPARE(colours(), 2);
    }

    void channelsWithoutFiniteValuesHaveNoStatistics()
    {
        const std::vector<float> values{NAN, INFINITY, 1, 2};
        const auto channels = channelsOf(Tensor::of<float>(ElementType::Float32, {2, 2}, values), 0, 1.5, 0.5);
        QVERIFY(channels);
        ChannelsModel model;
        model.setChannels(channels->channels);
        for (const int column : {ChannelsModel::MinimumColumn, ChannelsModel::MaximumColumn, ChannelsModel::MeanColumn,
                                 ChannelsModel::DeviationColumn}) {
            QCOMPARE(model.index(0, column).data().toString(), QStringLiteral("\u2013"));
            QVERIFY(!model.index(0, column).data(ChannelsModel::sortRole).isValid());
        }
        QCOMPARE(model.index(0, ChannelsModel::NotFiniteColumn).data().toString(), QStringLiteral("2"));
        QCOMPARE(model.index(1, ChannelsModel::MinimumColumn).data().toString(), QStringLiteral("1"));
        QCOMPARE(model.index(1, ChannelsModel::NotFiniteColumn).data().toString(), QStringLiteral("0"));
    }

    void oneByteIsSingular()
    {
        QCOMPARE(bytesText(1), QStringLiteral("1 byte"));
        QCOMPARE(bytesText(2), QStringLiteral("2 bytes"));
    }

    void aSectionIsCopiedByItsTitle()
    {
        DetailsView view;
        view.setSections({{QStringLiteral("Weights"), {{QStringLiteral("w"), QStringLiteral("float32")}}}});
        view.setCurrentIndex(view.model()->index(0, 0));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Weights"));
        view.setCurrentIndex(view.model()->index(0, 0, view.model()->index(0, 0)));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("float32"));
    }

    void longMessagesLeaveRoomForTheirButtons()
    {
        QWidget parent;
        parent.resize(400, 300);
        Toast toast(&parent);
        parent.show();
        toast.show(QStringLiteral("Saved ") + QString(200, u'x'), {{QStringLiteral("toastOpen"), tr("Open"), [] {}}});
        QCoreApplication::processEvents();
        const auto* button = toast.findChild<QPushButton*>(QStringLiteral("toastOpen"));
        QVERIFY(toast.width() <= parent.width());
        QVERIFY(button->width() >= button->sizeHint().width());
        QVERIFY(button->geometry().right() < toast.width());
    }

    void emptyTensorsAndLongAxesHaveNoChannels()
    {
        const Tensor empty = Tensor::of<float>(ElementType::Float32, {std::int64_t{1} << 40, 0}, std::vector<float>());
        QVERIFY(!channelsOf(empty, 0, 0, 1));
        const std::vector<float> values(mostChannels + 1);
        const Tensor vector = Tensor::of<float>(ElementType::Float32, {mostChannels + 1}, values);
        QVERIFY(!channelsOf(vector, 0, 0, 1));
    }

    void channelsHaveStatistics()
    {
        std::vector<float> values(200, 1.0F);
        values[0] = 3;
        values[150] = -100;
        values[151] = 0;
        const auto tensor = Tensor::of<float>(ElementType::Float32, {2, 100}, values);
        const auto whole = statisticsOf(tensor, 4);
        QVERIFY(whole);
        const auto channels = channelsOf(tensor, 0, whole->mean, whole->deviation);
        QVERIFY(channels);
        QCOMPARE(channels->channels.size(), std::size_t{2});
        QCOMPARE(channels->channels[0].maximum, 3.0);
        QCOMPARE(channels->channels[0].outliers, std::int64_t{0});
        QCOMPARE(channels->channels[1].minimum, -100.0);
        QCOMPARE(channels->channels[1].zero, std::int64_t{1});
        QCOMPARE(channels->outliers, std::int64_t{1});
        QCOMPARE(channels->farthest.front().index, (std::vector<std::int64_t>{1, 50}));
        ChannelsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setChannels(channels->channels);
        QCOMPARE(model.index(1, ChannelsModel::MinimumColumn).data().toString(), QStringLiteral("-100"));
        auto other = values;
        other[7] = 5;
        const auto difference = differenceOf(tensor, Tensor::of<float>(ElementType::Float32, {2, 100}, other));
        QVERIFY(difference);
        QCOMPARE(difference->toDoubles()[7], 4.0);
        QCOMPARE(difference->toDoubles()[8], 0.0);
        QVERIFY(!differenceOf(tensor, Tensor::of<float>(ElementType::Float32, {200}, other)));
    }

    void writesTensorsAsNumpyFiles()
    {
        const test::TemporaryFiles files;
        const auto path = files.path("w.npy");
        std::vector<float> values(6);
        std::iota(values.begin(), values.end(), 0.5F);
        const auto tensor = Tensor::of<float>(ElementType::Float32, {3, 2}, values);
        QCOMPARE(writeNpy(tensor, QString::fromStdString(path.string())), QString());
        const Tensor back = mxnet::readNpy(SourceFile::open(path), "w");
        QCOMPARE(back.dims(), tensor.dims());
        QCOMPARE(back.toDoubles(), tensor.toDoubles());
        QVERIFY(!writeNpy(tensor, QString::fromStdString(files.path("no/folder/w.npy").string())).isEmpty());
        QCOMPARE(writeNpy(Tensor::strings({1}, {"a"}), QString::fromStdString(path.string())),
                 QStringLiteral("NumPy does not support the type string"));
    }

    void valuesOfAChangedFileAreNotSaved()
    {
        const test::TemporaryFiles files;
        const auto source = files.write("source.bin", std::string(8192, 'x'));
        const auto mapped = MappedFile::open(source);
        const auto tensor = Tensor::filled(ElementType::Float32, {3}, 1);
        const auto path = files.path("w.npy");
        const auto write = [&](const std::filesystem::path& to) {
            return writeNpy(tensor, QString::fromStdString(to.string()), {source});
        };
        QVERIFY(write(source).contains(QStringLiteral("a file of the model itself")));
        QCOMPARE(write(path), QString());
        QVERIFY(std::filesystem::remove(path));
        std::filesystem::resize_file(source, 16);
        QVERIFY(write(path).contains(QStringLiteral("was changed while it was read")));
        QVERIFY(!std::filesystem::exists(path));
    }

    void typesStayReadableInNarrowPanels()
    {
        DetailsView view;
        const auto pictureOf = [&](const QString& value, int width) {
            view.resize(width, 120);
            view.setSections({{"Weights", {{"weight", value}}}});
            QCoreApplication::processEvents();
            return view.grab().toImage();
        };
        const QString type = "float32 64x3x7x7";
        for (const int width : {190, 500}) {
            const bool isWide = width == 500;
            QCOMPARE(pictureOf(type + beforeExtra + "38 KB", width) == pictureOf(type, width), !isWide);
        }
    }

    void recentFilesAreTheLatestFirst()
    {
        const test::TemporaryFiles files;
        QSettings store(QString::fromStdString(files.path("store.ini").string()), QSettings::IniFormat);
        const auto make = [&](const char* name) { return QString::fromStdString(files.write(name, "x").string()); };
        const QString a = make("a.onnx");
        const QString b = make("b.onnx");
        {
            RecentFiles recent(&store, nullptr);
            QSignalSpy changed(&recent, &RecentFiles::changed);
            recent.add(a);
            recent.add(b);
            recent.add(a);
            QCOMPARE(changed.count(), 3);
            QCOMPARE(recent.paths(), (QStringList{a, b}));
        }
        RecentFiles again(&store, nullptr);
        QCOMPARE(again.paths(), (QStringList{a, b}));
        QVERIFY(QFile::remove(a)); // what is gone is not offered
        QCOMPARE(again.paths(), QStringList{b});
        again.clear();
        QVERIFY(RecentFiles(&store, nullptr).paths().isEmpty());
    }
};

QTEST_MAIN(TestTables)
#include "tst_tables.moc"
