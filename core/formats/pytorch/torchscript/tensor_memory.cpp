// Tensors that share memory. A view remembers how it is computed from its base; a write to a view is a write to the
// base, and views are computed anew when they are read after a write.

#include "core/base/is_one_of.h"
#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

/// Views that only change the shape: a write to them is a write of the reshaped tensor.
bool isReshape(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::atleast_1d", "aten::atleast_2d", "aten::atleast_3d", "aten::flatten", "aten::ravel", "aten::reshape",
         "aten::reshape_as", "aten::unflatten", "aten::unsqueeze", "aten::squeeze", "aten::view", "aten::view_as"});
    return isOneOf(op, names);
}

/// Views of consecutive parts along an axis.
bool isPartAlongAxis(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"aten::chunk", "aten::narrow", "aten::select", "aten::slice", "aten::split",
                                         "aten::split_with_sizes", "aten::tensor_split", "aten::unbind"});
    return isOneOf(op, names);
}

ScriptValue argumentOf(const TensorView& view, std::size_t position, std::string_view name, ScriptValue fallback)
{
    if (position < view.arguments.size()) {
        return view.arguments[position];
    }
    const auto found =
        std::find_if(view.named.begin(), view.named.end(), [&](const auto& entry) { return entry.first == name; });
    return found != view.named.end() ? found->second : fallback;
}

/// Parts along the first axis are consecutive in memory.
ElementOrder orderOfView(const TensorView& view, ElementOrder order)
{
    if (isReshape(view.op)) {
        return order;
    }
    const ScriptValue first = std::int64_t{0};
    const ScriptValue next = std::int64_t{1};
    const bool isFirstAxis = argumentOf(view, 0, "dim", first) == first;
    const bool hasEachOne = view.op != "aten::slice" || argumentOf(view, 3, "step", next) == next;
    return isPartAlongAxis(view.op) && isFirstAxis && hasEachOne ? order : ElementOrder::Unknown;
}

} // namespace

TensorRef Interpreter::newTensor(GraphValue value, std::string name)
{
    return heap.add(TensorCell{.value = value, .name = std::move(name)});
}

TensorRef Interpreter::newStored(GraphValue value, const std::string& name, const std::string& storage,
                                 ElementOrder order)
{
    const TensorRef made = newTensor(value, name);
    heap.tensors[made.index].order = order;
    heap.tensors[made.index].isStored = true;
    const auto [first, isFirst] = m_firstOfStorage.emplace(storage, made.index);
    if (!isFirst) {
        heap.tensors[made.index].mayShare =
            std::make_shared<const std::set<std::uint32_t>>(std::initializer_list<std::uint32_t>{first->second});
    }
    return made;
}

std::optional<std::size_t> Interpreter::rankOf(const TensorCell& cell) const
{
    const auto& shape = graphs.graph(cell.value.level).value(cell.value.id).type.shape;
    return shape ? std::optional(shape->size()) : cell.rank;
}

TensorRef Interpreter::newView(TensorRef base, GraphValue value, std::shared_ptr<const TensorView> view)
{
    constexpr std::uint32_t viewsPerStep = 64; // each is visited to find the memory
    step(heap.tensors[base.index].depth / viewsPerStep);
    const TensorCell& of = heap.tensors[base.index];
    const ElementOrder order = view != nullptr ? orderOfView(*view, of.order) : of.order;
    return heap.add(TensorCell{.value = value,
                               .name = of.name,
                               .base = base.index,
                               .view = std::move(view),
                               .depth = of.depth + 1,
                               .version = heap.tensors[rootOf(base.index)].version,
                               .order = order});
}

/// An operator such as aten::contiguous may return the tensor itself. A change of its shape in place then applies to
/// both.
void Interpreter::reshapeAliases(std::uint32_t tensor)
{
    std::set<std::uint32_t> aliases{tensor};
    for (std::size_t before = 0; before != aliases.size();) {
        before = aliases.size();
        for (std::uint32_t i = 0; i < heap.tensors.size(); ++i) {
            if (const auto& other = heap.tensors[i].aliasOf; other && aliases.contains(*other)) {
                aliases.insert(i);
            } else if (other && aliases.contains(i)) {
                aliases.insert(*other);
            }
        }
    }
    aliases.erase(tensor);
    for (const std::uint32_t alias : aliases) {
        heap.tensors[alias].wasReshaped = true;
    }
}

void Interpreter::reshapeInPlace(TensorRef tensor, GraphValue value, std::shared_ptr<const TensorView> view)
{
    reshapeAliases(tensor.index);
    TensorCell& cell = heap.tensors[tensor.index];
    const bool isShared =
        cell.base || std::ranges::any_of(heap.tensors, [&](const TensorCell& other) {
            return other.base == tensor.index || (other.mayShare != nullptr && other.mayShare->contains(tensor.index));
        });
    if (!isShared && cell.mayShare == nullptr) {
        write(tensor, value);
        heap.tensors[tensor.index].rank.reset();
        heap.tensors[tensor.index].order = orderOfView(*view, cell.order);
        return;
    }
    // The memory gets a cell of its own, which the tensor and its views refer to.
    const TensorRef memory = heap.add(TensorCell(cell));
    for (std::uint32_t i = 0; i < memory.index; ++i) {
        TensorCell& other = heap.tensors[i];
        if (other.base == tensor.index) {
            other.base = memory.index;
        }
        if (other.mayShare != nullptr && other.mayShare->contains(tensor.index)) {
            std::set<std::uint32_t> shared = *other.mayShare;
            shared.insert(memory.index);
            other.mayShare = std::make_shared<const std::set<std::uint32_t>>(std::move(shared));
        }
    }
    cell.base = memory.index;
    ++cell.depth;
    cell.order = orderOfView(*view, cell.order);
    cell.view = std::move(view);
    cell.value = value;
    cell.mayShare = nullptr;
    cell.rank.reset();
}

TensorRef Interpreter::newShare(TensorRef tensor, GraphValue value)
{
    const std::uint32_t root = rootOf(tensor.index);
    std::set<std::uint32_t> shared = sharedWith(root);
    TensorCell cell{.value = value, .name = heap.tensors[tensor.index].name};
    cell.mayShare = std::make_shared<const std::set<std::uint32_t>>(std::move(shared));
    return heap.add(std::move(cell));
}

std::uint32_t Interpreter::rootOf(std::uint32_t cell) const
{
    while (heap.tensors[cell].base) {
        cell = *heap.tensors[cell].base;
    }
    return cell;
}

/// The root, and all whose memory it may share.
std::set<std::uint32_t> Interpreter::sharedWith(std::uint32_t root) const
{
    std::set<std::uint32_t> shared{root};
    if (heap.tensors[root].mayShare != nullptr) {
        shared.insert(heap.tensors[root].mayShare->begin(), heap.tensors[root].mayShare->end());
    }
    return shared;
}

GraphValue Interpreter::read(TensorRef tensor)
{
    if (heap.tensors[tensor.index].wasReshaped) {
        unsupported(fmt::format("tensor {} may be an alias of one whose shape is changed in place before it is read; "
                                "copy it with clone()",
                                heap.tensors[tensor.index].name));
    }
    return elements(tensor);
}

/// Counts what a write to views of views takes: each write goes through all of them.
void Interpreter::stepThroughView(const TensorCell& view)
{
    constexpr std::uint32_t usual = 8;
    constexpr std::size_t steps = 16;
    if (view.depth > usual) {
        step(steps);
    }
}

GraphValue Interpreter::elements(TensorRef tensor)
{
    const std::uint32_t root = rootOf(tensor.index);
    if (heap.tensors[root].isStale) {
        unsupported(fmt::format("tensor {} may share its memory with one that is written before it is read; copy it "
                                "with clone()",
                                heap.tensors[tensor.index].name));
    }
    const TensorCell& cell = heap.tensors[tensor.index];
    if (!cell.base || cell.version == heap.tensors[root].version) {
        return cell.value;
    }
    stepThroughView(cell);
    const GraphValue base = elements(TensorRef{*cell.base});
    const auto view = heap.tensors[tensor.index].view;
    const GraphValue value = view != nullptr ? emitView(*view, base) : base;
    TensorCell& updated = heap.tensors[tensor.index];
    updated.value = value;
    updated.version = heap.tensors[root].version;
    return value;
}

ScriptValue Interpreter::snapshot(const ScriptValue& value)
{
    if (const auto* tensor = std::get_if<TensorRef>(&value)) {
        const TensorCell cell = heap.tensors[tensor->index];
        return heap.add(TensorCell{.value = read(*tensor), .name = cell.name, .rank = rankOf(cell)});
    }
    if (const auto* list = std::get_if<ListRef>(&value)) {
        ListCell copy = heap.lists[list->index];
        for (ScriptValue& item : copy.items) {
            item = snapshot(item);
        }
        copy.mayBe.clear();
        return heap.add(std::move(copy));
    }
    return value;
}

GraphValue Interpreter::emitView(const TensorView& view, GraphValue base)
{
    const TensorRef temporary = newTensor(base);
    Arguments arguments{temporary};
    arguments.insert(arguments.end(), view.arguments.begin(), view.arguments.end());
    const ScriptValue result = callSignature(view.op, arguments, view.named, view.outputs);
    if (const auto* tensor = std::get_if<TensorRef>(&result)) {
        return heap.tensors[tensor->index].value;
    }
    return read(std::get<TensorRef>(itemsOf(result).at(view.output)));
}

void Interpreter::write(TensorRef tensor, GraphValue value)
{
    const TensorCell cell = heap.tensors[tensor.index];
    const std::optional<std::size_t> rank = rankOf(cell);
    const std::uint32_t root = rootOf(tensor.index);
    if (cell.base) {
        stepThroughView(cell);
        const GraphValue whole = cell.view != nullptr ? scattered(TensorRef{*cell.base}, *cell.view, value) : value;
        write(TensorRef{*cell.base}, whole);
    } else {
        constexpr std::size_t cellsPerStep = 4096;
        step(heap.tensors.size() / cellsPerStep);
        ++heap.tensors[root].version;
        const std::set<std::uint32_t> shared = sharedWith(root);
        for (std::uint32_t i = 0; i < heap.tensors.size(); ++i) {
            TensorCell& other = heap.tensors[i];
            const bool shares =
                shared.contains(i) ||
                (other.mayShare != nullptr && std::any_of(shared.begin(), shared.end(), [&](std::uint32_t member) {
                     return other.mayShare->contains(member);
                 }));
            other.isStale = other.isStale || (i != root && shares);
        }
    }
    TensorCell& updated = heap.tensors[tensor.index];
    updated.value = value;
    updated.rank = rank;
    updated.version = heap.tensors[root].version;
}

/// The base with the elements of a view replaced.
GraphValue Interpreter::scattered(TensorRef base, const TensorView& view, GraphValue value)
{
    const GraphValue whole = elements(base);
    const TensorRef into = newTensor(whole);
    const TensorRef part = newTensor(value);
    const auto call = [&](const std::string& op, Arguments arguments, const ScriptArguments& named = {}) {
        return read(std::get<TensorRef>(callSignature(op, arguments, named)));
    };
    const std::int64_t zero = 0;
    if (view.op == "aten::select") {
        return call("aten::select_scatter",
                    {into, part, argumentOf(view, 0, "dim", zero), argumentOf(view, 1, "index", zero)});
    }
    if (view.op == "aten::slice") {
        return call("aten::slice_scatter",
                    {into, part, argumentOf(view, 0, "dim", zero), argumentOf(view, 1, "start", ScriptValue()),
                     argumentOf(view, 2, "end", ScriptValue()), argumentOf(view, 3, "step", std::int64_t{1})});
    }
    if (view.op == "aten::narrow") {
        const ScriptValue dim = argumentOf(view, 0, "dim", zero);
        ScriptValue start = toNumber(NumberKind::Int, argumentOf(view, 1, "start", zero));
        const auto* constant = std::get_if<std::int64_t>(&start);
        if (constant == nullptr || *constant < 0) { // counts from the end
            const ScriptValue isNegative = toNumber(NumberKind::Int, arithmetic("aten::lt", {start, zero}));
            const ScriptValue size = callSignature("aten::size", {into, dim});
            start = arithmetic("aten::add", {start, arithmetic("aten::mul", {isNegative, size})});
        }
        const ScriptValue length = toNumber(NumberKind::Int, argumentOf(view, 2, "length", zero));
        const ScriptValue end = arithmetic("aten::add", {start, length});
        return call("aten::slice_scatter", {into, part, dim, start, end});
    }
    if (view.op == "aten::unbind") {
        return call("aten::select_scatter",
                    {into, part, argumentOf(view, 0, "dim", zero), static_cast<std::int64_t>(view.output)});
    }
    if (view.op == "aten::diagonal") {
        return call("aten::diagonal_scatter",
                    {into, part, argumentOf(view, 0, "offset", zero), argumentOf(view, 1, "dim1", zero),
                     argumentOf(view, 2, "dim2", std::int64_t{1})});
    }
    if (view.op == "aten::transpose" || view.op == "aten::swapaxes" || view.op == "aten::swapdims" ||
        view.op == "aten::t" || view.op == "aten::mT" || view.op == "aten::mH" || view.op == "aten::adjoint" ||
        view.op == "aten::matrix_H" || view.op == "aten::numpy_T") {
        Arguments arguments{part};
        arguments.insert(arguments.end(), view.arguments.begin(), view.arguments.end());
        return call(view.op, arguments, view.named); // is its own inverse
    }
    if (view.op == "aten::movedim" || view.op == "aten::moveaxis") {
        return call(view.op, {part, argumentOf(view, 1, "destination", zero), argumentOf(view, 0, "source", zero)});
    }
    if (view.op == "aten::permute") {
        const Arguments dims = itemsOf(argumentOf(view, 0, "dims", ScriptValue()));
        Arguments inverse(dims.size());
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const auto* axis = std::get_if<std::int64_t>(&dims[i]);
            const auto rank = static_cast<std::int64_t>(dims.size());
            if (axis == nullptr || *axis >= rank || *axis < -rank) {
                unsupported("a write to a permuted tensor needs constant axes");
            }
            inverse[static_cast<std::size_t>((*axis + rank) % rank)] = static_cast<std::int64_t>(i);
        }
        return call("aten::permute", {part, newList(std::move(inverse))});
    }
    if (isReshape(view.op)) {
        return call("aten::reshape_as", {part, into});
    }
    const bool isSplit = view.op == "aten::split" || view.op == "aten::unsafe_split";
    if (view.op == "aten::split_with_sizes" || (isSplit && !numberKindOf(argumentOf(view, 0, "split_size", zero)))) {
        const Arguments sizes = itemsOf(argumentOf(view, 0, isSplit ? "split_size" : "split_sizes", ScriptValue()));
        ScriptValue start = zero;
        for (std::size_t i = 0; i < view.output; ++i) {
            start = arithmetic("aten::add", {start, sizes.at(i)});
        }
        const ScriptValue end = arithmetic("aten::add", {start, sizes.at(view.output)});
        return call("aten::slice_scatter", {into, part, argumentOf(view, 1, "dim", zero), start, end});
    }
    if (view.op == "aten::as_strided") {
        expectNewMemory(base);
        const ScriptValue none;
        const ScriptValue offset = argumentOf(view, 2, "storage_offset", zero);
        return call("aten::as_strided_scatter", {into, part, argumentOf(view, 0, "size", none),
                                                 argumentOf(view, 1, "stride", none), isNone(offset) ? zero : offset});
    }
    if (isSplit || view.op == "aten::chunk" || view.op == "aten::unsafe_chunk") {
        const ScriptValue axis = argumentOf(view, 1, "dim", zero);
        const std::string_view sizeName = view.op.ends_with("chunk") ? "chunks" : "split_size";
        ScriptValue size = toNumber(NumberKind::Int, argumentOf(view, 0, sizeName, zero));
        if (view.op.ends_with("chunk")) { // to the size of a piece, rounded up
            const ScriptValue length = callSignature("aten::size", {into, axis});
            const ScriptValue more =
                arithmetic("aten::sub", {arithmetic("aten::add", {length, size}), std::int64_t{1}});
            size = arithmetic("aten::floordiv", {more, size});
        }
        const auto index = static_cast<std::int64_t>(view.output);
        const ScriptValue start = arithmetic("aten::mul", {size, index});
        const ScriptValue end = arithmetic("aten::add", {start, size});
        return call("aten::slice_scatter", {into, part, axis, start, end});
    }
    unsupported(fmt::format("a write to the result of {} is not supported; copy it with clone()", view.op));
}

/// Refuses a tensor whose elements are not known to fill their memory in their order, as as_strided addresses them.
void Interpreter::expectNewMemory(TensorRef tensor) const
{
    const TensorCell& cell = heap.tensors[tensor.index];
    if (cell.base || cell.isStored || cell.mayShare != nullptr || cell.order == ElementOrder::Unknown) {
        unsupported("a write to the result of aten::as_strided of a tensor that is not in new memory, in its order, is "
                    "not supported; copy it with clone()");
    }
}

} // namespace crosswalk::pytorch
