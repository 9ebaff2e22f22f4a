#include "ui/document/comparison.h"

#include "ui/document/document.h"
#include "ui/jobs/at_the_same_time.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QRegularExpression>

namespace crosswalk::ui {
namespace {

SceneMarks marksOf(const GraphSide& side, const std::vector<Change>& changes)
{
    SceneMarks marks;
    marks.areChanges = true;
    marks.verdicts.assign(side.scene->nodes.size(), Verdict::Exact);
    for (std::uint32_t i = 0; i < changes.size(); ++i) {
        const auto box = side.boxOf(NodeId{i});
        // The change of a node without its own box is shown on the box of its reader if that has no change.
        if (box && changes[i] != Change::Same &&
            (side.box(*box).node == NodeId{i} || marks.verdicts[*box] == Verdict::Exact)) {
            marks.verdicts[*box] = markOf(changes[i]);
        }
    }
    for (std::uint32_t box = 0; box < marks.verdicts.size(); ++box) {
        if (marks.verdicts[box] != Verdict::Exact) {
            marks.alarms.push_back(box);
        }
    }
    return marks;
}

constexpr std::size_t maxListed = 1000; ///< nodes; F7 steps through all of them

/// The differences as diagnostics: first those of the whole model, then by node.
std::vector<Diagnostic> listed(const Graph& before, const Graph& after, const ModelDiff& diff)
{
    std::vector<Diagnostic> list;
    for (const Difference& difference : diff.model) {
        list.push_back(
            {.severity = Severity::Note, .code = "changed-model", .message = differenceText(difference).toStdString()});
    }
    const auto add = [&](Code code, const Graph& graph, const NodeNames& names, std::uint32_t i, std::string text) {
        if (list.size() < maxListed + diff.model.size()) {
            list.push_back({.severity = Severity::Note,
                            .code = code,
                            .message = std::move(text),
                            .node = names.of(NodeId{i}),
                            .nodeIndex = i,
                            .op = graph.node(NodeId{i}).op});
        }
    };
    const NodeNames names(before);
    for (std::uint32_t i = 0; i < diff.ofFirst.size(); ++i) {
        if (diff.ofFirst[i] == Change::Removed) {
            add("removed-node", before, names, i, "removed: only in the first model");
        } else if (diff.ofFirst[i] == Change::Changed) {
            QStringList texts;
            for (const Difference& difference : diff.differences[i]) {
                texts.append(differenceText(difference));
            }
            add("changed-node", before, names, i, texts.join(QStringLiteral("; ")).toStdString());
        }
    }
    const NodeNames others(after);
    for (std::uint32_t i = 0; i < diff.ofSecond.size(); ++i) {
        if (diff.ofSecond[i] == Change::Added) {
            add(addedNode, after, others, i, "added: only in the second model");
        }
    }
    return list;
}

/// Links both sides, and lists the differences.
Conversion conversionOf(const Graph& source, const Graph& other, const ModelDiff& diff)
{
    Conversion links;
    for (std::uint32_t i = 0; i < diff.ofFirst.size(); ++i) {
        const NodeId other = diff.match.ofFirst[i];
        links.verdicts.push_back(markOf(diff.ofFirst[i]));
        links.targets.push_back(other ? std::vector{other.index} : std::vector<std::uint32_t>());
    }
    for (const NodeId other : diff.match.ofSecond) {
        links.sources.push_back(other ? std::vector{other} : std::vector<NodeId>());
    }
    for (const Value& value : source.values()) {
        links.valueTypes.push_back(value.type);
    }
    links.problems = listed(source, other, diff);
    return links;
}

} // namespace

Verdict markOf(Change change)
{
    switch (change) {
    case Change::Same:
        return Verdict::Exact;
    case Change::Changed:
        return Verdict::Approximate;
    case Change::Removed:
        return Verdict::Unsupported;
    case Change::Added:
        break;
    }
    return Verdict::Decomposed;
}

QString changeText(const Difference& difference)
{
    // Core writes the dimensions of a type with the letter x: "float32 14xNx20".
    static const QRegularExpression type(QStringLiteral("^(?:b?float|u?int|complex)[0-9]+ \\S+$"));
    static const QRegularExpression times(QStringLiteral("(?<=[0-9A-Z?])x|x(?=[0-9A-Z?])"));
    const auto text = [](const std::string& value) {
        QString side = value.empty() ? QStringLiteral("\u2013") : displayText(value);
        return type.match(side).hasMatch() ? side.replace(times, QStringLiteral("\u00d7")) : side;
    };
    return QStringLiteral("%1 \u2192 %2").arg(text(difference.before), text(difference.after));
}

QString differingText(const Difference& difference)
{
    // Core names the kind of a difference, and what of that kind differs.
    const std::string_view what = difference.what;
    const std::size_t space = what.find(' ');
    const std::string_view kind = what.substr(0, space);
    const QString name = space == std::string_view::npos ? QString() : displayText(what.substr(space + 1));
    return what == "order of inputs"    ? Words::tr("order of inputs")
           : what == "order of outputs" ? Words::tr("order of outputs")
           : kind == "operator"         ? Words::tr("operator")
           : kind == "inputs"           ? Words::tr("inputs")
           : kind == "outputs"          ? Words::tr("outputs")
           : kind == "attribute"        ? Words::tr("attribute %1").arg(name)
           : kind == "weight"           ? Words::tr("weight %1").arg(name)
           : kind == "input"            ? Words::tr("input %1").arg(name)
           : kind == "output"           ? Words::tr("output %1").arg(name)
           : kind == "opset"            ? Words::tr("opset %1").arg(name)
           : kind == "function"         ? Words::tr("function %1").arg(name)
                                        : displayText(what);
}

QString differenceText(const Difference& difference)
{
    return QStringLiteral("%1: %2").arg(differingText(difference), changeText(difference));
}

std::shared_ptr<ConvertedModel> compareSides(const std::array<DrawnSide, 2>& before, std::shared_ptr<const Graph> other,
                                             std::stop_token stop)
{
    const std::shared_ptr<const Graph>& graph = before[0].side->graph;
    auto model = std::make_shared<ConvertedModel>();
    std::shared_ptr<const ModelDiff> diff;
    try {
        diff = std::make_shared<const ModelDiff>(compareGraphs(*graph, *other, stop));
    } catch (const ModelError&) {
        return nullptr; // cancelled
    }
    model->conversion = conversionOf(*graph, *other, *diff);
    atTheSameTime([&] { model->source = DrawnSide::make(graph, {}, before[0], stop); },
                  [&] { model->target = DrawnSide::make(std::move(other), {}, before[1], stop); });
    if (!model->source || !model->target) {
        return nullptr;
    }
    model->sourceMarks = std::make_shared<const SceneMarks>(marksOf(*model->source.side, diff->ofFirst));
    model->targetMarks = std::make_shared<const SceneMarks>(marksOf(*model->target.side, diff->ofSecond));
    model->diff = std::move(diff);
    return model;
}

} // namespace crosswalk::ui
