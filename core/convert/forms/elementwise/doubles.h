#pragma once

#include "core/convert/emit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace crosswalk::forms {

/// Arithmetic on float64 values in the order of the formula: the results are then accurate to the last place of a
/// float32, regardless of cancellation.
class Doubles {
public:
    explicit Doubles(const NodeContext& ctx)
        : m_ctx(ctx)
    {
    }

    OnnxValue number(double value) const { return m_ctx.onnx.scalar(ElementType::Float64, value); }
    OnnxValue add(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Add", {a, b}); }
    OnnxValue add(OnnxValue a, double b) const { return add(a, number(b)); }
    OnnxValue sub(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Sub", {a, b}); }
    OnnxValue mul(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Mul", {a, b}); }
    OnnxValue mul(OnnxValue a, double b) const { return mul(a, number(b)); }
    OnnxValue div(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Div", {a, b}); }
    OnnxValue apply(std::string_view op, OnnxValue a) const { return m_ctx.emit(op, {a}); }
    OnnxValue where(OnnxValue condition, OnnxValue a, OnnxValue b) const
    {
        return m_ctx.emit("Where", {condition, a, b});
    }
    OnnxValue less(OnnxValue a, double b) const { return m_ctx.emit("Less", {a, number(b)}); }
    OnnxValue equal(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Equal", {a, b}); }
    OnnxValue vector(std::span<const double> values) const
    {
        return m_ctx.onnx.constant(
            Tensor::of(ElementType::Float64, {static_cast<std::int64_t>(values.size())}, values));
    }
    /// x repeated on a new last axis, to combine it with a vector.
    OnnxValue spread(OnnxValue x) const
    {
        return emit::unsqueeze(m_ctx, x, {static_cast<std::int64_t>(m_ctx.rank(x))});
    }
    /// c[0] + c[1] x + c[2] x^2 ...
    OnnxValue polynomial(OnnxValue x, std::span<const double> coefficients) const
    {
        std::vector<double> powers(coefficients.size());
        for (std::size_t i = 0; i < powers.size(); ++i) {
            powers[i] = static_cast<double>(i);
        }
        const OnnxValue terms = m_ctx.emit("Pow", {spread(x), vector(powers)});
        const Shape& shape = m_ctx.shape(x);
        if (std::find(shape.begin(), shape.end(), Dim(0)) != shape.end()) { // of which ONNX Runtime takes no product
            const auto last = static_cast<std::int64_t>(shape.size());
            return emit::reduce(m_ctx, "ReduceSum", mul(terms, vector(coefficients)), {last}, false);
        }
        return m_ctx.emit("MatMul", {terms, vector(coefficients)});
    }

private:
    const NodeContext& m_ctx;
};

} // namespace crosswalk::forms
