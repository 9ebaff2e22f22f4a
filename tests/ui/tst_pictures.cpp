// Pictures of graphs of every family, as they were looked at and found good: as the window first shows them, in groups,
// and without groups from afar, from the middle and near by, in both themes. They are kept as PNGs with a palette, in
// tests/data/pictures; UPDATE_GOLDENS=1 writes them anew.

#include "tests/support/drawn_families.h"
#include "tests/support/golden_pictures.h"
#include "tests/support/paths.h"
#include "ui/canvas/canvas_view.h"
#include "ui/theme/fonts.h"

#include <QImage>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

constexpr QSize pictureSize(640, 400);

std::shared_ptr<const DrawnScene> drawn(const Graph& graph)
{
    Scene scene = buildScene(graph);
    layOut(scene, LayoutEngine::Ours); // Graphviz differs from one distribution to the next
    return std::make_shared<const DrawnScene>(std::move(scene));
}

std::shared_ptr<const DrawnScene> opened(const Graph& graph)
{
    const Scene scene = buildScene(graph);
    auto groups = std::make_shared<const SceneGroups>(foldableGroups(scene, findGroups(scene)));
    FoldedScene folded = foldScene(scene, *groups, openAtFirst(scene, *groups));
    return std::make_shared<const DrawnScene>(std::move(folded), std::move(groups));
}

struct Look {
    const char* name;
    double scale; ///< 0: all of it; negative: all of it, in groups as it opens
};
constexpr std::array looks{Look{"opened", -1}, Look{"overview", 0}, Look{"middle", 0.3}, Look{"close", 1}};
constexpr Look nearBy = looks.back();

QImage picture(CanvasView& view, const Look& look)
{
    if (look.scale <= 0) {
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
        const Graph graph = test::FamilyGraph::make(family.toStdString(), size);
        const auto grouped = opened(graph);
        const auto flat = drawn(graph);
        for (const auto theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(theme);
            QCoreApplication::processEvents();
            for (const Look& look : looks) {
                if (const auto& shown = look.scale < 0 ? grouped : flat; view.drawnScene() != shown.get()) {
                    view.setScene(shown);
                }
                const QString name =
                    QStringLiteral("%1_%2_%3_%4.png")
                        .arg(family)
                        .arg(size)
                        .arg(QLatin1String(look.name),
                             theme == ThemeChoice::Dark ? QLatin1String("dark") : QLatin1String("light"));
                const QString golden = test::dataFolder() + QStringLiteral("/pictures/") + name;
                QVERIFY(test::isAsBefore(picture(view, look), golden, test::artifactsFolder()));
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
            [](Scene& scene) { scene.nodes[scene.nodes.size() / 2].category = OperatorCategory::Recurrent; });
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
        const QImage before = picture(view, nearBy);
        QVERIFY(test::looksAlike(before, test::withPalette(before)));
        change(scene);
        view.setScene(std::make_shared<const DrawnScene>(scene));
        QVERIFY(!test::looksAlike(before, picture(view, nearBy)));
    }
};

QTEST_MAIN(TestPictures)
#include "tst_pictures.moc"
