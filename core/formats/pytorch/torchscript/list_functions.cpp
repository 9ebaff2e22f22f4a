// Operators on lists, tuples and dictionaries, and those that also exist on text.

#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/torchscript/list_values.h"
#include "core/formats/pytorch/torchscript/text_functions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;
using Parts = std::shared_ptr<const TensorParts>;
using Tuple = std::shared_ptr<const TupleValue>;

void limitItems(std::size_t count)
{
    if (count > mostItems) {
        throw UnsupportedScript{"a list has too many items"};
    }
}

const DictCell& dictOf(Interpreter& script, const ScriptValue& value)
{
    const auto* ref = std::get_if<DictRef>(&value);
    if (ref == nullptr) {
        Interpreter::unsupported(fmt::format("a {} is used as a dictionary", kindName(value)));
    }
    return script.heap.dicts[ref->index];
}

ScriptValue length(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    return script.lengthOf(arguments.at(0));
}

ScriptValue append(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    ListCell& cell = script.listOf(arguments.at(0));
    if (cell.stacked) {
        Interpreter::unsupported("an item is appended to a list after the loop that built it");
    }
    cell.items.push_back(arguments.at(1));
    return arguments[0];
}

ScriptValue extend(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const Arguments more = script.itemsOf(arguments.at(1));
    ListCell& cell = script.listOf(arguments.at(0));
    if (cell.stacked && !more.empty()) {
        Interpreter::unsupported("an item is appended to a list after the loop that built it");
    }
    cell.items.insert(cell.items.end(), more.begin(), more.end());
    limitItems(cell.items.size());
    return arguments[0];
}

ScriptValue insert(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const auto* at = constantIn(arguments.at(1));
    ListCell& cell = script.listOf(arguments[0]);
    if (at == nullptr || cell.onlyAppends || cell.stacked) {
        Interpreter::unsupported("an item is inserted at an index that is not constant");
    }
    const auto size = static_cast<std::int64_t>(cell.items.size());
    const std::int64_t index = std::clamp<std::int64_t>(*at < 0 ? *at + size : *at, 0, size);
    cell.items.insert(cell.items.begin() + index, arguments.at(2));
    return arguments[0];
}

/// pop(dictionary, key), pop(dictionary, key, fallback).
ScriptValue popEntry(DictCell& cell, const Arguments& arguments)
{
    const auto at = positionOf(cell, arguments.at(1));
    if (!at && arguments.size() < 3) {
        throw Interpreter::Raised{"a dictionary has no such key"};
    }
    if (!at) {
        return arguments[2];
    }
    ScriptValue value = cell.entries[*at].second;
    cell.entries.erase(cell.entries.begin() + static_cast<std::ptrdiff_t>(*at));
    return value;
}

ScriptValue pop(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const auto* ref = std::get_if<DictRef>(&arguments.at(0))) {
        return popEntry(script.heap.dicts[ref->index], arguments);
    }
    const ScriptValue last = std::int64_t{-1};
    const ScriptValue& given = arguments.size() > 1 ? arguments[1] : last;
    const auto* at = constantIn(given);
    script.itemsOf(arguments.at(0)); // must be constant
    ListCell& cell = script.listOf(arguments[0]);
    if (at == nullptr) {
        Interpreter::unsupported("an item is removed at an index that is not constant");
    }
    const std::size_t index = indexIn(*at, cell.items.size());
    ScriptValue value = cell.items[index];
    cell.items.erase(cell.items.begin() + static_cast<std::ptrdiff_t>(index));
    return value;
}

/// del list[index], del dictionary[key].
ScriptValue erase(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    pop(script, {arguments.at(0), arguments.at(1)}, named);
    return {};
}

/// The position of the first item that is equal to a value; nothing if none is.
std::optional<std::size_t> positionIn(Interpreter& script, const ScriptValue& list, const ScriptValue& value)
{
    const Arguments items = script.itemsOf(list);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const ScriptValue same = script.equal(items[i], value);
        if (same == ScriptValue(true)) {
            return i;
        }
        if (same != ScriptValue(false)) {
            Interpreter::unsupported("an item that the model computes is searched in a list");
        }
    }
    return std::nullopt;
}

ScriptValue index(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.size() != 2 || std::holds_alternative<TensorRef>(arguments[0])) {
        return script.callSignature("aten::index", arguments, named);
    }
    const auto at = positionIn(script, arguments[0], arguments[1]);
    if (!at) {
        throw Interpreter::Raised{"a value is not in a list"};
    }
    return static_cast<std::int64_t>(*at);
}

ScriptValue remove(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const auto at = positionIn(script, arguments.at(0), arguments.at(1));
    if (!at) {
        throw Interpreter::Raised{"a value is not in a list"};
    }
    auto& items = script.listOf(arguments[0]).items;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(*at));
    return {};
}

ScriptValue count(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    ScriptValue number = std::int64_t{0};
    for (const ScriptValue& item : script.itemsOf(arguments.at(0))) {
        const ScriptValue same = script.toNumber(NumberKind::Int, script.equal(item, arguments.at(1)));
        number = script.arithmetic("aten::add", {number, same});
    }
    return number;
}

ScriptValue sort(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.empty() || !std::holds_alternative<ListRef>(arguments[0])) {
        return script.callSignature("aten::sort", arguments, named);
    }
    const ScriptValue reverse = arguments.size() > 1 ? arguments[1]
                                : named.empty()      ? ScriptValue(false)
                                                     : named[0].second;
    const auto* isDescending = std::get_if<bool>(&reverse);
    if (isDescending == nullptr) {
        Interpreter::unsupported("the order in which a list is sorted is computed");
    }
    Arguments items = script.itemsOf(script.sortedList(arguments[0], *isDescending));
    script.listOf(arguments[0]).items = std::move(items);
    return {};
}

/// The sum of a list of numbers; of anything else that of a tensor.
ScriptValue sum(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.size() != 1 || !isSequence(arguments[0])) {
        return script.callSignature("aten::sum", arguments, named);
    }
    if (const auto* vector = std::get_if<ComputedList>(arguments.data())) {
        const NumberKind kind = vector->kind == NumberKind::Float ? NumberKind::Float : NumberKind::Int;
        return script.toNumber(kind, script.callSignature("aten::sum", {script.newTensor(vector->value)}));
    }
    const Arguments items = script.itemsOf(arguments[0]);
    if (items.empty()) {
        Interpreter::unsupported("the sum of an empty list, whose type is not known");
    }
    ScriptValue total = std::int64_t{0};
    for (const ScriptValue& item : items) {
        if (!numberKindOf(item)) {
            Interpreter::unsupported(fmt::format("the sum of a list of {}", kindName(item)));
        }
        total = script.arithmetic("aten::add", {total, item});
    }
    return total;
}

/// The quotient, rounded down, and the remainder.
ScriptValue quotientAndRemainder(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const ScriptValue& a = arguments.at(0);
    const ScriptValue& b = arguments.at(1);
    if (!isNumberOperator("aten::remainder", arguments)) {
        Interpreter::unsupported(fmt::format("divmod of {} and {}", kindName(a), kindName(b)));
    }
    const ScriptValue rest = script.arithmetic("aten::remainder", arguments);
    const bool isReal = numberKindOf(a) == NumberKind::Float || numberKindOf(b) == NumberKind::Float;
    return tupleOf({isReal ? script.arithmetic("aten::div", {script.arithmetic("aten::sub", {a, rest}), b})
                           : script.arithmetic("aten::floordiv", arguments),
                    rest});
}

ScriptValue update(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const auto* ref = std::get_if<DictRef>(&arguments.at(0));
    if (ref == nullptr) {
        Interpreter::unsupported(fmt::format("a {} is changed as a dictionary", kindName(arguments[0])));
    }
    const auto more = dictOf(script, arguments.at(1)).entries; // a copy: it may be the same dictionary
    for (const auto& [key, value] : more) {
        script.setEntry(*ref, key, value);
    }
    return {};
}

ScriptValue setDefault(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const ScriptValue* value = entryOf(script, arguments.at(0), arguments.at(1))) {
        return *value;
    }
    dictOf(script, arguments[0]);
    script.setEntry(std::get<DictRef>(arguments[0]), arguments[1], arguments.at(2));
    return arguments[2];
}

ScriptValue clear(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const auto* ref = std::get_if<DictRef>(&arguments.at(0))) {
        script.heap.dicts[ref->index].entries.clear();
        return {};
    }
    script.itemsOf(arguments.at(0));
    script.listOf(arguments[0]).items.clear();
    return {};
}

ScriptValue reverse(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    script.itemsOf(arguments.at(0));
    auto& items = script.listOf(arguments[0]).items;
    std::reverse(items.begin(), items.end());
    return {};
}

ScriptValue copyOf(Interpreter& script, DictRef dictionary)
{
    return script.heap.add(DictCell(script.heap.dicts[dictionary.index]));
}

/// dict(), dict(dictionary), dict(list of pairs).
ScriptValue newDictionary(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (arguments.empty()) {
        return script.heap.add(DictCell());
    }
    if (const auto* ref = std::get_if<DictRef>(arguments.data())) {
        return copyOf(script, *ref);
    }
    const DictRef made = script.heap.add(DictCell());
    for (const ScriptValue& item : script.itemsOf(arguments[0])) {
        const Arguments entry = script.itemsOf(item);
        if (entry.size() != 2) {
            Interpreter::unsupported("a dictionary is made of items that are not pairs");
        }
        script.setEntry(made, entry[0], entry[1]);
    }
    return made;
}

ScriptValue copyOfList(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const auto* ref = std::get_if<DictRef>(&arguments.at(0))) {
        return copyOf(script, *ref);
    }
    const auto* parts = std::get_if<Parts>(&arguments.at(0));
    if ((parts != nullptr && !script.fixedLength(**parts)) || std::holds_alternative<ComputedList>(arguments[0])) {
        return arguments[0];
    }
    if (const auto* ref = std::get_if<ListRef>(arguments.data());
        ref != nullptr && script.heap.lists[ref->index].stacked) {
        return script.heap.add(ListCell(script.heap.lists[ref->index]));
    }
    return script.newList(script.itemsOf(arguments[0]));
}

ScriptValue setItem(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const auto* ref = std::get_if<DictRef>(&arguments.at(0))) {
        script.setEntry(*ref, arguments.at(1), arguments.at(2));
        return arguments[0];
    }
    const auto* at = constantIn(arguments.at(1));
    script.itemsOf(arguments[0]);
    ListCell& cell = script.listOf(arguments[0]);
    if (at == nullptr) {
        Interpreter::unsupported("an item of a list is replaced at an index that is not constant");
    }
    cell.items[indexIn(*at, cell.items.size())] = arguments.at(2);
    return arguments[0];
}

ScriptValue getItem(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    return script.item(arguments.at(0), arguments.at(1));
}

ScriptValue keys(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    Arguments items;
    for (const auto& [key, value] : dictOf(script, arguments.at(0)).entries) {
        items.push_back(key);
    }
    return script.newList(std::move(items));
}

ScriptValue values(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    Arguments items;
    for (const auto& [key, value] : dictOf(script, arguments.at(0)).entries) {
        items.push_back(value);
    }
    return script.newList(std::move(items));
}

ScriptValue entries(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    Arguments items;
    for (const auto& [key, value] : dictOf(script, arguments.at(0)).entries) {
        items.push_back(tupleOf({key, value}));
    }
    return script.newList(std::move(items));
}

ScriptValue get(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const ScriptValue* value = entryOf(script, arguments.at(0), arguments.at(1))) {
        return *value;
    }
    return arguments.size() > 2 ? arguments[2] : ScriptValue();
}

ScriptValue contains(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const ScriptValue& key = arguments.at(1);
    if (std::holds_alternative<DictRef>(arguments.at(0))) {
        return entryOf(script, arguments[0], key) != nullptr;
    }
    if (const auto* text = std::get_if<std::string>(arguments.data())) {
        return text->find(textIn(key)) != std::string::npos;
    }
    ScriptValue found = false;
    for (const ScriptValue& item : script.itemsOf(arguments[0])) {
        const ScriptValue same = script.equal(item, key);
        if (same == ScriptValue(true)) {
            return true;
        }
        found = same == ScriptValue(false)    ? found
                : found == ScriptValue(false) ? same
                                              : script.arithmetic("aten::__or__", {found, same});
    }
    return found;
}

ScriptValue isSameObject(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const ScriptValue& a = arguments.at(0);
    const ScriptValue& b = arguments.at(1);
    for (const auto& [optional, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
        if (const auto* value = std::get_if<std::shared_ptr<const OptionalValue>>(optional);
            value != nullptr && isNone(*other)) {
            return script.negated(ComputedNumber{NumberKind::Bool, (*value)->isPresent});
        }
    }
    return a == b;
}

ScriptValue isOtherObject(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    return script.negated(isSameObject(script, arguments, named));
}

ScriptValue rangeLength(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const auto* start = constantIn(arguments.at(0));
    const auto* stop = constantIn(arguments.at(1));
    const auto* step = constantIn(arguments.at(2));
    if (step == nullptr || *step == 0 || *step == std::numeric_limits<std::int64_t>::min()) {
        Interpreter::unsupported("the step of a range is zero, too large or not constant");
    }
    if (start != nullptr && stop != nullptr) {
        if (*step > 0 ? *start >= *stop : *start <= *stop) {
            return std::int64_t{0};
        }
        const auto distance = static_cast<std::uint64_t>(*step > 0 ? *stop : *start) -
                              static_cast<std::uint64_t>(*step > 0 ? *start : *stop);
        const auto width = *step > 0 ? static_cast<std::uint64_t>(*step) : 0 - static_cast<std::uint64_t>(*step);
        return static_cast<std::int64_t>(1 + (distance - 1) / width);
    }
    const bool isUp = *step > 0;
    const ScriptValue width = isUp ? *step : -*step;
    const ScriptValue distance = isUp ? script.arithmetic("aten::sub", {arguments[1], arguments[0]})
                                      : script.arithmetic("aten::sub", {arguments[0], arguments[1]});
    const ScriptValue more = script.arithmetic("aten::add", {distance, std::get<std::int64_t>(width) - 1});
    return script.arithmetic("prim::max", {script.arithmetic("aten::floordiv", {more, width}), std::int64_t{0}});
}

ScriptValue deriveIndex(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    return script.arithmetic("aten::add",
                             {arguments.at(1), script.arithmetic("aten::mul", {arguments.at(0), arguments.at(2)})});
}

ScriptValue slice(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (std::holds_alternative<TensorRef>(arguments.at(0))) {
        return script.callSignature("aten::slice", arguments, named);
    }
    const auto bound = [&](std::size_t i) -> ScriptValue {
        return i < arguments.size() ? arguments[i] : ScriptValue();
    };
    if (std::holds_alternative<ComputedList>(arguments[0]) || std::holds_alternative<Parts>(arguments[0])) {
        const ComputedList vector = script.vectorOf(arguments[0]);
        ScriptArguments operands{{"self", script.newTensor(vector.value)}, {"dim", std::int64_t{0}}};
        for (const auto& [name, i] : {std::pair("start", 1), std::pair("end", 2), std::pair("step", 3)}) {
            if (!isNone(bound(static_cast<std::size_t>(i)))) {
                operands.emplace_back(name, bound(static_cast<std::size_t>(i)));
            }
        }
        return ComputedList{vector.kind, script.emit("aten::slice", "t", operands, 1)[0]};
    }
    const auto cut = [&](std::size_t size) {
        std::vector<std::size_t> kept;
        const auto count = static_cast<std::int64_t>(size);
        const auto constant = [&](std::size_t i, std::int64_t fallback) {
            const ScriptValue value = bound(i);
            if (isNone(value)) {
                return fallback;
            }
            const auto* number = constantIn(value);
            if (number == nullptr) {
                Interpreter::unsupported("a slice of a list has a bound that is not constant");
            }
            return *number;
        };
        const std::int64_t step = constant(3, 1);
        if (step == 0) {
            Interpreter::unsupported("a slice of a list has the step 0");
        }
        // Downwards, a slice begins at the last item and ends before the first one.
        const std::int64_t least = step > 0 ? 0 : -1;
        const std::int64_t most = step > 0 ? count : count - 1;
        const auto clamped = [&](std::size_t i, std::int64_t fallback) {
            const std::int64_t at = isNone(bound(i)) ? fallback : constant(i, fallback);
            return std::clamp<std::int64_t>(at < 0 && !isNone(bound(i)) ? at + count : at, least, most);
        };
        const std::int64_t end = clamped(2, step > 0 ? most : least);
        for (std::int64_t i = clamped(1, step > 0 ? least : most); step > 0 ? i < end : i > end;) {
            kept.push_back(static_cast<std::size_t>(i));
            if (__builtin_add_overflow(i, step, &i)) {
                break;
            }
        }
        return kept;
    };
    if (const auto* text = std::get_if<std::string>(arguments.data())) {
        std::string part;
        for (const std::size_t i : cut(text->size())) {
            part += (*text)[i];
        }
        return part;
    }
    const Arguments all = script.itemsOf(arguments[0]);
    Arguments items;
    for (const std::size_t i : cut(all.size())) {
        items.push_back(all[i]);
    }
    return std::holds_alternative<Tuple>(arguments[0]) ? tupleOf(std::move(items)) : script.newList(std::move(items));
}

/// Lists are concatenated, text as well; anything else is added.
ScriptValue add(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.size() == 2 && std::holds_alternative<std::string>(arguments[0]) &&
        std::holds_alternative<std::string>(arguments[1])) {
        return limitedText(std::get<std::string>(arguments[0]) + std::get<std::string>(arguments[1]));
    }
    if (arguments.size() == 2 && isText(arguments[0]) && isText(arguments[1])) {
        if (isNeverEmpty(arguments[0]) || isNeverEmpty(arguments[1])) {
            return ComputedText{.shown = limitedText(shownText(arguments[0]) + shownText(arguments[1]))};
        }
        unknownText();
    }
    if (arguments.size() != 2 || !isSequence(arguments[0]) || !isSequence(arguments[1])) {
        return isNumberOperator("aten::add", arguments) && named.empty()
                   ? script.arithmetic("aten::add", arguments)
                   : script.callSignature("aten::add", arguments, named);
    }
    const auto isComputed = [](const ScriptValue& value) {
        return std::holds_alternative<ComputedList>(value) || std::holds_alternative<Parts>(value);
    };
    if (isComputed(arguments[0]) || isComputed(arguments[1])) {
        const ComputedList a = script.vectorOf(arguments[0]);
        const ComputedList b = script.vectorOf(arguments[1]);
        const ScriptValue parts = script.newList({script.newTensor(a.value), script.newTensor(b.value)});
        const ScriptValue joined = script.callSignature("aten::cat", {parts, std::int64_t{0}});
        return ComputedList{a.kind, script.read(std::get<TensorRef>(joined))};
    }
    Arguments items = script.itemsOf(arguments[0]);
    const Arguments more = script.itemsOf(arguments[1]);
    items.insert(items.end(), more.begin(), more.end());
    limitItems(items.size());
    return script.newList(std::move(items));
}

ScriptValue addInPlace(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (std::holds_alternative<ListRef>(arguments.at(0))) {
        return extend(script, arguments, named);
    }
    return script.callSignature("aten::add_", arguments, named);
}

/// A list is repeated; anything else is multiplied.
ScriptValue multiply(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.size() == 2 && std::holds_alternative<ListRef>(arguments[0]) && constantIn(arguments[1]) != nullptr) {
        const Arguments once = script.itemsOf(arguments[0]);
        const auto turns = static_cast<std::size_t>(std::max<std::int64_t>(*constantIn(arguments[1]), 0));
        if (once.empty()) {
            return script.newList({});
        }
        if (turns > mostItems / once.size()) {
            limitItems(mostItems + 1);
        }
        Arguments items;
        for (std::int64_t i = 0; i < *constantIn(arguments[1]); ++i) {
            items.insert(items.end(), once.begin(), once.end());
        }
        return script.newList(std::move(items));
    }
    return isNumberOperator("aten::mul", arguments) && named.empty()
               ? script.arithmetic("aten::mul", arguments)
               : script.callSignature("aten::mul", arguments, named);
}

template <bool isNegated>
ScriptValue compareEqual(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    const auto isTensor = [](const ScriptValue& value) { return std::holds_alternative<TensorRef>(value); };
    if (arguments.size() == 2 && !isTensor(arguments[0]) && !isTensor(arguments[1])) {
        const ScriptValue same = script.equal(arguments[0], arguments[1]);
        return isNegated ? script.negated(same) : same;
    }
    return script.callSignature(isNegated ? "aten::ne" : "aten::eq", arguments, named);
}

/// The largest or smallest of two numbers or of a list.
template <bool isMaximum>
ScriptValue extreme(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    const std::string op = isMaximum ? "prim::max" : "prim::min";
    if (arguments.size() == 1 && isSequence(arguments[0])) {
        Arguments items = script.itemsOf(arguments[0]);
        if (items.empty()) {
            Interpreter::unsupported(fmt::format("{} of an empty list", op));
        }
        ScriptValue result = items[0];
        for (std::size_t i = 1; i < items.size(); ++i) {
            result = script.arithmetic(op, {result, items[i]});
        }
        return result;
    }
    if (isNumberOperator(op, arguments)) {
        return script.arithmetic(op, arguments);
    }
    return script.callSignature(isMaximum ? "aten::max" : "aten::min", arguments, named);
}

/// Whether one or all of a list of truths are true.
template <bool isAll>
ScriptValue truths(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    if (arguments.size() != 1 || !isSequence(arguments[0])) {
        return script.callSignature(isAll ? "aten::all" : "aten::any", arguments, named);
    }
    ScriptValue result = isAll;
    for (const ScriptValue& item : script.itemsOf(arguments[0])) {
        result = script.arithmetic(isAll ? "aten::__and__" : "aten::__or__",
                                   {result, script.toNumber(NumberKind::Bool, item)});
    }
    return result;
}

} // namespace

std::span<const ScriptFunctionRow> listFunctions()
{
    static constexpr auto rows = std::to_array<ScriptFunctionRow>({
        {"aten::len", length},
        {"aten::append", append},
        {"aten::extend", extend},
        {"aten::insert", insert},
        {"aten::pop", pop},
        {"aten::clear", clear},
        {"aten::Delete", erase},
        {"aten::index", index},
        {"aten::remove", remove},
        {"aten::count", count},
        {"aten::sort", sort},
        {"aten::sum", sum},
        {"aten::divmod", quotientAndRemainder},
        {"aten::update", update},
        {"aten::setdefault", setDefault},
        {"aten::wait", returnFirst},
        {"aten::reverse", reverse},
        {"aten::list", copyOfList},
        {"aten::dict", newDictionary},
        {"aten::copy", copyOfList},
        {"aten::_set_item", setItem},
        {"aten::__getitem__", getItem},
        {"aten::keys", keys},
        {"aten::values", values},
        {"aten::items", entries},
        {"aten::get", get},
        {"aten::__contains__", contains},
        {"aten::__is__", isSameObject},
        {"aten::__isnot__", isOtherObject},
        {"aten::__range_length", rangeLength},
        {"aten::__derive_index", deriveIndex},
        {"aten::slice", slice},
        {"aten::add", add},
        {"aten::add_", addInPlace},
        {"aten::mul", multiply},
        {"aten::eq", compareEqual<false>},
        {"aten::ne", compareEqual<true>},
        {"aten::all", truths<true>},
        {"aten::any", truths<false>},
        {"prim::max", extreme<true>},
        {"prim::min", extreme<false>},
        {"aten::max", extreme<true>},
        {"aten::min", extreme<false>},
        {"aten::warn", returnNone},
        {"prim::Print", returnNone},
        {"prim::unchecked_unwrap_optional", returnFirst},
        {"aten::_unwrap_optional", returnFirst},
    });
    return rows;
}

} // namespace crosswalk::pytorch
