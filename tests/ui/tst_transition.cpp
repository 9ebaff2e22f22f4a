// From one drawing to the next, what both have moves.

#include "tests/support/paths.h"
#include "tests/support/scene_maker.h"
#include "ui/canvas/canvas_view.h"
#include "ui/theme/fonts.h"

#include <QProxyStyle>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

constexpr QSize size(500, 700);

/// A stem, two stages of eight, a head; the stages are groups.
struct Staged {
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const SceneGroups> groups;

    Staged()
    {
        test::SceneMaker maker;
        maker.add("Conv", "/stem/conv");
        for (const char* stage : {"/one/a", "/two/b"}) {
            for (int i = 0; i < 8; ++i) {
                maker.add(i % 2 == 0 ? "Conv" : "Relu", stage + std::to_string(i));
            }
            maker.add("Pool", std::string("pool") + stage[1]);
        }
        maker.add("Softmax", "softmax");
        scene = std::make_shared<const Scene>(std::move(maker.scene));
        groups = std::make_shared<const SceneGroups>(foldableGroups(*scene, findGroups(*scene)));
    }
    std::shared_ptr<const DrawnScene> drawn(bool open, const DrawnScene* previous = nullptr) const
    {
        return std::make_shared<const DrawnScene>(foldScene(*scene, *groups, OpenGroups(groups->groups.size(), open),
                                                            previous != nullptr ? previous->memo() : nullptr),
                                                  groups);
    }
};

ScenePicture pictureOf(const DrawnScene& drawn, QPointF origin)
{
    ScenePicture picture;
    picture.drawn = &drawn;
    picture.theme = &theme();
    picture.transform = {origin, 1};
    picture.view = QRectF(QPointF(), QSizeF(size));
    return picture;
}

QImage painted(const std::function<void(QPainter&)>& paint)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter);
    return image;
}

/// The share of pixels that are not alike.
double difference(const QImage& a, const QImage& b)
{
    int other = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            const int apart =
                std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q));
            other += apart > 60 ? 1 : 0;
        }
    }
    return static_cast<double>(other) / (a.width() * a.height());
}

/// A desktop whose user wants nothing to move, or one that lets things move.
class MotionStyle final : public QProxyStyle {
public:
    explicit MotionStyle(int duration)
        : QProxyStyle(QStringLiteral("fusion"))
        , m_duration(duration)
    {
    }
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override
    {
        return hint == SH_Widget_Animation_Duration ? m_duration : QProxyStyle::styleHint(hint, option, widget, data);
    }

private:
    int m_duration;
};

} // namespace

class TestTransition : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        loadFonts();
        applyTheme(ThemeChoice::Light);
    }

    void itBeginsWithTheOldAndEndsWithTheNew_data()
    {
        QTest::addColumn<bool>("opens");
        QTest::newRow("open") << true;
        QTest::newRow("close") << false;
    }
    void itBeginsWithTheOldAndEndsWithTheNew()
    {
        QFETCH(bool, opens);
        const Staged staged;
        QVERIFY(!staged.groups->groups.empty());
        const auto before = staged.drawn(!opens);
        const auto now = staged.drawn(opens, before.get());
        const QPointF shift = now->index.box(0).topLeft() - before->index.box(0).topLeft();
        const QPointF origin(-100, -20);
        Transition transition(before, nullptr, now, SameBoxes(), shift, QRectF(origin, QSizeF(size)));
        QVERIFY(transition.isPossible(1));
        QVERIFY(!transition.isPossible(detail::boxes / 2));
        ScenePainter scenePainter;
        const auto at = [&](double share) {
            return painted([&](QPainter& painter) {
                transition.paint(painter, scenePainter, pictureOf(*now, origin + shift), share);
            });
        };
        const QImage old = painted([&](QPainter& painter) { scenePainter.paint(painter, pictureOf(*before, origin)); });
        const QImage fresh =
            painted([&](QPainter& painter) { scenePainter.paint(painter, pictureOf(*now, origin + shift)); });
        const double all = difference(old, fresh);
        QVERIFY2(all > 0.02, qPrintable(QString::number(all)));
        QVERIFY2(difference(at(0), old) < all / 20, qPrintable(QString::number(difference(at(0), old))));
        QVERIFY2(difference(at(1), fresh) < all / 20, qPrintable(QString::number(difference(at(1), fresh))));
        // Half-way it is neither, and what has the same place in both has not moved.
        const QImage half = at(0.5);
        QVERIFY(difference(half, old) > all / 8 && difference(half, fresh) > all / 8);
        const QRect stem = pictureOf(*now, origin + shift).transform.toView(now->index.box(0)).toRect();
        QVERIFY(difference(half.copy(stem), fresh.copy(stem)) < 0.01);
        const QString folder = test::artifactsFolder();
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(half.save(QStringLiteral("%1/transition-%2.png").arg(folder, QLatin1String(QTest::currentDataTag()))));
    }

    void boxesMoveFromTheirOldToTheirNewPosition()
    {
        const Staged staged;
        const auto before = staged.drawn(false);
        const auto now = staged.drawn(true, before.get());
        const auto last = static_cast<std::uint32_t>(staged.scene->nodes.size() - 1);
        const QPointF from = before->index.box(before->drawnAs(last)).center();
        const QPointF to = now->index.box(now->drawnAs(last)).center();
        const QPointF origin = (from + to) / 2 - QPointF(size.width(), size.height()) / 2;
        QVERIFY((to - from).manhattanLength() > 100);
        Transition transition(before, nullptr, now, SameBoxes(), {}, QRectF(from - QPointF(250, 350), QSizeF(size)));
        ScenePainter scenePainter;
        const QImage half =
            painted([&](QPainter& painter) { transition.paint(painter, scenePainter, pictureOf(*now, origin), 0.5); });
        // Its body's colour stands in the middle of the way, clear of the title.
        const QRectF box = now->index.box(now->drawnAs(last));
        const QPoint corner = (QPointF(size.width(), size.height()) / 2 + QPointF(box.width(), 0) / 2).toPoint();
        const QRgb canvas = theme().canvas.rgb();
        QVERIFY(half.pixel(corner - QPoint(8, 0)) != canvas);
    }

    void inputEndsIt()
    {
        const Staged staged;
        MotionStyle style(200);
        CanvasView view;
        view.setStyle(&style);
        view.resize(size);
        view.show();
        const auto closed = staged.drawn(false);
        view.setScene(closed);
        view.zoomToActualSize();
        const auto open = staged.drawn(true, closed.get());
        view.changeScene(open, SameBoxes());
        QVERIFY(view.isChanging());
        QTest::mouseClick(&view, Qt::LeftButton, {}, {5, 5});
        QVERIFY(!view.isChanging());
        view.changeScene(closed, SameBoxes());
        QTRY_VERIFY(!view.isChanging()); // by itself
    }

    void respectsTheDesktopsAnimationSetting()
    {
        const Staged staged;
        MotionStyle style(0);
        CanvasView view;
        view.setStyle(&style);
        view.resize(size);
        view.show();
        view.setScene(staged.drawn(false));
        view.changeScene(staged.drawn(true), SameBoxes());
        QVERIFY(!view.isChanging());
        view.zoomToActualSize();
        view.fit();
        const double fitted = view.scale();
        view.fit();
        QVERIFY(fitted < 1);
        QCOMPARE(view.scale(), fitted);
    }
};

QTEST_MAIN(TestTransition)
#include "tst_transition.moc"
