#include "core/formats/pytorch/pytorch_framework.h"

#include "core/convert/emit.h"
#include "core/convert/lowering.h"
#include "core/formats/pytorch/lowering/complex_numbers.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/ops/pytorch_op_table.h"
#include "core/formats/pytorch/weights_reader.h"

#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

/// Throws ModelError "no-graph" for a file of weights.
void expectProgram(const Graph& source)
{
    if (source.nodeCount() == 0 || source.node(NodeId{0}).op != moduleWithoutProgram) {
        return;
    }
    const auto type = source.metadata.find("class");
    const std::string hint = "in the program that built the model, run torch.export.save(torch.export.export("
                             "model.eval(), example_inputs), \"model.pt2\") or "
                             "torch.jit.trace(model.eval(), example_inputs).save(\"model.pt\"), and open that file";
    if (type != source.metadata.end()) {
        throw ModelError("no-graph",
                         fmt::format("the file contains a module of class {} without its program", type->second), hint);
    }
    throw ModelError("no-graph", "the file contains weights without a graph", hint);
}

LoweredGraph lower(const Graph& source, const ConvertOptions& /*options*/)
{
    expectProgram(source);
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
