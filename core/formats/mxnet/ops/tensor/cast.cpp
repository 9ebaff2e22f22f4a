// Changes of element type.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

/// The types that automatic mixed precision converts.
bool isMixed(ElementType type)
{
    return type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::BFloat16;
}

OnnxValues cast(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {emit::cast(ctx, x, Attributes(ctx).elementType("dtype", ctx.element(x)))};
}

OnnxValues mixedCast(NodeContext& ctx)
{
    return isMixed(ctx.element(ctx.input(0))) ? cast(ctx) : OnnxValues{ctx.input(0)};
}

/// Casts all inputs to the widest of their types, or to the narrowest.
OnnxValues mixedCastAll(NodeContext& ctx)
{
    const bool isNarrow = Attributes(ctx).boolean("cast_narrow", false);
    ElementType common = isNarrow ? ElementType::Float32 : ctx.element(ctx.input(0));
    for (const OnnxValue x : ctx.inputs()) {
        const ElementType type = ctx.element(x);
        if (isNarrow ? type == ElementType::Float16 || type == ElementType::BFloat16 : type == ElementType::Float32) {
            common = type;
        }
    }
    OnnxValues results;
    for (const OnnxValue x : ctx.inputs()) {
        results.push_back(isMixed(ctx.element(x)) ? emit::cast(ctx, x, common) : x);
    }
    return results;
}

OnnxValues castStorage(NodeContext& ctx)
{
    return {ctx.input(0)};
}

} // namespace

std::span<const OpRow> castOps()
{
    static constexpr OpRow rows[] = {
        {"Cast", cast, "Cast"},
        {"amp_cast", mixedCast, "Cast"},
        {"amp_multicast", mixedCastAll, "Cast"},
        {"cast_storage", castStorage, "-", Support::Exact, "every tensor is dense"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
