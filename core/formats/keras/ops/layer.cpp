#include "core/formats/keras/ops/layer.h"

#include "core/formats/keras/layer_graph.h"
#include "core/formats/keras/mask_propagation.h"
#include "core/formats/keras/version.h"
#include "core/graph/attributes.h"
#include "core/graph/shape_fit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// The type in which a layer with this policy computes; nothing for a name that is none.
std::optional<ElementType> computeTypeOf(std::string policy)
{
    if (policy.starts_with("mixed_")) {
        policy = policy.substr(6);
    }
    return typeOfName(policy);
}

/// Layers of Keras 3 that return floating-point numbers for integers, too. Of Keras 2 that is BatchNormalization.
constexpr auto floatingLayers = std::to_array<std::string_view>({"AdaptiveAveragePooling1D",
                                                                 "AdaptiveAveragePooling2D",
                                                                 "AdaptiveAveragePooling3D",
                                                                 "AveragePooling1D",
                                                                 "AveragePooling2D",
                                                                 "AveragePooling3D",
                                                                 "BatchNormalization",
                                                                 "Bidirectional",
                                                                 "Conv1D",
                                                                 "Conv1DTranspose",
                                                                 "Conv2D",
                                                                 "Conv2DTranspose",
                                                                 "Conv3D",
                                                                 "Conv3DTranspose",
                                                                 "ConvLSTM1D",
                                                                 "ConvLSTM2D",
                                                                 "ConvLSTM3D",
                                                                 "DepthwiseConv1D",
                                                                 "DepthwiseConv2D",
                                                                 "ELU",
                                                                 "GRU",
                                                                 "GlobalAveragePooling1D",
                                                                 "GlobalAveragePooling2D",
                                                                 "GlobalAveragePooling3D",
                                                                 "GroupQueryAttention",
                                                                 "GroupedQueryAttention",
                                                                 "LSTM",
                                                                 "LeakyReLU",
                                                                 "MultiHeadAttention",
                                                                 "RNN",
                                                                 "SeparableConv1D",
                                                                 "SeparableConv2D",
                                                                 "SimpleRNN"});
/// Those that compute with the integers first, which wrap around if they have no sign.
constexpr auto signedLayers = std::to_array<std::string_view>({"AdditiveAttention", "Attention", "PReLU", "Softmax"});

template <std::size_t Size>
bool isAmong(const std::array<std::string_view, Size>& layers, std::string_view op)
{
    return std::ranges::find(layers, op) != layers.end();
}

/// Whether layers of a class compute with weights that are quantized by a policy.
bool canBeQuantized(std::string_view op, const DtypePolicy& policy)
{
    const std::string_view mode = policy.mode;
    const bool isDense = op == "Dense" || op == "EinsumDense";
    const bool isTable = op == "Embedding" || op == "ReversibleEmbedding";
    const bool isCalibrated = (mode == "gptq" || mode == "awq") && policy.bits > 0;
    return ((isDense || isTable) && (mode == "int8" || mode == "int4")) ||
           (isDense && (mode == "float8" || isCalibrated));
}

bool isArgument(std::string_view operand)
{
    return !operand.empty() && std::isdigit(static_cast<unsigned char>(operand.front())) != 0;
}

} // namespace

Layer::Layer(NodeContext& context)
    : ctx(context)
    , settings(context)
    , m_op(context.node.op)
    , m_major(majorVersion(context.graph))
{
    if (const auto* why = attributeOf<std::string>(ctx.node, unreadableAttribute)) {
        refuse(*why, std::string(unreadableAttribute), "rewrite the file with h5repack -f GZIP=4");
    }
    readTypes(typeSetting());
    computeOperationWidely();
    std::vector<std::string> names;
    for (const std::string_view list : {operandsAttribute, masksAttribute}) {
        if (const auto* some = attributeOf<std::vector<std::string>>(ctx.node, list)) {
            names.insert(names.end(), some->begin(), some->end());
        }
    }
    for (std::size_t i = 0; i < ctx.inputCount(); ++i) {
        if (!ctx.hasInput(i)) {
            continue; // of a gap
        }
        const OnnxValue value = ctx.input(i);
        const std::string name = i < names.size() ? names[i] : "0"; // nodes of lowering name no inputs
        if (name.starts_with(':')) {
            m_weights[name.substr(1)] = value;
            continue;
        }
        m_order.push_back(name);
        if (isArgument(name)) {
            m_inputs.push_back(argument(value));
            m_named[name] = m_inputs.back();
        } else {
            m_named[name] = adapted(value);
        }
    }
}

Layer Layer::inner(const std::string& setting, const std::string& owner, OnnxValues inputs) const
{
    return inner(setting, owner, std::move(inputs), {});
}

Layer Layer::inner(const std::string& setting, const std::string& owner, OnnxValues inputs,
                   std::map<std::string, OnnxValue> named) const
{
    Layer layer = unconnected(setting, owner);
    layer.connect(inputs, std::move(named));
    return layer;
}

Layer Layer::innerInOwnType(const std::string& setting, const std::string& owner, OnnxValues inputs,
                            std::map<std::string, OnnxValue> named) const
{
    Layer layer = unconnected(setting, owner);
    layer.m_computeType = m_computeType;
    layer.connect(inputs, std::move(named));
    return layer;
}

Layer Layer::unconnected(const std::string& setting, const std::string& owner) const
{
    const Settings wrapped = settings.below(setting);
    Layer layer(ctx, wrapped.below("config"), wrapped.text("class_name"));
    layer.m_major = m_major;
    layer.m_computeType = m_computeType;
    layer.readTypes(layer.typeSetting());
    layer.takeWeights(*this, owner);
    return layer;
}

Layer Layer::part(const std::string& owner, OnnxValue x) const
{
    Layer layer(ctx, settings.below(owner), "EinsumDense"); // has no settings in the file
    layer.m_major = m_major;
    layer.m_computeType = m_computeType;
    layer.readTypes(settings.text("part_dtypes." + partName(owner)));
    layer.takeWeights(*this, owner);
    layer.connect({x}, {});
    return layer;
}

void Layer::takeWeights(const Layer& from, const std::string& owner)
{
    for (const auto& [path, value] : from.m_weights) {
        if (path.starts_with(owner + "/")) {
            m_weights[path.substr(owner.size() + 1)] = value;
        }
    }
}

void Layer::connect(const OnnxValues& inputs, std::map<std::string, OnnxValue> named)
{
    std::ranges::transform(inputs, std::back_inserter(m_inputs), [&](OnnxValue input) { return argument(input); });
    m_named = std::move(named);
}

std::string Layer::typeSetting() const
{
    const bool isLayer = !m_op.starts_with("ops.") && !m_op.starts_with("tf.");
    return isLayer && settings.isText("dtype") ? settings.text("dtype") : std::string();
}

void Layer::readTypes(const std::string& policyName)
{
    if (policyName.empty()) {
        return;
    }
    if (policyName == unknownPolicy) {
        refuse("a DTypePolicyMap whose keys are not plain paths, or on a layer in another one", "dtype");
    }
    m_policy = dtypePolicy(policyName);
    if (isQuantized() && !canBeQuantized(m_op, m_policy)) {
        refuse(fmt::format("weights quantized by {}", policyName), "dtype", "save the model before it is quantized");
    }
    const auto type = computeTypeOf(m_policy.source);
    if (!type) {
        refuse(fmt::format("the type {} is not supported", policyName), "dtype");
    }
    if (isFloating(*type) && major() > 1) {
        m_computeType = type;
    }
    m_truncates = !isFloating(*type) && major() >= 3;
}

/// An operation on bfloat16 computes in float32, of which ONNX Runtime has all operators, and rounds its results.
void Layer::computeOperationWidely()
{
    const bool isOperation = m_op.starts_with("ops.") || m_op.starts_with("tf.");
    if (!isOperation || m_op == "ops.Cast" || m_op == "tf.cast") { // which names the type of its result
        return;
    }
    bool isBfloat16 = false;
    for (std::size_t i = 0; i < ctx.inputCount(); ++i) {
        if (ctx.hasInput(i) && isFloating(ctx.element(ctx.input(i)))) {
            if (ctx.element(ctx.input(i)) != ElementType::BFloat16) {
                return; // the results have another type
            }
            isBfloat16 = true;
        }
    }
    if (isBfloat16) {
        m_computeType = ElementType::BFloat16;
    }
}

/// Keras casts floating-point tensors to the type of the layer.
OnnxValue Layer::adapted(OnnxValue value) const
{
    if (!m_computeType || !isFloating(ctx.element(value))) {
        return value;
    }
    if (*m_computeType == ElementType::BFloat16) { // rounded, but computed in float32
        return emit::cast(ctx, emit::cast(ctx, value, ElementType::BFloat16), ElementType::Float32);
    }
    return emit::cast(ctx, value, *m_computeType);
}

/// A positional argument, which some layers cast from integers.
OnnxValue Layer::argument(OnnxValue value) const
{
    const ElementType type = ctx.element(value);
    if (m_truncates && isFloating(type)) {
        refuse("a layer of integers that is called with floating-point numbers", "dtype");
    }
    const bool isSigned = type == ElementType::Int32 || type == ElementType::Int64;
    const bool isInteger = isSigned || type == ElementType::Bool || type == ElementType::UInt8;
    const bool isCast = major() >= 3
                            ? (isInteger && isAmong(floatingLayers, m_op)) || (isSigned && isAmong(signedLayers, m_op))
                            : (isInteger && m_op == "BatchNormalization") ||
                                  (type == ElementType::Bool && m_op.starts_with("GlobalAveragePooling"));
    if (isCast) {
        return adapted(emit::cast(ctx, value, ElementType::Float32));
    }
    return adapted(value);
}

OnnxValue Layer::input(std::size_t i) const
{
    if (i >= m_inputs.size()) {
        ctx.invalid(fmt::format("it has {} inputs, but needs {}", m_inputs.size(), i + 1));
    }
    return m_inputs[i];
}

OnnxValue Layer::named(const std::string& name) const
{
    const auto found = m_named.find(name);
    return found != m_named.end() ? found->second : OnnxValue{};
}

OnnxValues Layer::allNamed(const std::string& name) const
{
    OnnxValues all;
    for (const std::string& path : m_order) {
        if (path == name || path.starts_with(name + ".")) {
            all.push_back(m_named.at(path));
        }
    }
    return all;
}

OnnxValue Layer::mask(std::size_t i) const
{
    return named(fmt::format("{}{}", impliedMask, i));
}

bool Layer::hasWeight(const std::string& path) const
{
    return m_weights.contains(path);
}

OnnxValue Layer::storedWeight(const std::string& path) const
{
    const auto found = m_weights.find(path);
    if (found == m_weights.end()) {
        throw ModelError("missing-weight", fmt::format("the layer has no weight {}", path));
    }
    return found->second;
}

OnnxValue Layer::weight(const std::string& path) const
{
    const OnnxValue stored = storedWeight(path);
    const std::string low = "lora_" + path; // a correction of low rank that is not merged yet
    if (!hasWeight(low + "_a")) {
        return adapted(stored);
    }
    const double rank = settings.number("lora_rank", 1);
    const OnnxValue product = ctx.emit("MatMul", {storedWeight(low + "_a"), storedWeight(low + "_b")});
    const OnnxValue scaled =
        ctx.emit("Mul", {product, emit::scalarLike(ctx, product, settings.number("lora_alpha", rank) / rank)});
    return adapted(ctx.emit("Add", {stored, scaled}));
}

OnnxValue Layer::weight(const std::string& path, const Shape& expected) const
{
    const OnnxValue value = weight(path);
    requireShape(path, value, expected);
    return value;
}

void Layer::requireShape(const std::string& path, OnnxValue value, const Shape& expected) const
{
    const Shape& shape = ctx.shape(value);
    if (!fitsShape(shape, expected)) {
        throw ModelError("wrong-weight",
                         fmt::format("weight {} is {}, but must be {}", path, toString(shape), toString(expected)));
    }
}

} // namespace crosswalk::keras
