#include "core/formats/tensorflow/attr_value.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The limit for functions nested in attributes of functions. protobuf's own parsers stop at 100 messages, four of
/// which form one level.
constexpr int deepestFunction = 25;

TensorProto tensorOf(const WireField& field)
{
    bytesOf(field); // checks the wire type
    return {field.payloadBegin, field.end};
}

FunctionProto parseFunctionValue(std::span<const std::byte> file, const WireField& field, int depth)
{
    if (depth >= deepestFunction) {
        throw ModelError("damaged", fmt::format("functions are nested more than {} levels deep at byte {}",
                                                deepestFunction, field.begin));
    }
    FunctionProto function;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            function.name = textOf(part);
        } else if (part.number == 2) {
            appendAttr(file, part, function.attrs, depth + 1);
        }
    }
    sortAttrs(function.attrs);
    return function;
}

ListProto parseList(std::span<const std::byte> file, const WireField& field, int depth)
{
    ListProto list;
    Ints numbers;
    WireReader reader = messageOf(file, field);
    for (WireField item; reader.next(item);) {
        numbers.clear();
        switch (item.number) {
        case 2:
            list.strings.push_back(bytesOf(item));
            break;
        case 3:
            appendIntegers(file, item, list.ints);
            break;
        case 4:
            appendFloats(item, list.floats);
            break;
        case 5:
            appendIntegers(file, item, numbers);
            list.bools.insert(list.bools.end(), numbers.begin(), numbers.end());
            break;
        case 6:
            appendIntegers(file, item, numbers);
            for (const std::int64_t number : numbers) {
                list.types.push_back(dataType(static_cast<std::uint64_t>(number)));
            }
            break;
        case 7:
            list.shapes.push_back(parseShape(file, item));
            break;
        case 8:
            list.tensors.push_back(tensorOf(item));
            break;
        case 9:
            list.functions.push_back(parseFunctionValue(file, item, depth));
            break;
        default:
            break;
        }
    }
    return list;
}

} // namespace

const AttrValue* findAttr(std::span<const NamedAttr> attrs, std::string_view name)
{
    const auto found =
        std::find_if(attrs.begin(), attrs.end(), [&](const NamedAttr& attr) { return attr.name == name; });
    return found != attrs.end() ? &found->value : nullptr;
}

ShapeProto parseShape(std::span<const std::byte> file, const WireField& field)
{
    ShapeProto shape;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        if (part.number == 3) {
            shape.hasRank = !boolOf(part);
        } else if (part.number == 2) {
            std::int64_t size = 0;
            WireReader dim = messageOf(file, part);
            for (WireField inner; dim.next(inner);) {
                size = inner.number == 1 ? integerOf(inner) : size;
            }
            shape.dims.push_back(size);
        }
    }
    return shape;
}

AttrValue parseAttrValue(std::span<const std::byte> file, const WireField& field, int depth)
{
    AttrValue result;
    WireReader reader = messageOf(file, field);
    for (WireField part; reader.next(part);) {
        switch (part.number) {
        case 1:
            result.value = std::make_shared<const ListProto>(parseList(file, part, depth));
            break;
        case 2:
            result.value = bytesOf(part);
            break;
        case 3:
            result.value = integerOf(part);
            break;
        case 4:
            result.value = floatOf(part);
            break;
        case 5:
            result.value = boolOf(part);
            break;
        case 6:
            result.value = dataType(static_cast<std::uint64_t>(integerOf(part)));
            break;
        case 7:
            result.value = parseShape(file, part);
            break;
        case 8:
            result.value = tensorOf(part);
            break;
        case 9:
            result.value = PlaceholderName{textOf(part)};
            break;
        case 10:
            result.value = std::make_shared<const FunctionProto>(parseFunctionValue(file, part, depth));
            break;
        default:
            break;
        }
    }
    return result;
}

void appendAttr(std::span<const std::byte> file, const WireField& field, std::vector<NamedAttr>& attrs, int depth)
{
    const MapEntry entry = mapEntryOf(file, field);
    NamedAttr attr{.name = entry.key, .value = {}};
    if (entry.value.number != 0) {
        attr.value = parseAttrValue(file, entry.value, depth);
    }
    attrs.push_back(std::move(attr));
}

void sortAttrs(std::vector<NamedAttr>& attrs)
{
    std::stable_sort(attrs.begin(), attrs.end(),
                     [](const NamedAttr& a, const NamedAttr& b) { return a.name < b.name; });
    const auto first = std::unique(attrs.rbegin(), attrs.rend(),
                                   [](const NamedAttr& a, const NamedAttr& b) { return a.name == b.name; });
    attrs.erase(attrs.begin(), first.base());
}

std::optional<Shape> shapeOf(const ShapeProto& proto)
{
    if (!proto.hasRank) {
        return std::nullopt;
    }
    Shape shape;
    for (const std::int64_t size : proto.dims) {
        if (size < -1) {
            throw ModelError("damaged", fmt::format("a shape has a dimension of size {}", size));
        }
        shape.push_back(size < 0 ? Dim() : Dim(size));
    }
    return shape;
}

} // namespace crosswalk::tensorflow
