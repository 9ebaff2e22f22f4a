#include "core/formats/tensorflow/node_attributes.h"

#include "core/formats/tensorflow/tensor_proto.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

bool isPrintable(std::string_view text)
{
    return isUtf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f;
           });
}

AttributeValue textValue(std::string_view bytes)
{
    if (isPrintable(bytes)) {
        return std::string(bytes);
    }
    return RawBytes{std::string(bytes)};
}

AttributeValue typeValue(DataType type)
{
    const ValueType value = valueType(type);
    if (value.isTensor()) {
        return value.element;
    }
    return value;
}

template <typename T, typename Items, typename Convert>
std::vector<T> converted(const Items& items, Convert convert)
{
    std::vector<T> list;
    list.reserve(items.size());
    for (const auto& item : items) {
        list.push_back(convert(item));
    }
    return list;
}

AttributeValue emptyList(std::string_view type)
{
    if (type == "list(string)") {
        return std::vector<std::string>();
    }
    if (type == "list(int)") {
        return Ints();
    }
    if (type == "list(float)") {
        return std::vector<double>();
    }
    if (type == "list(type)") {
        return std::vector<ElementType>();
    }
    if (type == "list(shape)") {
        return std::vector<ShapeAttribute>();
    }
    if (type == "list(func)") {
        return std::vector<FunctionReference>();
    }
    return AttributeList();
}

class AttributeConverter {
public:
    AttributeConverter(const std::shared_ptr<const SourceFile>& file, Graph& graph)
        : m_file(file)
        , m_graph(graph)
    {
    }

    Attribute convert(const NamedAttr& attr, const OpDef* op) const
    {
        const AttrDef* def = op != nullptr ? findAttrDef(*op, attr.name) : nullptr;
        Attribute result{.name = std::string(attr.name), .value = {}};
        result.value = std::visit([&](const auto& value) { return of(value, def); }, attr.value.value);
        if (const auto* type = std::get_if<DataType>(&attr.value.value); type != nullptr && isQuantized(*type)) {
            result.text = dataTypeName(*type);
        } else if (const auto* placeholder = std::get_if<PlaceholderName>(&attr.value.value)) {
            result.text = "$" + std::string(placeholder->name);
        }
        return result;
    }

private:
    static AttributeValue of(std::monostate, const AttrDef*) { return {}; }
    static AttributeValue of(std::string_view bytes, const AttrDef*) { return textValue(bytes); }
    static AttributeValue of(std::int64_t number, const AttrDef*) { return number; }
    static AttributeValue of(float number, const AttrDef*) { return static_cast<double>(number); }
    static AttributeValue of(bool flag, const AttrDef*) { return flag; }
    static AttributeValue of(DataType type, const AttrDef*) { return typeValue(type); }
    static AttributeValue of(const ShapeProto& shape, const AttrDef*) { return ShapeAttribute{shapeOf(shape)}; }
    static AttributeValue of(const PlaceholderName&, const AttrDef*) { return {}; }
    AttributeValue of(const TensorProto& tensor, const AttrDef*) const
    {
        const DataType type = tensorType(m_file->bytes(), tensor);
        if (type == DataType::Resource || type == DataType::Variant) {
            const auto bytes = m_file->bytes().subspan(tensor.begin, tensor.end - tensor.begin);
            return RawBytes{std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
        }
        return m_graph.addTensor(readTensor(m_file, tensor));
    }
    AttributeValue of(const std::shared_ptr<const FunctionProto>& function, const AttrDef*) const
    {
        return reference(*function);
    }
    AttributeValue of(const std::shared_ptr<const ListProto>& list, const AttrDef* def) const
    {
        if (!list->strings.empty()) {
            return strings(list->strings);
        }
        if (!list->ints.empty()) {
            return list->ints;
        }
        if (!list->floats.empty()) {
            return std::vector<double>(list->floats.begin(), list->floats.end());
        }
        if (!list->bools.empty()) {
            return AttributeList(list->bools.begin(), list->bools.end());
        }
        if (!list->types.empty()) {
            return types(list->types);
        }
        if (!list->shapes.empty()) {
            return converted<ShapeAttribute>(list->shapes,
                                             [](const ShapeProto& s) { return ShapeAttribute{shapeOf(s)}; });
        }
        if (!list->tensors.empty()) {
            return converted<TensorId>(list->tensors,
                                       [&](const TensorProto& t) { return m_graph.addTensor(readTensor(m_file, t)); });
        }
        if (!list->functions.empty()) {
            return converted<FunctionReference>(list->functions, [&](const FunctionProto& f) { return reference(f); });
        }
        return emptyList(def != nullptr ? def->type : std::string_view());
    }

    static AttributeValue strings(const std::vector<std::string_view>& items)
    {
        if (std::all_of(items.begin(), items.end(), isPrintable)) {
            return std::vector<std::string>(items.begin(), items.end());
        }
        return converted<AttributeValue>(items, textValue);
    }
    static AttributeValue types(const std::vector<DataType>& items)
    {
        if (std::all_of(items.begin(), items.end(), [](DataType type) { return valueType(type).isTensor(); })) {
            return converted<ElementType>(items, elementType);
        }
        return converted<AttributeValue>(items, typeValue);
    }
    FunctionReference reference(const FunctionProto& function) const
    {
        FunctionReference result{.name = std::string(function.name), .attributes = {}};
        for (const NamedAttr& attr : function.attrs) {
            result.attributes.push_back(convert(attr, nullptr));
        }
        return result;
    }

    const std::shared_ptr<const SourceFile>& m_file;
    Graph& m_graph;
};

} // namespace

std::vector<Attribute> attributesOf(std::span<const NamedAttr> attrs, const OpDef* op,
                                    const std::shared_ptr<const SourceFile>& file, Graph& graph)
{
    const AttributeConverter converter(file, graph);
    std::vector<Attribute> attributes;
    attributes.reserve(attrs.size());
    for (const NamedAttr& attr : attrs) {
        attributes.push_back(converter.convert(attr, op));
    }
    return attributes;
}

std::optional<AttributeValue> attributeOrDefault(const Node& node, std::string_view name)
{
    if (const AttributeValue* value = node.attribute(name)) {
        return *value;
    }
    const OpDef* op = findOpDef(node.op);
    return op != nullptr ? defaultOf(*op, name) : std::nullopt;
}

} // namespace crosswalk::tensorflow
