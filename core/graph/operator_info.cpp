#include "core/graph/operator_info.h"

#include <algorithm>

namespace crosswalk {

const OperatorDoc::Attribute* OperatorDoc::attribute(std::string_view name) const
{
    const auto found = std::ranges::find(attributes, name, &Attribute::name);
    return found != attributes.end() ? &*found : nullptr;
}

} // namespace crosswalk
