// Operators that accept fewer types at lower opsets.

#include "core/onnx/node.h"
#include "core/onnx/schemas.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <algorithm>
#include <array>
#include <map>

namespace crosswalk {
namespace {

using ::onnx::OpSchema;

struct Wider {
    ElementType type;
    ElementType wider; ///< has each value of the type
};

/// In order of preference.
constexpr auto widenings = std::to_array<Wider>({
    {ElementType::BFloat16, ElementType::Float32},
    {ElementType::Float16, ElementType::Float32},
    {ElementType::Bool, ElementType::UInt8},
    {ElementType::Bool, ElementType::Int32},
    {ElementType::Int8, ElementType::Int32},
    {ElementType::Int16, ElementType::Int32},
    {ElementType::UInt8, ElementType::Int32},
    {ElementType::UInt16, ElementType::Int32},
});

std::string typeText(ElementType type)
{
    ::onnx::TypeProto proto;
    proto.mutable_tensor_type()->set_elem_type(static_cast<int>(type));
    return *::onnx::Utils::DataTypeUtils::ToType(proto);
}

bool accepts(const OpSchema::FormalParameter& parameter, ElementType type)
{
    return parameter.GetTypes().contains(::onnx::Utils::DataTypeUtils::ToType(typeText(type)));
}

const OpSchema::FormalParameter* parameterOf(const std::vector<OpSchema::FormalParameter>& parameters, int index)
{
    if (parameters.empty()) {
        return nullptr;
    }
    const auto last = parameters.size() - 1;
    const auto i = static_cast<std::size_t>(index);
    const bool isVariadic = parameters[last].GetOption() == OpSchema::FormalParameterOption::Variadic;
    return i <= last ? &parameters[i] : isVariadic ? &parameters[last] : nullptr;
}

/// Whether a Cast of this opset accepts the type.
bool canCast(ElementType type, int opset)
{
    return accepts(schemaOf("Cast", opset)->inputs()[0], type);
}

/// Operators whose results depend on the element type in other ways than rounding, or which are about types.
bool dependsOnType(std::string_view op)
{
    constexpr auto typed = std::to_array<std::string_view>(
        {"BitCast", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "CastLike", "Constant",
         "ConstantOfShape", "DequantizeLinear", "EyeLike", "If", "Loop", "QuantizeLinear", "Scan"});
    return std::ranges::find(typed, op) != typed.end();
}

/// Integers wrap where a result does not fit; only these operators return values of their operands.
bool isExactInWiderIntegers(std::string_view op)
{
    constexpr auto exact = std::to_array<std::string_view>(
        {"Clip", "Compress", "Equal", "Gather", "Greater", "Less", "Max", "Min", "OneHot", "ReduceMax", "ReduceMin",
         "ReverseSequence", "ScatterElements", "ScatterND", "TopK", "Unique", "Where"});
    return std::ranges::find(exact, op) != exact.end();
}

} // namespace

bool withCasts(NodeReplacement& at)
{
    const auto& node = at.node();
    const std::string& op = node.op_type();
    const OpSchema* schema = schemaOf(op, at.to());
    if (schema == nullptr || dependsOnType(op) || at.to() >= at.from()) {
        return false;
    }
    // The type parameters whose types are not accepted, with the types to use.
    std::map<std::string, Wider> changes;
    const auto examine = [&](const std::string& name, const OpSchema::FormalParameter* parameter) {
        const ElementType type = at.typeOf(name).element;
        if (name.empty() || parameter == nullptr || type == ElementType::Undefined || accepts(*parameter, type)) {
            return true;
        }
        const auto found = std::ranges::find_if(widenings, [&](const Wider& row) {
            return row.type == type && accepts(*parameter, row.wider) && canCast(type, at.to()) &&
                   (isFloating(type) || isExactInWiderIntegers(op));
        });
        return found != widenings.end() &&
               changes.try_emplace(parameter->GetTypeStr(), *found).first->second.type == type;
    };
    for (int i = 0; i < node.input_size(); ++i) {
        if (!examine(node.input(i), parameterOf(schema->inputs(), i))) {
            return false;
        }
    }
    for (int i = 0; i < node.output_size(); ++i) {
        if (!examine(node.output(i), parameterOf(schema->outputs(), i))) {
            return false;
        }
    }
    if (changes.empty()) {
        return false;
    }
    const auto changeOf = [&](const OpSchema::FormalParameter* parameter) -> const Wider* {
        const auto found = parameter != nullptr ? changes.find(parameter->GetTypeStr()) : changes.end();
        return found != changes.end() ? &found->second : nullptr;
    };
    ::onnx::NodeProto wide = node;
    std::vector<::onnx::NodeProto> after;
    for (int i = 0; i < node.input_size(); ++i) {
        const Wider* change = changeOf(parameterOf(schema->inputs(), i));
        if (change != nullptr && !node.input(i).empty()) {
            wide.set_input(i, at.add("Cast", {node.input(i)}, {{"to", static_cast<std::int64_t>(change->wider)}}));
        }
    }
    for (int i = 0; i < node.output_size(); ++i) {
        const Wider* change = changeOf(parameterOf(schema->outputs(), i));
        if (change != nullptr && !node.output(i).empty()) {
            wide.set_output(i, at.newName("wide"));
            auto& cast = after.emplace_back();
            cast.set_op_type("Cast");
            cast.add_input(wide.output(i));
            cast.add_output(node.output(i));
            addInt(cast, "to", static_cast<std::int64_t>(change->type));
        }
    }
    at.addLast(std::move(wide));
    for (auto& cast : after) {
        at.addLast(std::move(cast));
    }
    return true;
}

bool floatModulo(NodeReplacement& at)
{
    constexpr int since = 28;
    const ElementType type = at.typeOf(at.input(0)).element;
    if (at.to() >= since || !isFloating(type) || intAttribute(at.node(), "fmod", 0) != 0) {
        return false;
    }
    // fmod has the sign of the dividend.
    const std::string divisor = at.input(1);
    const std::string rest = at.add("Mod", {at.input(0), divisor}, {{"fmod", std::int64_t{1}}});
    const std::string zero = at.scalar(type, 0);
    const std::string differs = at.add("Xor", {at.add("Less", {rest, zero}), at.add("Less", {divisor, zero})});
    const std::string isOff = at.add("And", {differs, at.add("Not", {at.add("Equal", {rest, zero})})});
    at.addLast("Where", {isOff, at.add("Add", {rest, divisor}), rest});
    return true;
}

} // namespace crosswalk
