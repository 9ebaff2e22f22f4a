#include "core/formats/mxnet/mxnet_framework.h"

#include "core/base/readable.h"
#include "core/formats/mxnet/deferred_shapes.h"
#include "core/formats/mxnet/inferred_types.h"
#include "core/formats/mxnet/input_shapes.h"
#include "core/formats/mxnet/label_elimination.h"
#include "core/formats/mxnet/op_table.h"
#include "core/formats/mxnet/operand_kinds.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/reroll/reroll.h"
#include "core/formats/mxnet/reroll/state_pairs.h"
#include "core/formats/mxnet/unsupported_ops.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

[[noreturn]] void refuse(const NodeContext& ctx)
{
    // A Custom is identified by its op_type, the name that --custom-op takes.
    const bool isCustom = ctx.node.op == "Custom";
    const std::string op = isCustom ? Attributes(ctx).text("op_type", "Custom") : ctx.node.op;
    Diagnostic problem{
        .severity = Severity::Error,
        .code = "unsupported-operator",
        .message = fmt::format("{} {} has no translation", isCustom ? "custom operator" : "operator", op),
        .hint =
            fmt::format("--partial keeps it as a gap, --custom-op {}=DOMAIN:NAME maps it to your own operator", op)};
    if (const UnsupportedOperator* known = findUnsupported(ctx.node.op)) {
        problem.message += fmt::format(
            ": it {}{}", known->support == Support::TrainingOnly ? "belongs to training, " : "", known->why);
        if (known->support == Support::TrainingOnly) {
            problem.code = "training-only";
            problem.hint = "save the model without its training operators; --partial converts the rest";
        }
    }
    throw ModelError(std::move(problem));
}

/// MXNet refuses more inputs than the parameters of a node require, such as a bias with no_bias.
void refuseFurtherInputs(const NodeContext& ctx)
{
    const std::size_t required = inputOperands(ctx.node.op, ctx.node.attributes).size();
    const std::size_t given = ctx.node.inputs.size();
    if (required != 0 && given > required) {
        ctx.invalid(fmt::format("the node has {}, but its parameters require {}", counted(given, "input"), required));
    }
}

OnnxValues translate(NodeContext& ctx)
{
    const OpRow* row = findOperator(ctx.node.op);
    if (row == nullptr) {
        refuse(ctx);
    }
    refuseFurtherInputs(ctx);
    return row->translate(ctx);
}

void inferInputs(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs)
{
    inferInputTypes(graph, inputs);
    inferInputShapes(graph, inputs);
}

LoweredGraph lower(const Graph& graph, const ConvertOptions& options)
{
    static constexpr std::array passes{
        LoweringPass{"computed labels", eliminateComputedLabels},
        LoweringPass{"reroll", reroll},
        LoweringPass{"deferred shapes", connectDeferredShapes},
    };
    return lowerWith(passes, graph, "_copy", options);
}

std::vector<SupportedOperator> allOperators()
{
    std::vector<SupportedOperator> all = supportedOperators();
    for (const UnsupportedOperator& op : unsupportedOperators()) {
        all.push_back({op.name, op.support, {}, op.why});
    }
    std::ranges::sort(all, {}, &SupportedOperator::name);
    return all;
}

} // namespace

const Framework& framework()
{
    static const Framework table{
        .format = "mxnet",
        .translate = translate,
        .inferInputs = inferInputs,
        .operators = allOperators,
        .states = statePairs,
        .lower = lower,
        .rerolls = true,
        .noteOnNames =
            "Other spellings of a name, such as those of\n"
            "older versions and the `_sparse_` and `_npi_` variants, are treated like the name in the table.",
    };
    return table;
}

} // namespace crosswalk::mxnet
