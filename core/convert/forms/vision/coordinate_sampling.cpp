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
        const OnnxValue upperShare = m_ctx.emit("Sub", {coordinate, lower});
        const OnnxValue lowerShare = m_ctx.emit("Sub", {emit::scalarLike(m_ctx, coordinate, 1), upperShare});
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

} // namespace

OnnxValue sampledAt(const NodeContext& ctx, const GridRows& data, const OnnxValues& coordinates,
                    const CoordinateSampling& sampling)
{
    // The combinations of neighbours so far: the place as a number in the grid, and what their product needs.
    std::vector<Neighbour> corners{{data.grid, {}, {}}};
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
        const std::vector<Neighbour> along = AxisSampler(ctx, data.sizes[axis], sampling).at(coordinates[axis]);
        std::vector<Neighbour> joined;
        for (const Neighbour& corner : corners) {
            for (const Neighbour& next : along) {
                Neighbour both = next;
                if (corner.place) {
                    both.place = ctx.emit("Add", {ctx.emit("Mul", {corner.place, data.sizes[axis]}), next.place});
                }
                if (corner.isInside) {
                    both.isInside = ctx.emit("And", {corner.isInside, next.isInside});
                }
                if (corner.weight) {
                    both.weight = ctx.emit("Mul", {corner.weight, next.weight});
                }
                joined.push_back(both);
            }
        }
        corners = std::move(joined);
    }
    const bool hasChannels = ctx.rank(data.rows) == 2;
    const auto spread = [&](OnnxValue x) { return hasChannels ? emit::unsqueeze(ctx, x, {-1}) : x; };
    OnnxValues parts;
    for (const Neighbour& corner : corners) {
        OnnxValue found = emit::gather(ctx, data.rows, corner.place, 0);
        if (corner.isInside) {
            found = ctx.emit("Where", {spread(corner.isInside), found, emit::scalarLike(ctx, found, sampling.value)});
        }
        parts.push_back(corner.weight ? ctx.emit("Mul", {spread(corner.weight), found}) : found);
    }
    return parts.size() == 1 ? parts.front() : ctx.emit("Sum", parts);
}

} // namespace crosswalk::forms
