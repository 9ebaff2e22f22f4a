// Nothing may hold the GUI thread longer than a few frames, whatever the model's size.

#include "tests/support/gui_probe.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/shared_cases.h"
#include "tests/ui/driven_window.h"

#include <QDockWidget>
#include <QSignalSpy>
#include <QToolButton>

#include <numeric>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr double limit = 0.050 * probeSlowdown; ///< seconds of the GUI thread's CPU for one event

/// `stages` of a convolution-free network: every stage forks, joins, and names its scope.
std::string wideSymbol(int stages)
{
    std::string nodes = variable("data");
    int last = 0;
    const auto add = [&](std::string_view op, const std::string& name, const std::string& inputs,
                         std::string_view attributes) { nodes += ", " + node(op, name, inputs, attributes); };
    for (int i = 0; i < stages; ++i) {
        const std::string scope = fmt::format("stage{}_unit{}_", i / 50, i);
        add("Activation", scope + "relu", fmt::format("[[{}, 0, 0]]", last), R"({"act_type": "relu"})");
        add("Activation", scope + "tanh", fmt::format("[[{}, 0, 0]]", last), R"({"act_type": "tanh"})");
        add("elemwise_add", scope + "plus", fmt::format("[[{}, 0, 0], [{}, 0, 0]]", last + 1, last + 2), "{}");
        last += 3;
    }
    return fmt::format(R"j({{"nodes": [{}], "heads": [[{}, 0, 0]], "attrs": {{"mxnet_version": ["int", 10901]}}}})j",
                       nodes, last);
}

/// A chain of operators of no framework: each is a problem.
std::string unknownSymbol(int nodes)
{
    std::vector<std::string> all{variable("data")};
    for (int i = 0; i < nodes; ++i) {
        all.push_back(node("NoSuchOperator", fmt::format("odd{}", i), fmt::format("[[{}, 0, 0]]", i)));
    }
    return symbolFile(all);
}

class Redraws : public QObject {
public:
    Redraws() { QCoreApplication::instance()->installEventFilter(this); }
    int count = 0;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == QEvent::LayoutRequest || event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
};

/// Whether the window ends laying itself out and painting.
bool comesToRest()
{
    Redraws redraws;
    constexpr int quiet = 100; // milliseconds, shorter than between two blinks of a cursor
    return QTest::qWaitFor(
        [&redraws] {
            redraws.count = 0;
            QTest::qWait(quiet);
            return redraws.count == 0;
        },
        DrivenWindow::patience / 4);
}

} // namespace

#define VERIFY_PACE(what)                                                                                              \
    QVERIFY2(probe().longest() < limit, qPrintable(QStringLiteral("%1: %2 ms in %3")                                   \
                                                       .arg(QLatin1String(what))                                       \
                                                       .arg(probe().longest() * 1000)                                  \
                                                       .arg(QLatin1String(probe().culprit()))));                       \
    qInfo("%s: at most %.1f ms (%s)", what, probe().longest() * 1000, probe().culprit().constData());                  \
    probe().reset();

class TestWindowPace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void theGuiThreadIsNeverBlocked_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("shape");
        QTest::newRow("example") << exampleModel("digits_crnn") << QStringLiteral("data")
                                 << QStringLiteral("4, 1, 8, 8");
        QTest::newRow("6000 nodes") << QString() << QStringLiteral("data") << QStringLiteral("8, 16");
        if (hasSharedCases()) {
            QTest::newRow("zoo") << QString::fromStdString(
                                        (sharedFolder() / "cases/zoo/mobilenetv2_0.25/model-symbol.json").string())
                                 << QStringLiteral("data") << QStringLiteral("2, 3, 224, 224");
        }
    }
    void theGuiThreadIsNeverBlocked()
    {
        QFETCH(QString, model);
        QFETCH(QString, input);
        QFETCH(QString, shape);
        TemporaryFiles files;
        if (model.isEmpty()) {
            model = QString::fromStdString(files.write("large-symbol.json", wideSymbol(2000)).string());
        }
        DrivenWindow driven;
        probe().reset();

        QVERIFY(driven.open(model));
        VERIFY_PACE("open");

        const auto boxes =
            static_cast<std::uint32_t>(driven.window.canvas(Side::Source)->drawnScene()->scene.nodes.size());
        for (const std::uint32_t box : {0U, boxes / 2, boxes - 1, boxes / 3}) {
            driven.clickNode(Side::Source, box);
            QCoreApplication::processEvents();
        }
        for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Up, Qt::Key_F, Qt::Key_1}) {
            QTest::keyClick(driven.window.canvas(Side::Source), key);
            QCoreApplication::processEvents();
        }
        VERIFY_PACE("select and walk");

        auto* search = driven.find<QLineEdit>("outlineSearch");
        QTest::keyClicks(search, QStringLiteral("unit1"));
        QCoreApplication::processEvents();
        QTest::keyClick(search, Qt::Key_Escape);
        QCoreApplication::processEvents();
        VERIFY_PACE("search");

        auto* editor = driven.editShape(input);
        QTest::keyClicks(editor, shape);
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(driven.settle());
        VERIFY_PACE("edit a shape");

        QSignalSpy exported(&driven.document().exporter(), &Exporter::exported);
        driven.document().exporter().exportTo(files.path("out.onnx"));
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, DrivenWindow::patience);
        QVERIFY(driven.settle());
        VERIFY_PACE("export");

        driven.document().close();
        QVERIFY(driven.settle());
        VERIFY_PACE("close");
    }

    void manyProblemsDoNotBlock()
    {
        constexpr int count = 5000;
        const TemporaryFiles files;
        const auto model = files.write("unknown-symbol.json", unknownSymbol(count));
        DrivenWindow driven;
        probe().reset();
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        QVERIFY(driven.document().problems().size() >= count);
        VERIFY_PACE("open with problems");

        std::vector<std::uint32_t> boxes(driven.document().side(Side::Source)->scene->nodes.size());
        std::iota(boxes.begin(), boxes.end(), 0);
        QMetaObject::invokeMethod(
            &driven.document(), [&] { driven.document().selection().select(Side::Source, boxes); },
            Qt::QueuedConnection); // within an event, which is measured
        QVERIFY(QTest::qWaitFor([&] { return driven.document().selection().boxes().size() == boxes.size(); }));
        VERIFY_PACE("select all problems");
    }

    void theIdleWindowRests_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(900, 600);
        QTest::newRow("usual") << QSize(1440, 900);
        QTest::newRow("large") << QSize(2560, 1440);
    }
    void theIdleWindowRests()
    {
        QFETCH(QSize, size);
        DrivenWindow driven(nullptr, size);
        QVERIFY(comesToRest());
        for (const char* model : {"digits_crnn", "keyword_lstmp"}) {
            QVERIFY(driven.open(exampleModel(model)));
            QVERIFY(comesToRest());
        }
        auto* bottom = driven.window.findChild<BottomArea*>();
        for (const bool collapsed : {false, true, false}) {
            bottom->setCollapsed(collapsed);
            QVERIFY(comesToRest());
        }
        for (const char* dock : {"problemsDock", "layersDock"}) {
            driven.showDock(dock);
            QVERIFY(comesToRest());
        }
    }
};

int main(int argc, char** argv)
{
    ProbedApplication application(argc, argv);
    TestWindowPace test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_window_pace.moc"
