#include "core/formats/mxnet/ops/tensor/equal_shapes.h"

#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// Whether a created tensor of the graph leaves sizes open, which MXNet infers from its consumers. A size that is not
/// known becomes 1 (namedShape in creation.cpp), also in what is computed from it.
bool hasOpenSizes(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const Node& node) {
        const auto* dims = node.inputs.empty() ? attributeOf<Ints>(node, "shape") : nullptr;
        return dims != nullptr && std::ranges::any_of(*dims, [](std::int64_t dim) { return dim <= 0; });
    });
}

/// The state that a loop's body receives may be such a tensor of the graph around it.
bool hasOpenSizes(const NodeContext& ctx)
{
    return hasOpenSizes(ctx.graph) ||
           std::ranges::any_of(ctx.enclosing(), [](const Graph* graph) { return hasOpenSizes(*graph); });
}

bool mayBeEqual(const Shape& a, const Shape& b, bool isOneOpen)
{
    return std::ranges::equal(a, b, [&](const Dim& x, const Dim& y) {
        const bool isOpen = !x.isFixed() || !y.isFixed() || (isOneOpen && (x.size == 1 || y.size == 1));
        return isOpen || x.size == y.size;
    });
}

} // namespace

void expectEqualShapes(const NodeContext& ctx, std::size_t first)
{
    const auto& wanted = ctx.onnx.shape(ctx.input(first));
    for (std::size_t i = first + 1; i < ctx.inputCount(); ++i) {
        const auto& other = ctx.onnx.shape(ctx.input(i));
        if (wanted && other && !mayBeEqual(*wanted, *other, false) && !mayBeEqual(*wanted, *other, hasOpenSizes(ctx))) {
            throw ModelError("shape-conflict",
                             fmt::format("{} requires operands of equal shapes, but they have {} and {}", ctx.node.op,
                                         toString(*wanted), toString(*other)));
        }
    }
}

void expectEqualTypes(const NodeContext& ctx, std::size_t count)
{
    const ElementType wanted = ctx.element(ctx.input(0));
    for (std::size_t i = 1; i < std::min(count, ctx.inputCount()); ++i) {
        const ElementType other = ctx.hasInput(i) ? ctx.onnx.element(ctx.input(i)) : ElementType::Undefined;
        if (other != ElementType::Undefined && other != wanted) {
            ctx.invalid(fmt::format("{} of {} and {}: the operands have different types", ctx.node.op,
                                    elementTypeName(wanted), elementTypeName(other)));
        }
    }
}

} // namespace crosswalk::mxnet
