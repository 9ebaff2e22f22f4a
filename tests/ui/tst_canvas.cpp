#include "tests/support/drawn_families.h"
#include "tests/support/gui_probe.h"
#include "tests/support/synthetic_scene.h"
#include "ui/canvas/canvas_view.h"
#include "ui/canvas/edge_shapes.h"
#include "ui/canvas/frame_painter.h"
#include "ui/canvas/minimap.h"
#include "ui/theme/fonts.h"

#include <QContextMenuEvent>
#include <QSignalSpy>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

/// A shown canvas over a synthetic scene, at once where it is told to go.
struct Shown {
    explicit Shown(std::uint32_t boxes, std::uint32_t width = 4)
        : drawn(std::make_shared<const DrawnScene>(test::syntheticScene(boxes, width)))
    {
        view.setAnimated(false);
        view.resize(800, 600);
        view.setScene(drawn);
        view.show();
        view.setFocus();
        QCoreApplication::processEvents();
    }

    QImage picture()
    {
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image, {}, {}, QWidget::DrawWindowBackground);
        return image;
    }
    QPoint placeOf(std::uint32_t box) const
    {
        return view.transform().toView(drawn->index.box(box).center()).toPoint();
    }
    void showAt(std::uint32_t box, double scale)
    {
        view.setTransform({drawn->index.box(box).center() - QPointF(400, 300) / scale, scale});
    }

    std::shared_ptr<const DrawnScene> drawn;
    CanvasView view;
};

/// A chain of boxes to be moved, so without routes. The first is an input.
Scene sceneFromInput(std::uint32_t boxes)
{
    Scene scene = test::syntheticScene(boxes, 1);
    scene.nodes[0].value = ValueId{0};
    scene.nodes[0].kind = SceneNode::Kind::Input;
    for (auto& route : scene.layout.routes) {
        route.clear();
    }
    return scene;
}

int pixelsOf(const QImage& image, const QColor& color, const QRect& area)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            count += image.rect().contains(x, y) && image.pixelColor(x, y) == color ? 1 : 0;
        }
    }
    return count;
}

std::shared_ptr<const SceneMarks> marksWith(std::size_t boxes, std::uint32_t box, Verdict verdict)
{
    auto marks = std::make_shared<SceneMarks>();
    marks->verdicts.assign(boxes, Verdict::Exact);
    marks->verdicts[box] = verdict;
    marks->alarms = {box};
    return marks;
}

} // namespace

class TestCanvas : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        loadFonts();
        applyTheme(ThemeChoice::Light);
    }

    /// Boxes are measured without Qt: what the font does by itself is counted.
    void textsAreAsWideAsTheyWereMeasured_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"64x64x3x3", "96x3x3x3", "Nx3xHxW", "kernel_shape", "(3, 3)", "x", "exact 2x",
                                 "stage1_unit2_conv0_fwd", "/model/layers.3/self_attn/q_proj/MatMul"}) {
            QTest::newRow(text) << QString::fromUtf8(text);
        }
    }
    void textsAreAsWideAsTheyWereMeasured()
    {
        QFETCH(QString, text);
        const double painted = QFontMetricsF(canvasFont(box::rowSize, false)).horizontalAdvance(text);
        const double measured = textWidth(text.toStdString(), box::rowSize);
        QVERIFY2(std::abs(painted - measured) <= 1, qPrintable(QStringLiteral("%1 %2").arg(painted).arg(measured)));
    }

    void theDetailFollowsTheScale()
    {
        Shown shown(400);
        const auto& header = theme().category(shown.drawn->scene.nodes[200].category);
        const auto near = [&](double scale) {
            shown.showAt(200, scale);
            const QRect area =
                shown.view.transform().toView(shown.drawn->index.box(200)).toRect().adjusted(3, 3, -3, -3);
            return std::pair(shown.picture(), area);
        };
        const auto [close, closeArea] = near(1.0);
        QVERIFY(pixelsOf(close, theme().nodeBody, closeArea) > 1000);
        QVERIFY(pixelsOf(close, header.header, closeArea) > 500);
        QVERIFY(pixelsOf(close, theme().nodeText, closeArea) > 20);
        const auto [boxes, boxesArea] = near(0.2);
        QCOMPARE(pixelsOf(boxes, header.block, boxesArea), boxesArea.width() * boxesArea.height());
        QCOMPARE(pixelsOf(boxes, theme().nodeBody, boxesArea), 0);
        const auto [far, farArea] = near(0.05);
        QVERIFY(pixelsOf(far, theme().canvas, far.rect()) < far.width() * far.height());
    }

    void edgesShowShapesCloseUp()
    {
        Shown shown(60);
        shown.view.setEdgeShape(
            [](std::uint32_t edge) { return QStringLiteral("1\u00d7%1\u00d756\u00d756").arg(edge); });
        shown.showAt(20, 1.0);
        TextCache texts;
        ScenePicture picture;
        picture.drawn = shown.drawn.get();
        picture.theme = &theme();
        picture.transform = shown.view.transform();
        picture.view = QRectF(shown.view.rect());
        picture.edgeShape = [](std::uint32_t) { return QStringLiteral("1\u00d764\u00d756\u00d756"); };
        EdgeShapes shapes(picture, texts);
        QList<QRectF> places;
        std::vector<std::uint32_t> boxes;
        for (std::uint32_t e = 0; e < shown.drawn->scene.edges.size(); ++e) {
            const auto place = shapes.placeOf(e);
            if (!place) {
                continue;
            }
            shown.drawn->index.nodesIn(*place, boxes);
            QVERIFY2(boxes.empty(), "a label covers a box");
            QVERIFY2(std::ranges::none_of(places, [&](const QRectF& other) { return other.intersects(*place); }),
                     "a label covers another one");
            places.append(*place);
        }
        QVERIFY2(places.size() > 20, std::to_string(places.size()).c_str());
        QVERIFY(contrast(theme().mutedText, theme().canvas) >= 4.5);
        QVERIFY(contrast(darkTheme().mutedText, darkTheme().canvas) >= 4.5);

        // What is painted: from 75 %, unless it is switched off.
        const QImage with = shown.picture();
        shown.view.setShapesShown(false);
        const QImage without = shown.picture();
        QVERIFY(with != without);
        shown.showAt(20, 0.7);
        const QImage farWithout = shown.picture();
        shown.view.setShapesShown(true);
        QCOMPARE(shown.picture(), farWithout);
        // Scrolled, it looks as if it were painted anew.
        shown.showAt(20, 1.0);
        shown.picture();
        for (const QPointF step : {QPointF(37, 0), QPointF(0, 53), QPointF(-211, -97)}) {
            auto moved = shown.view.transform();
            moved.origin += step;
            shown.view.setTransform(moved);
            const QImage scrolled = shown.picture();
            shown.view.setShapesShown(true); // forgets what was painted
            QCOMPARE(shown.picture(), scrolled);
        }
    }

    void viewsNeverRestAtHalfFadedText()
    {
        Shown shown(50);
        const auto isSettled = [&] {
            const double scale = shown.view.transform().scale;
            return detail::settled(scale, true) == scale && detail::settled(scale, false) == scale;
        };
        shown.view.zoomToActualSize();
        for (int i = 0; i < 12; ++i) {
            shown.view.zoomOut();
            QVERIFY(isSettled());
        }
        for (int i = 0; i < 14; ++i) {
            shown.view.zoomIn();
            QVERIFY(isSettled());
        }
        QVERIFY(shown.view.transform().scale > 1);
        for (int height = 300; height < 900; height += 7) {
            shown.view.resize(600, height);
            shown.view.fit();
            QVERIFY(isSettled());
        }
    }

    void longNamesAreElided()
    {
        Shown shown(3);
        const auto inkOf = [&](double scale) {
            shown.showAt(1, scale);
            const QRect area = shown.view.transform().toView(shown.drawn->index.box(1)).toRect();
            const QImage picture = shown.picture();
            int ink = 0;
            for (int y = area.top(); y <= area.bottom(); ++y) {
                for (int x = area.left(); x <= area.right(); ++x) {
                    ink += picture.pixelColor(x, y).lightness() < 110 ? 1 : 0;
                }
            }
            return ink;
        };
        QVERIFY(inkOf(0.23) > 8); // of letters that can be read, as dark as those of titles that fit
        QCOMPARE(inkOf(0.13), 0);
    }

    void titlesContrastWithBlocks()
    {
        Shown shown(3);
        for (const double scale : {0.23, 0.36, 0.42}) {
            for (const std::uint32_t box : {0U, 1U, 2U}) {
                shown.showAt(box, scale);
                const QRect area = shown.view.transform().toView(shown.drawn->index.box(box)).toRect();
                const QImage picture = shown.picture();
                const QColor ground = picture.pixelColor(area.left() + area.width() / 8, area.center().y());
                double most = 1;
                for (int y = area.top() + 3; y <= area.bottom() - 3; ++y) {
                    for (int x = area.left() + 3; x <= area.right() - 3; ++x) {
                        most = std::max(most, contrast(picture.pixelColor(x, y), ground));
                    }
                }
                // Antialiasing dilutes thin strokes.
                QVERIFY2(most >= 3.5, qPrintable(QStringLiteral("%1 at %2").arg(most).arg(scale)));
            }
        }
    }

    void titlesOfFramesAreClickedWhereTheyArePainted()
    {
        const Scene scene = buildScene(test::FamilyGraph::make("nas", 1'000));
        auto groups = std::make_shared<const SceneGroups>(foldableGroups(scene, findGroups(scene)));
        Shown shown(1);
        shown.drawn = std::make_shared<const DrawnScene>(
            foldScene(scene, *groups, OpenGroups(groups->groups.size(), true)), groups);
        shown.view.setScene(shown.drawn);
        QSignalSpy toggled(&shown.view, &CanvasView::groupToggled);
        TextCache texts;
        for (const double scale : {1.0, 0.3, 0.1}) {
            shown.view.setTransform({QPointF(shown.drawn->frames().front().at.x, shown.drawn->frames().front().at.y) -
                                         QPointF(100, 100) / scale,
                                     scale});
            ScenePicture picture;
            picture.drawn = shown.drawn.get();
            picture.transform = shown.view.transform();
            picture.view = QRectF(shown.view.rect());
            const QList<QRectF> titles = groupTitlePlaces(picture, texts);
            QVERIFY2(!titles.isEmpty(), qPrintable(QString::number(scale)));
            const QRectF title = titles.back();
            for (const QPointF place : {title.topLeft() + QPointF(2, 2), title.bottomRight() - QPointF(2, 2)}) {
                QTest::mouseClick(&shown.view, Qt::LeftButton, {}, place.toPoint());
                QCOMPARE(toggled.count(), 1);
                toggled.clear();
            }
            QTest::mouseClick(&shown.view, Qt::LeftButton, {}, (title.bottomLeft() + QPointF(2, 3)).toPoint());
            QCOMPARE(toggled.count(), 0);
        }
    }

    void openGroupsHaveTheirGroundAtEveryScale()
    {
        const Scene scene = buildScene(test::FamilyGraph::make("nas", 1'000));
        auto groups = std::make_shared<const SceneGroups>(foldableGroups(scene, findGroups(scene)));
        const OpenGroups allOpen(groups->groups.size(), true);
        Shown shown(1);
        shown.drawn = std::make_shared<const DrawnScene>(foldScene(scene, *groups, allOpen), groups);
        shown.view.setScene(shown.drawn);
        const GroupFrame& frame = shown.drawn->frames().front();
        const QRectF place(frame.at.x, frame.at.y, frame.width, frame.height);
        for (const double scale : {1.0, 0.5, 0.13, 0.11}) {
            shown.view.setTransform({place.topLeft() - QPointF(20, 20) / scale, scale});
            const QRectF seen = shown.view.transform().toView(place).adjusted(4, 4, -4, -4);
            QCOMPARE(pixelsOf(shown.picture(), theme().canvas, seen.toRect().intersected({0, 0, 600, 400})), 0);
        }
    }

    void unsupportedNodesAreVisibleAtEveryScale()
    {
        Shown shown(4000);
        shown.view.setMarks(marksWith(4000, 2001, Verdict::Unsupported));
        for (const double scale : {1.5, 1.0, 0.5, 0.3, 0.13, 0.1, 0.02, 0.005}) {
            shown.showAt(2001, scale);
            const QRect area =
                shown.view.transform().toView(shown.drawn->index.box(2001)).toAlignedRect().adjusted(-8, -8, 8, 8);
            QVERIFY2(pixelsOf(shown.picture(), theme().unsupported, area) >= 12, qPrintable(QString::number(scale)));
        }
    }

    void aClickPicksAndAClickOnEmptyDeselects()
    {
        Shown shown(40);
        QSignalSpy picked(&shown.view, &CanvasView::picked);
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.placeOf(9));
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{9});
        QTest::mouseClick(&shown.view, Qt::LeftButton, Qt::ControlModifier, shown.placeOf(11));
        QCOMPARE(shown.view.selection(), (std::vector<std::uint32_t>{9, 11}));
        QTest::mouseClick(&shown.view, Qt::LeftButton, Qt::ControlModifier, shown.placeOf(9));
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{11});
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, QPoint(3, 3));
        QVERIFY(shown.view.selection().empty());
        QCOMPARE(picked.count(), 4);
    }

    void arrowsWalkAlongTheGraph()
    {
        Shown shown(40);
        shown.view.setSelection({9});
        QTest::keyClick(&shown.view, Qt::Key_Up);
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{5});
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{6});
        QTest::keyClick(&shown.view, Qt::Key_Down);
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{10});
        QTest::keyClick(&shown.view, Qt::Key_Left);
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{9});
        QTest::keyClick(&shown.view, Qt::Key_Backspace);
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{10});
        QSignalSpy activated(&shown.view, &CanvasView::activated);
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QTest::keyClick(&shown.view, Qt::Key_Escape);
        QVERIFY(shown.view.selection().empty());
    }

    void aLongHistoryForgetsItsBeginning()
    {
        Shown shown(400);
        for (std::uint32_t box = 0; box < 300; ++box) {
            shown.view.pick({box});
        }
        QTest::keyClick(&shown.view, Qt::Key_Backspace);
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{298});
    }

    void nothingStaysHeldWithoutTheFocus()
    {
        Shown shown(40);
        QTest::keyPress(&shown.view, Qt::Key_Space);
        QWidget other;
        QFocusEvent leaving(QEvent::FocusOut, Qt::ActiveWindowFocusReason);
        QCoreApplication::sendEvent(&shown.view, &leaving);
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.placeOf(9));
        QCOMPARE(shown.view.selection(), std::vector<std::uint32_t>{9});
    }

    void onlyTheLeftButtonActivates()
    {
        Shown shown(40);
        QSignalSpy activated(&shown.view, &CanvasView::activated);
        for (const auto button : {Qt::RightButton, Qt::MiddleButton}) {
            QTest::mouseDClick(&shown.view, button, {}, shown.placeOf(9));
        }
        QCOMPARE(activated.count(), 0);
        QTest::mouseDClick(&shown.view, Qt::LeftButton, {}, shown.placeOf(9));
        QCOMPARE(activated.count(), 1);
    }

    void theMenuOfAHiddenBoxOpensInTheMiddle()
    {
        Shown shown(400);
        shown.view.pick({399});
        shown.showAt(0, 1);
        QSignalSpy requested(&shown.view, &CanvasView::menuRequested);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QCoreApplication::sendEvent(&shown.view, &event);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested.front().front().toPoint(), shown.view.rect().center());
    }

    void zoomingKeepsThePointUnderThePointer()
    {
        Shown shown(400);
        shown.showAt(200, 1.0);
        const QPointF pointer(250, 410);
        const QPointF before = shown.view.transform().toScene(pointer);
        QWheelEvent wheel(pointer, shown.view.mapToGlobal(pointer), {}, {0, 240}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&shown.view, &wheel);
        QVERIFY(shown.view.scale() > 1.2);
        const QPointF after = shown.view.transform().toScene(pointer);
        QVERIFY((after - before).manhattanLength() * shown.view.scale() <= 1); // views stand on whole pixels
    }

    void theWheelScrolls()
    {
        Shown shown(400);
        shown.showAt(200, 1.0);
        const auto before = shown.view.transform().origin;
        const QPointF pointer(250, 410);
        QWheelEvent down(pointer, shown.view.mapToGlobal(pointer), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                         Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&shown.view, &down);
        QVERIFY(shown.view.transform().origin.y() > before.y());
        QCOMPARE(shown.view.transform().origin.x(), before.x());
        QWheelEvent sideways(pointer, shown.view.mapToGlobal(pointer), {}, {0, -120}, Qt::NoButton, Qt::ShiftModifier,
                             Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&shown.view, &sideways);
        QVERIFY(shown.view.transform().origin.x() > before.x());
    }

    void draggingOnEmptyPans()
    {
        Shown shown(400);
        shown.showAt(200, 1.0);
        shown.view.moveTo(shown.drawn->index.box(200).topLeft() - QPointF(20, 20), {400, 300});
        const auto before = shown.view.transform().origin;
        QTest::mousePress(&shown.view, Qt::LeftButton, {}, {400, 300});
        QTest::mouseMove(&shown.view, {450, 340});
        QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, {450, 340});
        QCOMPARE(shown.view.transform().origin, before - QPointF(50, 40));
    }

    void revealScrollsOnlyToHiddenBoxes()
    {
        Shown shown(400);
        shown.showAt(200, 1.0);
        const auto before = shown.view.transform();
        shown.view.reveal({200});
        QVERIFY(shown.view.transform() == before);
        shown.view.reveal({40});
        QVERIFY(shown.view.visibleArea().contains(shown.drawn->index.box(40)));
        QCOMPARE(shown.view.scale(), 1.0);
    }

    void theFirstViewIsReadable()
    {
        Shown few(8, 2);
        QVERIFY(few.view.scale() >= detail::readable);
        QVERIFY(few.view.visibleArea().contains(few.drawn->index.bounds()));
        Shown many(400);
        QCOMPARE(many.view.scale(), detail::readable);
        QVERIFY(many.view.visibleArea().contains(many.drawn->index.box(0)));
        many.view.resize(300, 300);
        QCoreApplication::processEvents();
        QCOMPARE(many.view.scale(), detail::readable);
    }

    void theFirstViewHasTheTrunkInItsMiddle()
    {
        // A chain of boxes far from the left edge of the graph, and a lone box far to its right.
        Scene scene = sceneFromInput(40);
        for (std::uint32_t i = 0; i < 40; ++i) {
            scene.layout.positions[i].x = 2000;
        }
        scene.layout.positions[1].x = 0;
        scene.layout.positions[5].x = 5000;
        scene.layout.width = 5200;
        CanvasView view;
        view.setAnimated(false);
        view.resize(600, 500);
        const auto drawn = std::make_shared<const DrawnScene>(std::move(scene));
        view.setScene(drawn);
        const QRectF seen = view.visibleArea();
        QCOMPARE(view.scale(), detail::readable);
        QVERIFY(seen.contains(drawn->index.box(0)));
        QVERIFY(std::abs(seen.center().x() - drawn->index.box(0).center().x()) < 2);
    }

    void theFirstViewOfABroadGraphStartsAtItsEdge()
    {
        Scene scene = sceneFromInput(12);
        for (std::uint32_t i = 0; i < 12; ++i) {
            scene.layout.positions[i].x = i == 0 ? 0 : 260;
        }
        scene.layout.width = 460;
        CanvasView view;
        view.setAnimated(false);
        view.resize(250, 500);
        const auto drawn = std::make_shared<const DrawnScene>(std::move(scene));
        view.setScene(drawn);
        const QRectF seen = view.visibleArea();
        QCOMPARE(view.scale(), detail::readable);
        QVERIFY(seen.contains(drawn->index.box(0)));
        QVERIFY2(seen.left() > drawn->index.box(0).left() - 40, qPrintable(QString::number(seen.left())));
    }

    void jumpsAreReadable()
    {
        Shown shown(400);
        shown.view.fit();
        QVERIFY(shown.view.scale() < 0.3);
        shown.view.jumpTo({200});
        QCOMPARE(shown.view.scale(), detail::readable);
        const QPointF off = shown.drawn->index.box(200).center() - shown.view.visibleArea().center();
        QVERIFY(off.manhattanLength() < 3);
        shown.showAt(0, 1.5);
        shown.view.jumpTo({300});
        QCOMPARE(shown.view.scale(), 1.5);
        QVERIFY(shown.view.visibleArea().contains(shown.drawn->index.box(300)));
        // Boxes that do not fit together are only revealed.
        shown.view.fit();
        const double whole = shown.view.scale();
        shown.view.jumpTo({0, 399});
        QCOMPARE(shown.view.scale(), whole);
    }

    void keysZoomAroundTheSelection()
    {
        Shown shown(400);
        shown.showAt(200, 1.0);
        const std::uint32_t beside = 205;
        QVERIFY(shown.view.visibleArea().contains(shown.drawn->index.box(beside)));
        shown.view.setSelection({beside});
        const QPoint before = shown.placeOf(beside);
        for (const auto zoom : {&CanvasView::zoomIn, &CanvasView::zoomOut, &CanvasView::zoomToActualSize}) {
            (shown.view.*zoom)();
            QVERIFY((shown.placeOf(beside) - before).manhattanLength() <= 2);
        }
        // A selection out of sight holds nothing.
        shown.view.setSelection({0});
        const QPointF middle = shown.view.visibleArea().center();
        shown.view.zoomIn();
        QVERIFY((shown.view.visibleArea().center() - middle).manhattanLength() < 3);
    }

    void fitShowsEverything()
    {
        Shown shown(400);
        QTest::keyClick(&shown.view, Qt::Key_1);
        QCOMPARE(shown.view.scale(), 1.0);
        QVERIFY(!shown.view.visibleArea().contains(shown.drawn->index.bounds()));
        QTest::keyClick(&shown.view, Qt::Key_F);
        QVERIFY(shown.view.visibleArea().contains(shown.drawn->index.bounds()));
    }

    void theMinimapCoversNoBoxOfASmallCanvas()
    {
        Shown shown(2000);
        const auto* map = shown.view.findChild<Minimap*>();
        const auto putUnderMap = [&](QPointF point) {
            shown.view.setTransform({point - QPointF(map->geometry().center()), 1});
        };
        const QPointF box = shown.drawn->index.box(1000).center();
        const QPointF beside(shown.drawn->index.bounds().right() + 150, box.y());
        for (const QSize size : {QSize(350, 380), QSize(800, 600)}) {
            shown.view.resize(size);
            putUnderMap(beside);
            QVERIFY(map->isVisible());
            putUnderMap(box);
            QCOMPARE(map->isVisible(), size.width() > 700);
        }
    }

    void theMinimapStaysWhileItIsDragged()
    {
        Shown shown(2000);
        shown.view.resize(350, 380);
        auto* map = shown.view.findChild<Minimap*>();
        shown.view.setTransform({shown.drawn->index.bounds().topRight() - QPointF(100, 0), 1});
        QVERIFY(map->isVisible());
        QTest::mousePress(map, Qt::LeftButton, {}, map->rect().center());
        QVERIFY(map->isVisible());
        // Where the middle of the graph is in the middle of the view, there are boxes in its corner too.
        QTest::mouseRelease(map, Qt::LeftButton, {}, map->rect().center());
        QVERIFY(!map->isVisible());
    }

    void theMinimapJumpsToAClick()
    {
        Shown shown(4000);
        shown.showAt(0, 1.0);
        auto* map = shown.view.findChild<Minimap*>();
        QVERIFY(map->isVisible());
        QTest::mouseClick(map, Qt::LeftButton, {}, map->rect().center());
        const QPointF middle = shown.view.visibleArea().center();
        QVERIFY((middle - shown.drawn->index.bounds().center()).manhattanLength() < 2500);
    }

    void anAnimatedMoveArrives()
    {
        Shown shown(400);
        shown.view.setAnimated(true);
        shown.showAt(0, 1.0);
        shown.view.reveal({399});
        QTRY_VERIFY(shown.view.visibleArea().contains(shown.drawn->index.box(399)));
    }

    void framesOfAHundredThousandNodesAreQuick_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addRow("overview") << 0.001;
        QTest::addRow("blocks") << 0.05;
        QTest::addRow("boxes") << 0.13;
        QTest::addRow("boxes with edges") << 0.3;
        QTest::addRow("titles") << 0.4;
        QTest::addRow("everything") << 0.75;
        QTest::addRow("close") << 1.0;
    }
    void framesOfAHundredThousandNodesAreQuick()
    {
        QFETCH(double, scale);
        static const auto drawn = std::make_shared<const DrawnScene>(test::syntheticScene(100000, 40));
        CanvasView view;
        view.setAnimated(false);
        view.resize(1600, 1000);
        view.setScene(drawn);
        view.show();
        QImage image(view.size(), QImage::Format_RGB32);
        std::vector<double> frames;
        for (int i = 0; i < 40; ++i) {
            view.setTransform(
                {drawn->index.bounds().center() + QPointF(i * 7, i * 31) / scale - QPointF(800, 500) / scale, scale});
            const double start = test::threadSeconds();
            view.render(&image, {}, {}, QWidget::DrawWindowBackground);
            frames.push_back((test::threadSeconds() - start) * 1000);
        }
        std::sort(frames.begin() + 1, frames.end());
        const double p95 = frames[1 + (frames.size() - 2) * 95 / 100];
        qInfo("scale %g: first %.1f ms, median %.1f ms, 95 %% %.1f ms CPU", scale, frames[0], frames[frames.size() / 2],
              p95);
        // The budget is 8 ms; a shared machine's CPU clock is allowed to stretch it.
        QVERIFY2(p95 < 16, qPrintable(QString::number(p95)));
    }
};

QTEST_MAIN(TestCanvas)
#include "tst_canvas.moc"
