// _contrib_bipartite_matching.

#include "core/convert/forms/vision/bipartite_matching.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {
namespace {

OnnxValues bipartiteMatching(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    BipartiteMatching how;
    how.smallestFirst = attributes.boolean("is_ascend", false);
    how.threshold = static_cast<double>(static_cast<float>(attributes.number("threshold")));
    if (const std::int64_t limit = attributes.integer("topk", -1); limit > 0) {
        how.mostPairs = limit + 1; // MXNet stops after the first match beyond the limit
    }
    if (ctx.rank(ctx.input(0)) < 2 || !isFloating(ctx.element(ctx.input(0)))) {
        ctx.invalid("bipartite_matching requires matrices of scores, floats of at least 2 dimensions");
    }
    const MatchedPairs pairs = matchedPairs(ctx, ctx.input(0), how);
    return {pairs.columnOfRow, pairs.rowOfColumn};
}

} // namespace

std::span<const OpRow> bipartiteMatchingOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_bipartite_matching", bipartiteMatching, "Loop of ArgMax"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
