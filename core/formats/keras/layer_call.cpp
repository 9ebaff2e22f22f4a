#include "core/formats/keras/layer_call.h"

#include "core/formats/keras/dtype_policy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace crosswalk::keras {
namespace {

std::string joinedPath(const std::string& path, std::string_view part)
{
    return path.empty() ? std::string(part) : fmt::format("{}.{}", path, part);
}

/// Keras takes dictionaries in the order of their keys.
ConfigObject sortedMembers(const ConfigObject& object)
{
    ConfigObject sorted = object;
    std::ranges::sort(sorted, {}, &ConfigObject::value_type::first);
    return sorted;
}

/// Collects the arguments of a call.
class ArgumentReader {
public:
    /// `isTripleTensor`: whether a list of a text and two numbers is a tensor here, as in Keras 1 and 2.
    ArgumentReader(LayerCall& call, std::string_view className, bool isTripleTensor)
        : m_call(call)
        , m_isFunction(isFunction(className))
        , m_isTripleTensor(isTripleTensor)
    {
    }

    void add(const std::string& path, const ConfigValue& value)
    {
        if (m_isTripleTensor && isTriple(value)) {
            addTensor(path, tripleOf(value));
        } else if (value.text("class_name") == "__keras_tensor__") {
            const ConfigValue* config = value.find("config");
            const ConfigValue* history = config != nullptr ? config->find("keras_history") : nullptr;
            if (history == nullptr || !isTriple(*history)) {
                damaged("an argument of a call is a tensor without history");
            }
            addTensor(path, tripleOf(*history));
        } else if (const ConfigValue* wrapped = wrappedValue(value)) {
            if (const ConfigValue* config = value.find("config"); config != nullptr && isArrayObject(value)) {
                m_call.push_back({path, std::nullopt, *wrapped, config->text("dtype")});
            } else {
                add(path, *wrapped);
            }
        } else if (!containsOperand(value)) {
            m_call.push_back({path, std::nullopt, value});
        } else if (const ConfigList* list = value.list()) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                add(joinedPath(path, std::to_string(i)), (*list)[i]);
            }
        } else {
            for (const auto& [key, member] : sortedMembers(*value.object())) {
                add(joinedPath(path, key), member);
            }
        }
    }

    /// The entries of a call of Keras 1 and 2, in lists or dictionaries: [layer, call, output, {named arguments}], or a
    /// constant in place of the tensor. All entries have the same named arguments.
    void addEntries(const std::string& path, const ConfigValue& value)
    {
        const ConfigList* list = value.list();
        if (list != nullptr && !list->empty() && !textOf(list->front()).empty()) {
            addEntry(path, *list);
        } else if (list != nullptr && list->empty()) { // a constant in a list of tensors
            add(path, value);
        } else if (list != nullptr) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                addEntries(joinedPath(path, std::to_string(i)), (*list)[i]);
            }
        } else if (const ConfigObject* object = value.object()) {
            for (const auto& [key, member] : sortedMembers(*object)) {
                addEntries(joinedPath(path, key), member);
            }
        } else {
            damaged("a call has an argument that is not [layer, call, output]");
        }
    }

    void addNamed(const ConfigObject& named)
    {
        for (const auto& [key, value] : named) {
            if (key != trainingArgument || !m_isFunction) {
                add(key, value);
            }
        }
    }

private:
    static bool isArrayObject(const ConfigValue& value)
    {
        const std::string kind = value.text("class_name");
        return kind == "__numpy__" || kind == "__tensor__";
    }

    void addTensor(const std::string& path, TensorReference tensor) { m_call.push_back({path, std::move(tensor), {}}); }

    void addEntry(const std::string& path, const ConfigList& entry)
    {
        if (entry.size() < 3) {
            damaged("a call has an argument that is not [layer, call, output]");
        }
        if (textOf(entry[0]) == "_CONSTANT_VALUE") {
            add(path, entry[2]);
        } else {
            add(path, ConfigList(entry.begin(), entry.begin() + 3));
        }
        const ConfigObject* named = entry.size() > 3 ? entry[3].object() : nullptr;
        if (named != nullptr && !m_hasNamed) {
            addNamed(*named);
        }
        m_hasNamed = true;
    }

    /// Whether there is a tensor in a value, or an array, which has a type as a tensor has.
    bool containsOperand(const ConfigValue& value) const
    {
        if ((m_isTripleTensor && isTriple(value)) || value.text("class_name") == "__keras_tensor__" ||
            isArrayObject(value)) {
            return true;
        }
        const auto contains = [&](const ConfigValue& item) { return containsOperand(item); };
        if (const ConfigList* list = value.list()) {
            return std::ranges::any_of(*list, contains);
        }
        const ConfigObject* object = value.object();
        return object != nullptr &&
               std::ranges::any_of(*object, [&](const auto& member) { return contains(member.second); });
    }

    LayerCall& m_call;
    bool m_isFunction;
    bool m_isTripleTensor;
    bool m_hasNamed = false; ///< the named arguments have been added
};

// The parameters of layers.

std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// The parameters of a call in Keras 3. The first one is also called data, sequence or x in some layers and versions.
struct Signature {
    std::string_view classes;
    std::string_view parameters;
    std::size_t tensors = 1; ///< that keep their positions
};
constexpr auto signatures = std::to_array<Signature>({
    {"AdditiveAttention Attention", "inputs mask training return_attention_scores use_causal_mask"},
    {"Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D GRU LSTM RNN SimpleRNN", "sequences initial_state mask training"},
    {"CategoryEncoding", "inputs count_weights"},
    {"GlobalAveragePooling1D Softmax", "inputs mask"},
    {"GroupQueryAttention GroupedQueryAttention MultiHeadAttention",
     "query value key query_mask value_mask key_mask attention_mask return_attention_scores training use_causal_mask",
     3},
    {"ReversibleEmbedding", "inputs reverse"},
});
constexpr Signature commonSignature{"", "inputs training mask"};

const Signature& signatureOf(std::string_view className)
{
    const auto* const found = std::ranges::find_if(signatures, [&](const Signature& signature) {
        const std::vector<std::string_view> classes = wordsOf(signature.classes);
        return std::ranges::find(classes, className) != classes.end();
    });
    return found != signatures.end() ? *found : commonSignature;
}

bool isFirstParameter(std::string_view name, const std::vector<std::string_view>& parameters)
{
    return name == parameters.front() || name == "data" || name == "x" || name == "sequence";
}

/// The path of an argument with a name in place of a position, but the position of the tensors that are computed with.
std::string pathInSignature(const std::string& path, const Signature& signature)
{
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string_view head = std::string_view(path).substr(0, end);
    const std::vector<std::string_view> parameters = wordsOf(signature.parameters);
    if (isFirstParameter(head, parameters)) {
        return "0" + path.substr(end);
    }
    std::size_t position = 0;
    const auto [rest, error] = std::from_chars(head.data(), head.data() + head.size(), position);
    const bool isPosition = error == std::errc() && rest == head.data() + head.size();
    if (!isPosition || position < signature.tensors || position >= parameters.size()) {
        return path;
    }
    return std::string(parameters[position]) + path.substr(end);
}

/// The number of dimensions that each state of a recurrent layer has.
std::size_t stateRank(std::string_view className, const ConfigValue& config)
{
    const ConfigValue* wrapped = config.find("layer");
    const std::string inner = wrapped != nullptr ? wrapped->text("class_name") : std::string();
    const std::string_view layer = inner.empty() ? className : std::string_view(inner);
    return layer == "ConvLSTM1D" ? 3 : layer == "ConvLSTM2D" ? 4 : layer == "ConvLSTM3D" ? 5 : 2;
}

/// How deeply lists are nested.
std::size_t depthOf(const ConfigValue& value)
{
    const ConfigList* list = value.list();
    return list == nullptr ? 0 : 1 + (list->empty() ? 0 : depthOf(list->front()));
}

/// A list of arrays as an argument for each.
void splitArrays(Argument argument, std::size_t rank, LayerCall& to)
{
    const ConfigList* list = argument.constant.list();
    const auto isNull = [](const ConfigValue& item) { return item.isNull(); };
    if (list == nullptr || (depthOf(argument.constant) <= rank && std::ranges::none_of(*list, isNull))) {
        to.push_back(std::move(argument));
        return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        splitArrays({fmt::format("{}.{}", argument.path, i), std::nullopt, (*list)[i]}, rank, to);
    }
}

/// The lists of arrays that the file has as nested lists: states, and the masks of several tensors.
LayerCall withArraysApart(LayerCall call, std::string_view className, const ConfigValue& config)
{
    LayerCall apart;
    const bool takesMasks = className == "Attention" || className == "AdditiveAttention" || isModelClass(className);
    for (Argument& argument : call) {
        const bool isStates = argument.path.starts_with("initial_state");
        const bool isConstant = !argument.tensor && argument.arrayType.empty();
        if (isConstant && (isStates || (takesMasks && argument.path == "mask"))) {
            splitArrays(std::move(argument), isStates ? stateRank(className, config) : 2, apart);
        } else {
            apart.push_back(std::move(argument));
        }
    }
    return apart;
}

/// An argument may be given by its position or by its name.
void expectOnce(const LayerCall& call)
{
    std::set<std::string_view> given;
    for (const Argument& argument : call) {
        if (!given.insert(argument.path).second) {
            damaged(fmt::format("a call has the argument {} twice", argument.path));
        }
    }
}

// Arrays.

void appendElements(const ConfigValue& value, std::size_t depth, std::vector<std::int64_t>& dims,
                    std::vector<double>& elements)
{
    if (const ConfigList* list = value.list()) {
        const auto size = static_cast<std::int64_t>(list->size());
        if (depth == dims.size() && elements.empty()) {
            dims.push_back(size);
        } else if (depth >= dims.size() || dims[depth] != size) {
            damaged("a constant of a call has rows of different lengths");
        }
        for (const ConfigValue& item : *list) {
            appendElements(item, depth + 1, dims, elements);
        }
        return;
    }
    if (depth != dims.size()) {
        damaged("a constant of a call has rows of different lengths");
    }
    if (const auto* truth = std::get_if<bool>(&value)) {
        elements.push_back(*truth ? 1 : 0);
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        elements.push_back(static_cast<double>(*whole));
    } else if (const auto* number = std::get_if<double>(&value)) {
        elements.push_back(*number);
    } else {
        damaged("a constant of a call contains something else than numbers");
    }
}

template <class... Types>
bool consistsOf(const ConfigValue& value)
{
    const ConfigList* list = value.list();
    return list != nullptr ? std::ranges::all_of(*list, consistsOf<Types...>)
                           : (std::holds_alternative<Types>(value) || ...);
}

ElementType arrayTypeOf(const Argument& argument)
{
    if (argument.arrayType.empty()) {
        return consistsOf<bool>(argument.constant)                 ? ElementType::Bool
               : consistsOf<bool, std::int64_t>(argument.constant) ? ElementType::Int32
                                                                   : ElementType::Float32;
    }
    const auto type = typeOfArray(argument.arrayType);
    if (!type) {
        damaged(fmt::format("a constant of a call has the unknown type {}", argument.arrayType));
    }
    return *type;
}

} // namespace

bool isFunction(std::string_view className)
{
    return className.starts_with("ops.") || className.starts_with("tf.") || className == "TensorFlowOpLayer";
}

bool isTriple(const ConfigValue& value)
{
    const ConfigList* list = value.list();
    return list != nullptr && list->size() >= 3 && !textOf((*list)[0]).empty() && integerOf((*list)[1]) &&
           integerOf((*list)[2]);
}

TensorReference tripleOf(const ConfigValue& value)
{
    const ConfigList& list = *value.list();
    return {textOf(list[0]), *integerOf(list[1]), *integerOf(list[2])};
}

LayerCall callOf(const ConfigValue& node, std::string_view className, const ConfigValue& config, const Dialect& dialect)
{
    LayerCall call;
    const ConfigValue* positional = node.find("args");
    const ConfigValue* named = node.find("kwargs");
    if (node.object() != nullptr && (dialect.major >= 3 || (positional != nullptr && named != nullptr))) {
        ArgumentReader reader(call, className, false);
        const ConfigList* list = positional != nullptr ? positional->list() : nullptr;
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            reader.add(std::to_string(i), (*list)[i]);
        }
        if (named != nullptr && named->object() != nullptr) {
            reader.addNamed(*named->object());
        }
        const bool isOfUser = className.find('>') != std::string_view::npos;
        if (!isFunction(className) && !isOfUser) {
            const Signature& signature = signatureOf(className);
            for (Argument& argument : call) {
                argument.path = pathInSignature(argument.path, signature);
            }
        }
        expectOnce(call);
    } else {
        const ConfigList* list = node.list();
        if (list == nullptr && node.object() == nullptr) {
            damaged("a call of a layer is neither a list nor an object");
        }
        ArgumentReader reader(call, className, true);
        const bool isSingle = list != nullptr && list->size() == 1;
        if (list == nullptr || !list->empty()) {
            reader.addEntries("0", isSingle && list->front().list() != nullptr ? list->front() : node);
        }
    }
    return isFunction(className) ? call : withArraysApart(std::move(call), className, config);
}

std::optional<bool> trainingOf(const LayerCall& call)
{
    const auto argument = std::ranges::find(call, trainingArgument, &Argument::path);
    if (argument == call.end() || argument->tensor) {
        return std::nullopt;
    }
    if (const auto* truth = std::get_if<bool>(&argument->constant)) {
        return *truth;
    }
    const auto number = integerOf(argument->constant);
    return number ? std::optional(*number != 0) : std::nullopt;
}

bool isArray(const Argument& argument)
{
    const ConfigValue& value = argument.constant;
    if (argument.tensor || !consistsOf<bool, std::int64_t, double>(value)) {
        return false;
    }
    const bool isPositional =
        !argument.path.empty() && std::isdigit(static_cast<unsigned char>(argument.path.front())) != 0;
    return isPositional || !argument.arrayType.empty() || (value.list() != nullptr && !value.list()->empty());
}

Tensor arrayOf(const Argument& argument)
{
    std::vector<std::int64_t> dims;
    std::vector<double> elements;
    appendElements(argument.constant, 0, dims, elements);
    return Tensor::of<double>(ElementType::Float64, dims, elements).converted(arrayTypeOf(argument));
}

} // namespace crosswalk::keras
