#include "core/formats/mxnet/framework.h"

#include "core/formats/mxnet/input_shapes.h"
#include "core/formats/mxnet/op_table.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValues translate(NodeContext& ctx)
{
    const OpRow* row = findOperator(ctx.node.op);
    if (row == nullptr) {
        Diagnostic problem{.severity = Severity::Error,
                           .code = "unsupported-operator",
                           .message = fmt::format("operator {} has no translation", ctx.node.op),
                           .node = ctx.name(),
                           .nodeIndex = ctx.id.index,
                           .op = ctx.node.op,
                           .hint =
                               fmt::format("--partial keeps it as a gap, --custom-op {}=DOMAIN:NAME names an operator "
                                           "of yours for it",
                                           ctx.node.op)};
        throw ModelError(std::move(problem));
    }
    return row->translate(ctx);
}

} // namespace

const Framework& framework()
{
    static const Framework table{
        .format = "mxnet",
        .translate = translate,
        .inferInputs = inferInputShapes,
        .operators = supportedOperators,
    };
    return table;
}

} // namespace crosswalk::mxnet
