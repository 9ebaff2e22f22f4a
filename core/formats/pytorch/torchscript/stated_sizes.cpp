#include "core/formats/pytorch/torchscript/stated_sizes.h"

#include "core/base/is_one_of.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/graph/attributes.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace crosswalk::pytorch {
namespace {

using Sizes = std::vector<std::optional<std::int64_t>>;

/// Operators whose result has the sizes of the operand.
constexpr auto elementwise = std::to_array<std::string_view>(
    {"aten::clone", "aten::contiguous", "aten::detach", "aten::dropout", "aten::exp", "aten::log_softmax", "aten::relu",
     "aten::sigmoid", "aten::softmax", "aten::tanh", "aten::to"});

/// The constant sizes in an argument of an operator. A size of -1 is inferred from the operand.
Sizes listedSizes(const Node& node, std::string_view name)
{
    const auto* listed = attributeOf<Ints>(node, name);
    Sizes sizes(listed != nullptr ? listed->size() : 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if ((*listed)[i] >= 0 && !inputNamed(node, fmt::format("{}[{}]", name, i))) {
            sizes[i] = (*listed)[i];
        }
    }
    return sizes;
}

} // namespace

std::optional<std::size_t> axisAt(std::int64_t axis, std::size_t rank)
{
    const auto count = static_cast<std::int64_t>(rank);
    return axis >= -count && axis < count ? std::optional(static_cast<std::size_t>(axis < 0 ? axis + count : axis))
                                          : std::nullopt;
}

Sizes statedSizes(const GraphStack& graphs, GraphValue tensor)
{
    constexpr int deepest = 64;
    const Graph& graph = graphs.graph(tensor.level);
    std::vector<std::int64_t> joined; // axes along which tensors are concatenated
    Sizes sizes;
    for (int i = 0; i < deepest; ++i) {
        if (const Tensor* stored = graphs.storedTensor(tensor)) {
            sizes.assign(stored->dims().begin(), stored->dims().end());
            break;
        }
        const NodeId producer = graph.value(tensor.id).producer;
        if (!producer) {
            break;
        }
        const Node& node = graph.node(producer);
        if (const auto argument = sizesArgument(node.op); argument == "size" || argument == "shape") {
            sizes = listedSizes(node, argument);
            break;
        }
        const bool isJoined = node.op == "aten::cat" && !inputNamed(node, "dim");
        const auto self = inputNamed(node, "self");
        const auto operand = isJoined ? inputNamed(node, "tensors[0]") : self ? self : inputNamed(node, "input");
        if (!operand || !(isJoined || isOneOf(node.op, elementwise))) {
            break;
        }
        if (isJoined) {
            const auto* axis = attributeOf<std::int64_t>(node, "dim");
            joined.push_back(axis != nullptr ? *axis : 0);
        }
        tensor.id = node.inputs[*operand];
    }
    for (const std::int64_t axis : joined) {
        const auto at = axisAt(axis, sizes.size());
        if (!at) {
            return {};
        }
        sizes[*at].reset();
    }
    return sizes;
}

} // namespace crosswalk::pytorch
