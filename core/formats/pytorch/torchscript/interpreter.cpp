#include "core/formats/pytorch/torchscript/interpreter.h"

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/torchscript/quantized_functions.h"
#include "core/formats/pytorch/torchscript/script_tokens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using ExpressionKind = ScriptExpression::Kind;

constexpr std::size_t deepestCall = 150;

/// Functions of PyTorch whose result the environment decides, not the model. Fast paths, which fuse a whole layer into
/// one operator, compute the same as the operators of the other branch.
std::optional<ScriptValue> environmentFunction(std::string_view name)
{
    constexpr auto off = std::to_array<std::string_view>(
        {"__torch__.torch.backends.mha.get_fastpath_enabled", "__torch__.torch.overrides.has_torch_function",
         "__torch__.torch.jit.is_tracing", "__torch__.torch._jit_internal.is_tracing"});
    if (std::find(off.begin(), off.end(), name) != off.end()) {
        return ScriptValue(false);
    }
    if (name == "__torch__.torchvision.extension._assert_has_ops") {
        return ScriptValue();
    }
    return std::nullopt;
}

/// `x.tolist()`, whose type is that of the annotation around it.
bool isToList(const ScriptExpression& expression)
{
    return expression.kind == ExpressionKind::Call && expression.items.size() == 1 &&
           expression.items[0].kind == ExpressionKind::Attribute && expression.items[0].text == "tolist";
}

} // namespace

Interpreter::Interpreter(ScriptProgram& program, const Budget& budget)
    : m_program(program)
    , m_budget(budget)
{
}

void Interpreter::step(std::size_t count)
{
    constexpr std::size_t interval = 64;
    if (m_steps / interval != (m_steps + count) / interval) {
        m_program.source().checkStop();
    }
    m_steps += count;
    m_budget.expectSteps(m_steps);
}

void Interpreter::fail(const ScriptExpression& expression, std::string_view message) const
{
    const std::string file = m_frames.empty() ? std::string("code") : m_frames.back().function->file;
    scriptError(file, expression.position, message);
}

std::string Interpreter::sourceLocation()
{
    std::string innermost;
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) {
        const SourcePlaces& places = m_program.places(frame->function->file, frame->position);
        for (auto place = places.rbegin(); place != places.rend(); ++place) {
            if (!isInsideFramework(*place)) {
                return *place;
            }
            innermost = innermost.empty() ? *place : innermost;
        }
    }
    return innermost;
}

bool Interpreter::isInFrameworkCode() const
{
    return !m_frames.empty() && m_frames.back().function->file.find("/__torch__/torch/") != std::string::npos;
}

ScriptValue Interpreter::call(ObjectRef ref, const std::string& method, Arguments arguments,
                              const ScriptArguments& named)
{
    const std::string type = object(ref).type;
    const ScriptClass* definition = m_program.findClass(type);
    if (definition == nullptr) {
        throw ModelError("damaged", fmt::format("the archive has no class {}", type));
    }
    const auto found = definition->methods.find(method);
    if (found == definition->methods.end()) {
        throw ModelError("damaged", fmt::format("class {} has no method {}", type, method));
    }
    arguments.insert(arguments.begin(), ref);
    const std::string path = object(ref).path;
    return run(found->second, std::move(arguments), named, path);
}

ScriptValue Interpreter::run(const ScriptFunction& function, Arguments arguments, const ScriptArguments& named,
                             const std::string& path)
{
    if (m_frames.size() >= deepestCall) {
        unsupported(fmt::format("calls of {} are nested too deeply", function.name));
    }
    step();
    Frame entered;
    entered.function = &function;
    entered.path = path;
    if (arguments.size() > function.parameters.size()) {
        scriptError(function.file, function.position,
                    fmt::format("{} is called with {} arguments, but it has {}", function.name, arguments.size(),
                                function.parameters.size()));
    }
    m_frames.push_back(std::move(entered));
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const ScriptParameter& parameter = function.parameters[i];
        ScriptValue value;
        const auto given =
            std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == parameter.name; });
        if (i < arguments.size()) {
            value = std::move(arguments[i]);
        } else if (given != named.end()) {
            value = given->second;
        } else if (parameter.fallback) {
            value = evaluate(*parameter.fallback);
        } else {
            scriptError(function.file, function.position,
                        fmt::format("{} is called without {}", function.name, parameter.name));
        }
        frame().variables.insert_or_assign(parameter.name, std::move(value));
    }
    execute(function.body);
    ScriptValue result = frame().result.value_or(ScriptValue());
    m_frames.pop_back();
    return result;
}

void Interpreter::execute(const ScriptBlock& block)
{
    for (const ScriptStatement& statement : block) {
        if (frame().result) {
            return;
        }
        execute(statement);
    }
}

void Interpreter::execute(const ScriptStatement& statement)
{
    step();
    frame().position = statement.position;
    using enum ScriptStatement::Kind;
    switch (statement.kind) {
    case Pass:
        break;
    case Expression:
        evaluate(statement.values[0]);
        break;
    case Return:
        frame().result = statement.values.empty() ? ScriptValue() : evaluate(statement.values[0]);
        break;
    case Assign:
        assign(statement);
        break;
    case With:
        expectSameResults(evaluate(statement.values[0]));
        execute(statement.body);
        break;
    case If:
        executeIf(statement);
        break;
    case For:
        executeFor(statement);
        break;
    case While:
        executeWhile(statement);
        break;
    case Function:
        frame().closures.insert_or_assign(statement.function->name, statement.function.get());
        break;
    }
}

void Interpreter::expectSameResults(const ScriptValue& context) const
{
    const auto* ref = std::get_if<ObjectRef>(&context);
    if (ref == nullptr || !object(*ref).type.ends_with(".autocast_mode.autocast")) {
        return;
    }
    const auto& attributes = object(*ref).attributes;
    const auto isEnabled = attributes.find("_enabled");
    if (isEnabled == attributes.end() || isEnabled->second != ScriptValue(false)) {
        unsupported("autocast, which computes some operators in lower precision, is not supported; save the model with "
                    "enabled=False");
    }
}

void Interpreter::assign(const ScriptStatement& statement)
{
    if (statement.values.empty()) {
        return; // a declaration
    }
    if (statement.unpacks) {
        Arguments items = unpacked(statement.values[0], statement.targets.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            assign(statement.targets[i], std::move(items[i]));
        }
        return;
    }
    Arguments values; // all are read before any is assigned
    for (const ScriptExpression& value : statement.values) {
        values.push_back(evaluate(value));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        assign(statement.targets[i], std::move(values[i]));
    }
}

void Interpreter::assign(const ScriptExpression& target, ScriptValue value)
{
    if (target.kind == ExpressionKind::Name) {
        frame().variables.insert_or_assign(target.text, std::move(value));
        return;
    }
    if (target.kind == ExpressionKind::Attribute) {
        const ScriptValue owner = evaluate(target.items[0]);
        if (const auto* ref = std::get_if<ObjectRef>(&owner)) {
            ObjectCell changed = object(*ref);
            changed.attributes.insert_or_assign(target.text, std::move(value));
            heap.objects[ref->index] = std::make_shared<const ObjectCell>(std::move(changed));
            return;
        }
    }
    fail(target, "this cannot be assigned to");
}

Interpreter::Arguments Interpreter::unpacked(const ScriptExpression& expression, std::size_t count)
{
    const ScriptValue value = evaluate(expression, count);
    if (std::holds_alternative<std::shared_ptr<const TensorParts>>(value) ||
        std::holds_alternative<ComputedList>(value)) {
        Arguments items;
        for (std::size_t i = 0; i < count; ++i) {
            items.push_back(item(value, static_cast<std::int64_t>(i)));
        }
        const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&value);
        if (parts != nullptr && (*parts)->kind == TensorParts::Kind::Sizes && !items.empty()) {
            const GraphValue first = std::get<ComputedNumber>(items[0]).value;
            graphs.graph()
                .node(graphs.graph().value(first.id).producer)
                .attributes.push_back({std::string(unpackedRank), static_cast<std::int64_t>(count)});
        }
        return items;
    }
    Arguments items = itemsOf(value);
    if (items.size() != count) {
        fail(expression, fmt::format("{} values are unpacked into {}", items.size(), count));
    }
    return items;
}

ScriptValue Interpreter::evaluate(const ScriptExpression& expression, std::size_t wanted)
{
    switch (expression.kind) {
    case ExpressionKind::None:
        return {};
    case ExpressionKind::Boolean:
        return expression.integer != 0;
    case ExpressionKind::Integer:
        return expression.integer;
    case ExpressionKind::Real:
        return expression.real;
    case ExpressionKind::Text:
        return expression.text;
    case ExpressionKind::Name:
        return evaluateName(expression);
    case ExpressionKind::Attribute: {
        if (const auto dotted = dottedName(expression)) {
            constexpr std::string_view prefix = "CONSTANTS.c";
            if (dotted->starts_with(prefix)) {
                const std::string digits = dotted->substr(prefix.size());
                std::size_t index = constants.size();
                if (!digits.empty() && digits.size() < 9 &&
                    digits.find_first_not_of("0123456789") == std::string::npos) {
                    index = std::stoul(digits);
                }
                if (index >= constants.size()) {
                    fail(expression, fmt::format("the archive has no constant {}", digits));
                }
                return constants[index];
            }
            if (dotted->starts_with("torch.")) { // a name of an element type or a layout, such as torch.float32
                return CodeName{*dotted};
            }
            return CodeName{*dotted};
        }
        return attribute(evaluate(expression.items[0]), expression);
    }
    case ExpressionKind::Call:
        return evaluateCall(expression, wanted);
    case ExpressionKind::Subscript: {
        if (expression.items.size() != 2) {
            fail(expression, "one index is expected");
        }
        const ScriptValue list = evaluate(expression.items[0]);
        return item(list, evaluate(expression.items[1]));
    }
    case ExpressionKind::List:
    case ExpressionKind::Tuple: {
        Arguments items;
        for (const ScriptExpression& value : expression.items) {
            items.push_back(evaluate(value));
        }
        return expression.kind == ExpressionKind::List ? newList(std::move(items)) : tupleOf(std::move(items));
    }
    case ExpressionKind::Dictionary: {
        const DictRef made = heap.add(DictCell());
        for (std::size_t i = 0; i + 1 < expression.items.size(); i += 2) {
            const ScriptValue key = evaluate(expression.items[i]);
            setEntry(made, key, evaluate(expression.items[i + 1]));
        }
        return made;
    }
    case ExpressionKind::Conditional: {
        // The two values are evaluated as branches are.
        ScriptStatement statement{.kind = ScriptStatement::Kind::If, .position = expression.position};
        statement.values.push_back(expression.items[0]);
        const std::string name = fmt::format("if_{}_{}", expression.position.line, expression.position.column);
        const auto branch = [&](const ScriptExpression& value) {
            ScriptStatement assignment{.kind = ScriptStatement::Kind::Assign, .position = expression.position};
            assignment.targets.push_back({.kind = ExpressionKind::Name, .position = expression.position, .text = name});
            assignment.values.push_back(value);
            return ScriptBlock{std::move(assignment)};
        };
        statement.body = branch(expression.items[1]);
        statement.otherwise = branch(expression.items[2]);
        executeIf(statement);
        return frame().variables.at(name);
    }
    }
    return {};
}

ScriptValue Interpreter::evaluateName(const ScriptExpression& expression)
{
    const auto found = frame().variables.find(expression.text);
    if (found == frame().variables.end()) {
        if (expression.text == "inf" || expression.text == "nan") {
            return expression.text == "inf" ? HUGE_VAL : std::nan("");
        }
        fail(expression, fmt::format("{} is not defined", expression.text));
    }
    return found->second;
}

std::optional<std::string> Interpreter::dottedName(const ScriptExpression& expression) const
{
    if (expression.kind == ExpressionKind::Name) {
        constexpr auto roots = std::to_array<std::string_view>({"torch", "ops", "__torch__", "CONSTANTS"});
        const bool isRoot = std::find(roots.begin(), roots.end(), expression.text) != roots.end() &&
                            !m_frames.back().variables.contains(expression.text);
        return isRoot ? std::optional(expression.text) : std::nullopt;
    }
    if (expression.kind == ExpressionKind::Attribute) {
        if (const auto owner = dottedName(expression.items[0])) {
            return *owner + "." + expression.text;
        }
    }
    return std::nullopt;
}

ScriptValue Interpreter::attribute(const ScriptValue& value, const ScriptExpression& expression)
{
    const std::string& name = expression.text;
    if (const auto* ref = std::get_if<ObjectRef>(&value)) {
        const ObjectCell& cell = object(*ref);
        if (const auto found = cell.attributes.find(name); found != cell.attributes.end()) {
            return found->second;
        }
        if (const ScriptClass* definition = m_program.findClass(cell.type)) {
            for (const ScriptStatement& field : definition->fields) {
                if (field.targets.size() == 1 && field.targets[0].text == name && field.values.size() == 1) {
                    return evaluate(field.values[0]); // a constant
                }
            }
        }
        fail(expression, fmt::format("{} has no attribute {}", cell.type, name));
    }
    if (const auto* tuple = std::get_if<std::shared_ptr<const TupleValue>>(&value)) {
        const auto& fields = (*tuple)->fields;
        const auto found = std::find(fields.begin(), fields.end(), name);
        if (found != fields.end()) {
            return (*tuple)->items[static_cast<std::size_t>(found - fields.begin())];
        }
    }
    if (const auto* optional = std::get_if<std::shared_ptr<const OptionalValue>>(&value)) {
        return attribute((*optional)->value, expression);
    }
    fail(expression, fmt::format("a {} has no attribute {}", kindName(value), name));
}

ScriptValue Interpreter::evaluateCall(const ScriptExpression& expression, std::size_t wanted)
{
    step();
    bool isLanguage = false;
    ScriptValue result = callLanguage(expression, isLanguage);
    if (isLanguage) {
        return result;
    }
    Arguments arguments;
    ScriptArguments named;
    const std::size_t positional = expression.items.size() - expression.names.size();
    const auto evaluateArguments = [&] {
        for (std::size_t i = 1; i < expression.items.size(); ++i) {
            ScriptValue value = evaluate(expression.items[i]);
            if (i < positional) {
                arguments.push_back(std::move(value));
            } else {
                named.emplace_back(expression.names[i - positional], std::move(value));
            }
        }
    };
    const ScriptExpression& callee = expression.items[0];
    if (const auto dotted = dottedName(callee)) {
        evaluateArguments();
        frame().position = expression.position;
        if (dotted->starts_with("torch.")) {
            return callOperator("aten::" + dotted->substr(std::string_view("torch.").size()), arguments, named, wanted);
        }
        if (dotted->starts_with("ops.")) {
            std::string op = dotted->substr(std::string_view("ops.").size());
            if (const std::size_t dot = op.find('.'); dot != std::string::npos) {
                op.replace(dot, 1, "::");
            }
            return callOperator(op, arguments, named, wanted);
        }
        return callCode(expression, *dotted, std::move(arguments), named);
    }
    if (callee.kind == ExpressionKind::Attribute) {
        const ScriptValue owner = evaluate(callee.items[0]);
        evaluateArguments();
        frame().position = expression.position;
        if (const auto* ref = std::get_if<ObjectRef>(&owner)) {
            return call(*ref, callee.text, std::move(arguments), named);
        }
        arguments.insert(arguments.begin(), owner); // a method of a list, of text, or of a tensor
        return callOperator("aten::" + callee.text, arguments, named, wanted);
    }
    const ScriptValue function = evaluate(callee);
    evaluateArguments();
    frame().position = expression.position;
    if (const auto* code = std::get_if<CodeName>(&function)) {
        return callCode(expression, code->name, std::move(arguments), named);
    }
    if (const auto* ref = std::get_if<ObjectRef>(&function)) {
        return call(*ref, "forward", std::move(arguments), named);
    }
    fail(expression, fmt::format("a {} is called", kindName(function)));
}

/// Calls of the language itself, some of which have types as arguments.
ScriptValue Interpreter::callLanguage(const ScriptExpression& expression, bool& isLanguage)
{
    const ScriptExpression& callee = expression.items[0];
    if (callee.kind != ExpressionKind::Name || frame().variables.contains(callee.text)) {
        return {};
    }
    isLanguage = true;
    const std::string& name = callee.text;
    const std::size_t count = expression.items.size() - 1;
    const auto argument = [&](std::size_t i) { return evaluate(expression.items[i + 1]); };
    const auto isTyped = [&](std::string_view type) {
        return expression.items[1].kind == ExpressionKind::Name && expression.items[1].text == type;
    };
    if (name == "annotate" && count == 2 && isToList(expression.items[2])) {
        return toList(evaluate(expression.items[2].items[0].items[0]), expression.items[1]);
    }
    if ((name == "annotate" || name == "unchecked_cast") && count == 2) {
        ScriptValue value = argument(1);
        if (const auto* optional = std::get_if<std::shared_ptr<const OptionalValue>>(&value);
            optional != nullptr && name == "unchecked_cast") {
            return (*optional)->value;
        }
        if (std::holds_alternative<TensorRef>(value)) {
            for (const auto& [type, kind] : {std::pair("int", NumberKind::Int), std::pair("float", NumberKind::Float),
                                             std::pair("bool", NumberKind::Bool)}) {
                if (isTyped(type)) {
                    return toNumber(kind, value);
                }
            }
        }
        return value;
    }
    if (name == "uninitialized" && count == 1) {
        return UndefinedValue{std::string(notAssigned)};
    }
    if (name == "isinstance" && count == 2) {
        return isInstance(argument(0), expression.items[2]);
    }
    if (name == "getattr" && count == 2 && expression.items[2].kind == ExpressionKind::Text) {
        ScriptExpression access{
            .kind = ExpressionKind::Attribute, .position = expression.position, .text = expression.items[2].text};
        return attribute(argument(0), access);
    }
    if ((name == "int" || name == "float" || name == "bool") && count == 1) {
        return toNumber(name == "int"     ? NumberKind::Int
                        : name == "float" ? NumberKind::Float
                                          : NumberKind::Bool,
                        argument(0));
    }
    if (name == "str" && count == 1) {
        return asText(argument(0));
    }
    if (name == "print") {
        for (std::size_t i = 0; i < count; ++i) {
            argument(i);
        }
        return {};
    }
    if (name == "complex") {
        unsupported("complex numbers are not supported");
    }
    if (name == "len" && count == 1) {
        return callOperator("aten::len", {argument(0)}, {}, 0);
    }
    if (name == "sorted" && count == 1) {
        return sortedList(argument(0), false);
    }
    if (name == "fork" && count == 1 && expression.items[1].kind == ExpressionKind::Name) {
        return fork(expression, expression.items[1].text);
    }
    fail(expression, fmt::format("{} is not defined", name));
}

/// The result of a function that runs beside the rest of the program: run at once, it is the same.
ScriptValue Interpreter::fork(const ScriptExpression& expression, const std::string& name)
{
    const auto found = frame().closures.find(name);
    if (found == frame().closures.end()) {
        fail(expression, fmt::format("{} is not defined", name));
    }
    if (m_frames.size() >= deepestCall) {
        unsupported(fmt::format("calls of {} are nested too deeply", name));
    }
    Frame entered;
    entered.function = found->second;
    entered.path = frame().path;
    entered.variables = frame().variables;
    m_frames.push_back(std::move(entered));
    execute(frame().function->body);
    ScriptValue result = frame().result.value_or(ScriptValue());
    m_frames.pop_back();
    return result;
}

bool Interpreter::isInstance(const ScriptValue& value, const ScriptExpression& type)
{
    if (type.kind == ExpressionKind::Tuple || type.kind == ExpressionKind::List) {
        return std::any_of(type.items.begin(), type.items.end(),
                           [&](const ScriptExpression& one) { return isInstance(value, one); });
    }
    if (type.kind == ExpressionKind::None) {
        return isNone(value);
    }
    const std::string& name = type.kind == ExpressionKind::Subscript ? type.items[0].text : type.text;
    if (const auto* ref = std::get_if<ObjectRef>(&value)) {
        return dottedName(type) == std::optional(object(*ref).type);
    }
    if (name == "Optional") {
        return isNone(value) || isInstance(value, type.items[1]);
    }
    return name == "Any" || name == (name == "NoneType" && isNone(value) ? "NoneType" : kindName(value));
}

ScriptValue Interpreter::callCode(const ScriptExpression& expression, const std::string& name, Arguments arguments,
                                  const ScriptArguments& named)
{
    if (const auto result = environmentFunction(name)) {
        return *result;
    }
    if (const ScriptFunction* function = m_program.findFunction(name)) {
        return run(*function, std::move(arguments), named, frame().path);
    }
    constexpr std::string_view allocation = ".__new__";
    if (name.ends_with(allocation)) {
        return heap.add(ObjectCell{.type = name.substr(0, name.size() - allocation.size()), .path = frame().path});
    }
    if (m_program.findClass(name) != nullptr) {
        return construct(name, std::move(arguments), named);
    }
    if (name.starts_with("__torch__.torch.classes.")) {
        unsupported(fmt::format("the class {} is not in the file",
                                name.substr(std::string_view("__torch__.torch.classes.").size())));
    }
    fail(expression, fmt::format("the archive has no function {}", name));
}

ScriptValue Interpreter::construct(const std::string& name, Arguments arguments, const ScriptArguments& named)
{
    const ScriptClass& definition = *m_program.findClass(name);
    if (definition.base != "NamedTuple") {
        const ObjectRef made = heap.add(ObjectCell{.type = name, .path = frame().path});
        call(made, "__init__", std::move(arguments), named);
        return made;
    }
    std::vector<std::string> fields;
    for (const ScriptStatement& field : definition.fields) {
        const std::string& fieldName = field.targets[0].text;
        fields.push_back(fieldName);
        if (fields.size() <= arguments.size()) {
            continue;
        }
        const auto given =
            std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == fieldName; });
        arguments.push_back(given != named.end()    ? given->second
                            : !field.values.empty() ? evaluate(field.values[0])
                                                    : ScriptValue());
    }
    return tupleOf(std::move(arguments), std::move(fields));
}

/// Whether a text of unknown length is empty.
ScriptValue Interpreter::compareLength(const std::string& op, const Arguments& arguments)
{
    constexpr auto comparisons =
        std::to_array<std::string_view>({"aten::eq", "aten::ge", "aten::gt", "aten::le", "aten::lt", "aten::ne"});
    const bool isWithZero =
        std::find(arguments.begin(), arguments.end(), ScriptValue(std::int64_t{0})) != arguments.end();
    if (arguments.size() != 2 || !isWithZero ||
        std::find(comparisons.begin(), comparisons.end(), op) == comparisons.end()) {
        unsupported("the length of a text is used that the model computes");
    }
    return arithmetic(op, {signOf(arguments[0]), signOf(arguments[1])});
}

ScriptValue Interpreter::callOperator(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                                      std::size_t wanted)
{
    static const auto table = [] {
        std::map<std::string_view, ScriptFunctionBody> rows;
        for (const auto family : {listFunctions(), textFunctions(), tensorFunctions()}) {
            for (const ScriptFunctionRow& row : family) {
                rows.emplace(row.op, row.call);
            }
        }
        return rows;
    }();
    for (const ScriptValue& value : arguments) {
        if (const auto* undefined = std::get_if<UndefinedValue>(&value)) {
            unsupported(fmt::format("{} reads a value that has no form in a graph: {}", op, undefined->reason));
        }
    }
    if (std::any_of(arguments.begin(), arguments.end(),
                    [](const ScriptValue& value) { return std::holds_alternative<TextLength>(value); })) {
        return compareLength(op, arguments);
    }
    if (auto result = callQuantized(*this, op, arguments, named, wanted)) {
        return std::move(*result);
    }
    if (const auto found = table.find(op); found != table.end()) {
        return found->second(*this, arguments, named);
    }
    if (isNumberOperator(op, arguments)) {
        return arithmetic(op, arguments);
    }
    return callSignature(op, arguments, named, wanted);
}

ScriptValue returnNone(Interpreter& /*script*/, const Interpreter::Arguments& /*arguments*/,
                       const ScriptArguments& /*named*/)
{
    return {};
}

ScriptValue returnFirst(Interpreter& /*script*/, const Interpreter::Arguments& arguments,
                        const ScriptArguments& /*named*/)
{
    return arguments.at(0);
}

} // namespace crosswalk::pytorch
