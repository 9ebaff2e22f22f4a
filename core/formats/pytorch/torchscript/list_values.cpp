// Reads and comparisons of lists, tuples and dictionaries. They are structures of the program: only lists of numbers
// whose length the model computes become vectors of the graph.

#include "core/formats/pytorch/torchscript/list_values.h"

#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/torchscript/stated_sizes.h"
#include "core/formats/pytorch/torchscript/text_functions.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;
using Parts = std::shared_ptr<const TensorParts>;
using Tuple = std::shared_ptr<const TupleValue>;

bool isPossible(const ScriptValue& value)
{
    return std::holds_alternative<std::shared_ptr<const PossibleItem>>(value);
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

/// Whether the key is a constant, or a tensor, which is equal to itself only.
bool isKnownKey(const ScriptValue& key)
{
    return std::holds_alternative<std::string>(key) || std::holds_alternative<std::int64_t>(key) ||
           std::holds_alternative<double>(key) || std::holds_alternative<bool>(key) ||
           std::holds_alternative<TensorRef>(key);
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

} // namespace

const std::int64_t* constantIn(const ScriptValue& value)
{
    return std::get_if<std::int64_t>(&value);
}

std::size_t indexIn(std::int64_t index, std::size_t size)
{
    const auto count = static_cast<std::int64_t>(size);
    const std::int64_t at = index < 0 ? index + count : index;
    if (at < 0 || at >= count) {
        throw UnsupportedScript{fmt::format("index {} is outside a list of {} items", index, size)};
    }
    return static_cast<std::size_t>(at);
}

bool isSequence(const ScriptValue& value)
{
    return std::holds_alternative<ListRef>(value) || std::holds_alternative<Tuple>(value) ||
           std::holds_alternative<ComputedList>(value) || std::holds_alternative<Parts>(value);
}

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
    const auto* axis = constantIn(parts.axis);
    const auto at = axis != nullptr ? axisAt(*axis, shape->size()) : std::nullopt;
    if (!at) {
        return std::nullopt;
    }
    const Dim& dim = (*shape)[*at];
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

void Interpreter::expectNumber(const ScriptValue& number, std::int64_t expected, const std::string& consequence)
{
    const ScriptValue isExpected = arithmetic("aten::eq", {number, expected});
    if (isExpected == ScriptValue(true)) {
        return;
    }
    emit("prim::RaiseException", "",
         {{"condition", isExpected},
          {"raises_if", false},
          {"is_unsupported", true},
          {"message", fmt::format("the model was read for shapes with which {}", consequence)}},
         0);
}

/// The items of a list whose length a known shape determines.
Interpreter::Arguments Interpreter::fixedItems(const ScriptValue& list, std::int64_t length)
{
    expectNumber(lengthOf(list), length, fmt::format("a list has {} items", length));
    Arguments items;
    for (std::int64_t i = 0; i < length; ++i) {
        items.push_back(item(list, i));
    }
    return items;
}

ScriptValue Interpreter::sizeOf(TensorRef tensor, const ScriptValue& axis)
{
    if (const auto* given = constantIn(axis)) {
        const auto sizes = statedSizes(graphs, read(tensor));
        if (const auto at = axisAt(*given, sizes.size()); at && sizes[*at]) {
            return *sizes[*at];
        }
    }
    return callSignature("aten::size", {tensor, axis});
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
            return sizeOf(of.tensor, index);
        }
        if (of.kind == TensorParts::Kind::Unbind) {
            return callSignature("aten::select", {of.tensor, of.axis, index});
        }
        ScriptValue size = of.count;
        if (of.kind == TensorParts::Kind::Chunk) {
            const ScriptValue whole = sizeOf(of.tensor, of.axis);
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
        return sizeOf(*tensor, std::int64_t{0});
    }
    if (const auto* parts = std::get_if<Parts>(&list)) {
        const TensorParts& of = **parts;
        if (of.kind == TensorParts::Kind::Sizes) {
            return ComputedNumber{NumberKind::Int, emit("aten::dim", "", {{"self", of.tensor}}, 1)[0]};
        }
        ScriptValue whole = sizeOf(of.tensor, of.axis);
        if (of.kind == TensorParts::Kind::Unbind) {
            return whole;
        }
        // An empty axis is split into one part, and chunked into as many as usual.
        const ScriptValue filled = arithmetic("prim::max", {whole, std::int64_t{1}});
        const auto pieces = [&](const ScriptValue& size) {
            const ScriptValue more =
                arithmetic("aten::sub", {arithmetic("aten::add", {filled, size}), std::int64_t{1}});
            return arithmetic("aten::floordiv", {more, size});
        };
        if (of.kind == TensorParts::Kind::Split) {
            return pieces(of.count);
        }
        const ScriptValue isEmpty = toNumber(NumberKind::Int, arithmetic("aten::eq", {whole, std::int64_t{0}}));
        const ScriptValue others = arithmetic("aten::sub", {of.count, std::int64_t{1}});
        return arithmetic("aten::add", {pieces(pieces(of.count)), arithmetic("aten::mul", {isEmpty, others})});
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

} // namespace crosswalk::pytorch
