#include "core/formats/keras/mask_propagation.h"

#include "core/formats/keras/layer_graph.h"
#include "core/formats/keras/version.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace crosswalk::keras {
namespace {

using Names = std::set<std::string_view>;

/// Layers whose output has the mask of their first input.
const Names& passingLayers()
{
    static const Names layers{"Activation",
                              "ActivityRegularization",
                              "AdditiveAttention",
                              "AlphaDropout",
                              "Attention",
                              "BatchNormalization",
                              "Dense",
                              "Dropout",
                              "ELU",
                              "GaussianDropout",
                              "GaussianNoise",
                              "GroupNormalization",
                              "GroupedQueryAttention",
                              "GroupQueryAttention",
                              "LayerNormalization",
                              "LeakyReLU",
                              "MultiHeadAttention",
                              "PReLU",
                              "ReLU",
                              "SReLU",
                              "Softmax",
                              "SpatialDropout1D",
                              "SpatialDropout2D",
                              "SpatialDropout3D",
                              "SyncBatchNormalization",
                              "ThresholdedReLU",
                              "TimeDistributed",
                              "UnitNormalization"};
    return layers;
}

/// Those that Keras 3 added.
const Names& passingLayersOfKeras3()
{
    static const Names layers{"Identity", "InputLayer", "Rescaling", "Normalization"};
    return layers;
}

const Names& recurrentLayers()
{
    static const Names layers{"Bidirectional", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D",
                              "GRU",           "LSTM",       "RNN",        "SimpleRNN"};
    return layers;
}

const Names& mergingLayers()
{
    static const Names layers{"Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"};
    return layers;
}

/// Layers that compute something else where there is a mask.
bool heedsMask(const std::string& op)
{
    static const Names layers{
        "AdditiveAttention",  "Attention", "GlobalAveragePooling1D", "GroupedQueryAttention", "GroupQueryAttention",
        "MultiHeadAttention", "Softmax"};
    return layers.contains(op) || recurrentLayers().contains(op);
}

bool isTrue(const Node& node, std::string_view attribute)
{
    const auto* value = attributeOf<bool>(node, attribute);
    return value != nullptr && *value;
}

std::string textAttribute(const Node& node, std::string_view name)
{
    const auto* text = attributeOf<std::string>(node, name);
    return text != nullptr ? *text : std::string();
}

class Propagation {
public:
    explicit Propagation(GraphRewriter& graph)
        : m_graph(graph)
        , m_major(majorVersion(graph.graph()))
    {
    }

    bool run()
    {
        for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
            pass(NodeId{i});
        }
        return m_isChanged;
    }

private:
    /// The tensors among the positional arguments of a node.
    static ValueIds positional(const Node& node)
    {
        ValueIds values;
        const auto* operands = attributeOf<std::vector<std::string>>(node, operandsAttribute);
        for (std::size_t i = 0; operands != nullptr && i < operands->size() && i < node.inputs.size(); ++i) {
            if (!(*operands)[i].empty() && std::isdigit(static_cast<unsigned char>((*operands)[i].front())) != 0) {
                values.push_back(node.inputs[i]);
            }
        }
        return values;
    }

    ValueId operand(const Node& node, std::string_view name) const
    {
        const auto* operands = attributeOf<std::vector<std::string>>(node, operandsAttribute);
        for (std::size_t i = 0; operands != nullptr && i < operands->size() && i < node.inputs.size(); ++i) {
            if ((*operands)[i] == name) {
                return node.inputs[i];
            }
        }
        return {};
    }

    /// In Keras 3, masked elements do not take part in a product or an extreme of several tensors.
    bool heeds(const std::string& op) const
    {
        if (op == "TimeDistributed") {
            return masksStepsOverTime(m_graph.graph());
        }
        return heedsMask(op) || (m_major >= 3 && (op == "Multiply" || op == "Maximum" || op == "Minimum"));
    }

    ValueId maskOf(ValueId value) const
    {
        const auto found = m_masks.find(tensorOf(value));
        return found != m_masks.end() ? found->second : ValueId{};
    }

    /// The value that Keras has the same object for.
    ValueId tensorOf(ValueId value) const
    {
        const auto found = m_tensors.find(value);
        return found != m_tensors.end() ? found->second : value;
    }

    /// Whether the layer returns its input itself, not a copy.
    static bool returnsInput(const Node& node)
    {
        static const Names layers{"ActivityRegularization", "AlphaDropout", "Dropout",          "GaussianDropout",
                                  "GaussianNoise",          "Identity",     "SpatialDropout1D", "SpatialDropout2D",
                                  "SpatialDropout3D",       attachMask};
        return layers.contains(node.op) || (node.op == "Activation" && textAttribute(node, "activation") == "linear");
    }

    /// What has read the tensors by now keeps their masks; the output has that of the query.
    void takeMasks(const Node& node, const ValueIds& inputs)
    {
        std::ranges::for_each(inputs, [&](ValueId input) { m_masks.erase(tensorOf(input)); });
        for (const char* name : {"query", "value", "key"}) {
            if (const ValueId input = operand(node, name)) {
                m_masks.erase(tensorOf(input));
            }
        }
    }

    void setMask(const Node& node, ValueId mask)
    {
        if (!mask || node.outputs.empty()) {
            return;
        }
        m_masks[tensorOf(node.outputs.front())] = mask;
        const AttributeValue* mode = node.op == "Bidirectional" ? node.attribute("merge_mode") : nullptr;
        const bool hasTwo = mode != nullptr && std::holds_alternative<std::monostate>(*mode); // one for each direction
        if (hasTwo && node.outputs.size() > 1) {
            m_masks[node.outputs[1]] = mask;
        }
    }

    ValueId made(std::string_view op, ValueIds inputs, std::vector<Attribute> attributes = {})
    {
        m_isChanged = true;
        const ValueId mask = m_graph.add(op, std::move(inputs), std::move(attributes)).front();
        m_graph.addOrigins(mask, {&m_node, 1});
        return mask;
    }

    /// Whether the call has a list of masks, some of which may be null.
    static bool namesMasks(const Node& node)
    {
        const auto* operands = attributeOf<std::vector<std::string>>(node, operandsAttribute);
        return operands != nullptr &&
               std::ranges::any_of(*operands, [](const std::string& operand) { return operand.starts_with("mask."); });
    }

    /// The mask in the arguments of the call: an absent value for None, which Keras 3 replaces by that of the tensor.
    std::optional<ValueId> givenMask(const Node& node) const
    {
        if (const ValueId mask = operand(node, "mask")) {
            return mask;
        }
        if (namesMasks(node)) {
            return operand(node, "mask.0");
        }
        const bool isNone = m_major < 3 && node.attribute("call.mask") != nullptr;
        const bool isListOfNone = node.attribute("call.mask.0") != nullptr;
        return isNone || isListOfNone ? std::optional(ValueId{}) : std::nullopt;
    }

    /// The mask that the output of a call depends on. Before tf.keras, that was always the mask of the input.
    ValueId previousMask(const Node& node, ValueId input) const
    {
        const auto given = isOfTensorflowOrNewer(m_graph.graph()) ? givenMask(node) : std::nullopt;
        return given.value_or(maskOf(input));
    }

    /// Whether Keras 3 calls the layer without the mask of its input: it passes one to the argument `mask` of a layer
    /// with a single argument of tensors, and to `query_mask` and the like of the attention of several heads.
    bool losesMask(const Node& node) const
    {
        const auto* operands = attributeOf<std::vector<std::string>>(node, operandsAttribute);
        if (m_major < 3 || operands == nullptr || node.op == "MultiHeadAttention" || node.op.starts_with("Group")) {
            return false;
        }
        std::set<std::string> arguments;
        for (const std::string& operand : *operands) {
            if (!operand.starts_with(':')) {
                arguments.insert(operand.substr(0, operand.find('.')));
            }
        }
        return arguments.size() > 1;
    }

    void pass(NodeId id)
    {
        m_node = id;
        const Node node = m_graph.graph().node(id);
        const ValueIds inputs = positional(node);
        if (inputs.empty()) {
            return;
        }
        const bool normalizesByBatch = node.op == "BatchNormalization" && isTrue(node, trainingAttribute);
        if ((heeds(node.op) || normalizesByBatch) && !givenMask(node) && !losesMask(node)) {
            appendMasks(id, node, inputs);
        }
        const ValueId mask = outputMask(node, inputs, previousMask(node, inputs.front()));
        if (attentionTakesMasks(m_graph.graph())) {
            if (returnsInput(node) && !node.outputs.empty()) {
                m_tensors[node.outputs.front()] = tensorOf(inputs.front());
            } else if (node.op == "MultiHeadAttention") {
                takeMasks(node, inputs);
            }
        }
        setMask(node, mask);
    }

    /// The masks of the inputs become inputs of the node, also of those passed by name.
    void appendMasks(NodeId id, const Node& node, const ValueIds& inputs)
    {
        std::vector<std::string> names;
        ValueIds all = node.inputs;
        const auto append = [&](ValueId value, const std::string& name) {
            if (const ValueId mask = value ? maskOf(value) : ValueId{}) {
                names.push_back(std::string(impliedMask) + name);
                all.push_back(mask);
            }
        };
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            append(inputs[i], std::to_string(i));
        }
        for (const char* name : {"query", "value", "key"}) {
            append(operand(node, name), name);
        }
        if (!names.empty()) {
            m_isChanged = true;
            m_graph.setInputs(id, std::move(all));
            m_graph.addAttribute(id, {std::string(masksAttribute), std::move(names)});
        }
    }

    ValueId outputMask(const Node& node, const ValueIds& inputs, ValueId mask)
    {
        const std::string& op = node.op;
        if (op == "ReversibleEmbedding" && isTrue(node, "call.reverse")) {
            return {};
        }
        if (op == stepsAsSamples) {
            const ValueId steps = givenMask(node).value_or(maskOf(inputs.front()));
            return steps && masksStepsOverTime(m_graph.graph()) ? made(stepsAsSamples, {steps}) : ValueId{};
        }
        if (op == samplesAsSteps) {
            return ofStepsTogether(node, inputs);
        }
        if (op == attachMask) {
            return operand(node, "mask");
        }
        const bool isMerge = op == "Merge";
        const std::string mode = isMerge ? textAttribute(node, "mode") : std::string();
        if (op == "Concatenate" || mode == "concat") {
            return joined(node, inputs);
        }
        if (mergingLayers().contains(op) || mode == "sum" || mode == "mul" || mode == "ave" || mode == "max") {
            return merged(inputs);
        }
        return ofLayer(node, op, {}, inputs.front(), mask);
    }

    /// What a layer makes of the mask of its input. `settings` is the beginning of the names of its settings; `time` is
    /// the axis of its steps in the tensors of the node.
    ValueId ofLayer(const Node& node, const std::string& op, const std::string& settings, ValueId input, ValueId mask,
                    std::int64_t time = 1)
    {
        if (op == "Embedding" || op == "ReversibleEmbedding") {
            return isTrue(node, settings + "mask_zero") ? made(maskOfIds, {input}) : ValueId{};
        }
        if (op == "Masking") {
            const AttributeValue* value = node.attribute(settings + "mask_value");
            return made(maskOfValues, {input}, {{"mask_value", value != nullptr ? *value : AttributeValue(0.0)}});
        }
        if (op == "TimeDistributed") {
            return ofTimeDistributed(node, settings, input, mask, time);
        }
        if (op == "SpectralNormalization") {
            return ofNormalized(node, settings, input, mask, time);
        }
        if (recurrentLayers().contains(op)) {
            const std::string recurrent = settings + (op == "Bidirectional" ? "layer.config." : "");
            return isTrue(node, recurrent + "return_sequences") ? mask : ValueId{};
        }
        const bool isPassing = passingLayers().contains(op) || (m_major >= 3 && passingLayersOfKeras3().contains(op));
        return isPassing ? mask : ValueId{};
    }

    /// SpectralNormalization returns the tensor of the layer in it. Keras 3 casts that of an Embedding to the type of
    /// the tokens.
    ValueId ofNormalized(const Node& node, const std::string& settings, ValueId input, ValueId mask, std::int64_t time)
    {
        const std::string op = textAttribute(node, settings + "layer.class_name");
        const bool isCast = m_major >= 3 && op == "Embedding";
        return time > 1 || isCast ? ValueId{} : ofLayer(node, op, settings + "layer.config.", input, mask);
    }

    /// Whether what follows TimeDistributed has the mask that the layer in it makes of the steps. Otherwise, that of
    /// the input.
    bool followsMasksOverTime() const { return m_major == 2 && masksStepsOverTime(m_graph.graph()); }

    /// A layer without a mask leaves the mask of the steps.
    ValueId ofTimeDistributed(const Node& node, const std::string& settings, ValueId input, ValueId mask,
                              std::int64_t time)
    {
        if (!followsMasksOverTime()) {
            return mask;
        }
        const std::string inner = settings + "layer.";
        const ValueId own =
            ofLayer(node, textAttribute(node, inner + "class_name"), inner + "config.", input, mask, time + 1);
        return own ? own : ofSteps(mask, time);
    }

    /// After a model over time.
    ValueId ofStepsTogether(const Node& node, const ValueIds& inputs)
    {
        const ValueId mask = previousMask(node, inputs[1]);
        if (!followsMasksOverTime()) {
            return mask;
        }
        const ValueId own = maskOf(inputs.front());
        return own ? made(samplesAsSteps, {own, inputs[1]}) : ofSteps(mask);
    }

    ValueId ofSteps(ValueId mask, std::int64_t time = 1)
    {
        return mask ? made(maskOfSteps, {mask}, {{"time", time}}) : ValueId{};
    }

    /// Keras 2: what is valid in all that have a mask. Keras 3: what is valid in any, if all have one.
    ValueId merged(const ValueIds& inputs)
    {
        ValueIds masks;
        for (const ValueId input : inputs) {
            if (const ValueId mask = maskOf(input)) {
                masks.push_back(mask);
            }
        }
        if (masks.empty() || (m_major >= 3 && masks.size() < inputs.size())) {
            return {};
        }
        return masks.size() == 1 ? masks.front() : made(m_major >= 3 ? maskOr : maskAnd, masks);
    }

    ValueId joined(const Node& node, const ValueIds& inputs)
    {
        const auto isMasked = [&](ValueId input) { return bool(maskOf(input)); };
        if (std::ranges::none_of(inputs, isMasked)) {
            return {};
        }
        const auto axis = intOf(node, node.op == "Merge" ? "concat_axis" : "axis", -1);
        if (axis == -1) {
            const bool isOpen = m_major >= 3 && !std::ranges::all_of(inputs, isMasked);
            return isOpen ? ValueId{} : merged(inputs); // all steps are valid in one of the inputs
        }
        ValueIds masks;
        for (const ValueId input : inputs) {
            const ValueId mask = maskOf(input);
            masks.push_back(mask ? mask : made(maskOfAll, {input}));
        }
        return made(maskJoin, masks, {{"axis", axis}});
    }

    GraphRewriter& m_graph;
    int m_major;
    NodeId m_node; ///< whose masks are made
    bool m_isChanged = false;
    std::map<ValueId, ValueId> m_masks;   ///< by tensor
    std::map<ValueId, ValueId> m_tensors; ///< of values whose tensor is that of another value
};

} // namespace

bool propagateMasks(GraphRewriter& graph, const ConvertOptions& /*options*/, std::vector<Diagnostic>& /*problems*/)
{
    return Propagation(graph).run();
}

} // namespace crosswalk::keras
