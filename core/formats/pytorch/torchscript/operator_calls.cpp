// Operators of PyTorch become nodes. The code names neither their arguments nor their overloads: both follow from the
// signatures and the kinds of the operands, as torch/csrc/jit/frontend/schema_matching.cpp determines them.

#include "core/base/is_one_of.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/in_place_operators.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/scalar_types.h"
#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/view_operators.h"
#include "core/graph/source_location.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::pytorch {
namespace {

bool isTensor(const ScriptValue& value)
{
    return std::holds_alternative<TensorRef>(value);
}

bool isInt(const ScriptValue& value)
{
    return numberKindOf(value) == NumberKind::Int;
}

bool isList(const ScriptValue& value)
{
    return std::holds_alternative<ListRef>(value) || std::holds_alternative<std::shared_ptr<const TupleValue>>(value);
}

/// The results may be views or copies, depending on the order of the elements in memory.
bool isPossibleView(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"aten::_to_copy", "aten::conj_physical", "aten::dequantize",
                                         "aten::sum_to_size", "aten::to", "aten::type_as"});
    return isViewOfContiguous(op) || isOneOf(op, names);
}

/// Returns its operand itself, rather than a view of it, if it has nothing to change.
bool mayReturnOperand(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::alpha_dropout", "aten::atleast_1d", "aten::atleast_2d", "aten::atleast_3d", "aten::conj_physical",
         "aten::contiguous", "aten::dequantize", "aten::dropout", "aten::feature_alpha_dropout",
         "aten::feature_dropout", "aten::flatten", "aten::positive", "aten::ravel", "aten::real", "aten::resolve_conj",
         "aten::resolve_neg", "aten::sum_to_size", "aten::to", "aten::type_as"});
    return isOneOf(op, names);
}

/// New tensors, whatever their operands are.
bool makesRowMajor(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"aten::arange", "aten::empty", "aten::eye", "aten::full", "aten::linspace",
                                         "aten::new_empty", "aten::new_full", "aten::new_ones", "aten::new_zeros",
                                         "aten::ones", "aten::rand", "aten::randint", "aten::randn", "aten::zeros"});
    return std::find(names.begin(), names.end(), op) != names.end();
}

/// Results have the order of the operands if that is the same one. PyTorch orders the results of other operators as
/// their kernels do.
bool keepsOrder(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"abs",        "add",         "bitwise_and", "bitwise_not", "bitwise_or",  "bitwise_xor", "cat",
         "ceil",       "clamp",       "clamp_max",   "clamp_min",   "clone",       "cos",         "div",
         "empty_like", "eq",          "erf",         "exp",         "floor",       "fmod",        "full_like",
         "ge",         "gt",          "hardsigmoid", "hardswish",   "hardtanh",    "le",          "leaky_relu",
         "log",        "logical_and", "logical_not", "logical_or",  "logical_xor", "lt",          "maximum",
         "minimum",    "mul",         "ne",          "neg",         "ones_like",   "pow",         "rand_like",
         "randn_like", "reciprocal",  "relu",        "remainder",   "round",       "rsqrt",       "rsub",
         "sigmoid",    "sign",        "silu",        "sin",         "sqrt",        "square",      "stack",
         "sub",        "tanh",        "to",          "trunc",       "type_as",     "where",       "zeros_like",
         "_to_copy"});
    constexpr std::string_view prefix = "aten::";
    return op.starts_with(prefix) && std::find(names.begin(), names.end(), op.substr(prefix.size())) != names.end();
}

/// Returns the same elements.
bool isAlias(std::string_view op)
{
    return op == "aten::detach" || op == "aten::alias" || op == "aten::data" || op == "aten::lift_fresh";
}

/// Returns its input at inference.
bool isIdentityAtInference(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::dropout", "aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout"});
    return std::find(names.begin(), names.end(), op) != names.end();
}

/// Whether PyTorch promotes a stored tensor without dimensions as a number, as which a trace may have met it. Other
/// operators promote it as a tensor.
bool promotesAsNumber(const Node& node, std::string_view argument)
{
    const auto* overload = attributeOf<std::string>(node, overloadName);
    return argument == "other" && isOneOf(node.op, {"aten::add", "aten::div", "aten::mul", "aten::sub"}) &&
           (overload == nullptr || *overload != "Tensor_mode");
}

std::optional<TensorParts::Kind> partsOf(std::string_view op)
{
    if (op == "aten::unbind" || op == "aten::unbind_copy") {
        return TensorParts::Kind::Unbind;
    }
    if (op == "aten::split" || op == "aten::unsafe_split" || op == "aten::split_copy") {
        return TensorParts::Kind::Split;
    }
    return op == "aten::chunk" || op == "aten::unsafe_chunk" ? std::optional(TensorParts::Kind::Chunk) : std::nullopt;
}

} // namespace

bool Interpreter::accepts(const SignatureArgument& argument, const ScriptValue& value, Conversions conversions)
{
    if (const auto* optional = std::get_if<std::shared_ptr<const OptionalValue>>(&value)) {
        return accepts(argument, (*optional)->value, conversions);
    }
    if (isNone(value)) {
        return argument.mayBeNone;
    }
    const auto all = [&](auto accepted) {
        if (!isList(value)) {
            return false;
        }
        if (const auto* list = std::get_if<ListRef>(&value); list != nullptr && heap.lists[list->index].stacked) {
            return false;
        }
        const Arguments items = itemsOf(value);
        return std::all_of(items.begin(), items.end(), accepted);
    };
    const auto isStackedInts = [&](const ScriptValue& item) {
        const auto* list = std::get_if<ListRef>(&item);
        return list != nullptr && heap.lists[list->index].stackedNumbers == NumberKind::Int;
    };
    const auto isNumber = [](const ScriptValue& item) { return numberKindOf(item).has_value(); };
    const auto* vector = std::get_if<ComputedList>(&value);
    const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&value);
    switch (argument.kind) {
    case ArgumentKind::Tensor:
        return isTensor(value) || (conversions >= Conversions::ToTensors && isNumber(value));
    case ArgumentKind::TensorList:
        return all(isTensor) || (parts != nullptr && (*parts)->kind != TensorParts::Kind::Sizes);
    case ArgumentKind::OptionalTensorList:
        return all([](const ScriptValue& item) { return isTensor(item) || isNone(item); });
    case ArgumentKind::Int:
        return isInt(value) ||
               (conversions == Conversions::All && (isTensor(value) || numberKindOf(value) == NumberKind::Bool));
    case ArgumentKind::Ints:
        return (isInt(value) && conversions != Conversions::None) || all(isInt) || isStackedInts(value) ||
               (vector != nullptr && vector->kind == NumberKind::Int) ||
               (parts != nullptr && (*parts)->kind == TensorParts::Kind::Sizes) ||
               (conversions == Conversions::All &&
                all([&](const ScriptValue& item) { return isInt(item) || isTensor(item); }));
    case ArgumentKind::Float:
        return numberKindOf(value) == NumberKind::Float || isInt(value) ||
               (conversions == Conversions::All && isTensor(value));
    case ArgumentKind::Floats:
        return isNumber(value) || all(isNumber);
    case ArgumentKind::Bool:
        return numberKindOf(value) == NumberKind::Bool || (conversions == Conversions::All && isTensor(value));
    case ArgumentKind::Bools:
    case ArgumentKind::Numbers:
        return all(isNumber);
    case ArgumentKind::Number:
        return isNumber(value) || (conversions == Conversions::All && isTensor(value));
    case ArgumentKind::Text:
        return std::holds_alternative<std::string>(value);
    case ArgumentKind::ElementType:
        return isInt(value);
    case ArgumentKind::Ignored:
        return true;
    }
    return false;
}

std::optional<std::vector<Interpreter::BoundArgument>> Interpreter::bind(const Signature& signature,
                                                                         const Arguments& arguments,
                                                                         const ScriptArguments& named,
                                                                         Conversions conversions)
{
    std::vector<BoundArgument> bound;
    std::size_t next = 0;
    std::size_t used = 0;
    for (const SignatureArgument& argument : signature.arguments) {
        const auto given =
            std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == argument.name; });
        const ScriptValue* value = nullptr;
        if (next < arguments.size() && !argument.isKeywordOnly) {
            value = &arguments[next++];
        } else if (given != named.end()) {
            value = &given->second;
            ++used;
        } else if (argument.hasDefault) {
            continue;
        } else {
            return std::nullopt;
        }
        if (!accepts(argument, *value, conversions)) {
            return std::nullopt;
        }
        bound.push_back({&argument, *value});
    }
    return next == arguments.size() && used == named.size() ? std::optional(std::move(bound)) : std::nullopt;
}

ScriptValue Interpreter::callSignature(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                                       std::size_t wanted)
{
    std::span<const Signature> overloads = signaturesOf(op);
    const auto inPlaceOf = operatorOfInPlace(op);
    if (overloads.empty() && inPlaceOf) {
        overloads = signaturesOf(*inPlaceOf);
    }
    const auto out = std::ranges::find(named, "out", [](const auto& argument) { return argument.first; });
    if (out != named.end() && isTensor(out->second)) {
        return writeResult(op, arguments, named, std::get<TensorRef>(out->second));
    }
    const auto optional = std::ranges::find_if(arguments, [](const ScriptValue& argument) {
        return std::holds_alternative<std::shared_ptr<const OptionalValue>>(argument);
    });
    if (optional != arguments.end() && !inPlaceOf) {
        return callForEither(op, arguments, named, static_cast<std::size_t>(optional - arguments.begin()));
    }
    if (op == "aten::frexp" && !arguments.empty() && numberKindOf(arguments[0])) {
        unsupported("frexp of a number is not supported");
    }
    for (const Conversions conversions : {Conversions::None, Conversions::ToTensors, Conversions::All}) {
        for (const Signature& signature : overloads) {
            if (auto bound = bind(signature, arguments, named, conversions)) {
                return callBound(op, signature, std::move(*bound), wanted);
            }
        }
    }
    if (overloads.empty()) {
        unsupported(isOneOf(op.substr(0, op.find("::")), {"aten", "prim", "quantized", "_quantized"})
                        ? fmt::format("operator {} is not supported", op)
                        : fmt::format("operator {} is not part of PyTorch; its meaning is not in the file", op));
    }
    std::vector<std::string_view> kinds;
    for (const ScriptValue& value : arguments) {
        const auto* list = std::get_if<ListRef>(&value);
        if (list != nullptr && heap.lists[list->index].stacked) {
            unsupported(fmt::format("the number of items of a list that a loop built for {} is not constant (give "
                                    "fixed input shapes)",
                                    op));
        }
        kinds.push_back(kindName(value));
    }
    unsupported(fmt::format("{}({}) matches no overload of the operator", op, fmt::join(kinds, ", ")));
}

/// An operator with an argument that is None or not: a branch with a call for either.
ScriptValue Interpreter::callForEither(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                                       std::size_t index)
{
    const std::string result = " result"; // not a name of the program
    const auto given = std::get<std::shared_ptr<const OptionalValue>>(arguments[index]);
    const auto callWith = [&](const ScriptValue& argument) {
        Arguments changed = arguments;
        changed[index] = argument;
        ScriptValue value = callSignature(op, changed, named);
        frame().variables.insert_or_assign(result, std::move(value));
    };
    branch(
        ComputedNumber{NumberKind::Bool, given->isPresent}, [&] { callWith(given->value); },
        [&] { callWith(ScriptValue()); });
    const auto found = frame().variables.find(result);
    assert(found != frame().variables.end());
    ScriptValue value = found->second;
    frame().variables.erase(found);
    return value;
}

/// An operator that writes its result to a tensor, in that tensor's type.
ScriptValue Interpreter::writeResult(const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                                     TensorRef target)
{
    ScriptArguments others = named;
    std::erase_if(others, [](const auto& argument) { return argument.first == "out"; });
    const ScriptValue result = callSignature(op, arguments, others);
    const auto* tensor = std::get_if<TensorRef>(&result);
    if (tensor == nullptr) {
        unsupported(fmt::format("{} writes several results", op));
    }
    write(target, read(std::get<TensorRef>(callSignature("aten::type_as", {*tensor, target}))));
    heap.tensors[target.index].rank = rankOf(*tensor); // PyTorch gives the target the shape of the result
    return target;
}

ScriptValue Interpreter::callBound(const std::string& op, const Signature& signature, std::vector<BoundArgument> bound,
                                   std::size_t wanted)
{
    const auto inPlaceOf = operatorOfInPlace(op);
    const bool isInPlace = inPlaceOf.has_value();
    std::string name = inPlaceOf.value_or(op);
    constexpr std::string_view unsafe = "aten::unsafe_"; // whose results autograd does not take for views
    if (name.starts_with(unsafe)) {
        name = "aten::" + name.substr(unsafe.size());
    }
    const auto* self = bound.empty() ? nullptr : std::get_if<TensorRef>(&bound[0].value);
    // Parts whose number only the tensor's shape determines.
    const auto parts = partsOf(name);
    if (parts && !wanted) {
        const auto second = [&](std::string_view argument, ScriptValue fallback) {
            for (const BoundArgument& one : bound) {
                if (one.argument->name == argument) {
                    return one.value;
                }
            }
            return fallback;
        };
        const bool isList = *parts == TensorParts::Kind::Split && !isInt(second("split_size", std::int64_t{1}));
        if (!isList) {
            if (self == nullptr) {
                unsupported(fmt::format("the first argument of {} is not a tensor", name));
            }
            // The parts stay what they are if the tensor gets another shape.
            const TensorRef whole = newView(*self, read(*self), nullptr);
            heap.tensors[whole.index].rank = rankOf(*self);
            return std::make_shared<const TensorParts>(
                TensorParts{*parts, whole,
                            *parts == TensorParts::Kind::Unbind
                                ? ScriptValue()
                                : second(*parts == TensorParts::Kind::Split ? "split_size" : "chunks", ScriptValue()),
                            second("dim", std::int64_t{0})});
        }
        wanted = itemsOf(second("split_size", ScriptValue())).size();
    }
    Node node = newNode(name, signature.overload);
    std::vector<std::string> names;
    std::vector<std::string> numbers;
    for (const BoundArgument& argument : bound) {
        addArgument(node, names, numbers, argument.argument->name, argument.argument->kind, argument.value);
    }
    if (isInPlace && !signature.isView) {
        node.attributes.push_back({std::string(inPlace), true});
    }
    std::size_t outputs = signature.results.size();
    const bool isListResult = outputs == 1 && signature.results[0] == ArgumentKind::TensorList;
    if (isListResult) {
        if (wanted == 0) {
            const ScriptValue* sizes = nullptr; // a list with an item for each result
            for (const BoundArgument& argument : bound) {
                if (argument.argument->kind == ArgumentKind::TensorList ||
                    argument.argument->kind == ArgumentKind::Ints) {
                    sizes = &argument.value;
                }
            }
            const bool addsOne = name == "aten::tensor_split" || name == "aten::hsplit" || name == "aten::vsplit" ||
                                 name == "aten::dsplit";
            if (sizes != nullptr && isList(*sizes)) {
                wanted = itemsOf(*sizes).size() + (addsOne ? 1 : 0);
            } else if (addsOne && bound.size() > 1 && std::holds_alternative<std::int64_t>(bound[1].value)) {
                wanted = static_cast<std::size_t>(
                    std::clamp<std::int64_t>(std::get<std::int64_t>(bound[1].value), 0, 1 << 16));
            } else if (listsIndices(name, bound.size()) && self != nullptr && rankOf(*self)) {
                wanted = std::max<std::size_t>(*rankOf(*self), 1);
            } else {
                unsupported(fmt::format("the number of results of {} is not constant", name));
            }
        }
        outputs = wanted;
    }
    const std::vector<GraphValue> values = finish(std::move(node), std::move(names), std::move(numbers), outputs);
    ScriptArguments viewArguments; // shared by the results: a list of sizes is as long as they are many
    const auto newTensorView = [&](std::size_t output) {
        if (viewArguments.empty()) {
            for (std::size_t a = 1; a < bound.size(); ++a) {
                viewArguments.emplace_back(bound[a].argument->name, snapshot(bound[a].value));
            }
        }
        TensorView view;
        view.op = name;
        view.output = static_cast<std::uint32_t>(output);
        view.outputs = isListResult ? static_cast<std::uint32_t>(outputs) : 0;
        view.named = viewArguments;
        return std::make_shared<const TensorView>(std::move(view));
    };
    const std::optional<std::size_t> rank = rankOfResult(name, bound);
    if (isInPlace && self != nullptr && !values.empty()) {
        if (signature.isView) {
            reshapeInPlace(*self, values[0], newTensorView(0));
            heap.tensors[self->index].rank = rank;
        } else {
            write(*self, values[0]);
        }
        return *self;
    }
    const auto viewOf = [&](std::size_t i) -> ScriptValue {
        if (signature.isView && self == nullptr) {
            return newShareOfItem(bound, i, isListResult, values[i]);
        }
        const bool trains = isIdentityAtInference(name) && bound.size() == 3 && bound[2].value == ScriptValue(true) &&
                            bound[1].value != ScriptValue(0.0);
        if (self == nullptr || (!signature.isView && (!isIdentityAtInference(name) || trains))) {
            return newTensor(values[i], graphs.graph().value(values[i].id).name);
        }
        if (isIdentityAtInference(name) || isAlias(name)) {
            return newView(*self, values[i], nullptr);
        }
        if (isViewOfContiguous(name) && heap.tensors[self->index].order != ElementOrder::Unknown &&
            !givesMemoryFormat(bound)) {
            return newView(*self, values[i], name == "aten::contiguous" ? nullptr : newTensorView(i));
        }
        if (isPossibleView(name)) {
            return newShare(*self, values[i]);
        }
        return newView(*self, values[i], newTensorView(i));
    };
    const auto result = [&](std::size_t i) -> ScriptValue {
        switch (isListResult ? ArgumentKind::Tensor : signature.results[i]) {
        case ArgumentKind::Int:
        case ArgumentKind::ElementType:
            return ComputedNumber{NumberKind::Int, values[i]};
        case ArgumentKind::Float:
        case ArgumentKind::Number:
            return ComputedNumber{NumberKind::Float, values[i]};
        case ArgumentKind::Bool:
            return ComputedNumber{NumberKind::Bool, values[i]};
        default:
            return viewOf(i);
        }
    };
    Arguments results;
    for (std::size_t i = 0; i < outputs; ++i) {
        results.push_back(result(i));
    }
    if (auto* first = results.empty() ? nullptr : std::get_if<TensorRef>(results.data()); first != nullptr) {
        if (self != nullptr && mayReturnOperand(name)) {
            heap.tensors[first->index].aliasOf = self->index;
        }
        // The conversion keeps the axes of time and samples apart, but programs see the data of a packed sequence.
        constexpr std::size_t rankOfPacked = 2;
        const bool isPacked =
            name == "aten::_pack_padded_sequence" || (signature.overload == "data" && signature.results.size() > 1);
        heap.tensors[first->index].rank = isPacked ? std::optional(rankOfPacked) : rank;
    }
    for (const ScriptValue& made : results) {
        const auto* tensor = std::get_if<TensorRef>(&made);
        if (tensor != nullptr && (isListResult || haveOneRank(name))) {
            heap.tensors[tensor->index].rank = rank;
        }
        if (tensor != nullptr && !heap.tensors[tensor->index].base && !isListResult) {
            heap.tensors[tensor->index].order = orderOfResult(name, bound);
        }
    }
    if (isListResult) {
        return newList(std::move(results));
    }
    return results.empty() ? ScriptValue() : results.size() == 1 ? results[0] : tupleOf(std::move(results));
}

/// Whether a call asks for another order of elements than its operands have.
bool Interpreter::givesMemoryFormat(const std::vector<BoundArgument>& bound)
{
    static constexpr std::int64_t contiguous = 0;
    static constexpr std::int64_t preserved = 1;
    return std::ranges::any_of(bound, [](const BoundArgument& argument) {
        return argument.argument->name == "memory_format" && !isNone(argument.value) &&
               argument.value != ScriptValue(contiguous) && argument.value != ScriptValue(preserved);
    });
}

ElementOrder Interpreter::orderOfResult(std::string_view name, const std::vector<BoundArgument>& bound)
{
    if (givesMemoryFormat(bound)) {
        return ElementOrder::Unknown;
    }
    if (makesRowMajor(name)) {
        return ElementOrder::RowMajor;
    }
    if (name == "aten::contiguous") {
        return ElementOrder::Contiguous;
    }
    if (!keepsOrder(name)) {
        return ElementOrder::Unknown;
    }
    ElementOrder least = ElementOrder::RowMajor;
    std::size_t tensors = 0;
    const auto visit = [&](const ScriptValue& value) {
        if (const auto* tensor = std::get_if<TensorRef>(&value)) {
            least = std::min(least, heap.tensors[tensor->index].order);
            ++tensors;
        }
    };
    for (const BoundArgument& argument : bound) {
        visit(argument.value);
        if (argument.argument->kind == ArgumentKind::TensorList) {
            if (!isList(argument.value)) {
                return ElementOrder::Unknown;
            }
            std::ranges::for_each(itemsOf(argument.value), visit);
        }
    }
    // Operands that are broadcast without elements have other strides.
    return tensors > 1 ? std::min(least, ElementOrder::Contiguous) : least;
}

/// The result of an operator on a list of tensors, which may return the items or views of them: each of several results
/// is one of the item at its position, and the only result one of the only item.
TensorRef Interpreter::newShareOfItem(const std::vector<BoundArgument>& bound, std::size_t position, bool isListResult,
                                      GraphValue value)
{
    for (const BoundArgument& argument : bound) {
        if (argument.argument->kind != ArgumentKind::TensorList) {
            continue;
        }
        if (const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&argument.value)) {
            return newShare((*parts)->tensor, value);
        }
        const Arguments items = itemsOf(argument.value);
        if (isListResult ? position < items.size() : items.size() == 1) {
            return newShare(std::get<TensorRef>(items[position]), value);
        }
    }
    return newTensor(value, graphs.graph().value(value.id).name);
}

std::vector<GraphValue> Interpreter::emit(const std::string& op, std::string_view overload,
                                          const ScriptArguments& operands, std::size_t outputs)
{
    Node node = newNode(op, overload);
    std::vector<std::string> names;
    std::vector<std::string> numbers;
    for (const auto& [name, value] : operands) {
        const ArgumentKind kind = isTensor(value)                              ? ArgumentKind::Tensor
                                  : std::holds_alternative<std::string>(value) ? ArgumentKind::Text
                                  : numberKindOf(value)                        ? ArgumentKind::Number
                                                                               : ArgumentKind::Numbers;
        addArgument(node, names, numbers, name, kind, value);
    }
    return finish(std::move(node), std::move(names), std::move(numbers), outputs);
}

Node Interpreter::newNode(const std::string& op, std::string_view overload)
{
    Node node{.op = op};
    std::string path = m_frames.empty() ? std::string() : frame().path;
    if (!m_frames.empty()) {
        node.attributes.push_back(
            {std::string(stackTrace),
             fmt::format("{}:{}, in {}", frame().function->file, frame().position.line, frame().function->name)});
        if (std::string location = sourceLocation(); !location.empty()) {
            node.attributes.push_back({std::string(sourceLocationAttribute), std::move(location)});
        }
    }
    if (!path.empty()) {
        node.attributes.push_back({std::string(modulePath), path});
    }
    std::replace(path.begin(), path.end(), '.', '/');
    std::string label = op.substr(op.rfind(':') + 1);
    while (label.size() > 1 && label.front() == '_') {
        label.erase(0, 1);
    }
    node.name = graphs.unique(path.empty() ? label : path + "/" + label);
    if (!overload.empty()) {
        node.attributes.push_back({std::string(overloadName), std::string(overload)});
    }
    return node;
}

std::vector<GraphValue> Interpreter::finish(Node node, std::vector<std::string> names, std::vector<std::string> numbers,
                                            std::size_t outputs)
{
    node.attributes.push_back({std::string(argumentNames), std::move(names)});
    if (!numbers.empty()) {
        node.attributes.push_back({std::string(computedNumbers), std::move(numbers)});
    }
    return graphs.add(std::move(node), outputs);
}

void Interpreter::addArgument(Node& node, std::vector<std::string>& names, std::vector<std::string>& numbers,
                              std::string_view argument, ArgumentKind kind, const ScriptValue& given)
{
    const std::string name(argument);
    if (std::holds_alternative<std::shared_ptr<const OptionalValue>>(given)) {
        unsupported(fmt::format("argument {} of {} is None or not, depending on the inputs", name, node.op));
    }
    const ScriptValue& value = given;
    if (name == deviceName && std::holds_alternative<std::string>(value)) {
        node.attributes.push_back({name, std::get<std::string>(value)});
        return;
    }
    if (isNone(value) || kind == ArgumentKind::Ignored) {
        return;
    }
    const auto addInput = [&](const std::string& as, GraphValue input, bool isNumber) {
        node.inputs.push_back(graphs.at(input));
        names.push_back(as);
        if (isNumber) {
            numbers.push_back(as);
        }
    };
    const auto set = [&](AttributeValue attribute) { node.attributes.push_back({name, std::move(attribute)}); };
    const auto addList = [&](bool areTensors) {
        const Arguments items = itemsOf(value);
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!isNone(items[i])) {
                assert(areTensors);
                addInput(fmt::format("{}[{}]", name, i), read(std::get<TensorRef>(items[i])), false);
            }
        }
        set(Ints(items.size(), 0));
    };
    switch (kind) {
    case ArgumentKind::Tensor:
        if (isTensor(value)) {
            const TensorRef tensor = std::get<TensorRef>(value);
            addInput(name, read(tensor), heap.tensors[tensor.index].isNumber && promotesAsNumber(node, name));
        } else {
            addInput(name, graphValue(value), false);
        }
        return;
    case ArgumentKind::TensorList:
        if (const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&value);
            parts != nullptr && !fixedLength(**parts)) {
            unsupported(fmt::format("the number of tensors in argument {} of {} is not constant", name, node.op));
        }
        addList(true);
        return;
    case ArgumentKind::OptionalTensorList:
        addList(true);
        return;
    case ArgumentKind::ElementType: {
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            const ElementType type = fromScalarType(*number);
            if (type == ElementType::Undefined) {
                unsupported(fmt::format("{} uses element type {}, which ONNX does not have", node.op, *number));
            }
            set(type);
        } else {
            addInput(name, graphValue(value), true);
        }
        return;
    }
    case ArgumentKind::Text:
        set(std::get<std::string>(value));
        return;
    case ArgumentKind::Ints:
    case ArgumentKind::Floats:
    case ArgumentKind::Bools:
    case ArgumentKind::Numbers:
        addNumbers(node, names, numbers, argument, value);
        return;
    default:
        break;
    }
    if (isTensor(value)) { // where a number is expected
        addInput(name, read(std::get<TensorRef>(value)), true);
    } else if (const auto* computed = std::get_if<ComputedNumber>(&value)) {
        addInput(name, computed->value, true);
    } else if (const auto* truth = std::get_if<bool>(&value)) {
        set(*truth);
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        if (kind == ArgumentKind::Float) {
            set(static_cast<double>(*integer));
        } else {
            set(*integer);
        }
    } else {
        set(std::get<double>(value));
    }
}

void Interpreter::addNumbers(Node& node, std::vector<std::string>& names, std::vector<std::string>& numbers,
                             std::string_view name, const ScriptValue& value)
{
    const auto addInput = [&](const std::string& as, GraphValue input) {
        node.inputs.push_back(graphs.at(input));
        names.push_back(as);
        numbers.push_back(as);
    };
    if (!isList(value) && !numberKindOf(value)) {
        addInput(std::string(name), vectorOf(value).value);
        return;
    }
    if (const auto* list = std::get_if<ListRef>(&value); list != nullptr && heap.lists[list->index].stacked) {
        addInput(std::string(name), vectorOf(value).value);
        return;
    }
    const Arguments items = isList(value) ? itemsOf(value) : Arguments{value};
    const bool hasReal = std::any_of(items.begin(), items.end(),
                                     [](const ScriptValue& item) { return numberKindOf(item) == NumberKind::Float; });
    Ints integers;
    std::vector<double> reals;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::int64_t integer = 0;
        double real = 0;
        const std::string element = fmt::format("{}[{}]", name, i);
        if (const auto* computed = std::get_if<ComputedNumber>(&items[i])) {
            addInput(element, computed->value);
        } else if (const auto* tensor = std::get_if<TensorRef>(&items[i])) {
            addInput(element, read(*tensor));
        } else if (const auto* truth = std::get_if<bool>(&items[i])) {
            integer = *truth ? 1 : 0;
        } else if (const auto* constant = std::get_if<std::int64_t>(&items[i])) {
            integer = *constant;
            real = static_cast<double>(*constant);
        } else {
            real = std::get<double>(items[i]);
        }
        integers.push_back(integer);
        reals.push_back(real);
    }
    if (hasReal) {
        node.attributes.push_back({std::string(name), std::move(reals)});
    } else {
        node.attributes.push_back({std::string(name), std::move(integers)});
    }
}

} // namespace crosswalk::pytorch
