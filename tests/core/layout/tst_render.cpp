#include "core/layout/render.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>
#include <QtTest>

using namespace crosswalk;

namespace {

Scene laidOut(const std::string& name = "relu0")
{
    Graph graph;
    graph.format = "onnx";
    const ValueId x = graph.addValue({.name = "x", .type = {ElementType::Float32, Shape{Dim{1}, Dim{3}}}});
    graph.inputs.push_back(x);
    const NodeId relu = graph.addNode({.op = "Relu", .name = name, .inputs = {x}});
    graph.outputs.push_back(graph.addOutput(relu, "y"));
    Scene scene = buildScene(graph);
    layOut(scene, LayoutEngine::Ours);
    return scene;
}

struct Picture {
    bool isWellFormed = false;
    int boxes = 0;
    int lines = 0;
    QStringList texts;
    QStringList titles;
};

Picture readSvg(const std::string& svg)
{
    Picture picture;
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        const auto name = reader.name();
        if (name == QLatin1String("path") && reader.attributes().hasAttribute(QLatin1String("marker-end"))) {
            ++picture.lines;
        } else if (name == QLatin1String("text")) {
            picture.texts << reader.readElementText();
        } else if (name == QLatin1String("title")) {
            picture.titles << reader.readElementText();
            ++picture.boxes;
        }
    }
    picture.isWellFormed = !reader.hasError();
    return picture;
}

} // namespace

class TestRender : public QObject {
    Q_OBJECT
private slots:
    void aPictureShowsEveryBoxTextAndLine()
    {
        const Picture picture = readSvg(sceneToSvg(laidOut()));
        QVERIFY(picture.isWellFormed);
        QCOMPARE(picture.boxes, 3);
        QCOMPARE(picture.lines, 2);
        for (const char* text : {"Relu", "relu0", "input", "x", "float32 1\u00d73", "output", "y"}) {
            QVERIFY2(picture.texts.contains(QString::fromUtf8(text)), text);
        }
    }

    void aPictureStaysWellFormedWhateverTheNames()
    {
        const std::string name = "<&\"'>\x01\xff\xed\xa0\x80 \xe4\xb8\xad";
        const Scene scene = laidOut(name);
        QVERIFY(readSvg(sceneToSvg(scene)).isWellFormed);
        QJsonParseError error;
        QJsonDocument::fromJson(QByteArray::fromStdString(sceneToJson(scene, "onnx")), &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
    }

    void namesCannotChangeTheDirectionOfText()
    {
        const Scene scene = laidOut("a\x1b[31m\xe2\x80\xae\xc2\x85");
        for (const std::string& text :
             {sceneToSvg(scene), sceneToJson(scene, "onnx"), sceneToDot(scene, "\xe2\x80\xae")}) {
            QVERIFY(text.find('\x1b') == std::string::npos);
            QVERIFY(text.find("\xe2\x80\xae") == std::string::npos);
            QVERIFY(text.find("\xc2\x85") == std::string::npos);
            QVERIFY(text.find("202e") != std::string::npos);
        }
    }

    void verdictsAreNamedInTheTooltip()
    {
        const std::array verdicts{Verdict::Unsupported};
        const Picture picture = readSvg(sceneToSvg(laidOut(), verdicts));
        QVERIFY(picture.titles.contains(QStringLiteral("Relu relu0: unsupported")));
    }

    void themesDiffer()
    {
        const Scene scene = laidOut();
        QVERIFY(sceneToSvg(scene, {}, Theme::Light) != sceneToSvg(scene, {}, Theme::Dark));
    }

    void textContrastsWithEveryBackground()
    {
        const auto luminance = [](Rgb colour) {
            const auto channel = [&](unsigned shift) {
                const double c = ((colour >> shift) & 0xFFU) / 255.0;
                return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
        };
        const auto contrast = [&](Rgb a, Rgb b) {
            const std::pair<double, double> both = std::minmax({luminance(a), luminance(b)});
            return (both.second + 0.05) / (both.first + 0.05);
        };
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const Palette& colours = palette(theme);
            QVERIFY(contrast(colours.text, colours.box) >= 4.5);
            QVERIFY(contrast(colours.faint, colours.box) >= 4.5);
            for (int category = 0; category <= static_cast<int>(OperatorCategory::Other); ++category) {
                QVERIFY(contrast(colours.title, headerTint(static_cast<OperatorCategory>(category), theme)) >= 4.5);
            }
        }
    }

    void numbersHaveTheDocumentedForm()
    {
        const Scene scene = laidOut();
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(sceneToJson(scene, "source"))).object();
        for (const char* key : {"side", "width", "height", "layout_seconds", "nodes", "edges", "tags", "groups"}) {
            QVERIFY2(json.contains(QLatin1String(key)), key);
        }
        QCOMPARE(json[QLatin1String("side")].toString(), QStringLiteral("source"));
        const auto nodes = json[QLatin1String("nodes")].toArray();
        QCOMPARE(nodes.size(), 3);
        for (qsizetype i = 0; i < nodes.size(); ++i) {
            const auto node = nodes[i].toObject();
            const auto n = static_cast<std::size_t>(i);
            QCOMPARE(node[QLatin1String("id")].toInt(), static_cast<int>(i));
            QCOMPARE(node[QLatin1String("name")].toString().toStdString(), scene.nodes[n].fullName);
            QCOMPARE(node[QLatin1String("op")].toString().toStdString(), scene.nodes[n].title);
            QCOMPARE(node[QLatin1String("w")].toDouble(), double{scene.nodes[n].width});
            QCOMPARE(node[QLatin1String("h")].toDouble(), double{scene.nodes[n].height});
            QVERIFY(std::abs(node[QLatin1String("y")].toDouble() - double{scene.layout.positions[n].y}) <= 0.125);
        }
        const auto edges = json[QLatin1String("edges")].toArray();
        QCOMPARE(edges.size(), 2);
        QCOMPARE(edges[0].toObject()[QLatin1String("points")].toArray()[0].toArray().size(), 2);
    }

    void cutLinesAreListedAsTags()
    {
        Scene scene = laidOut();
        scene.layout.routes[1].clear();
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(sceneToJson(scene, "onnx"))).object();
        QCOMPARE(json[QLatin1String("edges")].toArray().size(), 1);
        QCOMPARE(json[QLatin1String("tags")].toArray().size(), 1);
        QCOMPARE(readSvg(sceneToSvg(scene)).lines, 1);
    }

    void aBoxHasOneStubOnEachSideForAllCutLines()
    {
        Graph graph;
        graph.format = "onnx";
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        for (const char* op : {"Relu", "Neg", "Abs"}) {
            graph.addNode({.op = op, .name = "<1>", .inputs = {x}});
        }
        Scene scene = buildScene(graph);
        layOut(scene, LayoutEngine::Ours);
        scene.layout.routes.assign(3, {});
        const std::string svg = sceneToSvg(scene);
        QCOMPARE(QByteArray::fromStdString(svg).count("<circle"), 4);
        const Picture picture = readSvg(svg);
        QVERIFY(picture.isWellFormed);
        QVERIFY(picture.titles.contains(QStringLiteral("to Relu <1>\nto Neg <1>\nto Abs <1>")));
        QCOMPARE(picture.titles.count(QStringLiteral("from input x")), 3);
    }

    void dotNamesEveryBoxAndLine()
    {
        const std::string dot = sceneToDot(laidOut(), "a \"model\"");
        QVERIFY(dot.starts_with("digraph \"a \\\"model\\\"\" {"));
        QVERIFY(dot.find("n0 -> ") != std::string::npos);
        // The box was measured for a smaller name.
        QVERIFY(dot.find("label=<Relu<BR/><FONT POINT-SIZE=\"11\">relu0</FONT>>") != std::string::npos);
        QVERIFY(sceneToDot(laidOut("<a&b>"), "g").find(">&lt;a&amp;b&gt;</FONT>>") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestRender)
#include "tst_render.moc"
