#include "core/graph/value_type.h"

#include <cassert>

namespace crosswalk {

struct ValueType::Other {
    Kind kind = Kind::Opaque;
    ElementType key = ElementType::Undefined;
    std::string handle = {};
    ValueType item = {};

    friend bool operator==(const Other&, const Other&) = default;
};

ValueType ValueType::of(Other other)
{
    ValueType type;
    type.m_other = std::make_shared<const Other>(std::move(other));
    return type;
}

ValueType ValueType::sequence(ValueType item)
{
    return of({.kind = Kind::Sequence, .item = std::move(item)});
}

ValueType ValueType::optional(ValueType item)
{
    return of({.kind = Kind::Optional, .item = std::move(item)});
}

ValueType ValueType::map(ElementType key, ValueType item)
{
    return of({.kind = Kind::Map, .key = key, .item = std::move(item)});
}

ValueType ValueType::opaque(std::string name)
{
    return of({.handle = std::move(name)});
}

ValueType::Kind ValueType::kind() const
{
    return m_other != nullptr ? m_other->kind : Kind::Tensor;
}

ElementType ValueType::key() const
{
    assert(kind() == Kind::Map);
    return m_other->key;
}

const ValueType& ValueType::item() const
{
    assert(kind() == Kind::Sequence || kind() == Kind::Optional || kind() == Kind::Map);
    return m_other->item;
}

const std::string& ValueType::handle() const
{
    assert(kind() == Kind::Opaque);
    return m_other->handle;
}

bool operator==(const ValueType& a, const ValueType& b)
{
    const bool haveOther = a.m_other != nullptr && b.m_other != nullptr;
    return static_cast<const TensorType&>(a) == static_cast<const TensorType&>(b) &&
           (haveOther ? *a.m_other == *b.m_other : a.m_other == b.m_other);
}

std::string toString(const ValueType& type)
{
    switch (type.kind()) {
    case ValueType::Kind::Sequence:
        return "seq(" + toString(type.item()) + ")";
    case ValueType::Kind::Optional:
        return "optional(" + toString(type.item()) + ")";
    case ValueType::Kind::Map:
        return "map(" + std::string(elementTypeName(type.key())) + ", " + toString(type.item()) + ")";
    case ValueType::Kind::Opaque:
        return type.handle().empty() ? "opaque" : type.handle();
    case ValueType::Kind::Tensor:
        break;
    }
    return toString(static_cast<const TensorType&>(type));
}

} // namespace crosswalk
