#pragma once

#include "crosswalk/bounds_checked.h"

#include <cstdint>
#include <limits>
#include <utility> // std::strong_ordering; moc cannot parse <compare> on its own

namespace crosswalk {

/// Index of a thing in its graph. Names repeat in real files, so the index is the identity.
template <typename Tag>
struct Id {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t index = none;

    explicit operator bool() const { return index != none; }
    friend auto operator<=>(const Id&, const Id&) = default; // NOLINT(modernize-use-nullptr): of the comparison itself
};
using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;
using ValueIds = BoundsChecked<ValueId>;
using TensorId = Id<struct TensorTag>;
using SubgraphId = Id<struct SubgraphTag>;

} // namespace crosswalk
