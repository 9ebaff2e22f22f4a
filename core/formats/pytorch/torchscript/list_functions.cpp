// Lists, tuples, dictionaries and text. They are structures of the program: only lists of numbers whose length the
// model computes become vectors of the graph.

#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;
using Parts = std::shared_ptr<const TensorParts>;
using Tuple = std::shared_ptr<const TupleValue>;

const std::int64_t* constantIn(const ScriptValue& value)
{
    return std::get_if<std::int64_t>(&value);
}

constexpr std::size_t mostItems = 1U << 20U; ///< of a list, and characters of a text

std::string limitedText(std::string text)
{
    if (text.size() > mostItems) {
        throw UnsupportedScript{"a text is too long"};
    }
    return text;
}

void limitItems(std::size_t count)
{
    if (count > mostItems) {
        throw UnsupportedScript{"a list has too many items"};
    }
}

[[noreturn]] void unknownText()
{
    throw UnsupportedScript{"a text is used that the model chooses or computes"};
}

bool isNeverEmpty(const ScriptValue& text)
{
    const auto* known = std::get_if<std::string>(&text);
    return known != nullptr ? !known->empty() : !std::get<ComputedText>(text).length;
}

std::string shownText(const ScriptValue& text)
{
    const auto* known = std::get_if<std::string>(&text);
    return known != nullptr ? *known : std::get<ComputedText>(text).shown;
}

/// A text of known content.
const std::string& textIn(const ScriptValue& value)
{
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) {
        unknownText();
    }
    return *text;
}

bool isPossible(const ScriptValue& value)
{
    return std::holds_alternative<std::shared_ptr<const PossibleItem>>(value);
}

/// An index of a list, counted from the start.
std::size_t indexIn(std::int64_t index, std::size_t size)
{
    const auto count = static_cast<std::int64_t>(size);
    const std::int64_t at = index < 0 ? index + count : index;
    if (at < 0 || at >= count) {
        throw UnsupportedScript{fmt::format("index {} is outside a list of {} items", index, size)};
    }
    return static_cast<std::size_t>(at);
}

std::optional<bool> sameConstants(const ScriptValue& a, const ScriptValue& b)
{
    if (std::holds_alternative<std::string>(a) && std::holds_alternative<std::string>(b)) {
        return a == b;
    }
    if (isNone(a) || isNone(b)) {
        return isNone(a) && isNone(b);
    }
    return std::nullopt;
}

bool isSequence(const ScriptValue& value)
{
    return std::holds_alternative<ListRef>(value) || std::holds_alternative<Tuple>(value) ||
           std::holds_alternative<ComputedList>(value) || std::holds_alternative<Parts>(value);
}

/// Whether the key is a constant, or a tensor, which is equal to itself only.
bool isKnownKey(const ScriptValue& key)
{
    return std::holds_alternative<std::string>(key) || std::holds_alternative<std::int64_t>(key) ||
           std::holds_alternative<double>(key) || std::holds_alternative<bool>(key) ||
           std::holds_alternative<TensorRef>(key);
}

/// The position of an entry of a dictionary; nothing if it has no such key.
std::optional<std::size_t> positionOf(const DictCell& cell, const ScriptValue& key)
{
    for (std::size_t i = 0; i < cell.entries.size(); ++i) {
        if (!isKnownKey(cell.entries[i].first) || !isKnownKey(key)) {
            Interpreter::unsupported("a key of a dictionary is computed");
        }
        if (cell.entries[i].first == key) {
            return i;
        }
    }
    return std::nullopt;
}

ScriptValue* entryOf(Interpreter& script, const ScriptValue& dictionary, const ScriptValue& key)
{
    const auto* ref = std::get_if<DictRef>(&dictionary);
    if (ref == nullptr) {
        return nullptr;
    }
    DictCell& cell = script.heap.dicts[ref->index];
    const auto at = positionOf(cell, key);
    return at ? &cell.entries[*at].second : nullptr;
}

const DictCell& dictOf(Interpreter& script, const ScriptValue& value)
{
    const auto* ref = std::get_if<DictRef>(&value);
    if (ref == nullptr) {
        Interpreter::unsupported(fmt::format("a {} is used as a dictionary", kindName(value)));
    }
    return script.heap.dicts[ref->index];
}

/// Of two constants of one kind.
bool isLess(const ScriptValue& a, const ScriptValue& b)
{
    if (const auto* integer = std::get_if<std::int64_t>(&a)) {
        return *integer < std::get<std::int64_t>(b);
    }
    if (const auto* real = std::get_if<double>(&a)) {
        return *real < std::get<double>(b);
    }
    if (const auto* truth = std::get_if<bool>(&a)) {
        return !*truth && std::get<bool>(b);
    }
    return std::get<std::string>(a) < std::get<std::string>(b);
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

ScriptValue copyOfList(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    if (const auto* ref = std::get_if<DictRef>(&arguments.at(0))) {
        return script.heap.add(DictCell(script.heap.dicts[ref->index]));
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
    if (step == nullptr || *step == 0) {
        Interpreter::unsupported("the step of a range is not constant, or zero");
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

/// The text with its placeholders filled. It is mostly the message of an exception, or a reason of which the program
/// asks whether there is one.
ScriptValue format(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    constexpr std::string_view placeholder = "{}";
    std::string text = textIn(arguments.at(0));
    bool hasText = text.find_first_not_of(placeholder) != std::string::npos;
    bool isKnown = true;
    std::size_t at = 0;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        at = text.find(placeholder, at);
        if (at == std::string::npos) {
            break;
        }
        const ScriptValue value = asText(arguments[i]);
        const auto* known = std::get_if<std::string>(&value);
        isKnown = isKnown && known != nullptr;
        hasText = hasText || isNeverEmpty(value);
        const std::string part = known != nullptr ? *known : "...";
        text = limitedText(text.replace(at, placeholder.size(), part));
        at += part.size();
    }
    if (isKnown) {
        return text;
    }
    if (!hasText) {
        unknownText();
    }
    return ComputedText{.shown = std::move(text)};
}

/// A value as a specifier of a %-format writes it; nothing for a specifier or a value that is not supported.
std::optional<ScriptValue> percentText(char specifier, const ScriptValue& value)
{
    const bool isInteger = std::holds_alternative<std::int64_t>(value);
    switch (specifier) {
    case 's':
    case 'c':
        return isText(value) || (isInteger && specifier == 's') ? std::optional(asText(value)) : std::nullopt;
    case 'd':
    case 'i':
        return isInteger ? std::optional(asText(value)) : std::nullopt;
    case 'f':
    case 'F':
        return std::holds_alternative<double>(value)
                   ? std::optional(ScriptValue(fmt::format("{:.6f}", std::get<double>(value))))
                   : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// format % values. It is used as format() is.
ScriptValue percentFormat(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    const std::string& pattern = textIn(arguments.at(0));
    Arguments values(arguments.begin() + 1, arguments.end());
    if (values.size() == 1 && std::holds_alternative<Tuple>(values[0])) {
        values = std::get<Tuple>(values[0])->items;
    }
    std::string text;
    bool isKnown = true;
    bool hasText = false;
    std::size_t used = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        if (pattern[i] != '%' || next == '%') {
            text += pattern[i];
            i += pattern[i] == '%' ? 1 : 0;
            hasText = true;
            continue;
        }
        if (used == values.size()) {
            throw Interpreter::Raised{"a format has too few values"};
        }
        const bool isNumber = numberKindOf(values[used]).has_value();
        const auto part = percentText(next, values[used++]);
        const auto* known = part ? std::get_if<std::string>(&*part) : nullptr;
        isKnown = isKnown && known != nullptr;
        hasText = hasText || isNumber || (part && isNeverEmpty(*part));
        text = limitedText(std::move(text) + (known != nullptr ? *known : "..."));
        ++i;
    }
    if (isKnown) {
        return text;
    }
    if (!hasText) {
        unknownText();
    }
    return ComputedText{.shown = std::move(text)};
}

ScriptValue lower(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    std::string text = textIn(arguments.at(0));
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

ScriptValue startsWith(Interpreter& /*script*/, const Arguments& arguments, const ScriptArguments&)
{
    return textIn(arguments.at(0)).starts_with(textIn(arguments.at(1)));
}

ScriptValue join(Interpreter& script, const Arguments& arguments, const ScriptArguments&)
{
    const std::string& separator = textIn(arguments.at(0));
    std::string text;
    bool isFirst = true;
    for (const ScriptValue& item : script.itemsOf(arguments.at(1))) {
        text = limitedText(std::move(text) + (isFirst ? "" : separator) + textIn(item));
        isFirst = false;
    }
    return text;
}

} // namespace

ScriptValue Interpreter::sortedList(const ScriptValue& list, bool isDescending)
{
    Arguments items = itemsOf(list);
    const auto isComparable = [&](const ScriptValue& item) {
        const auto* real = std::get_if<double>(&item);
        return item.index() == items[0].index() &&
               (std::holds_alternative<std::int64_t>(item) || std::holds_alternative<bool>(item) ||
                std::holds_alternative<std::string>(item) || (real != nullptr && !std::isnan(*real)));
    };
    if (!std::ranges::all_of(items, isComparable)) {
        unsupported("a list is sorted whose items the model computes");
    }
    std::ranges::stable_sort(
        items, [&](const ScriptValue& a, const ScriptValue& b) { return isDescending ? isLess(b, a) : isLess(a, b); });
    return newList(std::move(items));
}

ListCell& Interpreter::listOf(const ScriptValue& list)
{
    const auto* ref = std::get_if<ListRef>(&list);
    if (ref == nullptr) {
        unsupported(fmt::format("a {} is changed as a list", kindName(list)));
    }
    ListCell& changed = heap.lists[ref->index];
    std::set<std::uint32_t> possible = changed.mayBe;
    possible.insert(ref->index);
    for (const std::uint32_t alias : heap.possibleAliases) {
        ListCell& other = heap.lists[alias];
        other.isStale = other.isStale || std::ranges::any_of(possible, [&](std::uint32_t one) {
                            return alias != ref->index && other.mayBe.contains(one);
                        });
    }
    possible.erase(ref->index);
    for (const std::uint32_t alias : possible) {
        heap.lists[alias].isStale = true;
    }
    return changed;
}

const ListCell& Interpreter::cellOf(ListRef list) const
{
    const ListCell& cell = heap.lists[list.index];
    if (cell.isStale) {
        unsupported("a list may be the same as one that is changed before it is read; copy it with list()");
    }
    return cell;
}

Interpreter::Arguments Interpreter::itemsOf(const ScriptValue& list)
{
    if (const auto* ref = std::get_if<ListRef>(&list)) {
        const ListCell& cell = cellOf(*ref);
        if (cell.onlyAppends) {
            unsupported("a loop reads a list to which it appends");
        }
        if (cell.stacked) {
            unsupported("the number of items of a list that a loop built is not constant");
        }
        if (std::any_of(cell.items.begin(), cell.items.end(), isPossible)) {
            unsupported("the number of items of a list depends on the inputs");
        }
        step(cell.items.size() / itemsPerStep);
        return cell.items;
    }
    if (const auto* tuple = std::get_if<Tuple>(&list)) {
        return (*tuple)->items;
    }
    if (const auto* optional = std::get_if<std::shared_ptr<const OptionalValue>>(&list)) {
        return itemsOf((*optional)->value);
    }
    if (const auto* ref = std::get_if<DictRef>(&list)) {
        Arguments names;
        for (const auto& [key, value] : heap.dicts[ref->index].entries) {
            names.push_back(key);
        }
        return names;
    }
    if (const auto* parts = std::get_if<Parts>(&list)) {
        if (const auto length = fixedLength(**parts)) {
            return fixedItems(list, *length);
        }
    }
    if (std::holds_alternative<Parts>(list) || std::holds_alternative<ComputedList>(list)) {
        unsupported("the number of items of a list is not constant");
    }
    unsupported(fmt::format("a {} is used as a list", kindName(list)));
}

std::optional<std::int64_t> Interpreter::fixedLength(const TensorParts& parts) const
{
    const TensorCell& cell = heap.tensors[parts.tensor.index];
    if (const auto rank = rankOf(parts.tensor); rank && parts.kind == TensorParts::Kind::Sizes) {
        return static_cast<std::int64_t>(*rank);
    }
    const auto& shape = graphs.graph(cell.value.level).value(cell.value.id).type.shape;
    if (!shape || cell.view != nullptr) {
        return std::nullopt;
    }
    const auto rank = static_cast<std::int64_t>(shape->size());
    const auto* axis = constantIn(parts.axis);
    if (axis == nullptr || *axis >= rank || *axis < -rank) {
        return std::nullopt;
    }
    const Dim& dim = (*shape)[static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis)];
    if (!dim.isFixed() || dim.size > static_cast<std::int64_t>(mostItems)) {
        return std::nullopt;
    }
    if (parts.kind == TensorParts::Kind::Unbind) {
        return dim.size;
    }
    const auto* count = constantIn(parts.count);
    if (count == nullptr || *count < 1 || dim.size < 1) {
        return std::nullopt;
    }
    const auto pieces = [&](std::int64_t size) { return (dim.size - 1) / size + 1; };
    return parts.kind == TensorParts::Kind::Split ? pieces(*count) : pieces(pieces(*count));
}

/// The items of a list whose length a known shape determines. The conversion checks that the shape is this one.
Interpreter::Arguments Interpreter::fixedItems(const ScriptValue& list, std::int64_t length)
{
    emit("prim::RaiseException", "",
         {{"condition", arithmetic("aten::eq", {lengthOf(list), length})},
          {"raises_if", false},
          {"is_unsupported", true},
          {"message", fmt::format("the model was read for shapes with which a list has {} items", length)}},
         0);
    Arguments items;
    for (std::int64_t i = 0; i < length; ++i) {
        items.push_back(item(list, i));
    }
    return items;
}

ScriptValue Interpreter::item(const ScriptValue& list, const ScriptValue& index)
{
    if (std::holds_alternative<DictRef>(list)) {
        if (const ScriptValue* value = entryOf(*this, list, index)) {
            return *value;
        }
        unsupported("a dictionary has no such key");
    }
    if (const auto* text = std::get_if<std::string>(&list)) {
        const auto* at = constantIn(index);
        if (at == nullptr) {
            unsupported("text is indexed with a number that is not constant");
        }
        return std::string(1, (*text)[indexIn(*at, text->size())]);
    }
    const ScriptValue zero = std::int64_t{0};
    if (const auto* parts = std::get_if<Parts>(&list)) {
        const TensorParts& of = **parts;
        if (of.kind == TensorParts::Kind::Sizes) {
            return callSignature("aten::size", {of.tensor, index});
        }
        if (of.kind == TensorParts::Kind::Unbind) {
            return callSignature("aten::select", {of.tensor, of.axis, index});
        }
        ScriptValue size = of.count;
        if (of.kind == TensorParts::Kind::Chunk) {
            const ScriptValue whole = callSignature("aten::size", {of.tensor, of.axis});
            const ScriptValue more = arithmetic("aten::sub", {arithmetic("aten::add", {whole, size}), std::int64_t{1}});
            size = arithmetic("aten::floordiv", {more, size});
        }
        ScriptValue at = index;
        if (const auto* constant = constantIn(index); constant != nullptr && *constant < 0) {
            at = arithmetic("aten::add", {lengthOf(list), index});
        }
        const ScriptValue start = arithmetic("aten::mul", {at, size});
        return callSignature("aten::slice", {of.tensor, of.axis, start, arithmetic("aten::add", {start, size})});
    }
    if (const auto* vector = std::get_if<ComputedList>(&list)) {
        return ComputedNumber{
            vector->kind,
            emit("aten::select", "int", {{"self", newTensor(vector->value)}, {"dim", zero}, {"index", index}}, 1)[0]};
    }
    if (const auto* ref = std::get_if<ListRef>(&list); ref != nullptr && heap.lists[ref->index].stacked) {
        const ListCell cell = heap.lists[ref->index];
        const auto* at = constantIn(index);
        if (!cell.items.empty() && (at == nullptr || *at >= 0)) {
            unsupported("a list is indexed to which a loop appended items");
        }
        const ScriptValue value = callSignature("aten::select", {*cell.stacked, zero, index});
        return cell.stackedNumbers ? ScriptValue(ComputedNumber{*cell.stackedNumbers, read(std::get<TensorRef>(value))})
                                   : value;
    }
    const Arguments items = itemsOf(list);
    const auto* at = constantIn(index);
    if (at != nullptr) {
        return items[indexIn(*at, items.size())];
    }
    const bool areNumbers = !items.empty() && std::all_of(items.begin(), items.end(), [](const ScriptValue& one) {
        return numberKindOf(one).has_value();
    });
    if (areNumbers) {
        return item(vectorOf(list), index);
    }
    const bool areTensors = !items.empty() && std::all_of(items.begin(), items.end(), [](const ScriptValue& one) {
        return std::holds_alternative<TensorRef>(one);
    });
    if (!areTensors) {
        unsupported("a list is indexed with a number that is not constant");
    }
    unsupported("a list of tensors is indexed with a number that is not constant");
}

ScriptValue Interpreter::lengthOf(const ScriptValue& list)
{
    if (const auto* text = std::get_if<std::string>(&list)) {
        return static_cast<std::int64_t>(text->size());
    }
    if (const auto* text = std::get_if<ComputedText>(&list)) {
        return text->isExact ? ScriptValue(ComputedNumber{NumberKind::Int, *text->length})
                             : ScriptValue(TextLength{text->length});
    }
    if (const auto* tensor = std::get_if<TensorRef>(&list)) {
        return callSignature("aten::size", {*tensor, std::int64_t{0}});
    }
    if (const auto* parts = std::get_if<Parts>(&list)) {
        const TensorParts& of = **parts;
        if (of.kind == TensorParts::Kind::Sizes) {
            return ComputedNumber{NumberKind::Int, emit("aten::dim", "", {{"self", of.tensor}}, 1)[0]};
        }
        ScriptValue whole = callSignature("aten::size", {of.tensor, of.axis});
        if (of.kind == TensorParts::Kind::Unbind) {
            return whole;
        }
        const auto pieces = [&](const ScriptValue& size) {
            const ScriptValue more = arithmetic("aten::sub", {arithmetic("aten::add", {whole, size}), std::int64_t{1}});
            return arithmetic("aten::floordiv", {more, size});
        };
        return of.kind == TensorParts::Kind::Split ? pieces(of.count) : pieces(pieces(of.count));
    }
    if (const auto* vector = std::get_if<ComputedList>(&list)) {
        return callSignature("aten::size", {newTensor(vector->value), std::int64_t{0}});
    }
    if (const auto* ref = std::get_if<ListRef>(&list); ref != nullptr && heap.lists[ref->index].stacked) {
        const ListCell cell = heap.lists[ref->index];
        const ScriptValue appended = callSignature("aten::size", {*cell.stacked, std::int64_t{0}});
        return arithmetic("aten::add", {appended, static_cast<std::int64_t>(cell.items.size())});
    }
    if (const auto* ref = std::get_if<ListRef>(&list); ref != nullptr && !heap.lists[ref->index].onlyAppends) {
        const Arguments items = cellOf(*ref).items;
        ScriptValue length = std::int64_t{0};
        for (const ScriptValue& one : items) {
            const ScriptValue count =
                isPossible(one)
                    ? toNumber(NumberKind::Int,
                               ComputedNumber{NumberKind::Bool,
                                              std::get<std::shared_ptr<const PossibleItem>>(one)->isPresent})
                    : ScriptValue(std::int64_t{1});
            length = arithmetic("aten::add", {length, count});
        }
        return length;
    }
    return static_cast<std::int64_t>(itemsOf(list).size());
}

ComputedList Interpreter::vectorOf(const ScriptValue& list)
{
    if (const auto* vector = std::get_if<ComputedList>(&list)) {
        return *vector;
    }
    if (const auto* parts = std::get_if<Parts>(&list); parts != nullptr && (*parts)->kind == TensorParts::Kind::Sizes) {
        return {NumberKind::Int, emit("aten::size", "", {{"self", (*parts)->tensor}}, 1)[0]};
    }
    Arguments items;
    std::optional<ComputedList> appended;
    if (const auto* ref = std::get_if<ListRef>(&list); ref != nullptr && heap.lists[ref->index].stacked) {
        const ListCell cell = heap.lists[ref->index];
        if (!cell.stackedNumbers) {
            unsupported("a list of tensors is used as a list of numbers");
        }
        appended = ComputedList{*cell.stackedNumbers, read(*cell.stacked)};
        items = cell.items;
        if (items.empty()) {
            return *appended;
        }
    } else {
        items = itemsOf(list);
    }
    NumberKind kind = NumberKind::Int;
    bool areConstant = true;
    for (const ScriptValue& one : items) {
        if (!numberKindOf(one)) {
            unsupported(fmt::format("a list of {} is used as a list of numbers", kindName(one)));
        }
        kind = *numberKindOf(one);
        areConstant = areConstant && !std::holds_alternative<ComputedNumber>(one);
    }
    const ElementType type = kind == NumberKind::Int     ? ElementType::Int64
                             : kind == NumberKind::Float ? ElementType::Float64
                                                         : ElementType::Bool;
    ComputedList made{kind, {}};
    if (areConstant) {
        const Ints dims{static_cast<std::int64_t>(items.size())};
        if (kind == NumberKind::Int) {
            Ints integers;
            for (const ScriptValue& one : items) {
                integers.push_back(std::get<std::int64_t>(one));
            }
            made.value =
                graphs.stored(graphs.unique("constant"), Tensor::of<std::int64_t>(type, dims, std::span(integers)));
        } else {
            std::vector<double> reals;
            for (const ScriptValue& one : items) {
                reals.push_back(kind == NumberKind::Bool ? (std::get<bool>(one) ? 1 : 0) : std::get<double>(one));
            }
            made.value =
                graphs.stored(graphs.unique("constant"),
                              Tensor::of<double>(ElementType::Float64, dims, std::span(reals)).converted(type));
        }
    } else {
        Arguments tensors;
        for (const ScriptValue& one : items) {
            tensors.push_back(newTensor(graphValue(one)));
        }
        const ScriptValue stacked = callSignature("aten::stack", {newList(std::move(tensors)), std::int64_t{0}});
        made.value = read(std::get<TensorRef>(stacked));
    }
    if (appended) {
        const ScriptValue parts = newList({newTensor(made.value), newTensor(appended->value)});
        const ScriptValue joined = callSignature("aten::cat", {parts, std::int64_t{0}});
        made.value = read(std::get<TensorRef>(joined));
    }
    return made;
}

ScriptValue Interpreter::equal(const ScriptValue& a, const ScriptValue& b)
{
    if (const auto same = sameConstants(a, b)) {
        return *same;
    }
    if (numberKindOf(a) && numberKindOf(b)) {
        return arithmetic("aten::eq", {a, b});
    }
    if (isSequence(a) && isSequence(b)) {
        const auto isComputed = [](const ScriptValue& value) {
            return std::holds_alternative<ComputedList>(value) || std::holds_alternative<Parts>(value);
        };
        if (isComputed(a) || isComputed(b)) {
            const ComputedList first = vectorOf(a);
            const ComputedList second = vectorOf(b);
            return ComputedNumber{
                NumberKind::Bool,
                emit("aten::eq", "int_list", {{"a", newTensor(first.value)}, {"b", newTensor(second.value)}}, 1)[0]};
        }
        const Arguments left = itemsOf(a);
        const Arguments right = itemsOf(b);
        if (left.size() != right.size()) {
            return false;
        }
        ScriptValue all = true;
        for (std::size_t i = 0; i < left.size(); ++i) {
            all = arithmetic("aten::__and__", {all, equal(left[i], right[i])});
        }
        return all;
    }
    for (const ScriptValue* value : {&a, &b}) {
        if (std::holds_alternative<ComputedText>(*value)) {
            unknownText();
        }
        if (std::holds_alternative<DictRef>(*value) || std::holds_alternative<TensorRef>(*value)) {
            unsupported(fmt::format("values of type {} are compared", kindName(*value)));
        }
    }
    return a == b;
}

void Interpreter::setEntry(DictRef dictionary, const ScriptValue& key, ScriptValue value)
{
    if (ScriptValue* entry = entryOf(*this, dictionary, key)) {
        *entry = std::move(value);
    } else {
        heap.dicts[dictionary.index].entries.emplace_back(key, std::move(value));
    }
}

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
        {"aten::format", format},
        {"aten::percentFormat", percentFormat},
        {"aten::lower", lower},
        {"aten::startswith", startsWith},
        {"aten::join", join},
        {"aten::warn", returnNone},
        {"prim::Print", returnNone},
        {"prim::unchecked_unwrap_optional", returnFirst},
        {"aten::_unwrap_optional", returnFirst},
    });
    return rows;
}

} // namespace crosswalk::pytorch
