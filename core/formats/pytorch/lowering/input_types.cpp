#include "core/formats/pytorch/lowering/input_types.h"

#include "core/formats/pytorch/argument_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

namespace crosswalk::pytorch {
namespace {

struct TypedArgument {
    std::string_view op;
    std::string_view argument;
    ElementType type;
};

/// Arguments that PyTorch accepts in one type, or in int32 as well as in int64.
constexpr auto typedArguments = std::to_array<TypedArgument>({
    {"aten::embedding", "indices", ElementType::Int64},
    {"aten::embedding_bag", "indices", ElementType::Int64},
    {"aten::embedding_bag", "offsets", ElementType::Int64},
    {"aten::gather", "index", ElementType::Int64},
    {"aten::index_select", "index", ElementType::Int64},
    {"aten::one_hot", "self", ElementType::Int64},
    {"aten::scatter", "index", ElementType::Int64},
    {"aten::scatter_add", "index", ElementType::Int64},
    {"aten::take", "index", ElementType::Int64},
    {"aten::take_along_dim", "indices", ElementType::Int64},
    {"aten::masked_fill", "mask", ElementType::Bool},
    {"aten::masked_scatter", "mask", ElementType::Bool},
    {"aten::masked_select", "mask", ElementType::Bool},
    {"aten::where", "condition", ElementType::Bool},
});

/// Operators whose results have the elements of their first operand.
constexpr auto rearranging = std::to_array<std::string_view>({
    "aten::alias",  "aten::chunk",     "aten::clone",     "aten::contiguous", "aten::detach",
    "aten::expand", "aten::flatten",   "aten::narrow",    "aten::permute",    "aten::reshape",
    "aten::select", "aten::slice",     "aten::split",     "aten::squeeze",    "aten::t",
    "aten::unbind", "aten::transpose", "aten::unflatten", "aten::unsqueeze",  "aten::view",
});

/// The type of all typed arguments that are made of a value; nothing if there is none, or if they differ.
std::optional<ElementType> typeNeededOf(const Graph& graph, const Consumers& consumers, ValueId input)
{
    std::optional<ElementType> needed;
    std::set<ValueId> known{input};
    std::vector<ValueId> open{input};
    while (!open.empty()) {
        const ValueId value = open.back();
        open.pop_back();
        for (const NodeId id : consumers.of(value)) {
            const Node& node = graph.node(id);
            for (const TypedArgument& typed : typedArguments) {
                const auto position = node.op == typed.op ? inputNamed(node, typed.argument) : std::nullopt;
                if (!position || node.inputs[*position] != value) {
                    continue;
                }
                if (needed && *needed != typed.type) {
                    return std::nullopt;
                }
                needed = typed.type;
            }
            if (node.inputs[0] == value && std::ranges::find(rearranging, node.op) != rearranging.end()) {
                std::ranges::copy_if(node.outputs, std::back_inserter(open),
                                     [&](ValueId output) { return known.insert(output).second; });
            }
        }
    }
    return needed;
}

} // namespace

void inferInputTypes(Graph& graph)
{
    const Consumers consumers(graph);
    for (const ValueId input : graph.inputs) {
        if (graph.value(input).type.element == ElementType::Undefined) {
            graph.value(input).type.element = typeNeededOf(graph, consumers, input).value_or(ElementType::Undefined);
        }
    }
}

} // namespace crosswalk::pytorch
