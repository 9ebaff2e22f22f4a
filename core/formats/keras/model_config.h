#pragma once

#include "core/formats/keras/config_value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::keras {

/// A tensor of a model: an output of one of the calls of a layer.
struct TensorReference {
    std::string layer;
    std::int64_t call = 0;
    std::int64_t output = 0;
    friend auto operator<=>(const TensorReference&, const TensorReference&) = default; // NOLINT(modernize-use-nullptr)
};

/// An argument of a call. Its path is the position or the name of the argument, followed by the places in lists and
/// dictionaries that contain it: "0", "0.1", "mask", "initial_state.1".
struct Argument {
    std::string path;
    std::optional<TensorReference> tensor;
    ConfigValue constant = {};  ///< otherwise
    std::string arrayType = {}; ///< of a constant that Keras 3 has as an array: "float32"
};
using LayerCall = std::vector<Argument>;

struct ModelConfig;

/// A layer of a model, or an operation that is called like one.
struct LayerConfig {
    std::string className; ///< of an operation of Keras 3: "ops.Add"; of a function of TensorFlow: "tf.math.add"
    std::string name;
    ConfigValue config;           ///< an object
    std::vector<LayerCall> calls; ///< of a layer of a graph; a Sequential calls its layers once
    /// Of a nested model, or of a TimeDistributed of a model.
    std::shared_ptr<ModelConfig> model = {};
    bool isTrainable = true;
};

struct ModelConfig {
    bool isSequential = false;
    std::string name;
    std::vector<LayerConfig> layers; ///< in the order of the file
    std::vector<TensorReference> inputs;
    std::vector<std::string> inputKeys; ///< of the inputs in a dictionary: its keys, or the names of their layers
    std::vector<TensorReference> outputs;
    ConfigValue inputShape = {}; ///< of a Sequential whose layers do not say it; null without
};

/// The facts about a file that decide how its configuration is meant.
struct Dialect {
    int major = 2;       ///< version of Keras: 1, 2 (tf.keras too) or 3
    std::string version; ///< as the file has it; may be empty
    std::string backend; ///< "tensorflow", "theano"; may be empty
};

/// The model of a parsed JSON. Throws ModelError "damaged" for what cannot be a model, "unsupported-model" for a
/// model that is Python code.
ModelConfig modelConfig(ConfigValue json, const Dialect& dialect);

/// Throws ModelError "damaged".
[[noreturn]] void damaged(std::string message);

/// The value of an object that Keras writes for what JSON does not have, tuples and arrays; null for any other value.
const ConfigValue* wrappedValue(const ConfigValue& value);

/// Whether the class is a model that contains layers.
bool isModelClass(std::string_view className);

/// The input shape that a layer's own settings give, [null, 5, 4]; null without.
const ConfigValue* inputShape(const ConfigValue& config);

} // namespace crosswalk::keras
