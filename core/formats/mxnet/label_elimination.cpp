#include "core/formats/mxnet/label_elimination.h"

#include "core/formats/mxnet/operand_kinds.h"

namespace crosswalk::mxnet {

bool eliminateComputedLabels(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& /*problems*/)
{
    bool isChanged = false;
    for (std::uint32_t i = 0; i < graph.graph().nodeCount(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (options.customOperators.contains(node.op)) {
            continue;
        }
        const std::vector<Operand> operands = inputOperands(node.op, node.attributes);
        // Labels are the last operands. A label that is a variable needs no pass: its role excludes it from the export.
        ValueIds inputs = node.inputs;
        while (!inputs.empty() && inputs.size() <= operands.size() &&
               operands[inputs.size() - 1].kind == OperandKind::Label && graph.producer(inputs.back())) {
            inputs.pop_back();
        }
        if (inputs.size() < node.inputs.size()) {
            graph.setInputs(NodeId{i}, std::move(inputs));
            isChanged = true;
        }
    }
    return isChanged;
}

} // namespace crosswalk::mxnet
