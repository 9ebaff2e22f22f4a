#pragma once

#include "core/convert/emit.h"

namespace crosswalk::forms {

/// A computation of several ONNX nodes in the internal precision of a single operator: half precision is computed in
/// single precision and rounded once, at the end.
class Precision {
public:
    Precision(const NodeContext& ctx, OnnxValue like)
        : m_ctx(ctx)
        , m_type(ctx.element(like))
        , m_wide(m_type == ElementType::Float16 || m_type == ElementType::BFloat16 ? ElementType::Float32 : m_type)
    {
    }
    /// The same, in `wide` whatever the type is (for types that an ONNX kernel lacks).
    Precision(const NodeContext& ctx, OnnxValue like, ElementType wide)
        : m_ctx(ctx)
        , m_type(ctx.element(like))
        , m_wide(wide)
    {
    }

    OnnxValue widen(OnnxValue x) const { return emit::cast(m_ctx, x, m_wide); }
    OnnxValue restore(OnnxValue y) const { return emit::cast(m_ctx, y, m_type); }
    ElementType type() const { return m_type; }
    ElementType wide() const { return m_wide; }

private:
    const NodeContext& m_ctx;
    ElementType m_type;
    ElementType m_wide;
};

} // namespace crosswalk::forms
