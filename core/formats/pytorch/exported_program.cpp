#include "core/formats/pytorch/exported_program.h"

#include "core/base/is_one_of.h"
#include "core/base/unique_names.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/exported_files.h"
#include "core/formats/pytorch/json_fields.h"
#include "core/formats/pytorch/model_facts.h"
#include "core/formats/pytorch/program_state.h"
#include "core/formats/pytorch/scalar_types.h"
#include "core/formats/pytorch/symbolic_size.h"
#include "core/formats/pytorch/torchscript/source_ranges.h"
#include "core/graph/source_location.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

// The schema: torch/_export/serde/schema.py.

namespace crosswalk::pytorch {
namespace {

constexpr std::int64_t newestSchema = 8;
constexpr std::size_t deepestGraph = 64;

using Tensors = std::map<std::string, SavedTensor, std::less<>>;

/// The only field of a union that is set; the union itself if none is.
struct Union {
    std::string_view kind;
    JsonValue value;
};

Union unionOf(JsonValue value, std::string_view what)
{
    for (const auto entry : objectOf(value, what)) {
        if (!entry.value.is_null()) {
            return {entry.key, entry.value};
        }
    }
    return {"as_none", value};
}

std::string nameIn(JsonValue value, std::string_view what)
{
    return std::string(textOf(field(objectOf(value, what), "name", what), what));
}

/// Reads one graph; those of control flow are read into graphs of their own.
class GraphReader {
public:
    GraphReader(const ModelSource& source, std::size_t depth)
        : m_source(source)
        , m_depth(depth)
    {
        if (depth > deepestGraph) {
            throw ModelError("damaged", "the graphs of control flow are nested too deeply");
        }
    }

    Graph graph;
    ModelFacts facts;
    std::set<ValueId> contiguous; ///< as in ProgramState

    /// Throws ModelError "damaged" if no node before this one computes a value of the name.
    ValueId value(const std::string& name)
    {
        const auto found = m_values.find(name);
        if (found == m_values.end()) {
            throw ModelError("damaged", fmt::format("value {} is read, but nothing computes it", name));
        }
        return found->second;
    }

    void define(const std::string& name, ValueId id)
    {
        if (!m_values.emplace(name, id).second) {
            throw ModelError("damaged", fmt::format("value {} is computed twice", name));
        }
        if (m_contiguous.contains(name)) {
            contiguous.insert(id);
        }
    }

    void readTypes(JsonObject fields)
    {
        if (const auto tensors = optionalField(fields, "tensor_values")) {
            for (const auto entry : objectOf(*tensors, "tensor_values")) {
                const JsonObject meta = objectOf(entry.value, entry.key);
                const auto& type = m_types.emplace(std::string(entry.key), typeOf(meta, entry.key)).first->second;
                if (isContiguous(meta, type.shape.value_or(Shape()), entry.key)) {
                    m_contiguous.insert(std::string(entry.key));
                }
                if (const auto device = optionalField(meta, "device")) {
                    const std::string name = deviceIn(*device, entry.key);
                    m_devices.emplace(std::string(entry.key), name);
                    facts.devices.insert(name);
                }
            }
        }
        const auto addScalars = [&](std::string_view key, ElementType type) {
            if (const auto scalars = optionalField(fields, key)) {
                for (const auto entry : objectOf(*scalars, key)) {
                    m_types.emplace(std::string(entry.key), TensorType{type, Shape()});
                }
            }
        };
        addScalars("sym_int_values", ElementType::Int64);
        addScalars("sym_float_values", ElementType::Float64);
        addScalars("sym_bool_values", ElementType::Bool);
    }

    TensorType typeNamed(const std::string& name) const
    {
        const auto found = m_types.find(name);
        return found != m_types.end() ? found->second : TensorType();
    }

    void readNodes(JsonObject fields)
    {
        for (const JsonValue item : arrayOf(field(fields, "nodes", "the graph"), "nodes")) {
            m_source.checkStop();
            readNode(objectOf(item, "a node"));
        }
    }

    /// The graph of an argument, whose inputs and outputs are local names.
    static std::shared_ptr<const Graph> nested(const ModelSource& source, JsonObject fields, std::size_t depth)
    {
        GraphReader reader(source, depth);
        reader.graph.format = "pytorch";
        reader.readTypes(fields);
        for (const JsonValue input : arrayOf(field(fields, "inputs", "a nested graph"), "inputs")) {
            const Union argument = unionOf(input, "an input");
            const std::string name = argumentName(argument);
            const ValueId id = reader.graph.addValue({.name = name, .type = reader.typeNamed(name)});
            reader.graph.inputs.push_back(id);
            reader.define(name, id);
        }
        reader.readNodes(fields);
        for (const JsonValue output : arrayOf(field(fields, "outputs", "a nested graph"), "outputs")) {
            for (const std::string& name : namesIn(output)) {
                reader.graph.outputs.push_back(reader.value(name));
            }
        }
        return std::make_shared<const Graph>(std::move(reader.graph));
    }

    /// The names of the values that an argument lists.
    static std::vector<std::string> namesIn(JsonValue argument)
    {
        const Union value = unionOf(argument, "an argument");
        if (value.kind == "as_tensors") {
            std::vector<std::string> names;
            for (const JsonValue item : arrayOf(value.value, "as_tensors")) {
                names.push_back(nameIn(item, "a tensor"));
            }
            return names;
        }
        return value.kind == "as_none" ? std::vector<std::string>() : std::vector{argumentName(value)};
    }

private:
    static std::string argumentName(const Union& argument)
    {
        const JsonObject object = objectOf(argument.value, argument.kind);
        for (const std::string_view key : {"name", "as_name"}) {
            if (const auto name = optionalField(object, key)) {
                return std::string(textOf(*name, argument.kind));
            }
        }
        throw ModelError("damaged", fmt::format("an argument of kind {} has no name", argument.kind));
    }

    static Dim sizeOf(JsonValue value, std::string_view what)
    {
        const Union size = unionOf(value, what);
        if (size.kind == "as_int") {
            return {integerOf(size.value, what)};
        }
        return size.kind == "as_expr" ? dimOf(textOf(field(objectOf(size.value, what), "expr_str", what), what))
                                      : Dim();
    }

    /// Whether the elements lie in memory in their order. False where sizes behind the first one are open.
    static bool isContiguous(JsonObject meta, const Shape& shape, std::string_view name)
    {
        std::vector<JsonValue> strides;
        if (const auto given = optionalField(meta, "strides")) {
            for (const JsonValue stride : arrayOf(*given, name)) {
                strides.push_back(stride);
            }
        }
        if (strides.size() != shape.size()) {
            return false;
        }
        std::int64_t expected = 1;
        for (std::size_t i = shape.size(); i-- > 0;) {
            const Dim stride = sizeOf(strides[i], name);
            if (shape[i] != Dim(1) && stride != Dim(expected)) {
                return false;
            }
            if (i > 0 && (!shape[i].isFixed() || __builtin_mul_overflow(expected, shape[i].size, &expected))) {
                return false;
            }
        }
        return true;
    }

    /// "cpu" or "cuda:0".
    static std::string deviceIn(JsonValue device, std::string_view what)
    {
        const JsonObject object = objectOf(device, what);
        const std::string_view type = textOf(field(object, "type", what), what);
        const auto index = optionalField(object, "index");
        return index ? fmt::format("{}:{}", type, integerOf(*index, what)) : std::string(type);
    }

    static TensorType typeOf(JsonObject meta, std::string_view name)
    {
        TensorType type{fromSchemaType(integerOf(field(meta, "dtype", name), name)), Shape()};
        for (const JsonValue size : arrayOf(field(meta, "sizes", name), name)) {
            type.shape->push_back(sizeOf(size, name));
        }
        return type;
    }

    void readNode(JsonObject fields)
    {
        const auto target = textOf(field(fields, "target", "a node"), "target");
        m_what = std::string(target);
        m_node = {};
        m_names.clear();
        m_numbers.clear();
        if (const auto region = regionIn(target, fields)) {
            readRegion(*region, arrayOf(field(fields, "outputs", m_what), m_what));
            return;
        }
        // An operator with effects is called with a token, which orders it, before itself. It returns another one.
        const bool hasToken = target == "torch.ops.higher_order.with_effects";
        const std::size_t firstArgument = hasToken ? 2 : 0;
        setOperator(hasToken ? calledIn(fields) : target);
        std::size_t position = 0;
        std::set<std::string> given;
        m_isDouble = hasDoubles(arrayOf(field(fields, "outputs", m_what), m_what));
        for (const JsonValue item : arrayOf(field(fields, "inputs", m_what), m_what)) {
            const JsonObject input = objectOf(item, m_what);
            const std::size_t place = position++;
            if (place < firstArgument) {
                continue;
            }
            std::string name(textOf(field(input, "name", m_what), m_what));
            if (name.empty()) {
                name = fmt::format("operand{}", place - firstArgument);
            }
            if (!given.insert(name).second) {
                throw ModelError("damaged", fmt::format("{} has the argument {} twice", m_what, name));
            }
            if (isOneOf(name, describingAttributes)) { // of an operator that is not part of PyTorch
                name += '_';
            }
            readArgument(name, field(input, "arg", m_what));
        }
        m_node.attributes.push_back({std::string(argumentNames), m_names});
        if (!m_numbers.empty()) {
            m_node.attributes.push_back({std::string(computedNumbers), m_numbers});
        }
        describe(fields);
        addOutputs(arrayOf(field(fields, "outputs", m_what), m_what), hasToken);
    }

    /// The operator that a node calls with a token.
    std::string_view calledIn(JsonObject fields) const
    {
        for (const JsonValue item : arrayOf(field(fields, "inputs", m_what), m_what)) {
            const Union argument = unionOf(field(objectOf(item, m_what), "arg", m_what), m_what);
            if (argument.kind == "as_operator") {
                return textOf(argument.value, m_what);
            }
        }
        throw ModelError("damaged", fmt::format("{} has no operator", m_what));
    }

    /// A part of the program that runs in another mode: its graph, and what it is called with.
    struct Region {
        JsonObject body;
        std::vector<Union> operands;
    };

    /// A call of a graph whose mode does not change results: with or without gradients, or without autocast.
    std::optional<Region> regionIn(std::string_view target, JsonObject fields) const
    {
        const bool isAutocast = target == "torch.ops.higher_order.wrap_with_autocast";
        if (!isAutocast && target != "torch.ops.higher_order.wrap_with_set_grad_enabled") {
            return std::nullopt;
        }
        std::vector<Union> arguments;
        for (const JsonValue item : arrayOf(field(fields, "inputs", m_what), m_what)) {
            arguments.push_back(unionOf(field(objectOf(item, m_what), "arg", m_what), m_what));
        }
        constexpr std::size_t isEnabled = 2; // after the device and the type
        if (isAutocast && (arguments.size() <= isEnabled || arguments[isEnabled].kind != "as_bool" ||
                           truthOf(arguments[isEnabled].value, m_what))) {
            return std::nullopt;
        }
        const auto body = std::ranges::find(arguments, std::string_view("as_graph"), &Union::kind);
        if (body == arguments.end()) {
            return std::nullopt;
        }
        return Region{objectOf(field(objectOf(body->value, m_what), "graph", m_what), m_what),
                      {body + 1, arguments.end()}};
    }

    /// Reads the nodes of a region into this graph. It has names of its own; its results have those of the call.
    void readRegion(const Region& region, JsonArray outputs)
    {
        if (m_taken == nullptr) {
            m_taken = std::make_shared<UniqueNames>();
            for (const auto& [name, type] : m_types) {
                m_taken->take(name);
            }
        }
        GraphReader inner(m_source, m_depth + 1);
        inner.m_isRegion = true;
        inner.m_taken = m_taken;
        inner.readTypes(region.body);
        const auto before = static_cast<std::uint32_t>(graph.nodeCount());
        std::size_t position = 0;
        for (const JsonValue input : arrayOf(field(region.body, "inputs", m_what), m_what)) {
            if (position >= region.operands.size()) {
                throw ModelError("damaged", fmt::format("{} has fewer operands than its graph", m_what));
            }
            inner.define(argumentName(unionOf(input, m_what)), value(argumentName(region.operands[position++])));
        }
        std::swap(graph, inner.graph);
        inner.readNodes(region.body);
        std::swap(graph, inner.graph);
        contiguous.merge(inner.contiguous);
        std::vector<ValueId> results;
        for (const JsonValue output : arrayOf(field(region.body, "outputs", m_what), m_what)) {
            for (const std::string& name : namesIn(output)) {
                results.push_back(inner.value(name));
            }
        }
        position = 0;
        std::set<ValueId> renamed;
        for (const JsonValue output : outputs) {
            for (const std::string& name : namesIn(output)) {
                if (position >= results.size()) {
                    throw ModelError("damaged", fmt::format("{} has more outputs than its graph", m_what));
                }
                const ValueId result = results[position++];
                const NodeId producer = graph.value(result).producer;
                if (producer && producer.index >= before && renamed.insert(result).second) {
                    graph.value(result).name = name;
                }
                define(name, result);
            }
        }
    }

    /// A name for a value of a region, which values of the graph around it may have, too.
    std::string uniqueName(const std::string& name) { return m_isRegion ? m_taken->unique(name) : name; }

    /// Whether any of the outputs has double precision.
    bool hasDoubles(JsonArray outputs) const
    {
        bool found = false;
        for (const JsonValue output : outputs) {
            for (const std::string& name : namesIn(output)) {
                const ElementType type = typeNamed(name).element;
                found = found || type == ElementType::Complex128 || type == ElementType::Float64;
            }
        }
        return found;
    }

    /// "torch.ops.aten.add.Tensor" is aten::add with the overload Tensor, "_operator.mul" is _operator::mul.
    void setOperator(std::string_view target)
    {
        constexpr std::string_view library = "torch.ops.";
        const bool isLibrary = target.starts_with(library);
        std::string_view rest = isLibrary ? target.substr(library.size()) : target;
        const std::size_t dot = rest.find('.');
        if (dot == std::string_view::npos) {
            m_node.op = rest;
            return;
        }
        const std::string_view space = rest.substr(0, dot);
        rest = rest.substr(dot + 1);
        const std::size_t overload = isLibrary ? rest.find('.') : std::string_view::npos;
        m_node.op = fmt::format("{}::{}", space, rest.substr(0, overload));
        if (overload != std::string_view::npos) {
            m_node.attributes.push_back({std::string(overloadName), std::string(rest.substr(overload + 1))});
        }
    }

    void addInput(std::string name, ValueId id)
    {
        m_node.inputs.push_back(id);
        m_names.push_back(std::move(name));
    }

    void set(const std::string& name, AttributeValue value) { m_node.attributes.push_back({name, std::move(value)}); }

    void readArgument(const std::string& name, JsonValue given)
    {
        const Union argument = unionOf(given, m_what);
        const std::string_view kind = argument.kind;
        if (kind == "as_tensor" || kind == "as_optional_tensor") {
            JsonObject object;
            if (argument.value.get(object) == simdjson::SUCCESS && optionalField(object, "as_none")) {
                return;
            }
            addInput(name, value(kind == "as_tensor" ? argumentName(argument)
                                                     : argumentName(unionOf(argument.value, m_what))));
        } else if (kind == "as_tensors" || kind == "as_optional_tensors" || kind == "as_sym_ints" ||
                   kind == "as_sym_floats" || kind == "as_sym_bools") {
            readList(name, kind, arrayOf(argument.value, m_what));
        } else if (kind == "as_sym_int" || kind == "as_sym_bool" || kind == "as_sym_float") {
            readSymbol(name, argument.value);
        } else {
            readConstant(name, argument);
        }
    }

    void readSymbol(const std::string& name, JsonValue given)
    {
        const Union symbol = unionOf(given, m_what);
        if (symbol.kind == "as_name") {
            m_numbers.push_back(name);
            addInput(name, value(std::string(textOf(symbol.value, m_what))));
        } else {
            readConstant(name, symbol);
        }
    }

    /// Elements that are computed are inputs, "size[1]". The others are stored in a list, in which computed ones are 0.
    void readList(const std::string& name, std::string_view kind, JsonArray items)
    {
        Ints numbers;
        for (const JsonValue item : items) {
            const std::string element = fmt::format("{}[{}]", name, numbers.size());
            numbers.push_back(0);
            if (kind == "as_tensors") {
                addInput(element, value(nameIn(item, m_what)));
                continue;
            }
            const Union given = unionOf(item, m_what);
            if (given.kind == "as_tensor") {
                addInput(element, value(argumentName(given)));
            } else if (given.kind == "as_name") {
                m_numbers.push_back(element);
                addInput(element, value(std::string(textOf(given.value, m_what))));
            } else if (given.kind == "as_int") {
                numbers.back() = integerOf(given.value, m_what);
            } else if (given.kind != "as_none") {
                throw ModelError("damaged",
                                 fmt::format("{}: argument {} has an element of kind {}", m_what, name, given.kind));
            }
        }
        set(name, std::move(numbers));
    }

    template <typename T, typename Read>
    std::vector<T> listOf(JsonValue items, Read read)
    {
        std::vector<T> list;
        for (const JsonValue item : arrayOf(items, m_what)) {
            list.push_back(static_cast<T>(read(item, std::string_view(m_what))));
        }
        return list;
    }

    void readConstant(const std::string& name, const Union& argument)
    {
        const std::string_view kind = argument.kind;
        if (kind == "as_int" || kind == "as_layout" || kind == "as_memory_format") {
            set(name, integerOf(argument.value, m_what));
        } else if (kind == "as_float") {
            set(name, numberOf(argument.value, m_what));
        } else if (kind == "as_bool") {
            set(name, truthOf(argument.value, m_what));
        } else if (kind == "as_string") {
            set(name, std::string(textOf(argument.value, m_what)));
        } else if (kind == "as_scalar_type") {
            set(name, fromSchemaType(integerOf(argument.value, m_what)));
        } else if (kind == "as_ints") {
            set(name, listOf<std::int64_t>(argument.value, integerOf));
        } else if (kind == "as_floats") {
            set(name, listOf<double>(argument.value, numberOf));
        } else if (kind == "as_bools") {
            set(name, listOf<std::int64_t>(argument.value, truthOf));
        } else if (kind == "as_strings") {
            set(name, listOf<std::string>(argument.value, [](JsonValue item, std::string_view what) {
                    return std::string(textOf(item, what));
                }));
        } else if (kind == "as_graph") {
            const JsonObject fields = objectOf(argument.value, m_what);
            set(name,
                graph.addSubgraph(nested(m_source, objectOf(field(fields, "graph", m_what), m_what), m_depth + 1)));
        } else if (kind == "as_complex") {
            m_numbers.push_back(name);
            addInput(name, complexNumber(objectOf(argument.value, m_what)));
        } else if (kind == "as_device") {
            set(name, deviceIn(argument.value, m_what));
        } else if (kind != "as_none" && kind != "as_operator") {
            throw ModelError("damaged", fmt::format("{}: argument {} has the unknown kind {}", m_what, name, kind));
        }
    }

    /// A complex number of Python as a stored tensor, of double precision if the result of the node has it.
    ValueId complexNumber(JsonObject parts)
    {
        const double real = numberOf(field(parts, "real", m_what), m_what);
        const double imaginary = numberOf(field(parts, "imag", m_what), m_what);
        const auto stored = [&]<typename T>(ElementType type, const std::array<T, 2>& number) {
            const auto bytes = std::as_bytes(std::span(number));
            const TensorId id = graph.addTensor(Tensor::owned(type, {}, {bytes.begin(), bytes.end()}));
            return graph.addValue({.name = "constant", .type = TensorType{type, Shape()}, .tensor = id});
        };
        return m_isDouble ? stored(ElementType::Complex128, std::array{real, imaginary})
                          : stored(ElementType::Complex64,
                                   std::array{static_cast<float>(real), static_cast<float>(imaginary)});
    }

    /// The place in the model's program, for the user.
    void describe(JsonObject fields)
    {
        const auto metadata = optionalField(fields, "metadata");
        if (!metadata) {
            return;
        }
        const JsonObject object = objectOf(*metadata, m_what);
        if (const auto trace = optionalField(object, "stack_trace")) {
            const std::string_view calls = textOf(*trace, m_what);
            set(std::string(stackTrace), std::string(calls));
            if (std::string location = locationIn(calls); !location.empty()) {
                set(std::string(sourceLocationAttribute), std::move(location));
            }
        }
        if (const auto stack = optionalField(object, "nn_module_stack")) {
            m_module = moduleOf(textOf(*stack, m_what));
            if (!m_module.empty()) {
                set(std::string(modulePath), m_module);
            }
        }
    }

    /// The innermost call that is not in the framework itself, "net.py:15", of lines such as `File "net.py", line 15,
    /// in forward`.
    static std::string locationIn(std::string_view calls)
    {
        constexpr std::string_view file = "File \"";
        constexpr std::string_view line = "\", line ";
        std::string location;
        for (std::size_t at = calls.find(file); at != std::string_view::npos; at = calls.find(file, at + 1)) {
            const std::size_t begin = at + file.size();
            const std::size_t end = calls.find(line, begin);
            if (end == std::string_view::npos) {
                break;
            }
            const std::size_t digits = end + line.size();
            std::string place =
                fmt::format("{}:{}", calls.substr(begin, end - begin),
                            calls.substr(digits, calls.find_first_not_of("0123456789", digits) - digits));
            if (location.empty() || !isInsideFramework(place)) {
                location = std::move(place);
            }
        }
        return location;
    }

    /// The path of the innermost module in "key,path,class;key,path,class". torch.export writes a stack of the
    /// exporter's own for nodes that belong to no module.
    static std::string moduleOf(std::string_view stack)
    {
        const std::string_view last = stack.substr(stack.rfind(';') + 1);
        const std::size_t first = last.find(',');
        const std::size_t second = first == std::string_view::npos ? first : last.find(',', first + 1);
        const std::string_view path =
            second == std::string_view::npos ? std::string_view() : last.substr(first + 1, second - first - 1);
        return path == "_empty_nn_module_stack_from_metadata_hook" ? std::string() : std::string(path);
    }

    void addOutputs(JsonArray outputs, bool hasToken)
    {
        std::vector<std::string> names;
        for (const JsonValue output : outputs) {
            for (const std::string& name : namesIn(output)) {
                names.push_back(name);
            }
        }
        if (hasToken && !names.empty()) {
            names.erase(names.begin());
        }
        std::string path = m_module;
        std::replace(path.begin(), path.end(), '.', '/');
        const std::string label = names.empty() ? m_node.op : names.front();
        m_node.name = path.empty() ? label : path + "/" + label;
        m_module.clear();
        const auto device = names.empty() ? m_devices.end() : m_devices.find(names.front());
        if (device != m_devices.end() && m_node.attribute(deviceName) == nullptr) {
            set(std::string(deviceName), device->second);
        }
        const NodeId id = graph.addNode(std::move(m_node));
        for (const std::string& name : names) {
            const ValueId made = graph.addOutput(id, uniqueName(name));
            graph.value(made).type = typeNamed(name);
            define(name, made);
        }
    }

    const ModelSource& m_source;
    std::size_t m_depth;
    std::unordered_map<std::string, ValueId> m_values;
    std::unordered_map<std::string, TensorType> m_types;
    std::unordered_map<std::string, std::string> m_devices; ///< of tensors, by their names
    std::set<std::string> m_contiguous;
    bool m_isRegion = false;
    std::shared_ptr<UniqueNames> m_taken; ///< names of the graph with its regions, if it has any
    Node m_node;                          ///< that is being read
    std::vector<std::string> m_names;     ///< the arguments of its inputs
    std::vector<std::string> m_numbers;
    bool m_isDouble = false; ///< any of its outputs
    std::string m_what;
    std::string m_module;
};

/// Reads the top-level graph: inputs, weights and outputs follow the program's signature.
class ProgramReader {
public:
    ProgramReader(const ModelSource& source, ExportedFiles files)
        : m_source(source)
        , m_files(std::move(files))
        , m_reader(source, 0)
    {
    }

    Graph read()
    {
        const auto program = m_source.open(m_files.program);
        const auto json = parseJson(*program);
        const JsonObject root = objectOf(json->root, m_files.program);
        checkVersion(root);
        Graph& graph = m_reader.graph;
        graph.format = "pytorch";
        graph.producer = "PyTorch";
        graph.budget = m_source.budget(program->bytes().size());
        if (const auto version = optionalField(root, "torch_version")) {
            graph.version = textOf(*version, "torch_version");
        }
        const JsonObject module = objectOf(field(root, "graph_module", "the program"), "graph_module");
        const JsonObject fields = objectOf(field(module, "graph", "the program"), "graph");
        const JsonObject signature = objectOf(field(module, "signature", "the program"), "signature");
        m_reader.readTypes(fields);
        m_tensors = exportedTensors(m_source, m_files);
        for (const JsonValue spec : arrayOf(field(signature, "input_specs", "the signature"), "input_specs")) {
            addInput(unionOf(spec, "an input"));
        }
        m_reader.readNodes(fields);
        std::size_t position = 0;
        for (const JsonValue spec : arrayOf(field(signature, "output_specs", "the signature"), "output_specs")) {
            addOutput(unionOf(spec, "an output"), position);
        }
        readRanges(root);
        m_state.contiguous = std::move(m_reader.contiguous);
        m_state.returned.insert(graph.outputs.begin(), graph.outputs.end());
        graph.original = std::make_shared<const ProgramState>(std::move(m_state));
        m_reader.facts.addTo(graph);
        return std::move(graph);
    }

private:
    void readRanges(JsonObject root)
    {
        m_state.isForSizes = true;
        const auto ranges = optionalField(root, "range_constraints");
        if (!ranges) {
            return;
        }
        for (const auto& [symbol, limits] : objectOf(*ranges, "range_constraints")) {
            const JsonObject fields = objectOf(limits, symbol);
            SizeRange& range = m_state.ranges[std::string(symbol)];
            if (const auto least = optionalField(fields, "min_val")) {
                range.least = integerOf(*least, symbol);
            }
            if (const auto most = optionalField(fields, "max_val")) {
                range.most = integerOf(*most, symbol);
            }
        }
    }

    static void checkVersion(JsonObject root)
    {
        const JsonObject version = objectOf(field(root, "schema_version", "the program"), "schema_version");
        const std::int64_t major = integerOf(field(version, "major", "schema_version"), "schema_version");
        if (major < 1 || major > newestSchema) {
            throw ModelError(
                "unsupported-version",
                fmt::format("the program has schema version {}; versions up to {} are supported", major, newestSchema));
        }
    }

    void addInput(const Union& spec)
    {
        const JsonObject fields = objectOf(spec.value, spec.kind);
        if (spec.kind == "user_input") {
            const JsonValue argument = field(fields, "arg", spec.kind);
            const std::string_view kind = unionOf(argument, spec.kind).kind;
            if (kind != "as_tensor" && kind != "as_sym_int" && kind != "as_sym_float" && kind != "as_sym_bool") {
                return; // a constant, which the program contains
            }
            const std::string name = GraphReader::namesIn(argument).front();
            const ValueId id = m_reader.graph.addValue({.name = name, .type = m_reader.typeNamed(name)});
            m_reader.graph.inputs.push_back(id);
            m_reader.define(name, id);
            return;
        }
        static constexpr auto stored = std::to_array<std::pair<std::string_view, std::string_view>>(
            {{"parameter", "parameter_name"}, {"buffer", "buffer_name"}, {"tensor_constant", "tensor_constant_name"}});
        for (const auto& [kind, key] : stored) {
            if (spec.kind == kind) {
                if (spec.kind == "buffer") {
                    m_reader.facts.buffers.insert(std::string(textOf(field(fields, key, kind), kind)));
                }
                addWeight(nameIn(field(fields, "arg", kind), kind),
                          std::string(textOf(field(fields, key, kind), kind)));
                return;
            }
        }
        if (spec.kind != "constant_input" && spec.kind != "token" && spec.kind != "custom_obj") {
            throw ModelError("damaged", fmt::format("the signature has an input of the unknown kind {}", spec.kind));
        }
    }

    void addWeight(const std::string& name, const std::string& fullName)
    {
        const auto tensor = m_tensors.find(fullName);
        Value value{.name = fullName, .type = m_reader.typeNamed(name), .role = Role::Parameter};
        if (tensor != m_tensors.end()) {
            const Tensor& stored = tensor->second.tensor;
            value.type = TensorType{stored.type(), shapeOf(stored.dims())};
            value.tensor = m_reader.graph.addTensor(stored);
        }
        const ValueId id = m_reader.graph.addValue(std::move(value));
        if (tensor == m_tensors.end()) {
            m_reader.graph.inputs.push_back(id);
        } else {
            const auto first = m_storages.emplace(tensor->second.storage, id).first;
            m_state.storages.emplace(id, first->second);
        }
        m_reader.define(name, id);
        m_weights.emplace(fullName, id);
    }

    void addOutput(const Union& spec, std::size_t& position)
    {
        if (spec.kind == "buffer_mutation" || spec.kind == "parameter_mutation") {
            addState(spec);
            return;
        }
        if (spec.kind != "user_output") {
            return;
        }
        const std::size_t index = position++;
        const JsonValue argument = field(objectOf(spec.value, spec.kind), "arg", spec.kind);
        const Union given = unionOf(argument, spec.kind);
        if (given.kind == "as_none") {
            return;
        }
        Graph& graph = m_reader.graph;
        ValueId id;
        if (given.kind == "as_int" || given.kind == "as_float" || given.kind == "as_bool") {
            id = constantOutput(given);
        } else {
            id = m_reader.value(GraphReader::namesIn(argument).front());
        }
        if (graph.value(id).producer) {
            graph.outputs.push_back(id);
            return;
        }
        // An input or a constant needs another name as an output.
        const std::string name = fmt::format("output_{}", index);
        const NodeId node =
            graph.addNode({.op = "aten::alias",
                           .name = name,
                           .inputs = {id},
                           .attributes = {{std::string(argumentNames), std::vector<std::string>{"self"}}}});
        const ValueId made = graph.addOutput(node, name);
        graph.value(made).type = graph.value(id).type;
        graph.outputs.push_back(made);
    }

    /// The content of a weight after the run.
    void addState(const Union& spec)
    {
        const JsonObject fields = objectOf(spec.value, spec.kind);
        const std::string_view key = spec.kind == "buffer_mutation" ? "buffer_name" : "parameter_name";
        const auto weight = m_weights.find(textOf(field(fields, key, spec.kind), key));
        if (weight == m_weights.end()) {
            throw ModelError("damaged", fmt::format("{} {} is not an input of the program", key,
                                                    textOf(field(fields, key, spec.kind), key)));
        }
        const ValueId next = m_reader.value(nameIn(field(fields, "arg", spec.kind), spec.kind));
        if (next != weight->second && m_reader.graph.tensorOf(weight->second) != nullptr) {
            m_state.tensors.emplace(weight->second, next);
        }
    }

    ValueId constantOutput(const Union& given)
    {
        const bool isInt = given.kind == "as_int";
        const bool isBool = given.kind == "as_bool";
        const ElementType type = isInt ? ElementType::Int64 : isBool ? ElementType::Bool : ElementType::Float64;
        const double number = isBool  ? (truthOf(given.value, given.kind) ? 1 : 0)
                              : isInt ? 0
                                      : numberOf(given.value, given.kind);
        const std::int64_t integer = isInt ? integerOf(given.value, given.kind) : 0;
        Tensor tensor =
            isInt ? Tensor::of<std::int64_t>(type, {}, std::span(&integer, 1)) : Tensor::scalar(type, number);
        Graph& graph = m_reader.graph;
        const TensorId id = graph.addTensor(std::move(tensor));
        return graph.addValue({.name = "constant", .type = TensorType{type, Shape()}, .tensor = id});
    }

    const ModelSource& m_source;
    ExportedFiles m_files;
    GraphReader m_reader;
    Tensors m_tensors;
    std::map<std::string, ValueId, std::less<>> m_weights; ///< by full name
    std::map<std::string, ValueId> m_storages;             ///< the first weight in each
    ProgramState m_state;
};

} // namespace

Match matchExportedProgram(const Probe& probe)
{
    return exportedFiles(probe.members) ? Match::ByContent : Match::No;
}

LoadedModel readExportedProgram(const ReadRequest& request, const ModelSource& source)
{
    auto files = exportedFiles(source.list());
    if (!files) {
        throw ModelError("damaged", "the archive has no exported program");
    }
    LoadedModel model;
    model.path = request.model;
    model.graph = std::make_shared<const Graph>(ProgramReader(source, std::move(*files)).read());
    return model;
}

} // namespace crosswalk::pytorch
