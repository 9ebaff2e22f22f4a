#include "ui/models/node_json.h"

#include "core/base/visible_text.h"
#include "core/graph/attribute_text.h"
#include "core/graph/verdict.h"
#include "ui/models/shape_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <limits>

namespace crosswalk::ui {
namespace {

QJsonValue toJson(const Shape& shape)
{
    QJsonArray dims;
    for (const Dim& dim : shape) {
        dims.append(dim.isFixed()          ? QJsonValue(qint64{dim.size})
                    : dim.symbol().empty() ? QJsonValue(QJsonValue::Null)
                                           : QJsonValue(fromUtf8(dim.symbol())));
    }
    return dims;
}

/// Numbers, texts and lists of them as such; everything else as it is written for people, at full length.
QJsonValue toJson(const AttributeValue& value, const Graph& graph)
{
    const auto list = [](const auto& items, auto convert) {
        QJsonArray array;
        for (const auto& item : items) {
            array.append(convert(item));
        }
        return QJsonValue(array);
    };
    if (std::holds_alternative<std::monostate>(value)) {
        return QJsonValue::Null;
    }
    if (const auto* flag = std::get_if<bool>(&value)) {
        return *flag;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return qint64{*number};
    }
    if (const auto* number = std::get_if<double>(&value); number != nullptr && std::isfinite(*number)) {
        return *number;
    }
    if (const auto* text = std::get_if<std::string>(&value)) {
        return fromUtf8(*text);
    }
    if (const auto* numbers = std::get_if<Ints>(&value)) {
        return list(*numbers, [](std::int64_t number) { return qint64{number}; });
    }
    if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
        return list(*numbers, [](double number) { return number; });
    }
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
        return list(*texts, [](const std::string& text) { return fromUtf8(text); });
    }
    if (const auto* items = std::get_if<AttributeList>(&value)) {
        return list(*items, [&graph](const AttributeValue& item) { return toJson(item, graph); });
    }
    AttributeTextStyle style;
    style.mostItems = std::numeric_limits<std::size_t>::max();
    style.longestText = std::numeric_limits<std::size_t>::max();
    style.tensorTypes = true;
    return fromUtf8(attributeText(value, graph, style));
}

QJsonObject valueJson(const Graph& graph, const KnownTypes& types, ValueId id)
{
    const TensorType type = types.of(graph, id);
    QJsonObject json{{QStringLiteral("name"), fromUtf8(graph.value(id).name)}};
    if (type.element != ElementType::Undefined) {
        json.insert(QStringLiteral("type"), fromUtf8(elementTypeName(type.element)));
    }
    if (type.shape) {
        json.insert(QStringLiteral("shape"), toJson(*type.shape));
    }
    if (graph.tensorOf(id) != nullptr) {
        json.insert(QStringLiteral("stored"), true);
    }
    return json;
}

QJsonObject boxJson(const GraphSide& side, const KnownTypes& types, std::span<const Verdict> verdicts,
                    const SceneNode& box)
{
    const Graph& graph = *side.graph;
    if (box.kind != SceneNode::Kind::Operator) {
        QJsonObject json = valueJson(graph, types, box.value);
        json.insert(QStringLiteral("kind"),
                    box.kind == SceneNode::Kind::Output ? QStringLiteral("output") : QStringLiteral("input"));
        return json;
    }
    const Node& node = graph.node(box.node);
    QJsonObject json{{QStringLiteral("name"), fromUtf8(side.names.of(box.node))},
                     {QStringLiteral("operator"), fromUtf8(node.op)}};
    if (!node.domain.empty()) {
        json.insert(QStringLiteral("domain"), fromUtf8(node.domain));
    }
    QJsonObject attributes;
    for (const Attribute& attribute : node.attributes) {
        attributes.insert(fromUtf8(attribute.name), toJson(attribute.value, graph));
    }
    json.insert(QStringLiteral("attributes"), attributes);
    const auto values = [&](const std::vector<ValueId>& ids) {
        QJsonArray array;
        for (const ValueId id : ids) {
            array.append(id ? QJsonValue(valueJson(graph, types, id)) : QJsonValue(QJsonValue::Null));
        }
        return array;
    };
    json.insert(QStringLiteral("inputs"), values(node.inputs));
    json.insert(QStringLiteral("outputs"), values(node.outputs));
    if (box.node.index < verdicts.size()) {
        json.insert(QStringLiteral("verdict"), fromUtf8(verdictName(verdicts[box.node.index])));
    }
    return json;
}

} // namespace

QByteArray boxesAsJson(const GraphSide& graph, const KnownTypes& types, std::span<const Verdict> verdicts,
                       std::span<const std::uint32_t> boxes)
{
    QJsonArray array;
    for (const std::uint32_t box : boxes) {
        array.append(boxJson(graph, types, verdicts, graph.box(box)));
    }
    const QJsonDocument document = array.size() == 1 ? QJsonDocument(array.first().toObject()) : QJsonDocument(array);
    return QByteArray::fromStdString(visibleText(document.toJson().toStdString()));
}

} // namespace crosswalk::ui
