// Fourier transforms along one or several axes.

#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/fourier_transform.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

namespace crosswalk::pytorch {
namespace {

/// The divisor of a transform by its argument norm: "backward" divides inverse ones, "forward" the others.
FourierScale transformScale(const NodeContext& ctx, const Arguments& arguments, bool isInverse)
{
    const std::string norm = arguments.text("norm", "backward");
    if (norm != "backward" && norm != "forward" && norm != "ortho") {
        ctx.invalid("the norm is not one of PyTorch's", "norm");
    }
    return norm == "ortho"                     ? FourierScale::Root
           : (norm == "backward") == isInverse ? FourierScale::Count
                                               : FourierScale::None;
}

/// The same by the number of an inner operator.
FourierScale scaleByNumber(const NodeContext& ctx, const Arguments& arguments)
{
    const std::int64_t number = arguments.integer("normalization", 0);
    if (number < 0 || number > 2) {
        ctx.invalid("the normalization is not one of PyTorch's", "normalization");
    }
    return static_cast<FourierScale>(number);
}

/// The axes and lengths of a transform of several axes; by default all axes, or the last ones of the lengths.
struct Extent {
    Ints axes;
    Ints lengths; ///< -1: that of the axis
};

Extent extentOf(const NodeContext& ctx, const Arguments& arguments, std::size_t rank, bool isPlane)
{
    Extent extent;
    const Ints lengths = arguments.integers("s").value_or(Ints());
    if (arguments.has("dim") && !arguments.integers("dim").value_or(Ints()).empty()) {
        extent.axes = arguments.axes("dim", rank);
    } else {
        const std::size_t count = !lengths.empty() ? lengths.size() : isPlane ? 2 : rank;
        if (count > rank) {
            ctx.invalid("there are more lengths than axes", "s");
        }
        for (std::size_t i = rank - count; i < rank; ++i) {
            extent.axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    extent.lengths = lengths.empty() ? Ints(extent.axes.size(), -1) : lengths;
    if (extent.lengths.size() != extent.axes.size() || extent.axes.empty()) {
        ctx.invalid("the numbers of lengths and axes differ", "s");
    }
    return extent;
}

template <bool isInverse, bool isReal>
OnnxValues transform(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ComplexParts x = wideOperand(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x.real));
    const std::int64_t n = arguments.integer("n", ctx.fixedDim(x.real, axis));
    return spectrumResults(ctx, arguments,
                           transformed(ctx, x,
                                       {.axis = axis,
                                        .n = n,
                                        .isInverse = isInverse,
                                        .isOneSided = isReal,
                                        .scale = transformScale(ctx, arguments, isInverse)}));
}

/// Along several axes; a half spectrum is that of the last one.
template <bool isInverse, bool isReal, bool isPlane>
OnnxValues transformAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ComplexParts x = wideOperand(ctx, arguments);
    const Extent extent = extentOf(ctx, arguments, ctx.rank(x.real), isPlane);
    const FourierScale scale = transformScale(ctx, arguments, isInverse);
    for (std::size_t i = extent.axes.size(); i-- > 0;) {
        const std::int64_t axis = extent.axes[i];
        const std::int64_t n = extent.lengths[i] < 0 ? ctx.fixedDim(x.real, axis) : extent.lengths[i];
        x = transformed(ctx, x,
                        {.axis = axis,
                         .n = n,
                         .isInverse = isInverse,
                         .isOneSided = isReal && i + 1 == extent.axes.size(),
                         .scale = scale});
    }
    return spectrumResults(ctx, arguments, x);
}

// A real signal from its half spectrum. The half spectrum of a Hermitian signal is that of a real one, with the signs
// of the other direction.

template <bool isHermitian>
OnnxValue signalFrom(NodeContext& ctx, ComplexParts x, std::int64_t axis, std::int64_t n, const FourierScale& scale)
{
    return signalOf(ctx, isHermitian ? conjugate(ctx, x) : x, axis, n, scale);
}

template <bool isHermitian>
OnnxValues signal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ComplexParts x = wideOperand(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x.real));
    const std::int64_t n = arguments.integer("n", 2 * (ctx.fixedDim(x.real, axis) - 1));
    const OnnxValue y = signalFrom<isHermitian>(ctx, x, axis, n, transformScale(ctx, arguments, !isHermitian));
    return {emit::cast(ctx, y, spectrumType(ctx, arguments))};
}

template <bool isPlane, bool isHermitian>
OnnxValues signalOfAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ComplexParts x = wideOperand(ctx, arguments);
    const Extent extent = extentOf(ctx, arguments, ctx.rank(x.real), isPlane);
    const FourierScale scale = transformScale(ctx, arguments, !isHermitian);
    for (std::size_t i = 0; i + 1 < extent.axes.size(); ++i) {
        const std::int64_t axis = extent.axes[i];
        const std::int64_t n = extent.lengths[i] < 0 ? ctx.fixedDim(x.real, axis) : extent.lengths[i];
        x = transformed(ctx, x, {.axis = axis, .n = n, .isInverse = !isHermitian, .scale = scale});
    }
    const std::int64_t axis = extent.axes.back();
    const std::int64_t n = extent.lengths.back() < 0 ? 2 * (ctx.fixedDim(x.real, axis) - 1) : extent.lengths.back();
    return {emit::cast(ctx, signalFrom<isHermitian>(ctx, x, axis, n, scale), spectrumType(ctx, arguments))};
}

/// _fft_c2c and _fft_r2c
template <bool isReal>
OnnxValues innerTransform(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ComplexParts x = wideOperand(ctx, arguments);
    const Ints axes = arguments.axes("dim", ctx.rank(x.real));
    for (std::size_t i = axes.size(); i-- > 0;) {
        x = transformed(ctx, x,
                        {.axis = axes[i],
                         .n = ctx.fixedDim(x.real, axes[i]),
                         .isInverse = !isReal && !arguments.truth("forward", true),
                         .isOneSided = isReal && i + 1 == axes.size() && arguments.truth("onesided", true),
                         .scale = scaleByNumber(ctx, arguments)});
    }
    return spectrumResults(ctx, arguments, x);
}

OnnxValues innerSignal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ComplexParts x = wideOperand(ctx, arguments);
    const Ints axes = arguments.axes("dim", ctx.rank(x.real));
    const FourierScale scale = scaleByNumber(ctx, arguments);
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
        x = transformed(ctx, x,
                        {.axis = axes[i], .n = ctx.fixedDim(x.real, axes[i]), .isInverse = true, .scale = scale});
    }
    const OnnxValue y = signalOf(ctx, x, axes.back(), arguments.integer("last_dim_size", 1), scale);
    return {emit::cast(ctx, y, spectrumType(ctx, arguments))};
}

OnnxValues hermitianSpectrum(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ComplexParts x = wideOperand(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x.real));
    const ComplexParts y = transformed(ctx, x,
                                       {.axis = axis,
                                        .n = arguments.integer("n", ctx.fixedDim(x.real, axis)),
                                        .isOneSided = true,
                                        .scale = transformScale(ctx, arguments, true)});
    return spectrumResults(ctx, arguments, conjugate(ctx, y));
}

template <bool isPlane>
OnnxValues hermitianSpectrumOfAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ComplexParts x = wideOperand(ctx, arguments);
    const Extent extent = extentOf(ctx, arguments, ctx.rank(x.real), isPlane);
    const FourierScale scale = transformScale(ctx, arguments, true);
    for (std::size_t i = extent.axes.size(); i-- > 0;) {
        const bool isLast = i + 1 == extent.axes.size();
        const std::int64_t axis = extent.axes[i];
        const std::int64_t n = extent.lengths[i] < 0 ? ctx.fixedDim(x.real, axis) : extent.lengths[i];
        x = transformed(ctx, x, {.axis = axis, .n = n, .isInverse = !isLast, .isOneSided = isLast, .scale = scale});
        x = isLast ? conjugate(ctx, x) : x;
    }
    return spectrumResults(ctx, arguments, x);
}

/// The first half of each axis moved behind the second, or back.
template <bool isInverse>
OnnxValues shiftFrequencies(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    for (const std::int64_t axis : arguments.axes("dim", ctx.rank(x))) {
        const std::int64_t size = ctx.fixedDim(x, axis);
        const std::int64_t cut = isInverse ? size / 2 : (size + 1) / 2;
        if (cut > 0 && cut < size) {
            x = emit::concat(ctx,
                             {emit::slice(ctx, x, Ints{cut}, Ints{emit::farEnd}, Ints{axis}),
                              emit::slice(ctx, x, Ints{0}, Ints{cut}, Ints{axis})},
                             axis);
        }
    }
    return {x};
}

} // namespace

std::span<const OpRow> spectrumOps()
{
    static constexpr OpRow rows[] = {
        {"aten::fft_fftshift", shiftFrequencies<false>, "Slice, Concat"},
        {"aten::fft_ifftshift", shiftFrequencies<true>, "Slice, Concat"},
        complexRow("complex::fft_fft", transform<false, false>, "MatMul"),
        complexRow("complex::fft_ifft", transform<true, false>, "MatMul"),
        complexRow("complex::fft_rfft", transform<false, true>, "MatMul"),
        complexRow("complex::fft_fft2", transformAll<false, false, true>, "MatMul"),
        complexRow("complex::fft_ifft2", transformAll<true, false, true>, "MatMul"),
        complexRow("complex::fft_rfft2", transformAll<false, true, true>, "MatMul"),
        complexRow("complex::fft_fftn", transformAll<false, false, false>, "MatMul"),
        complexRow("complex::fft_ifftn", transformAll<true, false, false>, "MatMul"),
        complexRow("complex::fft_rfftn", transformAll<false, true, false>, "MatMul"),
        complexRow("complex::fft_irfft", signal<false>, "MatMul"),
        complexRow("complex::fft_irfft2", signalOfAll<true, false>, "MatMul"),
        complexRow("complex::fft_irfftn", signalOfAll<false, false>, "MatMul"),
        complexRow("complex::_fft_c2c", innerTransform<false>, "MatMul"),
        complexRow("complex::_fft_r2c", innerTransform<true>, "MatMul"),
        complexRow("complex::_fft_c2r", innerSignal, "MatMul"),
        complexRow("complex::fft_hfft", signal<true>, "MatMul"),
        complexRow("complex::fft_hfft2", signalOfAll<true, true>, "MatMul"),
        complexRow("complex::fft_hfftn", signalOfAll<false, true>, "MatMul"),
        complexRow("complex::fft_ihfft", hermitianSpectrum, "MatMul"),
        complexRow("complex::fft_ihfft2", hermitianSpectrumOfAll<true>, "MatMul"),
        complexRow("complex::fft_ihfftn", hermitianSpectrumOfAll<false>, "MatMul"),
    };
    return rows;
}

} // namespace crosswalk::pytorch
