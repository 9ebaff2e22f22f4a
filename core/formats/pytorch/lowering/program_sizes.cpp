#include "core/formats/pytorch/lowering/program_sizes.h"

#include "core/base/readable.h"
#include "core/graph/shape_fit.h"

#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

/// Of a size by its name; any size where the program states none.
SizeRange rangeOf(const ProgramState& state, const Dim& named)
{
    const auto range = state.ranges.find(named.symbol());
    return range == state.ranges.end() ? SizeRange() : range->second;
}

bool isOutside(const Dim& size, const SizeRange& range)
{
    return size.isFixed() && (size.size < range.least || size.size > range.most);
}

} // namespace

void checkSizes(const Graph& source, const ProgramState& state, const ConvertOptions& options,
                std::vector<Diagnostic>& problems)
{
    for (const ValueId input : source.inputs) {
        const Value& value = source.value(input);
        const auto given = options.shapes.find(value.name);
        if (!state.isForSizes || given == options.shapes.end() || !value.type.shape) {
            continue;
        }
        if (given->second.size() != value.type.shape->size()) {
            problems.push_back({.severity = Severity::Error,
                                .code = "other-rank",
                                .message = fmt::format("the program was exported for {} of {} ({}), not for {}",
                                                       counted(value.type.shape->size(), "dimension"), value.name,
                                                       toString(*value.type.shape), given->second.size())});
            continue;
        }
        for (std::size_t axis = 0; axis < given->second.size(); ++axis) {
            const Dim& own = (*value.type.shape)[axis];
            const Dim& size = given->second[axis];
            const SizeRange range = rangeOf(state, own);
            std::string exported;
            if (own.isFixed() && size != own) {
                exported = std::to_string(own.size);
            } else if (isOutside(size, range)) {
                exported = range.most == SizeRange().most ? fmt::format("{} or more", range.least)
                                                          : fmt::format("{} to {}", range.least, range.most);
            }
            if (!exported.empty()) {
                problems.push_back({.severity = Severity::Warning,
                                    .code = "other-size",
                                    .message = fmt::format(
                                        "the program was exported for size {} at axis {} of {}, not for {}: what it "
                                        "decided by the size stays as it is",
                                        exported, axis, value.name,
                                        size.isFixed()          ? std::to_string(size.size)
                                        : size.symbol().empty() ? "any"
                                                                : size.symbol()),
                                    .hint = "export the program with a dynamic dimension"});
            }
        }
    }
}

std::optional<std::map<std::string, Dim, std::less<>>> namedSizes(const Graph& source, const ConvertOptions& options)
{
    std::map<std::string, Dim, std::less<>> sizes;
    for (const ValueId input : source.inputs) {
        const Value& value = source.value(input);
        const auto given = options.shapes.find(value.name);
        if (!value.type.shape) {
            continue;
        }
        const Shape& shape = given == options.shapes.end() ? *value.type.shape : given->second;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const std::string& name = (*value.type.shape)[axis].symbol();
            const Dim& size = shape[axis];
            if (!name.empty() && !size.isUnknown() && sizes.try_emplace(name, size).first->second != size) {
                return std::nullopt;
            }
        }
    }
    return sizes;
}

void refineSizes(const NodeContext& ctx, const OnnxValues& results)
{
    const auto* state = static_cast<const ProgramState*>(ctx.graph.original.get());
    if (state == nullptr || !state->sizes) {
        return;
    }
    for (std::size_t i = 0; i < results.size() && i < ctx.node.outputs.size(); ++i) {
        const ValueType& recorded = ctx.graph.value(ctx.node.outputs[i]).type;
        if (!results[i] || !recorded.shape) {
            continue;
        }
        Shape sizes = *recorded.shape;
        for (Dim& dim : sizes) {
            if (!dim.isFixed()) {
                const auto known = state->sizes->find(dim.symbol());
                dim = known == state->sizes->end() ? Dim() : known->second;
            }
        }
        // PyTorch records four dimensions for the states of recurrent layers, which have three.
        if (const auto& inferred = ctx.onnx.shape(results[i]); !inferred || fitsShape(*inferred, sizes)) {
            ctx.onnx.refine(results[i], sizes);
        }
    }
}

} // namespace crosswalk::pytorch
