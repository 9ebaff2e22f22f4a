// SpaceToBatch, BatchToSpace, SpaceToDepth and DepthToSpace.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/vision/space_to_depth.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

OnnxValue part(const NodeContext& ctx, OnnxValue vector, std::int64_t first, std::int64_t last)
{
    return emit::slice(ctx, vector, Ints{first}, Ints{last}, Ints{0});
}

/// a[0], b[0], a[1], b[1]...
OnnxValue interleaved(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue pairs = emit::concat(ctx, {emit::unsqueeze(ctx, a, {1}), emit::unsqueeze(ctx, b, {1})}, 1);
    return emit::reshape(ctx, pairs, Ints{-1});
}

/// Column i of a matrix (axes, 2), an int64 vector.
OnnxValue columnOf(const NodeContext& ctx, OnnxValue matrix, std::int64_t i)
{
    const OnnxValue columns = emit::transpose(ctx, asInt64(ctx, matrix), {1, 0});
    return emit::squeeze(ctx, part(ctx, columns, i, i + 1), {0});
}

/// The paddings (axes, 2) of some of x's axes, the first and the last ones without, as ONNX's pads.
OnnxValue blockPads(const NodeContext& ctx, OnnxValue x, OnnxValue paddings, std::int64_t count)
{
    // Rows (before..., after...), with zeros around each for the other axes.
    const OnnxValue rows = emit::transpose(ctx, asInt64(ctx, paddings), {1, 0});
    const auto behind = static_cast<std::int64_t>(ctx.rank(x)) - 1 - count;
    const OnnxValue zero = ctx.onnx.ints({0, 0});
    OnnxValues columns{emit::reshape(ctx, zero, Ints{2, 1}), rows};
    if (behind > 0) {
        columns.push_back(filled(ctx, ElementType::Int64, {2, behind}, 0));
    }
    return emit::reshape(ctx, emit::concat(ctx, columns, 1), Ints{-1});
}

struct Blocks {
    OnnxValue sizes; ///< int64 vector
    std::int64_t count = 0;
};

Blocks blocksOf(const NodeContext& ctx)
{
    Blocks blocks{.sizes = intVector(ctx, ctx.input(1))};
    blocks.count = ctx.fixedDim(blocks.sizes, 0);
    if (blocks.count + 1 > static_cast<std::int64_t>(ctx.rank(ctx.input(0)))) {
        ctx.invalid(fmt::format("{} blocks of {} dimensions", blocks.count, ctx.rank(ctx.input(0))));
    }
    return blocks;
}

/// Throws unless the blocks have elements, and paddings or crops two numbers for each, none of them negative.
void requireBlocks(const NodeContext& ctx, const Blocks& blocks, OnnxValue ends)
{
    const auto sizes = knownInts(ctx, blocks.sizes);
    if (sizes && std::ranges::any_of(*sizes, [](std::int64_t size) { return size < 1; })) {
        ctx.invalid(fmt::format("blocks of {} elements", fmt::join(*sizes, " x ")));
    }
    const Tensor* stored = ctx.onnx.content(ends);
    if (stored == nullptr) {
        return;
    }
    const auto numbers = stored->toInts();
    if (stored->dims() != Ints{blocks.count, 2} ||
        std::ranges::any_of(numbers, [](std::int64_t number) { return number < 0; })) {
        ctx.invalid(fmt::format("paddings or crops of {} blocks are [{}]", blocks.count, fmt::join(numbers, ", ")));
    }
}

/// Whether slices are fewer nodes than the composition of shapes of open sizes.
bool areFew(const Ints& blocks)
{
    constexpr std::int64_t limit = 9;
    return std::ranges::all_of(blocks, [](std::int64_t size) { return size >= 1 && size <= limit; }) &&
           std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0}) <= limit;
}

/// (b, s1 k1, s2 k2, rest) becomes (k1 k2 b, s1, s2, rest), of every k-th element along each axis, the last one first.
OnnxValue everyElement(const NodeContext& ctx, OnnxValue x, const Ints& blocks)
{
    for (std::size_t i = blocks.size(); i-- > 0;) {
        OnnxValues parts;
        for (std::int64_t first = 0; first < blocks[i] && blocks[i] > 1; ++first) {
            parts.push_back(emit::slice(ctx, x, Ints{first}, Ints{emit::farEnd}, Ints{static_cast<std::int64_t>(i) + 1},
                                        Ints{blocks[i]}));
        }
        x = parts.empty() ? x : emit::concat(ctx, parts, 0);
    }
    return x;
}

/// (b, s1 k1, s2 k2, rest) becomes (k1 k2 b, s1, s2, rest).
OnnxValue spaceToBatch(const NodeContext& ctx, const Blocks& blocks, OnnxValue paddings)
{
    requireBlocks(ctx, blocks, paddings);
    const OnnxValue given = ctx.input(0);
    const std::int64_t count = blocks.count;
    // ONNX Runtime pads no integers of 16 bits.
    const ElementType own = ctx.element(given);
    const bool isPadded = own != ElementType::Int16 && own != ElementType::UInt16 && own != ElementType::BFloat16;
    const OnnxValue x = computedAs(ctx, isPadded ? own : widened(own), given, [&](OnnxValue value) {
        return ctx.emit("Pad", {value, blockPads(ctx, value, paddings, count)});
    });
    const auto known = knownInts(ctx, blocks.sizes);
    if (known && !isFixed(ctx.shape(x)) && areFew(*known)) {
        return everyElement(ctx, x, *known);
    }
    const OnnxValue shape = emit::shapeVector(ctx, x);
    const OnnxValue spatial = ctx.emit("Div", {part(ctx, shape, 1, count + 1), blocks.sizes});
    const OnnxValue rest = part(ctx, shape, count + 1, emit::farEnd);
    const OnnxValue split =
        emit::concat(ctx, {part(ctx, shape, 0, 1), interleaved(ctx, spatial, blocks.sizes), rest}, 0);
    const OnnxValue apart = emit::reshape(ctx, x, split);
    Ints order;
    for (std::int64_t i = 0; i < count; ++i) {
        order.push_back(2 + 2 * i);
    }
    order.push_back(0);
    for (std::int64_t i = 0; i < count; ++i) {
        order.push_back(1 + 2 * i);
    }
    for (std::int64_t i = 2 * count + 1; i < static_cast<std::int64_t>(ctx.rank(given)) + count; ++i) {
        order.push_back(i);
    }
    return emit::reshape(ctx, emit::transpose(ctx, apart, order),
                         emit::concat(ctx, {ctx.onnx.ints({-1}), spatial, rest}, 0));
}

/// (k1 k2 b, s1, s2, rest) becomes (b, s1 k1, s2 k2, rest), cut at both ends.
OnnxValue batchToSpace(const NodeContext& ctx, const Blocks& blocks, OnnxValue crops)
{
    requireBlocks(ctx, blocks, crops);
    const OnnxValue x = ctx.input(0);
    const std::int64_t count = blocks.count;
    const OnnxValue shape = emit::shapeVector(ctx, x);
    const OnnxValue spatial = part(ctx, shape, 1, count + 1);
    const OnnxValue rest = part(ctx, shape, count + 1, emit::farEnd);
    const OnnxValue open = ctx.onnx.ints({-1});
    const OnnxValue apart = emit::reshape(ctx, x, emit::concat(ctx, {blocks.sizes, open, spatial, rest}, 0));
    Ints order{count};
    Ints axes;
    for (std::int64_t i = 0; i < count; ++i) {
        order.push_back(count + 1 + i);
        order.push_back(i);
        axes.push_back(i + 1);
    }
    for (std::int64_t i = 2 * count + 1; i < static_cast<std::int64_t>(ctx.rank(x)) + count; ++i) {
        order.push_back(i);
    }
    const OnnxValue sizes = ctx.emit("Mul", {spatial, blocks.sizes});
    const OnnxValue whole =
        emit::reshape(ctx, emit::transpose(ctx, apart, order), emit::concat(ctx, {open, sizes, rest}, 0));
    return emit::slice(ctx, whole, columnOf(ctx, crops, 0), ctx.emit("Sub", {sizes, columnOf(ctx, crops, 1)}),
                       ctx.onnx.ints(axes));
}

OnnxValues spaceToBatchNd(NodeContext& ctx)
{
    const Blocks blocks = blocksOf(ctx);
    const OnnxValue x = ctx.input(0);
    return {blocks.count == 0 ? x : spaceToBatch(ctx, blocks, ctx.input(2))};
}

OnnxValues batchToSpaceNd(NodeContext& ctx)
{
    const Blocks blocks = blocksOf(ctx);
    const OnnxValue x = ctx.input(0);
    return {blocks.count == 0 ? x : batchToSpace(ctx, blocks, ctx.input(2))};
}

/// Blocks of one size along the height and the width of images; the paddings or crops are input 1.
Blocks squareBlocks(const NodeContext& ctx)
{
    const std::int64_t size = Settings(ctx).integer("block_size");
    if (ctx.rank(ctx.input(0)) != 4) {
        ctx.invalid(fmt::format("images must have 4 dimensions, not {}", ctx.rank(ctx.input(0))));
    }
    return {.sizes = ctx.onnx.ints({size, size}), .count = 2};
}

OnnxValues spaceToBatchSquare(NodeContext& ctx)
{
    return {spaceToBatch(ctx, squareBlocks(ctx), ctx.input(1))};
}

OnnxValues batchToSpaceSquare(NodeContext& ctx)
{
    return {batchToSpace(ctx, squareBlocks(ctx), ctx.input(1))};
}

using Rearrangement = OnnxValue (*)(const NodeContext& ctx, OnnxValue x, std::int64_t block);

OnnxValues rearranged(const NodeContext& ctx, Rearrangement rearrange)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(x));
    const OnnxValue y = rearrange(ctx, channelsLast ? toChannelsFirst(ctx, x) : x, settings.integer("block_size"));
    return {channelsLast ? toChannelsLast(ctx, y) : y};
}

OnnxValues spaceToDepth(NodeContext& ctx)
{
    return rearranged(ctx, forms::spaceToDepth);
}

OnnxValues depthToSpace(NodeContext& ctx)
{
    return rearranged(ctx, forms::depthToSpace);
}

} // namespace

std::span<const OpRow> blockRearrangementOps()
{
    static constexpr OpRow rows[] = {
        {"BatchToSpace", batchToSpaceSquare, "Reshape, Transpose, Slice"},
        {"BatchToSpaceND", batchToSpaceNd, "Reshape, Transpose, Slice"},
        {"DepthToSpace", depthToSpace, "Transpose, DepthToSpace"},
        {"SpaceToBatch", spaceToBatchSquare, "Pad, Reshape, Transpose"},
        {"SpaceToBatchND", spaceToBatchNd, "Pad, Reshape, Transpose"},
        {"SpaceToDepth", spaceToDepth, "Transpose, SpaceToDepth"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
