// _contrib_DeformablePSROIPooling.

#include "core/convert/forms/vision/deformable_roi_pooling.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/vision/region_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

RegionSamples samplesOf(const NodeContext& ctx, const Attributes& attributes, const Bins& bins, bool hasOffsets)
{
    RegionSamples samples;
    samples.parts = attributes.integer("part_size", 0);
    samples.parts = samples.parts == 0 ? bins.height : samples.parts;
    samples.perBin = attributes.integer("sample_per_part", 1);
    samples.reach = static_cast<double>(static_cast<float>(attributes.number("trans_std", 0)));
    if (samples.parts < 1 || samples.perBin < 1 || samples.perBin > 1024) {
        ctx.invalid("part_size and sample_per_part must be positive", "sample_per_part");
    }
    if (hasOffsets) {
        const Shape& shape = ctx.shape(ctx.input(2));
        const std::int64_t pairs = shape.size() == 4 ? ctx.fixedDim(ctx.input(2), 1) : 0;
        if (pairs < 2 || pairs % 2 != 0 || bins.channels % (pairs / 2) != 0) {
            ctx.invalid(fmt::format("offsets {} for output_dim = {}", toString(shape), bins.channels), "output_dim");
        }
        samples.classes = pairs / 2;
    }
    return samples;
}

OnnxValues deformablePooling(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool hasOffsets = !attributes.boolean("no_trans", false);
    const Bins bins = positionSensitiveBins(ctx, attributes);
    const RegionSamples samples = samplesOf(ctx, attributes, bins, hasOffsets);
    expectRegions(ctx, ctx.input(0), ctx.input(1), 5);
    const OnnxValue offsets = hasOffsets ? ctx.input(2) : OnnxValue{};
    return {deformableRoiPooling(ctx, ctx.input(0), ctx.input(1), offsets, bins, samples)};
}

} // namespace

std::span<const OpRow> deformableRoiPoolingOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_DeformablePSROIPooling", deformablePooling, "Gather, arithmetic and ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
