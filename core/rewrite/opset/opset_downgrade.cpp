#include "core/rewrite/opset/opset_downgrade.h"

#include "core/rewrite/opset/downgrade_forms.h"

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

void forget(Node& node, const Symbol& attribute)
{
    if (node.hasAttribute(attribute)) {
        node.removeAttribute(attribute);
    }
}

struct Step {
    int to;
    std::string_view ops; ///< separated by blanks
};

/// Operators that the step to an opset leaves as they are, but for the types that they take.
constexpr auto onlyTypesGrew = std::to_array<Step>({
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
    std::int64_t meansNothing; ///< the value that is as good as none
};

constexpr auto newAttributes = std::to_array<NewAttribute>({
    {18, "Cast", "saturate", 1},
    {18, "CastLike", "saturate", 1},
    {18, "QuantizeLinear", "saturate", 1},
    {13, "Reshape", "allowzero", 0},
    {11, "GatherND", "batch_dims", 0},
});

/// Takes an attribute away that the lower opset has not.
void drop(Node& node, const NewAttribute& step)
{
    const Symbol name(step.attribute);
    if (!node.hasAttribute(name)) {
        return;
    }
    if (node.i(name) != step.meansNothing) {
        refuseDowngrade(node, step.to, fmt::format("{} = {} cannot be said there", step.attribute, node.i(name)));
    }
    node.removeAttribute(name);
}

void scatter(Node& node)
{
    const Symbol reduction("reduction");
    if (node.hasAttribute(reduction) && (node.s(reduction) == "max" || node.s(reduction) == "min")) {
        refuseDowngrade(node, 17, fmt::format("reduction = {} cannot be said there", node.s(reduction)));
    }
}

void pad(Node& node)
{
    if (isGiven(node, 3)) {
        refuseDowngrade(node, 17, "axes cannot be said there");
    }
}

/// Equal parts need no count: the outputs say it.
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
    const std::int64_t place = axis < 0 ? axis + rank : axis;
    if (!x.has_sizes() || place < 0 || place >= rank || !x.sizes()[static_cast<std::size_t>(place)].is_int ||
        x.sizes()[static_cast<std::size_t>(place)].dim % parts != 0) {
        refuseDowngrade(node, 17, "its parts are not, or not for certain, of one size");
    }
    node.removeAttribute(count);
}

void gridSample(Node& node)
{
    const Symbol mode("mode");
    if (!node.inputs()[0]->has_sizes() || node.inputs()[0]->sizes().size() != 4) {
        refuseDowngrade(node, 19, "it takes images alone there");
    }
    if (node.hasAttribute(mode) && node.s(mode) != "nearest") {
        node.s_(mode, node.s(mode) == "cubic" ? "bicubic" : "bilinear");
    }
}

void batchNormalization(Node& node)
{
    const Symbol training("training_mode");
    if (node.outputs().size() > 1 || (node.hasAttribute(training) && node.i(training) != 0)) {
        refuseDowngrade(node, 13, "training has another form there");
    }
    forget(node, training);
}

/// Its corners were half a pixel further.
void roiAlign(Node& node)
{
    const Symbol mode("coordinate_transformation_mode");
    if (!node.hasAttribute(mode) || node.s(mode) != "output_half_pixel") {
        refuseDowngrade(node, 15, "pixels that are counted from their centres cannot be said there");
    }
    node.removeAttribute(mode);
}

/// One scale for all of the tensor has no axis.
void quantization(Node& node)
{
    const Value& scale = *node.inputs()[1];
    if (!scale.has_sizes() || !scale.sizes().empty()) {
        refuseDowngrade(node, 12, "scales along an axis cannot be said there");
    }
    forget(node, ::onnx::kaxis);
}

/// At inference it passes on what it gets, whatever the ratio.
void dropout(Node& node)
{
    if (isGiven(node, 2)) {
        refuseDowngrade(node, 11, "training cannot be said there");
    }
    while (node.inputs().size() > 1) {
        node.removeInput(node.inputs().size() - 1);
    }
    forget(node, Symbol("seed"));
}

/// The step of one operator: what `change` does, where the types fit.
void add(DefaultVersionConverter& converter, const char* op, int to, const auto& change)
{
    converter.registerAdapter(op, to + 1, to, [to, change](const GraphPointer& graph, Node* node) {
        change(*graph, *node);
        expectTypes(*node, to, *node);
        return node;
    });
}

/// The step of an operator that gets another form.
void replace(DefaultVersionConverter& converter, const char* op, int to, Node* (*form)(Graph&, Node&))
{
    converter.registerAdapter(op, to + 1, to,
                              [form](const GraphPointer& graph, Node* node) { return form(*graph, *node); });
}

} // namespace

void addDowngradeAdapters(DefaultVersionConverter& converter)
{
    const auto alone = [](auto change) { return [change](Graph&, Node& node) { change(node); }; };
    for (const Step& step : onlyTypesGrew) {
        std::istringstream names{std::string(step.ops)};
        for (std::string op; names >> op;) {
            add(converter, op.c_str(), step.to, alone([](Node&) {}));
        }
    }
    for (const NewAttribute& step : newAttributes) {
        add(converter, step.op, step.to, alone([step](Node& node) { drop(node, step); }));
    }
    add(converter, "GridSample", 19, alone(gridSample));
    add(converter, "Pad", 17, alone(pad));
    add(converter, "ScatterElements", 17, alone(scatter));
    add(converter, "ScatterND", 17, alone(scatter));
    add(converter, "Split", 17, alone(split));
    add(converter, "RoiAlign", 15, alone(roiAlign));
    add(converter, "BatchNormalization", 13, alone(batchNormalization));
    add(converter, "QuantizeLinear", 12, alone(quantization));
    add(converter, "DequantizeLinear", 12, alone(quantization));
    add(converter, "Resize", 12, giveAllInputs);
    add(converter, "Constant", 11, alone(constantAsTensor));
    add(converter, "Dropout", 11, alone(dropout));
    replace(converter, "Shape", 14, partOfShape);
    replace(converter, "HardSwish", 13, hardSwish);
    replace(converter, "Softmax", 12, onLastAxis);
    replace(converter, "LogSoftmax", 12, onLastAxis);
    replace(converter, "Hardmax", 12, onLastAxis);
    replace(converter, "GreaterOrEqual", 11, orEqual);
    replace(converter, "LessOrEqual", 11, orEqual);
}

} // namespace crosswalk
