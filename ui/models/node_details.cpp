#include "ui/models/node_details.h"

#include "core/convert/source_names.h"
#include "core/graph/parameters.h"
#include "core/layout/constants.h"
#include "ui/document/conversion_marks.h"
#include "ui/document/graph_selection.h"
#include "ui/document/verifier.h"
#include "ui/models/attribute_details.h"
#include "ui/models/box_title.h"
#include "ui/models/difference_details.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"

#include <algorithm>
#include <map>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxCounterparts = 64;
constexpr std::size_t maxValues = 256; ///< values of one kind: a node may concatenate thousands

Detail valueDetail(const GraphSide& side, ValueId id, const TensorType& type)
{
    const Value& value = side.graph->value(id);
    Detail detail{displayText(value.name), typeText(type)};
    if (detail.value.isEmpty()) {
        detail.value = QCoreApplication::translate("crosswalk::ui::Words", "unknown");
    }
    detail.toolTip = QStringLiteral("%1   %2").arg(detail.name, detail.value);
    detail.box = value.producer ? side.boxOf(value.producer) : side.boxOf(id);
    return detail;
}

Detail valueDetail(const DocumentView& document, Side side, ValueId id)
{
    Detail detail = valueDetail(*document.side(side), id, typeOf(document, side, id));
    if (side == Side::Source && document.converted() && id.index < document.converted()->typesBefore.size()) {
        const TensorType& before = document.converted()->typesBefore[id.index];
        if (before != typeOf(document, side, id)) {
            const QString was = typeText(before);
            detail.value += was.isEmpty() ? Words::tr(" (was unknown)") : Words::tr(" (was %1)").arg(was);
            detail.toolTip = QStringLiteral("%1   %2").arg(detail.name, detail.value);
        }
    }
    return detail;
}

DetailSection readers(const GraphSide& side, const std::vector<ValueId>& values)
{
    DetailSection section{Words::tr("Read by"), {}};
    for (const auto value : values) {
        for (const auto reader : side.consumers.of(value)) {
            if (section.details.size() == maxCounterparts) {
                section.details.push_back({QStringLiteral("\u2026"), Words::tr("and more")});
                return section;
            }
            const Node& node = side.graph->node(reader);
            section.details.push_back({displayText(node.op),
                                       displayText(side.names.of(reader)),
                                       {},
                                       {},
                                       side.boxOf(reader),
                                       false,
                                       {},
                                       {},
                                       true});
        }
    }
    return section;
}

DetailSection counterpartSection(const DocumentView& document, Side from)
{
    const bool isComparing = document.compared() != nullptr;
    DetailSection section{isComparing            ? Words::tr("In the other model")
                          : from == Side::Source ? Words::tr("In ONNX")
                                                 : Words::tr("In the source"),
                          {}};
    const auto& other = document.side(from == Side::Source ? Side::Target : Side::Source);
    if (!other || document.selection().side() != from) {
        return section;
    }
    for (const auto box : document.selection().counterparts()) {
        if (section.details.size() == maxCounterparts) {
            section.details.push_back({QStringLiteral("\u2026"), Words::tr("and more")});
            break;
        }
        section.details.push_back(
            {boxTitle(other->box(box)), displayText(other->label(box)), {}, {}, box, true, {}, {}, true});
    }
    return section;
}

/// The key of a variable in its checkpoint; empty for any other node.
std::string keyOf(const DocumentView& document, const GraphSide& side, NodeId node)
{
    const auto* loaded = document.loaded();
    if (loaded == nullptr || !node || loaded->graph != side.graph) {
        return {};
    }
    const auto key = loaded->storageKeys.find(node);
    return key != loaded->storageKeys.end() ? key->second : std::string();
}

/// Key and file of a stored tensor, where these are known.
void addStorage(DetailSection& section, const std::string& key, const Tensor& content)
{
    if (!key.empty()) {
        section.details.push_back({.name = Words::tr("Key"), .value = displayText(key), .valueIsName = true});
    }
    for (const std::string& file : filesOf(content)) {
        section.details.push_back({.name = Words::tr("File"), .value = displayText(file), .valueIsName = true});
    }
}

/// `detail` is called only for the values shown: a node may read thousands.
template <typename MakeDetail>
void addValue(DetailSection& section, std::size_t all, MakeDetail detail)
{
    if (section.details.size() < maxValues) {
        section.details.push_back(detail());
    } else if (section.details.size() == maxValues) {
        section.details.push_back({QStringLiteral("\u2026"), Words::tr("and more, %1 in all").arg(all)});
    }
}

} // namespace

TensorType typeOf(const DocumentView& document, Side side, ValueId value)
{
    const KnownTypes types = side == Side::Source ? knownTypes(document) : KnownTypes();
    return types.of(*document.side(side)->graph, value);
}

bool isAbout(const Diagnostic& problem, const GraphSide& side, NodeId node)
{
    return problem.nodeIndex ? *problem.nodeIndex == node.index : problem.node == side.names.of(node);
}

KnownTypes knownTypes(const DocumentView& document)
{
    return document.converted() ? KnownTypes(document.converted()->conversion) : KnownTypes();
}

namespace {

template <typename Describe>
std::vector<DetailSection> detailsOf(const DocumentView& document, const GraphSide& graphSide, std::uint32_t box,
                                     const std::string& written, Describe describe)
{
    const Graph& graph = *graphSide.graph;
    const SceneNode& sceneNode = graphSide.box(box);
    std::vector<DetailSection> sections;
    if (sceneNode.kind != SceneNode::Kind::Operator) {
        sections.push_back({sceneNode.kind == SceneNode::Kind::Input ? Words::tr("Input") : Words::tr("Output"),
                            {describe(sceneNode.value)}});
        sections.front().details.front().box.reset();
        if (sceneNode.kind == SceneNode::Kind::Input) {
            sections.push_back(readers(graphSide, {sceneNode.value}));
        }
        return sections;
    }
    const Node& node = graph.node(sceneNode.node);
    sections.push_back(attributeDetails(document, graphSide, node, written));
    DetailSection inputs{Words::tr("Inputs"), {}};
    DetailSection weights{Words::tr("Weights"), {}};
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!node.inputs[i]) {
            continue;
        }
        if (std::min(inputs.details.size(), weights.details.size()) > maxValues) {
            break;
        }
        const auto stored = storedBehind(graph, graphSide.isStoredAlone, node.inputs[i]);
        if (stored.empty()) {
            addValue(inputs, node.inputs.size(), [&] { return describe(node.inputs[i]); });
        }
        for (const ValueId id : stored) {
            addValue(weights, node.inputs.size(), [&] {
                Detail detail = describe(id);
                const Tensor& content = *storedTensor(graph, id);
                if (graph.value(id).producer) { // the value of a variable is a handle
                    detail.value = typeText({content.type(), shapeOf(content.dims())});
                }
                detail.value += beforeExtra + bytesText(content.bytes());
                detail.tensor = id;
                detail.box.reset();
                detail.toolTip = QStringLiteral("%1   %2").arg(detail.name, detail.value);
                DetailSection storage;
                addStorage(storage, keyOf(document, graphSide, graph.value(id).producer), content);
                for (const Detail& line : storage.details) {
                    detail.toolTip += QStringLiteral("\n%1: %2").arg(line.name, line.value);
                }
                return detail;
            });
        }
    }
    DetailSection storage{Words::tr("Stored in the file"), {}};
    for (const ValueId output : node.outputs) { // outputs of a constant or a variable
        if (const Tensor* content = output ? storedTensor(graph, output) : nullptr) {
            Detail detail{displayText(graph.value(output).name), typeText({content->type(), shapeOf(content->dims())})};
            detail.value += beforeExtra + bytesText(content->bytes());
            detail.toolTip = QStringLiteral("%1   %2").arg(detail.name, detail.value);
            detail.tensor = output;
            weights.details.push_back(std::move(detail));
            addStorage(storage, keyOf(document, graphSide, sceneNode.node), *content);
        }
    }
    DetailSection outputs{Words::tr("Outputs"), {}};
    for (std::size_t i = 0; i < std::min(node.outputs.size(), maxValues + 1); ++i) {
        if (node.outputs[i] && !graph.value(node.outputs[i]).name.empty()) { // ONNX: an output that is left out
            addValue(outputs, node.outputs.size(), [&] {
                Detail detail = describe(node.outputs[i]);
                detail.box.reset();
                return detail;
            });
        }
    }
    sections.push_back(std::move(inputs));
    sections.push_back(std::move(weights));
    sections.push_back(std::move(storage));
    sections.push_back(std::move(outputs));
    sections.push_back(readers(graphSide, node.outputs));
    return sections;
}

/// Whether the node only lacks shapes: most nodes of a model with unknown input shapes convert as soon as these are
/// set.
QString gapSentence(const DocumentView& document, NodeId node)
{
    const Conversion& conversion = document.converted()->conversion;
    const GraphSide& source = *document.side(Side::Source);
    if (std::ranges::find(conversion.behindGaps, node) != conversion.behindGaps.end()) {
        const auto& causes = document.causes();
        const auto cause = std::ranges::find_if(
            causes, [&](const ProblemCause& one) { return std::ranges::find(one.blocked, node) != one.blocked.end(); });
        const Code code = cause != causes.end() ? document.problems()[cause->problems.front()].code : Code("none");
        return code == Code("unknown-shape") ? Words::tr("Blocked until the shapes of the inputs are given.")
               : code == Code("missing-weight")
                   ? Words::tr("Blocked until the missing weights are given.")
                   : Words::tr("Blocked: its shapes are unknown until the gap before it is closed.");
    }
    const auto problem = std::ranges::find_if(conversion.problems, [&](const Diagnostic& found) {
        return found.severity == Severity::Error && isAbout(found, source, node);
    });
    if (problem == conversion.problems.end() || problem->code == Code("unsupported-operator")) {
        return Words::tr("ONNX has no equivalent operator: exported as a named gap.");
    }
    if (source.graph->format == "onnx") {
        return Words::tr("Unchanged from the source, which does not match the requested settings.");
    }
    return problem->code == Code("unknown-shape")
               ? Words::tr("Blocked: the shape of an input is unknown.")
               : Words::tr("Not converted with these settings: exported as a named gap.");
}

/// The name of a box in a body as problems spell it: with the path of its enclosing nodes.
std::string writtenName(const DocumentView& document, const GraphSide& body, const BodyPlace& place, std::uint32_t box)
{
    const auto& model = document.side(place.side);
    const NodeId node = body.box(box).node;
    const bool isKnown = model && node && graphAt(*model->graph, place.path) == body.graph.get();
    return isKnown ? SourceNames(*model->graph).of({place.path, node}) : body.label(box);
}

/// The gaps in the bodies of a node of the graph at the end of `path`, as a sentence; empty if there are none.
QString innerGapsSentence(const Conversion& conversion, const GraphPath& path, NodeId node)
{
    const auto gaps = static_cast<int>(std::ranges::count_if(conversion.problems, [&](const Diagnostic& problem) {
        return problem.severity == Severity::Error && problem.path.size() > path.size() &&
               nodeIn(path, problem) == node;
    }));
    return gaps == 0 ? QString()
                     : u' ' + counted(gaps, Words::tr("Its body has 1 gap."),
                                      Words::tr("Its body has %Ln gaps.", nullptr, gaps));
}

} // namespace

std::vector<DetailSection> nodeDetails(const DocumentView& document, Side side, std::uint32_t box)
{
    auto sections = detailsOf(document, *document.side(side), box, document.side(side)->label(box),
                              [&](ValueId value) { return valueDetail(document, side, value); });
    if (auto differences = differenceSection(document, side, box); !differences.details.empty()) {
        sections.insert(sections.begin(), std::move(differences));
    }
    sections.push_back(counterpartSection(document, side));
    return sections;
}

std::vector<DetailSection> bodyNodeDetails(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                                           std::uint32_t box)
{
    const KnownTypes types = knownTypes(document).of(*body.graph);
    auto sections = detailsOf(document, body, box, writtenName(document, body, place, box),
                              [&](ValueId value) { return valueDetail(body, value, types.of(*body.graph, value)); });
    for (DetailSection& section : sections) {
        for (Detail& detail : section.details) {
            detail.tensor = {}; // the tensor panel shows only those of the model itself
        }
    }
    return sections;
}

std::optional<Verdict> bodyVerdict(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                                   std::uint32_t box)
{
    const NodeId node = body.box(box).node;
    const auto& converted = document.converted();
    if (!converted || converted->diff || body.box(box).kind != SceneNode::Kind::Operator) {
        return std::nullopt;
    }
    if (place.side == Side::Target) {
        const bool isGap = body.graph->node(node).domain == gapDomain;
        return isGap ? std::optional(Verdict::Unsupported) : std::nullopt;
    }
    const auto verdicts = converted->conversion.bodyVerdicts.find(place.path);
    const bool isKnown = verdicts != converted->conversion.bodyVerdicts.end() && node.index < verdicts->second.size();
    return isKnown ? std::optional(verdicts->second[node.index]) : std::nullopt;
}

QString bodyVerdictSentence(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                            std::uint32_t box)
{
    const auto verdict = bodyVerdict(document, body, place, box);
    if (!verdict) {
        return {};
    }
    QString sentence;
    switch (*verdict) {
    case Verdict::Exact:
        sentence = Words::tr("Exact: one ONNX node.");
        break;
    case Verdict::Decomposed:
        sentence = Words::tr("Exact, as several ONNX nodes.");
        break;
    case Verdict::Approximate:
        sentence = Words::tr("Approximate by your choice.");
        break;
    case Verdict::Unsupported:
        sentence = Words::tr("ONNX has no equivalent operator: exported as a named gap.");
        break;
    case Verdict::Folded:
        sentence = Words::tr("Folded: replaced by a constant or by its input.");
        break;
    }
    const Conversion& conversion = document.converted()->conversion;
    return sentence + innerGapsSentence(conversion, place.path, body.box(box).node);
}

std::vector<Diagnostic> bodyProblems(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                                     std::uint32_t box)
{
    std::vector<Diagnostic> problems;
    const NodeId node = body.box(box).node;
    if (place.side == Side::Source && node && document.compared() == nullptr) {
        std::ranges::copy_if(document.problems(), std::back_inserter(problems),
                             [&](const Diagnostic& problem) { return nodeIn(place.path, problem) == node; });
    }
    return problems;
}

QString verdictSentence(const DocumentView& document, Side side, std::uint32_t box)
{
    const auto& converted = document.converted();
    const GraphSide& graphSide = *document.side(side);
    const NodeId node = graphSide.box(box).node;
    if (!converted || graphSide.box(box).kind != SceneNode::Kind::Operator) {
        return {};
    }
    if (converted->diff) {
        return changeSentence(*converted->diff, side, node);
    }
    const Conversion& conversion = converted->conversion;
    if (side == Side::Target) {
        if (node.index >= conversion.sources.size() || conversion.sources[node.index].empty()) {
            return Words::tr("Added by the conversion.");
        }
        const auto& sources = conversion.sources[node.index];
        return sources.size() == 1
                   ? Words::tr("Converted from %1.")
                         .arg(displayText(document.side(Side::Source)->names.of(sources.front())))
                   : Words::tr("Converted from %Ln source nodes.", nullptr, static_cast<int>(sources.size()));
    }
    if (node.index >= conversion.verdicts.size()) {
        return {};
    }
    const auto& targets = conversion.targets[node.index];
    QStringList ops;
    for (std::size_t i = 0; i < std::min<std::size_t>(targets.size(), 6) && converted->target; ++i) {
        if (targets[i] < converted->target.side->graph->nodeCount()) {
            ops.append(displayText(converted->target.side->graph->node(NodeId{targets[i]}).op));
        }
    }
    if (targets.size() > 6) {
        ops.append(QStringLiteral("\u2026"));
    }
    const QString list = ops.join(QStringLiteral(", "));
    const QString end =
        (targets.size() > 6 ? QString() : QStringLiteral(".")) + innerGapsSentence(conversion, {}, node);
    switch (conversion.verdicts[node.index]) {
    case Verdict::Exact:
        return Words::tr("Exact: one ONNX node, %1").arg(list) + end;
    case Verdict::Decomposed:
        return Words::tr("Exact, as %Ln ONNX nodes: %1", nullptr, static_cast<int>(targets.size())).arg(list) + end;
    case Verdict::Approximate:
        return Words::tr("Approximate by your choice: %1").arg(list) + end;
    case Verdict::Unsupported:
        return gapSentence(document, node) + innerGapsSentence(conversion, {}, node);
    case Verdict::Folded:
        if (const ValueId input = graphSide.inputOf(box)) {
            return Words::tr("An input of the ONNX graph: %1.").arg(displayText(conversion.valueNames[input.index]));
        }
        if (const auto into = conversion.mergedInto.find(node); into != conversion.mergedInto.end()) {
            return Words::tr("Part of the conversion of %1.").arg(displayText(graphSide.names.of(into->second)));
        }
        if (!converted->options.outputs.empty() && !converted->options.part) {
            return Words::tr("Left out or folded: no output depends on it, or it was replaced by a constant.");
        }
        return converted->options.part ? Words::tr("Left out: it is outside the extracted part.")
                                       : Words::tr("Folded: replaced by a constant or by its input.");
    }
    return {};
}

QString boxToolTip(const DocumentView& document, Side side, std::uint32_t box)
{
    const auto& graphSide = document.side(side);
    if (!graphSide || box >= graphSide->scene->nodes.size()) {
        return {};
    }
    const std::string label = graphSide->label(box);
    QStringList lines{boxTitle(graphSide->box(box)), displayText(label), verdictSentence(document, side, box)};
    if (document.verifier().check()) {
        lines.append(proofSentence(document, side, box));
    }
    for (const auto& problem : document.problems()) {
        if (side == Side::Source && problem.node == label) {
            lines.append(messageText(problem.message));
        }
    }
    return toolTipText(lines);
}

QString groupToolTip(const DocumentView& document, Side side, std::uint32_t group)
{
    const SceneGroup& at = document.side(side)->groups->groups[group];
    const int boxes = static_cast<int>(at.boxes);
    const QString count = counted(boxes, Words::tr("1 operator"), Words::tr("%Ln operators", nullptr, boxes));
    return toolTipText(QStringList{
        displayText(at.name),
        at.times > 1 ? Words::tr("%Ln equal blocks, %1", nullptr, static_cast<int>(at.times)).arg(count) : count,
        Words::tr("Double-click or press Enter to open it.")});
}

QString edgeToolTip(const DocumentView& document, Side side, ValueId value)
{
    const auto& graphSide = document.side(side);
    if (!graphSide || !value) {
        return {};
    }
    return toolTipText(
        QStringList{displayText(graphSide->graph->value(value).name), typeText(typeOf(document, side, value))});
}

} // namespace crosswalk::ui
