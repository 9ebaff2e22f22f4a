#include "core/formats/mxnet/weight_wants.h"

#include "core/formats/mxnet/node_texts.h"
#include "core/formats/mxnet/weight_shapes.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

/// Gluon's word and the operator's for the same thing.
std::string_view slotWord(std::string_view kind)
{
    return kind == "running_mean" ? "moving_mean" : kind == "running_var" ? "moving_var" : kind;
}

void describe(WeightWant& want, const Node& node)
{
    const auto place =
        static_cast<std::size_t>(std::find(node.inputs.begin(), node.inputs.end(), want.value) - node.inputs.begin());
    const auto slots = inputSlots(node.op, texts(node));
    if (place < slots.size()) {
        want.slot = slots[place].name;
        want.slotKind = slots[place].kind;
    }
    if (const auto shape = weightShape(node, place)) {
        want.shapes.push_back(*shape);
    }
}

bool isSeparator(char c)
{
    return c == '_' || c == '.';
}

} // namespace

std::vector<WeightWant> weightWants(const BuiltGraph& built, bool hinted)
{
    const Graph& graph = built.graph;
    const Consumers consumers(graph);
    std::vector<WeightWant> wants;
    for (const Variable& variable : built.variables) {
        const Value& value = graph.value(variable.value);
        const auto readers = consumers.of(variable.value);
        if (readers.empty() || (value.role != Role::Parameter && !(hinted && variable.saysParameter))) {
            continue;
        }
        WeightWant want{.value = variable.value, .name = value.name, .reader = readers.front()};
        describe(want, graph.node(want.reader));
        if (value.type.shape) {
            want.shapes.push_back(*value.type.shape);
        }
        wants.push_back(std::move(want));
    }
    return wants;
}

std::string_view kindOf(std::string_view structuralName)
{
    const auto dot = structuralName.rfind('.');
    return dot == std::string_view::npos ? structuralName : structuralName.substr(dot + 1);
}

bool isOfKind(const WeightWant& want, std::string_view kind)
{
    if (kind.empty() || slotWord(kind) == want.slot || want.name == kind) {
        return true;
    }
    return want.name.size() > kind.size() && want.name.ends_with(kind) &&
           isSeparator(want.name[want.name.size() - kind.size() - 1]);
}

bool fits(const WeightWant& want, const Tensor& tensor)
{
    return std::all_of(want.shapes.begin(), want.shapes.end(),
                       [&](const Shape& shape) { return fits(shape, tensor.dims()); });
}

} // namespace crosswalk::mxnet
