#include "ui/models/attribute_details.h"

#include "core/graph/attribute_text.h"
#include "core/graph/operator_info.h"
#include "ui/document/conversion_marks.h"
#include "ui/models/number_text.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxDetailNumbers = 32;

/// Many files store float32, and the graph holds doubles: 1e-05 rather than 9.999999747378752e-06.
QString numberText(double number)
{
    const bool isFloat32 = static_cast<double>(static_cast<float>(number)) == number;
    return shortestText(number, isFloat32 ? ElementType::Float32 : ElementType::Float64, QLocale::c());
}

template <typename T>
QString joined(const std::vector<T>& values)
{
    QStringList words;
    for (std::size_t i = 0; i < std::min(values.size(), maxDetailNumbers); ++i) {
        if constexpr (std::is_same_v<T, std::string>) {
            words.append(displayText(values[i]));
        } else if constexpr (std::is_same_v<T, double>) {
            words.append(numberText(values[i]));
        } else {
            words.append(QString::number(values[i]));
        }
    }
    if (values.size() > maxDetailNumbers) {
        words.append(QCoreApplication::translate("crosswalk::ui::Words", "\u2026 %1 in all").arg(values.size()));
    }
    return QStringLiteral("(%1)").arg(words.join(QStringLiteral(", ")));
}

struct Writer {
    const Graph& graph;
    QString operator()(std::int64_t v) const { return QString::number(v); }
    QString operator()(double v) const { return numberText(v); }
    QString operator()(const std::string& v) const { return displayText(v.substr(0, 400)); }
    QString operator()(const std::vector<std::int64_t>& v) const { return joined(v); }
    QString operator()(const std::vector<double>& v) const { return joined(v); }
    QString operator()(const std::vector<std::string>& v) const { return joined(v); }
    QString operator()(TensorId v) const
    {
        const Tensor& tensor = graph.tensor(v);
        QString type = typeText({tensor.type(), shapeOf(tensor.dims())});
        if (tensor.elements() == 1 && isNumeric(tensor.type())) {
            return QStringLiteral("%1 = %2").arg(type, elementText(tensor, 0, QLocale::c()));
        }
        return type;
    }
    QString operator()(SubgraphId v) const
    {
        const auto nodes = static_cast<int>(graph.subgraph(v).nodeCount());
        return counted(nodes, Words::tr("body of 1 node"), Words::tr("body of %Ln nodes", nullptr, nodes));
    }
    QString operator()(const std::vector<SubgraphId>& v) const
    {
        const auto bodies = static_cast<int>(v.size());
        return counted(bodies, Words::tr("1 body"), Words::tr("%Ln bodies", nullptr, bodies));
    }
    template <typename Other>
    QString operator()(const Other& v) const
    {
        return displayText(crosswalk::attributeText(AttributeValue(v), graph, {.longestText = 400}));
    }
};

/// A single line, truncated if very long.
QString valueText(const Graph& graph, const Attribute& attribute)
{
    const Writer writer{graph};
    return attribute.text.empty() ? std::visit(writer, attribute.value) : writer(attribute.text);
}

/// Equal, or a list that contains only the default: "(1, 1)" if each element defaults to 1.
bool isDefault(const QString& value, const QString& byDefault)
{
    if (value == byDefault) {
        return true;
    }
    if (!value.startsWith(u'(') || !value.endsWith(u')') || byDefault.isEmpty()) {
        return false;
    }
    const auto words = value.mid(1, value.size() - 2).split(u',', Qt::SkipEmptyParts);
    return !words.isEmpty() &&
           std::all_of(words.begin(), words.end(), [&](const QString& word) { return word.trimmed() == byDefault; });
}

QString toolTip(const Detail& detail, const OperatorDoc::Attribute* doc)
{
    QString text = QStringLiteral("%1 = %2").arg(detail.name, detail.value);
    if (doc != nullptr && !doc->defaultValue.empty()) {
        text += u'\n' + Words::tr("By default %1.").arg(displayText(doc->defaultValue));
    }
    if (doc != nullptr && !doc->text.empty()) {
        text += u'\n' + messageText(doc->text).simplified();
    }
    return text;
}

void markProblem(Detail& detail, const DocumentView& document, const Graph& graph, const Node& node,
                 const std::string& name, const std::string& label)
{
    for (const auto& problem : document.problems()) {
        const auto concerned = gapAttributes(problem, graph, node);
        if (problem.node == label && std::find(concerned.begin(), concerned.end(), name) != concerned.end()) {
            detail.emphasised = true;
            detail.icon = icon(QLatin1String("warning"), IconTint::Approximate);
            detail.toolTip = messageText(problem.message);
        }
    }
}

} // namespace

DetailSection attributeDetails(const DocumentView& document, const GraphSide& side, const Node& node,
                               const std::string& label)
{
    const OperatorDoc doc = operatorInfo(*side.graph, node).doc(*side.graph, node);
    DetailSection section{Words::tr("Attributes"), {}};
    for (const auto& attribute : node.attributes) {
        Detail detail{displayText(attribute.name), valueText(*side.graph, attribute)};
        const auto* known = doc.attribute(attribute.name);
        detail.isDefault = known != nullptr && isDefault(detail.value, displayText(known->defaultValue));
        detail.toolTip = toolTip(detail, known);
        markProblem(detail, document, *side.graph, node, attribute.name, label);
        section.details.push_back(std::move(detail));
    }
    for (const auto& known : doc.attributes) {
        const bool isGiven = std::any_of(node.attributes.begin(), node.attributes.end(),
                                         [&](const Attribute& given) { return given.name == known.name; });
        if (!isGiven && !known.defaultValue.empty()) {
            Detail detail{displayText(known.name), Words::tr("%1 (default)").arg(displayText(known.defaultValue))};
            detail.isDefault = true;
            detail.toolTip = toolTip({detail.name, displayText(known.defaultValue)}, &known);
            section.details.push_back(std::move(detail));
        }
    }
    return section;
}

} // namespace crosswalk::ui
