#pragma once

#include "core/formats/pytorch/ops/operator_arguments.h"

namespace crosswalk::pytorch {

/// A list with one number per spatial dimension; a single number stands for all.
inline Ints perDimension(const Arguments& arguments, std::string_view name, std::size_t count, std::int64_t fallback)
{
    Ints values = arguments.integers(name).value_or(Ints());
    if (values.empty()) {
        values.assign(count, fallback);
    }
    if (values.size() == 1) {
        values.assign(count, values[0]);
    }
    return values;
}

/// x with a batch axis if it has none: the rank is `rank` afterwards.
inline OnnxValue batched(const NodeContext& ctx, OnnxValue x, std::size_t rank)
{
    return ctx.rank(x) + 1 == rank ? emit::unsqueeze(ctx, x, {0}) : x;
}

/// y without the batch axis that `batched` added to x.
inline OnnxValue unbatched(const NodeContext& ctx, OnnxValue y, OnnxValue x, std::size_t rank)
{
    return ctx.rank(x) + 1 == rank ? emit::squeeze(ctx, y, {0}) : y;
}

} // namespace crosswalk::pytorch
