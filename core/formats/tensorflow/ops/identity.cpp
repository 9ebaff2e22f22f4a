// Operators that return their inputs unchanged at inference.

#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

OnnxValues identity(NodeContext& ctx)
{
    return {ctx.input(0)};
}

OnnxValues identities(NodeContext& ctx)
{
    return ctx.inputs();
}

} // namespace

std::span<const OpRow> identityOps()
{
    static constexpr OpRow rows[] = {
        {"CheckNumerics", identity, ""},
        {"CheckNumericsV2", identity, ""},
        {"Copy", identity, ""},
        {"CopyHost", identity, ""},
        {"DeepCopy", identity, ""},
        {"EnsureShape", identity, ""},
        {"GuaranteeConst", identity, ""},
        {"Identity", identity, ""},
        {"IdentityN", identities, ""},
        {"PlaceholderWithDefault", identity, ""},
        {"PreventGradient", identity, ""},
        {"Snapshot", identity, ""},
        {"StopGradient", identity, ""},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
