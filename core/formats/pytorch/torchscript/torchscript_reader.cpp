#include "core/formats/pytorch/torchscript/torchscript_reader.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/lowering/input_types.h"
#include "core/formats/pytorch/program_state.h"
#include "core/formats/pytorch/saved_tensors.h"
#include "core/formats/pytorch/torchscript/legacy_objects.h"
#include "core/formats/pytorch/torchscript/script_objects.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace crosswalk::pytorch {
namespace {

using Expression = ScriptExpression;

bool isNamed(const Expression& type, std::string_view name)
{
    return type.kind == Expression::Kind::Name && type.text == name;
}

/// Items of a generic type, List[Tensor]; null for any other type.
const Expression* itemType(const Expression& type, std::string_view generic)
{
    return type.kind == Expression::Kind::Subscript && isNamed(type.items[0], generic) && type.items.size() > 1
               ? &type.items[1]
               : nullptr;
}

class ScriptReader {
public:
    ScriptReader(const ModelSource& source, const ReadRequest& request, const Budget& budget)
        : m_method(request.signature)
        , m_requested(request.inputs)
        , m_shapes(request.shapes)
        , m_program(source)
        , m_interpreter(m_program, budget)
    {
    }

    Graph read()
    {
        m_interpreter.graphs.model().producer = "PyTorch (TorchScript)";
        m_interpreter.graphs.model().version = fmt::format("archive version {}", m_program.version());
        const LoadedObjects loaded = m_program.isLegacy() ? LoadedObjects{loadLegacyObjects(m_program, m_interpreter)}
                                                          : loadObjects(m_program, m_interpreter);
        const ScriptFunction& method = methodOf(loaded.module);
        m_method = method.name;
        try {
            readTraced();
            ScriptArguments arguments;
            for (std::size_t i = 1; i < method.parameters.size(); ++i) { // after self
                const ScriptParameter& parameter = method.parameters[i];
                if (!parameter.fallback || isRequested(parameter.name)) {
                    arguments.emplace_back(parameter.name, inputOf(parameter.name, parameter.type));
                }
            }
            restoreStates(m_interpreter, loaded);
            const ScriptHeap before = m_interpreter.heap;
            addOutputs(m_interpreter.call(loaded.module, method.name, {}, arguments));
            addState(before);
        } catch (const UnsupportedScript& unsupported) {
            addUnsupported(unsupported.message);
        } catch (const Interpreter::Raised& raised) {
            addUnsupported(fmt::format("the program raises an exception for these inputs: {}", raised.message));
        } catch (const std::bad_variant_access&) {
            throw ModelError("damaged", "the program calls an operator with an argument of another kind");
        } catch (const std::out_of_range&) {
            throw ModelError("damaged", "the program calls an operator with too few arguments");
        }
        inferInputTypes(m_interpreter.graphs.model());
        return std::move(m_interpreter.graphs.model());
    }

    /// After read(): how many steps the program took.
    std::size_t steps() const { return m_interpreter.steps(); }

    /// After read(): the methods that a caller may use. Those whose names begin with an underscore are the module's
    /// own.
    std::vector<crosswalk::Signature> methods()
    {
        std::vector<crosswalk::Signature> found;
        for (const auto& [name, method] : m_class->methods) {
            if (name.starts_with('_')) {
                continue;
            }
            crosswalk::Signature signature{name, {}, {}, name == m_method};
            for (std::size_t i = 1; i < method.parameters.size(); ++i) { // after self
                signature.inputs.push_back(method.parameters[i].name);
            }
            if (method.result) {
                addOutputNames(*method.result, signature.outputs);
            }
            found.push_back(std::move(signature));
        }
        return found;
    }

private:
    /// The names that addOutputs() gives results of a type, as far as the type determines them.
    static void addOutputNames(const Expression& type, std::vector<std::string>& names)
    {
        if (itemType(type, "Tuple") != nullptr) {
            for (std::size_t i = 1; i < type.items.size(); ++i) {
                addOutputNames(type.items[i], names);
            }
        } else if (isNamed(type, "Tensor") || isNamed(type, "int") || isNamed(type, "float") || isNamed(type, "bool")) {
            names.push_back(fmt::format("output_{}", names.size()));
        }
    }

    /// The method that the user requests, or `forward`, or else the first one of the module.
    const ScriptFunction& methodOf(ObjectRef module)
    {
        const std::string type = m_interpreter.object(module).type;
        m_class = m_program.findClass(type);
        if (m_class == nullptr) {
            throw ModelError("damaged", fmt::format("the archive has no class {}", type));
        }
        const auto& methods = m_class->methods;
        for (const std::string_view name : {std::string_view(m_method), std::string_view("forward")}) {
            if (const auto found = methods.find(name); found != methods.end() && !name.starts_with('_')) {
                return found->second;
            }
        }
        const auto first =
            std::ranges::find_if(methods, [](const auto& entry) { return !entry.first.starts_with('_'); });
        if (first == methods.end()) {
            throw ModelError("damaged", "the model has no method");
        }
        return first->second;
    }

    /// Whether the user describes the input, or an item of it.
    bool isRequested(const std::string& name) const
    {
        return std::any_of(m_requested.begin(), m_requested.end(),
                           [&](const std::string& given) { return given == name || given.starts_with(name + "_"); });
    }

    ScriptValue inputOf(const std::string& name, const std::optional<Expression>& type)
    {
        GraphStack& graphs = m_interpreter.graphs;
        graphs.unique(name);
        if (!type || isNamed(*type, "Tensor")) {
            TensorType described = nextTraced();
            if (const auto given = m_shapes.find(name); given != m_shapes.end()) {
                described.shape = given->second;
            }
            const TensorRef input = m_interpreter.newTensor(graphs.input(name, std::move(described)), name);
            m_interpreter.heap.tensors[input.index].order = ElementOrder::RowMajor; // as ONNX's tensors are
            return input;
        }
        const auto number = [&](NumberKind kind, ElementType element) -> ScriptValue {
            return ComputedNumber{kind, graphs.input(name, ValueType(element, Shape()))};
        };
        if (isNamed(*type, "int")) {
            return number(NumberKind::Int, ElementType::Int64);
        }
        if (isNamed(*type, "float")) {
            return number(NumberKind::Float, ElementType::Float64);
        }
        if (isNamed(*type, "bool")) {
            return number(NumberKind::Bool, ElementType::Bool);
        }
        if (itemType(*type, "Tuple") != nullptr) {
            std::vector<ScriptValue> items;
            for (std::size_t i = 1; i < type->items.size(); ++i) {
                items.push_back(inputOf(fmt::format("{}_{}", name, i - 1), type->items[i]));
            }
            return tupleOf(std::move(items));
        }
        if (const Expression* item = itemType(*type, "Optional")) {
            return isRequested(name) ? inputOf(name, *item) : ScriptValue();
        }
        if (const Expression* item = itemType(*type, "List"); item != nullptr && isRequested(name)) {
            std::vector<ScriptValue> items;
            while (isRequested(fmt::format("{}_{}", name, items.size()))) {
                items.push_back(inputOf(fmt::format("{}_{}", name, items.size()), *item));
            }
            return m_interpreter.newList(std::move(items));
        }
        if (itemType(*type, "Dict") != nullptr && type->items.size() == 3 && isRequested(name)) {
            DictCell cell;
            for (const std::string& given : m_requested) {
                if (given.starts_with(name + "_") && !graphs.model().findInput(given)) {
                    cell.entries.emplace_back(given.substr(name.size() + 1), inputOf(given, type->items[2]));
                }
            }
            return m_interpreter.heap.add(std::move(cell));
        }
        Interpreter::unsupported(
            fmt::format("input {} is a list or a dictionary, whose length is not in the file (use --shape "
                        "{}_0=..., and so on)",
                        name, name));
    }

    /// The tensors of the example with which the model was traced, depth first.
    void readTraced()
    {
        for (const auto& [key, value] : entriesOf(untagged(m_program.traced().root))) {
            if (const auto* name = std::get_if<std::string>(&key); name != nullptr && *name == m_method) {
                collectTraced(value, 0);
            }
        }
    }

    void collectTraced(const PickleValue& value, int depth)
    {
        constexpr int deepest = 20;
        if (const auto type = tensorTypeIn(value)) {
            m_traced.push_back(*type);
            return;
        }
        const PickleObject* object = objectIn(value);
        if (object == nullptr || depth > deepest) {
            return;
        }
        for (const PickleValue& item : object->items) {
            collectTraced(item, depth + 1);
        }
    }

    /// The type of the next input. A program accepts inputs of other sizes than its example's.
    TensorType nextTraced()
    {
        if (m_nextTraced >= m_traced.size()) {
            return {};
        }
        const TensorType& type = m_traced[m_nextTraced++];
        return {type.element, Shape(type.shape->size())};
    }

    /// Flattens a result, depth first. A dictionary or a named tuple of tensors gives its outputs its own names.
    void addOutputs(const ScriptValue& result)
    {
        const auto* tuple = std::get_if<std::shared_ptr<const TupleValue>>(&result);
        std::vector<std::pair<std::string, ScriptValue>> named;
        if (const auto* dict = std::get_if<DictRef>(&result)) {
            for (const auto& [key, value] : m_interpreter.heap.dicts[dict->index].entries) {
                const auto* text = std::get_if<std::string>(&key);
                named.emplace_back(text != nullptr ? *text : std::string(), value);
            }
        } else if (tuple != nullptr && !(*tuple)->fields.empty()) {
            for (std::size_t i = 0; i < (*tuple)->items.size(); ++i) {
                named.emplace_back((*tuple)->fields[i], (*tuple)->items[i]);
            }
        }
        const bool isFlat = !named.empty() && std::all_of(named.begin(), named.end(), [](const auto& entry) {
            return !entry.first.empty() && isLeaf(entry.second);
        });
        if (isFlat) {
            for (const auto& [name, value] : named) {
                addOutput(name, value);
            }
            return;
        }
        if (std::holds_alternative<DictRef>(result)) {
            for (const auto& [name, value] : named) {
                addLeaves(value);
            }
            return;
        }
        addLeaves(result);
    }

    static bool isLeaf(const ScriptValue& value)
    {
        return std::holds_alternative<TensorRef>(value) || numberKindOf(value).has_value();
    }

    void addLeaves(const ScriptValue& value)
    {
        if (isNone(value)) {
            return;
        }
        if (isLeaf(value)) {
            addOutput(fmt::format("output_{}", m_outputs++), value);
            return;
        }
        if (std::holds_alternative<DictRef>(value)) {
            for (const auto& [key, item] : m_interpreter.heap.dicts[std::get<DictRef>(value).index].entries) {
                addLeaves(item);
            }
            return;
        }
        const auto* list = std::get_if<ListRef>(&value);
        const bool isTuple = std::holds_alternative<std::shared_ptr<const TupleValue>>(value);
        const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&value);
        if (isTuple || (parts != nullptr && m_interpreter.fixedLength(**parts)) ||
            (list != nullptr && !m_interpreter.heap.lists[list->index].stacked)) {
            for (const ScriptValue& item : m_interpreter.itemsOf(value)) {
                addLeaves(item);
            }
            return;
        }
        if (list != nullptr || parts != nullptr) {
            Interpreter::unsupported("the model returns a list whose length depends on its inputs; where only their "
                                     "shapes determine it, give them with --shape");
        }
        Interpreter::unsupported(fmt::format("the model returns a {}", kindName(value)));
    }

    void addOutput(const std::string& name, const ScriptValue& value)
    {
        GraphStack& graphs = m_interpreter.graphs;
        Graph& graph = graphs.graph();
        const ValueId id = graphs.at(m_interpreter.graphValue(value));
        const bool isTaken = std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
        if (graph.value(id).producer && !isTaken) {
            graph.value(id).name = name;
            graph.outputs.push_back(id);
            return;
        }
        Node node{.op = "aten::alias", .name = name, .inputs = {id}};
        node.attributes.push_back({std::string(argumentNames), std::vector<std::string>{"self"}});
        graph.outputs.push_back(graphs.add(std::move(node), 1)[0].id);
    }

    /// Notes the tensors and attributes of modules that the program has changed.
    void addState(const ScriptHeap& before)
    {
        ProgramState state;
        const ScriptHeap& after = m_interpreter.heap;
        const auto add = [&](TensorRef stored, TensorRef now, const std::string& name) {
            const ValueId first = before.tensors[stored.index].value.id;
            try {
                const ValueId next = m_interpreter.graphs.at(m_interpreter.read(now));
                if (next != first) {
                    state.tensors.emplace(first, next);
                }
            } catch (const UnsupportedScript&) { // no output reads it
                state.numbers.push_back(name);
            }
        };
        for (std::uint32_t i = 0; i < before.tensors.size(); ++i) {
            if (!after.tensors[i].base && after.tensors[i].version > 0) {
                add(TensorRef{i}, TensorRef{i}, after.tensors[i].name);
            }
        }
        for (std::size_t i = 0; i < before.objects.size(); ++i) {
            if (after.objects[i] == before.objects[i]) {
                continue;
            }
            const ObjectCell& cell = *before.objects[i];
            for (const auto& [attribute, value] : after.objects[i]->attributes) {
                const std::string name = cell.path.empty() ? attribute : cell.path + "." + attribute;
                const auto old = cell.attributes.find(attribute);
                if (old != cell.attributes.end() && old->second == value) {
                    continue;
                }
                const auto* stored = old != cell.attributes.end() ? std::get_if<TensorRef>(&old->second) : nullptr;
                const auto* now = std::get_if<TensorRef>(&value);
                if (stored != nullptr && now != nullptr && stored->index < before.tensors.size()) {
                    add(*stored, *now, name);
                } else {
                    state.numbers.push_back(name);
                }
            }
        }
        Graph& graph = m_interpreter.graphs.model();
        state.returned.insert(graph.outputs.begin(), graph.outputs.end());
        graph.original = std::make_shared<const ProgramState>(std::move(state));
    }

    void addUnsupported(const std::string& message)
    {
        GraphStack& graphs = m_interpreter.graphs;
        while (graphs.level() > 0) {
            graphs.pop();
        }
        Graph& graph = graphs.graph();
        Node node{.op = "prim::Unsupported", .name = "unsupported"};
        node.attributes.push_back({"message", message});
        graph.outputs = {graphs.add(std::move(node), 1)[0].id};
        graph.value(graph.outputs[0]).name = "output_0";
    }

    std::string m_method; ///< that is executed
    const ScriptClass* m_class = nullptr;
    const std::vector<std::string>& m_requested;
    const std::map<std::string, Shape, std::less<>>& m_shapes;
    ScriptProgram m_program;
    Interpreter m_interpreter;
    std::vector<TensorType> m_traced;
    std::size_t m_nextTraced = 0;
    std::size_t m_outputs = 0;
};

/// The name of the only input whose rank neither the file nor the operators determine.
std::optional<std::string> onlyOpenInput(const Graph& graph)
{
    std::map<std::string, TensorType, std::less<>> types;
    for (const ValueId input : graph.inputs) {
        types.emplace(graph.value(input).name, graph.value(input).type);
    }
    inferInputRanks(graph, types);
    std::optional<std::string> open;
    for (const auto& [name, type] : types) {
        if (!type.shape && std::exchange(open, name)) {
            return std::nullopt;
        }
    }
    return open;
}

/// The graph of a program for inputs of other shapes; nothing if it does not accept them, or takes too many steps.
std::optional<Graph> graphFor(const ModelSource& source, const ReadRequest& assumed)
{
    try {
        Graph made = ScriptReader(source, assumed, Budget()).read();
        const bool isPossible = ranksAgree(made) && std::ranges::none_of(made.nodes(), [](const Node& node) {
                                    return node.op == "prim::Unsupported";
                                });
        return isPossible ? std::optional(std::move(made)) : std::nullopt;
    } catch (const ModelError& error) {
        if (error.diagnostic.code == Code("large-file")) {
            return std::nullopt;
        }
        throw;
    }
}

/// Programs may accept tensors of several ranks, and branch on them. If one rank alone leads through the program
/// without a contradiction, it is that of the input.
Graph withOnlyPossibleRank(const ModelSource& source, const ReadRequest& request, Graph graph)
{
    const auto input = onlyOpenInput(graph);
    if (!input) {
        return graph;
    }
    constexpr std::size_t highest = 6;
    std::optional<Graph> only;
    for (std::size_t rank = 1; rank <= highest; ++rank) {
        ReadRequest assumed = request;
        assumed.shapes.insert_or_assign(*input, Shape(rank));
        auto made = graphFor(source, assumed);
        if (made && only) {
            return graph;
        }
        if (made) {
            only = std::move(made);
        }
    }
    return only ? std::move(*only) : std::move(graph);
}

std::vector<std::string> namesOf(const Graph& graph, const ValueIds& values)
{
    std::vector<std::string> names;
    names.reserve(values.size());
    for (const ValueId value : values) {
        names.push_back(graph.value(value).name);
    }
    return names;
}

} // namespace

Match matchTorchScript(const Probe& probe)
{
    return scriptFolder(probe.members) ? Match::ByContent : Match::No;
}

LoadedModel readTorchScript(const ReadRequest& request, const ModelSource& source)
{
    LoadedModel model;
    model.path = request.model;
    const Budget budget = source.budget(0);
    ScriptReader reader(source, request, budget);
    Graph read = reader.read();
    model.signatures = reader.methods();
    constexpr std::size_t mostRepeatedSteps = 20'000; // executes a program once for each rank
    Graph graph =
        reader.steps() <= mostRepeatedSteps ? withOnlyPossibleRank(source, request, std::move(read)) : std::move(read);
    for (crosswalk::Signature& signature : model.signatures) {
        if (signature.isUsed) {
            signature.inputs = namesOf(graph, graph.inputs);
            signature.outputs = namesOf(graph, graph.outputs);
        }
    }
    graph.budget = budget;
    model.graph = std::make_shared<const Graph>(std::move(graph));
    return model;
}

} // namespace crosswalk::pytorch
