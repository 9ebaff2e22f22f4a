#pragma once

#include "core/convert/emit.h"

#include <string_view>

namespace crosswalk::pytorch {

/// Arithmetic that rounds every step to half precision, as PyTorch's does. ONNX Runtime computes a chain of nodes of
/// half precision in single precision and rounds at its end alone, so the steps are nodes of single precision. Other
/// types stay as they are.
class HalfSteps {
public:
    HalfSteps(const NodeContext& ctx, ElementType type)
        : m_ctx(ctx)
        , m_type(type)
    {
    }

    bool isHalf() const { return m_type == ElementType::Float16; }
    /// x in the type of the steps.
    OnnxValue start(OnnxValue x) const { return emit::cast(m_ctx, x, isHalf() ? ElementType::Float32 : m_type); }
    OnnxValue round(OnnxValue x) const
    {
        return isHalf() ? emit::cast(m_ctx, emit::cast(m_ctx, x, m_type), ElementType::Float32) : x;
    }
    /// One step: op(x...), rounded.
    OnnxValue operator()(std::string_view op, const OnnxValues& x) const { return round(m_ctx.emit(op, x)); }
    OnnxValue operator()(std::string_view op, OnnxValue a, double b) const
    {
        return (*this)(op, {a, round(emit::scalarLike(m_ctx, a, b))});
    }
    OnnxValue end(OnnxValue x) const { return emit::cast(m_ctx, x, m_type); }

private:
    const NodeContext& m_ctx;
    ElementType m_type;
};

} // namespace crosswalk::pytorch
