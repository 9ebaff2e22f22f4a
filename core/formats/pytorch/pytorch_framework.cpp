#include "core/formats/pytorch/pytorch_framework.h"

#include "core/base/is_one_of.h"
#include "core/base/readable.h"
#include "core/convert/emit.h"
#include "core/convert/lowering.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/lowering/buffer_states.h"
#include "core/formats/pytorch/lowering/complex_numbers.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/lowering/joined_items.h"
#include "core/formats/pytorch/lowering/program_sizes.h"
#include "core/formats/pytorch/lowering/shared_weights.h"
#include "core/formats/pytorch/lowering/unsupported_branches.h"
#include "core/formats/pytorch/ops/pytorch_op_table.h"
#include "core/graph/parameters.h"

#include <algorithm>
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

/// An operator of another library, which may write to its operands: the file does not tell. Those without results are
/// refused before.
bool isForeign(const Node& node)
{
    return !node.outputs.empty() && !isOneOf(std::string_view(node.op).substr(0, node.op.find("::")),
                                             {"_operator", "aten", "complex", "higher_order", "math", "prim", "prims",
                                              "profiler", "quantized", "quantized_decomposed", "torch", "torchvision"});
}

/// Checks of the program, what it asks of its environment, and operators of other libraries may have no result that an
/// output needs, but their problems are reported. A branch or a loop whose results nothing reads may lack those of a
/// branch that it does not contain.
void keepChecks(GraphRewriter& rewriter)
{
    for (std::uint32_t i = 0; i < rewriter.sourceNodes(); ++i) {
        const Node& node = rewriter.graph().node(NodeId{i});
        if (node.op == "prim::RaiseException" || node.op == "aten::is_grad_enabled" || isForeign(node) ||
            hasUnsupportedBranch(rewriter.graph(), node)) {
            rewriter.keep(NodeId{i});
        }
    }
}

/// Nodes of complex numbers that have no form, unless their types tell: the translation reports those.
void reportComplexNumbers(const GraphRewriter& rewriter, const std::vector<NodeId>& nodes,
                          std::vector<Diagnostic>& problems)
{
    const std::vector<bool> needed = rewriter.neededNodes();
    const auto isKnown = [&](ValueId value) { return value && isComplex(rewriter.graph().value(value).type.element); };
    for (const NodeId id : nodes) {
        const Node& node = rewriter.graph().node(id);
        if (!needed[id.index] || node.origins.empty() || !node.origins.front().path.empty() ||
            std::ranges::any_of(node.inputs, isKnown) || std::ranges::any_of(node.outputs, isKnown)) {
            continue;
        }
        problems.push_back({.code = "unsupported-operator",
                            .message = fmt::format("{} of complex numbers is not supported", node.op),
                            .node = node.name,
                            .nodeIndex = node.origins.front().node.index,
                            .op = node.op,
                            .hint = "compute with real and imaginary parts"});
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
    const bool isForShapes = state.isForSizes && problems.empty();
    markSharedWeights(functional);
    markJoinedItems(functional);
    state.tensors.merge(functionalize(functional, state, problems));
    const ValueIds states = exportStates(functional, state, problems);
    GraphRewriter order(functional, identity);
    keepChecks(order);
    const GraphRewriter::Result ordered = order.finish();

    GraphRewriter rewriter(ordered.graph, identity);
    const std::vector<NodeId> others = splitComplexNumbers(rewriter);
    keepChecks(rewriter);
    reportComplexNumbers(rewriter, others, problems);
    LoweredGraph lowered(rewriter.finish());
    const auto last = std::move(lowered.standIns);
    lowered.standIns.clear();
    for (std::uint32_t i = 0; i < source.valueCount(); ++i) {
        const ValueId first = ordered.standIns[i];
        lowered.standIns.push_back({nullptr, first ? last[first.index].value : first});
    }
    addStateInputs(lowered, states);
    ProgramState sized;
    sized.sizes = isForShapes ? namedSizes(source, options) : std::nullopt;
    lowered.graph.original = std::make_shared<const ProgramState>(std::move(sized));
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
    refineSizes(ctx, results);
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
