// The elements of lists: as the rows of one tensor, joined along their first axis, or one of them.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/lowering/lists.h"
#include "core/formats/tensorflow/lowering/lower.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk::tensorflow {
namespace {

/// How many writes of a list are passed in the time of lowering one node.
constexpr std::uint64_t writesPerNode = 16;

/// The content of a list at the start of a step. The loop must carry the elements if the step changes them as well.
const List* beforeStep(const List* list)
{
    while (list != nullptr && list->content == List::Content::Variable) {
        list->isRead = true;
        list = list->before.get();
    }
    return list;
}

/// The writes that lead to a list, the first one first.
struct History {
    const List* base = nullptr; ///< Empty or Stacked
    std::vector<const List*> writes;
};

History historyOf(const Lowered& list)
{
    History history;
    for (history.base = beforeStep(list.list.get());
         history.base != nullptr && history.base->content == List::Content::Written;
         history.base = beforeStep(history.base->before.get())) {
        history.writes.push_back(history.base);
    }
    std::ranges::reverse(history.writes);
    return history;
}

/// The elements of an empty list after writes at known indices; nothing if one of them is unknown, or an element before
/// the last one is not written.
std::vector<Lowered> knownElements(const History& history)
{
    std::map<std::int64_t, Lowered> elements;
    std::int64_t count = 0;
    for (const List* write : history.writes) {
        const auto index = write->isAppended ? count : write->position;
        if (!index || *index < 0) {
            return {};
        }
        elements[*index] = write->tensor;
        count = std::max(count, *index + 1);
    }
    std::vector<Lowered> known;
    if (history.base->content == List::Content::Empty && static_cast<std::int64_t>(elements.size()) == count) {
        for (const auto& [index, element] : elements) {
            known.push_back(element);
        }
    }
    return known;
}

} // namespace

/// The elements that a list has been given, as the rows of one tensor. A list without elements has a tensor of [0]
/// unless the model declares their shape.
Lowered ModelLowering::givenRows(Region& region, NodeId id, const Lowered& list)
{
    const History history = historyOf(list);
    if (history.base == nullptr) {
        fail(region, id, "unsupported-control-flow", "it reads what is not a list");
    }
    m_lowered += history.writes.size();
    m_model.budget.expectLowered(m_lowered, m_modelNodes);
    const auto add = [&](std::string op, const std::vector<Lowered>& inputs, std::vector<Attribute> attributes,
                         ElementType type) {
        return emit(region, id, std::move(op), inputs, std::move(attributes), {TensorType{type, std::nullopt}},
                    "/elements")
            .front();
    };
    if (const std::vector<Lowered> known = knownElements(history); !known.empty()) {
        return add("Pack", known, {{"N", static_cast<std::int64_t>(known.size())}, {"axis", std::int64_t{0}}},
                   known.front().scope->graph.value(known.front().value).type.element);
    }
    const ElementType type = history.base->element;
    Lowered rows = history.base->tensor;
    if (history.base->content == List::Content::Empty) {
        std::vector<Attribute> attributes{{"dtype", type}};
        if (history.base->elementDims) {
            attributes.push_back({"element_dims", *history.base->elementDims});
        }
        rows = add("NoRows", {}, std::move(attributes), type);
    }
    for (const List* write : history.writes) {
        rows = add("WriteRow", {rows, write->tensor, write->index}, {}, type);
    }
    return rows;
}

/// The elements of a list as the rows of one tensor, up to its size.
Lowered ModelLowering::rows(Region& region, NodeId id, const Lowered& list)
{
    const List* content = beforeStep(list.list.get());
    if (content == nullptr || content->content == List::Content::Empty) {
        fail(region, id, "unsupported-control-flow", "it reads a list without elements");
    }
    Lowered given = givenRows(region, id, list);
    if (!list.list->size.isTensor()) {
        return given;
    }
    const ElementType type = given.scope->graph.value(given.value).type.element;
    return emit(region, id, "ExtendRows", {given, list.list->size}, {}, {TensorType{type, std::nullopt}}).front();
}

/// The element of a list that is read at an index.
Lowered ModelLowering::element(Region& region, NodeId id, const Lowered& list, const Lowered& index)
{
    const std::optional<std::int64_t> position = scalarOf(index);
    const auto isOther = [&](const List& write) {
        return write.content == List::Content::Written && write.position && position && write.position != position;
    };
    const List* last = list.list.get(); // that is not known to be another element
    std::uint64_t passed = 0;
    for (; last != nullptr && isOther(*last); last = last->before.get()) {
        ++passed;
    }
    m_lowered += passed / writesPerNode;
    m_model.budget.expectLowered(m_lowered, m_modelNodes);
    const bool isWritten = last != nullptr && last->content == List::Content::Written && !last->isAppended;
    if (isWritten && (last->index == index || (position && last->position == position))) {
        return last->tensor;
    }
    const Lowered axis = intConstant(region, id, {0}, true);
    const Node& node = region.source.graph.node(id);
    return emit(region, id, "GatherV2", {rows(region, id, list), index, axis}, {},
                {region.source.graph.value(node.outputs[0]).type})
        .front();
}

/// The elements of a list joined along their first axis, and the length of each.
std::vector<Lowered> ModelLowering::joinedElements(Region& region, NodeId id, const Lowered& list)
{
    const auto made = [&](std::string op, const std::vector<Lowered>& inputs, std::vector<Attribute> attributes,
                          ElementType type, std::string_view suffix) {
        return emit(region, id, std::move(op), inputs, std::move(attributes), {TensorType{type, std::nullopt}}, suffix)
            .front();
    };
    const auto ints = [&](std::int64_t value, bool isScalar) { return intConstant(region, id, {value}, isScalar); };
    const auto part = [&](const Lowered& shape, std::int64_t begin, std::int64_t end, std::string_view suffix) {
        std::vector<Attribute> masks{{"end_mask", std::int64_t{end == 0}}};
        for (const char* mask : {"begin_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
            masks.push_back({mask, std::int64_t{0}});
        }
        return made("StridedSlice", {shape, ints(begin, false), ints(end, false), ints(1, false)}, std::move(masks),
                    ElementType::Int32, suffix);
    };
    const Lowered zero = ints(0, true);
    const auto shapeOf = [&](const Lowered& tensor, ElementType type, std::string_view suffix) {
        return made("Shape", {tensor}, {{"out_type", type}}, type, suffix);
    };
    const auto lengthIn = [&](const Lowered& sizes, std::int64_t axis) {
        return made("GatherV2", {sizes, ints(axis, true), zero}, {}, ElementType::Int64, "/length");
    };
    const Lowered& size = list.list->size;
    const std::vector<Lowered> known = knownElements(historyOf(list));
    const bool areAll = !size.isTensor() || scalarOf(size) == static_cast<std::int64_t>(known.size());
    if (known.size() > 1 && areAll) {
        const auto count = static_cast<std::int64_t>(known.size());
        std::vector<Lowered> parts = known;
        parts.push_back(zero);
        std::vector<Lowered> lengths;
        lengths.reserve(known.size());
        for (const Lowered& element : known) {
            lengths.push_back(lengthIn(shapeOf(element, ElementType::Int64, "/sizes"), 0));
        }
        const ElementType type = known.front().scope->graph.value(known.front().value).type.element;
        return {made("ConcatV2", parts, {{"N", count}}, type, ""),
                made("Pack", lengths, {{"N", count}, {"axis", std::int64_t{0}}}, ElementType::Int64, "/lengths")};
    }
    const Lowered stacked = rows(region, id, list);
    const Attribute joins{std::string(joinsElements), true};
    const Lowered shape =
        made("Shape", {stacked}, {{"out_type", ElementType::Int32}, joins}, ElementType::Int32, "/shape");
    const Lowered joined = made("ConcatV2", {ints(-1, false), part(shape, 2, 0, "/inner"), zero},
                                {{"N", std::int64_t{2}}}, ElementType::Int32, "/joined");
    const Lowered length = lengthIn(shapeOf(stacked, ElementType::Int64, "/sizes"), 1);
    const ElementType type = stacked.scope->graph.value(stacked.value).type.element;
    return {made("Reshape", {stacked, joined}, {joins}, type, ""),
            made("Fill", {part(shape, 0, 1, "/count"), length}, {}, ElementType::Int64, "/lengths")};
}

} // namespace crosswalk::tensorflow
