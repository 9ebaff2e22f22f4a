#include "ui/document/conversion_marks.h"

#include "core/graph/attribute_text.h"
#include "core/graph/operator_info.h"
#include "ui/document/bodies.h"
#include "ui/models/words.h"

#include <algorithm>
#include <map>

namespace crosswalk::ui {
namespace {

bool isCellClip(std::string_view attribute)
{
    const auto feature = recurrentFeature(attribute);
    return feature == RecurrentFeature::CellClip || feature == RecurrentFeature::CellClipOfNan;
}

void collectAlarms(SceneMarks& marks)
{
    for (std::uint32_t i = 0; i < marks.verdicts.size(); ++i) {
        if (marks.verdicts[i] == Verdict::Unsupported || marks.verdicts[i] == Verdict::Approximate) {
            marks.alarms.push_back(i);
        }
    }
}

/// A box has the verdict of its own node, unless a node folded into it has a more severe one.
void mark(Verdict& ofBox, Verdict verdict, bool isOwn)
{
    const auto isAlarm = [](Verdict v) { return v == Verdict::Unsupported || v == Verdict::Approximate; };
    const bool isWorse = ofBox != Verdict::Unsupported && isAlarm(verdict);
    if (isWorse || (isOwn && !isAlarm(ofBox))) {
        ofBox = verdict;
    }
}

/// A blocked node is no gap of its own: it is muted like a folded one, and no alarm.
void markBlocked(SceneMarks& marks, std::uint32_t box, bool isOwn)
{
    mark(marks.verdicts[box], Verdict::Folded, isOwn);
    if (isOwn) {
        marks.blocked.resize(marks.verdicts.size());
        marks.blocked[box] = true;
    }
}

/// ONNX nodes of a source node: its own, or those of the node that it is part of.
std::span<const std::uint32_t> targetsOf(const Conversion& conversion, NodeId node)
{
    const auto into = conversion.mergedInto.find(node);
    const bool isOwn = into == conversion.mergedInto.end() || !conversion.targets[node.index].empty();
    return conversion.targets[isOwn ? node.index : into->second.index];
}

QString gapsBadge(int gaps)
{
    return counted(gaps, Words::tr("1 gap"), Words::tr("%Ln gaps", nullptr, gaps));
}

/// Graph inputs and outputs of the other side that correspond to a value, found by its name there.
void pairValue(Side from, ValueId value, std::span<const ValueId> candidates, const GraphSide& near,
               const GraphSide& far, const Conversion& conversion, std::vector<std::uint32_t>& out)
{
    const auto exported = [&](const GraphSide& source, ValueId id) -> const std::string& {
        const bool isKnown = id.index < conversion.valueNames.size() && !conversion.valueNames[id.index].empty();
        return isKnown ? conversion.valueNames[id.index] : source.graph->value(id).name;
    };
    for (const auto id : candidates) {
        const bool isSame = from == Side::Source ? far.graph->value(id).name == exported(near, value)
                                                 : near.graph->value(value).name == exported(far, id);
        const auto box = isSame ? far.boxOf(id) : std::nullopt;
        if (box) {
            out.push_back(*box);
        }
    }
}

} // namespace

std::vector<bool> blockedNodes(const Conversion& conversion)
{
    std::vector<bool> blocked(conversion.verdicts.size());
    for (const NodeId node : conversion.behindGaps) {
        blocked[node.index] = true;
    }
    return blocked;
}

std::vector<std::string> gapAttributes(const Diagnostic& problem, const Graph& graph, const Node& node)
{
    if (problem.attribute.empty()) {
        return {};
    }
    if (!isCellClip(problem.attribute)) {
        return {problem.attribute};
    }
    // One finding for the two bounds and the rule for NaN.
    const OperatorInfo& info = operatorInfo(graph, node);
    std::vector<std::string> names;
    for (const auto& attribute : node.attributes) {
        if (isCellClip(attribute.name) && !info.isOmitted(node, attribute, attributeText(attribute, graph))) {
            names.push_back(attribute.name);
        }
    }
    return names;
}

QString badgeOf(std::string_view attribute)
{
    switch (recurrentFeature(attribute)) {
    case RecurrentFeature::CellClip:
        return Words::tr("clip");
    case RecurrentFeature::CellClipOfNan:
        return Words::tr("nan");
    case RecurrentFeature::Projection:
        return Words::tr("proj");
    case RecurrentFeature::SequenceLengths:
        return Words::tr("length");
    case RecurrentFeature::None:
        break;
    }
    return {};
}

NodeId nodeIn(const GraphPath& path, const Diagnostic& problem)
{
    const bool isWithin = problem.nodeIndex && problem.path.size() >= path.size() &&
                          std::equal(path.begin(), path.end(), problem.path.begin());
    if (!isWithin) {
        return {};
    }
    return problem.path.size() > path.size() ? NodeId{problem.path[path.size()].node}
           : path.empty()                    ? NodeId{*problem.nodeIndex}
                                             : NodeId{problem.indexInBody};
}

namespace {

SceneMarks marksAt(const GraphPath& path, const GraphSide& source, const std::vector<Verdict>& verdicts,
                   const Conversion& conversion)
{
    SceneMarks marks;
    marks.verdicts.assign(source.scene->nodes.size(), Verdict::Exact);
    const std::vector<bool> isBlocked = path.empty() ? blockedNodes(conversion) : std::vector<bool>();
    for (std::uint32_t i = 0; i < verdicts.size(); ++i) {
        if (const auto box = source.boxOf(NodeId{i})) {
            const bool isOwn = source.box(*box).node == NodeId{i};
            if (i < isBlocked.size() && isBlocked[i]) {
                markBlocked(marks, *box, isOwn);
            } else {
                mark(marks.verdicts[*box], verdicts[i], isOwn);
            }
        }
    }
    // A graph input is an input on the other side, too.
    for (const ValueId input : source.graph->inputs) {
        const auto box = source.boxOf(input);
        if (box && marks.verdicts[*box] == Verdict::Folded) {
            marks.verdicts[*box] = Verdict::Exact;
        }
    }
    std::map<std::uint32_t, int> bodyGaps; // by node
    for (const auto& problem : conversion.problems) {
        const NodeId node = nodeIn(path, problem);
        if (!node || node.index >= source.graph->nodeCount()) {
            continue;
        }
        if (problem.path.size() > path.size()) {
            bodyGaps[node.index] += problem.severity == Severity::Error ? 1 : 0;
            continue;
        }
        for (const auto& attribute : gapAttributes(problem, *source.graph, source.graph->node(node))) {
            const QString badge = badgeOf(attribute);
            const auto box = source.boxOf(node);
            if (!badge.isEmpty() && box && !marks.badges[*box].contains(badge)) {
                marks.badges[*box].append(badge);
            }
        }
    }
    for (const auto& [node, gaps] : bodyGaps) {
        if (const auto box = source.boxOf(NodeId{node}); box && gaps > 0) {
            marks.badges[*box].append(gapsBadge(gaps));
        }
    }
    collectAlarms(marks);
    return marks;
}

bool isGap(const Node& node)
{
    return node.domain == gapDomain;
}

/// The number of gaps in the bodies of a node, at any depth.
int gapsWithin(const Graph& graph, const Node& node)
{
    int gaps = 0;
    for (const Subgraph& body : subgraphsOf(graph, node, graph)) {
        for (const Node& inner : body.graph->nodes()) {
            gaps += (isGap(inner) ? 1 : 0) + gapsWithin(*body.graph, inner);
        }
    }
    return gaps;
}

void addGapBadges(SceneMarks& marks, const GraphSide& target)
{
    for (std::uint32_t i = 0; i < target.graph->nodeCount(); ++i) {
        const int gaps = gapsWithin(*target.graph, target.graph->node(NodeId{i}));
        const auto box = gaps > 0 ? target.boxOf(NodeId{i}) : std::nullopt;
        if (box) {
            marks.badges[*box].append(gapsBadge(gaps));
        }
    }
}

} // namespace

SceneMarks sourceMarks(const GraphSide& source, const Conversion& conversion)
{
    return marksAt({}, source, conversion.verdicts, conversion);
}

std::shared_ptr<const SceneMarks> sourceBodyMarks(const GraphSide& body, const Conversion& conversion,
                                                  const GraphPath& path)
{
    const auto verdicts = conversion.bodyVerdicts.find(path);
    return verdicts != conversion.bodyVerdicts.end()
               ? std::make_shared<const SceneMarks>(marksAt(path, body, verdicts->second, conversion))
               : nullptr;
}

std::shared_ptr<const SceneMarks> targetBodyMarks(const GraphSide& body)
{
    auto marks = std::make_shared<SceneMarks>();
    marks->verdicts.assign(body.scene->nodes.size(), Verdict::Exact);
    for (std::uint32_t i = 0; i < body.graph->nodeCount(); ++i) {
        if (const auto box = body.boxOf(NodeId{i}); box && isGap(body.graph->node(NodeId{i}))) {
            marks->verdicts[*box] = Verdict::Unsupported;
        }
    }
    addGapBadges(*marks, body);
    collectAlarms(*marks);
    return marks;
}

SceneMarks targetMarks(const GraphSide& target, const Conversion& conversion)
{
    SceneMarks marks;
    marks.verdicts.assign(target.scene->nodes.size(), Verdict::Exact);
    const std::vector<bool> isBlocked = blockedNodes(conversion);
    for (std::uint32_t i = 0; i < conversion.sources.size() && i < target.graph->nodeCount(); ++i) {
        const auto box = target.boxOf(NodeId{i});
        if (!box) {
            continue;
        }
        const auto& sources = conversion.sources[i];
        if (!sources.empty() && std::ranges::all_of(sources, [&](NodeId node) { return isBlocked[node.index]; })) {
            markBlocked(marks, *box, target.box(*box).node == NodeId{i});
            continue;
        }
        Verdict verdict = isGap(target.graph->node(NodeId{i})) ? Verdict::Unsupported : Verdict::Exact;
        for (const auto source : conversion.sources[i]) {
            const auto of = conversion.verdicts[source.index];
            const bool isWorse = of == Verdict::Unsupported ||
                                 (of == Verdict::Approximate && verdict != Verdict::Unsupported) ||
                                 (of == Verdict::Decomposed && verdict == Verdict::Exact);
            verdict = isWorse ? of : verdict;
        }
        mark(marks.verdicts[*box], verdict, target.box(*box).node == NodeId{i});
    }
    addGapBadges(marks, target);
    collectAlarms(marks);
    return marks;
}

std::vector<NodeId> changedNodes(const Graph& source, const Conversion& conversion,
                                 const std::vector<TensorType>& before)
{
    std::vector<NodeId> changed;
    if (before.size() != conversion.valueTypes.size()) {
        return changed;
    }
    for (std::uint32_t i = 0; i < source.nodeCount(); ++i) {
        const auto& outputs = source.node(NodeId{i}).outputs;
        if (std::any_of(outputs.begin(), outputs.end(),
                        [&](ValueId v) { return before[v.index] != conversion.valueTypes[v.index]; })) {
            changed.push_back(NodeId{i});
        }
    }
    return changed;
}

void markChangedShapes(SceneMarks& marks, Side side, const GraphSide& graphSide, const Conversion& conversion,
                       const Graph& source, const std::vector<TensorType>& before)
{
    const auto add = [&](NodeId node) {
        if (const auto box = graphSide.boxOf(node); box && !marks.badges[*box].contains(shapeBadge())) {
            marks.badges[*box].append(shapeBadge());
        }
    };
    for (const auto node : changedNodes(source, conversion, before)) {
        if (side == Side::Source) {
            add(node);
            continue;
        }
        for (const auto target : conversion.targets[node.index]) {
            add(NodeId{target});
        }
    }
}

std::vector<std::uint32_t> counterparts(Side from, const std::vector<std::uint32_t>& boxes, const GraphSide& source,
                                        const GraphSide& target, const Conversion& conversion)
{
    const GraphSide& near = from == Side::Source ? source : target;
    const GraphSide& far = from == Side::Source ? target : source;
    std::vector<std::uint32_t> found;
    std::vector<bool> isSource; ///< by node: of a selected box of the target
    const auto addNode = [&](NodeId id) {
        if (const auto box = far.boxOf(id)) {
            found.push_back(*box);
        }
    };
    for (const auto i : boxes) {
        const SceneNode& box = near.box(i);
        if (const ValueId input = near.inputOf(i)) {
            pairValue(from, input, far.graph->inputs, near, far, conversion, found);
        } else if (box.kind == SceneNode::Kind::Output) {
            pairValue(from, box.value, far.graph->outputs, near, far, conversion, found);
        } else if (from == Side::Source && box.node.index < conversion.targets.size()) {
            for (const auto target : targetsOf(conversion, box.node)) {
                addNode(NodeId{target});
            }
        } else if (from == Side::Target && box.node.index < conversion.sources.size()) {
            for (const NodeId of : conversion.sources[box.node.index]) {
                addNode(of);
                isSource.resize(std::max<std::size_t>(isSource.size(), of.index + 1));
                isSource[of.index] = true;
            }
        }
    }
    for (const auto& [node, into] : conversion.mergedInto) {
        if (into.index < isSource.size() && isSource[into.index]) {
            addNode(node);
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace crosswalk::ui
