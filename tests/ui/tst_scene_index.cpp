#include "tests/support/synthetic_scene.h"
#include "ui/canvas/drawn_scene.h"

#include <QPainter>
#include <QtTest>
#include <random>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

std::vector<std::uint32_t> boxesIn(const Scene& scene, const QRectF& area)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const auto [x, y] = scene.layout.positions[i];
        if (x <= area.right() && x + scene.nodes[i].width >= area.left() && y <= area.bottom() &&
            y + scene.nodes[i].height >= area.top()) {
            found.push_back(i);
        }
    }
    return found;
}

} // namespace

class TestSceneIndex : public QObject {
    Q_OBJECT
private slots:
    void findsTheSameBoxesAsALinearSearch()
    {
        Scene scene = test::syntheticScene(2000, 7);
        std::mt19937 random(5);
        std::uniform_real_distribution<float> shift(-60, 60);
        for (auto& position : scene.layout.positions) {
            position.x += shift(random);
            position.y += shift(random);
        }
        const SceneIndex index(scene);
        std::uniform_real_distribution<double> x(-200, scene.layout.width + 200);
        std::uniform_real_distribution<double> y(-200, scene.layout.height + 200);
        std::vector<std::uint32_t> found;
        for (int round = 0; round < 300; ++round) {
            const QRectF area = QRectF(QPointF(x(random), y(random)), QPointF(x(random), y(random))).normalized();
            index.nodesIn(area, found);
            QCOMPARE(found, boxesIn(scene, area));
        }
    }

    void findsEveryEdgeThatCrossesAnArea()
    {
        const Scene scene = test::syntheticScene(600, 5);
        const SceneIndex index(scene);
        std::vector<std::uint32_t> found;
        for (std::uint32_t e = 0; e < scene.edges.size(); ++e) {
            for (const auto& point : scene.layout.routes[e]) {
                index.edgesIn(QRectF(point.x - 1, point.y - 1, 2, 2), found);
                QVERIFY(std::find(found.begin(), found.end(), e) != found.end());
            }
        }
        index.edgesIn(QRectF(-5000, -5000, 10, 10), found);
        QVERIFY(found.empty());
    }

    void knowsTheEdgesOfABox()
    {
        const Scene scene = test::syntheticScene(40, 4);
        const SceneIndex index(scene);
        QCOMPARE(index.edgesInto(0).size(), std::size_t{0});
        for (const auto e : index.edgesInto(10)) {
            QCOMPARE(scene.edges[e].to, 10U);
        }
        QVERIFY(!index.edgesInto(10).empty());
        for (const auto e : index.edgesOutOf(6)) {
            QCOMPARE(scene.edges[e].from, 6U);
        }
    }

    void hitsBoxesAndEdgesUnderThePointer()
    {
        const Scene scene = test::syntheticScene(40, 4);
        const SceneIndex index(scene);
        QCOMPARE(index.nodeAt(index.box(13).center()), std::optional(13U));
        QVERIFY(!index.nodeAt(index.box(13).topLeft() - QPointF(20, 20)));
        const auto& route = scene.layout.routes[3];
        const QPointF onEdge(route[0].x, (route[0].y + route[1].y) / 2);
        QVERIFY(index.edgeAt(scene, onEdge + QPointF(2, 0), 6));
        QVERIFY(!index.edgeAt(scene, onEdge + QPointF(30, 0), 6));
    }

    void handlesAnEmptyScene()
    {
        const DrawnScene drawn{Scene{}};
        std::vector<std::uint32_t> found{1, 2};
        drawn.index.nodesIn(QRectF(0, 0, 100, 100), found);
        QVERIFY(found.empty());
        QVERIFY(!drawn.index.nodeAt({1, 1}));
        QImage image(50, 50, QImage::Format_RGB32);
        QPainter painter(&image);
        drawn.occupancy.paint(painter, QRectF(0, 0, 100, 100), QRectF(0, 0, 50, 50), lightTheme());
    }

    void occupiedPlacesShowFromAnyDistance()
    {
        const DrawnScene drawn(test::syntheticScene(20000, 3));
        for (const double scale : {0.1, 0.02, 0.004, 0.0005}) {
            const QRectF target(0, 0, 60, 400);
            const QRectF world(drawn.index.bounds().topLeft(), target.size() / scale);
            QImage image(60, 400, QImage::Format_RGB32);
            image.fill(lightTheme().canvas);
            QPainter painter(&image);
            drawn.occupancy.paint(painter, world, target, lightTheme());
            painter.end();
            const int high = static_cast<int>(std::min(400.0, drawn.index.bounds().height() * scale));
            int inked = 0;
            for (int y = 0; y < high; ++y) {
                bool any = false;
                for (int x = 0; x < image.width(); ++x) {
                    any |= image.pixelColor(x, y) != lightTheme().canvas;
                }
                inked += any ? 1 : 0;
            }
            QVERIFY2(inked > high / 3,
                     qPrintable(QStringLiteral("%1 of %2 lines at %3").arg(inked).arg(high).arg(scale)));
        }
    }

    void aGraphFarLongerThanWideShowsInASmallPicture()
    {
        const DrawnScene drawn(test::syntheticScene(20000, 3));
        const QRectF target(0, 0, 60, 140);
        QImage image(60, 140, QImage::Format_RGB32);
        image.fill(lightTheme().canvas);
        QPainter painter(&image);
        drawn.occupancy.paint(painter, drawn.index.bounds(), target, lightTheme());
        painter.end();
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            bool any = false;
            for (int x = 0; x < image.width(); ++x) {
                any |= image.pixelColor(x, y) != lightTheme().canvas;
            }
            inked += any ? 1 : 0;
        }
        QVERIFY2(inked > image.height() / 2, qPrintable(QString::number(inked)));
    }
};

QTEST_MAIN(TestSceneIndex)
#include "tst_scene_index.moc"
