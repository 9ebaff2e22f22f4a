// _contrib_box_nms.

#include "core/convert/forms/vision/row_suppression.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValues boxNms(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const auto isCenter = [&](const char* name) {
        return attributes.choice(name, {"corner", "center"}, "corner") == "center";
    };
    RowSuppression how;
    how.score = attributes.integer("score_index", 1);
    how.box = attributes.integer("coord_start", 2);
    how.id = attributes.integer("id_index", -1);
    how.most = attributes.integer("topk", -1);
    how.isCenter = isCenter("in_format");
    how.toCenter = isCenter("out_format");
    const OnnxValue data = ctx.input(0);
    const std::size_t rank = ctx.rank(data);
    const std::int64_t width = rank < 2 ? 0 : ctx.fixedDim(data, -1);
    if (rank < 2 || how.score < 0 || how.score >= width || how.box < 0 || how.box + 4 > width || how.id >= width) {
        ctx.invalid(fmt::format("score_index, coord_start and id_index do not fit rows of {}", width));
    }
    if (how.most == 0) {
        return {data};
    }
    how.leastScore = attributes.number("valid_thresh", 0);
    how.overlap = attributes.number("overlap_thresh", 0.5);
    if (how.id >= 0) {
        how.background = attributes.number("background_id", -1);
        how.perClass = !attributes.boolean("force_suppress", false);
    }
    return {suppressedRows(ctx, data, how)};
}

} // namespace

std::span<const OpRow> boxNmsOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_box_nms", boxNms, "TopK, Loop over the boxes, Where", Support::Exact,
         "the second output, for training, is omitted"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
