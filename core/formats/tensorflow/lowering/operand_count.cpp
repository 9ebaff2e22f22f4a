#include "core/formats/tensorflow/lowering/operand_count.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/op_defs.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk::tensorflow {
namespace {

/// Without the arguments that are lists, which may be empty.
std::size_t fewestOperands(std::string_view op)
{
    const OpDef* definition = findOpDef(op);
    return definition == nullptr
               ? 0
               : static_cast<std::size_t>(std::ranges::count_if(definition->inputs, [](const ArgDef& argument) {
                     return argument.numberAttr.empty() && argument.typeListAttr.empty();
                 }));
}

} // namespace

void expectOperands(const Graph& graph)
{
    std::map<std::string_view, std::size_t> fewest;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto [known, isNew] = fewest.try_emplace(node.op);
        if (isNew) {
            known->second = fewestOperands(node.op);
        }
        if (node.inputs.size() < known->second) {
            throw ModelError(Diagnostic{.code = "damaged",
                                        .message = fmt::format("it has {} inputs, but {} requires {}",
                                                               node.inputs.size(), node.op, known->second),
                                        .node = node.name,
                                        .op = node.op});
        }
    }
}

} // namespace crosswalk::tensorflow
