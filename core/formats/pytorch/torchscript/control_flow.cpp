// Branches and loops. Those that constants decide are executed; the others become prim::If and prim::Loop, whose bodies
// are executed once on symbolic values. What the bodies change, variables and the heap, is merged leaf by leaf: a leaf
// is a tensor or a number, and structures such as tuples and lists stay structures.

#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/lowering/unsupported_branches.h"
#include "core/formats/pytorch/torchscript/interpreter.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace crosswalk::pytorch {
namespace {

using Variables = std::map<std::string, ScriptValue, std::less<>>;
using Tuple = std::shared_ptr<const TupleValue>;
using Optional = std::shared_ptr<const OptionalValue>;
using Possible = std::shared_ptr<const PossibleItem>;

/// What a branch has at the place of an item that only the other one appended.
const ScriptValue& absentItem()
{
    static const ScriptValue value = UndefinedValue{"only another branch appends it"};
    return value;
}

/// A tensor, a number, or nothing, at the place of a result of a node.
bool isLeaf(const ScriptValue& value)
{
    return std::holds_alternative<TensorRef>(value) || std::holds_alternative<ComputedList>(value) ||
           numberKindOf(value).has_value();
}

/// Refuses in-place changes of shape in a branch or a loop body for views and for tensors that have views: the merged
/// state keeps one view of each. If no memory is shared, the change only replaces the elements of the tensor.
void expectSameView(const TensorCell& before, const ScriptHeap& after, std::uint32_t tensor)
{
    const TensorCell& now = after.tensors[tensor];
    if (before.base == now.base && before.view == now.view) {
        return;
    }
    const bool isShared = before.base || std::ranges::any_of(after.tensors, [&](const TensorCell& other) {
                              return &other != &now && other.base == now.base;
                          });
    if (isShared) {
        Interpreter::unsupported(fmt::format("a branch or a loop changes the shape of tensor {} in place, which shares "
                                             "its memory; copy it with clone()",
                                             before.name));
    }
}

using Cells = std::set<std::uint32_t>;

/// The tensors whose memory a tensor may share.
Cells memoryOf(const ScriptHeap& heap, std::uint32_t tensor)
{
    while (heap.tensors[tensor].base) {
        tensor = *heap.tensors[tensor].base;
    }
    Cells shared{tensor};
    if (heap.tensors[tensor].mayShare != nullptr) {
        shared.insert(heap.tensors[tensor].mayShare->begin(), heap.tensors[tensor].mayShare->end());
    }
    return shared;
}

/// Those of them that existed before a body.
Cells sharedBefore(const ScriptHeap& heap, std::uint32_t tensor, std::uint32_t count)
{
    Cells shared = memoryOf(heap, tensor);
    shared.erase(shared.lower_bound(count), shared.end());
    return shared;
}

std::shared_ptr<const Cells> sharedCells(Cells cells)
{
    return cells.empty() ? nullptr : std::make_shared<const Cells>(std::move(cells));
}

UndefinedValue differing(std::string_view what)
{
    return UndefinedValue{fmt::format("{} differs between two branches", what)};
}

} // namespace

/// Merges what two branches did. Goes over the values twice in the same order: first to collect the leaves that differ,
/// then, once the node exists, to put its results in their places.
class BranchMerge {
public:
    struct Branch {
        Variables variables;
        ScriptHeap heap;
        GraphStack::Level level;
    };

    BranchMerge(Interpreter& script, GraphValue condition, const ScriptHeap& heap)
        : m_script(script)
        , m_condition(condition)
        , m_heap(heap)
        , m_tensorCount(static_cast<std::uint32_t>(heap.tensors.size()))
    {
    }

    void run(Branch first, Branch second)
    {
        m_first = std::move(first);
        m_second = std::move(second);
        m_script.heap = m_heap;
        mergeAll(); // collects the leaves
        if (!m_leaves.empty() || hasUnsupportedBranch(m_first.level.graph) ||
            hasUnsupportedBranch(m_second.level.graph)) { // which may change what the others leave as it is
            addNode();
        }
        m_script.heap = m_heap;
        for (std::uint32_t i = 0; i < m_groups; ++i) {
            m_script.heap.add(TensorCell{.value = m_condition, .name = "a value of a branch"});
        }
        m_next = 0;
        m_isSecondPass = true;
        mergeAll();
    }

private:
    struct Leaf {
        ScriptValue first;
        ScriptValue second;
        ScriptValue made = {};
        std::optional<TensorCell> tensor = {}; ///< in place of `made`
        Cells groups = {};                     ///< of leaves that may share memory that a branch made
        std::optional<ScriptValue> placed = {};
    };

    void mergeAll()
    {
        m_lists.clear();
        // Branches keep all variables of before. The maps are in the same order.
        Variables merged;
        auto second = m_second.variables.begin();
        for (const auto& [name, value] : m_first.variables) {
            while (second != m_second.variables.end() && second->first < name) {
                ++second;
            }
            if (second != m_second.variables.end() && second->first == name) {
                merged.emplace_hint(merged.end(), name, merge(value, second->second, name));
            }
        }
        mergeHeap();
        m_script.frame().variables = std::move(merged);
    }

    void mergeHeap()
    {
        for (std::uint32_t i = 0; i < m_tensorCount; ++i) {
            const TensorCell& first = m_first.heap.tensors[i];
            const TensorCell& second = m_second.heap.tensors[i];
            expectSameView(m_heap.tensors[i], m_first.heap, i);
            expectSameView(m_heap.tensors[i], m_second.heap, i);
            TensorCell& cell = m_script.heap.tensors[i];
            cell.wasReshaped = cell.wasReshaped || first.wasReshaped || second.wasReshaped;
            if (m_heap.tensors[i].base) {
                continue;
            }
            cell.isStale = cell.isStale || first.isStale || second.isStale;
            if (first.value == m_heap.tensors[i].value && second.value == m_heap.tensors[i].value) {
                continue;
            }
            const ScriptValue made = leaf(TensorRef{i}, TensorRef{i});
            ++cell.version;
            const auto rankIn = [&](const TensorCell& branch) {
                return branch.value == m_heap.tensors[i].value ? m_script.rankOf(m_heap.tensors[i]) : branch.rank;
            };
            cell.rank = rankIn(first) == rankIn(second) ? rankIn(first) : std::nullopt;
            cell.order = first.order == second.order ? first.order : ElementOrder::Unknown;
            if (m_isSecondPass) {
                cell.value = m_script.heap.tensors[std::get<TensorRef>(made).index].value;
            }
        }
        for (std::uint32_t i = 0; i < m_heap.lists.size(); ++i) {
            const ListCell& first = m_first.heap.lists[i];
            const ListCell& second = m_second.heap.lists[i];
            m_script.heap.lists[i].isStale = first.isStale || second.isStale;
            if (first.items == m_heap.lists[i].items && second.items == m_heap.lists[i].items &&
                first.stacked == second.stacked && first.stacked == m_heap.lists[i].stacked) {
                continue;
            }
            ListCell merged{.mayBe = m_heap.lists[i].mayBe, .isStale = first.isStale || second.isStale};
            if (first.stacked || second.stacked) {
                Interpreter::unsupported("a list that a loop built has another number of items in each branch");
            }
            for (std::size_t k = 0; k < std::max(first.items.size(), second.items.size()); ++k) {
                merged.items.push_back(mergeItems(k < first.items.size() ? &first.items[k] : nullptr,
                                                  k < second.items.size() ? &second.items[k] : nullptr));
            }
            merged.onlyAppends = m_heap.lists[i].onlyAppends;
            m_script.heap.lists[i] = std::move(merged);
        }
        for (std::uint32_t i = 0; i < m_heap.dicts.size(); ++i) {
            const auto& first = m_first.heap.dicts[i].entries;
            const auto& second = m_second.heap.dicts[i].entries;
            const auto& before = m_heap.dicts[i].entries;
            if (first == before && second == before) {
                continue;
            }
            DictCell merged;
            if (first.size() != second.size()) {
                Interpreter::unsupported("a dictionary has other keys in each branch");
            }
            for (std::size_t k = 0; k < first.size(); ++k) {
                if (first[k].first != second[k].first) {
                    Interpreter::unsupported("a dictionary has other keys in each branch");
                }
                merged.entries.emplace_back(first[k].first,
                                            merge(first[k].second, second[k].second, "an item of a dictionary"));
            }
            m_script.heap.dicts[i] = std::move(merged);
        }
        for (std::uint32_t i = 0; i < m_heap.objects.size(); ++i) {
            if (m_first.heap.objects[i] == m_heap.objects[i] && m_second.heap.objects[i] == m_heap.objects[i]) {
                continue;
            }
            m_script.heap.objects[i] =
                std::make_shared<const ObjectCell>(mergeObjects(*m_first.heap.objects[i], *m_second.heap.objects[i]));
        }
    }

    ObjectCell mergeObjects(const ObjectCell& first, const ObjectCell& second)
    {
        ObjectCell merged = first;
        for (auto& [name, value] : merged.attributes) {
            const auto other = second.attributes.find(name);
            value = other != second.attributes.end() ? merge(value, other->second, name) : differing(name);
        }
        return merged;
    }

    bool isOld(TensorRef tensor) const { return tensor.index < m_tensorCount; }

    ScriptValue merge(const ScriptValue& a, const ScriptValue& b, std::string_view what)
    {
        const auto* firstTensor = std::get_if<TensorRef>(&a);
        if (a == b && (firstTensor == nullptr || isOld(*firstTensor)) && !isNew(a)) {
            return a;
        }
        const bool aIsUndefined = std::holds_alternative<UndefinedValue>(a);
        const bool bIsUndefined = std::holds_alternative<UndefinedValue>(b);
        if (aIsUndefined && bIsUndefined) {
            return a;
        }
        if (isNone(a) || isNone(b) || std::holds_alternative<Optional>(a) || std::holds_alternative<Optional>(b)) {
            return mergeOptional(a, b, what);
        }
        if (isLeaf(a) || isLeaf(b)) {
            const bool fits = (isLeaf(a) || aIsUndefined) && (isLeaf(b) || bIsUndefined);
            if (fits) {
                return leaf(a, b);
            }
            return mergeLists(a, b, what);
        }
        if (const auto* tuple = std::get_if<Tuple>(aIsUndefined ? &b : &a)) {
            const auto* other = std::get_if<Tuple>(&b);
            if (!aIsUndefined && !bIsUndefined &&
                (other == nullptr || (*other)->items.size() != (*tuple)->items.size())) {
                return differing(what);
            }
            std::vector<ScriptValue> items;
            for (std::size_t i = 0; i < (*tuple)->items.size(); ++i) {
                items.push_back(merge(aIsUndefined ? a : std::get<Tuple>(a)->items[i],
                                      bIsUndefined ? b : std::get<Tuple>(b)->items[i], what));
            }
            return tupleOf(std::move(items), (*tuple)->fields);
        }
        if (aIsUndefined || bIsUndefined) {
            return differing(what);
        }
        if (const auto* ref = std::get_if<ObjectRef>(&a)) {
            const auto* other = std::get_if<ObjectRef>(&b);
            if (other == nullptr) {
                return differing(what);
            }
            const ObjectCell& first = *m_first.heap.objects[ref->index];
            const ObjectCell& second = *m_second.heap.objects[other->index];
            return first.type == second.type ? ScriptValue(m_script.heap.add(mergeObjects(first, second)))
                                             : ScriptValue(differing(what));
        }
        if (isText(a) && isText(b)) {
            const ScriptValue first = m_script.lengthOf(a);
            const ScriptValue second = m_script.lengthOf(b);
            const bool isExact =
                !std::holds_alternative<TextLength>(first) && !std::holds_alternative<TextLength>(second);
            const ScriptValue length = leaf(signOf(first), signOf(second));
            const auto* computed = std::get_if<ComputedNumber>(&length);
            return computed != nullptr ? ScriptValue(ComputedText{computed->value, isExact})
                                       : a; // constant in the first pass
        }
        return mergeLists(a, b, what);
    }

    /// Whether a reference is to a cell of a branch, which exist in neither the other branch nor after it.
    bool isNew(const ScriptValue& value) const
    {
        if (const auto* tensor = std::get_if<TensorRef>(&value)) {
            return !isOld(*tensor);
        }
        if (const auto* list = std::get_if<ListRef>(&value)) {
            return list->index >= m_heap.lists.size();
        }
        if (const auto* dict = std::get_if<DictRef>(&value)) {
            return dict->index >= m_heap.dicts.size();
        }
        if (const auto* object = std::get_if<ObjectRef>(&value)) {
            return object->index >= m_heap.objects.size();
        }
        if (const auto* number = std::get_if<ComputedNumber>(&value)) {
            return number->value.level > m_script.graphs.level();
        }
        if (const auto* vector = std::get_if<ComputedList>(&value)) {
            return vector->value.level > m_script.graphs.level();
        }
        if (const auto* length = std::get_if<TextLength>(&value)) {
            return length->sign && length->sign->level > m_script.graphs.level();
        }
        if (const auto* text = std::get_if<ComputedText>(&value)) {
            return text->length && text->length->level > m_script.graphs.level();
        }
        if (const auto* tuple = std::get_if<Tuple>(&value)) {
            return std::any_of((*tuple)->items.begin(), (*tuple)->items.end(),
                               [&](const ScriptValue& item) { return isNew(item); });
        }
        if (const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&value)) {
            return !isOld((*parts)->tensor) || isNew((*parts)->count);
        }
        if (const auto* optional = std::get_if<Optional>(&value)) {
            return (*optional)->isPresent.level > m_script.graphs.level() || isNew((*optional)->value);
        }
        if (const auto* possible = std::get_if<Possible>(&value)) {
            return (*possible)->isPresent.level > m_script.graphs.level() || isNew((*possible)->value);
        }
        return false;
    }

    /// Items at one place of a list; null where a branch has none.
    ScriptValue mergeItems(const ScriptValue* a, const ScriptValue* b)
    {
        constexpr std::string_view what = "an item of a list";
        const auto possible = [](const ScriptValue* item) {
            const auto* found = item != nullptr ? std::get_if<Possible>(item) : nullptr;
            return found != nullptr ? found->get() : nullptr;
        };
        if (a != nullptr && b != nullptr && !possible(a) && !possible(b)) {
            return merge(*a, *b, what);
        }
        const auto presence = [&](const ScriptValue* item) -> ScriptValue {
            return possible(item) != nullptr ? ScriptValue(ComputedNumber{NumberKind::Bool, possible(item)->isPresent})
                                             : ScriptValue(item != nullptr);
        };
        const auto content = [&](const ScriptValue* item) {
            return item == nullptr ? absentItem() : possible(item) != nullptr ? possible(item)->value : *item;
        };
        const ScriptValue isPresent = merge(presence(a), presence(b), what);
        ScriptValue value = merge(content(a), content(b), what);
        if (!isLeaf(value)) {
            Interpreter::unsupported("a list has another number of items in each branch");
        }
        if (isPresent == ScriptValue(true)) {
            return value;
        }
        const auto* computed = std::get_if<ComputedNumber>(&isPresent);
        return std::make_shared<const PossibleItem>( // a constant only in the first pass
            PossibleItem{computed != nullptr ? computed->value : m_condition, std::move(value)});
    }

    ScriptValue mergeOptional(const ScriptValue& a, const ScriptValue& b, std::string_view what)
    {
        const auto presence = [](const ScriptValue& value) -> ScriptValue {
            const auto* optional = std::get_if<Optional>(&value);
            return optional != nullptr ? ScriptValue(ComputedNumber{NumberKind::Bool, (*optional)->isPresent})
                                       : ScriptValue(!isNone(value));
        };
        const auto content = [](const ScriptValue& value) -> ScriptValue {
            const auto* optional = std::get_if<Optional>(&value);
            return optional != nullptr ? (*optional)->value
                   : isNone(value)     ? ScriptValue(UndefinedValue{"it is None"})
                                       : value;
        };
        const ScriptValue isPresent = merge(presence(a), presence(b), what);
        const ScriptValue value = merge(content(a), content(b), what);
        if (const auto* truth = std::get_if<bool>(&isPresent)) {
            return *truth ? value : ScriptValue();
        }
        return std::make_shared<const OptionalValue>(OptionalValue{std::get<ComputedNumber>(isPresent).value, value});
    }

    ScriptValue mergeLists(const ScriptValue& a, const ScriptValue& b, std::string_view what)
    {
        const auto* first = std::get_if<ListRef>(&a);
        const auto* second = std::get_if<ListRef>(&b);
        if (first != nullptr && second != nullptr) {
            const ListCell& x = m_first.heap.lists[first->index];
            const ListCell& y = m_second.heap.lists[second->index];
            if (const auto made = m_lists.find({first->index, second->index}); made != m_lists.end()) {
                return made->second;
            }
            if (!x.stacked && !y.stacked && x.items.size() == y.items.size()) {
                std::vector<ScriptValue> items;
                for (std::size_t i = 0; i < x.items.size(); ++i) {
                    items.push_back(merge(x.items[i], y.items[i], what));
                }
                return newList(*first, *second, std::move(items));
            }
        }
        const auto isNumbers = [&](const ScriptValue& value, const ScriptHeap& heap) {
            if (std::holds_alternative<ComputedList>(value)) {
                return true;
            }
            if (const auto* parts = std::get_if<std::shared_ptr<const TensorParts>>(&value)) {
                return (*parts)->kind == TensorParts::Kind::Sizes;
            }
            const auto* list = std::get_if<ListRef>(&value);
            if (list == nullptr) {
                return false;
            }
            const auto& items = heap.lists[list->index].items;
            return !items.empty() && std::all_of(items.begin(), items.end(), [](const ScriptValue& item) {
                return numberKindOf(item).has_value();
            });
        };
        if (isNumbers(a, m_first.heap) && isNumbers(b, m_second.heap)) {
            return leaf(a, b);
        }
        return differing(what);
    }

    /// A list that is either of two. It may be a list of before the branches, and another such list.
    ListRef newList(ListRef first, ListRef second, std::vector<ScriptValue> items)
    {
        const ListCell& x = m_first.heap.lists[first.index];
        const ListCell& y = m_second.heap.lists[second.index];
        ListCell merged{.items = std::move(items), .isStale = x.isStale || y.isStale};
        for (const std::set<std::uint32_t>& possible : {std::set{first.index, second.index}, x.mayBe, y.mayBe}) {
            merged.mayBe.insert(possible.begin(),
                                possible.lower_bound(static_cast<std::uint32_t>(m_heap.lists.size())));
        }
        for (const auto& [sources, list] : m_lists) {
            if (sources.first == first.index || sources.second == second.index) {
                merged.mayBe.insert(list.index);
            }
        }
        const bool isAlias = !merged.mayBe.empty();
        const ListRef made = m_script.heap.add(std::move(merged));
        if (isAlias) {
            m_script.heap.possibleAliases.insert(made.index);
        }
        m_lists.emplace(std::pair(first.index, second.index), made);
        return made;
    }

    /// The place of a result of the node.
    ScriptValue leaf(const ScriptValue& a, const ScriptValue& b)
    {
        if (!m_isSecondPass) {
            const bool isTensor = std::holds_alternative<TensorRef>(a) || std::holds_alternative<TensorRef>(b);
            const auto same = std::ranges::find_if(
                m_leaves, [&](const Leaf& one) { return isTensor && one.first == a && one.second == b; });
            m_order.push_back(static_cast<std::size_t>(same - m_leaves.begin()));
            if (same == m_leaves.end()) {
                m_leaves.push_back({a, b});
            }
            return a;
        }
        Leaf& one = m_leaves.at(m_order.at(m_next++));
        if (!one.placed && one.tensor) {
            TensorCell cell = *one.tensor;
            Cells shared = cell.mayShare != nullptr ? *cell.mayShare : Cells();
            for (const std::uint32_t group : one.groups) {
                shared.insert(m_tensorCount + group);
            }
            cell.mayShare = sharedCells(std::move(shared));
            one.placed = m_script.heap.add(std::move(cell));
        }
        return one.placed ? *one.placed : one.made;
    }

    /// Leaves that share memory in a branch, such as a tensor and a view of it, are separate results of the node: a
    /// write to one makes the others unreadable.
    void groupLeaves()
    {
        std::map<std::pair<const ScriptHeap*, std::uint32_t>, std::vector<std::size_t>> leavesOf;
        for (std::size_t i = 0; i < m_leaves.size(); ++i) {
            for (const auto& [given, heap] :
                 {std::pair(&m_leaves[i].first, &m_first.heap), std::pair(&m_leaves[i].second, &m_second.heap)}) {
                const auto* tensor = std::get_if<TensorRef>(given);
                for (const std::uint32_t root : tensor != nullptr ? memoryOf(*heap, tensor->index) : Cells()) {
                    if (root >= m_tensorCount) {
                        leavesOf[{heap, root}].push_back(i);
                    }
                }
            }
        }
        for (const auto& [root, leaves] : leavesOf) {
            for (const std::size_t i : leaves) {
                if (leaves.size() > 1) {
                    m_leaves[i].groups.insert(m_groups);
                }
            }
            m_groups += leaves.size() > 1 ? 1 : 0;
        }
    }

    void addNode()
    {
        GraphStack& graphs = m_script.graphs;
        Node node = m_script.newNode("prim::If", {});
        std::vector<std::string> names{"condition"};
        node.inputs.push_back(graphs.at(m_condition));
        Ints absent; // results that are counted only where they are present
        for (std::size_t i = 0; i < m_leaves.size(); ++i) {
            if (m_leaves[i].first == absentItem() || m_leaves[i].second == absentItem()) {
                absent.push_back(static_cast<std::int64_t>(i));
            }
        }
        if (!absent.empty()) {
            node.attributes.push_back({"absent_items", std::move(absent)});
        }
        const auto finish = [&](Branch& branch, std::string_view attribute, bool isFirst) {
            m_script.heap = branch.heap;
            graphs.push(std::move(branch.level));
            for (const Leaf& one : m_leaves) {
                const ScriptValue& value = isFirst ? one.first : one.second;
                ValueId output;
                if (std::holds_alternative<UndefinedValue>(value)) {
                    output = m_script.emit("prim::Uninitialized", "", {}, 1)[0].id;
                } else {
                    output = graphs.at(m_script.graphValue(value));
                }
                graphs.graph().outputs.push_back(output);
            }
            GraphStack::Level level = graphs.pop();
            for (const GraphValue& captured : level.captured) {
                names.push_back(fmt::format("{}[{}]", attribute, node.inputs.size()));
                node.inputs.push_back(graphs.at(captured));
            }
            const auto count = static_cast<std::int64_t>(level.captured.size());
            node.attributes.push_back({fmt::format("{}_inputs", attribute), count});
            node.attributes.push_back({std::string(attribute), graphs.graph().addSubgraph(std::make_shared<const Graph>(
                                                                   std::move(level.graph)))});
        };
        finish(m_first, "then_branch", true);
        finish(m_second, "else_branch", false);
        groupLeaves();
        m_script.heap = m_heap;
        const auto values = m_script.finish(std::move(node), std::move(names), {}, m_leaves.size());
        for (std::size_t i = 0; i < m_leaves.size(); ++i) {
            place(m_leaves[i], values[i]);
        }
    }

    /// The result of the node at the place of a leaf. A tensor may share the memory of those of either branch.
    void place(Leaf& one, GraphValue value)
    {
        const ScriptValue& known = std::holds_alternative<UndefinedValue>(one.first) ? one.second : one.first;
        if (const auto kind = numberKindOf(known)) {
            one.made = ComputedNumber{*kind, value};
            return;
        }
        if (!std::holds_alternative<TensorRef>(known)) {
            const auto* vector = std::get_if<ComputedList>(&known);
            one.made = ComputedList{vector != nullptr ? vector->kind : NumberKind::Int, value};
            return;
        }
        Cells shared;
        for (const auto& [given, heap] :
             {std::pair(&one.first, &m_first.heap), std::pair(&one.second, &m_second.heap)}) {
            if (const auto* tensor = std::get_if<TensorRef>(given)) {
                shared.merge(sharedBefore(*heap, tensor->index, m_tensorCount));
            }
        }
        one.tensor = TensorCell{.value = value, .name = m_script.graphs.graph().value(value.id).name};
        one.tensor->mayShare = sharedCells(std::move(shared));
    }

    Interpreter& m_script;
    GraphValue m_condition;
    const ScriptHeap& m_heap; ///< before the branches
    std::uint32_t m_tensorCount;
    Branch m_first;
    Branch m_second;
    std::vector<Leaf> m_leaves;
    std::vector<std::size_t> m_order;                                   ///< indices of leaves, as they were met
    std::map<std::pair<std::uint32_t, std::uint32_t>, ListRef> m_lists; ///< new lists, by those of the branches
    std::uint32_t m_groups = 0; ///< their cells follow those of before the branches
    std::size_t m_next = 0;
    bool m_isSecondPass = false;
};

/// Builds a loop. Which variables and cells a step changes follows from executing its body, repeatedly: what one
/// execution changes is an input of the body in the next.
class LoopBuilder {
public:
    /// `condition` is null for a loop over a range, whose variable is `index`.
    LoopBuilder(Interpreter& script, const ScriptBlock& body, const ScriptExpression* condition, std::string index)
        : m_script(script)
        , m_body(body)
        , m_condition(condition)
        , m_index(std::move(index))
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
            m_appended.push_back({numberKindOf(item), possible != nullptr});
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

namespace {

std::optional<bool> knownTruth(const ScriptValue& condition)
{
    if (const auto* truth = std::get_if<bool>(&condition)) {
        return *truth;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&condition)) {
        return *integer != 0;
    }
    return std::nullopt;
}

constexpr std::int64_t mostUnrolled = 64;         ///< steps of a loop of constant length that are executed one by one
constexpr std::int64_t mostUnrolledAnyway = 2048; ///< if the loop has no other form

} // namespace

void Interpreter::executeIf(const ScriptStatement& statement)
{
    const ScriptValue condition = toNumber(NumberKind::Bool, evaluate(statement.values[0]));
    if (const auto known = knownTruth(condition)) {
        execute(*known ? statement.body : statement.otherwise);
        return;
    }
    branch(
        condition, [&] { execute(statement.body); }, [&] { execute(statement.otherwise); });
}

void Interpreter::branch(const ScriptValue& condition, const std::function<void()>& first,
                         const std::function<void()>& second)
{
    constexpr std::size_t copiedPerStep = 16; // both branches start from a copy of everything
    step((frame().variables.size() + heap.tensors.size() + heap.lists.size()) / copiedPerStep);
    const Variables variables = frame().variables;
    const ScriptHeap before = heap;
    const std::size_t depth = m_frames.size();
    const std::uint32_t level = graphs.level();
    const auto restore = [&] {
        while (graphs.level() > level) {
            graphs.pop();
        }
        m_frames.resize(depth);
        frame().variables = variables;
        frame().result.reset();
        heap = before;
    };
    struct Failure {
        std::string message;
        bool isUnsupported;
    };
    std::optional<Failure> failures[2];
    BranchMerge::Branch branches[2];
    const auto* computed = std::get_if<ComputedNumber>(&condition);
    const auto negative = computed != nullptr ? graphs.negatedBy(computed->value) : std::nullopt;
    // In a branch that depends on whether a value is None, it is so or not.
    const auto narrowed = [&](const ScriptValue& value, bool isFirst) -> std::optional<ScriptValue> {
        const auto* optional = std::get_if<Optional>(&value);
        if (optional == nullptr || computed == nullptr) {
            return std::nullopt;
        }
        const GraphValue isPresent = (*optional)->isPresent;
        if (isPresent != computed->value && isPresent != negative) {
            return std::nullopt;
        }
        return isFirst == (isPresent == computed->value) ? (*optional)->value : ScriptValue();
    };
    const auto runBranch = [&](bool isFirst) {
        for (auto& [name, value] : frame().variables) {
            value = narrowed(value, isFirst).value_or(value);
        }
        (isFirst ? first : second)();
        for (const auto& [name, value] : variables) {
            if (const auto was = narrowed(value, isFirst)) {
                ScriptValue& now = frame().variables.at(name);
                now = now == *was ? value : now;
            }
        }
    };
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        graphs.push();
        try {
            runBranch(i == 0);
            if (frame().result) {
                unsupported("a branch returns from its function");
            }
            branches[i] = {std::move(frame().variables), std::move(heap), graphs.pop()};
        } catch (const Raised& raised) {
            failures[i] = Failure{raised.message, false};
        } catch (const UnsupportedScript& error) {
            failures[i] = Failure{error.message, true};
        }
        restore();
    }
    if (failures[0] && failures[1]) {
        const auto& worse = failures[0]->isUnsupported ? failures[0] : failures[1];
        if (worse->isUnsupported) {
            unsupported(worse->message);
        }
        throw Raised{failures[0]->message};
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        if (failures[i]) { // the other branch is the only one that a graph can contain
            ScriptArguments operands{{"condition", condition},
                                     {"raises_if", i == 0},
                                     {"is_unsupported", failures[i]->isUnsupported},
                                     {"message", failures[i]->message}};
            emit("prim::RaiseException", "", operands, 0);
            (i == 0 ? second : first)();
            return;
        }
    }
    BranchMerge(*this, std::get<ComputedNumber>(condition).value, before)
        .run(std::move(branches[0]), std::move(branches[1]));
}

void Interpreter::executeFor(const ScriptStatement& statement)
{
    const ScriptExpression& iterated = statement.values[0];
    const std::string& index = statement.targets[0].text;
    const bool isRange = iterated.kind == ScriptExpression::Kind::Call &&
                         iterated.items[0].kind == ScriptExpression::Kind::Name && iterated.items[0].text == "range" &&
                         iterated.items.size() == 2;
    const auto each = [&](const ScriptValue& value) {
        frame().variables.insert_or_assign(index, value);
        execute(statement.body);
    };
    if (!isRange) {
        for (const ScriptValue& value : itemsOf(evaluate(iterated))) {
            each(value);
        }
        return;
    }
    const ScriptValue turns = toNumber(NumberKind::Int, evaluate(iterated.items[1]));
    const auto* known = std::get_if<std::int64_t>(&turns);
    const auto unroll = [&] {
        for (std::int64_t i = 0; i < *known && !frame().result; ++i) {
            each(i);
        }
    };
    if (known != nullptr && *known <= mostUnrolled) {
        unroll();
        return;
    }
    const Variables variables = frame().variables;
    const ScriptHeap before = heap;
    try {
        LoopBuilder(*this, statement.body, nullptr, index).run(turns, {});
    } catch (const UnsupportedScript&) {
        if (known == nullptr || *known > mostUnrolledAnyway) {
            throw;
        }
        frame().variables = variables;
        heap = before;
        unroll();
    }
}

void Interpreter::executeWhile(const ScriptStatement& statement)
{
    for (std::int64_t i = 0; !frame().result; ++i) {
        const ScriptValue condition = toNumber(NumberKind::Bool, evaluate(statement.values[0]));
        const auto known = knownTruth(condition);
        if (known && !*known) {
            return;
        }
        if (known && i < mostUnrolled) {
            execute(statement.body);
            continue;
        }
        LoopBuilder(*this, statement.body, statement.values.data(), {}).run({}, condition);
        return;
    }
}

} // namespace crosswalk::pytorch
