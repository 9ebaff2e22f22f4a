#include "core/layout/graphviz.h"

namespace crosswalk {

std::optional<Layout> layoutWithGraphviz(const std::vector<LayoutBox>&, const std::vector<LayoutEdge>&,
                                         const LayoutOptions&, std::size_t)
{
    return std::nullopt;
}

} // namespace crosswalk
