// Activation.

#include "core/convert/emit.h"
#include "core/formats/mxnet/attributes.h"
#include "core/formats/mxnet/families.h"

namespace crosswalk::mxnet {
namespace {

OnnxValues activation(NodeContext& ctx)
{
    const std::string type =
        Attributes(ctx).choice("act_type", {"relu", "sigmoid", "tanh", "softrelu", "softsign"}, "");
    const std::string_view op = type == "relu"       ? "Relu"
                                : type == "sigmoid"  ? "Sigmoid"
                                : type == "tanh"     ? "Tanh"
                                : type == "softrelu" ? "Softplus"
                                                     : "Softsign";
    return {ctx.emit(op, {ctx.input(0)})};
}

constexpr OpRow rows[] = {
    {"Activation", activation, "Relu, Sigmoid, Tanh, Softplus or Softsign"},
};

} // namespace

std::span<const OpRow> activationOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
