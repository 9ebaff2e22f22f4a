#include "core/formats/pytorch/torchscript/loop_builder.h"

#include "core/base/is_one_of.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/torchscript/branch_state.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>

namespace crosswalk::pytorch {
namespace {

using Variables = std::map<std::string, ScriptValue, std::less<>>;
using Tuple = std::shared_ptr<const TupleValue>;
using Possible = std::shared_ptr<const PossibleItem>;

/// Operators whose number of results depends on what their operands contain.
constexpr auto selecting = std::to_array<std::string_view>(
    {"aten::_unique", "aten::_unique2", "aten::argwhere", "aten::masked_select", "aten::nonzero", "aten::nonzero_numpy",
     "aten::unique_consecutive", "aten::unique_dim", "torchvision::nms"});

} // namespace

/// Builds a loop. Which variables and cells a step changes follows from executing its body, repeatedly: what one
/// execution changes is an input of the body in the next.
class LoopBuilder {
public:
    /// `condition` is null for a loop over a range, whose variable is `index`.
    LoopBuilder(Interpreter& script, const ScriptBlock& body, const ScriptExpression* condition, std::string index,
                bool canBeUnrolled)
        : m_script(script)
        , m_body(body)
        , m_condition(condition)
        , m_index(std::move(index))
        , m_canBeUnrolled(canBeUnrolled)
        , m_variables(script.frame().variables)
        , m_heap(script.heap)
        , m_frames(script.m_frames.size())
    {
    }

    /// `turns` is the length of the range; `begins` the condition before the first step.
    void run(const ScriptValue& turns, const ScriptValue& begins)
    {
        constexpr int enough = 100; // each attempt adds at least one slot
        for (int attempt = 0; attempt < enough; ++attempt) {
            restore();
            m_script.graphs.push();
            bool isSettled = false;
            try {
                isSettled = step();
            } catch (const Interpreter::Raised& raised) {
                leave();
                Interpreter::unsupported("a loop raises an exception: " + raised.message);
            } catch (const UnsupportedScript&) {
                leave();
                throw;
            }
            GraphStack::Level level = m_script.graphs.pop();
            if (isSettled) {
                finish(std::move(level), turns, begins);
                return;
            }
            beginUninitialized();
        }
        Interpreter::unsupported("a loop changes too many variables");
    }

private:
    enum class Place : std::uint8_t { Variable, Tensor, List, Dict, Attribute };
    struct Slot {
        Place place;
        std::uint32_t index = 0; ///< of the cell
        std::string name = {};   ///< of the variable or the attribute
        friend bool operator<(const Slot& a, const Slot& b)
        {
            return std::tie(a.place, a.index, a.name) < std::tie(b.place, b.index, b.name);
        }
    };

    void restore()
    {
        m_script.m_frames.resize(m_frames);
        m_script.heap = m_heap;
        m_script.frame().variables = m_variables;
    }

    static bool isFillable(const ScriptValue& value)
    {
        const auto* tuple = std::get_if<Tuple>(&value);
        return tuple != nullptr ? std::ranges::all_of((*tuple)->items, isFillable)
                                : std::holds_alternative<TensorRef>(value) || numberKindOf(value).has_value();
    }

    /// A value of the kind that a step gives a variable, to begin with: it is never read.
    ScriptValue uninitialized(const ScriptValue& given)
    {
        if (const auto* tuple = std::get_if<Tuple>(&given)) {
            std::vector<ScriptValue> items;
            for (const ScriptValue& item : (*tuple)->items) {
                items.push_back(uninitialized(item));
            }
            return tupleOf(std::move(items), (*tuple)->fields);
        }
        if (const auto kind = numberKindOf(given)) {
            return *kind == NumberKind::Int     ? ScriptValue(std::int64_t{0})
                   : *kind == NumberKind::Float ? ScriptValue(0.0)
                                                : ScriptValue(false);
        }
        return m_script.newTensor(m_script.emit("prim::Uninitialized", "", {}, 1)[0]);
    }

    void beginUninitialized()
    {
        restore();
        for (const auto& [name, given] : m_uninitialized) {
            m_variables.insert_or_assign(name, uninitialized(given));
        }
        m_heap = m_script.heap;
        m_uninitialized.clear();
    }

    /// Drops the bodies that an exception left open.
    void leave()
    {
        restore();
        while (m_script.graphs.level() > m_level) {
            m_script.graphs.pop();
        }
    }

    /// Executes the body once. Returns whether it changes nothing but the slots.
    bool step()
    {
        GraphStack& graphs = m_script.graphs;
        const GraphValue iteration = graphs.input(graphs.unique("iteration"), ValueType(ElementType::Int64, Shape()));
        m_initial.clear();
        m_next.clear();
        m_carried.clear();
        m_copiedLists.clear();
        for (const Slot& slot : m_slots) {
            set(slot, mapped(before(slot), [&](const ScriptValue& value) { return bodyInput(value); }));
        }
        for (const std::uint32_t list : m_accumulators) {
            m_script.heap.lists[list] = ListCell{.onlyAppends = true, .mayBe = m_heap.lists[list].mayBe};
        }
        markStaleLists();
        if (m_condition == nullptr) {
            m_script.frame().variables.insert_or_assign(m_index, ComputedNumber{NumberKind::Int, iteration});
        }
        const Variables variables = m_script.frame().variables;
        const ScriptHeap heap = m_script.heap;
        m_script.execute(m_body);
        if (m_script.frame().result) {
            Interpreter::unsupported("a loop returns from its function");
        }
        const ScriptValue goesOn = m_condition != nullptr ? m_script.evaluate(*m_condition) : ScriptValue(true);
        if (!findChanges(variables, heap) || findsStaleLists()) {
            return false;
        }
        if (m_condition != nullptr) {
            addOutput(m_script.toNumber(NumberKind::Bool, goesOn));
        }
        for (const Slot& slot : m_slots) {
            addNext(before(slot), after(slot), slot);
        }
        m_appended.clear();
        for (const std::uint32_t list : m_accumulators) {
            const auto items = m_script.heap.lists[list].items;
            const auto* possible = items.size() == 1 ? std::get_if<Possible>(items.data()) : nullptr;
            const ScriptValue item = possible != nullptr ? (*possible)->value
                                     : items.size() == 1 ? items[0]
                                                         : ScriptValue();
            if (!isLeaf(item)) {
                Interpreter::unsupported("a loop appends to a list other than once in each step");
            }
            constexpr std::size_t scalarRank = 0;
            const auto* tensor = std::get_if<TensorRef>(&item);
            if (m_canBeUnrolled && tensor != nullptr && dependsOnContent(m_script.read(*tensor))) {
                Interpreter::unsupported("a loop appends tensors whose sizes may differ to a list");
            }
            m_appended.push_back({numberKindOf(item),
                                  tensor != nullptr ? m_script.rankOf(*tensor) : std::optional(scalarRank),
                                  possible != nullptr});
            m_next.push_back(item);
            addOutput(item);
            if (possible != nullptr) {
                addOutput(ComputedNumber{NumberKind::Bool, (*possible)->isPresent});
            }
        }
        findSharing(heap);
        refuseSharedLists(heap);
        for (std::uint32_t i = 0; i < m_heap.tensors.size(); ++i) {
            if (m_script.heap.tensors[i].isStale) {
                m_stale.insert(i);
            }
        }
        return true;
    }

    /// Determines which values that a step leaves may share memory: with a tensor of before the loop, or with another
    /// such value. The inputs of the body are separate, so that writes to them must not reach shared memory.
    void findSharing(const ScriptHeap& begin)
    {
        const ScriptHeap& heap = m_script.heap;
        const auto count = static_cast<std::uint32_t>(m_heap.tensors.size());
        const auto isWritten = [&](std::uint32_t cell) {
            return cell < begin.tensors.size() && heap.tensors[cell].version != begin.tensors[cell].version;
        };
        bool writes = std::any_of(m_carried.begin(), m_carried.end(), isWritten);
        for (std::uint32_t i = 0; i < count; ++i) {
            writes = writes || isWritten(i);
        }
        m_shared.assign(m_next.size(), {});
        std::map<std::uint32_t, std::vector<std::size_t>> sharing; // by cells that a step made
        bool isShared = false;
        for (std::size_t i = 0; i < m_next.size(); ++i) {
            const auto* tensor = std::get_if<TensorRef>(&m_next[i]);
            if (tensor == nullptr) {
                continue;
            }
            Cells before;
            if (const auto* initial = i < m_initial.size() ? std::get_if<TensorRef>(&m_initial[i]) : nullptr) {
                before = sharedBefore(m_heap, initial->index, count);
            }
            for (const std::uint32_t cell : memoryOf(heap, tensor->index)) {
                if (cell < count) {
                    m_shared[i].insert(cell);
                    isShared = isShared || !before.contains(cell);
                } else {
                    sharing[cell].push_back(i);
                    // An item that an earlier step appended keeps the memory that a step takes over.
                    isShared = isShared || (i >= m_initial.size() && m_carried.contains(cell));
                }
            }
        }
        for (const auto& [cell, values] : sharing) {
            if (values.size() > 1) {
                isShared = true;
                m_group.insert(values.begin(), values.end());
            }
        }
        if (isShared && writes) {
            Interpreter::unsupported("a loop writes to tensors that may share their memory; copy them with clone()");
        }
    }

    /// Calls `visit` with each list that a value refers to; not with those that are items of these lists.
    template <class Visit>
    static void visitLists(const ScriptValue& value, const Visit& visit)
    {
        if (const auto* list = std::get_if<ListRef>(&value)) {
            visit(list->index);
        } else if (const auto* tuple = std::get_if<Tuple>(&value)) {
            for (const ScriptValue& item : (*tuple)->items) {
                visitLists(item, visit);
            }
        }
    }

    /// The number of variables, attributes and items that referred to a list before the loop.
    std::size_t referencesBefore(std::uint32_t list) const
    {
        std::size_t count = 0;
        const auto visit = [&](const ScriptValue& value) {
            visitLists(value, [&](std::uint32_t found) { count += found == list ? 1 : 0; });
        };
        const auto visitAll = [&](const auto& entries) {
            for (const auto& [name, value] : entries) {
                visit(value);
            }
        };
        for (std::size_t i = 0; i + 1 < m_frames; ++i) {
            visitAll(m_script.m_frames[i].variables);
        }
        visitAll(m_variables);
        for (const ListCell& cell : m_heap.lists) {
            std::ranges::for_each(cell.items, visit);
        }
        for (const DictCell& cell : m_heap.dicts) {
            visitAll(cell.entries);
        }
        for (const auto& object : m_heap.objects) {
            visitAll(object->attributes);
        }
        return count;
    }

    /// Refuses aliases of a list. In the body and after the loop, each variable has a copy, so that a change through
    /// one would not reach the others.
    void refuseSharedLists(const ScriptHeap& begin)
    {
        const auto& lists = m_script.heap.lists;
        bool isShared = false;
        std::set<std::uint32_t> found;
        const auto visit = [&](std::uint32_t list) {
            isShared = isShared || list < m_heap.lists.size() || !found.insert(list).second;
        };
        for (const Slot& slot : m_slots) {
            if (slot.place == Place::List) {
                std::ranges::for_each(lists[slot.index].items, [&](const auto& item) { visitLists(item, visit); });
            } else {
                visitLists(after(slot), visit);
            }
        }
        for (const auto& [copy, source] : m_copiedLists) {
            isShared = isShared || (lists[copy].items != begin.lists[copy].items && referencesBefore(source) > 1);
        }
        if (isShared) {
            Interpreter::unsupported("a loop changes a list that has several names; copy it with list()");
        }
    }

    /// Whether the sizes of a tensor that a step computes may depend on what its operands contain.
    bool dependsOnContent(GraphValue value) const
    {
        const Graph& graph = m_script.graphs.graph();
        if (value.level != m_script.graphs.level()) {
            return false; // of before the loop: the same in each step
        }
        std::set<ValueId> visited;
        for (std::vector<ValueId> open{value.id}; !open.empty();) {
            const ValueId next = open.back();
            open.pop_back();
            const NodeId producer = graph.value(next).producer;
            if (!producer || !visited.insert(next).second) {
                continue;
            }
            const Node& node = graph.node(producer);
            const auto isMask = [&](ValueId input) { return m_script.isMask(GraphValue{value.level, input}) == true; };
            if (isOneOf(node.op, selecting) || Interpreter::listsIndices(node.op, node.inputs.size()) ||
                (node.op == "aten::index" && std::any_of(node.inputs.begin() + 1, node.inputs.end(), isMask))) {
                return true;
            }
            if (!reducesAxes(node.op)) {
                open.insert(open.end(), node.inputs.begin(), node.inputs.end());
            }
        }
        return false;
    }

    void addOutput(const ScriptValue& value)
    {
        const ValueId id = m_script.graphs.at(m_script.graphValue(value));
        m_script.graphs.graph().outputs.push_back(id);
    }

    /// Adds a slot for all that changed; returns whether there was nothing to add.
    bool findChanges(const Variables& variables, const ScriptHeap& heap)
    {
        bool isSettled = true;
        const auto add = [&](Slot slot) { isSettled = !m_slots.insert(std::move(slot)).second && isSettled; };
        for (const auto& [name, value] : m_variables) {
            const ScriptValue& now = m_script.frame().variables.at(name);
            if (isSame(now, variables.at(name))) {
                continue;
            }
            if (value == ScriptValue(UndefinedValue{std::string(notAssigned)}) && isFillable(now)) {
                m_uninitialized.insert_or_assign(name, now);
                isSettled = false;
            } else {
                add({Place::Variable, 0, name});
            }
        }
        for (std::uint32_t i = 0; i < m_heap.tensors.size(); ++i) {
            const TensorCell& now = m_script.heap.tensors[i];
            expectSameView(m_heap.tensors[i], m_script.heap, i);
            if (m_heap.tensors[i].base || now.value == heap.tensors[i].value) {
                continue;
            }
            add({Place::Tensor, i});
            if (m_script.rankOf(now) != m_script.rankOf(heap.tensors[i]) || now.order != heap.tensors[i].order) {
                isSettled = !m_reshaped.insert(i).second && isSettled;
            }
        }
        for (std::uint32_t i = 0; i < m_heap.lists.size(); ++i) {
            const auto& was = heap.lists[i].items;
            const auto& is = m_script.heap.lists[i].items;
            if (m_accumulators.contains(i) || is == was) {
                continue;
            }
            if (is.size() == was.size()) {
                add({Place::List, i});
            } else if (is.size() == was.size() + 1 && std::equal(was.begin(), was.end(), is.begin()) &&
                       !m_slots.contains({Place::List, i})) {
                m_accumulators.insert(i);
                isSettled = false;
            } else {
                Interpreter::unsupported("a loop changes the number of items of a list other than by one append");
            }
        }
        for (std::uint32_t i = 0; i < m_heap.dicts.size(); ++i) {
            const auto& was = heap.dicts[i].entries;
            const auto& is = m_script.heap.dicts[i].entries;
            if (is.size() != was.size()) {
                Interpreter::unsupported("a loop adds keys to a dictionary");
            }
            if (is != was) {
                add({Place::Dict, i});
            }
        }
        for (std::uint32_t i = 0; i < m_heap.objects.size(); ++i) {
            if (m_script.heap.objects[i] == heap.objects[i]) {
                continue;
            }
            for (const auto& [name, value] : m_script.heap.objects[i]->attributes) {
                const auto was = heap.objects[i]->attributes.find(name);
                if (was == heap.objects[i]->attributes.end()) {
                    Interpreter::unsupported(fmt::format("a loop adds attribute {} to an object", name));
                }
                if (!isSame(value, was->second)) {
                    add({Place::Attribute, i, name});
                }
            }
        }
        return isSettled;
    }

    static bool isSame(const ScriptValue& a, const ScriptValue& b)
    {
        const auto* first = std::get_if<Tuple>(&a);
        const auto* second = std::get_if<Tuple>(&b);
        if (first != nullptr && second != nullptr) {
            return (*first)->items.size() == (*second)->items.size() &&
                   std::equal((*first)->items.begin(), (*first)->items.end(), (*second)->items.begin(), isSame);
        }
        return a == b;
    }

    ScriptValue valueIn(const Slot& slot, const Variables& variables, const ScriptHeap& heap) const
    {
        switch (slot.place) {
        case Place::Variable:
            return variables.at(slot.name);
        case Place::Tensor:
            return TensorRef{slot.index};
        case Place::List:
            return ListRef{slot.index};
        case Place::Dict: {
            std::vector<ScriptValue> values;
            for (const auto& [key, value] : heap.dicts[slot.index].entries) {
                values.push_back(value);
            }
            return tupleOf(std::move(values));
        }
        case Place::Attribute:
            return heap.objects[slot.index]->attributes.at(slot.name);
        }
        return {};
    }

    ScriptValue before(const Slot& slot) const { return valueIn(slot, m_variables, m_heap); }
    ScriptValue after(const Slot& slot) { return valueIn(slot, m_script.frame().variables, m_script.heap); }

    /// Puts a value made by mapped() in the place of a slot.
    void set(const Slot& slot, const ScriptValue& value)
    {
        ScriptHeap& heap = m_script.heap;
        switch (slot.place) {
        case Place::Variable:
            m_script.frame().variables.insert_or_assign(slot.name, value);
            break;
        case Place::Tensor: {
            TensorCell& cell = heap.tensors[slot.index];
            const bool isReshaped = m_reshaped.contains(slot.index);
            cell.rank = isReshaped ? std::nullopt : m_script.rankOf(cell);
            cell.order = isReshaped ? ElementOrder::Unknown : cell.order;
            cell.value = heap.tensors[std::get<TensorRef>(value).index].value;
            ++cell.version;
            break;
        }
        case Place::List:
            heap.lists[slot.index].items = heap.lists[std::get<ListRef>(value).index].items;
            break;
        case Place::Dict: {
            const auto& items = std::get<Tuple>(value)->items;
            for (std::size_t i = 0; i < items.size(); ++i) {
                heap.dicts[slot.index].entries[i].second = items[i];
            }
            break;
        }
        case Place::Attribute: {
            ObjectCell changed = *heap.objects[slot.index];
            changed.attributes.insert_or_assign(slot.name, value);
            heap.objects[slot.index] = std::make_shared<const ObjectCell>(std::move(changed));
            break;
        }
        }
    }

    /// A value of before the loop, with each leaf replaced.
    template <class Replace>
    ScriptValue mapped(const ScriptValue& value, const Replace& replace)
    {
        if (isLeaf(value)) {
            return replace(value);
        }
        if (const auto* tuple = std::get_if<Tuple>(&value)) {
            std::vector<ScriptValue> items;
            for (const ScriptValue& item : (*tuple)->items) {
                items.push_back(mapped(item, replace));
            }
            return tupleOf(std::move(items), (*tuple)->fields);
        }
        if (const auto* list = std::get_if<ListRef>(&value)) {
            const ListCell cell = m_heap.lists.at(list->index);
            if (cell.stacked) {
                Interpreter::unsupported("a loop changes a list that another loop built");
            }
            std::vector<ScriptValue> items;
            for (const ScriptValue& item : cell.items) {
                items.push_back(mapped(item, replace));
            }
            const ListRef copy = m_script.heap.add(ListCell{.items = std::move(items)});
            m_copiedLists.emplace(copy.index, list->index);
            return copy;
        }
        return value; // must not change
    }

    ScriptValue bodyInput(const ScriptValue& value)
    {
        m_initial.push_back(value);
        GraphStack& graphs = m_script.graphs;
        const auto kind = numberKindOf(value);
        const auto type = [](NumberKind number) {
            return number == NumberKind::Int     ? ElementType::Int64
                   : number == NumberKind::Float ? ElementType::Float64
                                                 : ElementType::Bool;
        };
        const std::string name = graphs.unique("carried");
        if (kind) {
            return ComputedNumber{*kind, graphs.input(name, ValueType(type(*kind), Shape()))};
        }
        const GraphValue made = graphs.input(name, {});
        if (const auto* vector = std::get_if<ComputedList>(&value)) {
            return ComputedList{vector->kind, made};
        }
        const TensorRef cell = sharing(value, made, {});
        m_carried.insert(cell.index);
        return cell;
    }

    TensorRef sharing(const ScriptValue& initial, GraphValue value, Cells more)
    {
        more.merge(sharedBefore(m_heap, std::get<TensorRef>(initial).index,
                                static_cast<std::uint32_t>(m_heap.tensors.size())));
        return m_script.heap.add(
            TensorCell{.value = value, .name = "a value of a loop", .mayShare = sharedCells(std::move(more))});
    }

    /// Adds the leaves after a step, in the order of those before it.
    void addNext(const ScriptValue& was, const ScriptValue& is, const Slot& slot)
    {
        const auto fail = [&] {
            Interpreter::unsupported(fmt::format("a loop changes {} from {} to {}",
                                                 slot.name.empty() ? "a value" : slot.name, kindName(was),
                                                 kindName(is)));
        };
        if (isLeaf(was)) {
            const bool areNumbers = numberKindOf(was).has_value();
            if (!isLeaf(is) || numberKindOf(was) != numberKindOf(is) ||
                (!areNumbers && was.index() != is.index() && !std::holds_alternative<ComputedList>(was))) {
                fail();
            }
            m_next.push_back(is);
            addOutput(is);
            return;
        }
        if (const auto* tuple = std::get_if<Tuple>(&was)) {
            const auto* other = std::get_if<Tuple>(&is);
            if (other == nullptr || (*other)->items.size() != (*tuple)->items.size()) {
                fail();
            }
            for (std::size_t i = 0; i < (*tuple)->items.size(); ++i) {
                addNext((*tuple)->items[i], (*other)->items[i], slot);
            }
            return;
        }
        if (const auto* list = std::get_if<ListRef>(&was)) {
            const auto* other = std::get_if<ListRef>(&is);
            const auto& items = m_heap.lists.at(list->index).items;
            if (other == nullptr || m_script.heap.lists[other->index].items.size() != items.size()) {
                fail();
            }
            const auto next = m_script.heap.lists[other->index].items;
            for (std::size_t i = 0; i < items.size(); ++i) {
                addNext(items[i], next[i], slot);
            }
            return;
        }
        if (was != is) {
            fail();
        }
    }

    void finish(GraphStack::Level level, const ScriptValue& turns, const ScriptValue& begins)
    {
        GraphStack& graphs = m_script.graphs;
        const std::vector<ScriptValue> initial = m_initial;
        restore();
        Node node = m_script.newNode("prim::Loop", {});
        std::vector<std::string> names;
        const auto addInput = [&](std::string name, ValueId value) {
            node.inputs.push_back(value);
            names.push_back(std::move(name));
        };
        if (m_condition == nullptr) {
            addInput("trip_count", graphs.at(m_script.graphValue(turns)));
        } else {
            addInput("condition", graphs.at(m_script.graphValue(begins)));
        }
        for (std::size_t i = 0; i < initial.size(); ++i) {
            addInput(fmt::format("carried[{}]", i), graphs.at(m_script.graphValue(initial[i])));
        }
        for (std::size_t i = 0; i < level.captured.size(); ++i) {
            addInput(fmt::format("captured[{}]", i), graphs.at(level.captured[i]));
        }
        const std::size_t outputs =
            initial.size() + m_accumulators.size() +
            static_cast<std::size_t>(std::ranges::count(m_appended, true, &Appended::isPossible));
        node.attributes.push_back({"carried", static_cast<std::int64_t>(initial.size())});
        node.attributes.push_back({"is_while", m_condition != nullptr});
        node.attributes.push_back(
            {"body", graphs.graph().addSubgraph(std::make_shared<const Graph>(std::move(level.graph)))});
        const auto values = m_script.finish(std::move(node), std::move(names), {}, outputs);
        const TensorRef group = m_script.newTensor(values.empty() ? GraphValue{} : values[0]);
        const auto sharedOf = [&](std::size_t i) {
            Cells shared = m_shared[i];
            if (m_group.contains(i)) {
                shared.insert(group.index);
            }
            return shared;
        };
        std::size_t next = 0;
        for (const Slot& slot : m_slots) {
            set(slot, mapped(before(slot), [&](const ScriptValue& value) -> ScriptValue {
                    const std::size_t i = next++;
                    const GraphValue made = values[i];
                    if (const auto kind = numberKindOf(value)) {
                        return ComputedNumber{*kind, made};
                    }
                    if (const auto* vector = std::get_if<ComputedList>(&value)) {
                        return ComputedList{vector->kind, made};
                    }
                    return sharing(value, made, sharedOf(i));
                }));
        }
        std::size_t kind = 0;
        std::size_t index = initial.size();
        for (const std::uint32_t list : m_accumulators) {
            if (m_script.heap.lists[list].stacked) {
                Interpreter::unsupported("two loops append to a list");
            }
            const Appended& appended = m_appended[kind++];
            GraphValue stacked = values[next++];
            if (appended.isPossible) {
                const ScriptValue mask = m_script.newList({m_script.newTensor(values[next++])});
                const ScriptValue present = m_script.callSignature("aten::index", {m_script.newTensor(stacked), mask});
                stacked = m_script.read(std::get<TensorRef>(present));
            }
            const TensorRef items = m_script.heap.add(
                TensorCell{.value = stacked, .name = "a list of a loop", .mayShare = sharedCells(sharedOf(index++))});
            ListCell& cell = m_script.heap.lists[list];
            m_script.heap.tensors[items.index].rank = appended.rank ? std::optional(*appended.rank + 1) : std::nullopt;
            cell.stacked = items;
            cell.stackedNumbers = appended.numbers;
        }
        for (const std::uint32_t tensor : m_stale) {
            m_script.heap.tensors[tensor].isStale = true;
        }
        markStaleLists();
    }

    void markStaleLists()
    {
        for (const std::uint32_t list : m_staleLists) {
            m_script.heap.lists[list].isStale = true;
        }
    }

    /// A list that one step makes stale is so in the next.
    bool findsStaleLists()
    {
        const std::size_t known = m_staleLists.size();
        for (std::uint32_t i = 0; i < m_heap.lists.size(); ++i) {
            if (m_script.heap.lists[i].isStale) {
                m_staleLists.insert(i);
            }
        }
        return m_staleLists.size() != known;
    }

    Interpreter& m_script;
    const ScriptBlock& m_body;
    const ScriptExpression* m_condition;
    std::string m_index;
    bool m_canBeUnrolled;
    Variables m_variables; ///< before the loop
    ScriptHeap m_heap;
    std::size_t m_frames;
    std::uint32_t m_level = m_script.graphs.level();
    std::map<std::string, ScriptValue> m_uninitialized; ///< what a step gives variables without a value
    std::set<Slot> m_slots;
    std::set<std::uint32_t> m_reshaped;     ///< tensors whose number of axes or order of elements a step changes
    std::set<std::uint32_t> m_accumulators; ///< lists to which each step appends one item
    struct Appended {
        std::optional<NumberKind> numbers; ///< the kind of a list of numbers
        std::optional<std::size_t> rank;   ///< of an item
        bool isPossible = false;           ///< not in every step
    };
    std::vector<Appended> m_appended;   ///< what the accumulators contain
    std::vector<ScriptValue> m_initial; ///< leaves of the slots before the loop
    std::vector<ScriptValue> m_next;    ///< the same after a step, then the items that it appended
    std::vector<Cells> m_shared;        ///< of each of those, the tensors of before the loop whose memory it may share
    std::set<std::size_t> m_group;      ///< those that may share memory with one another
    Cells m_carried;                    ///< the tensors that are inputs of the body
    std::map<std::uint32_t, std::uint32_t> m_copiedLists; ///< lists of the body, by what they are copies of
    std::set<std::uint32_t> m_stale;
    std::set<std::uint32_t> m_staleLists;
};

void buildForLoop(Interpreter& script, const ScriptBlock& body, std::string index, const ScriptValue& turns,
                  bool canBeUnrolled)
{
    LoopBuilder(script, body, nullptr, std::move(index), canBeUnrolled).run(turns, {});
}

void buildWhileLoop(Interpreter& script, const ScriptBlock& body, const ScriptExpression& condition,
                    const ScriptValue& begins)
{
    LoopBuilder(script, body, &condition, {}, false).run({}, begins);
}

} // namespace crosswalk::pytorch
