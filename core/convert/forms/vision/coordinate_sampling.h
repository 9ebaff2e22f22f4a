#pragma once

#include "core/convert/emit.h"

/// A grid of elements read at any coordinates, along any number of axes.
namespace crosswalk::forms {

/// What is beyond the ends of an axis of elements a b c d.
enum class Continuation {
    Value,   ///< a value
    Edge,    ///< a a a | a b c d | d d d
    Wrap,    ///< b c d | a b c d | a b c
    Mirror,  ///< d c b | a b c d | c b a
    Reflect, ///< c b a | a b c d | d c b
};

struct CoordinateSampling {
    bool isLinear; ///< between the nearest elements; otherwise the nearest one, halves away from zero
    Continuation beyond;
    double value = 0; ///< for Continuation::Value
};

/// The elements of a grid in rows, one for each place in the order of the axes, perhaps of many grids after each other.
struct GridRows {
    OnnxValue rows;   ///< (places) or (places, channels)
    OnnxValues sizes; ///< of the axes: int64 vectors of one element
    OnnxValue grid;   ///< int64: the number of the grid for each coordinate; absent for a single one
};

/// The rows at coordinates (one tensor an axis) that broadcast with each other and with the numbers of the grids. Rows
/// for linear sampling have the type of the coordinates.
OnnxValue sampledAt(const NodeContext& ctx, const GridRows& data, const OnnxValues& coordinates,
                    const CoordinateSampling& sampling);

} // namespace crosswalk::forms
