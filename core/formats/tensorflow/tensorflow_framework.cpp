#include "core/formats/tensorflow/tensorflow_framework.h"

#include "core/formats/tensorflow/lowering/lower.h"
#include "core/formats/tensorflow/ops/tensorflow_op_table.h"
#include "core/graph/attributes.h"

namespace crosswalk::tensorflow {
namespace {

OnnxValues translate(NodeContext& ctx)
{
    if (const auto* why = attributeOf<std::string>(ctx.node, loweringError)) {
        throw ModelError("unsupported-control-flow", *why);
    }
    if (const auto* why = attributeOf<std::string>(ctx.node, behindGap)) {
        throw UnknownShape("unsupported-control-flow", *why);
    }
    return translateNode(ctx);
}

} // namespace

const Framework& framework()
{
    static const Framework table{
        .format = "tensorflow",
        .translate = translate,
        .inferInputs = nullptr,
        .operators = supportedOperators,
        .lower = lower,
    };
    return table;
}

} // namespace crosswalk::tensorflow
