#include "core/convert/forms/linalg/matrix_product.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"

namespace crosswalk::forms {

OnnxValue transposedMatrices(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return emit::swapAxes(ctx, x, rank - 2, rank - 1);
}

OnnxValue matrixProduct(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool transposeA, bool transposeB,
                        double alpha)
{
    const bool isPlain = !transposeA && !transposeB && alpha == 1;
    if (!isPlain && ctx.rank(a) == 2 && ctx.rank(b) == 2 && isFloating(ctx.element(a))) {
        OnnxAttributes attributes;
        if (transposeA) {
            attributes.emplace_back("transA", 1);
        }
        if (transposeB) {
            attributes.emplace_back("transB", 1);
        }
        if (alpha != 1) {
            attributes.emplace_back("alpha", alpha);
        }
        return ctx.emit("Gemm", {a, b}, attributes);
    }
    const OnnxValue left = transposeA ? transposedMatrices(ctx, a) : a;
    const OnnxValue right = transposeB ? transposedMatrices(ctx, b) : b;
    const OnnxValue product = computedAs(ctx, widened(ctx.element(a)), left, right, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("MatMul", {x, y});
    });
    return alpha == 1 ? product : arithmetic::multiply(ctx, product, emit::scalarLike(ctx, product, alpha));
}

} // namespace crosswalk::forms
