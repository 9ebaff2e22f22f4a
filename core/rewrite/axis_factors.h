#pragma once

#include "core/rewrite/concrete_inference.h"

#include <limits>

namespace crosswalk {

/// Where a size that changes can be read off in the graph: the length of an axis of a value.
struct DimSource {
    std::string value;
    std::size_t axis = 0;
    Sizes sizes{};
};

/// An axis as the product of what it was made of, the slowest index first: the axis that a reshape makes of T x N
/// features knows that N runs fastest.
struct AxisFactor {
    static constexpr std::size_t literal = std::numeric_limits<std::size_t>::max();
    std::int64_t size = 1;        ///< before
    std::size_t source = literal; ///< index of a DimSource, or a size that does not change

    bool isLiteral() const { return source == literal; }
    friend bool operator==(const AxisFactor&, const AxisFactor&) = default;
};
using AxisFactors = std::vector<AxisFactor>;

/// The product of two sizes; where it does not fit, the largest there is. A file may claim any size.
std::int64_t times(std::int64_t a, std::int64_t b);

bool isChanging(const AxisFactors& axis);
/// Neighbouring literals as one.
AxisFactors simplified(const AxisFactors& axis);
/// Length of the axis as the model was.
std::int64_t sizeBefore(const AxisFactors& axis);
Sizes sizesOf(const AxisFactors& axis, const std::vector<DimSource>& sources);

/// What becomes of axes when the same elements, in the same order, get other dimensions, which were `dims` before.
/// Nothing where a changing size would have to be cut, for nobody knows how. A changing size that was 1 leaves no mark
/// on `dims`: it goes to an axis of length 1 in its place, best the one of its old index, else to the axis `open` where
/// that comes next (the one that a Reshape leaves to the rest), else to the axis before it as the fastest index, so
/// that what follows (the features) stays whole.
std::optional<std::vector<AxisFactors>> regrouped(const std::vector<AxisFactors>& axes,
                                                  const std::vector<std::int64_t>& dims,
                                                  std::optional<std::size_t> open = std::nullopt);

} // namespace crosswalk
