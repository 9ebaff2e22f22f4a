#include "core/layout/folding.h"
#include "tests/support/scene_maker.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace crosswalk;
using test::SceneMaker;

namespace {

constexpr std::uint32_t none = SceneGroup::none;

/// A stem, `stages` stages of equal units with a skip each, and a head.
Scene stages(int stages, int units, const std::string& unitName = "unit")
{
    SceneMaker maker;
    maker.add("Conv", "/stem/Conv");
    maker.add("Relu", "/stem/Relu");
    maker.add("Pool", "/stem/Pool");
    maker.add("Clip", "/stem/Clip");
    for (int s = 0; s < stages; ++s) {
        for (int u = 0; u < units; ++u) {
            const auto scope = "/stage" + std::to_string(s) + "/" + unitName + std::to_string(u);
            maker.add("Conv", scope + "/conv1");
            maker.add("Relu", scope + "/relu1");
            maker.add("Conv", scope + "/conv2");
            maker.add("Add", scope + "/add", {4});
        }
        maker.add("Pool", "/stage" + std::to_string(s) + "/pool");
    }
    maker.add("Softmax", "softmax");
    return std::move(maker.scene);
}

SceneGroups groupsOf(const Scene& scene)
{
    return foldableGroups(scene, findGroups(scene));
}

std::uint32_t groupNamed(const SceneGroups& groups, std::string_view name)
{
    const auto found = std::ranges::find(groups.groups, name, &SceneGroup::name);
    return found == groups.groups.end() ? none : static_cast<std::uint32_t>(found - groups.groups.begin());
}

struct Rect {
    float left, top, right, bottom;
    bool holds(const Rect& other) const
    {
        return other.left >= left && other.top >= top && other.right <= right && other.bottom <= bottom;
    }
    bool meets(const Rect& other) const
    {
        return other.left < right && other.right > left && other.top < bottom && other.bottom > top;
    }
};

Rect rectOf(const FoldedScene& folded, std::uint32_t box)
{
    const LayoutPoint at = folded.scene.layout.positions[box];
    return {at.x, at.y, at.x + folded.scene.nodes[box].width, at.y + folded.scene.nodes[box].height};
}

Rect rectOf(const GroupFrame& frame)
{
    return {frame.at.x, frame.at.y, frame.at.x + frame.width, frame.at.y + frame.height};
}

bool isIn(const SceneGroups& groups, std::uint32_t group, std::uint32_t outer)
{
    while (group != none && group != outer) {
        group = groups.groups[group].parent;
    }
    return group == outer;
}

/// Each frame holds its members and touches nothing else; lines run from box to box.
void checkDrawing(const SceneGroups& groups, const FoldedScene& folded)
{
    const auto& scene = folded.scene;
    QCOMPARE(scene.layout.positions.size(), scene.nodes.size());
    for (std::uint32_t a = 0; a < scene.nodes.size(); ++a) {
        for (std::uint32_t b = a + 1; b < scene.nodes.size(); ++b) {
            QVERIFY(!rectOf(folded, a).meets(rectOf(folded, b)));
        }
        const auto group =
            folded.groupOf[a] == none ? groups.ofNode[folded.boxOf[a]] : groups.groups[folded.groupOf[a]].parent;
        for (const GroupFrame& frame : folded.frames) {
            if (isIn(groups, group, frame.group)) {
                QVERIFY(rectOf(frame).holds(rectOf(folded, a)));
            } else {
                QVERIFY(!rectOf(frame).meets(rectOf(folded, a)));
            }
        }
    }
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        const auto& line = scene.layout.routes[e];
        if (line.empty()) {
            continue;
        }
        const Rect from = rectOf(folded, scene.edges[e].from);
        const Rect to = rectOf(folded, scene.edges[e].to);
        QVERIFY(std::abs(line.front().y - from.bottom) < 0.1F && std::abs(line.back().y - to.top) < 0.1F);
        QVERIFY(line.front().x >= from.left && line.front().x <= from.right);
        QVERIFY(line.back().x >= to.left && line.back().x <= to.right);
        for (std::size_t p = 1; p < line.size(); ++p) {
            QVERIFY(line[p].y >= line[p - 1].y - 0.1F);
        }
    }
}

} // namespace

class TestFolding : public QObject {
    Q_OBJECT
private slots:
    void aClosedGroupIsOneBox()
    {
        const Scene whole = stages(2, 2);
        const SceneGroups groups = groupsOf(whole);
        const FoldedScene folded = foldScene(whole, groups, OpenGroups(groups.groups.size(), false));
        QCOMPARE(folded.scene.nodes.size(), std::size_t{4}); // stem, two stages, softmax
        QCOMPARE(folded.scene.edges.size(), std::size_t{3}); // merged
        const auto stage = folded.drawnAs[6];
        QCOMPARE(folded.scene.nodes[stage].title, std::string("stage0"));
        QVERIFY(folded.scene.nodes[stage].kind == SceneNode::Kind::Group);
        QCOMPARE(folded.scene.nodes[stage].rows.front(), std::string("operators 9"));
        QCOMPARE(folded.groupOf[stage], groupNamed(groups, "stage0"));
        QCOMPARE(folded.membersOf(groups, stage), (std::vector<std::uint32_t>{4, 5, 6, 7, 8, 9, 10, 11, 12}));
        const auto softmax = folded.drawnAs[whole.nodes.size() - 1];
        QCOMPARE(folded.membersOf(groups, softmax),
                 std::vector<std::uint32_t>{static_cast<std::uint32_t>(whole.nodes.size() - 1)});
        QVERIFY(folded.frames.empty());
        checkDrawing(groups, folded);
    }

    void aStackShowsItsRepetitions()
    {
        const Scene whole = stages(2, 24);
        const SceneGroups groups = groupsOf(whole);
        OpenGroups open(groups.groups.size(), false);
        open[groupNamed(groups, "stage0")] = true;
        FoldedScene folded = foldScene(whole, groups, open);
        const auto stack = folded.drawnAs[20];
        QVERIFY(folded.scene.nodes[stack].title.ends_with("× 24"));
        QCOMPARE(folded.scene.nodes[stack].rows.front(), std::string("operators 24 × 4"));
        open[folded.groupOf[stack]] = true;
        folded = foldScene(whole, groups, open);
        const auto& rows = folded.scene.nodes[folded.drawnAs[20]].rows;
        QVERIFY(std::ranges::find(rows, "one of 24 alike") != rows.end());
        checkDrawing(groups, folded);
    }

    void openGroupsAreFramesAroundTheirMembers()
    {
        const Scene whole = stages(3, 4);
        const SceneGroups groups = groupsOf(whole);
        OpenGroups open(groups.groups.size(), true);
        FoldedScene folded = foldScene(whole, groups, open);
        QCOMPARE(folded.scene.nodes.size(), whole.nodes.size());
        QCOMPARE(folded.scene.edges.size(), whole.edges.size());
        QCOMPARE(folded.frames.size(), groups.groups.size());
        checkDrawing(groups, folded);
        for (std::size_t g = 0; g < open.size(); ++g) { // one closed after the other
            open[g] = false;
            folded = foldScene(whole, groups, open, folded.memo.get());
            checkDrawing(groups, folded);
        }
    }

    void reusesPreviousLayouts()
    {
        const Scene whole = stages(3, 4);
        const SceneGroups groups = groupsOf(whole);
        OpenGroups open(groups.groups.size(), true);
        const FoldedScene before = foldScene(whole, groups, open);
        const auto stage = groupNamed(groups, "stage1");
        open[stage] = false;
        const FoldedScene with = foldScene(whole, groups, open, before.memo.get());
        const FoldedScene without = foldScene(whole, groups, open);
        QVERIFY(with.scene.layout.positions == without.scene.layout.positions);
        QVERIFY(with.scene.layout.routes == without.scene.layout.routes);
        // The inside of a stage that stays open keeps its places within the frame.
        const auto placeIn = [&](const FoldedScene& folded, std::uint32_t box) {
            const auto frame = std::ranges::find(folded.frames, groupNamed(groups, "stage0"), &GroupFrame::group);
            const LayoutPoint at = folded.scene.layout.positions[folded.drawnAs[box]];
            return LayoutPoint{at.x - frame->at.x, at.y - frame->at.y};
        };
        const LayoutPoint a = placeIn(before, 9);
        const LayoutPoint b = placeIn(with, 9);
        QVERIFY(std::abs(a.x - b.x) < 0.1F && std::abs(a.y - b.y) < 0.1F);
    }

    void returnsNothingWhenStopped()
    {
        const Scene whole = stages(2, 2);
        const SceneGroups groups = groupsOf(whole);
        std::stop_source source;
        source.request_stop();
        QVERIFY(foldScene(whole, groups, OpenGroups(groups.groups.size(), true), nullptr, source.get_token())
                    .scene.nodes.empty());
    }

    void fewBoxesOpenAtOnceManyFromTheOutside()
    {
        const Scene small = stages(2, 3);
        const SceneGroups fewGroups = groupsOf(small);
        QCOMPARE(openAtFirst(small, fewGroups), OpenGroups(fewGroups.groups.size(), true));
        const Scene large = stages(4, 200);
        const SceneGroups groups = groupsOf(large);
        const OpenGroups open = openAtFirst(large, groups);
        const FoldedScene folded = foldScene(large, groups, open);
        QVERIFY(folded.scene.nodes.size() <= 30 && folded.scene.nodes.size() >= 8);
        QCOMPARE(openAtFirst(large, groups), open);
    }

    void groupsOfTheSameNameStayOpen()
    {
        const Scene one = stages(2, 2);
        const Scene other = stages(3, 2);
        const SceneGroups from = groupsOf(one);
        const SceneGroups to = groupsOf(other);
        OpenGroups open(from.groups.size(), false);
        open[groupNamed(from, "stage1")] = true;
        const OpenGroups carried = carryOpen(from, open, to, OpenGroups(to.groups.size(), true));
        QCOMPARE(carried[groupNamed(to, "stage0")], false);
        QCOMPARE(carried[groupNamed(to, "stage1")], true);
        QCOMPARE(carried[groupNamed(to, "stage2")], true); // as it would have been
    }

    void aChangeInOneStageMovesNoOther()
    {
        const Scene whole = stages(6, 5);
        const SceneGroups groups = groupsOf(whole);
        const OpenGroups open(groups.groups.size(), true);
        const FoldedScene before = foldScene(whole, groups, open);
        Scene changed = whole;
        const std::uint32_t grown = 50;
        changed.nodes[grown].rows = {"kernel (3, 3)", "a row that is wider than all that stood there so far"};
        measureBox(changed.nodes[grown]);
        const FoldedScene after = foldScene(changed, groups, open, before.memo.get());
        checkDrawing(groups, after);
        std::map<std::pair<long, long>, std::size_t> moves;
        for (std::uint32_t i = 0; i < whole.nodes.size(); ++i) {
            const LayoutPoint a = before.scene.layout.positions[i];
            const LayoutPoint b = after.scene.layout.positions[i];
            moves[{std::lround(b.x - a.x), std::lround(b.y - a.y)}] += 1;
        }
        // All above it and all below it moved as one; but for its own unit.
        std::vector<std::size_t> counts;
        for (const auto& [move, count] : moves) {
            counts.push_back(count);
        }
        std::ranges::sort(counts, std::greater());
        QVERIFY(counts.size() >= 2 && counts[0] + counts[1] + 8 >= whole.nodes.size());
        // Changed back, it is drawn as it was.
        const FoldedScene back = foldScene(whole, groups, open, after.memo.get());
        QCOMPARE(back.scene.layout.positions, before.scene.layout.positions);
    }

    void laysOutToTheRight()
    {
        const Scene whole = stages(3, 3);
        const SceneGroups groups = groupsOf(whole);
        const FoldedScene folded =
            foldScene(whole, groups, OpenGroups(groups.groups.size(), true), nullptr, {}, Flow::Right);
        const auto& scene = folded.scene;
        QVERIFY(scene.layout.width > 2 * scene.layout.height);
        for (std::uint32_t a = 0; a < scene.nodes.size(); ++a) {
            for (std::uint32_t b = a + 1; b < scene.nodes.size(); ++b) {
                QVERIFY(!rectOf(folded, a).meets(rectOf(folded, b)));
            }
            for (const GroupFrame& frame : folded.frames) {
                if (isIn(groups, groups.ofNode[a], frame.group)) {
                    QVERIFY(rectOf(frame).holds(rectOf(folded, a)));
                    // The title's bar above is free.
                    QVERIFY(rectOf(folded, a).top >= frame.at.y + frame::titleHeight - 0.1F);
                }
            }
        }
        for (const GroupFrame& frame : folded.frames) {
            QVERIFY(frame.width >= textWidth(frame.title, frame::titleSize, true));
        }
        for (std::size_t e = 0; e < scene.edges.size(); ++e) {
            const auto& line = scene.layout.routes[e];
            const Rect from = rectOf(folded, scene.edges[e].from);
            const Rect to = rectOf(folded, scene.edges[e].to);
            QVERIFY(std::abs(line.front().x - from.right) < 0.1F && std::abs(line.back().x - to.left) < 0.1F);
            QVERIFY(line.front().y >= from.top && line.front().y <= from.bottom);
            for (std::size_t p = 1; p < line.size(); ++p) {
                QVERIFY(line[p].x >= line[p - 1].x - 0.1F);
            }
        }
    }

    void trivialGroupsGetNoFrame()
    {
        SceneMaker maker;
        for (int i = 0; i < 8; ++i) {
            maker.add("Relu", i < 3 ? "/net/small/x" : "/net/large/x");
        }
        const SceneGroups groups = groupsOf(maker.scene);
        QCOMPARE(groups.groups.size(), std::size_t{1}); // "net" is around all, "small" around three
        QCOMPARE(groups.groups.front().name, std::string("large"));
        QCOMPARE(groups.groups.front().nodes, (std::vector<std::uint32_t>{3, 4, 5, 6, 7}));
    }

    void aGroupThatSurroundsOthersGetsNoFrame()
    {
        SceneMaker maker;
        for (int i = 0; i < 15; ++i) {
            maker.add("Relu", i < 5 || i >= 10 ? "/shell/x" : "/core/x");
        }
        const SceneGroups groups = groupsOf(maker.scene);
        QCOMPARE(groups.groups.size(), std::size_t{1});
        QCOMPARE(groups.groups.front().name, std::string("core"));
    }
};

QTEST_APPLESS_MAIN(TestFolding)
#include "tst_folding.moc"
