// _contrib_box_iou, _contrib_box_encode and _contrib_box_decode.

#include "core/convert/forms/vision/boxes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {
namespace {

bool isCenterFormat(const Attributes& attributes, std::string_view name, std::string_view fallback)
{
    return attributes.choice(name, {"corner", "center"}, fallback) == "center";
}

OnnxValues boxIou(NodeContext& ctx)
{
    const bool isCenter = isCenterFormat(Attributes(ctx), "format", "corner");
    if (ctx.rank(ctx.input(0)) < 1 || ctx.rank(ctx.input(1)) < 1) {
        ctx.invalid("box_iou requires boxes along the last axis");
    }
    return {overlapOfAll(ctx, ctx.input(0), ctx.input(1), isCenter)};
}

OnnxValues boxDecode(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    BoxDecoding how;
    how.isCenter = isCenterFormat(attributes, "format", "center");
    how.shift = {attributes.number("std0", 1), attributes.number("std1", 1)};
    how.growth = {attributes.number("std2", 1), attributes.number("std3", 1)};
    if (const double clip = attributes.number("clip", -1); clip > 0) {
        how.clip = clip;
    }
    return {decodedBoxes(ctx, ctx.input(0), ctx.input(1), how)};
}

OnnxValues boxEncode(NodeContext& ctx)
{
    const EncodedBoxes encoded = encodedBoxes(ctx, {.samples = ctx.input(0),
                                                    .matches = ctx.input(1),
                                                    .anchors = ctx.input(2),
                                                    .references = ctx.input(3),
                                                    .means = ctx.input(4),
                                                    .deviations = ctx.input(5)});
    return {encoded.moves, encoded.masks};
}

} // namespace

std::span<const OpRow> boxOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_box_decode", boxDecode, "Slice, Mul, Exp, Concat"},
        {"_contrib_box_encode", boxEncode, "GatherElements, Sub, Div, Log, Where"},
        {"_contrib_box_iou", boxIou, "Slice, Max, Min, ReduceProd, Div"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
