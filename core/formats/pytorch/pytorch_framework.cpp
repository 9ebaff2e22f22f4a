#include "core/formats/pytorch/pytorch_framework.h"

#include "core/convert/emit.h"
#include "core/convert/lowering.h"
#include "core/formats/pytorch/lowering/complex_numbers.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/ops/pytorch_op_table.h"

namespace crosswalk::pytorch {
namespace {

LoweredGraph lower(const Graph& source, const ConvertOptions& /*options*/)
{
    std::vector<Diagnostic> problems;
    const Graph functional = functionalized(source, problems);
    GraphRewriter rewriter(functional, "aten::alias");
    splitComplexNumbers(rewriter);
    for (std::uint32_t i = 0; i < functional.nodeCount(); ++i) {
        if (functional.node(NodeId{i}).op == "prim::RaiseException") {
            rewriter.keep(NodeId{i});
        }
    }
    LoweredGraph lowered(rewriter.finish());
    lowered.problems = std::move(problems);
    return lowered;
}

OnnxValues translate(NodeContext& ctx)
{
    OnnxValues results = translateNode(ctx);
    if (ctx.node.attribute(inPlace) != nullptr && !results.empty()) {
        results[0] = emit::cast(ctx, results[0], ctx.element(ctx.input(0)));
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
