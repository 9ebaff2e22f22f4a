// Sorting, and the largest or smallest elements.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Order {
    std::int64_t count = 0; ///< below 1: all
    bool isAscending = false;
};

/// The input as the node sorts it: along its axis, or flattened if axis is None.
class Ordered {
public:
    Ordered(const NodeContext& ctx, const Order& order)
        : m_ctx(ctx)
        , m_source(ctx.input(0))
        , m_isFlat(Attributes(ctx).isNone("axis"))
    {
        m_x = m_isFlat && ctx.rank(m_source) != 1 ? reshapeTo(ctx, m_source, {restTerm()}) : m_source;
        m_axis = m_isFlat ? 0 : ctx.axis(Attributes(ctx).integer("axis", -1), ctx.rank(m_x));
        const OnnxValues found = ctx.onnx.add("TopK", {m_x, count(order.count)},
                                              {{"axis", m_axis}, {"largest", !order.isAscending}, {"sorted", 1}}, 2);
        m_values = found[0];
        m_places = found[1];
    }

    OnnxValue values() const { return m_values; }
    OnnxValue places(ElementType type) const { return emit::cast(m_ctx, m_places, type); }
    /// 1 at the selected elements, 0 elsewhere, in the input's shape.
    OnnxValue mask() const
    {
        const ElementType type = m_ctx.element(m_x);
        const OnnxValue mask = m_ctx.emit(
            "ScatterElements", {filledLike(m_ctx, m_x, type, 0), m_places, filledLike(m_ctx, m_places, type, 1)},
            {{"axis", m_axis}});
        return reshapeTo(m_ctx, mask, termsOf(m_ctx, m_source));
    }

private:
    OnnxValue count(std::int64_t wanted) const
    {
        const Dim& dim = m_ctx.shape(m_x)[static_cast<std::size_t>(m_axis)];
        if (dim.isFixed() && wanted > dim.size) {
            m_ctx.invalid(fmt::format("k = {} of a dimension of {}", wanted, dim.size), "k");
        }
        return wanted < 1 ? emit::dimVector(m_ctx, m_x, m_axis) : m_ctx.onnx.ints({wanted});
    }

    const NodeContext& m_ctx;
    OnnxValue m_source;
    bool m_isFlat;
    OnnxValue m_x;
    std::int64_t m_axis = 0;
    OnnxValue m_values;
    OnnxValue m_places;
};

OnnxValues topK(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::string wanted = attributes.choice("ret_typ", {"value", "indices", "mask", "both"}, "indices");
    const Ordered ordered(ctx, {attributes.integer("k", 1), attributes.boolean("is_ascend", false)});
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    if (wanted == "value") {
        return {ordered.values()};
    }
    if (wanted == "mask") {
        return {ordered.mask()};
    }
    return wanted == "indices" ? OnnxValues{ordered.places(type)} : OnnxValues{ordered.values(), ordered.places(type)};
}

OnnxValues sort(NodeContext& ctx)
{
    return {Ordered(ctx, {0, Attributes(ctx).boolean("is_ascend", true)}).values()};
}

OnnxValues argSort(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Ordered ordered(ctx, {0, attributes.boolean("is_ascend", true)});
    return {ordered.places(attributes.elementType("dtype", ElementType::Float32))};
}

} // namespace

std::span<const OpRow> orderingOps()
{
    static constexpr OpRow rows[] = {
        {"argsort", argSort, "TopK, Cast"},
        {"sort", sort, "TopK"},
        {"topk", topK, "TopK, Cast", Support::Exact, "the first of equal elements"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
