#include "core/formats/mxnet/type_hints.h"

#include <array>

namespace crosswalk::mxnet {

ElementType elementTypeOf(std::int64_t number)
{
    constexpr std::array types = {
        ElementType::Float32, ElementType::Float64, ElementType::Float16,  ElementType::UInt8, ElementType::Int32,
        ElementType::Int8,    ElementType::Int64,   ElementType::Bool,     ElementType::Int16, ElementType::UInt16,
        ElementType::UInt32,  ElementType::UInt64,  ElementType::BFloat16,
    };
    return number >= 0 && number < static_cast<std::int64_t>(types.size()) ? types[static_cast<std::size_t>(number)]
                                                                           : ElementType::Undefined;
}

TensorType typeHints(AttributeSpan attributes, bool numpyShape)
{
    TensorType type;
    if (const auto number = integer(attributes, "__dtype__")) {
        type.element = elementTypeOf(*number);
    }
    const auto dims = integers(attributes, "__shape__");
    // Classic rules have no scalars: () means unknown.
    if (!dims || (dims->empty() && !numpyShape)) {
        return type;
    }
    type.shape.emplace();
    for (const std::int64_t dim : *dims) {
        type.shape->push_back(dim > 0 || (dim == 0 && numpyShape) ? Dim(dim) : Dim());
    }
    return type;
}

void mergeHints(TensorType& type, const TensorType& hints)
{
    if (type.element == ElementType::Undefined) {
        type.element = hints.element;
    }
    if (!type.shape) {
        type.shape = hints.shape;
    } else if (hints.shape && hints.shape->size() == type.shape->size()) {
        for (std::size_t i = 0; i < type.shape->size(); ++i) {
            if (!(*type.shape)[i].isFixed()) {
                (*type.shape)[i] = (*hints.shape)[i];
            }
        }
    }
}

bool hasParameterHints(AttributeSpan attributes)
{
    return findAttribute(attributes, "__lr_mult__") || findAttribute(attributes, "__init__");
}

} // namespace crosswalk::mxnet
