#include "core/formats/pytorch/torchscript/script_objects.h"

#include "core/base/diagnostic.h"
#include "core/base/is_one_of.h"
#include "core/formats/pytorch/model_facts.h"
#include "core/formats/pytorch/saved_tensors.h"
#include "core/formats/pytorch/torchscript/quantized_functions.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace crosswalk::pytorch {
namespace {

using ObjectKind = PickleObject::Kind;

constexpr const char* setState = "__setstate__";
constexpr int deepestObject = 200; ///< nesting of objects

/// The buffers that a class of the program lists.
std::set<std::string> bufferNames(const ScriptClass* definition)
{
    std::set<std::string> names;
    if (definition == nullptr) {
        return names;
    }
    for (const ScriptStatement& field : definition->fields) {
        if (field.targets.size() == 1 && field.targets[0].text == "__buffers__" && field.values.size() == 1) {
            for (const ScriptExpression& name : field.values[0].items) {
                names.insert(name.text);
            }
        }
    }
    return names;
}

class ObjectLoader {
public:
    ObjectLoader(ScriptProgram& program, Interpreter& interpreter)
        : m_program(program)
        , m_interpreter(interpreter)
    {
    }

    /// `folder` has the storages of the pickle.
    ScriptValue load(const PickleValue& value, const std::string& path, std::string_view folder, int depth = 0)
    {
        if (depth > deepestObject) {
            throw ModelError("damaged", fmt::format("{} is nested too deeply", path));
        }
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
        const PickleObject* object = objectIn(value);
        if (object == nullptr) {
            return {};
        }
        if (const auto found = m_loaded.find(object); found != m_loaded.end()) {
            return found->second;
        }
        m_loaded.emplace(object, UndefinedValue{fmt::format("{} contains itself", path)});
        ScriptValue loaded = loadObject(value, *object, path, folder, depth);
        m_loaded.insert_or_assign(object, loaded);
        return loaded;
    }

    std::vector<std::pair<ObjectRef, ScriptValue>>& states() { return m_states; }

    /// What was loaded, for the user.
    ModelFacts& facts() { return m_facts; }

private:
    ScriptValue loadObject(const PickleValue& value, const PickleObject& object, const std::string& path,
                           std::string_view folder, int depth)
    {
        const auto items = [&](const PickleObject& list) {
            std::vector<ScriptValue> values;
            for (std::size_t i = 0; i < list.items.size(); ++i) {
                values.push_back(load(list.items[i], fmt::format("{}.{}", path, i), folder, depth + 1));
            }
            return values;
        };
        switch (object.kind) {
        case ObjectKind::Tuple:
            return tupleOf(items(object));
        case ObjectKind::List:
            return m_interpreter.heap.add(ListCell{items(object)});
        case ObjectKind::Dictionary: {
            DictCell cell;
            for (const auto& [key, entry] : entriesOf(value)) {
                ScriptValue name = load(key, path, folder, depth + 1);
                const auto* text = std::get_if<std::string>(&name);
                const std::string entryPath = text != nullptr ? fmt::format("{}.{}", path, *text) : path;
                cell.entries.emplace_back(std::move(name), load(entry, entryPath, folder, depth + 1));
            }
            return m_interpreter.heap.add(std::move(cell));
        }
        case ObjectKind::Call:
            return loadCall(value, object, path, folder, depth);
        case ObjectKind::Global:
        case ObjectKind::Persistent:
        case ObjectKind::Bytes:
            return UndefinedValue{fmt::format("{} is not data", path)};
        }
        return {};
    }

    ScriptValue loadCall(const PickleValue& value, const PickleObject& object, const std::string& path,
                         std::string_view folder, int depth)
    {
        const PickleObject* callee = object.items.empty() ? nullptr : objectIn(object.items[0], ObjectKind::Global);
        if (callee == nullptr) {
            throw ModelError("damaged", fmt::format("{} is made by something that is not a name", path));
        }
        if (const auto* quantized = argumentsOf(value, "torch._utils _rebuild_qtensor")) {
            return loadQuantized(value, *quantized, path, folder, depth);
        }
        if (argumentsOf(value, "torch._utils _rebuild_tensor_v2") != nullptr ||
            argumentsOf(value, "torch._utils _rebuild_tensor") != nullptr ||
            argumentsOf(value, "torch._utils _rebuild_parameter") != nullptr) {
            return loadTensor(value, path, folder);
        }
        const PickleObject* arguments =
            object.items.size() > 1 ? objectIn(object.items[1], ObjectKind::Tuple) : nullptr;
        const bool isWrapper = callee->name.starts_with("torch.jit._pickle ");
        if (isWrapper && arguments != nullptr && !arguments->items.empty() &&
            callee->name != "torch.jit._pickle build_tensor_from_id") {
            return load(arguments->items[0], path, folder, depth + 1); // a list, or a value with its type
        }
        if (callee->name == "collections OrderedDict") {
            DictCell cell;
            for (const auto& [key, entry] : entriesOf(value)) {
                cell.entries.emplace_back(load(key, path, folder, depth + 1), load(entry, path, folder, depth + 1));
            }
            return m_interpreter.heap.add(std::move(cell));
        }
        if (!callee->name.starts_with("__torch__")) {
            return UndefinedValue{fmt::format("{} is a {}", path, callee->name)};
        }
        std::string type = callee->name;
        std::replace(type.begin(), type.end(), ' ', '.');
        if (const ScriptClass* definition = m_program.findClass(type);
            definition == nullptr && !type.starts_with("__torch__.torch.classes.")) {
            throw ModelError("damaged", fmt::format("the archive has no class {}", type));
        }
        // The object exists before its attributes, whose paths begin with its own.
        ObjectCell cell{.type = type, .path = path};
        if (type.starts_with("__torch__.torch.classes.")) {
            const std::string owner = path.substr(0, path.rfind('.')); // the weights belong to the module
            cell.attributes.insert_or_assign(std::string(packedState), load(object.state, owner, folder, depth + 1));
            return m_interpreter.heap.add(std::move(cell));
        }
        const ScriptClass& definition = *m_program.findClass(type);
        if (definition.methods.contains(setState)) {
            const ObjectRef made = m_interpreter.heap.add(std::move(cell));
            m_states.emplace_back(made, load(object.state, path, folder, depth + 1));
            return made;
        }
        const std::set<std::string> buffers = bufferNames(&definition);
        for (const auto& [key, entry] : entriesOf(object.state)) {
            const auto* name = std::get_if<std::string>(&key);
            if (name == nullptr) {
                throw ModelError("damaged", fmt::format("{} has an attribute without a name", path));
            }
            const std::string attributePath = path.empty() ? *name : fmt::format("{}.{}", path, *name);
            if (buffers.contains(*name)) {
                m_facts.buffers.insert(attributePath);
            }
            cell.attributes.insert_or_assign(*name, load(entry, attributePath, folder, depth + 1));
        }
        return m_interpreter.heap.add(std::move(cell));
    }

    /// The arguments are those of a tensor, then what its integers mean: one scale and zero point, or vectors of them
    /// and their axis.
    ScriptValue loadQuantized(const PickleValue& value, const PickleObject& arguments, const std::string& path,
                              std::string_view folder, int depth)
    {
        constexpr std::size_t meaningArgument = 4;
        const PickleObject* meaning =
            arguments.items.size() > meaningArgument ? objectIn(arguments.items[meaningArgument]) : nullptr;
        const PickleObject* scheme =
            meaning != nullptr && meaning->items.size() > 2 ? objectIn(meaning->items[0], ObjectKind::Global) : nullptr;
        const bool isPerTensor = scheme != nullptr && scheme->name == "torch per_tensor_affine";
        const bool isPerChannel =
            scheme != nullptr && meaning->items.size() > 3 &&
            isOneOf(scheme->name, {"torch per_channel_affine", "torch per_channel_affine_float_qparams"});
        if (!isPerTensor && !isPerChannel) {
            return UndefinedValue{fmt::format("{} is quantized in a way that is not supported", path)};
        }
        ObjectCell cell{.type = std::string(quantizedType), .path = path};
        cell.attributes.insert_or_assign("numbers", loadTensor(value, path, folder));
        cell.attributes.insert_or_assign("scale", load(meaning->items[1], path + ".scale", folder, depth + 1));
        cell.attributes.insert_or_assign("zero_point",
                                         load(meaning->items[2], path + ".zero_point", folder, depth + 1));
        if (isPerChannel) {
            cell.attributes.insert_or_assign("axis", load(meaning->items[3], path, folder, depth + 1));
        }
        return m_interpreter.heap.add(std::move(cell));
    }

    ScriptValue loadTensor(const PickleValue& value, const std::string& path, std::string_view folder)
    {
        m_program.source().checkStop();
        const std::string key = fmt::format("{}/{}", folder, tensorKey(value));
        if (const auto found = m_tensors.find(key); found != m_tensors.end()) {
            return found->second;
        }
        std::string storage;
        const auto open = [&](const std::string& name) {
            storage = fmt::format("{}/{}", folder, name);
            return m_program.storage(folder, name);
        };
        auto tensor = tensorIn(value, open, path);
        if (!tensor) {
            return UndefinedValue{fmt::format("{} is not a dense tensor", path)};
        }
        m_facts.devices.insert(deviceOf(value));
        const GraphValue stored = m_interpreter.graphs.stored(path, std::move(*tensor), Role::Parameter);
        const TensorRef made = m_interpreter.newStored(
            stored, path, storage, isRowMajor(value) ? ElementOrder::RowMajor : ElementOrder::Unknown);
        m_tensors.emplace(key, made);
        return made;
    }

    ScriptProgram& m_program;
    Interpreter& m_interpreter;
    ModelFacts m_facts;
    std::unordered_map<const PickleObject*, ScriptValue> m_loaded;
    std::map<std::string, TensorRef> m_tensors;
    std::vector<std::pair<ObjectRef, ScriptValue>> m_states; ///< of objects whose class reads them itself
};

/// A trace stores the numbers of an expression such as x * 0.5 as float64 and int64 tensors without dimensions. Tensors
/// of the program itself are copied before they are used.
void markNumber(Interpreter& interpreter, const ScriptValue& constant)
{
    const auto* tensor = std::get_if<TensorRef>(&constant);
    if (tensor == nullptr) {
        return;
    }
    TensorCell& cell = interpreter.heap.tensors[tensor->index];
    const TensorType& type = interpreter.graphs.model().value(cell.value.id).type;
    cell.isNumber = type.shape && type.shape->empty() &&
                    (type.element == ElementType::Float64 || type.element == ElementType::Int64);
}

} // namespace

LoadedObjects loadObjects(ScriptProgram& program, Interpreter& interpreter)
{
    ObjectLoader loader(program, interpreter);
    const ScriptValue root = loader.load(program.data().root, {}, "data");
    const auto* module = std::get_if<ObjectRef>(&root);
    if (module == nullptr) {
        throw ModelError("damaged", "data.pkl contains no module");
    }
    if (const PickleObject* constants = objectIn(program.constants().root)) {
        for (std::size_t i = 0; i < constants->items.size(); ++i) {
            interpreter.constants.push_back(
                loader.load(constants->items[i], fmt::format("constant_{}", i), "constants"));
            markNumber(interpreter, interpreter.constants.back());
        }
    }
    loader.facts().addTo(interpreter.graphs.model());
    return {*module, std::move(loader.states())};
}

void restoreStates(Interpreter& interpreter, const LoadedObjects& objects)
{
    for (const auto& [object, state] : objects.states) {
        interpreter.call(object, setState, {state});
    }
}

} // namespace crosswalk::pytorch
