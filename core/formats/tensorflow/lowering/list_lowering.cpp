// TensorArrays of TensorFlow 1 and TensorLists of TensorFlow 2, as tensors with the elements as rows.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

Lowered listOf(List list)
{
    return {.kind = Lowered::Kind::List, .list = std::make_shared<const List>(std::move(list))};
}

/// The content of a list at the start of a step that reads it before changing it.
const List* unchanged(const List* list)
{
    while (list != nullptr && list->content == List::Content::Variable) {
        list = list->before.get();
    }
    return list;
}

/// The end of the sequence 0, 1, 2...; absent for other values.
Lowered rangeEnd(const Lowered& indices)
{
    const Node* range = producerOf(indices);
    if (range == nullptr || range->op != "Range" || range->inputs.size() != 3) {
        return {};
    }
    const auto isNumber = [&](ValueId value, std::int64_t number) {
        const Tensor* content = indices.scope->graph.tensorOf(value);
        return content != nullptr && content->elements() == 1 && isInteger(content->type()) &&
               content->toInts().front() == number;
    };
    return isNumber(range->inputs[0], 0) && isNumber(range->inputs[2], 1) ? indices.scope->tensor(range->inputs[1])
                                                                          : Lowered{};
}

/// Whether two values are the rows of one list, each of which may be extended to the same size.
bool areSameRows(const Lowered& a, const Lowered& b)
{
    const Node* first = producerOf(a);
    const Node* second = producerOf(b);
    return a.scope == b.scope &&
           (a.value == b.value || (first != nullptr && second != nullptr && first->op == "ExtendRows" &&
                                   second->op == "ExtendRows" && first->inputs == second->inputs));
}

/// Whether indices are 0, 1, 2... up to the number of rows of a tensor, computed from its shape.
bool isEveryRow(const Lowered& indices, const Lowered& stacked)
{
    const Lowered end = rangeEnd(indices);
    const Node* size = producerOf(end);
    if (size == nullptr || size->op != "GatherV2") {
        return false;
    }
    const Node* shape = producerOf(end.scope->tensor(size->inputs[0]));
    return shape != nullptr && shape->op == "Shape" && areSameRows(end.scope->tensor(shape->inputs[0]), stacked);
}

bool isListOperator(std::string_view op)
{
    return op.starts_with("TensorList") || op.starts_with("TensorArray");
}

/// Whether a tensor replaces a list that could not be lowered.
bool isGap(const Lowered& value)
{
    const Node* node = producerOf(value);
    return node != nullptr && (node->attribute(loweringError) != nullptr || node->attribute(behindGap) != nullptr);
}

} // namespace

/// The elements of a list as the rows of one tensor.
Lowered ModelLowering::rows(Region& region, NodeId id, const Lowered& list)
{
    const List* content = list.kind == Lowered::Kind::List ? unchanged(list.list.get()) : nullptr;
    if (content == nullptr || content->content != List::Content::Stacked) {
        fail(region, id, "unsupported-control-flow", "it reads a list whose elements are not the rows of one tensor");
    }
    if (!content->size.isTensor()) {
        return content->tensor;
    }
    const ValueType type = content->tensor.scope->graph.value(content->tensor.value).type;
    return emit(region, id, "ExtendRows", {content->tensor, content->size}, {},
                {TensorType{type.element, std::nullopt}})
        .front();
}

/// The elements of a list, which are the rows of a tensor, joined along their first axis, and the length of each.
std::vector<Lowered> ModelLowering::joinedRows(Region& region, NodeId id, const Lowered& stacked)
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
    const Lowered shape = made("Shape", {stacked}, {{"out_type", ElementType::Int32}}, ElementType::Int32, "/shape");
    const Lowered joined = made("ConcatV2", {ints(-1, false), part(shape, 2, 0, "/inner"), zero},
                                {{"N", std::int64_t{2}}}, ElementType::Int32, "/joined");
    const Lowered wide = made("Shape", {stacked}, {{"out_type", ElementType::Int64}}, ElementType::Int64, "/sizes");
    const Lowered length = made("GatherV2", {wide, ints(1, true), zero}, {}, ElementType::Int64, "/length");
    const ElementType type = stacked.scope->graph.value(stacked.value).type.element;
    return {made("Reshape", {stacked, joined}, {}, type, ""),
            made("Fill", {part(shape, 0, 1, "/count"), length}, {}, ElementType::Int64, "/lengths")};
}

/// The outputs of a node that creates, reads or changes a list; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::listNode(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    if (!isListOperator(node.op)) {
        return std::nullopt;
    }
    const std::vector<Lowered> inputs = inputsOf(region, id);
    if (const auto gap = std::find_if(inputs.begin(), inputs.end(), isGap); gap != inputs.end()) {
        std::vector<ValueType> types;
        for (const ValueId output : node.outputs) {
            types.push_back(graph.value(output).type);
        }
        std::string why = fmt::format("it reads the list of {}, which could not be converted", producerOf(*gap)->name);
        return emit(region, id, node.op, {*gap}, {{std::string(behindGap), std::move(why)}}, types);
    }
    const auto input = [&](std::size_t i) { return i < inputs.size() ? inputs[i] : Lowered{}; };
    const auto flow = [&](std::size_t i) {
        Lowered list = input(i);
        if (list.kind != Lowered::Kind::List) {
            fail(region, id, "unsupported-control-flow",
                 "its input is not the result of a TensorList or TensorArray operator");
        }
        return list;
    };
    const auto element = [&](const Lowered& list, const Lowered& index) {
        const Lowered axis = intConstant(region, id, {0}, true);
        return emit(region, id, "GatherV2", {rows(region, id, list), index, axis}, {},
                    {graph.value(node.outputs[0]).type});
    };
    const auto written = [&](const Lowered& list, const Lowered& index, const Lowered& value) {
        return listOf({.content = List::Content::Written,
                       .size = list.list->size,
                       .tensor = value,
                       .index = index,
                       .before = list.list});
    };
    if (node.op == "TensorArrayV3" || node.op == "TensorArrayV2") {
        const auto* grows = attributeOf<bool>(node, "dynamic_size"); // its size is only the initial size
        return std::vector{
            Lowered{.kind = Lowered::Kind::Array, .node = refOf(region, id)},
            listOf({.content = List::Content::Empty, .size = grows != nullptr && *grows ? Lowered{} : input(0)})};
    }
    if (node.op == "TensorListReserve") {
        return std::vector{listOf({.content = List::Content::Empty, .size = input(1)})};
    }
    if (node.op == "TensorListFromTensor") {
        return std::vector{listOf({.content = List::Content::Stacked, .tensor = input(0)})};
    }
    if (node.op == "TensorArrayScatterV3") {
        if (!rangeEnd(input(1)).isTensor()) {
            fail(region, id, "unsupported-control-flow", "it scatters rows to elements other than 0, 1, 2...");
        }
        return std::vector{listOf({.content = List::Content::Stacked, .tensor = input(2)})};
    }
    if (node.op == "TensorArrayReadV3") {
        return element(flow(2), input(1));
    }
    if (node.op == "TensorListGetItem") {
        return element(flow(0), input(1));
    }
    if (node.op == "TensorArrayWriteV3") {
        return std::vector{written(flow(3), input(1), input(2))};
    }
    if (node.op == "TensorListSetItem") {
        return std::vector{written(flow(0), input(1), input(2))};
    }
    if (node.op == "TensorListStack") {
        return std::vector{rows(region, id, flow(0))};
    }
    if (node.op == "TensorArrayGatherV3" || node.op == "TensorListGather") {
        const Lowered list = flow(node.op == "TensorListGather" ? 0 : 2);
        const Lowered stacked = rows(region, id, list);
        const Lowered indices = input(1);
        return isEveryRow(indices, stacked) ? std::vector{stacked} : element(list, indices);
    }
    if (node.op == "TensorArrayConcatV3" || node.op == "TensorListConcat" || node.op == "TensorListConcatV2") {
        return joinedRows(region, id, rows(region, id, flow(node.op == "TensorArrayConcatV3" ? 1 : 0)));
    }
    if (node.op == "TensorArraySizeV3" || node.op == "TensorListLength") {
        const Lowered list = flow(node.op == "TensorListLength" ? 0 : 1);
        const Lowered stacked = rows(region, id, list);
        const Lowered shape = emit(region, id, "Shape", {stacked}, {{"out_type", ElementType::Int32}},
                                   {TensorType{ElementType::Int32, std::nullopt}}, "/shape")
                                  .front();
        const Lowered zero = intConstant(region, id, {0}, true);
        return emit(region, id, "GatherV2", {shape, zero, zero}, {}, {graph.value(node.outputs[0]).type});
    }
    if (node.op == "TensorArrayCloseV3") {
        return std::vector<Lowered>{};
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
