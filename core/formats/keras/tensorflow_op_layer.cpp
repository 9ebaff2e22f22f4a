#include "core/formats/keras/tensorflow_op_layer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace crosswalk::keras {
namespace {

/// A function that computes what an operator computes. `inputs` are the arguments of the function for the operator's
/// inputs, in order: "0..." is a list of all inputs but those after it. `settings` are attribute:argument.
struct Function {
    std::string_view op;
    std::string_view name;
    std::string_view inputs = "0 1 2";
    std::string_view settings = "";
};

constexpr std::string_view reduced = "0 axis";
constexpr std::string_view kept = "keep_dims:keepdims";
constexpr std::string_view windows = "ksize:ksize strides:strides padding:padding data_format:data_format";

constexpr auto functions = std::to_array<Function>({
    {"Abs", "math.abs"},
    {"Acos", "math.acos"},
    {"Acosh", "math.acosh"},
    {"Add", "math.add"},
    {"AddN", "math.add_n", "0..."},
    {"AddV2", "math.add"},
    {"All", "math.reduce_all", reduced, kept},
    {"Any", "math.reduce_any", reduced, kept},
    {"ArgMax", "math.argmax", reduced, "output_type:output_type"},
    {"ArgMin", "math.argmin", reduced, "output_type:output_type"},
    {"Asin", "math.asin"},
    {"Asinh", "math.asinh"},
    {"Atan", "math.atan"},
    {"Atan2", "math.atan2"},
    {"Atanh", "math.atanh"},
    {"AvgPool", "nn.avg_pool2d", "0", windows},
    {"BatchMatMul", "linalg.matmul", "0 1", "adj_x:transpose_a adj_y:transpose_b"},
    {"BatchMatMulV2", "linalg.matmul", "0 1", "adj_x:transpose_a adj_y:transpose_b"},
    {"BiasAdd", "nn.bias_add", "0 bias", "data_format:data_format"},
    {"BitwiseAnd", "bitwise.bitwise_and"},
    {"BitwiseOr", "bitwise.bitwise_or"},
    {"BitwiseXor", "bitwise.bitwise_xor"},
    {"BroadcastTo", "broadcast_to", "0 shape"},
    {"Cast", "cast", "0", "DstT:dtype"},
    {"Ceil", "math.ceil"},
    {"ClipByValue", "clip_by_value"},
    {"ConcatV2", "concat", "0... axis"},
    {"Cos", "math.cos"},
    {"Cosh", "math.cosh"},
    {"Cross", "linalg.cross"},
    {"Cumprod", "math.cumprod", "0 axis", "exclusive:exclusive reverse:reverse"},
    {"Cumsum", "math.cumsum", "0 axis", "exclusive:exclusive reverse:reverse"},
    {"DepthToSpace", "nn.depth_to_space", "0", "block_size:block_size data_format:data_format"},
    {"DivNoNan", "math.divide_no_nan"},
    {"Elu", "nn.elu"},
    {"Equal", "math.equal"},
    {"Erf", "math.erf"},
    {"Erfc", "math.erfc"},
    {"Exp", "math.exp"},
    {"ExpandDims", "expand_dims", "0 axis"},
    {"Expm1", "math.expm1"},
    {"Floor", "math.floor"},
    {"FloorDiv", "math.floordiv"},
    {"FloorMod", "math.floormod"},
    {"GatherNd", "gather_nd"},
    {"GatherV2", "gather", "0 indices axis", "batch_dims:batch_dims"},
    {"Greater", "math.greater"},
    {"GreaterEqual", "math.greater_equal"},
    {"Identity", "identity"},
    {"Inv", "math.reciprocal"},
    {"IsFinite", "math.is_finite"},
    {"IsInf", "math.is_inf"},
    {"IsNan", "math.is_nan"},
    {"L2Loss", "nn.l2_loss"},
    {"LeakyRelu", "nn.leaky_relu", "0", "alpha:alpha"},
    {"Less", "math.less"},
    {"LessEqual", "math.less_equal"},
    {"Log", "math.log"},
    {"Log1p", "math.log1p"},
    {"LogSoftmax", "nn.log_softmax"},
    {"LogicalAnd", "math.logical_and"},
    {"LogicalNot", "math.logical_not"},
    {"LogicalOr", "math.logical_or"},
    {"MatMul", "linalg.matmul", "0 1", "transpose_a:transpose_a transpose_b:transpose_b"},
    {"Max", "math.reduce_max", reduced, kept},
    {"MaxPool", "nn.max_pool2d", "0", windows},
    {"Maximum", "math.maximum"},
    {"Mean", "math.reduce_mean", reduced, kept},
    {"Min", "math.reduce_min", reduced, kept},
    {"Minimum", "math.minimum"},
    {"MirrorPad", "pad", "0 paddings", "mode:mode"},
    {"Mul", "math.multiply"},
    {"MulNoNan", "math.multiply_no_nan"},
    {"Neg", "math.negative"},
    {"NotEqual", "math.not_equal"},
    {"OneHot", "one_hot", "0 depth on_value off_value", "axis:axis T:dtype"},
    {"OnesLike", "ones_like"},
    {"Pack", "stack", "0...", "axis:axis"},
    {"Pad", "pad", "0 paddings"},
    {"PadV2", "pad", "0 paddings constant_values"},
    {"Pow", "math.pow"},
    {"Prod", "math.reduce_prod", reduced, kept},
    {"Rank", "rank"},
    {"RealDiv", "math.divide"},
    {"Reciprocal", "math.reciprocal"},
    {"Relu", "nn.relu"},
    {"Relu6", "nn.relu6"},
    {"Reshape", "reshape", "0 shape"},
    {"ReverseV2", "reverse", "0 axis"},
    {"Rint", "math.rint"},
    {"Round", "math.round"},
    {"Rsqrt", "math.rsqrt"},
    {"Select", "where"},
    {"SelectV2", "where"},
    {"Selu", "nn.selu"},
    {"Shape", "shape", "0", "out_type:out_type"},
    {"Sigmoid", "math.sigmoid"},
    {"Sign", "math.sign"},
    {"Sin", "math.sin"},
    {"Sinh", "math.sinh"},
    {"Size", "size", "0", "out_type:out_type"},
    {"Slice", "slice", "0 begin size"},
    {"Softmax", "nn.softmax"},
    {"Softplus", "math.softplus"},
    {"Softsign", "nn.softsign"},
    {"SpaceToDepth", "nn.space_to_depth", "0", "block_size:block_size data_format:data_format"},
    {"Split", "split", "axis 0", "num_split:num_or_size_splits"},
    {"SplitV", "split", "0 num_or_size_splits axis"},
    {"Sqrt", "math.sqrt"},
    {"Square", "math.square"},
    {"SquaredDifference", "math.squared_difference"},
    {"Squeeze", "squeeze", "0", "squeeze_dims:axis"},
    {"StopGradient", "stop_gradient"},
    {"Sub", "math.subtract"},
    {"Sum", "math.reduce_sum", reduced, kept},
    {"Tan", "math.tan"},
    {"Tanh", "math.tanh"},
    {"Tile", "tile", "0 multiples"},
    {"TopKV2", "math.top_k", "0 k"},
    {"Transpose", "transpose", "0 perm"},
    {"Unpack", "unstack", "0", "axis:axis"},
    {"Xdivy", "math.xdivy"},
    {"Xlogy", "math.xlogy"},
    {"ZerosLike", "zeros_like"},
});

std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        result.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

/// The bytes of base64, in which JSON has texts of a NodeDef.
std::string decodedText(std::string_view base64)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : base64.substr(0, base64.find('='))) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos) {
            damaged("a TensorFlowOpLayer has a text that is not base64");
        }
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            text += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
        }
    }
    return text;
}

/// JSON has 64-bit integers of a NodeDef as texts.
std::int64_t integerOfText(const ConfigValue& value)
{
    if (const auto number = integerOf(value)) {
        return *number;
    }
    const std::string text = textOf(value);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        damaged("a TensorFlowOpLayer has an attribute that is not an integer");
    }
    return number;
}

/// DT_FLOAT -> float32
std::string nameOfType(std::string_view type)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names{
        {{"DT_FLOAT", "float32"}, {"DT_DOUBLE", "float64"}, {"DT_HALF", "float16"}, {"DT_BFLOAT16", "bfloat16"}}};
    const auto* const known = std::ranges::find(names, type, &std::pair<std::string_view, std::string_view>::first);
    if (known != names.end()) {
        return std::string(known->second);
    }
    std::string name(type.substr(std::min<std::size_t>(type.size(), 3))); // DT_INT32
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

/// An attribute of a NodeDef: {"i": "2"}, {"list": {"i": ["1", "2"]}}. JSON leaves out what is 0, false or empty.
ConfigValue valueOf(const ConfigValue& attribute)
{
    if (const ConfigValue* list = attribute.find("list")) {
        ConfigList values;
        if (const ConfigValue* numbers = list->find("i"); numbers != nullptr && numbers->list() != nullptr) {
            for (const ConfigValue& number : *numbers->list()) {
                values.emplace_back(integerOfText(number));
            }
        }
        return values;
    }
    if (const ConfigValue* integer = attribute.find("i")) {
        return integerOfText(*integer);
    }
    if (const std::string type = attribute.text("type"); !type.empty()) {
        return nameOfType(type);
    }
    if (const ConfigValue* text = attribute.find("s")) {
        return decodedText(textOf(*text));
    }
    const ConfigValue* other = attribute.find("b");
    other = other == nullptr ? attribute.find("f") : other;
    return other == nullptr ? ConfigValue() : *other;
}

/// The inputs of the operator: tensors of the model in the order of the call, and constants at their indices.
LayerCall operatorInputs(const LayerCall& call, const std::map<std::size_t, const ConfigValue*>& constants)
{
    LayerCall inputs;
    auto tensor = call.begin();
    for (std::size_t i = 0; inputs.size() < call.size() + constants.size(); ++i) {
        if (const auto constant = constants.find(i); constant != constants.end()) {
            inputs.push_back({.path = {}, .tensor = {}, .constant = *constant->second});
        } else if (tensor != call.end()) {
            inputs.push_back(*tensor++);
        } else {
            damaged("a TensorFlowOpLayer has constants for inputs that its operator does not have");
        }
    }
    return inputs;
}

void namePaths(LayerCall& inputs, std::string_view names)
{
    std::vector<std::string> paths = words(names);
    if (const auto list = std::ranges::find_if(paths, [](const auto& path) { return path.ends_with("..."); });
        list != paths.end()) {
        const std::string prefix = list->substr(0, list->find('.'));
        const auto first = static_cast<std::size_t>(list - paths.begin());
        const std::size_t others = paths.size() - 1;
        paths.erase(list);
        for (std::size_t i = 0; i + others < inputs.size(); ++i) {
            paths.insert(paths.begin() + static_cast<std::ptrdiff_t>(first + i), fmt::format("{}.{}", prefix, i));
        }
    }
    if (inputs.size() > paths.size()) {
        damaged(fmt::format("a TensorFlowOpLayer has {} inputs", inputs.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i].path = paths[i];
    }
}

std::int64_t attributeInteger(const ConfigValue& attributes, std::string_view name)
{
    const ConfigValue* attribute = attributes.find(name);
    const ConfigValue* integer = attribute == nullptr ? nullptr : attribute->find("i");
    return integer == nullptr ? 0 : integerOfText(*integer);
}

/// The indices of x[...] from the masks of StridedSlice; nothing if its bounds are computed.
std::optional<ConfigList> slicesOf(const LayerCall& inputs, const ConfigValue& attributes)
{
    std::array<const ConfigList*, 3> bounds{};
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (inputs.size() != 4 || inputs[i + 1].tensor || inputs[i + 1].constant.list() == nullptr) {
            return std::nullopt;
        }
        bounds[i] = inputs[i + 1].constant.list();
    }
    const auto [begin, end, strides] = bounds;
    if (begin->size() != end->size() || begin->size() != strides->size() || begin->size() > 32) {
        damaged("a StridedSlice has bounds of different sizes");
    }
    ConfigList slices;
    for (std::size_t i = 0; i < begin->size(); ++i) {
        const auto isIn = [&](std::string_view mask) {
            return (static_cast<std::uint64_t>(attributeInteger(attributes, mask)) >> i & 1U) != 0;
        };
        if (isIn("ellipsis_mask")) {
            slices.emplace_back(std::string("..."));
        } else if (isIn("new_axis_mask")) {
            slices.emplace_back();
        } else if (isIn("shrink_axis_mask")) {
            slices.push_back((*begin)[i]);
        } else {
            slices.emplace_back(ConfigObject{{"start", isIn("begin_mask") ? ConfigValue() : (*begin)[i]},
                                             {"stop", isIn("end_mask") ? ConfigValue() : (*end)[i]},
                                             {"step", (*strides)[i]}});
        }
    }
    return slices;
}

std::map<std::size_t, const ConfigValue*> constantsOf(const ConfigValue& config)
{
    std::map<std::size_t, const ConfigValue*> constants;
    const ConfigValue* given = config.find("constants");
    if (given != nullptr && given->object() != nullptr) {
        for (const auto& [key, value] : *given->object()) {
            const std::int64_t index = integerOfText(ConfigValue(key));
            if (index < 0) {
                damaged("a TensorFlowOpLayer has a constant for a negative input");
            }
            const ConfigValue* array = wrappedValue(value);
            constants[static_cast<std::size_t>(index)] = array == nullptr ? &value : array;
        }
    }
    return constants;
}

} // namespace

void translateOpLayer(LayerConfig& layer)
{
    const ConfigValue* definition = layer.config.find("node_def");
    const std::string op = definition == nullptr ? std::string() : definition->text("op");
    const auto* const function = std::ranges::find(functions, op, &Function::op);
    const bool isSlice = op == "StridedSlice";
    if (function == functions.end() && !isSlice) {
        return;
    }
    const ConfigValue none = ConfigObject();
    const ConfigValue* attributes = definition->find("attr");
    attributes = attributes == nullptr ? &none : attributes;
    const auto constants = constantsOf(layer.config);
    std::vector<LayerCall> calls;
    for (const LayerCall& call : layer.calls) {
        LayerCall inputs = operatorInputs(call, constants);
        if (isSlice) {
            auto slices = slicesOf(inputs, *attributes);
            if (!slices || !inputs.front().tensor) {
                return;
            }
            LayerCall indexing;
            indexing.push_back({.path = "0", .tensor = inputs.front().tensor});
            indexing.push_back({.path = "slice_spec", .tensor = {}, .constant = std::move(*slices)});
            inputs = std::move(indexing);
        } else {
            namePaths(inputs, function->inputs);
            for (const std::string& setting : words(function->settings)) {
                const std::size_t colon = setting.find(':');
                const ConfigValue* attribute = attributes->find(setting.substr(0, colon));
                ConfigValue value = attribute == nullptr ? ConfigValue() : valueOf(*attribute);
                const bool isEmpty = value.isNull() || (value.list() != nullptr && value.list()->empty());
                if (!isEmpty) {
                    inputs.push_back({.path = setting.substr(colon + 1), .tensor = {}, .constant = std::move(value)});
                }
            }
        }
        calls.push_back(std::move(inputs));
    }
    layer.className = isSlice ? "tf.__operators__.getitem" : fmt::format("tf.{}", function->name);
    layer.calls = std::move(calls);
}

} // namespace crosswalk::keras
