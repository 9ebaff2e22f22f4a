// Pictures of graphs of every family, as they were looked at and found good: as the window first shows them, in groups,
// and without groups from afar, from the middle and near by, in both themes. They are kept as PNGs with a palette, in
// tests/data/pictures; UPDATE_GOLDENS=1 writes them anew.

#include "tests/support/drawn_families.h"
#include "tests/support/golden_pictures.h"
#include "tests/support/paths.h"
#include "ui/canvas/canvas_view.h"
#include "ui/document/graph_side.h"
#include "ui/theme/fonts.h"

#include <QImage>
#include <QtTest>
#include <fmt/format.h>

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

/// Residual blocks of four nodes, each in a scope of its own, until there are `size` nodes.
Graph blocks(unsigned size)
{
    Graph graph;
    graph.format = "onnx";
    ValueId last =
        graph.addValue({.name = "pixels", .type = {ElementType::Float32, Shape{Dim("N"), Dim(16), Dim(32)}}});
    graph.inputs.push_back(last);
    ValueId start = last;
    constexpr std::array operators{"LeakyRelu", "Sigmoid", "Tanh", "Add"};
    for (unsigned i = 0; i < size; ++i) {
        const std::string op = operators[i % operators.size()];
        const bool closesBlock = op == "Add";
        Node node{.op = op, .name = fmt::format("/block{}/{}", i / operators.size(), op), .inputs = {last}};
        if (closesBlock) {
            node.inputs.push_back(start);
        } else if (op == "LeakyRelu") {
            node.attributes.push_back(Attribute{.name = "alpha", .value = 0.25});
        }
        last = graph.addOutput(graph.addNode(std::move(node)), fmt::format("value{}", i));
        start = closesBlock ? last : start;
    }
    graph.outputs.push_back(last);
    return graph;
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

    /// The first view in the panes of windows of 900x600, 1600x1000 and 2560x1440.
    void firstViewsLookAsTheyDid_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<unsigned>("size");
        const std::pair<const char*, unsigned> graphs[] = {{"blocks", 5U},  {"blocks", 14U},       {"blocks", 22U},
                                                           {"blocks", 70U}, {"transformer", 200U}, {"resnet", 1'700U},
                                                           {"nas", 10'000U}};
        for (const auto& [family, size] : graphs) {
            QTest::addRow("%s %u", family, size) << QString::fromUtf8(family) << size;
        }
    }
    void firstViewsLookAsTheyDid()
    {
        QFETCH(QString, family);
        QFETCH(unsigned, size);
        const auto graph = std::make_shared<const Graph>(
            family == QLatin1String("blocks") ? blocks(size) : test::FamilyGraph::make(family.toStdString(), size));
        for (const auto& [window, pane] : {std::pair("small", QSize(245, 300)), std::pair("medium", QSize(505, 600)),
                                           std::pair("large", QSize(985, 1040))}) {
            const QSizeF room = QSizeF(pane) / detail::readable;
            const DrawnSide side = DrawnSide::make(graph, {}, {}, {}, Flow::Down, room);
            CanvasView view;
            view.setAnimated(false);
            view.resize(pane);
            view.show();
            view.setScene(side.drawing->drawn);
            QCoreApplication::processEvents();
            QVERIFY(view.scale() >= detail::readable);
            QImage image(view.size(), QImage::Format_RGB32);
            view.render(&image, {}, {}, QWidget::DrawWindowBackground);
            const QString name = QStringLiteral("first_%1_%2_%3.png").arg(family).arg(size).arg(QLatin1String(window));
            QVERIFY(test::isAsBefore(image, test::dataFolder() + QStringLiteral("/pictures/") + name,
                                     test::artifactsFolder()));
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
