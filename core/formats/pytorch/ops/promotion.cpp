#include "core/formats/pytorch/ops/promotion.h"

#include "core/graph/attributes.h"

namespace crosswalk::pytorch {
namespace {

int categoryOf(ElementType type)
{
    return type == ElementType::Undefined ? -1 : type == ElementType::Bool ? 0 : isFloating(type) ? 2 : 1;
}

int widthOf(ElementType type)
{
    return static_cast<int>(packedSize(type, 1).value_or(0));
}

ElementType promotedOrOther(ElementType a, ElementType b)
{
    return a == ElementType::Undefined ? b : b == ElementType::Undefined ? a : promoted(a, b);
}

/// c10's combine_categories.
ElementType combinedCategories(ElementType higher, ElementType lower)
{
    if (categoryOf(higher) == 2) {
        return higher;
    }
    if (higher == ElementType::Bool || categoryOf(lower) == 2) {
        return promotedOrOther(higher, lower);
    }
    return higher != ElementType::Undefined ? higher : lower;
}

} // namespace

ElementType promoted(ElementType a, ElementType b)
{
    using enum ElementType;
    if (a == b) {
        return a;
    }
    if (categoryOf(a) != categoryOf(b)) {
        return categoryOf(a) > categoryOf(b) ? a : b;
    }
    if (categoryOf(a) == 2) {
        return widthOf(a) == widthOf(b) ? Float32 : widthOf(a) > widthOf(b) ? a : b;
    }
    const bool aIsByte = a == UInt8;
    if (aIsByte || b == UInt8) { // with a signed type of the same width
        const ElementType other = aIsByte ? b : a;
        return other == Int8 ? Int16 : other;
    }
    return widthOf(a) > widthOf(b) ? a : b;
}

ElementType numberType(const NodeContext& ctx, const Arguments& arguments, std::string_view name)
{
    if (attributeOf<bool>(ctx.node, name) != nullptr) {
        return ElementType::Bool;
    }
    if (attributeOf<double>(ctx.node, name) != nullptr) {
        return ElementType::Float32; // the default type
    }
    if (arguments.isStored(name)) {
        return ElementType::Int64;
    }
    const ElementType type = ctx.element(arguments.tensor(name));
    return isFloating(type) ? ElementType::Float32 : type;
}

ElementType resultType(const NodeContext& ctx, const Arguments& arguments,
                       std::initializer_list<std::string_view> names)
{
    ElementType dimensioned = ElementType::Undefined;
    ElementType scalars = ElementType::Undefined;
    ElementType numbers = ElementType::Undefined;
    for (const std::string_view name : names) {
        if (!arguments.has(name)) {
            continue;
        }
        if (arguments.isNumber(name)) {
            numbers = promotedOrOther(numbers, numberType(ctx, arguments, name));
            continue;
        }
        const OnnxValue value = arguments.tensor(name);
        ElementType& kind = ctx.rank(value) == 0 ? scalars : dimensioned;
        kind = promotedOrOther(kind, ctx.element(value));
    }
    return combinedCategories(dimensioned, combinedCategories(scalars, numbers));
}

OnnxValue operand(const NodeContext& ctx, const Arguments& arguments, std::string_view name, ElementType type)
{
    if (!arguments.isStored(name)) {
        return emit::cast(ctx, arguments.tensor(name), type);
    }
    if (const auto* integer = attributeOf<std::int64_t>(ctx.node, name); integer != nullptr && !isFloating(type)) {
        return ctx.onnx.constant(
            Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(integer, 1)).converted(type));
    }
    return ctx.onnx.scalar(type, arguments.number(name, 0));
}

ElementType floatingType(ElementType type)
{
    return isFloating(type) ? type : ElementType::Float32;
}

} // namespace crosswalk::pytorch
