#include "core/formats/keras/layer_graph.h"

#include "core/base/check_stop.h"
#include "core/base/saturating_product.h"
#include "core/formats/keras/dtype_policy.h"
#include "core/formats/keras/execution_order.h"
#include "core/formats/keras/layer_call.h"
#include "core/formats/keras/version.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <queue>
#include <set>

namespace crosswalk::keras {
namespace {

/// Nested models that are called several times multiply their layers; real models stay far below.
constexpr std::int64_t mostNodes = 400'000;
constexpr std::int64_t mostOutputs = 65'536;
constexpr std::size_t mostDimensions = 64;

/// Settings that are said elsewhere or that do not matter to inference.
bool isShown(std::string_view attribute)
{
    constexpr auto hidden = std::to_array<std::string_view>(
        {"name", "trainable", "batch_input_shape", "batch_shape", "build_config", "seed", "layer.config.name",
         "layer.config.trainable", "layer.module", "layer.registered_name", "backward_layer.module",
         "backward_layer.registered_name", "cell.module", "cell.registered_name", "activity_regularizer",
         "quantization_config"});
    return std::ranges::find(hidden, attribute) == hidden.end();
}

ElementType elementNamed(const std::string& name)
{
    if (name.starts_with("mixed_") || name.empty()) {
        return ElementType::Float32;
    }
    return typeOfName(name).value_or(ElementType::Float32);
}

void limitNodes(std::int64_t count)
{
    if (count >= mostNodes) {
        damaged("the model calls more layers than a model can have");
    }
}

/// A lower bound of the number of nodes that a model becomes, at most `mostNodes`. Counted before any node is made:
/// nested models that are called twice double the number at every level.
std::int64_t callCount(const ModelConfig& model)
{
    std::int64_t count = 0;
    for (const LayerConfig& layer : model.layers) {
        const auto calls = static_cast<std::int64_t>(model.isSequential ? 1 : layer.calls.size());
        const std::int64_t inner = layer.model ? callCount(*layer.model) : 1;
        count = std::min<std::int64_t>(count + saturatingProduct(calls, inner), mostNodes);
    }
    return count;
}

class Builder {
public:
    Builder(const Dialect& dialect, const WeightsByLayer& weights, const std::stop_token& stop)
        : m_dialect(dialect)
        , m_weights(weights)
        , m_stop(stop)
    {
    }

    Graph build(const ModelConfig& model)
    {
        limitNodes(callCount(model));
        m_graph.format = "keras";
        m_graph.producer = "Keras";
        m_graph.version = m_dialect.version;
        if (!m_dialect.backend.empty()) {
            m_graph.metadata.emplace("backend", m_dialect.backend);
        }
        const Instance top{&model, {}};
        const ValueIds inputs = declareInputs(model);
        const std::vector<Named> outputs =
            model.isSequential ? buildSequential(top, inputs) : buildFunctional(top, inputs);
        nameOutputs(outputs, model);
        return std::move(m_graph);
    }

private:
    /// A model at a place in the graph.
    struct Instance {
        const ModelConfig* model;
        std::string prefix;      ///< of the names of its layers: "encoder/"
        bool isTraining = false; ///< it is called with training=True
    };
    /// A call whose operands are the values of its tensors, in order.
    struct Connected {
        LayerCall call;
        ValueIds operands;
    };
    /// A value with the name of the layer of its model that makes it.
    struct Named {
        std::string layer;
        ValueId value;
    };

    // Inputs.

    static bool isInputLayer(const LayerConfig& layer) { return layer.className == "InputLayer"; }

    ValueIds declareInputs(const ModelConfig& model)
    {
        ValueIds inputs;
        if (!model.isSequential) {
            for (const TensorReference& input : model.inputs) {
                const auto layer = std::ranges::find(model.layers, input.layer, &LayerConfig::name);
                if (layer == model.layers.end()) {
                    damaged(fmt::format("input {} is not a layer of the model", input.layer));
                }
                inputs.push_back(addInput(layer->name, layer->config));
            }
            return inputs;
        }
        declareSequentialInputs(model, inputs);
        return inputs;
    }

    /// A Sequential without an InputLayer takes what its first layer takes.
    void declareSequentialInputs(const ModelConfig& model, ValueIds& inputs)
    {
        if (model.layers.empty()) {
            damaged("the model has no layers");
        }
        const LayerConfig& first = model.layers.front();
        if (isInputLayer(first)) {
            inputs.push_back(addInput(nameOfInputLayer(first.name), first.config));
        } else if (first.className == "Merge" && first.model) {
            for (const LayerConfig& branch : first.model->layers) {
                if (branch.model) {
                    declareBranch(*branch.model, inputs);
                }
            }
        } else if (isModelClass(first.className) && first.model) {
            declareBranch(*first.model, inputs);
        } else {
            ConfigValue config = first.config;
            if (inputShape(config) == nullptr && model.inputShape.list() != nullptr) {
                config.set("batch_input_shape", model.inputShape);
            }
            inputs.push_back(addInput(inputName(first.name), config));
        }
    }

    void declareBranch(const ModelConfig& model, ValueIds& inputs)
    {
        const ValueIds own = declareInputs(model);
        inputs.insert(inputs.end(), own.begin(), own.end());
    }

    /// In a Sequential, Keras 3 names an input after its tensor where the user does not name it.
    std::string nameOfInputLayer(const std::string& layer) const
    {
        const bool isGenerated =
            layer.starts_with("input_layer") &&
            layer.find_first_not_of("_0123456789", std::string_view("input_layer").size()) == std::string::npos;
        return m_dialect.major >= 3 && isGenerated ? "keras_tensor" : layer;
    }

    /// The name that Keras gives to an input that the file does not name.
    std::string inputName(const std::string& layer)
    {
        if (m_dialect.major != 1) {
            return m_dialect.backend == "theano" ? fmt::format("/{}_input", layer) : layer + "_input";
        }
        const auto digits = layer.find_last_not_of("0123456789") + 1;
        const bool isNumbered = digits < layer.size() && digits > 1 && layer[digits - 1] == '_';
        const std::string prefix = isNumbered ? layer.substr(0, digits - 1) : layer;
        return fmt::format("{}_input_{}", prefix, ++m_inputNumbers[prefix]);
    }

    ValueId addInput(const std::string& name, const ConfigValue& config)
    {
        if (const ConfigValue* ragged = config.find("ragged"); ragged != nullptr && *ragged == ConfigValue(true)) {
            throw ModelError("unsupported-model",
                             fmt::format("input {} is ragged: its samples have different lengths", name),
                             "pad the samples to one length and mask the rest");
        }
        const ConfigValue* shape = inputShape(config);
        ValueType type;
        type.element = m_dialect.major == 1 ? ElementType::Float32 // what is fed is converted
                                            : elementNamed(typeName(config.find("dtype")));
        if (shape != nullptr && shape->list()->size() <= mostDimensions) {
            type.shape.emplace();
            for (const ConfigValue& size : *shape->list()) {
                const auto number = integerOf(size);
                if (number && *number >= 0) {
                    type.shape->push_back(Dim(*number));
                } else if (number == -1 || std::holds_alternative<std::monostate>(size)) {
                    type.shape->push_back(type.shape->empty() ? Dim("batch") : Dim());
                } else {
                    damaged(fmt::format("input {} has a size that is neither a number of elements nor null", name));
                }
            }
        }
        const ValueId value = m_graph.addValue({.name = name, .type = std::move(type)});
        m_graph.inputs.push_back(value);
        return value;
    }

    // Models.

    /// The type of the floating-point numbers of a value, as far as policies tell it; float32 otherwise.
    ElementType floatingType(ValueId value) const
    {
        constexpr int mostOperations = 1000; // in a row without a layer, for files that are made to take long
        for (int i = 0; i < mostOperations && m_graph.value(value).producer; ++i) {
            const Node& node = m_graph.node(m_graph.value(value).producer);
            const auto* name = attributeOf<std::string>(node, "dtype");
            const bool isLayer = !node.op.starts_with("ops.") && !node.op.starts_with("tf.");
            if (isLayer && name != nullptr && !name->empty()) {
                const std::string policy = dtypePolicy(*name).source;
                return elementNamed(policy.starts_with("mixed_") ? policy.substr(6) : policy);
            }
            if (node.inputs.empty()) {
                return ElementType::Float32;
            }
            value = node.inputs.front();
        }
        const ElementType type = m_graph.value(value).type.element;
        return isFloating(type) ? type : ElementType::Float32;
    }

    /// A nested model casts what it is called with to the types of its inputs.
    ValueId inputOfNested(const Instance& instance, const LayerConfig& layer, ValueId value)
    {
        const ElementType type = elementNamed(typeName(layer.config.find("dtype")));
        if (m_dialect.major < 2 || !isFloating(type) || type == floatingType(value)) {
            return value;
        }
        const LayerCall one{{"0", TensorReference{}, {}}};
        return addNode(layer.className, instance.prefix + layer.name, 0, layer, one, {value}, 1).front();
    }

    std::vector<Named> buildModel(const Instance& instance, const ValueIds& inputs)
    {
        return instance.model->isSequential ? buildSequential(instance, inputs) : buildFunctional(instance, inputs);
    }

    std::vector<Named> buildSequential(const Instance& instance, const ValueIds& inputs)
    {
        std::vector<Named> values;
        values.reserve(inputs.size());
        for (const ValueId input : inputs) {
            values.push_back({instance.model->layers.empty() ? "" : instance.model->layers.front().name, input});
        }
        for (const LayerConfig& layer : instance.model->layers) {
            if (isInputLayer(layer)) {
                if (!instance.prefix.empty() && values.size() == 1) {
                    values.front().value = inputOfNested(instance, layer, values.front().value);
                }
                continue;
            }
            LayerCall call;
            ValueIds operands;
            for (std::size_t i = 0; i < values.size(); ++i) {
                call.push_back({values.size() == 1 ? "0" : fmt::format("0.{}", i), TensorReference{}, {}});
                operands.push_back(values[i].value);
            }
            const ValueIds results = addCall(instance, layer, 0, call, operands, 1);
            values.clear();
            for (const ValueId result : results) {
                values.push_back({layer.name, result});
            }
        }
        return values;
    }

    using CallKey = std::pair<std::string_view, std::int64_t>;

    /// A call of a layer of a functional model that waits for its arguments.
    struct Pending {
        const LayerConfig* layer;
        std::size_t call;
        CallKey key; ///< by which it is read
        std::size_t missing = 0;
        std::int64_t outputs = 1;
    };

    /// The highest number of a call that is read, by layer.
    static std::map<std::string_view, std::int64_t> lastReadCalls(const ModelConfig& model)
    {
        std::map<std::string_view, std::int64_t> last;
        const auto note = [&](const TensorReference& tensor) {
            std::int64_t& number = last[tensor.layer];
            number = std::max(number, tensor.call);
        };
        for (const LayerConfig& layer : model.layers) {
            for (const LayerCall& call : layer.calls) {
                for (const Argument& argument : call) {
                    if (argument.tensor) {
                        note(*argument.tensor);
                    }
                }
            }
        }
        std::ranges::for_each(model.outputs, note);
        return last;
    }

    std::vector<Named> buildFunctional(const Instance& instance, const ValueIds& inputs)
    {
        const ModelConfig& model = *instance.model;
        std::map<CallKey, ValueIds> made;
        std::vector<Pending> calls;
        std::map<CallKey, std::size_t> index;
        if (inputs.size() != model.inputs.size()) {
            damaged(fmt::format("model \"{}\" has {} inputs, but is called with {}", model.name, model.inputs.size(),
                                inputs.size()));
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            ValueId input = inputs[i];
            const auto layer = std::ranges::find(model.layers, model.inputs[i].layer, &LayerConfig::name);
            if (!instance.prefix.empty() && layer != model.layers.end()) {
                input = inputOfNested(instance, *layer, input);
            }
            made[{model.inputs[i].layer, model.inputs[i].call}] = {input};
        }
        const std::map<std::string_view, std::int64_t> lastCalls = lastReadCalls(model);
        for (const LayerConfig& layer : model.layers) {
            // A nested model's own graph counts as its first call, which is not in the file.
            const auto last = lastCalls.find(layer.name);
            const bool countsOwn = m_dialect.major < 3 && isModelClass(layer.className) && last != lastCalls.end() &&
                                   last->second == static_cast<std::int64_t>(layer.calls.size());
            for (std::size_t call = 0; call < layer.calls.size(); ++call) {
                const CallKey key{layer.name, static_cast<std::int64_t>(call) + (countsOwn ? 1 : 0)};
                if (!made.contains(key) && !index.emplace(key, calls.size()).second) {
                    damaged(fmt::format("two layers have the name \"{}\"", layer.name));
                }
                calls.push_back({&layer, call, key});
            }
        }
        std::map<CallKey, std::vector<std::size_t>> waiting;
        const auto require = [&](const TensorReference& tensor, const std::string& reader) {
            const CallKey key{tensor.layer, tensor.call};
            if (tensor.output < 0 || tensor.output >= mostOutputs) {
                damaged(fmt::format("{} reads output {} of layer \"{}\"", reader, tensor.output, tensor.layer));
            }
            if (const auto found = index.find(key); found != index.end()) {
                Pending& producer = calls[found->second];
                producer.outputs = std::max(producer.outputs, tensor.output + 1);
            } else if (!made.contains(key)) {
                damaged(fmt::format("{} reads call {} of layer \"{}\", which is not in the model", reader, tensor.call,
                                    tensor.layer));
            }
        };
        std::vector<GraphCall> reads(calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            Pending& pending = calls[i];
            reads[i].layer = static_cast<std::size_t>(pending.layer - model.layers.data());
            for (const Argument& argument : pending.layer->calls[pending.call]) {
                if (argument.tensor) {
                    require(*argument.tensor, fmt::format("layer \"{}\"", pending.layer->name));
                    const CallKey key{argument.tensor->layer, argument.tensor->call};
                    if (!made.contains(key)) {
                        waiting[key].push_back(i);
                        reads[i].operands.push_back(index.at(key));
                        ++pending.missing;
                    }
                }
            }
        }
        std::vector<std::size_t> ends;
        for (const TensorReference& output : model.outputs) {
            require(output, "an output of the model");
            if (const auto found = index.find({output.layer, output.call}); found != index.end()) {
                ends.push_back(found->second);
            }
        }
        // The order matters where a layer changes the masks of tensors that others read too.
        const std::vector<std::size_t> places =
            attentionTakesMasks(m_graph) ? executionOrder(reads, ends) : std::vector<std::size_t>();
        const auto runsLater = [&](std::size_t a, std::size_t b) {
            return places.empty() ? a > b : places[a] > places[b];
        };
        std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(runsLater)> ready(runsLater);
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (calls[i].missing == 0) {
                ready.push(i);
            }
        }
        std::size_t finished = 0;
        while (!ready.empty()) {
            checkStop(m_stop);
            const Pending pending = calls[ready.top()];
            ready.pop();
            ++finished;
            const CallKey key = pending.key;
            if (made.contains(key)) { // the InputLayer of an input
                continue;
            }
            const LayerCall& call = pending.layer->calls[pending.call];
            ValueIds operands;
            for (const Argument& argument : call) {
                if (argument.tensor) {
                    operands.push_back(outputOf(made, *argument.tensor));
                }
            }
            made[key] = addCall(instance, *pending.layer, pending.call, call, operands,
                                static_cast<std::size_t>(pending.outputs));
            for (const std::size_t reader : waiting[key]) {
                if (--calls[reader].missing == 0) {
                    ready.push(reader);
                }
            }
        }
        if (finished != calls.size()) {
            damaged("the calls of the layers depend on each other in a circle");
        }
        std::vector<Named> outputs;
        for (const TensorReference& output : model.outputs) {
            outputs.push_back({output.layer, outputOf(made, output)});
        }
        return outputs;
    }

    static ValueId outputOf(const std::map<CallKey, ValueIds>& made, const TensorReference& tensor)
    {
        const auto found = made.find({tensor.layer, tensor.call});
        if (found == made.end() || static_cast<std::size_t>(tensor.output) >= found->second.size()) {
            damaged(fmt::format("output {} of layer \"{}\" is used, but it has fewer", tensor.output, tensor.layer));
        }
        return found->second[static_cast<std::size_t>(tensor.output)];
    }

    // Calls.

    /// `operands`: the tensors among the arguments of the call, in order.
    ValueIds addCall(const Instance& instance, const LayerConfig& layer, std::size_t number, const LayerCall& call,
                     const ValueIds& operands, std::size_t outputs)
    {
        const std::string name = instance.prefix + layer.name;
        if (isFunction(layer.className)) {
            return addNode(layer.className, name, number, layer, call, operands, outputs);
        }
        const Connected made = connected(name, call, operands);
        const bool isTraining = trainingOf(call).value_or(instance.isTraining);
        if (isModelClass(layer.className) && layer.model) {
            return valuesOf(buildModel({layer.model.get(), name + "/", isTraining},
                                       maskedInputs(instance, layer, number, made.call, made.operands)));
        }
        if (layer.className == "TimeDistributed" && layer.model) {
            return addOverTime(instance, layer, number, made.call, made.operands, isTraining);
        }
        if (layer.className == "Merge" && layer.model) {
            return addMergeOfBranches(instance, layer, made.operands);
        }
        return addNode(layer.className, name, number, layer, made.call, made.operands, outputs, isTraining);
    }

    /// The call of a layer with its constant arrays as operands, and without its argument `training`.
    Connected connected(const std::string& name, const LayerCall& call, const ValueIds& operands)
    {
        Connected made;
        std::size_t next = 0;
        for (const Argument& argument : call) {
            if (argument.tensor) {
                made.call.push_back(argument);
                made.operands.push_back(operands[next++]);
            } else if (isArray(argument) && argument.path != trainingArgument) {
                made.call.push_back({argument.path, TensorReference{}, {}});
                made.operands.push_back(constantOf(name, argument));
            } else if (argument.path != trainingArgument) {
                made.call.push_back(argument);
            }
        }
        return made;
    }

    /// One value for all calls of a nested model.
    ValueId constantOf(const std::string& name, const Argument& argument)
    {
        ValueId& constant = m_constants[&argument];
        if (!constant) {
            const Tensor array = arrayOf(argument);
            Value value{.name = fmt::format("{}/{}", name, argument.path)};
            value.type.element = array.type();
            value.type.shape = shapeOf(array.dims());
            value.tensor = m_graph.addTensor(array);
            constant = m_graph.addValue(std::move(value));
        }
        return constant;
    }

    static ValueIds valuesOf(const std::vector<Named>& named)
    {
        ValueIds values;
        values.reserve(named.size());
        for (const Named& each : named) {
            values.push_back(each.value);
        }
        return values;
    }

    /// Whether the call has the mask None, which before Keras 3 replaces the mask that the tensor carries.
    bool isMaskNone(const Argument& argument) const
    {
        return m_dialect.major < 3 && argument.path == "mask" && !argument.tensor &&
               std::holds_alternative<std::monostate>(argument.constant);
    }

    /// The inputs that a nested model is called with; one that gets a mask by an argument goes through a node for it.
    ValueIds maskedInputs(const Instance& instance, const LayerConfig& layer, std::size_t number, const LayerCall& call,
                          const ValueIds& operands)
    {
        ValueIds inputs;
        std::map<std::string, ValueId> byPath;
        std::vector<std::pair<std::size_t, ValueId>> masks; // of the input at a place
        std::size_t next = 0;
        bool isUnmasked = false;
        for (const Argument& argument : call) {
            if (!argument.tensor) {
                isUnmasked = isUnmasked || isMaskNone(argument);
                continue;
            }
            const ValueId value = operands[next++];
            if (argument.path == "mask") {
                masks.emplace_back(0, value);
            } else if (argument.path.starts_with("mask.")) {
                masks.emplace_back(std::strtoul(argument.path.c_str() + 5, nullptr, 10), value);
            } else {
                inputs.push_back(value);
                byPath.emplace(argument.path, value);
            }
        }
        orderByKeys(*layer.model, byPath, inputs);
        for (std::size_t i = 0; isUnmasked && i < inputs.size(); ++i) {
            masks.emplace_back(i, ValueId{});
        }
        const LayerCall one{{"0", TensorReference{}, {}}};
        const LayerCall both{{"0", TensorReference{}, {}}, {"mask", TensorReference{}, {}}};
        for (const auto& [place, mask] : masks) {
            if (place >= inputs.size()) {
                damaged(fmt::format("layer \"{}\" is called with a mask for input {}, but it has {}", layer.name, place,
                                    inputs.size()));
            }
            const LayerConfig plain{.className = {}, .name = layer.name, .config = ConfigObject(), .calls = {}};
            inputs[place] =
                addNode(std::string(attachMask), instance.prefix + layer.name, number, plain, mask ? both : one,
                        mask ? ValueIds{inputs[place], mask} : ValueIds{inputs[place]}, 1)
                    .front();
        }
        return inputs;
    }

    /// Inputs that are given in a dictionary, in the order of the model's. Others than those of the model do not count.
    static void orderByKeys(const ModelConfig& model, const std::map<std::string, ValueId>& given, ValueIds& inputs)
    {
        if (given.contains("0.0")) { // a list
            return;
        }
        ValueIds ordered;
        for (const std::string& key : model.inputKeys) {
            const auto found = given.find("0." + key);
            if (found == given.end()) {
                return;
            }
            ordered.push_back(found->second);
        }
        if (!ordered.empty()) {
            inputs = std::move(ordered);
        }
    }

    /// A mask goes along with the steps of the first input.
    ValueIds addOverTime(const Instance& instance, const LayerConfig& layer, std::size_t number, const LayerCall& call,
                         const ValueIds& operands, bool isTraining)
    {
        const std::string name = instance.prefix + layer.name;
        ValueIds inputs;
        ValueId mask;
        LayerCall constants;
        std::size_t next = 0;
        for (const Argument& argument : call) {
            if (isMaskNone(argument)) {
                constants.push_back(argument);
            } else if (argument.tensor && argument.path == "mask") {
                mask = operands[next++];
            } else if (argument.tensor) {
                inputs.push_back(operands[next++]);
            }
        }
        if (inputs.empty()) {
            damaged(fmt::format("layer \"{}\" has no input", name));
        }
        const auto addPart = [&](std::string_view op, ValueIds values, bool isMasked) {
            LayerCall arguments = constants;
            for (std::size_t i = 0; i < values.size(); ++i) {
                arguments.push_back({std::to_string(i), TensorReference{}, {}});
            }
            if (isMasked) {
                arguments.push_back({"mask", TensorReference{}, {}});
                values.push_back(mask);
            }
            return addNode(std::string(op), name, number, layer, arguments, values, 1).front();
        };
        ValueIds samples;
        samples.reserve(inputs.size());
        for (const ValueId input : inputs) {
            samples.push_back(addPart(stepsAsSamples, {input}, mask && samples.empty()));
        }
        ValueIds results;
        for (const Named& made : buildModel({layer.model.get(), name + "/", isTraining}, samples)) {
            results.push_back(addPart(samplesAsSteps, {made.value, inputs.front()}, bool(mask)));
        }
        return results;
    }

    /// The branches of Keras 1's Merge, whose inputs are the model's in order.
    ValueIds addMergeOfBranches(const Instance& instance, const LayerConfig& layer, const ValueIds& inputs)
    {
        ValueIds branches;
        LayerCall call;
        std::size_t next = 0;
        for (const LayerConfig& branch : layer.model->layers) {
            const std::size_t count = branch.model ? inputCount(*branch.model) : 1;
            if (count > inputs.size() - next) {
                damaged(fmt::format("layer \"{}\" has branches with more inputs than the model", layer.name));
            }
            const ValueIds own(inputs.begin() + static_cast<std::ptrdiff_t>(next),
                               inputs.begin() + static_cast<std::ptrdiff_t>(next + count));
            next += count;
            const Instance inner{branch.model.get(), instance.prefix};
            const ValueIds made = branch.model ? valuesOf(buildModel(inner, own))
                                               : addCall(instance, branch, 0, {{"0", TensorReference{}, {}}}, own, 1);
            call.push_back({fmt::format("0.{}", branches.size()), TensorReference{}, {}});
            branches.insert(branches.end(), made.begin(), made.end());
        }
        return addNode(layer.className, instance.prefix + layer.name, 0, layer, call, branches, 1);
    }

    static std::size_t inputCount(const ModelConfig& model)
    {
        if (!model.isSequential) {
            return model.inputs.size();
        }
        if (model.layers.empty() || model.layers.front().className != "Merge" || !model.layers.front().model) {
            return !model.layers.empty() && isModelClass(model.layers.front().className) && model.layers.front().model
                       ? inputCount(*model.layers.front().model)
                       : 1;
        }
        std::size_t count = 0;
        for (const LayerConfig& branch : model.layers.front().model->layers) {
            count += branch.model ? inputCount(*branch.model) : 1;
        }
        return count;
    }

    ValueIds addNode(std::string op, const std::string& name, std::size_t number, const LayerConfig& layer,
                     const LayerCall& call, const ValueIds& operands, std::size_t outputs, bool isTraining = false)
    {
        limitNodes(static_cast<std::int64_t>(m_graph.nodeCount()));
        Node node{.op = std::move(op), .name = name};
        addAttributes(node.attributes, {}, layer.config);
        std::erase_if(node.attributes, [&](const Attribute& attribute) {
            const bool matters = isTraining && attribute.name.ends_with("trainable"); // of a BatchNormalization
            return !isShown(attribute.name) && !matters;
        });
        if (isTraining) {
            node.attributes.push_back({std::string(trainingAttribute), true});
        }
        std::vector<std::string> names;
        std::size_t next = 0;
        for (const Argument& argument : call) {
            if (argument.tensor) {
                names.push_back(argument.path);
                node.inputs.push_back(operands[next++]);
            } else {
                const std::string path = std::string(callPrefix) + argument.path;
                addAttributes(node.attributes, path, argument.constant);
                if (!argument.arrayType.empty() && node.op.starts_with("ops.")) {
                    node.attributes.push_back({path + std::string(arrayTypeSuffix), argument.arrayType});
                }
            }
        }
        addWeights(node, names, layer, name);
        if (!names.empty()) {
            node.attributes.push_back({std::string(operandsAttribute), std::move(names)});
        }
        const NodeId id = m_graph.addNode(std::move(node));
        ValueIds values;
        for (std::size_t i = 0; i < outputs; ++i) {
            std::string valueName = number == 0 ? name : fmt::format("{}@{}", name, number);
            if (i > 0) {
                valueName += fmt::format(":{}", i);
            }
            values.push_back(m_graph.addOutput(id, std::move(valueName)));
        }
        return values;
    }

    void addWeights(Node& node, std::vector<std::string>& names, const LayerConfig& layer, const std::string& path)
    {
        const auto stored = m_weights.find(&layer);
        if (stored == m_weights.end() || node.op == stepsAsSamples || node.op == samplesAsSteps) {
            return;
        }
        for (const LayerWeight& weight : stored->second) {
            if (!weight.unreadable.empty()) {
                node.attributes.push_back({std::string(unreadableAttribute), weight.unreadable});
                return;
            }
        }
        ValueIds& values = m_weightValues[&layer];
        if (values.empty()) {
            for (const LayerWeight& weight : stored->second) {
                Value value{.name = fmt::format("{}/{}", path, weight.spec.path())};
                if (weight.tensor) {
                    value.type.element = weight.tensor->type();
                    value.type.shape = shapeOf(weight.tensor->dims());
                    value.tensor = m_graph.addTensor(*weight.tensor);
                } else {
                    value.role = Role::Parameter;
                }
                values.push_back(m_graph.addValue(std::move(value)));
                if (!weight.tensor) {
                    m_graph.inputs.push_back(values.back());
                }
            }
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            names.push_back(":" + stored->second[i].spec.path());
            node.inputs.push_back(values[i]);
        }
    }

    // Outputs.

    void nameOutputs(const std::vector<Named>& outputs, const ModelConfig& model)
    {
        const bool isTheanoSequential =
            model.isSequential && m_dialect.backend == "theano" && m_dialect.major == 2; // names no outputs
        std::set<std::string> taken;
        std::map<std::string, int> counts;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const Named& output = outputs[i];
            std::string name = fmt::format("output_{}", i);
            if (m_dialect.major < 3 && !isTheanoSequential) {
                name = output.layer;
                while (taken.contains(name)) {
                    name = fmt::format("{}_{}", output.layer, ++counts[output.layer]);
                }
            }
            taken.insert(name);
            m_graph.outputs.push_back(named(output.value, name));
        }
    }

    /// The value under a name of its own: behind an Identity where it is an input or already another output.
    ValueId named(ValueId value, const std::string& name)
    {
        const bool isInput = !m_graph.value(value).producer;
        const bool isUsed = std::ranges::find(m_graph.outputs, value) != m_graph.outputs.end();
        if (isInput || isUsed) {
            Node node{.op = "Identity",
                      .name = name,
                      .inputs = {value},
                      .attributes = {{std::string(operandsAttribute), std::vector<std::string>{"0"}}}};
            value = m_graph.addOutput(m_graph.addNode(std::move(node)), {});
        }
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            if (Value& other = m_graph.value(ValueId{i}); other.name == name && other.producer) {
                other.name += "@0";
            }
        }
        m_graph.value(value).name = name;
        return value;
    }

    const Dialect& m_dialect;
    const WeightsByLayer& m_weights;
    const std::stop_token& m_stop;
    Graph m_graph;
    std::map<std::string, int> m_inputNumbers; ///< by prefix
    std::map<const LayerConfig*, ValueIds> m_weightValues;
    std::map<const Argument*, ValueId> m_constants; ///< of arguments in the configuration
};

} // namespace

Graph buildGraph(const ModelConfig& model, const Dialect& dialect, const WeightsByLayer& weights,
                 const std::stop_token& stop)
{
    return Builder(dialect, weights, stop).build(model);
}

} // namespace crosswalk::keras
