#include "core/rewrite/opset/opset_downgrade.h"

#include "core/rewrite/opset/downgrade_forms.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sstream>

namespace crosswalk {
namespace {

using ::onnx::Graph;
using ::onnx::Node;
using ::onnx::Symbol;
using ::onnx::Value;
using ::onnx::version_conversion::DefaultVersionConverter;
using GraphPointer = std::shared_ptr<Graph>;

void removeAttribute(Node& node, const Symbol& attribute)
{
    if (node.hasAttribute(attribute)) {
        node.removeAttribute(attribute);
    }
}

struct Step {
    int to;
    std::string_view ops; ///< separated by spaces
};

/// Operators that differ from the next opset only in the accepted types.
constexpr auto onlyTypesDiffer = std::to_array<Step>({
    {21, "GlobalMaxPool"},
    {19, "ConstantOfShape"},
    {15, "Identity If Loop"},
    {14, "BatchNormalization Pow"},
    {13, "Add CumSum Div Identity Mul Relu Sub"},
    {12,
     "Abs Add ArgMax ArgMin Cast Ceil Clip Concat DepthToSpace Div Dropout Equal Erf Exp Expand Flatten Floor Gather "
     "GatherElements GatherND Gemm Greater Identity If IsNaN LRN Less Log Loop MatMul Max Mean "
     "MeanVarianceNormalization Min Mod Mul Neg NegativeLogLikelihoodLoss NonZero Pad Pow Reciprocal ReduceL1 "
     "ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare Relu Reshape "
     "ScatterElements ScatterND Shape Sigmoid Sign Size Slice SoftmaxCrossEntropyLoss SpaceToDepth Sqrt Sub Sum "
     "Tanh Tile Transpose"},
    {11, "Pow"},
});

struct NewAttribute {
    int to;
    const char* op;
    const char* attribute;
    std::int64_t neutral; ///< the value with the meaning of an absent attribute
};

constexpr auto newAttributes = std::to_array<NewAttribute>({
    {18, "Cast", "saturate", 1},
    {18, "CastLike", "saturate", 1},
    {18, "QuantizeLinear", "saturate", 1},
    {13, "Reshape", "allowzero", 0},
    {11, "GatherND", "batch_dims", 0},
});

/// Removes an attribute that the lower opset does not have.
void drop(Node& node, const NewAttribute& step)
{
    const Symbol name(step.attribute);
    if (!node.hasAttribute(name)) {
        return;
    }
    if (node.i(name) != step.neutral) {
        refuseDowngrade(node, step.to, fmt::format("{} = {} is not supported there", step.attribute, node.i(name)));
    }
    node.removeAttribute(name);
}

void scatter(Node& node)
{
    const Symbol reduction("reduction");
    if (node.hasAttribute(reduction) && (node.s(reduction) == "max" || node.s(reduction) == "min")) {
        refuseDowngrade(node, 17, fmt::format("reduction = {} is not supported there", node.s(reduction)));
    }
}

void pad(Node& node)
{
    if (hasInput(node, 3)) {
        refuseDowngrade(node, 17, "axes are not supported there");
    }
}

/// num_outputs is redundant for equal parts.
void split(Node& node)
{
    const Symbol count("num_outputs");
    if (!node.hasAttribute(count)) {
        return;
    }
    const Value& x = *node.inputs()[0];
    const auto parts = node.i(count);
    const auto axis = node.hasAttribute(::onnx::kaxis) ? node.i(::onnx::kaxis) : 0;
    const auto rank = static_cast<std::int64_t>(x.sizes().size());
    const std::int64_t normalised = axis < 0 ? axis + rank : axis;
    if (parts < 1 || !x.has_sizes() || normalised < 0 || normalised >= rank ||
        !x.sizes()[static_cast<std::size_t>(normalised)].is_int ||
        x.sizes()[static_cast<std::size_t>(normalised)].dim % parts != 0) {
        refuseDowngrade(node, 17, "its parts are not known to have equal sizes");
    }
    node.removeAttribute(count);
}

void gridSample(Node& node)
{
    const Symbol mode("mode");
    if (!node.inputs()[0]->has_sizes() || node.inputs()[0]->sizes().size() != 4) {
        refuseDowngrade(node, 19, "it accepts only images there");
    }
    if (node.hasAttribute(mode) && node.s(mode) != "nearest") {
        node.s_(mode, node.s(mode) == "cubic" ? "bicubic" : "bilinear");
    }
}

void batchNormalization(Node& node)
{
    const Symbol training("training_mode");
    if (node.outputs().size() > 1 || (node.hasAttribute(training) && node.i(training) != 0)) {
        refuseDowngrade(node, 13, "training mode differs there");
    }
    removeAttribute(node, training);
}

/// Before opset 16 coordinates were not shifted by half a pixel.
void roiAlign(Node& node)
{
    const Symbol mode("coordinate_transformation_mode");
    if (!node.hasAttribute(mode) || node.s(mode) != "output_half_pixel") {
        refuseDowngrade(node, 15, "coordinate_transformation_mode = half_pixel is not supported there");
    }
    node.removeAttribute(mode);
}

/// With a single scale the axis has no meaning.
void quantization(Node& node)
{
    const Value& scale = *node.inputs()[1];
    if (!scale.has_sizes() || !scale.sizes().empty()) {
        refuseDowngrade(node, 12, "scales along an axis are not supported there");
    }
    removeAttribute(node, ::onnx::kaxis);
}

/// Opset 18 introduced dilations and ceil_mode.
void lpPool(Node& node)
{
    const Symbol dilations("dilations");
    const Symbol ceiling("ceil_mode");
    if (node.hasAttribute(dilations) &&
        std::ranges::any_of(node.is(dilations), [](std::int64_t dilation) { return dilation != 1; })) {
        refuseDowngrade(node, 17, "dilations are not supported there");
    }
    if (node.hasAttribute(ceiling) && node.i(ceiling) != 0) {
        refuseDowngrade(node, 17, "ceil_mode = 1 is not supported there");
    }
    removeAttribute(node, dilations);
    removeAttribute(node, ceiling);
}

/// At inference it returns its input, whatever the ratio.
void dropout(Node& node)
{
    if (hasInput(node, 2)) {
        refuseDowngrade(node, 11, "training mode is not supported there");
    }
    if (node.outputs().size() > 1) {
        refuseDowngrade(node, 11, "runtimes do not agree on its mask there");
    }
    while (node.inputs().size() > 1) {
        node.removeInput(node.inputs().size() - 1);
    }
    removeAttribute(node, Symbol("seed"));
}

/// Registers an adapter that applies `change` and checks the types.
void add(DefaultVersionConverter& converter, const char* op, int to, const auto& change)
{
    converter.registerAdapter(op, to + 1, to, [to, change](const GraphPointer& graph, Node* node) {
        change(*graph, *node);
        expectTypes(*node, to, *node);
        return node;
    });
}

/// Registers an adapter that replaces the operator by another form.
void registerForm(DefaultVersionConverter& converter, const char* op, int to, Node* (*form)(Graph&, Node&))
{
    converter.registerAdapter(op, to + 1, to,
                              [form](const GraphPointer& graph, Node* node) { return form(*graph, *node); });
}

} // namespace

void addDowngradeAdapters(DefaultVersionConverter& converter)
{
    const auto nodeOnly = [](auto change) { return [change](Graph&, Node& node) { change(node); }; };
    for (const Step& step : onlyTypesDiffer) {
        std::istringstream names{std::string(step.ops)};
        for (std::string op; names >> op;) {
            add(converter, op.c_str(), step.to, nodeOnly([](Node&) {}));
        }
    }
    for (const NewAttribute& step : newAttributes) {
        add(converter, step.op, step.to, nodeOnly([step](Node& node) { drop(node, step); }));
    }
    add(converter, "GridSample", 19, nodeOnly(gridSample));
    add(converter, "LpPool", 17, nodeOnly(lpPool));
    add(converter, "Pad", 17, nodeOnly(pad));
    add(converter, "ScatterElements", 17, nodeOnly(scatter));
    add(converter, "ScatterND", 17, nodeOnly(scatter));
    add(converter, "Split", 17, nodeOnly(split));
    add(converter, "RoiAlign", 15, nodeOnly(roiAlign));
    add(converter, "BatchNormalization", 13, nodeOnly(batchNormalization));
    add(converter, "QuantizeLinear", 12, nodeOnly(quantization));
    add(converter, "DequantizeLinear", 12, nodeOnly(quantization));
    add(converter, "Resize", 12, addOptionalInputs);
    add(converter, "Constant", 11, nodeOnly(constantAsTensor));
    add(converter, "Dropout", 11, nodeOnly(dropout));
    registerForm(converter, "Shape", 14, slicedShape);
    registerForm(converter, "HardSwish", 13, hardSwish);
    registerForm(converter, "Softmax", 12, softmaxOnLastAxis);
    registerForm(converter, "LogSoftmax", 12, softmaxOnLastAxis);
    registerForm(converter, "Hardmax", 12, softmaxOnLastAxis);
    registerForm(converter, "GreaterOrEqual", 11, greaterOrLessOrEqual);
    registerForm(converter, "LessOrEqual", 11, greaterOrLessOrEqual);
}

} // namespace crosswalk
