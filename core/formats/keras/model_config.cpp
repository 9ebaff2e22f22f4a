#include "core/formats/keras/model_config.h"

#include "core/base/diagnostic.h"
#include "core/formats/keras/dtype_policy.h"
#include "core/formats/keras/keras1_dialect.h"
#include "core/formats/keras/layer_call.h"
#include "core/formats/keras/tensorflow_op_layer.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// Inputs or outputs of a model: a triple, a list of them, or a dictionary, which is ordered by its keys.
void addReferences(const ConfigValue& value, std::vector<TensorReference>& to)
{
    if (isTriple(value)) {
        to.push_back(tripleOf(value));
    } else if (const ConfigList* list = value.list()) {
        for (const ConfigValue& item : *list) {
            addReferences(item, to);
        }
    } else if (const ConfigObject* object = value.object()) {
        std::vector<std::pair<std::string_view, const ConfigValue*>> sorted;
        for (const auto& [key, member] : *object) {
            sorted.emplace_back(key, &member);
        }
        std::ranges::sort(sorted);
        for (const auto& [key, member] : sorted) {
            addReferences(*member, to);
        }
    }
}

/// By what a dictionary of inputs has the inputs of a model: the keys of the model's own one, or the names of layers.
std::vector<std::string> inputKeys(const ConfigValue& value, const std::vector<TensorReference>& inputs)
{
    std::vector<std::string> keys;
    if (const ConfigObject* object = value.object()) {
        std::ranges::transform(*object, std::back_inserter(keys), &ConfigObject::value_type::first);
        std::ranges::sort(keys);
    } else {
        std::ranges::transform(inputs, std::back_inserter(keys), &TensorReference::layer);
    }
    return keys;
}

/// Whether a part of the file is an operation of Keras 3. Files without modules tell it by the settings: layers have
/// some of training.
bool isOperation(const ConfigValue& config, const std::string& module)
{
    return module.empty() ? config.find("trainable") == nullptr && config.find("seed") == nullptr
                          : module.starts_with("keras.src.ops") || module.starts_with("keras.ops");
}

std::string classNameOf(const ConfigValue& json, const ConfigValue& config, const Dialect& dialect)
{
    const std::string name = json.text("class_name");
    if (name == "TFOpLambda" || name == "SlicingOpLambda") {
        const std::string function = config.text("function");
        constexpr std::string_view old = "compat.v1.";
        return "tf." + (function.starts_with(old) ? function.substr(old.size()) : function);
    }
    if (dialect.major >= 3 && !isModelClass(name) && name != "InputLayer" && isOperation(config, json.text("module"))) {
        return "ops." + name;
    }
    // A registered class of the user has its package in the name, in Keras 3 in a place of its own.
    std::string registered = json.text("registered_name");
    if (registered.find('>') != std::string::npos && registered.find('>') != 0 && !registered.starts_with("Keras>")) {
        return registered;
    }
    const std::string module = json.text("module");
    const ConfigValue* moduleValue = json.find("module");
    const bool isOwn = moduleValue == nullptr || module.starts_with("keras") || module.starts_with("tensorflow");
    return isOwn || name.find('>') != std::string::npos ? name : "custom>" + name;
}

/// Layers that pass their policies on to parts, which have separate paths.
bool hasParts(std::string_view className)
{
    return className == "MultiHeadAttention" || className == "GroupQueryAttention" ||
           className == "GroupedQueryAttention";
}

/// Puts the values of tuples and arrays in place of the objects that the file has for them.
void unwrap(ConfigValue& value)
{
    if (const ConfigValue* wrapped = wrappedValue(value)) {
        ConfigValue own = *wrapped;
        value = std::move(own);
    }
    if (auto* list = std::get_if<ConfigList>(&value)) {
        std::ranges::for_each(*list, unwrap);
    } else if (auto* object = std::get_if<ConfigObject>(&value)) {
        for (auto& [key, member] : *object) {
            unwrap(member);
        }
    }
}

/// The policies that a DTypePolicyMap has for a layer and its parts, as separate settings.
void readPolicyMap(const std::string& className, const std::string& path, ConfigValue& config)
{
    const ConfigValue map = *config.find("dtype");
    const auto own = policyAt(map, path);
    ConfigValue parts = ConfigObject();
    bool isKnown = own.has_value();
    if (hasParts(className)) {
        for (const char* part : {"query", "key", "value", "gate", "attention_output", "softmax"}) {
            const auto policy = policyAt(map, path + "/" + part);
            isKnown = isKnown && policy;
            if (policy && policy != own) {
                parts.set(part, *policy);
            }
        }
    }
    config.set("dtype", isKnown ? *own : unknownPolicy);
    if (isKnown && !parts.object()->empty()) {
        config.set("part_dtypes", std::move(parts));
    }
}

/// `path` of the layer in the scopes of names that it is built in; empty where that is not known.
void normalizeTypes(const std::string& className, const std::string& path, ConfigValue& config)
{
    const ConfigValue* type = config.find("dtype");
    if (type == nullptr) {
        return;
    }
    if (!isPolicyMap(*type)) {
        config.set("dtype", typeName(type));
    } else if (!path.empty()) {
        readPolicyMap(className, path, config);
    } else { // of a wrapped layer: only if all its parts have the same
        const ConfigValue* settings = type->find("config");
        const ConfigValue* parts = settings != nullptr ? settings->find("policy_map") : nullptr;
        const bool isUniform = parts != nullptr && parts->object() != nullptr && parts->object()->empty();
        config.set("dtype", isUniform ? policyAt(*type, {}).value_or(unknownPolicy) : unknownPolicy);
    }
}

/// The layers of a Sequential: a bare list in old files.
ConfigList* layerList(ConfigValue& config)
{
    if (config.list() != nullptr) {
        return std::get_if<ConfigList>(&config);
    }
    ConfigValue* layers = config.find("layers");
    return layers != nullptr ? std::get_if<ConfigList>(layers) : nullptr;
}

class ConfigReader {
public:
    explicit ConfigReader(const Dialect& dialect)
        : m_dialect(dialect)
    {
    }

    /// `scope`: the names of the Sequentials that are built around it, with "/" behind each.
    ModelConfig model(ConfigValue json, const std::string& scope = {}) const
    {
        ConfigValue* config = json.find("config");
        const std::string className = json.text("class_name");
        ConfigList* layers = config != nullptr ? layerList(*config) : nullptr;
        if (layers == nullptr) {
            throw ModelError(
                "unsupported-model",
                fmt::format("the model is of class {}, whose graph is Python code and not in the file", className),
                "export it with model.export(...) and convert the SavedModel");
        }
        ModelConfig model;
        model.isSequential = className == "Sequential";
        model.name = config->text("name");
        if (!isModelClass(className) && config->find("output_layers") == nullptr) {
            model.isSequential = true; // of a subclass of Sequential
        }
        // A functional model, and a Sequential that knows its input, are built before what they are in.
        const bool isApart =
            !model.isSequential || (!layers->empty() && layers->front().text("class_name") == "InputLayer");
        const std::string innerScope = (isApart ? std::string() : scope) + (model.isSequential ? model.name + "/" : "");
        for (ConfigValue& item : *layers) {
            model.layers.push_back(layer(std::move(item), innerScope));
        }
        if (const ConfigValue* shape = config->find("build_input_shape"); shape != nullptr) {
            model.inputShape = *shape;
        }
        if (const ConfigValue* inputs = config->find("input_layers"); !model.isSequential && inputs != nullptr) {
            addReferences(*inputs, model.inputs);
            model.inputKeys = inputKeys(*inputs, model.inputs);
        }
        if (const ConfigValue* outputs = config->find("output_layers"); !model.isSequential && outputs != nullptr) {
            addReferences(*outputs, model.outputs);
        }
        if (m_dialect.major >= 3) {
            countWithoutOwnCall(model);
        }
        return model;
    }

private:
    /// Among its outputs, Keras 3 counts a nested model's own graph as its first call.
    static void countWithoutOwnCall(ModelConfig& model)
    {
        for (TensorReference& output : model.outputs) {
            const auto layer = std::ranges::find(model.layers, output.layer, &LayerConfig::name);
            if (layer != model.layers.end() && layer->model && layer->className != "Sequential" && output.call > 0) {
                --output.call;
            }
        }
    }

    LayerConfig layer(ConfigValue json, const std::string& scope) const
    {
        ConfigValue* config = json.find("config");
        if (config == nullptr) {
            damaged(fmt::format("layer \"{}\" has no config", json.text("name")));
        }
        LayerConfig layer;
        const std::string className = json.text("class_name");
        layer.name = json.text("name").empty() ? config->text("name") : json.text("name");
        ConfigList nodes;
        if (ConfigValue* calls = json.find("inbound_nodes"); calls != nullptr && calls->list() != nullptr) {
            nodes = std::move(*std::get_if<ConfigList>(calls));
        }
        const auto readCalls = [&] {
            for (const ConfigValue& node : nodes) {
                layer.calls.push_back(callOf(node, layer.className, layer.config, m_dialect));
            }
        };
        if (isModelClass(className) && layerList(*config) != nullptr) {
            const ConfigValue* trainable = config->find("trainable");
            layer.isTrainable =
                trainable == nullptr || !std::holds_alternative<bool>(*trainable) || std::get<bool>(*trainable);
            layer.className = className;
            layer.model = std::make_shared<ModelConfig>(model(std::move(json), scope));
            layer.config = ConfigObject();
            if (layer.name.empty()) {
                layer.name = layer.model->name;
            }
            readCalls();
            return layer;
        }
        layer.className = classNameOf(json, *config, m_dialect);
        layer.config = config->object() != nullptr ? std::move(*config) : ConfigValue(ConfigObject());
        unwrap(layer.config);
        if (m_dialect.major == 1) {
            translateKeras1(layer.className, layer.config);
        }
        normalizeTypes(layer.className, scope + layer.name, layer.config);
        readCalls();
        if (layer.className == "TensorFlowOpLayer") {
            translateOpLayer(layer);
        }
        if (const ConfigValue* trainable = layer.config.find("trainable")) {
            layer.isTrainable = !std::holds_alternative<bool>(*trainable) || std::get<bool>(*trainable);
        }
        readWrapped(layer);
        return layer;
    }

    /// The model in a TimeDistributed, and the classes of wrapped layers in the dialect.
    void readWrapped(LayerConfig& layer) const
    {
        for (const char* key : {"layer", "backward_layer", "forward_layer", "cell"}) {
            ConfigValue* wrapped = layer.config.find(key);
            if (wrapped == nullptr || wrapped->object() == nullptr) {
                continue;
            }
            if (isModelClass(wrapped->text("class_name")) && layer.className == "TimeDistributed") {
                layer.model = std::make_shared<ModelConfig>(model(std::move(*wrapped)));
                layer.config.erase(key);
                return;
            }
            readNested(*wrapped);
        }
        if (ConfigValue* parts = layer.config.find("layers"); parts != nullptr && layer.className == "Pipeline") {
            if (ConfigList* list = std::get_if<ConfigList>(parts)) {
                for (ConfigValue& part : *list) {
                    readNested(part);
                }
            }
        }
        // The branches of Keras 1's Merge are models without a name.
        if (ConfigValue* branches = layer.config.find("layers");
            branches != nullptr && branches->list() != nullptr && layer.className == "Merge") {
            auto joined = std::make_shared<ModelConfig>();
            for (ConfigValue& branch : *std::get_if<ConfigList>(branches)) {
                joined->layers.push_back(this->layer(std::move(branch), {}));
            }
            layer.model = std::move(joined);
            layer.config.erase("layers");
        }
    }

    void readNested(ConfigValue& wrapped) const
    {
        ConfigValue* config = wrapped.find("config");
        if (config == nullptr || config->object() == nullptr) {
            return;
        }
        std::string className = classNameOf(wrapped, *config, m_dialect);
        if (className.starts_with("ops.")) {
            className = wrapped.text("class_name");
        }
        if (m_dialect.major == 1) {
            translateKeras1(className, *config);
        }
        wrapped.set("class_name", className);
        config = wrapped.find("config"); // a new member moves the others
        normalizeTypes(className, {}, *config);
        for (const char* key : {"layer", "cell"}) {
            if (ConfigValue* inner = config->find(key); inner != nullptr && inner->object() != nullptr) {
                readNested(*inner);
            }
        }
        if (ConfigValue* cells = config->find("cells"); cells != nullptr && cells->list() != nullptr) {
            for (ConfigValue& cell : *std::get_if<ConfigList>(cells)) {
                readNested(cell);
            }
        }
    }

    const Dialect& m_dialect;
};

} // namespace

const ConfigValue* wrappedValue(const ConfigValue& value)
{
    const std::string kind = value.text("class_name");
    if (kind == "__tuple__") {
        return value.find("items");
    }
    if (kind == "__numpy__" || kind == "__tensor__") {
        const ConfigValue* config = value.find("config");
        return config != nullptr ? config->find("value") : nullptr;
    }
    return nullptr;
}

[[noreturn]] void damaged(std::string message)
{
    throw ModelError("damaged", std::move(message));
}

bool isModelClass(std::string_view className)
{
    return className == "Sequential" || className == "Functional" || className == "Model";
}

const ConfigValue* inputShape(const ConfigValue& config)
{
    for (const char* key : {"batch_input_shape", "batch_shape"}) {
        if (const ConfigValue* shape = config.find(key); shape != nullptr && shape->list() != nullptr) {
            return shape;
        }
    }
    return nullptr;
}

ModelConfig modelConfig(ConfigValue json, const Dialect& dialect)
{
    if (json.object() == nullptr || json.text("class_name").empty()) {
        damaged("is JSON without the class_name of a model");
    }
    return ConfigReader(dialect).model(std::move(json));
}

} // namespace crosswalk::keras
