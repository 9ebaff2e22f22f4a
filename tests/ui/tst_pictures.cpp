// Pictures of graphs of every family, as they were looked at and found good: from afar, from the middle and near by, in
// both themes. They are kept as PNGs with a palette, in tests/data/pictures; UPDATE_GOLDENS=1 writes them anew.

#include "tests/support/drawn_families.h"
#include "ui/canvas/canvas_view.h"
#include "ui/theme/fonts.h"

#include <QDir>
#include <QImage>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

constexpr QSize pictureSize(640, 400);

// The allowance. Antialiased text comes out a shade different where FreeType is another, and the palette costs a shade
// as well: a channel of a pixel may be this far off, that of the mean of a small square a little. A few pixels may be
// further, far fewer than a word or the edge of a box has.
constexpr int shadeOfPixel = 40;
constexpr int fewPixels = 24;
constexpr int squareSide = 8;
constexpr int shadeOfSquare = 6;

std::shared_ptr<const DrawnScene> drawn(const Graph& graph)
{
    Scene scene = buildScene(graph);
    layOut(scene, LayoutEngine::Ours); // Graphviz differs from one distribution to the next
    return std::make_shared<const DrawnScene>(std::move(scene));
}

struct Look {
    const char* name;
    double scale; ///< 0: all of it
};
constexpr std::array looks{Look{"overview", 0}, Look{"middle", 0.3}, Look{"close", 1}};

QImage picture(CanvasView& view, const Look& look)
{
    if (look.scale == 0) {
        view.fit();
    } else {
        const auto box = static_cast<std::uint32_t>(view.drawnScene()->scene.nodes.size() / 2);
        view.setTransform(
            {view.drawnScene()->index.box(box).center() - QPointF(view.width() / 2.0, view.height() / 2.0) / look.scale,
             look.scale});
    }
    QImage image(view.size(), QImage::Format_RGB32);
    view.render(&image, {}, {}, QWidget::DrawWindowBackground);
    return image;
}

/// In 256 colours: near ones become the most frequent of them, so that flat areas keep theirs.
QImage withPalette(const QImage& image)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            ++counts[image.pixel(x, y)];
        }
    }
    QHash<QRgb, QRgb> colorOf; // by what near colours have in common
    QRgb mask = 0;
    for (unsigned cut = 2; mask == 0 || colorOf.size() > 256; ++cut) {
        const unsigned kept = (0xffU << cut) & 0xffU;
        mask = qRgb(static_cast<int>(kept), static_cast<int>(kept), static_cast<int>(kept));
        colorOf.clear();
        for (auto color = counts.begin(); color != counts.end(); ++color) {
            if (!colorOf.contains(color.key() & mask)) {
                colorOf.insert(color.key() & mask, color.key());
            }
            QRgb& most = colorOf[color.key() & mask];
            if (std::pair(counts[most], most) < std::pair(color.value(), color.key())) {
                most = color.key();
            }
        }
    }
    QList<QRgb> palette = colorOf.values();
    std::sort(palette.begin(), palette.end());
    QImage result(image.size(), QImage::Format_Indexed8);
    result.setColorTable(palette);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QRgb color = colorOf[image.pixel(x, y) & mask];
            const auto at = std::lower_bound(palette.begin(), palette.end(), color) - palette.begin();
            result.setPixel(x, y, static_cast<unsigned>(at));
        }
    }
    return result;
}

int mostOff(QRgb a, QRgb b)
{
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

int pixelsOff(const QImage& a, const QImage& b, int shade)
{
    int count = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            count += mostOff(a.pixel(x, y), b.pixel(x, y)) > shade ? 1 : 0;
        }
    }
    return count;
}

QImage squares(const QImage& image)
{
    QImage means(image.size() / squareSide, QImage::Format_RGB32);
    for (int y = 0; y < means.height(); ++y) {
        for (int x = 0; x < means.width(); ++x) {
            std::array<int, 3> sum{};
            for (int i = 0; i < squareSide * squareSide; ++i) {
                const QRgb pixel = image.pixel(x * squareSide + i % squareSide, y * squareSide + i / squareSide);
                sum = {sum[0] + qRed(pixel), sum[1] + qGreen(pixel), sum[2] + qBlue(pixel)};
            }
            constexpr int area = squareSide * squareSide;
            means.setPixel(x, y, qRgb(sum[0] / area, sum[1] / area, sum[2] / area));
        }
    }
    return means;
}

bool looksAlike(const QImage& a, const QImage& b)
{
    return a.size() == b.size() && pixelsOff(a, b, shadeOfPixel) <= fewPixels &&
           pixelsOff(squares(a), squares(b), shadeOfSquare) == 0;
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { loadFonts(); }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void graphsLookAsTheyDid_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<unsigned>("size");
        for (const auto family : test::FamilyGraph::names) {
            for (const unsigned size : {100U, 1'000U, 100'000U}) {
                QTest::addRow("%s %u", family.data(), size) << QString::fromUtf8(family.data()) << size;
            }
        }
    }
    void graphsLookAsTheyDid()
    {
        QFETCH(QString, family);
        QFETCH(unsigned, size);
        CanvasView view;
        view.setAnimated(false);
        view.resize(pictureSize);
        view.show();
        view.setScene(drawn(test::FamilyGraph::make(family.toStdString(), size)));
        for (const auto theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(theme);
            QCoreApplication::processEvents();
            for (const Look& look : looks) {
                const QString name =
                    QStringLiteral("%1_%2_%3_%4.png")
                        .arg(family)
                        .arg(size)
                        .arg(QLatin1String(look.name),
                             theme == ThemeChoice::Dark ? QLatin1String("dark") : QLatin1String("light"));
                const QString golden = QStringLiteral(CROSSWALK_SOURCE "/tests/data/pictures/") + name;
                const QImage now = picture(view, look);
                if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
                    QVERIFY(withPalette(now).save(golden, "PNG", 0));
                    continue;
                }
                const QImage before(golden);
                QVERIFY2(!before.isNull(), qPrintable(golden));
                if (!looksAlike(now, before)) {
                    const QString actual = QStringLiteral(CROSSWALK_ARTIFACTS "/") + name;
                    QDir().mkpath(QStringLiteral(CROSSWALK_ARTIFACTS));
                    now.save(actual);
                    QFAIL(qPrintable(QStringLiteral("%1 is not as it was: see %2").arg(name, actual)));
                }
            }
        }
    }

    /// What a person would see is more than the allowance.
    void aVisibleChangeIsFound_data()
    {
        using Change = std::function<void(Scene&)>;
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };
        row("a word", [](Scene& scene) { scene.nodes[scene.nodes.size() / 2].title = "Cast"; });
        row("a box moved by three pixels", [](Scene& scene) { scene.layout.positions[scene.nodes.size() / 2].x += 3; });
        row("a line less", [](Scene& scene) {
            for (std::size_t e = 0; e < scene.edges.size(); ++e) {
                if (scene.edges[e].to == scene.nodes.size() / 2) {
                    scene.layout.routes[e].clear();
                }
            }
        });
        row("another family",
            [](Scene& scene) { scene.nodes[scene.nodes.size() / 2].family = OperatorFamily::Recurrent; });
    }
    void aVisibleChangeIsFound()
    {
        QFETCH(std::function<void(Scene&)>, change);
        CanvasView view;
        view.setAnimated(false);
        view.resize(pictureSize);
        view.show();
        Scene scene = buildScene(test::FamilyGraph::make("resnet", 100));
        layOut(scene, LayoutEngine::Ours);
        view.setScene(std::make_shared<const DrawnScene>(scene));
        const QImage before = picture(view, looks[2]);
        QVERIFY(looksAlike(before, withPalette(before)));
        change(scene);
        view.setScene(std::make_shared<const DrawnScene>(scene));
        QVERIFY(!looksAlike(before, picture(view, looks[2])));
    }
};

QTEST_MAIN(TestPictures)
#include "tst_pictures.moc"
