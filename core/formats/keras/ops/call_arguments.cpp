#include "core/formats/keras/ops/call_arguments.h"

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/keras/layer_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::keras {
namespace {

/// The order in which types include each other.
int rankOf(ElementType type)
{
    switch (type) {
    case ElementType::Bool:
        return 0;
    case ElementType::UInt8:
    case ElementType::Int8:
        return 1;
    case ElementType::UInt16:
    case ElementType::Int16:
        return 2;
    case ElementType::UInt32:
    case ElementType::Int32:
        return 3;
    case ElementType::UInt64:
    case ElementType::Int64:
        return 4;
    case ElementType::Float16:
    case ElementType::BFloat16:
        return 5;
    case ElementType::Float32:
        return 6;
    default:
        return 7;
    }
}

/// The type that two types have together in Keras 3. An unsigned integer needs a wider signed one beside a signed one.
ElementType commonType(const Layer& layer, ElementType a, ElementType b)
{
    if (rankOf(a) < rankOf(b)) {
        std::swap(a, b);
    }
    if (isInteger(a) && isInteger(b) && isUnsigned(a) != isUnsigned(b)) {
        const int width =
            std::max(isUnsigned(a) ? rankOf(a) + 1 : rankOf(a), isUnsigned(b) ? rankOf(b) + 1 : rankOf(b));
        switch (width) {
        case 2:
            return ElementType::Int16;
        case 3:
            return ElementType::Int32;
        case 4:
            return ElementType::Int64;
        default:
            return ElementType::Float32;
        }
    }
    if (rankOf(a) == rankOf(b)) { // the two halves of float32
        if (!isFloating(a)) {
            layer.refuse(fmt::format("operands of types {} and {}", elementTypeName(a), elementTypeName(b)));
        }
        return ElementType::Float32;
    }
    return a;
}

/// The type; refuses a name that is none. Nothing for an empty name.
std::optional<ElementType> knownType(const Layer& layer, const std::string& name, std::optional<ElementType> type)
{
    if (!name.empty() && !type) {
        layer.refuse(fmt::format("the type {} is not supported", name), "dtype");
    }
    return type;
}

} // namespace

OnnxValue Arguments::find(Names names) const
{
    for (const char* name : names) {
        if (const OnnxValue value = m_layer.named(name)) {
            return value;
        }
    }
    return {};
}

std::string Arguments::key(Names names) const
{
    if (find(names)) {
        m_layer.refuse(fmt::format("argument {} is computed, but must be a constant", *(names.end() - 1)));
    }
    for (const char* name : names) {
        if (std::string inCall = fmt::format("call.{}", name); m_layer.settings.has(inCall)) {
            return inCall;
        }
    }
    for (const char* name : names) {
        if (m_layer.op().starts_with("ops.") && m_layer.settings.has(name)) {
            return name;
        }
    }
    return {};
}

bool Arguments::has(Names names) const
{
    return find(names) || !key(names).empty();
}

bool Arguments::isWhole(Names names) const
{
    const std::string name = key(names);
    return !name.empty() && m_layer.settings.isWhole(name);
}

bool Arguments::isTruth(Names names) const
{
    const std::string name = key(names);
    const AttributeValue* value = name.empty() ? nullptr : m_layer.settings.find(name);
    return value != nullptr && std::holds_alternative<bool>(*value);
}

OnnxValue Arguments::constant(const std::string& key, ElementType type) const
{
    const Settings& settings = m_layer.settings;
    const std::vector<double> numbers = settings.numbers(key);
    const Ints extents = settings.extents(key);
    const auto count = saturatingProduct(extents);
    if (count != static_cast<std::int64_t>(numbers.size())) {
        ctx.invalid(fmt::format("{} is not an array", key), key);
    }
    Tensor doubles = Tensor::of<double>(ElementType::Float64, extents, numbers);
    if (isInteger(type)) { // a number outside the range of a narrow type wraps
        doubles = doubles.converted(ElementType::Int64);
    }
    return ctx.onnx.constant(Tensor::owned(type, extents, doubles.converted(type).toBytes()));
}

std::optional<ElementType> Arguments::typeOfConstant(const std::string& key) const
{
    const std::string name = m_layer.settings.text(key + std::string(arrayTypeSuffix));
    return knownType(m_layer, name, typeOfArray(name));
}

std::optional<ElementType> Arguments::arrayType(Names names) const
{
    return isTensor(names) ? std::nullopt : typeOfConstant(key(names));
}

OnnxValue Arguments::tensor(Names names) const
{
    return tensor(names, arrayType(names).value_or(ElementType::Float32));
}

OnnxValue Arguments::tensor(Names names, ElementType type) const
{
    if (const OnnxValue value = find(names)) {
        return value;
    }
    const std::string name = key(names);
    if (name.empty()) {
        ctx.invalid(fmt::format("argument {} is missing", *(names.end() - 1)));
    }
    return constant(name, m_layer.settings.isWhole(name) || isFloating(type) ? type : ElementType::Float32);
}

OnnxValues Arguments::tensors(Names names) const
{
    for (const char* name : names) {
        OnnxValues values;
        OnnxValue known; // of the type that the constants of the list have
        const auto item = [&](std::size_t i) { return fmt::format("{}.{}", name, i); };
        const auto constantItem = [&](std::size_t i) { return fmt::format("call.{}.{}", name, i); };
        for (std::size_t i = 0; m_layer.named(item(i)) || m_layer.settings.has(constantItem(i)); ++i) {
            values.push_back(m_layer.named(item(i)));
            known = known ? known : values.back();
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto type = values[i] ? std::nullopt : typeOfConstant(constantItem(i));
            if (type || (known && !values[i])) {
                values[i] = constant(constantItem(i), type ? *type : ctx.element(known));
            }
        }
        if (!values.empty() && std::ranges::all_of(values, [](OnnxValue value) { return bool(value); })) {
            return values;
        }
    }
    return {tensor(names)};
}

OnnxValues Arguments::positional() const
{
    OnnxValues values;
    for (std::size_t i = 0;; ++i) {
        const std::string name = std::to_string(i);
        if (!isTensor({name.c_str()}) && !arrayType({name.c_str()})) {
            return values;
        }
        values.push_back(tensor({name.c_str()}));
    }
}

bool Arguments::boolean(Names names, bool otherwise) const
{
    const std::string name = key(names);
    return name.empty() ? otherwise : m_layer.settings.boolean(name, otherwise);
}

std::int64_t Arguments::integer(Names names) const
{
    return m_layer.settings.integer(key(names));
}

std::int64_t Arguments::integer(Names names, std::int64_t otherwise) const
{
    const std::string name = key(names);
    return name.empty() ? otherwise : m_layer.settings.integer(name);
}

double Arguments::number(Names names, double otherwise) const
{
    const std::string name = key(names);
    return name.empty() ? otherwise : m_layer.settings.number(name, otherwise);
}

std::string Arguments::text(Names names, const std::string& otherwise) const
{
    const std::string name = key(names);
    return name.empty() ? otherwise : m_layer.settings.text(name);
}

std::optional<ElementType> Arguments::type(Names names) const
{
    const std::string name = text(names, "");
    return knownType(m_layer, name, typeOfName(name));
}

Ints Arguments::ints(Names names) const
{
    return m_layer.settings.ints(key(names));
}

OnnxValue operand(const Layer& layer)
{
    return Arguments(layer).tensor(
        {"0", "x", "x1", "input", "features", "logits", "tensor", "inputs", "input_tensor", "value", "params", "a"});
}

OnnxValue floatingOperand(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    if (isFloating(layer.ctx.element(x))) {
        return x;
    }
    if (layer.major() < 3) {
        layer.ctx.invalid(fmt::format("{} of {}", layer.op(), elementTypeName(layer.ctx.element(x))));
    }
    return emit::cast(layer.ctx, x, ElementType::Float32);
}

Operands operandsOf(const Layer& layer)
{
    return operandsOf(layer, {"0", "x1", "x", "a"}, {"1", "x2", "y", "b"});
}

OnnxValues inCommonType(const Layer& layer, OnnxValues values)
{
    ElementType type = layer.ctx.element(values.front());
    for (const OnnxValue value : values) {
        const ElementType own = layer.ctx.element(value);
        if (own != type && layer.major() < 3) {
            layer.refuse(fmt::format("tensors of types {} and {} joined", elementTypeName(type), elementTypeName(own)));
        }
        type = own == type ? type : commonType(layer, type, own);
    }
    for (OnnxValue& value : values) {
        value = emit::cast(layer.ctx, value, type);
    }
    return values;
}

Ints axesOrAll(const Layer& layer, OnnxValue x, Arguments::Names names)
{
    const std::size_t rank = layer.ctx.rank(x);
    Ints axes;
    if (Arguments(layer).has(names)) {
        axes = Arguments(layer).ints(names);
        for (std::int64_t& axis : axes) {
            axis = layer.ctx.axis(axis, rank);
        }
    } else {
        axes.resize(rank);
        std::iota(axes.begin(), axes.end(), 0);
    }
    return axes;
}

AlongAxis alongAxis(const Layer& layer, OnnxValue x, Arguments::Names names)
{
    if (!Arguments(layer).has(names)) {
        return {emit::reshape(layer.ctx, x, Ints{-1}), 0};
    }
    return {x, layer.ctx.axis(Arguments(layer).integer(names), layer.ctx.rank(x))};
}

namespace {

/// The operands of operandsOf(), a number beside integers in float32 if the results are floating.
Operands operandsFor(const Layer& layer, Arguments::Names first, Arguments::Names second, bool isFloatingAlways)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue a = arguments.find(first);
    OnnxValue b = arguments.find(second);
    if (!a && !b) {
        const bool isArray = arguments.arrayType(first).has_value();
        if (!isArray && !arguments.arrayType(second)) {
            ctx.invalid("it has no tensors");
        }
        (isArray ? a : b) = arguments.tensor(isArray ? first : second);
    }
    // A number has the type of the tensor, unless that is of integers and the number is not, or of booleans.
    const auto typeFor = [&](Arguments::Names names, OnnxValue other) {
        const ElementType type = ctx.element(other);
        if (const auto own = arguments.arrayType(names)) {
            return *own == type ? type : commonType(layer, *own, type);
        }
        if (isFloatingAlways && !isFloating(type)) {
            return ElementType::Float32;
        }
        return type == ElementType::Bool && !arguments.isTruth(names) ? ElementType::Int32 : type;
    };
    if (!a) {
        a = arguments.tensor(first, typeFor(first, b));
    }
    if (!b) {
        b = arguments.tensor(second, typeFor(second, a));
    }
    const ElementType typeOfA = ctx.element(a);
    const ElementType typeOfB = ctx.element(b);
    if (typeOfA == typeOfB) {
        return {a, b};
    }
    if (layer.major() < 3) {
        ctx.invalid(fmt::format("operands of types {} and {}", elementTypeName(typeOfA), elementTypeName(typeOfB)));
    }
    const ElementType type = commonType(layer, typeOfA, typeOfB);
    return {emit::cast(ctx, a, type), emit::cast(ctx, b, type)};
}

} // namespace

Operands operandsOf(const Layer& layer, Arguments::Names first, Arguments::Names second)
{
    return operandsFor(layer, first, second, false);
}

Operands floatingOperandsOf(const Layer& layer, Arguments::Names first, Arguments::Names second)
{
    const Operands pair = operandsFor(layer, first, second, true);
    if (isFloating(layer.ctx.element(pair.a))) {
        return pair;
    }
    return {emit::cast(layer.ctx, pair.a, ElementType::Float32), emit::cast(layer.ctx, pair.b, ElementType::Float32)};
}

Operands floatingOperandsOf(const Layer& layer)
{
    return floatingOperandsOf(layer, {"0", "x1", "x", "a"}, {"1", "x2", "y", "b"});
}

} // namespace crosswalk::keras
