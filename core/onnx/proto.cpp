#include "core/onnx/proto.h"

namespace crosswalk {

TensorType fromProto(const ::onnx::TypeProto& type)
{
    TensorType result;
    if (!type.has_tensor_type()) {
        return result;
    }
    const int element = type.tensor_type().elem_type();
    result.element = element > 0 && element <= 255 ? static_cast<ElementType>(element) : ElementType::Undefined;
    if (type.tensor_type().has_shape()) {
        result.shape.emplace();
        for (const auto& dim : type.tensor_type().shape().dim()) {
            if (dim.has_dim_value() && dim.dim_value() >= 0) {
                result.shape->emplace_back(dim.dim_value());
            } else if (dim.has_dim_param()) {
                result.shape->emplace_back(dim.dim_param());
            } else {
                result.shape->emplace_back();
            }
        }
    }
    return result;
}

namespace {

constexpr int deepestType = 16;

ValueType valueTypeAt(const ::onnx::TypeProto& type, int depth)
{
    if (depth > deepestType) {
        return {};
    }
    switch (type.value_case()) {
    case ::onnx::TypeProto::kSequenceType:
        return ValueType::sequence(valueTypeAt(type.sequence_type().elem_type(), depth + 1));
    case ::onnx::TypeProto::kOptionalType:
        return ValueType::optional(valueTypeAt(type.optional_type().elem_type(), depth + 1));
    case ::onnx::TypeProto::kMapType:
        return ValueType::map(static_cast<ElementType>(type.map_type().key_type()),
                              valueTypeAt(type.map_type().value_type(), depth + 1));
    case ::onnx::TypeProto::kOpaqueType:
        return ValueType::opaque(type.opaque_type().name());
    default:
        return fromProto(type);
    }
}

} // namespace

ValueType valueTypeOf(const ::onnx::TypeProto& type)
{
    return valueTypeAt(type, 0);
}

void toProto(const TensorType& type, ::onnx::TypeProto& proto)
{
    proto.Clear();
    if (type.element == ElementType::Undefined) {
        return;
    }
    auto* tensor = proto.mutable_tensor_type();
    tensor->set_elem_type(static_cast<int>(type.element));
    if (!type.shape) {
        return;
    }
    auto* shape = tensor->mutable_shape();
    for (const Dim& dim : *type.shape) {
        auto* added = shape->add_dim();
        if (dim.isFixed()) {
            added->set_dim_value(dim.size);
        } else if (!dim.symbol().empty()) {
            added->set_dim_param(dim.symbol());
        }
    }
}

} // namespace crosswalk
