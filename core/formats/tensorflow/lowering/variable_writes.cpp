#include "core/formats/tensorflow/lowering/variable_writes.h"

#include "core/formats/tensorflow/source_info.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

constexpr auto functionalWrites = std::to_array<VariableWrite>({
    {.op = "Assign"},
    {.op = "AssignAdd", .update = "AddV2"},
    {.op = "AssignAddVariableOp", .update = "AddV2"},
    {.op = "AssignSub", .update = "Sub"},
    {.op = "AssignSubVariableOp", .update = "Sub"},
    {.op = "AssignVariableOp"},
    {.op = "ResourceScatterAdd", .update = "TensorScatterAdd", .isByRow = true},
    {.op = "ResourceScatterMax", .update = "TensorScatterMax", .isByRow = true},
    {.op = "ResourceScatterMin", .update = "TensorScatterMin", .isByRow = true},
    {.op = "ResourceScatterNdAdd", .update = "TensorScatterAdd"},
    {.op = "ResourceScatterNdMax", .update = "TensorScatterMax"},
    {.op = "ResourceScatterNdMin", .update = "TensorScatterMin"},
    {.op = "ResourceScatterNdSub", .update = "TensorScatterSub"},
    {.op = "ResourceScatterNdUpdate", .update = "TensorScatterUpdate"},
    {.op = "ResourceScatterSub", .update = "TensorScatterSub", .isByRow = true},
    {.op = "ResourceScatterUpdate", .update = "TensorScatterUpdate", .isByRow = true},
    {.op = "ScatterAdd", .update = "TensorScatterAdd", .isByRow = true},
    {.op = "ScatterMax", .update = "TensorScatterMax", .isByRow = true},
    {.op = "ScatterMin", .update = "TensorScatterMin", .isByRow = true},
    {.op = "ScatterNdAdd", .update = "TensorScatterAdd"},
    {.op = "ScatterNdSub", .update = "TensorScatterSub"},
    {.op = "ScatterNdUpdate", .update = "TensorScatterUpdate"},
    {.op = "ScatterSub", .update = "TensorScatterSub", .isByRow = true},
    {.op = "ScatterUpdate", .update = "TensorScatterUpdate", .isByRow = true},
    {.op = "ResourceStridedSliceAssign", .update = "TensorStridedSliceUpdate"},
    {.op = "StridedSliceAssign", .update = "TensorStridedSliceUpdate"},
});

/// Operators whose names begin in one of these ways change a variable in place, for a step of training.
constexpr auto otherWrites = std::to_array<std::string_view>({
    "Apply",
    "CountUpTo",
    "ResourceApply",
    "ResourceCountUpTo",
    "ResourceScatterDiv",
    "ResourceScatterMul",
    "ResourceSparseApply",
    "ScatterDiv",
    "ScatterMul",
    "SparseApply",
});

bool isWrite(const Node& node)
{
    return variableWriteOf(node) != nullptr ||
           std::any_of(otherWrites.begin(), otherWrites.end(),
                       [&](std::string_view prefix) { return node.op.starts_with(prefix); });
}

} // namespace

const VariableWrite* variableWriteOf(const Node& node)
{
    const auto* write = std::find_if(functionalWrites.begin(), functionalWrites.end(),
                                     [&](const VariableWrite& each) { return each.op == node.op; });
    return write != functionalWrites.end() && node.inputs.size() > 1 ? write : nullptr;
}

VariableWriters::VariableWriters(const Graph& model)
    : m_model(model)
{
    const auto nodes = model.nodes();
    m_any = std::any_of(nodes.begin(), nodes.end(), isWrite);
    for (const Graph::Function& function : model.functions) {
        m_functions.emplace(function.name, false);
    }
    // A function that calls one that writes, writes as well: repeated until nothing changes.
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (const Graph::Function& function : model.functions) {
            bool& isWriter = m_functions[function.name];
            const auto body = model.subgraph(function.body).nodes();
            if (!isWriter && std::any_of(body.begin(), body.end(), [this](const Node& node) { return writes(node); })) {
                isWriter = true;
                isChanged = true;
                m_any = true;
            }
        }
    }
}

bool VariableWriters::isUnsupported(const Node& node)
{
    return isWrite(node) && variableWriteOf(node) == nullptr;
}

bool VariableWriters::writes(const Node& node) const
{
    const auto isWriter = [this](std::string_view function) {
        const auto found = m_functions.find(function);
        return found != m_functions.end() && found->second;
    };
    return isWrite(node) || isWriter(node.op) ||
           std::any_of(node.attributes.begin(), node.attributes.end(), [&](const Attribute& attribute) {
               if (const auto* list = std::get_if<std::vector<FunctionReference>>(&attribute.value)) {
                   return std::any_of(list->begin(), list->end(),
                                      [&](const FunctionReference& function) { return isWriter(function.name); });
               }
               const auto* function = std::get_if<Boxed<FunctionReference>>(&attribute.value);
               return function != nullptr && isWriter((*function)->name);
           });
}

std::vector<NodeId> VariableWriters::writersAmong(const Graph& scope, const std::vector<bool>& needed) const
{
    std::vector<NodeId> writers;
    for (std::uint32_t i = 0; i < scope.nodeCount(); ++i) {
        if (needed[i] && writes(scope.node(NodeId{i}))) {
            writers.push_back(NodeId{i});
        }
    }
    return writers;
}

} // namespace crosswalk::tensorflow
