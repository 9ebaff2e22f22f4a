// One input, one output, element by element.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"

namespace crosswalk::mxnet {
namespace {

/// The ONNX operator of the same function. Its name stands in the row, so one translator serves them all.
OnnxValues sameName(NodeContext& ctx)
{
    return {ctx.emit(findOperator(ctx.node.op)->form, {ctx.input(0)})};
}

OnnxValues square(NodeContext& ctx)
{
    return {ctx.emit("Mul", {ctx.input(0), ctx.input(0)})};
}

OnnxValues reciprocalSqrt(NodeContext& ctx)
{
    return {ctx.emit("Reciprocal", {ctx.emit("Sqrt", {ctx.input(0)})})};
}

/// Nothing happens at inference.
OnnxValues passThrough(NodeContext& ctx)
{
    return {ctx.input(0)};
}

constexpr OpRow rows[] = {
    {"BlockGrad", passThrough, "-"},  {"Dropout", passThrough, "-", Support::Exact, "identity at inference"},
    {"MakeLoss", passThrough, "-"},   {"_copy", passThrough, "-"},
    {"abs", sameName, "Abs"},         {"ceil", sameName, "Ceil"},
    {"exp", sameName, "Exp"},         {"floor", sameName, "Floor"},
    {"log", sameName, "Log"},         {"make_loss", passThrough, "-"},
    {"negative", sameName, "Neg"},    {"reciprocal", sameName, "Reciprocal"},
    {"relu", sameName, "Relu"},       {"rsqrt", reciprocalSqrt, "Sqrt, Reciprocal"},
    {"sigmoid", sameName, "Sigmoid"}, {"softsign", sameName, "Softsign"},
    {"sqrt", sameName, "Sqrt"},       {"square", square, "Mul"},
    {"tanh", sameName, "Tanh"},
};

} // namespace

std::span<const OpRow> unaryOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
