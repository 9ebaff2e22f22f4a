// Properties of tensors, and operators whose operands are lists or Python numbers as well as tensors.

#include "core/formats/pytorch/scalar_types.h"
#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;
using Parts = std::shared_ptr<const TensorParts>;

const std::int64_t zero = 0;

TensorRef tensorIn(const Arguments& arguments)
{
    const auto* tensor = arguments.empty() ? nullptr : std::get_if<TensorRef>(arguments.data());
    if (tensor == nullptr) {
        Interpreter::unsupported(
            fmt::format("a {} is used as a tensor", arguments.empty() ? "missing argument" : kindName(arguments[0])));
    }
    return *tensor;
}

ScriptValue size(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.size() == 1 && named.empty()) {
        // The sizes stay what they are if the tensor gets another shape.
        const auto now = std::get<TensorRef>(script.snapshot(tensorIn(arguments)));
        return std::make_shared<const TensorParts>(TensorParts{TensorParts::Kind::Sizes, now, ScriptValue(), zero});
    }
    if (arguments.size() == 2 && named.empty() && std::holds_alternative<TensorRef>(arguments[0])) {
        return script.sizeOf(tensorIn(arguments), arguments[1]);
    }
    return script.callSignature("aten::size", arguments, named);
}

template <const char* op, NumberKind kind>
ScriptValue property(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    return ComputedNumber{kind, script.emit(op, "", {{"self", tensorIn(arguments)}}, 1)[0]};
}

constexpr char dimName[] = "aten::dim";
constexpr char countName[] = "aten::numel";
constexpr char typeName[] = "prim::dtype";
constexpr char isFloatingName[] = "aten::is_floating_point";

/// Constant for a tensor whose shape the file or the user states.
ScriptValue rank(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    const TensorRef tensor = tensorIn(arguments);
    script.read(tensor);
    if (const auto known = script.rankOf(tensor)) {
        return static_cast<std::int64_t>(*known);
    }
    return property<dimName, NumberKind::Int>(script, arguments, named);
}

ScriptValue isFalse(Interpreter& /*script*/, const Arguments& /*arguments*/, const ScriptArguments&)
{
    return false;
}

/// A number of c10::ScalarType: bfloat16 on a CPU, half precision on other devices.
ScriptValue autocastType(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    constexpr std::int64_t half = 5;
    constexpr std::int64_t bfloat16 = 15;
    return arguments.size() == 1 && arguments[0] == ScriptValue(std::string("cpu")) ? bfloat16 : half;
}

ScriptValue isTrue(Interpreter& /*script*/, const Arguments& /*arguments*/, const ScriptArguments&)
{
    return true;
}

/// Constant where the order of the elements in memory is known.
ScriptValue isContiguous(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    const TensorRef tensor = tensorIn(arguments);
    const ScriptValue format = arguments.size() > 1 ? arguments[1] : named.empty() ? ScriptValue() : named[0].second;
    if (script.heap.tensors[tensor.index].order == ElementOrder::Unknown ||
        (!isNone(format) && format != ScriptValue(zero))) {
        Interpreter::unsupported(fmt::format("the order of the elements of tensor {} in memory is not known",
                                             script.heap.tensors[tensor.index].name));
    }
    return true;
}

/// stride(), stride(dim): products of sizes for a tensor in the order of new ones.
ScriptValue stride(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    const TensorRef tensor = tensorIn(arguments);
    const auto rank = script.rankOf(tensor);
    if (script.heap.tensors[tensor.index].order != ElementOrder::RowMajor || !rank) {
        Interpreter::unsupported(
            fmt::format("the strides of tensor {} are not known", script.heap.tensors[tensor.index].name));
    }
    Arguments strides(*rank);
    ScriptValue product = std::int64_t{1};
    for (std::size_t i = *rank; i-- > 0;) {
        strides[i] = product;
        if (i > 0) { // an axis without elements counts as one with an element
            const ScriptValue count = script.callSignature("aten::size", {tensor, static_cast<std::int64_t>(i)});
            product =
                script.arithmetic("aten::mul", {product, script.arithmetic("prim::max", {count, std::int64_t{1}})});
        }
    }
    const ScriptValue list = script.newList(std::move(strides));
    const ScriptValue dim = arguments.size() > 1 ? arguments[1] : named.empty() ? ScriptValue() : named[0].second;
    return isNone(dim) ? list : script.item(list, dim);
}

/// The numbers of a tensor, of the kind and depth of a type: a number, or lists of numbers.
ScriptValue numbersOf(Interpreter& script, TensorRef tensor, NumberKind kind, std::size_t depth)
{
    if (depth == 0) {
        return script.toNumber(kind, tensor);
    }
    if (depth > 1) {
        const ScriptValue parts = script.callSignature("aten::unbind", {tensor});
        Arguments rows;
        for (const ScriptValue& row : script.itemsOf(parts)) {
            rows.push_back(numbersOf(script, std::get<TensorRef>(row), kind, depth - 1));
        }
        return script.newList(std::move(rows));
    }
    constexpr std::int64_t int64 = 4;
    constexpr std::int64_t float64 = 7;
    constexpr std::int64_t boolean = 11;
    const std::int64_t type = kind == NumberKind::Int ? int64 : kind == NumberKind::Float ? float64 : boolean;
    return ComputedList{kind, script.emit("aten::to", "dtype", {{"self", tensor}, {"dtype", type}}, 1)[0]};
}

/// The conversion assumes False. A node reports that for the model's own code; PyTorch's code only selects between
/// functions with equal results.
ScriptValue isGradEnabled(Interpreter& script, const Arguments& /*arguments*/, const ScriptArguments&)
{
    if (!script.isInFrameworkCode()) {
        script.emit("aten::is_grad_enabled", "", {}, 1);
    }
    return false;
}

// A device is its text, "cpu" or "cuda:1". All tensors of a conversion are on the CPU.

ScriptValue deviceOfTensor(Interpreter& /*script*/, const Arguments& /*arguments*/, const ScriptArguments&)
{
    return std::string("cpu");
}

/// device(text), device(type, index).
ScriptValue device(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    const auto* text = arguments.empty() ? nullptr : std::get_if<std::string>(arguments.data());
    const auto* index = arguments.size() > 1 ? std::get_if<std::int64_t>(&arguments[1]) : nullptr;
    if (text == nullptr) {
        return {};
    }
    return index != nullptr ? fmt::format("{}:{}", *text, *index) : *text;
}

ScriptValue deviceType(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    const auto* text = std::get_if<std::string>(&arguments.at(0));
    return text != nullptr ? ScriptValue(text->substr(0, text->find(':'))) : ScriptValue();
}

ScriptValue deviceIndex(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    const auto* text = std::get_if<std::string>(&arguments.at(0));
    const std::size_t colon = text != nullptr ? text->find(':') : std::string::npos;
    std::int64_t index = 0;
    if (colon == std::string::npos ||
        std::from_chars(text->data() + colon + 1, text->data() + text->size(), index).ec != std::errc()) {
        return {};
    }
    return index;
}

TensorRef newTensor(Interpreter& script, GraphValue value, std::optional<std::size_t> rank)
{
    const TensorRef made = script.newTensor(value);
    script.heap.tensors[made.index].rank = rank;
    return made;
}

ScriptValue numberToTensor(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const ScriptValue& number = arguments.at(0);
    const GraphValue value = script.graphValue(number);
    if (numberKindOf(number) == NumberKind::Float) { // of the default element type
        const TensorRef exact = script.newTensor(value);
        return newTensor(script, script.emit("aten::to", "dtype", {{"self", exact}, {"dtype", std::int64_t{6}}}, 1)[0],
                         0);
    }
    return newTensor(script, value, 0);
}

/// torch.tensor of numbers, in nested lists.
void flatten(Interpreter& script, const ScriptValue& value, std::size_t depth, Ints& dims, Arguments& leaves)
{
    if (numberKindOf(value)) {
        leaves.push_back(value);
        return;
    }
    const Arguments items = script.itemsOf(value);
    if (dims.size() <= depth) {
        dims.push_back(static_cast<std::int64_t>(items.size()));
    } else if (dims[depth] != static_cast<std::int64_t>(items.size())) {
        Interpreter::unsupported("a tensor is made of lists of different lengths");
    }
    for (const ScriptValue& item : items) {
        flatten(script, item, depth + 1, dims, leaves);
    }
}

ScriptValue tensor(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    std::optional<ScriptValue> type;
    for (const auto& [name, value] : named) {
        if (name == "dtype" && !isNone(value)) {
            type = value;
        }
    }
    if (!type && arguments.size() > 1 && numberKindOf(arguments[1]) == NumberKind::Int) {
        type = arguments[1];
    }
    if (std::holds_alternative<TensorRef>(arguments.at(0))) {
        return type ? script.callSignature("aten::to", {arguments[0], *type})
                    : script.callSignature("aten::clone", {arguments[0]});
    }
    Ints dims;
    Arguments leaves;
    GraphValue value;
    NumberKind kind = NumberKind::Float;
    const bool isVector =
        std::holds_alternative<ComputedList>(arguments[0]) || std::holds_alternative<Parts>(arguments[0]);
    if (isVector) {
        const ComputedList vector = script.vectorOf(arguments[0]);
        value = vector.value;
        kind = vector.kind;
    } else {
        flatten(script, arguments[0], 0, dims, leaves);
        const bool hasFloat = std::any_of(leaves.begin(), leaves.end(), [](const ScriptValue& leaf) {
            return numberKindOf(leaf) == NumberKind::Float;
        });
        kind = hasFloat || leaves.empty() ? NumberKind::Float : *numberKindOf(leaves[0]);
        for (ScriptValue& leaf : leaves) {
            leaf = script.toNumber(kind, leaf);
        }
        if (dims.empty()) {
            value = script.graphValue(leaves.at(0));
        } else {
            value = script.vectorOf(script.newList(leaves)).value;
            if (dims.size() > 1) {
                Arguments sizes(dims.begin(), dims.end());
                value = script.read(std::get<TensorRef>(script.callSignature(
                    "aten::reshape", {script.newTensor(value), script.newList(std::move(sizes))})));
            }
        }
    }
    const TensorRef made = newTensor(script, value, isVector ? 1 : dims.size());
    if (!type && kind == NumberKind::Float) {
        type = std::int64_t{6}; // float32, the default
    }
    if (!type) {
        return made;
    }
    // A cast of float64 rounds each number once.
    const auto converted = std::get<TensorRef>(script.callSignature("aten::to", {made, *type}));
    return newTensor(script, script.read(converted), script.rankOf(made));
}

/// The number in a tensor, of the type that the tensor has.
ScriptValue item(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    return ComputedNumber{NumberKind::Float, script.emit("aten::item", "", {{"self", tensorIn(arguments)}}, 1)[0]};
}

template <NumberKind kind>
ScriptValue implicit(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    return script.toNumber(kind, arguments.at(0));
}

/// Stacks the items of a list that a loop built along axis 0, in new memory; nothing for any other list.
std::optional<TensorRef> stackedItems(Interpreter& script, const ScriptValue& list)
{
    if (const auto* parts = std::get_if<Parts>(&list);
        parts != nullptr && (*parts)->kind == TensorParts::Kind::Unbind) {
        const TensorRef whole = script.newTensor(script.read((*parts)->tensor));
        return std::get<TensorRef>(script.callSignature("aten::movedim", {whole, (*parts)->axis, zero}));
    }
    const auto* ref = std::get_if<ListRef>(&list);
    if (ref == nullptr || !script.heap.lists[ref->index].stacked) {
        return std::nullopt;
    }
    const ListCell cell = script.heap.lists[ref->index];
    const TensorRef appended = newTensor(script, script.read(*cell.stacked), script.rankOf(*cell.stacked));
    if (cell.items.empty()) {
        return appended;
    }
    const ScriptValue first = script.callSignature("aten::stack", {script.newList(cell.items), zero});
    return std::get<TensorRef>(script.callSignature("aten::cat", {script.newList({first, appended}), zero}));
}

ScriptValue dimOf(const Arguments& arguments, const ScriptArguments& named)
{
    for (const auto& [name, value] : named) {
        if (name == "dim") {
            return value;
        }
    }
    return arguments.size() > 1 ? arguments[1] : ScriptValue(zero);
}

/// The items of a list along an axis, of which each that may be absent is cut to no element if it is: nothing for a
/// list without such items.
std::optional<Arguments> possibleItems(Interpreter& script, const ScriptValue& list, const ScriptValue& dim,
                                       bool isStack)
{
    using Possible = std::shared_ptr<const PossibleItem>;
    const auto* ref = std::get_if<ListRef>(&list);
    if (ref == nullptr) {
        return std::nullopt;
    }
    const Arguments items = script.cellOf(*ref).items;
    if (std::none_of(items.begin(), items.end(),
                     [](const ScriptValue& item) { return std::holds_alternative<Possible>(item); })) {
        return std::nullopt;
    }
    Arguments parts;
    for (const ScriptValue& item : items) {
        const auto* possible = std::get_if<Possible>(&item);
        ScriptValue part = possible != nullptr ? (*possible)->value : item;
        if (isStack) {
            part = script.callSignature("aten::unsqueeze", {part, dim});
        }
        if (possible != nullptr) {
            constexpr std::int64_t toTheEnd = std::int64_t{1} << 40;
            const ScriptValue present =
                script.toNumber(NumberKind::Int, ComputedNumber{NumberKind::Bool, (*possible)->isPresent});
            part = script.callSignature("aten::slice",
                                        {part, dim, zero, script.arithmetic("aten::mul", {present, toTheEnd})});
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

ScriptValue stack(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (const auto items = stackedItems(script, arguments.at(0))) {
        const ScriptValue dim = dimOf(arguments, named);
        return dim == ScriptValue(zero) ? ScriptValue(newTensor(script, script.read(*items), script.rankOf(*items)))
                                        : script.callSignature("aten::movedim", {*items, zero, dim});
    }
    const ScriptValue dim = dimOf(arguments, named);
    if (auto parts = possibleItems(script, arguments.at(0), dim, true)) {
        return script.callSignature("aten::cat", {script.newList(std::move(*parts)), dim});
    }
    return script.callSignature("aten::stack", arguments, named);
}

/// Stacked items [n, ..., d, ...] become [..., n * d, ...].
ScriptValue concatenate(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (const auto items = stackedItems(script, arguments.at(0))) {
        const ScriptValue dim = dimOf(arguments, named);
        const auto* axis = std::get_if<std::int64_t>(&dim);
        if (axis == nullptr) {
            Interpreter::unsupported("tensors of a loop are concatenated along an axis that is not constant");
        }
        // A negative axis counts the same axes with and without the axis of the items.
        const std::int64_t first = *axis < 0 ? *axis - 1 : *axis;
        const ScriptValue moved =
            *axis == 0 ? ScriptValue(*items) : script.callSignature("aten::movedim", {*items, zero, first});
        return script.callSignature("aten::flatten", {moved, first, *axis < 0 ? *axis : *axis + 1});
    }
    const ScriptValue dim = dimOf(arguments, named);
    if (const auto* parts = std::get_if<Parts>(arguments.data());
        parts != nullptr && (*parts)->kind != TensorParts::Kind::Unbind && (*parts)->axis == dim) {
        return script.newTensor(script.read((*parts)->tensor)); // all pieces of a tensor
    }
    if (auto parts = possibleItems(script, arguments.at(0), dim, false)) {
        return script.callSignature("aten::cat", {script.newList(std::move(*parts)), dim});
    }
    return script.callSignature("aten::cat", arguments, named);
}

/// Files of versions up to 3 divide integers as C does.
template <const char* op>
ScriptValue divide(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (isNumberOperator(op, arguments) && named.empty()) {
        return script.arithmetic(op, arguments);
    }
    const bool hasMode = arguments.size() > 2 || !named.empty();
    if (script.archiveVersion() > 3 || hasMode) {
        return script.callSignature(op, arguments, named);
    }
    const auto* target = std::get_if<TensorRef>(&arguments.at(0));
    const GraphValue quotient =
        script.emit("aten::div", "legacy", {{"self", arguments[0]}, {"other", arguments.at(1)}}, 1)[0];
    if (std::string_view(op).ends_with('_') && target != nullptr) {
        script.write(*target, quotient);
        return *target;
    }
    return script.newTensor(quotient);
}

constexpr char divName[] = "aten::div";
constexpr char divInPlaceName[] = "aten::div_";

/// Files of versions up to 4 fill with floating-point numbers unless they name an element type.
ScriptValue full(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    const bool hasType = std::any_of(named.begin(), named.end(), [](const auto& argument) {
        return argument.first == "dtype" && !isNone(argument.second);
    });
    Arguments changed = arguments;
    if (script.archiveVersion() <= 4 && !hasType && arguments.size() == 2) {
        changed[1] = script.toNumber(NumberKind::Float, arguments[1]);
    }
    return script.callSignature("aten::full", changed, named);
}

/// Files of older versions omit the number of steps, 100.
template <const char* op, std::int64_t version>
ScriptValue steps(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    Arguments changed = arguments;
    if (script.archiveVersion() <= version &&
        (arguments.size() == 2 || (arguments.size() > 2 && isNone(arguments[2])))) {
        changed.resize(std::max<std::size_t>(changed.size(), 3));
        changed[2] = std::int64_t{100};
    }
    return script.callSignature(op, changed, named);
}

constexpr char linspaceName[] = "aten::linspace";
constexpr char logspaceName[] = "aten::logspace";

} // namespace

std::int64_t Interpreter::archiveVersion() const
{
    return m_program.version();
}

ScriptValue Interpreter::toList(const ScriptValue& tensor, const ScriptExpression& type)
{
    std::size_t depth = 0;
    const ScriptExpression* items = &type;
    while (items->kind == ScriptExpression::Kind::Subscript && items->items.size() == 2 &&
           items->items[0].text == "List") {
        items = &items->items[1];
        ++depth;
    }
    const std::string_view name = items->kind == ScriptExpression::Kind::Name ? items->text : std::string_view();
    if (name != "int" && name != "float" && name != "bool") {
        unsupported("tolist() of numbers of a type that is not supported");
    }
    return numbersOf(*this, tensorIn({tensor}),
                     name == "int"     ? NumberKind::Int
                     : name == "float" ? NumberKind::Float
                                       : NumberKind::Bool,
                     depth);
}

ScriptValue raise(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    const auto* known = arguments.empty() ? nullptr : std::get_if<std::string>(arguments.data());
    const auto* computed = arguments.empty() ? nullptr : std::get_if<ComputedText>(arguments.data());
    const std::string message = known != nullptr ? *known : computed != nullptr ? computed->shown : std::string();
    throw Interpreter::Raised{message.empty() ? "an exception" : message};
}

std::span<const ScriptFunctionRow> tensorFunctions()
{
    static constexpr auto rows = std::to_array<ScriptFunctionRow>({
        {"prim::RaiseException", raise},
        {"aten::size", size},
        {"aten::dim", rank},
        {"aten::ndimension", rank},
        {"aten::numel", property<countName, NumberKind::Int>},
        {"aten::is_contiguous", isContiguous},
        {"aten::stride", stride},
        {"prim::dtype", property<typeName, NumberKind::Int>},
        {"aten::is_floating_point", property<isFloatingName, NumberKind::Bool>},
        {"prim::device", deviceOfTensor},
        {"aten::device", device},
        {"prim::type", deviceType},
        {"prim::index", deviceIndex},
        {"prim::layout", returnNone},
        {"prim::requires_grad", isFalse},
        {"prim::is_cpu", isTrue},
        {"prim::is_cuda", isFalse},
        {"prim::is_mps", isFalse},
        {"prim::is_xla", isFalse},
        {"prim::is_xpu", isFalse},
        {"prim::is_vulkan", isFalse},
        {"prim::is_meta", isFalse},
        {"prim::is_nested", isFalse},
        {"prim::is_sparse", isFalse},
        {"prim::is_quantized", isFalse},
        {"prim::is_mkldnn", isFalse},
        {"aten::is_grad_enabled", isGradEnabled},
        {"aten::get_autocast_dtype", autocastType},
        {"aten::is_autocast_enabled", isFalse},
        {"aten::is_autocast_cpu_enabled", isFalse},
        {"aten::is_scripting", isTrue},
        {"aten::requires_grad_", returnFirst},
        {"aten::detach_", returnFirst},
        {"prim::data", returnFirst},
        {"aten::cpu", returnFirst},
        {"aten::cuda", returnFirst},
        {"prim::NumToTensor", numberToTensor},
        {"aten::scalar_to_tensor", numberToTensor},
        {"aten::tensor", tensor},
        {"aten::as_tensor", tensor},
        {"aten::item", item},
        {"aten::ScalarImplicit", item},
        {"aten::IntImplicit", implicit<NumberKind::Int>},
        {"aten::FloatImplicit", implicit<NumberKind::Float>},
        {"aten::stack", stack},
        {"aten::cat", concatenate},
        {"aten::concat", concatenate},
        {"aten::div", divide<divName>},
        {"aten::div_", divide<divInPlaceName>},
        {"aten::full", full},
        {"aten::linspace", steps<linspaceName, 7>},
        {"aten::logspace", steps<logspaceName, 8>},
    });
    return rows;
}

} // namespace crosswalk::pytorch
