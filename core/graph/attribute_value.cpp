#include "core/graph/attribute_value.h"

namespace crosswalk {

bool operator==(const FunctionReference& a, const FunctionReference& b)
{
    return a.name == b.name && a.attributes == b.attributes;
}

} // namespace crosswalk
