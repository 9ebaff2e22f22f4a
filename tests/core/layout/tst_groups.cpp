#include "core/base/cpu_time.h"
#include "core/layout/folding.h"
#include "core/layout/groups_alike.h"
#include "core/layout/repeats.h"
#include "core/layout/scene.h"
#include "core/layout/scopes.h"
#include "tests/support/scene_maker.h"

#include <QtTest>

#include <algorithm>

using namespace crosswalk;
using test::SceneMaker;

namespace {

std::string describe(const SceneGroups& groups, std::uint32_t group)
{
    const SceneGroup& at = groups.groups[group];
    std::string text = at.name + (at.times > 1 ? " x" + std::to_string(at.times) : "") + "[" + std::to_string(at.boxes);
    for (const auto inner : at.groups) {
        text += " " + describe(groups, inner);
    }
    return text + "]";
}

/// The tree as text: name[boxes inner...].
QString treeOf(const SceneGroups& groups)
{
    std::string text;
    for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
        if (groups.groups[g].parent == SceneGroup::none) {
            text += (text.empty() ? "" : " ") + describe(groups, g);
        }
    }
    return QString::fromStdString(text);
}

QString treeOf(const Scene& scene)
{
    return treeOf(findGroups(scene));
}

/// A stem, and `layers` equal layers of four operators.
Scene layersAfterAStem(int layers)
{
    SceneMaker maker;
    maker.add("Embedding", "embed");
    maker.add("Dropout", "dropout");
    for (int i = 0; i < layers; ++i) {
        const auto scope = "/layers." + std::to_string(i);
        maker.add("Linear", scope + "/in");
        maker.add("Gelu", scope + "/act");
        maker.add("Linear", scope + "/out");
        maker.add("Add", scope + "/add", {4});
    }
    return std::move(maker.scene);
}

/// A chain of operators by their origins in a source.
struct Made {
    SceneMaker maker;
    std::vector<std::vector<std::uint32_t>> origins;
    void add(const char* op, std::vector<std::uint32_t> from)
    {
        maker.add(op, "n" + std::to_string(origins.size()));
        origins.push_back(std::move(from));
    }
};

} // namespace

class TestGroups : public QObject {
    Q_OBJECT
private slots:
    void namesSpellScopes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("scopes");
        QTest::newRow("slashes") << "/model/layers.3/MatMul" << QByteArray("model layers.3");
        QTest::newRow("numbered parts") << "stage1_unit2_conv1_fwd" << QByteArray("stage1 unit2 conv1");
        QTest::newRow("an underscore within a word") << "batch_norm" << QByteArray("");
        QTest::newRow("nothing") << "" << QByteArray("");
        QTest::newRow("doubled slashes") << "//a//b" << QByteArray("a");
        QTest::newRow("numbered parts before slashes") << "stage1_unit2_conv/Pad" << QByteArray("stage1 unit2 conv");
        QTest::newRow("numbered parts behind slashes") << "net/stage1_unit2_conv" << QByteArray("net");
        QTest::newRow("a counter behind a name") << "dense_1_1/MatMul" << QByteArray("dense_1_1");
    }
    void namesSpellScopes()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, scopes);
        const std::string text = name.toStdString();
        QByteArrayList found;
        for (const auto part : scopesOf(text)) {
            found.append(QByteArray(part.data(), static_cast<qsizetype>(part.size())));
        }
        QCOMPARE(found.join(' '), scopes);
        const auto rest = withoutScopes(text);
        QVERIFY(text.ends_with(rest));
        QVERIFY(found.isEmpty() || rest.size() < text.size());
    }

    void scopesBecomeGroups()
    {
        SceneMaker maker;
        maker.add("Conv", "/stem/conv/Conv");
        maker.add("Relu", "/stem/Relu");
        maker.add("Conv", "/body/a/Conv");
        maker.add("Relu", "/body/a/Relu");
        maker.add("Add", "/body/Add");
        QCOMPARE(treeOf(maker.scene), QStringLiteral("stem[2] body[3 a[2]]"));
    }

    void singleElementScopesAreDissolved()
    {
        SceneMaker maker;
        maker.add("Conv", "/model/net/conv/Conv");
        maker.add("Relu", "/model/net/relu/Relu");
        QCOMPARE(treeOf(maker.scene), QStringLiteral("model/net[2]"));
        const auto groups = findGroups(maker.scene);
        QCOMPARE(groups.ofNode, (std::vector<std::uint32_t>{0, 0}));
    }

    void equalScopesInARowAreAStack()
    {
        SceneMaker maker;
        maker.add("Gather", "/embed");
        for (int i = 0; i < 5; ++i) {
            const auto scope = "/layers." + std::to_string(i);
            maker.add("MatMul", scope + "/MatMul");
            maker.add(i == 4 ? "Gelu" : "Relu", scope + "/act");
            maker.add("Add", scope + "/Add", {3});
        }
        const auto groups = findGroups(maker.scene);
        QCOMPARE(
            treeOf(maker.scene),
            QStringLiteral("layers.0 to layers.3 x4[12 layers.0[3] layers.1[3] layers.2[3] layers.3[3]] layers.4[3]"));
        QCOMPARE(groups.groups[1].kind, groups.groups[2].kind);
        QVERIFY(groups.groups[1].kind != groups.groups.back().kind);
    }

    void aStrayOnAWayOutOfAScopeAndBackBelongsThere()
    {
        SceneMaker maker;
        maker.add("FullyConnected", "lstm_t0_i2h");
        maker.add("elemwise_add", "_plus0");
        maker.add("elemwise_add", "_plus1");
        maker.add("SliceChannel", "lstm_t0_slice");
        maker.add("expand_dims", "expand_dims0");
        maker.add("FullyConnected", "lstm_t1_i2h");
        maker.add("elemwise_add", "_plus2", {2}); // from both steps, to one
        maker.add("SliceChannel", "lstm_t1_slice");
        maker.add("softmax", "softmax");
        const auto groups = findGroups(maker.scene);
        constexpr std::uint32_t none = SceneGroup::none;
        QCOMPARE(groups.ofNode, (std::vector<std::uint32_t>{0, 0, 0, 0, none, 1, 1, 1, none}));
    }

    void unrolledStepsFormAStack()
    {
        SceneMaker maker;
        for (int i = 0; i < 4; ++i) {
            const auto scope = "lstm_t" + std::to_string(i);
            maker.add("FullyConnected", scope + "_i2h");
            maker.add("elemwise_add", "_plus" + std::to_string(i));
            maker.add("SliceChannel", scope + "_slice");
            maker.add("expand_dims", "expand_dims" + std::to_string(i));
        }
        QCOMPARE(treeOf(maker.scene),
                 QStringLiteral("lstm_t0 to lstm_t3 x4[16 lstm_t0[4 lstm_t0[3]] lstm_t1[4 lstm_t1[3]] "
                                "lstm_t2[4 lstm_t2[3]] lstm_t3[4 lstm_t3[3]]]"));
    }

    void otherShapesMakeAnotherKind()
    {
        SceneMaker maker;
        for (int i = 0; i < 4; ++i) {
            const auto scope = "/b" + std::to_string(i);
            maker.scene.nodes[maker.add("Conv", scope + "/Conv")].rows = {i < 2 ? "weight 64x64" : "weight 128x128"};
            maker.add("Relu", scope + "/Relu");
        }
        QCOMPARE(treeOf(maker.scene), QStringLiteral("b0[2] b1[2] b2[2] b3[2]"));
    }

    void theIndexOfAStepMakesNoOtherKind()
    {
        SceneMaker maker;
        for (int i = 0; i < 4; ++i) {
            const auto scope = "/step" + std::to_string(i);
            maker.scene.nodes[maker.add("Gather", scope + "/Gather")].rows = {"indices " + std::to_string(i)};
            maker.add("Relu", scope + "/Relu");
        }
        QCOMPARE(findGroups(maker.scene).groups.front().times, 4U);
        for (auto& node : maker.scene.nodes) {
            node.attributes = static_cast<std::uint32_t>(node.rows.size()); // an attribute is what a block is
        }
        QCOMPARE(findGroups(maker.scene).groups.front().times, 1U);
    }

    void findsRepeatsWithoutNames()
    {
        SceneMaker maker;
        maker.add("Conv", "c");
        for (int i = 0; i < 6; ++i) {
            maker.add("Conv", "");
            maker.add("Relu", "");
            maker.add("Conv", "");
            maker.add("Add", "", {4});
        }
        maker.add("Softmax", "s");
        const auto groups = findGroups(maker.scene);
        QCOMPARE(groups.groups.front().times, 6U);
        for (std::size_t g = 1; g < groups.groups.size(); ++g) {
            // A block ends where a single line leads on.
            QCOMPARE(maker.scene.nodes[groups.groups[g].nodes.back()].title, std::string("Add"));
            QCOMPARE(groups.groups[g].boxes, 4U);
        }
    }

    void aChainIsNotAStack()
    {
        SceneMaker maker;
        for (int i = 0; i < 40; ++i) {
            maker.add("Relu", "");
        }
        QVERIFY(findGroups(maker.scene).groups.empty());
    }

    void nodesAreInTheGroupsOfTheirOrigins()
    {
        const Scene source = layersAfterAStem(3);
        const SceneGroups groups = findGroups(source);
        QCOMPARE(treeOf(groups), QStringLiteral("layers.0 to layers.2 x3[12 layers.0[4] layers.1[4] layers.2[4]]"));
        Made made;
        made.add("Gather", {0});
        made.add("Identity", {}); // in no group: no node of one is in front of it
        for (std::uint32_t layer = 0; layer < 3; ++layer) {
            const std::uint32_t first = 2 + 4 * layer;
            made.add("MatMul", {first});
            made.add("Add", {first});
            for (const char* op : {"Div", "Erf", "Mul"}) {
                made.add(op, {first + 1});
            }
            made.add("Cast", {});                     // between nodes of the layer
            made.add("Gemm", {first + 2, first + 3}); // two nodes fused
        }
        made.add("Relu", {4, 9}); // of two layers
        const auto found = groupsAsIn({source, groups}, made.maker.scene, made.origins);
        const QString layer = QStringLiteral("layers.%1[7 in[2] act[3]]");
        // The last node makes it a group, not a stack of equal blocks.
        QCOMPARE(treeOf(found),
                 QStringLiteral("layers.0 to layers.2[22 %1 %2 %3]").arg(layer.arg(0), layer.arg(1), layer.arg(2)));
        QCOMPARE(found.ofNode[0], SceneGroup::none);
        QCOMPARE(found.ofNode[1], SceneGroup::none);
        QCOMPARE(found.groups[found.ofNode[7]].name, std::string("layers.0"));
        QCOMPARE(found.ofNode.back(), 0U);
    }

    void equalNodesOfEqualBlocksAreAStack()
    {
        const Scene source = layersAfterAStem(3);
        const SceneGroups groups = findGroups(source);
        for (const bool isEqual : {true, false}) {
            Made made;
            made.add("Gather", {0});
            for (std::uint32_t box = 2; box < source.nodes.size(); ++box) {
                made.add(isEqual || box != 7 ? "MatMul" : "Erf", {box});
            }
            const auto found = groupsAsIn({source, groups}, made.maker.scene, made.origins);
            QCOMPARE(found.groups.front().name, std::string("layers.0 to layers.2"));
            QCOMPARE(found.groups.front().times, isEqual ? 3U : 1U);
        }
    }

    void aGroupOfOneNodeKeepsItsName()
    {
        const Scene source = layersAfterAStem(3);
        const SceneGroups groups = findGroups(source);
        Made made;
        made.add("Gather", {0});
        for (const char* op : {"Div", "Erf", "Mul"}) {
            made.add(op, {2});
        }
        QCOMPARE(treeOf(groupsAsIn({source, groups}, made.maker.scene, made.origins)),
                 QStringLiteral("layers.0 to layers.2[3]"));
    }

    void repeatedStepsOfOneNodeAreAStack()
    {
        SceneMaker source;
        source.add("Relu", "relu");
        source.add("RNN", "rnn");
        Made made;
        made.add("Relu", {0});
        for (int step = 0; step < 5; ++step) {
            for (const char* op : {"Slice", "Gemm", "Tanh"}) {
                made.add(op, {1});
            }
        }
        const auto found = groupsAsIn({source.scene, findGroups(source.scene)}, made.maker.scene, made.origins);
        QCOMPARE(found.groups.front().name, std::string("rnn"));
        QCOMPARE(found.groups.front().boxes, 15U);
        QCOMPARE(found.groups.at(1).times, 4U); // the first step reads another node
    }

    void aGroupOfTheSourceAroundNearlyEverythingRemains()
    {
        const Scene source = layersAfterAStem(3);
        const SceneGroups groups = foldableGroups(source, findGroups(source));
        QCOMPARE(groups.groups.front().boxes, 12U);
        Made made;
        for (std::uint32_t box = 2; box < source.nodes.size(); ++box) {
            for (int times = 0; times < 4; ++times) {
                made.add("MatMul", {box});
            }
        }
        const GroupedScene grouped{source, groups};
        QCOMPARE(foldableGroupsAsIn(grouped, made.maker.scene, made.origins).groups.front().boxes, 48U);
        // Nodes made from one source node are not a group if there are few others.
        for (auto& origins : made.origins) {
            origins = {0};
        }
        for (const SceneGroup& group : foldableGroupsAsIn(grouped, made.maker.scene, made.origins).groups) {
            QVERIFY(group.boxes < 48);
        }
    }

    void everyNodeIsInItsGroups()
    {
        SceneMaker maker;
        for (int i = 0; i < 60; ++i) {
            maker.add(i % 4 == 0 ? "Conv" : "Relu",
                      "/s" + std::to_string(i / 20) + "/u" + std::to_string(i / 5) + "/x");
        }
        const auto groups = findGroups(maker.scene);
        for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
            const auto within = nodesWithin(groups, g);
            QCOMPARE(within.size(), std::size_t{groups.groups[g].boxes});
            QVERIFY(groups.groups[g].parent == SceneGroup::none || groups.groups[g].parent < g);
            for (std::uint32_t node = 0; node < maker.scene.nodes.size(); ++node) {
                auto at = groups.ofNode[node];
                while (at != SceneGroup::none && at != g) {
                    at = groups.groups[at].parent;
                }
                QCOMPARE(std::ranges::binary_search(within, node), at == g);
            }
        }
    }

    void namesOfAnyDepthAreTaken()
    {
        SceneMaker maker;
        std::string name;
        for (int i = 0; i < 20'000; ++i) {
            name += "/a";
        }
        maker.add("Relu", name + "/x");
        maker.add("Relu", name + "/y");
        QCOMPARE(findGroups(maker.scene).groups.size(), std::size_t{1});
        QVERIFY(findGroups(Scene()).groups.empty());
    }

    void partsBeginWhereFewLinesCross()
    {
        //                                         a  b  c  a  b  c  a  b  c  a
        const std::vector<std::uint64_t> signs{9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 8};
        std::vector<std::uint32_t> crossing(signs.size() + 1, 2);
        crossing[5] = crossing[8] = crossing[2] = 1;
        QCOMPARE(findRepeats(signs, crossing, 3), (std::vector<Repeat>{{2, 3, 3}}));
        QVERIFY(findRepeats(signs, crossing, 4).empty());
    }

    void twoEqualTowersTakeLinearTime()
    {
        constexpr std::uint64_t height = 100'000;
        std::vector<std::uint64_t> signs(2 * height);
        for (std::uint64_t i = 0; i < signs.size(); ++i) {
            signs[i] = i % height;
        }
        const std::vector<std::uint32_t> crossing(signs.size() + 1, 1);
        constexpr double most = 2; // seconds: a fifth of quadratic time
        const double start = threadCpuSeconds();
        QVERIFY(findRepeats(signs, crossing, 3).empty());
        QVERIFY(threadCpuSeconds() - start < most);
        QCOMPARE(findRepeats(signs, crossing, 2), (std::vector<Repeat>{{0, height, 2}}));
    }
};

QTEST_APPLESS_MAIN(TestGroups)
#include "tst_groups.moc"
