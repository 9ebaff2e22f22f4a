#include "core/formats/pytorch/torchscript/branch_merge.h"

#include "core/formats/pytorch/lowering/unsupported_branches.h"
#include "core/formats/pytorch/torchscript/branch_state.h"

#include <algorithm>
#include <fmt/format.h>

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

UndefinedValue differing(std::string_view what)
{
    return UndefinedValue{fmt::format("{} differs between two branches", what)};
}

} // namespace

/// Merges what two branches did. Goes over the values twice in the same order: first to collect the leaves that differ,
/// then, once the node exists, to put its results in their places.
class BranchMerge {
public:
    BranchMerge(Interpreter& script, GraphValue condition, const ScriptHeap& heap)
        : m_script(script)
        , m_condition(condition)
        , m_heap(heap)
        , m_tensorCount(static_cast<std::uint32_t>(heap.tensors.size()))
    {
    }

    void run(ScriptBranch first, ScriptBranch second)
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

    /// The rank of a tensor after a branch. The graph of a value that the branch computed has been popped.
    std::optional<std::size_t> rankIn(const TensorCell& cell) const
    {
        return cell.value.level > m_script.graphs.level() ? cell.rank : m_script.rankOf(cell);
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
        const auto finish = [&](ScriptBranch& branch, std::string_view attribute, bool isFirst) {
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
        std::set<std::optional<std::size_t>> ranks;
        for (const auto& [given, heap] :
             {std::pair(&one.first, &m_first.heap), std::pair(&one.second, &m_second.heap)}) {
            if (const auto* tensor = std::get_if<TensorRef>(given)) {
                shared.merge(sharedBefore(*heap, tensor->index, m_tensorCount));
                ranks.insert(rankIn(heap->tensors[tensor->index]));
            }
        }
        one.tensor = TensorCell{.value = value, .name = m_script.graphs.graph().value(value.id).name};
        one.tensor->rank = ranks.size() == 1 ? *ranks.begin() : std::nullopt;
        one.tensor->mayShare = sharedCells(std::move(shared));
    }

    Interpreter& m_script;
    GraphValue m_condition;
    const ScriptHeap& m_heap; ///< before the branches
    std::uint32_t m_tensorCount;
    ScriptBranch m_first;
    ScriptBranch m_second;
    std::vector<Leaf> m_leaves;
    std::vector<std::size_t> m_order;                                   ///< indices of leaves, as they were met
    std::map<std::pair<std::uint32_t, std::uint32_t>, ListRef> m_lists; ///< new lists, by those of the branches
    std::uint32_t m_groups = 0; ///< their cells follow those of before the branches
    std::size_t m_next = 0;
    bool m_isSecondPass = false;
};

void mergeBranches(Interpreter& script, GraphValue condition, const ScriptHeap& before, ScriptBranch first,
                   ScriptBranch second)
{
    BranchMerge(script, condition, before).run(std::move(first), std::move(second));
}

} // namespace crosswalk::pytorch
