// TensorArrays of TensorFlow 1 and TensorLists of TensorFlow 2, as tensors with the elements as rows.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/lowering/lists.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

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

/// What a scalar is if it is a number of rows: stored, or the first size of a tensor.
struct RowCount {
    std::optional<std::int64_t> number = {};
    Lowered tensor = {};
};

RowCount rowCountOf(const Lowered& scalar)
{
    const Node* read = producerOf(scalar);
    if (read == nullptr || read->inputs.size() < 2 || (read->op != "StridedSlice" && read->op != "GatherV2") ||
        scalarOf(scalar.scope->tensor(read->inputs[1])) != 0) {
        return {.number = scalarOf(scalar)};
    }
    const Lowered shape = scalar.scope->tensor(read->inputs[0]);
    if (const Tensor* sizes = contentOf(shape); sizes != nullptr && isInteger(sizes->type()) && sizes->elements() > 0) {
        return {.number = sizes->toInts().front()};
    }
    const Node* source = producerOf(shape);
    return {.tensor = source != nullptr && source->op == "Shape" ? shape.scope->tensor(source->inputs[0]) : Lowered{}};
}

/// Whether the size of a list is the number of rows that are written to it.
bool isSizeOfRows(const Lowered& size, const Lowered& end, const Lowered& rows)
{
    const RowCount reserved = rowCountOf(size);
    const RowCount written = rowCountOf(end);
    return size == end || (reserved.number && reserved.number == written.number) ||
           (reserved.tensor.isTensor() && (reserved.tensor == written.tensor || reserved.tensor == rows));
}

bool isListOperator(std::string_view op)
{
    return op.starts_with("TensorList") || op.starts_with("TensorArray") || op == "EmptyTensorList";
}

/// The stored integers that a tensor is, or is cast from: TensorFlow's own functions cast indices and lengths.
const Tensor* storedInts(Lowered tensor)
{
    for (const Node* cast = producerOf(tensor); cast != nullptr && cast->op == "Cast" && cast->inputs.size() == 1;
         cast = producerOf(tensor)) {
        tensor = tensor.scope->tensor(cast->inputs[0]);
    }
    const Tensor* stored = contentOf(tensor);
    return stored != nullptr && isInteger(stored->type()) ? stored : nullptr;
}

/// The shape of the elements that a TensorArray declares, if it is known in full.
std::optional<Ints> declaredDims(const Node& node)
{
    const auto* shape = attributeOf<ShapeAttribute>(node, "element_shape");
    if (shape == nullptr || !shape->shape) {
        return std::nullopt;
    }
    Ints dims;
    for (const Dim& dim : *shape->shape) {
        if (!dim.isFixed()) {
            return std::nullopt;
        }
        dims.push_back(dim.size);
    }
    return dims;
}

/// The shape of the elements that a TensorList is created with, if it is stored and known in full.
std::optional<Ints> storedDims(const Lowered& shape)
{
    const Tensor* stored = storedInts(shape);
    if (stored == nullptr || stored->dims().size() != 1) { // the scalar -1 is an unknown shape
        return std::nullopt;
    }
    Ints dims = stored->toInts();
    return std::ranges::all_of(dims, [](std::int64_t size) { return size >= 0; }) ? std::optional(std::move(dims))
                                                                                  : std::nullopt;
}

} // namespace

/// A list after the rows of `values` have been written to the elements at `indices`, which are stored.
Lowered ModelLowering::scattered(Region& region, NodeId id, Lowered list, const Lowered& indices, const Lowered& values)
{
    if (const Lowered end = rangeEnd(indices); list.list->content == List::Content::Empty && end.isTensor()) {
        const Lowered& size = list.list->size;
        return stackedList(values, isSizeOfRows(size, end, values) ? Lowered{} : size);
    }
    const Tensor* stored = storedInts(indices);
    if (stored == nullptr) {
        fail(region, id, "unsupported-control-flow", "it scatters rows to elements whose indices are computed");
    }
    const Ints known = stored->toInts();
    m_lowered += known.size();
    m_model.budget.expectLowered(m_lowered, m_modelNodes);
    const ElementType type = values.scope->graph.value(values.value).type.element;
    const Lowered axis = intConstant(region, id, {0}, true);
    for (std::size_t k = 0; k < known.size(); ++k) {
        const Lowered row = intConstant(region, id, {static_cast<std::int64_t>(k)}, true);
        const Lowered value =
            emit(region, id, "GatherV2", {values, row, axis}, {}, {TensorType{type, std::nullopt}}, "/row").front();
        list = written(list, intConstant(region, id, {known[k]}, true), value);
    }
    return list;
}

/// A list whose elements are the parts of a tensor, of stored lengths along its first axis.
Lowered ModelLowering::splitList(Region& region, NodeId id, Lowered list, const Lowered& tensor, const Lowered& lengths)
{
    const Tensor* stored = storedInts(lengths);
    if (stored == nullptr || stored->elements() == 0) {
        fail(region, id, "unsupported-control-flow", "it splits a tensor into parts whose lengths are computed");
    }
    const auto count = static_cast<std::size_t>(stored->elements());
    m_lowered += count;
    m_model.budget.expectLowered(m_lowered, m_modelNodes);
    const TensorType type{tensor.scope->graph.value(tensor.value).type.element, std::nullopt};
    const std::vector<Lowered> parts =
        emit(region, id, "SplitV", {tensor, lengths, intConstant(region, id, {0}, true)},
             {{"num_split", static_cast<std::int64_t>(count)}}, std::vector<ValueType>(count, type), "/parts");
    for (std::size_t k = 0; k < count; ++k) {
        list = written(list, intConstant(region, id, {static_cast<std::int64_t>(k)}, true), parts[k]);
    }
    return list;
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
    const auto tensor = [&](std::size_t i) {
        Lowered value = input(i);
        if (!value.isTensor()) {
            fail(region, id, "damaged", "an input that it requires is not a tensor");
        }
        return value;
    };
    const auto elementType = [&](std::string_view attribute) {
        const auto* type = attributeOf<ElementType>(node, attribute);
        return type != nullptr ? *type : ElementType::Undefined;
    };
    const bool isV1 = node.op.starts_with("TensorArray"); // takes the handle first, and the list last
    // A list that grows has no elements at first.
    const auto emptyList = [&](const Lowered& size, std::string_view type, std::optional<Ints> dims) {
        return listOf({.content = List::Content::Empty,
                       .element = elementType(type),
                       .size = scalarOf(size) == 0 ? Lowered{} : size,
                       .elementDims = std::move(dims)});
    };
    if (node.op == "TensorArrayV3" || node.op == "TensorArrayV2") {
        return std::vector{Lowered{.kind = Lowered::Kind::Array, .node = refOf(region, id)},
                           emptyList(input(0), "dtype", declaredDims(node))};
    }
    if (node.op == "TensorListReserve") {
        return std::vector{emptyList(input(1), "element_dtype", storedDims(input(0)))};
    }
    if (node.op == "EmptyTensorList") {
        return std::vector{emptyList({}, "element_dtype", storedDims(input(0)))};
    }
    if (node.op == "TensorListFromTensor") {
        return std::vector{stackedList(tensor(0))};
    }
    if (node.op == "TensorArrayScatterV3") {
        return std::vector{scattered(region, id, flow(3), tensor(1), tensor(2))};
    }
    if (node.op == "TensorListScatterIntoExistingList") {
        return std::vector{scattered(region, id, flow(0), tensor(2), tensor(1))};
    }
    if (node.op == "TensorArraySplitV3") {
        return std::vector{splitList(region, id, flow(3), tensor(1), tensor(2))};
    }
    if (node.op == "TensorListSplit") {
        const Lowered whole = tensor(0);
        const ElementType type = whole.scope->graph.value(whole.value).type.element;
        return std::vector{
            splitList(region, id, listOf({.content = List::Content::Empty, .element = type}), whole, tensor(2))};
    }
    if (node.op == "TensorArrayReadV3") {
        return std::vector{element(region, id, flow(2), tensor(1))};
    }
    if (node.op == "TensorListGetItem") {
        return std::vector{element(region, id, flow(0), tensor(1))};
    }
    if (node.op == "TensorArrayWriteV3") {
        return std::vector{written(flow(3), tensor(1), tensor(2))};
    }
    if (node.op == "TensorListSetItem") {
        return std::vector{written(flow(0), tensor(1), tensor(2))};
    }
    if (node.op == "TensorListPushBack") {
        const Lowered list = flow(0); // the new element follows those that are reserved
        const Lowered given = list.list->size.isTensor() ? stackedList(rows(region, id, list)) : list;
        return std::vector{appended(given, tensor(1))};
    }
    if (node.op == "TensorListPopBack") {
        const List& list = *flow(0).list;
        if (list.content != List::Content::Written || !list.isAppended) {
            fail(region, id, "unsupported-control-flow", "it removes an element that was not appended just before");
        }
        return std::vector{Lowered{.kind = Lowered::Kind::List, .list = list.before}, list.tensor};
    }
    if (node.op == "TensorListStack") {
        return std::vector{rows(region, id, flow(0))};
    }
    if (node.op == "TensorArrayGatherV3" || node.op == "TensorListGather") {
        const Lowered list = flow(isV1 ? 2 : 0);
        const Lowered stacked = rows(region, id, list);
        const Lowered indices = tensor(1);
        if (isEveryRow(indices, stacked)) {
            return std::vector{stacked};
        }
        return emit(region, id, "GatherV2", {stacked, indices, intConstant(region, id, {0}, true)}, {},
                    {graph.value(node.outputs[0]).type});
    }
    if (node.op == "TensorArrayConcatV3" || node.op == "TensorListConcat" || node.op == "TensorListConcatV2") {
        return joinedElements(region, id, flow(isV1 ? 1 : 0));
    }
    if (node.op == "TensorArraySizeV3" || node.op == "TensorListLength") {
        const Lowered stacked = rows(region, id, flow(isV1 ? 1 : 0));
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
