#include "core/formats/pytorch/pytorch_framework.h"

#include "core/base/readable.h"
#include "core/convert/emit.h"
#include "core/convert/lowering.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/lowering/buffer_states.h"
#include "core/formats/pytorch/lowering/complex_numbers.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/lowering/joined_items.h"
#include "core/formats/pytorch/lowering/shared_weights.h"
#include "core/formats/pytorch/lowering/unsupported_branches.h"
#include "core/formats/pytorch/ops/pytorch_op_table.h"
#include "core/graph/parameters.h"

#include <cassert>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

constexpr const char* identity = "aten::alias";

/// Throws ModelError "no-graph" for a file of weights.
void expectProgram(const Graph& source)
{
    if (!isWeightsOnly(source)) {
        return;
    }
    const auto type = source.metadata.find("class");
    const ParameterCount weights = countParameters(source);
    throw ModelError(
        "no-graph",
        fmt::format("the file contains {} without {}: {}, {}",
                    type != source.metadata.end() ? "a module of class " + type->second : "weights",
                    type != source.metadata.end() ? "its program" : "a graph", counted(weights.tensors, "tensor"),
                    weights.elements == 1 ? "1 parameter" : readableCount(weights.elements) + " parameters"),
        "in the program that built the model, run torch.export.save(torch.export.export(model.eval(), "
        "example_inputs), \"model.pt2\") or torch.jit.trace(model.eval(), "
        "example_inputs).save(\"model.pt\"), and open that file");
}

/// Checks of the program, and what it asks of its environment, have no result that an output needs, but their problems
/// are reported. A branch or a loop whose results nothing reads may lack those of a branch that it does not contain.
void keepChecks(GraphRewriter& rewriter)
{
    for (std::uint32_t i = 0; i < rewriter.sourceNodes(); ++i) {
        const Node& node = rewriter.graph().node(NodeId{i});
        if (node.op == "prim::RaiseException" || node.op == "aten::is_grad_enabled" ||
            hasUnsupportedBranch(rewriter.graph(), node)) {
            rewriter.keep(NodeId{i});
        }
    }
}

/// Sizes given by the user for which the program was not exported: what it decided by the size stays decided. Another
/// number of axes is an error, as it is in PyTorch: the operators of the program name their axes from the front.
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
            const auto range = state.ranges.find(own.symbol());
            std::string exported;
            if (own.isFixed() && size != own) {
                exported = std::to_string(own.size);
            } else if (range != state.ranges.end() && size.isFixed() &&
                       (size.size < range->second.least || size.size > range->second.most)) {
                exported = range->second.most == std::numeric_limits<std::int64_t>::max()
                               ? fmt::format("{} or more", range->second.least)
                               : fmt::format("{} to {}", range->second.least, range->second.most);
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

LoweredGraph lower(const Graph& source, const ConvertOptions& options)
{
    expectProgram(source);
    std::vector<Diagnostic> problems;
    Graph functional = source;
    ProgramState state;
    if (source.original != nullptr) {
        state = *std::static_pointer_cast<const ProgramState>(source.original);
    }
    checkSizes(source, state, options, problems);
    markSharedWeights(functional);
    markJoinedItems(functional);
    state.tensors.merge(functionalize(functional, state, problems));
    const ValueIds states = exportStates(functional, state, problems);
    GraphRewriter order(functional, identity);
    keepChecks(order);
    const GraphRewriter::Result ordered = order.finish();

    GraphRewriter rewriter(ordered.graph, identity);
    splitComplexNumbers(rewriter);
    keepChecks(rewriter);
    LoweredGraph lowered(rewriter.finish());
    const auto last = std::move(lowered.standIns);
    lowered.standIns.clear();
    for (std::uint32_t i = 0; i < source.valueCount(); ++i) {
        const ValueId first = ordered.standIns[i];
        lowered.standIns.push_back({nullptr, first ? last[first.index].value : first});
    }
    addStateInputs(lowered, states);
    lowered.problems = std::move(problems);
    return lowered;
}

OnnxValues translate(NodeContext& ctx)
{
    OnnxValues results = translateNode(ctx);
    if (ctx.node.attribute(inPlace) != nullptr && !results.empty()) {
        results[0] = emit::cast(ctx, results[0], ctx.element(ctx.input(0)));
    }
    if (const auto* written = attributeOf<std::string>(ctx.node, writtenArgument); written && !results.empty()) {
        const auto input = inputNamed(ctx.node, *written);
        assert(input);
        results[0] = emit::cast(ctx, results[0], ctx.element(ctx.input(*input)));
    }
    return results;
}

} // namespace

const Framework& framework()
{
    static const Framework table{
        .format = "pytorch",
        .translate = translate,
        .inferInputs = inferInputRanks,
        .operators = supportedOperators,
        .lower = lower,
    };
    return table;
}

} // namespace crosswalk::pytorch
