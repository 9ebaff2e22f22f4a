// The room that the graphs get: one pane or both, panels that collapse, and the graph alone.

#include "core/base/diagnostic.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/onnx_models.h"
#include "tests/ui/driven_window.h"

#include <QAction>
#include <QTabBar>
#include <QToolButton>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// y = Relu(x), in a file.
QString onnxFile(const TemporaryFiles& files)
{
    OnnxModel model = emptyModel();
    addInput(model, "x", {ElementType::Float32, Shape{Dim("N"), Dim(3)}});
    addNode(model, "Relu", {"x"}, {"y"});
    addOutput(model, "y", {ElementType::Float32, Shape{Dim("N"), Dim(3)}});
    return QString::fromStdString(files.write("relu.onnx", model.proto->SerializeAsString()).string());
}

class Driven : public DrivenWindow {
public:
    using DrivenWindow::DrivenWindow;

    bool hasPane(const char* name) { return find<QWidget>(name)->isVisible(); }
    bool hasBothPanes() { return hasPane("sourcePane") && hasPane("onnxPane"); }
    void clickButton(const char* name)
    {
        QTest::mouseClick(find<QToolButton>(name), Qt::LeftButton);
        QVERIFY(settle());
    }
    /// The height of the panel in front below the graphs.
    int panelHeight(const char* content) { return find<QWidget>(content)->height(); }
    bool isCollapsed() { return window.findChild<BottomArea*>()->isCollapsed(); }
    int graphHeight() { return window.canvas(Side::Source)->height(); }
    QTabBar* bottomTabs()
    {
        for (auto* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (bar->isVisible() && bar->count() == 5) {
                return bar;
            }
        }
        qFatal("there are no tabs");
    }
    void clickTab(int tab)
    {
        auto* bar = bottomTabs();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
        QVERIFY(settle());
    }
};

} // namespace

class TestWindowPanes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void panesAreSwitchedByMouse()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(driven.hasBothPanes());
        const int width = driven.window.canvas(Side::Source)->width();
        driven.clickButton("viewSourcePaneButton");
        QVERIFY(driven.hasPane("sourcePane") && !driven.hasPane("onnxPane"));
        QVERIFY(driven.window.canvas(Side::Source)->width() > 3 * width / 2);
        driven.keepPicture(QStringLiteral("panes-source"));
        driven.clickButton("viewOnnxPaneButton");
        QVERIFY(!driven.hasPane("sourcePane") && driven.hasPane("onnxPane"));
        QVERIFY(driven.window.canvas(Side::Target)->scale() >= detail::readable);
        driven.clickButton("viewBothPanesButton");
        QVERIFY(driven.hasBothPanes());
        QCOMPARE(driven.window.canvas(Side::Source)->width(), width);
    }

    void panesAreSwitchedByKeys()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(driven.window.canvas(Side::Source)->hasFocus());
        QTest::keyClick(&driven.window, Qt::Key_3, Qt::ControlModifier);
        QVERIFY(!driven.hasPane("sourcePane") && driven.hasPane("onnxPane"));
        QVERIFY(driven.window.canvas(Side::Target)->hasFocus()); // the other one is gone
        QVERIFY(driven.find<QAction>("viewOnnxPane")->isChecked());
        QTest::keyClick(&driven.window, Qt::Key_1, Qt::ControlModifier);
        QVERIFY(driven.hasPane("sourcePane") && !driven.hasPane("onnxPane"));
        QVERIFY(driven.window.canvas(Side::Source)->hasFocus());
        QTest::keyClick(&driven.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(driven.hasBothPanes());
        // The choice is the user's until another model is open.
        QTest::keyClick(&driven.window, Qt::Key_1, Qt::ControlModifier);
        driven.undo();
        QVERIFY(!driven.hasBothPanes());
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QVERIFY(driven.hasBothPanes());
    }

    void anOnnxSourceHasOnePaneUntilAnEditChangesIt()
    {
        const TemporaryFiles files;
        Driven driven;
        QVERIFY(driven.open(onnxFile(files)));
        QVERIFY(driven.hasPane("sourcePane") && !driven.hasPane("onnxPane"));
        driven.keepPicture(QStringLiteral("panes-onnx"));
        driven.giveShape(QStringLiteral("x"), QStringLiteral("5, 3"));
        QVERIFY(driven.hasBothPanes());
        driven.undo();
        QVERIFY(driven.hasPane("sourcePane") && !driven.hasPane("onnxPane"));
        QTest::keyClick(&driven.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(driven.hasBothPanes());
    }

    void panelsWithNothingToShowAreCollapsed()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel("digits_crnn"))); // has no problems
        QVERIFY(driven.isCollapsed());
        QCOMPARE(driven.panelHeight("problemsPanel"), 0);
        const int high = driven.graphHeight();
        driven.keepPicture(QStringLiteral("panes-collapsed"));
        // By mouse: a tab, the button.
        driven.clickTab(1);
        QVERIFY(!driven.isCollapsed());
        QVERIFY(driven.panelHeight("inputsPanel") > 80);
        QVERIFY(driven.graphHeight() < high);
        driven.keepPicture(QStringLiteral("panes-expanded"));
        QTest::mouseClick(driven.find<QToolButton>("bottomToggle"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.isCollapsed());
        QCOMPARE(driven.graphHeight(), high);
        // By keys: one for the area, one for each panel.
        QTest::keyClick(&driven.window, Qt::Key_J, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.panelHeight("inputsPanel") > 80);
        QTest::keyClick(&driven.window, Qt::Key_J, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.isCollapsed());
        QTest::keyClick(&driven.window, Qt::Key_4, Qt::AltModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.panelHeight("inputsPanel") > 80);
        // Opened by the user, it stays open with the next model.
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QVERIFY(!driven.isCollapsed());
    }

    void panelsExpandForProblems()
    {
        const TemporaryFiles files;
        Driven driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(driven.isCollapsed());
        QVERIFY(driven.open(QString::fromStdString(
            files
                .write("net-symbol.json",
                       symbolFile({variable("x"), node("NoSuchOperator", "odd", "[[0, 0, 0]]", "{}")}))
                .string())));
        QVERIFY(!driven.document().problems().empty());
        QVERIFY(!driven.isCollapsed());
        QVERIFY(driven.panelHeight("problemsPanel") > 80);
    }

    void thereIsNoSecondTitleRow()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.showDock("problemsDock");
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("bottomNote"), QStringLiteral("2 notes"));
        auto* dock = driven.find<QDockWidget>("problemsDock");
        QCOMPARE(dock->widget()->height(), dock->height());
        // The buttons of the tab bar act on the panel in front.
        QTest::mouseClick(driven.find<QToolButton>("bottomFloat"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(dock->isFloating());
        QVERIFY(dock->widget()->height() < dock->height()); // with a title again
        dock->setFloating(false);
        QVERIFY(driven.settle());
        driven.showDock("inputsDock");
        QTest::mouseClick(driven.find<QToolButton>("bottomClose"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(!driven.find<QDockWidget>("inputsDock")->isVisible());
    }

    void bannersDoNotMoveTheGraphs()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* canvas = driven.window.canvas(Side::Source);
        const auto place = canvas->transform();
        const QRect area(canvas->mapTo(&driven.window, QPoint()), canvas->size());
        driven.window.openModel(QStringLiteral("/nowhere/model.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.isShown("banner"));
        QVERIFY(driven.find<QWidget>("banner")->height() > 20);
        QCOMPARE(QRect(canvas->mapTo(&driven.window, QPoint()), canvas->size()), area);
        QVERIFY(canvas->transform() == place);
        driven.keepPicture(QStringLiteral("panes-banner"));
        QTest::mouseClick(driven.find<QToolButton>("bannerClose"), Qt::LeftButton);
        QVERIFY(!driven.isShown("banner"));
    }

    void bannersCoverNeitherTheLegendNorTheOverview()
    {
        DrivenWindow driven(nullptr, {900, 600});
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.find<QDockWidget>("nodeDock")->hide();
        driven.find<QAction>("viewBottom")->trigger(); // the panels are open because of the problems
        driven.find<QAction>("viewSourcePane")->trigger();
        driven.find<QAction>("colourVerdict")->trigger();
        QVERIFY(driven.settle());
        const auto areaOf = [&](const char* name) {
            const auto* widget = driven.find<QWidget>(name);
            return QRect(widget->mapTo(&driven.window, QPoint()), widget->size());
        };
        const QRect legend = areaOf("colourLegend");
        driven.window.openModel(QStringLiteral("/nowhere/model.onnx"));
        QVERIFY(driven.settle());
        const QRect banner = areaOf("banner");
        QVERIFY(banner.intersects(legend));
        QVERIFY(driven.isShown("colourLegend") && !banner.intersects(areaOf("colourLegend")));
        QVERIFY(driven.isShown("minimap") && !banner.intersects(areaOf("minimap")));
        driven.keepPicture(QStringLiteral("panes-banner-legend"));
        QTest::mouseClick(driven.find<QToolButton>("bannerClose"), Qt::LeftButton);
        QCOMPARE(areaOf("colourLegend"), legend);
    }

    void bannersCoverNoSelectedNode()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* canvas = driven.window.canvas(Side::Source);
        const auto areaOf = [&](std::uint32_t drawn) {
            const QRectF box = canvas->transform().toView(canvas->drawnScene()->index.box(drawn));
            return box.toRect().translated(canvas->mapTo(&driven.window, QPoint()));
        };
        const auto banner = [&] {
            const auto* widget = driven.find<QWidget>("banner");
            return QRect(widget->mapTo(&driven.window, QPoint()), widget->size());
        };
        const auto moveToBottom = [&] {
            const auto at = canvas->transform();
            const QRectF box = canvas->drawnScene()->index.box(canvas->selection().front());
            canvas->setTransform({{at.origin.x(), box.bottom() - canvas->height() / at.scale + 4}, at.scale});
        };
        driven.clickNode(Side::Source, std::uint32_t{5});
        moveToBottom();
        driven.window.openModel(QStringLiteral("/nowhere/model.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.isShown("banner"));
        QVERIFY(!banner().intersects(areaOf(canvas->selection().front())));
        QTest::mouseClick(driven.find<QToolButton>("bannerClose"), Qt::LeftButton);
        // Nor is a node scrolled behind it.
        driven.document().selection().select(Side::Source, {});
        driven.window.openModel(QStringLiteral("/nowhere/model.onnx"));
        QVERIFY(driven.settle());
        driven.document().selection().select(Side::Source, {5});
        moveToBottom();
        QVERIFY(banner().intersects(areaOf(canvas->selection().front())));
        canvas->reveal(canvas->selection());
        QVERIFY(!banner().intersects(areaOf(canvas->selection().front())));
    }

    void theTargetOfADropIsFramed()
    {
        Driven driven;
        const auto enter = [&](const QList<QUrl>& urls) {
            QMimeData mime;
            mime.setUrls(urls);
            QDragEnterEvent event({200, 200}, Qt::CopyAction, &mime, Qt::LeftButton, {});
            QCoreApplication::sendEvent(&driven.window, &event);
        };
        enter({QUrl(QStringLiteral("https://example.org/model.onnx"))}); // not a file
        QVERIFY(!driven.isShown("dropFrame"));
        enter({QUrl::fromLocalFile(exampleModel("digits_crnn"))});
        QVERIFY(driven.isShown("dropFrame"));
        driven.keepPicture(QStringLiteral("panes-drop"));
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(&driven.window, &leave);
        QVERIFY(!driven.isShown("dropFrame"));
        driven.drop({exampleModel("digits_crnn")});
        QVERIFY(!driven.isShown("dropFrame"));
        QVERIFY(driven.settle());
        QVERIFY(driven.document().isOpen());
    }

    void theGraphIsMaximizedAndRestoredByOneKey()
    {
        Driven driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        const QSize before = driven.window.canvas(Side::Source)->size();
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_M);
        QVERIFY(driven.settle());
        for (const auto* dock : driven.window.findChildren<QDockWidget*>()) {
            QVERIFY(!dock->isVisible());
        }
        QVERIFY(driven.window.canvas(Side::Source)->width() > before.width() + 200);
        driven.keepPicture(QStringLiteral("panes-maximized"));
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_M);
        QVERIFY(driven.settle());
        QVERIFY(driven.find<QDockWidget>("outlineDock")->isVisible());
        QCOMPARE(driven.window.canvas(Side::Source)->size(), before);
        // By mouse, from the menu.
        driven.find<QAction>("viewMaximize")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!driven.find<QDockWidget>("nodeDock")->isVisible());
        driven.find<QAction>("viewMaximize")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.find<QDockWidget>("nodeDock")->isVisible());
    }
};

QTEST_MAIN(TestWindowPanes)
#include "tst_window_panes.moc"
