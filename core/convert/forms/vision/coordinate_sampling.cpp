#include "core/convert/forms/vision/coordinate_sampling.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"

namespace crosswalk::forms {
namespace {

/// An element along one axis that takes part in a result.
struct Neighbour {
    OnnxValue place;    ///< int64, in range
    OnnxValue isInside; ///< absent where all are
    OnnxValue weight;   ///< absent for 1
};

class AxisSampler {
public:
    AxisSampler(const NodeContext& ctx, OnnxValue size, const CoordinateSampling& sampling)
        : m_ctx(ctx)
        , m_size(size)
        , m_sampling(sampling)
    {
    }

    std::vector<Neighbour> at(OnnxValue coordinate) const
    {
        if (!m_sampling.isLinear) {
            const OnnxValue nearest = elementary::roundAwayFromZero(m_ctx, coordinate);
            return {neighbour(emit::cast(m_ctx, nearest, ElementType::Int64), {})};
        }
        const OnnxValue lower = elementary::floor(m_ctx, coordinate);
        const OnnxValue upper = m_ctx.emit("Add", {lower, emit::scalarLike(m_ctx, coordinate, 1)});
        const OnnxValue upperShare = m_ctx.emit("Sub", {coordinate, lower});
        const OnnxValue lowerShare = m_ctx.emit("Sub", {upper, coordinate}); // the sum of both need not be 1
        const OnnxValue place = emit::cast(m_ctx, lower, ElementType::Int64);
        return {neighbour(place, lowerShare), neighbour(m_ctx.emit("Add", {place, number(1)}), upperShare)};
    }

private:
    OnnxValue number(double value) const { return m_ctx.onnx.scalar(ElementType::Int64, value); }

    /// The distance of a place from the nearest multiple of twice a length.
    OnnxValue folded(OnnxValue place, OnnxValue length) const
    {
        const OnnxValue period = arithmetic::maximum(m_ctx, m_ctx.emit("Mul", {length, number(2)}), number(1));
        const OnnxValue rest = m_ctx.emit("Mod", {m_ctx.emit("Add", {place, length}), period});
        return m_ctx.emit("Abs", {m_ctx.emit("Sub", {rest, length})});
    }

    Neighbour neighbour(OnnxValue place, OnnxValue weight) const
    {
        const OnnxValue last = m_ctx.emit("Sub", {m_size, number(1)});
        switch (m_sampling.beyond) {
        case Continuation::Value: {
            const OnnxValue isInside =
                m_ctx.emit("And", {m_ctx.emit("Greater", {place, number(-1)}), m_ctx.emit("Less", {place, m_size})});
            return {m_ctx.emit("Where", {isInside, place, number(0)}), isInside, weight};
        }
        case Continuation::Edge:
            return {arithmetic::maximum(m_ctx, arithmetic::minimum(m_ctx, place, last), number(0)), {}, weight};
        case Continuation::Wrap:
            return {m_ctx.emit("Mod", {place, m_size}), {}, weight};
        case Continuation::Mirror:
            return {folded(place, last), {}, weight};
        case Continuation::Reflect:
            break;
        }
        // The same about points between the elements: of twice as many places, the odd ones.
        const OnnxValue doubled = m_ctx.emit("Add", {m_ctx.emit("Mul", {place, number(2)}), number(1)});
        const OnnxValue found = folded(doubled, m_ctx.emit("Mul", {m_size, number(2)}));
        return {m_ctx.emit("Div", {m_ctx.emit("Sub", {found, number(1)}), number(2)}), {}, weight};
    }

    const NodeContext& m_ctx;
    OnnxValue m_size;
    const CoordinateSampling& m_sampling;
};

class GridSampler {
public:
    GridSampler(const NodeContext& ctx, const GridRows& data, const OnnxValues& coordinates,
                const CoordinateSampling& sampling)
        : m_ctx(ctx)
        , m_data(data)
        , m_value(sampling.value)
        , m_hasChannels(ctx.rank(data.rows) == 2)
    {
        for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
            m_neighbours.push_back(AxisSampler(ctx, data.sizes[axis], sampling).at(coordinates[axis]));
        }
    }

    /// The elements interpolated along this axis and the later ones. `place`: the number, among those of the earlier
    /// axes, of the neighbours along them; absent for the first of a single grid.
    OnnxValue along(std::size_t axis, OnnxValue place, OnnxValue isInside) const
    {
        if (axis == m_neighbours.size()) {
            const OnnxValue found = emit::gather(m_ctx, m_data.rows, place, 0);
            return isInside ? m_ctx.emit("Where", {spread(isInside), found, emit::scalarLike(m_ctx, found, m_value)})
                            : found;
        }
        OnnxValues parts;
        for (const Neighbour& next : m_neighbours[axis]) {
            const OnnxValue nextPlace =
                place ? m_ctx.emit("Add", {m_ctx.emit("Mul", {place, m_data.sizes[axis]}), next.place}) : next.place;
            const OnnxValue areInside = isInside && next.isInside ? m_ctx.emit("And", {isInside, next.isInside})
                                        : isInside                ? isInside
                                                                  : next.isInside;
            const OnnxValue value = along(axis + 1, nextPlace, areInside);
            parts.push_back(next.weight ? m_ctx.emit("Mul", {spread(next.weight), value}) : value);
        }
        return parts.size() == 1 ? parts.front() : m_ctx.emit("Sum", parts);
    }

private:
    OnnxValue spread(OnnxValue x) const { return m_hasChannels ? emit::unsqueeze(m_ctx, x, {-1}) : x; }

    const NodeContext& m_ctx;
    const GridRows& m_data;
    double m_value;
    bool m_hasChannels;
    std::vector<std::vector<Neighbour>> m_neighbours; ///< by axis
};

} // namespace

OnnxValue sampledAt(const NodeContext& ctx, const GridRows& data, const OnnxValues& coordinates,
                    const CoordinateSampling& sampling)
{
    return GridSampler(ctx, data, coordinates, sampling).along(0, data.grid, {});
}

} // namespace crosswalk::forms
