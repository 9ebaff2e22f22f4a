#pragma once

#include "core/rewrite/concrete_inference.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk {

/// A dynamic dimension: the length of an axis of a value, which nodes can compute at run time.
struct DimSource {
    std::string value;
    std::size_t axis = 0;
    Sizes sizes{};
};

/// A factor of an axis. An axis is a product of factors, the slowest index first: in the axis that a reshape makes of
/// T x N, N is the last factor.
struct AxisFactor {
    static constexpr std::size_t literal = std::numeric_limits<std::size_t>::max();
    std::int64_t size = 1;        ///< original size
    std::size_t source = literal; ///< index of a DimSource, or `literal` for a fixed size

    bool isLiteral() const { return source == literal; }
    friend bool operator==(const AxisFactor&, const AxisFactor&) = default;
};
using AxisFactors = std::vector<AxisFactor>;

bool isChanging(const AxisFactors& axis);
/// Merges adjacent literals.
AxisFactors simplified(const AxisFactors& axis);
/// Original length of the axis.
std::int64_t sizeBefore(const AxisFactors& axis);
Sizes sizesOf(const AxisFactors& axis, const std::vector<DimSource>& sources);

/// Distributes the factors of `axes` over the axes of a reshaped value with the original dimensions `dims`. Returns
/// nothing if a dynamic factor would have to be split.
///
/// A dynamic factor of original size 1 is not visible in `dims`. It is assigned to an axis of length 1 at its position,
/// preferably the one with its old index; otherwise to the axis `inferred` (the -1 of a Reshape) if that is one of the
/// two at its position; otherwise to the following axis as the slowest index if that axis divides the features, as in
/// T x N x E, which attention reshapes to T x N heads x E / heads; otherwise to the preceding axis as the fastest
/// index, so that the following axes (the features) stay intact.
std::optional<std::vector<AxisFactors>> regrouped(const std::vector<AxisFactors>& axes, const Ints& dims,
                                                  std::optional<std::size_t> inferred = std::nullopt);

/// The same for a value with these sizes, which determine where a factor of original size 1 is.
std::optional<std::vector<AxisFactors>> regroupedBySizes(const std::vector<AxisFactors>& axes,
                                                         const std::vector<Sizes>& sizes,
                                                         const std::vector<DimSource>& sources);

} // namespace crosswalk
