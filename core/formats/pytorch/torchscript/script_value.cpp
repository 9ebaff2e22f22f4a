#include "core/formats/pytorch/torchscript/script_value.h"

namespace crosswalk::pytorch {
namespace {

std::string_view numberName(NumberKind kind)
{
    return kind == NumberKind::Int ? "int" : kind == NumberKind::Float ? "float" : "bool";
}

struct KindName {
    std::string_view operator()(std::monostate) const { return "None"; }
    std::string_view operator()(bool) const { return "bool"; }
    std::string_view operator()(std::int64_t) const { return "int"; }
    std::string_view operator()(double) const { return "float"; }
    std::string_view operator()(const std::string&) const { return "str"; }
    std::string_view operator()(const ComputedNumber& number) const { return numberName(number.kind); }
    std::string_view operator()(const ComputedList&) const { return "List"; }
    std::string_view operator()(const ComputedText&) const { return "str"; }
    std::string_view operator()(const TextLength&) const { return "int"; }
    std::string_view operator()(TensorRef) const { return "Tensor"; }
    std::string_view operator()(ListRef) const { return "List"; }
    std::string_view operator()(DictRef) const { return "Dict"; }
    std::string_view operator()(ObjectRef) const { return "object"; }
    std::string_view operator()(const std::shared_ptr<const TupleValue>&) const { return "Tuple"; }
    std::string_view operator()(const std::shared_ptr<const TensorParts>&) const { return "List"; }
    std::string_view operator()(const std::shared_ptr<const OptionalValue>&) const { return "Optional"; }
    std::string_view operator()(const std::shared_ptr<const PossibleItem>&) const { return "possible item"; }
    std::string_view operator()(const CodeName&) const { return "function"; }
    std::string_view operator()(const UndefinedValue&) const { return "undefined value"; }
};

} // namespace

ScriptValue asText(const ScriptValue& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return std::to_string(*integer);
    }
    if (const auto* truth = std::get_if<bool>(&value)) {
        return std::string(*truth ? "True" : "False");
    }
    return isText(value) ? value : ScriptValue(ComputedText{}); // no number is written as an empty text
}

ScriptValue signOf(const ScriptValue& length)
{
    const auto* rough = std::get_if<TextLength>(&length);
    return rough == nullptr ? length
           : rough->sign    ? ScriptValue(ComputedNumber{NumberKind::Int, *rough->sign})
                            : ScriptValue(std::int64_t{1});
}

std::string_view kindName(const ScriptValue& value)
{
    return std::visit(KindName(), value);
}

std::optional<NumberKind> numberKindOf(const ScriptValue& value)
{
    if (std::holds_alternative<bool>(value)) {
        return NumberKind::Bool;
    }
    if (std::holds_alternative<std::int64_t>(value)) {
        return NumberKind::Int;
    }
    if (std::holds_alternative<double>(value)) {
        return NumberKind::Float;
    }
    const auto* computed = std::get_if<ComputedNumber>(&value);
    return computed != nullptr ? std::optional(computed->kind) : std::nullopt;
}

} // namespace crosswalk::pytorch
