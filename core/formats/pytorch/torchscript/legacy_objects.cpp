#include "core/formats/pytorch/torchscript/legacy_objects.h"

#include "core/formats/pytorch/json_fields.h"
#include "core/formats/pytorch/strided_tensor.h"

#include <array>
#include <charconv>

namespace crosswalk::pytorch {
namespace {

constexpr int deepestModule = 200; ///< nesting of modules

/// 64-bit integers are texts in JSON of protobuf.
std::int64_t integerIn(JsonValue value, std::string_view what)
{
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) {
        return integerOf(value, what);
    }
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
        wrongJson(what, "an integer");
    }
    return number;
}

Ints integersIn(JsonObject object, std::string_view key, std::string_view what)
{
    Ints numbers;
    if (const auto list = optionalField(object, key)) {
        for (const JsonValue item : arrayOf(*list, what)) {
            numbers.push_back(integerIn(item, what));
        }
    }
    return numbers;
}

ElementType elementTypeOf(std::string_view name)
{
    using enum ElementType;
    static constexpr auto rows = std::to_array<std::pair<std::string_view, ElementType>>({{"FLOAT", Float32},
                                                                                          {"DOUBLE", Float64},
                                                                                          {"FLOAT16", Float16},
                                                                                          {"INT64", Int64},
                                                                                          {"INT32", Int32},
                                                                                          {"INT16", Int16},
                                                                                          {"INT8", Int8},
                                                                                          {"UINT8", UInt8},
                                                                                          {"BOOL", Bool}});
    for (const auto& [known, type] : rows) {
        if (known == name) {
            return type;
        }
    }
    return Undefined;
}

class LegacyLoader {
public:
    LegacyLoader(ScriptProgram& program, Interpreter& interpreter, JsonObject root)
        : m_program(program)
        , m_interpreter(interpreter)
    {
        if (const auto tensors = optionalField(root, "tensors")) {
            for (const JsonValue tensor : arrayOf(*tensors, "tensors")) {
                m_tensors.push_back(objectOf(tensor, "a tensor"));
            }
        }
        m_loaded.resize(m_tensors.size());
    }

    ObjectRef load(JsonObject module, const std::string& path, int depth = 0)
    {
        const std::string what = path.empty() ? "the main module" : "module " + path;
        if (depth > deepestModule) {
            throw ModelError("damaged", fmt::format("{} is nested too deeply", what));
        }
        ObjectCell cell;
        cell.path = path;
        if (const auto arena = optionalField(module, "torchscriptArena")) {
            cell.type = textOf(field(objectOf(*arena, what), "key", what), what);
        }
        const auto nameOf = [&](JsonObject object) { return std::string(textOf(field(object, "name", what), what)); };
        const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
        if (const auto parameters = optionalField(module, "parameters")) {
            for (const JsonValue item : arrayOf(*parameters, what)) {
                const JsonObject parameter = objectOf(item, what);
                const std::string name = nameOf(parameter);
                const auto id = optionalField(parameter, "tensorId");
                cell.attributes.insert_or_assign(name, tensor(id ? integerIn(*id, what) : 0, below(name)));
            }
        }
        if (const auto modules = optionalField(module, "submodules")) {
            for (const JsonValue item : arrayOf(*modules, what)) {
                const JsonObject child = objectOf(item, what);
                const std::string name = nameOf(child);
                cell.attributes.insert_or_assign(name, load(child, below(name), depth + 1));
            }
        }
        if (const auto attributes = optionalField(module, "attributes")) {
            for (const JsonValue item : arrayOf(*attributes, what)) {
                const JsonObject described = objectOf(item, what);
                const std::string name = nameOf(described);
                const auto id = optionalField(described, "id");
                cell.attributes.insert_or_assign(name, attribute(id ? integerIn(*id, what) : -1, below(name)));
            }
        }
        return m_interpreter.heap.add(std::move(cell));
    }

    std::vector<ScriptValue> constants()
    {
        std::vector<ScriptValue> all;
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            all.push_back(tensor(static_cast<std::int64_t>(i), fmt::format("constant_{}", i)));
        }
        return all;
    }

private:
    /// An attribute, by its place in the tuple of attributes.pkl.
    ScriptValue attribute(std::int64_t id, const std::string& name)
    {
        if (!m_attributes) {
            m_attributes = readPickle(m_program.file("attributes.pkl")->bytes(), "attributes.pkl");
        }
        const PickleObject* all = objectIn(m_attributes->root);
        if (all == nullptr || id < 0 || static_cast<std::size_t>(id) >= all->items.size()) {
            throw ModelError("damaged",
                             fmt::format("{} is attribute {}, which attributes.pkl does not have", name, id));
        }
        return attributeIn(all->items[static_cast<std::size_t>(id)], name);
    }

    ScriptValue attributeIn(const PickleValue& value, const std::string& name)
    {
        if (const auto* truth = std::get_if<bool>(&value)) {
            return *truth;
        }
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            return *integer;
        }
        if (const auto* real = std::get_if<double>(&value)) {
            return *real;
        }
        if (const auto* text = std::get_if<std::string>(&value)) {
            return *text;
        }
        if (std::holds_alternative<std::monostate>(value)) {
            return {};
        }
        if (const auto* arguments = argumentsOf(value, "torch.jit._pickle build_tensor_from_id")) {
            const auto* id = arguments->items.empty() ? nullptr : std::get_if<std::int64_t>(arguments->items.data());
            return tensor(id != nullptr ? *id : -1, name);
        }
        return UndefinedValue{fmt::format("attribute {} of an old archive", name)};
    }

    ScriptValue tensor(std::int64_t id, const std::string& name)
    {
        if (id < 0 || static_cast<std::size_t>(id) >= m_tensors.size()) {
            throw ModelError("damaged", fmt::format("{} is tensor {}, which the archive does not have", name, id));
        }
        auto& loaded = m_loaded[static_cast<std::size_t>(id)];
        if (loaded) {
            return *loaded;
        }
        const JsonObject fields = m_tensors[static_cast<std::size_t>(id)];
        StridedView view{.type = elementTypeOf(textOf(field(fields, "dataType", name), name)),
                         .sizes = integersIn(fields, "dims", name),
                         .strides = integersIn(fields, "strides", name)};
        if (const auto offset = optionalField(fields, "offset")) {
            view.offset = integerIn(*offset, name);
        }
        const std::string key(textOf(field(objectOf(field(fields, "data", name), name), "key", name), name));
        Tensor content = stridedTensor(view, m_program.file(key), name);
        const GraphValue stored = m_interpreter.graphs.stored(name, std::move(content), Role::Parameter);
        loaded = m_interpreter.newStored(stored, name, key,
                                         isRowMajor(view) ? ElementOrder::RowMajor : ElementOrder::Unknown);
        return *loaded;
    }

    ScriptProgram& m_program;
    Interpreter& m_interpreter;
    std::vector<JsonObject> m_tensors;
    std::vector<std::optional<TensorRef>> m_loaded;
    std::optional<Pickle> m_attributes; ///< once one is needed
};

} // namespace

ObjectRef loadLegacyObjects(ScriptProgram& program, Interpreter& interpreter)
{
    const auto json = parseJson(*program.file("model.json"));
    const JsonObject root = objectOf(json->root, "model.json");
    LegacyLoader loader(program, interpreter, root);
    const ObjectRef module = loader.load(objectOf(field(root, "mainModule", "model.json"), "mainModule"), {});
    interpreter.constants = loader.constants();
    return module;
}

} // namespace crosswalk::pytorch
