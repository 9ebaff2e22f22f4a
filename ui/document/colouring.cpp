#include "ui/document/colouring.h"

#include "core/onnx/onnx_model.h"
#include "core/onnx/work.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace crosswalk::ui {
namespace {

constexpr std::size_t sideCount = 2;

Tint amountTint(std::size_t index)
{
    return static_cast<Tint>(static_cast<std::size_t>(Tint::Least) + index);
}

/// The amounts of the boxes of a side; NaN for a box without a known amount.
class Amounts {
public:
    explicit Amounts(const GraphSide& side)
        : m_side(side)
        , m_ofBox(side.scene->nodes.size())
    {
    }
    /// std::nullopt: the amount is unknown.
    void add(NodeId node, std::optional<double> amount)
    {
        if (const auto box = m_side.boxOf(node)) {
            double& sum = m_ofBox[*box];
            if (amount) {
                sum = *amount + (std::isnan(sum) ? 0 : sum);
            } else if (sum <= 0) {
                sum = std::nan("");
            }
        }
    }
    std::vector<double> take() { return std::move(m_ofBox); }

private:
    const GraphSide& m_side;
    std::vector<double> m_ofBox;
};

std::optional<double> amountOf(Colouring colouring, const LayerRow& row)
{
    switch (colouring) {
    case Colouring::Parameters:
        return static_cast<double>(row.weights.elements);
    case Colouring::Bytes:
        return static_cast<double>(row.weights.bytes);
    default:
        if (row.multiplyAdds) {
            return static_cast<double>(*row.multiplyAdds);
        }
        return row.countedAt ? std::optional(0.0) : std::nullopt;
    }
}

std::vector<double> sourceAmounts(Colouring colouring, const ColouringInput& input)
{
    Amounts amounts(*input.source);
    if (colouring == Colouring::Latency) {
        const auto times = sourceLatencies(input.source->graph->nodeCount(), *input.conversion, *input.latencies);
        for (std::uint32_t i = 0; i < times.size(); ++i) {
            amounts.add(NodeId{i}, times[i].value_or(0));
        }
    } else {
        for (const LayerRow& row : input.layers->rows) {
            amounts.add(row.node, amountOf(colouring, row));
        }
    }
    return amounts.take();
}

std::vector<double> targetAmounts(Colouring colouring, const ColouringInput& input)
{
    const Graph& graph = *input.target->graph;
    Amounts amounts(*input.target);
    if (colouring == Colouring::Latency) {
        for (std::uint32_t i = 0; i < input.latencies->nodes.size() && i < graph.nodeCount(); ++i) {
            amounts.add(NodeId{i}, input.latencies->nodes[i].value_or(0));
        }
    } else if (colouring == Colouring::Work) {
        const auto works = worksByNode(graph);
        for (std::uint32_t i = 0; i < works.size(); ++i) {
            const bool isKnown = works[i].unknownNodes == 0 && graph.node(NodeId{i}).domain != gapDomain;
            amounts.add(NodeId{i}, isKnown ? std::optional(static_cast<double>(works[i].multiplyAdds)) : std::nullopt);
        }
    } else {
        for (const LayerRow& row : layerTable(graph).rows) {
            amounts.add(row.node, amountOf(colouring, row));
        }
    }
    return amounts.take();
}

/// Steps of 1 and 3 times powers of ten, ascending, the last one at most the largest amount.
std::vector<double> stepsBelow(double largest)
{
    std::vector<double> steps(amountSteps);
    if (largest <= 0) {
        return {};
    }
    double power = std::pow(10, std::floor(std::log10(largest)));
    bool isThree = largest >= 3 * power;
    for (std::size_t i = amountSteps; i-- > 0;) {
        steps[i] = isThree ? 3 * power : power;
        power = isThree ? power : power / 10;
        isThree = !isThree;
    }
    return steps;
}

QString amountText(Colouring colouring, double amount)
{
    switch (colouring) {
    case Colouring::Bytes:
        return bytesText(static_cast<std::uint64_t>(std::llround(amount)));
    case Colouring::Latency:
        return amount < 1e-3 ? QCoreApplication::translate("crosswalk::ui::Words", "%L1 \u00b5s").arg(amount * 1e6)
                             : secondsText(amount);
    default:
        return countText(static_cast<std::uint64_t>(std::llround(amount)));
    }
}

std::vector<std::size_t> countTints(const SceneMarks& marks)
{
    std::vector<std::size_t> counts(tintCount);
    for (const Tint tint : marks.tints) {
        ++counts[static_cast<std::size_t>(tint)];
    }
    return counts;
}

const SceneMarks& countedMarks(const ColouredSides& coloured)
{
    return *(coloured.marks[0] ? coloured.marks[0] : coloured.marks[1]);
}

ColouredSides byAmount(Colouring colouring, const ColouringInput& input)
{
    std::array<std::vector<double>, sideCount> amounts;
    amounts[0] = sourceAmounts(colouring, input);
    if (input.target) {
        amounts[1] = targetAmounts(colouring, input);
    }
    double largest = 0;
    for (const auto& ofSide : amounts) {
        for (const double amount : ofSide) {
            largest = amount > largest ? amount : largest; // not for NaN
        }
    }
    const auto steps = stepsBelow(largest);
    ColouredSides coloured{colouring, {}, {}};
    for (std::size_t side = 0; side < sideCount; ++side) {
        if (!input.marks[side]) {
            continue;
        }
        auto marks = std::make_shared<SceneMarks>(*input.marks[side]);
        marks->steps = steps;
        marks->amounts = std::move(amounts[side]);
        marks->tints.resize(marks->amounts.size());
        std::ranges::transform(marks->amounts, marks->tints.begin(),
                               [&steps](double amount) { return tintOfAmount(amount, steps); });
        coloured.marks[side] = std::move(marks);
    }
    const auto counts = countTints(countedMarks(coloured));
    for (std::size_t i = steps.size(); i-- > 0;) {
        const Tint tint = amountTint(i);
        const QString name = i == 0 ? Words::tr("below %1").arg(amountText(colouring, steps[1]))
                                    : Words::tr("%1 and more").arg(amountText(colouring, steps[i]));
        coloured.legend.push_back({colourOf(tint), name, counts[static_cast<std::size_t>(tint)]});
    }
    coloured.legend.push_back({colourOf(Tint::None),
                               colouring == Colouring::Latency ? Words::tr("not measured") : Words::tr("none"),
                               counts[static_cast<std::size_t>(Tint::None)]});
    coloured.legend.push_back(
        {colourOf(Tint::Blocked), Words::tr("unknown"), counts[static_cast<std::size_t>(Tint::Blocked)]});
    std::erase_if(coloured.legend, [](const ColourEntry& entry) { return entry.boxes == 0; });
    return coloured;
}

ElementType elementOf(const GraphSide& side, const KnownTypes& types, std::uint32_t index)
{
    const SceneNode& box = side.box(index);
    ValueId value = box.value;
    if (box.kind == SceneNode::Kind::Operator) {
        const auto& outputs = side.graph->node(box.node).outputs;
        const auto first = std::ranges::find_if(outputs, [](ValueId output) { return bool(output); });
        value = first != outputs.end() ? *first : ValueId{};
    }
    return value ? types.of(*side.graph, value).element : ElementType::Undefined;
}

ColouredSides byType(const ColouringInput& input)
{
    std::array<std::vector<ElementType>, sideCount> elements;
    std::map<ElementType, std::size_t> frequency;
    for (std::size_t side = 0; side < sideCount; ++side) {
        const auto& graphSide = side == 0 ? input.source : input.target;
        const KnownTypes types = side == 0 ? KnownTypes(*input.conversion) : KnownTypes();
        for (std::uint32_t i = 0; input.marks[side] && i < graphSide->scene->nodes.size(); ++i) {
            elements[side].push_back(elementOf(*graphSide, types, i));
            frequency[elements[side].back()] += 1;
        }
    }
    frequency.erase(ElementType::Undefined);
    std::vector<std::pair<ElementType, std::size_t>> ordered(frequency.begin(), frequency.end());
    std::ranges::stable_sort(ordered, std::greater(), &std::pair<ElementType, std::size_t>::second);
    std::map<ElementType, Tint> tints;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        // Of more types than colours, the rare ones share the last colour.
        tints[ordered[i].first] = static_cast<Tint>(static_cast<std::size_t>(Tint::Kind1) + std::min(i, kindCount - 1));
    }
    ColouredSides coloured{Colouring::Type, {}, {}};
    for (std::size_t side = 0; side < sideCount; ++side) {
        if (input.marks[side]) {
            auto marks = std::make_shared<SceneMarks>(*input.marks[side]);
            std::ranges::transform(elements[side], std::back_inserter(marks->tints), [&tints](ElementType element) {
                const auto found = tints.find(element);
                return found != tints.end() ? found->second : Tint::None;
            });
            coloured.marks[side] = std::move(marks);
        }
    }
    const auto counts = countTints(countedMarks(coloured));
    std::map<Tint, QStringList> names;
    for (const auto& [element, many] : ordered) {
        names[tints[element]].append(fromUtf8(elementTypeName(element)));
    }
    for (const auto& [tint, types] : names) {
        coloured.legend.push_back(
            {colourOf(tint), types.join(QStringLiteral(", ")), counts[static_cast<std::size_t>(tint)]});
    }
    coloured.legend.push_back(
        {colourOf(Tint::None), Words::tr("unknown"), counts[static_cast<std::size_t>(Tint::None)]});
    std::erase_if(coloured.legend, [](const ColourEntry& entry) { return entry.boxes == 0; });
    return coloured;
}

Tint tintOfVerdict(Verdict verdict, bool isBlocked)
{
    switch (verdict) {
    case Verdict::Exact:
        break;
    case Verdict::Decomposed:
        return Tint::Decomposed;
    case Verdict::Approximate:
        return Tint::Approximate;
    case Verdict::Unsupported:
        return Tint::Unsupported;
    case Verdict::Folded:
        return isBlocked ? Tint::Blocked : Tint::Folded;
    }
    return Tint::Exact;
}

ColouredSides byVerdict(const ColouringInput& input)
{
    ColouredSides coloured{Colouring::Verdict, {}, {}};
    for (std::size_t side = 0; side < sideCount; ++side) {
        if (input.marks[side]) {
            auto marks = std::make_shared<SceneMarks>(*input.marks[side]);
            const auto& graphSide = side == 0 ? input.source : input.target;
            marks->tints.assign(marks->verdicts.size(), Tint::None);
            for (std::uint32_t i = 0; i < marks->verdicts.size(); ++i) {
                if (graphSide->box(i).kind == SceneNode::Kind::Operator) {
                    marks->tints[i] = tintOfVerdict(marks->verdicts[i], marks->isBlocked(i));
                }
            }
            coloured.marks[side] = std::move(marks);
        }
    }
    const auto counts = countTints(countedMarks(coloured));
    const std::pair<Tint, QString> names[] = {{Tint::Unsupported, verdictWord(Verdict::Unsupported)},
                                              {Tint::Approximate, verdictWord(Verdict::Approximate)},
                                              {Tint::Decomposed, verdictWord(Verdict::Decomposed)},
                                              {Tint::Exact, verdictWord(Verdict::Exact)},
                                              {Tint::Blocked, Words::tr("blocked")},
                                              {Tint::Folded, verdictWord(Verdict::Folded)}};
    for (const auto& [tint, name] : names) {
        if (const auto boxes = counts[static_cast<std::size_t>(tint)]; boxes > 0) {
            coloured.legend.push_back({colourOf(tint), name, boxes});
        }
    }
    return coloured;
}

QString familyName(OperatorCategory category)
{
    switch (category) {
    case OperatorCategory::Recurrent:
        return Words::tr("recurrent");
    case OperatorCategory::Convolution:
        return Words::tr("convolution, matrix product");
    case OperatorCategory::Normalisation:
        return Words::tr("normalisation");
    case OperatorCategory::Activation:
        return Words::tr("activation");
    case OperatorCategory::Pooling:
        return Words::tr("pooling, resizing");
    case OperatorCategory::Shape:
        return Words::tr("shape");
    case OperatorCategory::Arithmetic:
        return Words::tr("arithmetic");
    case OperatorCategory::ControlFlow:
        return Words::tr("control flow");
    case OperatorCategory::Data:
        return Words::tr("inputs, outputs, constants");
    case OperatorCategory::Other:
        break;
    }
    return Words::tr("other");
}

ColouredSides byCategory(const ColouringInput& input)
{
    ColouredSides coloured{Colouring::Category, input.marks, {}};
    std::array<std::size_t, categoryCount> counts{};
    for (const SceneNode& node : input.source->scene->nodes) {
        ++counts[static_cast<std::size_t>(node.category)];
    }
    for (std::size_t i = 0; i < categoryCount; ++i) {
        if (counts[i] > 0) {
            const auto category = static_cast<OperatorCategory>(i);
            coloured.legend.push_back({colourOf(category), familyName(category), counts[i]});
        }
    }
    std::ranges::stable_sort(coloured.legend, std::greater(), &ColourEntry::boxes);
    return coloured;
}

} // namespace

ColourNumber colourOfBox(const GraphSide& side, const SceneMarks& marks, std::uint32_t box)
{
    return box < marks.tints.size() ? colourOf(marks.tints[box]) : colourOf(side.box(box).category);
}

std::vector<std::optional<double>> sourceLatencies(std::size_t nodes, const Conversion& conversion,
                                                   const LatencyReport& latencies)
{
    std::vector<std::optional<double>> times(nodes);
    for (std::size_t i = 0; i < latencies.nodes.size() && i < conversion.sources.size(); ++i) {
        if (latencies.nodes[i] && !conversion.sources[i].empty()) {
            auto& time = times[conversion.sources[i].front().index];
            time = time.value_or(0) + *latencies.nodes[i];
        }
    }
    return times;
}

ColouredSides colouredBy(Colouring colouring, const ColouringInput& input)
{
    if (colouring == Colouring::Category) {
        return byCategory(input);
    }
    if (input.conversion == nullptr || input.layers == nullptr) {
        return {};
    }
    switch (colouring) {
    case Colouring::Type:
        return byType(input);
    case Colouring::Verdict:
        return byVerdict(input);
    case Colouring::Latency:
        return input.latencies != nullptr ? byAmount(colouring, input) : ColouredSides();
    case Colouring::Parameters:
    case Colouring::Bytes:
    case Colouring::Work:
        return byAmount(colouring, input);
    case Colouring::Category:
    case Colouring::Error:
        break;
    }
    return {};
}

ColouredSides colouredByError(const std::array<std::shared_ptr<const SceneMarks>, 2>& withErrors)
{
    ColouredSides coloured{Colouring::Error, withErrors, {}};
    if (!withErrors[0]) {
        return coloured;
    }
    std::map<ErrorLevel, std::size_t> counts;
    for (const ErrorLevel level : withErrors[0]->errors) {
        ++counts[level];
    }
    for (const auto level :
         {ErrorLevel::Differs, ErrorLevel::Tolerated, ErrorLevel::Tiny, ErrorLevel::Same, ErrorLevel::NotCompared}) {
        if (const auto boxes = counts[level]; boxes > 0) {
            coloured.legend.push_back(
                {colourOf(Theme::tintOf(level)), errorLevelName(level, static_cast<std::ptrdiff_t>(boxes)), boxes});
        }
    }
    return coloured;
}

QString colouringName(Colouring colouring)
{
    switch (colouring) {
    case Colouring::Category:
        return Words::tr("Operator family");
    case Colouring::Parameters:
        return Words::tr("Parameters");
    case Colouring::Bytes:
        return Words::tr("Size of weights");
    case Colouring::Work:
        return Words::tr("Multiply-adds");
    case Colouring::Type:
        return Words::tr("Element type");
    case Colouring::Verdict:
        return Words::tr("Verdict");
    case Colouring::Error:
        return Words::tr("Error");
    case Colouring::Latency:
        return Words::tr("Measured latency");
    }
    return {};
}

QString colourByText(Colouring colouring)
{
    switch (colouring) {
    case Colouring::Category:
        return Words::tr("Colour by operator &family");
    case Colouring::Parameters:
        return Words::tr("Colour by &parameters");
    case Colouring::Bytes:
        return Words::tr("Colour by &size of weights");
    case Colouring::Work:
        return Words::tr("Colour by &multiply-adds");
    case Colouring::Type:
        return Words::tr("Colour by element &type");
    case Colouring::Verdict:
        return Words::tr("Colour by &verdict");
    case Colouring::Error:
        return Words::tr("Colour by &error");
    case Colouring::Latency:
        return Words::tr("Colour by measured &latency");
    }
    return {};
}

} // namespace crosswalk::ui
