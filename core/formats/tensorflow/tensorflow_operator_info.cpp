#include "core/formats/tensorflow/tensorflow_operator_info.h"

#include "core/formats/operator_tables.h"
#include "core/formats/tensorflow/op_defs.h"
#include "core/formats/tensorflow/tensorflow_categories.h"
#include "core/formats/tensorflow/tensorflow_operator_text.h"
#include "core/graph/attribute_text.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

/// Types of operands, visible at the values; numbers of operands, visible at the edges; names of runtime resources.
bool isBookkeeping(const OpDef& op, const AttrDef& attribute)
{
    const auto counts = [&](const ArgDef& arg) { return arg.numberAttr == attribute.name; };
    return attribute.type == "type" || attribute.type == "list(type)" || attribute.name == "container" ||
           attribute.name == "shared_name" || std::ranges::any_of(op.inputs, counts);
}

bool isOmitted(const Node& node, const Attribute& attribute, std::string_view text)
{
    if (attribute.name.starts_with('_')) { // of the runtime: _class, _output_shapes, _XlaCompile
        return true;
    }
    const OpDef* op = findOpDef(node.op);
    const AttrDef* attr = op != nullptr ? findAttrDef(*op, attribute.name) : nullptr;
    if (attr == nullptr || (node.op == "Cast" && attr->name == "DstT")) { // for Cast the type is essential
        return false;
    }
    const bool isWindowOfOnes = (attr->name == "strides" || attr->name == "dilations") && isListOf(text, "1");
    return isWindowOfOnes || isBookkeeping(*op, *attr) || defaultOf(*op, attr->name) == attribute.value;
}

std::string_view operandName(const Node& node, std::size_t input)
{
    const OpDef* op = findOpDef(node.op);
    if (op == nullptr) {
        return {};
    }
    std::size_t first = 0;
    for (const ArgDef& arg : op->inputs) {
        if (!arg.typeListAttr.empty()) {
            return {}; // any number of operands that share one name
        }
        first += arg.numberAttr.empty()
                     ? 1
                     : static_cast<std::size_t>(std::max<std::int64_t>(intOf(node, arg.numberAttr, 1), 0));
        if (input < first) {
            return arg.name;
        }
    }
    return {};
}

OperatorDoc operatorDoc(const Graph& graph, const Node& node)
{
    OperatorDoc doc;
    const OpDef* op = findOpDef(node.op);
    if (op == nullptr) {
        return doc;
    }
    doc.text = operatorText(node.op);
    for (const AttrDef& attr : op->attrs) {
        if (!isBookkeeping(*op, attr)) {
            const auto value = defaultOf(*op, attr.name);
            doc.attributes.push_back({std::string(attr.name), value ? attributeText(*value, graph) : std::string()});
        }
    }
    return doc;
}

bool isRandom(const Node& node)
{
    constexpr auto marks =
        std::to_array<std::string_view>({"CandidateSampler", "Multinomial", "Random", "Sample", "Shuffle",
                                         "StandardNormal", "StatefulUniform", "TruncatedNormal"});
    return std::ranges::any_of(marks, [&](std::string_view mark) { return node.op.find(mark) != std::string::npos; });
}

RecurrentFeature recurrentFeature(std::string_view attribute)
{
    return attribute == "cell_clip" ? RecurrentFeature::CellClip : RecurrentFeature::None;
}

} // namespace

const OperatorInfo& operatorInfo()
{
    static constexpr OperatorInfo info{
        .category = categoryOf,
        .doc = operatorDoc,
        .isOmitted = isOmitted,
        .operandName = operandName,
        .isRandom = isRandom,
        .recurrentFeature = recurrentFeature,
    };
    return info;
}

} // namespace crosswalk::tensorflow
