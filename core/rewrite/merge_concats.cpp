#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Whether the node can be merged with a node of its operator: Concat, Max and Min.
bool isMergeable(const NodeProto& node)
{
    return node.domain().empty() && ((node.op_type() == "Concat" && node.attribute_size() == 1) ||
                                     node.op_type() == "Max" || node.op_type() == "Min");
}

/// The node that computes input `index` of another one, if it can be merged into it.
std::optional<int> mergeable(GraphEdit& edit, const NodeProto& node, int index)
{
    const auto before = edit.producer(node.input(index));
    if (!before || edit.reads(node.input(index)) != 1) {
        return std::nullopt;
    }
    const NodeProto& inner = edit.graph().node(*before);
    const bool isSame = isMergeable(inner) && inner.op_type() == node.op_type() &&
                        intAttribute(inner, "axis", 0) == intAttribute(node, "axis", 0);
    return isSame ? before : std::nullopt;
}

} // namespace

void mergeConcats(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        NodeProto& node = *edit.graph().mutable_node(i);
        if (!isMergeable(node)) {
            continue;
        }
        std::vector<std::string> inputs;
        for (int index = 0; index < node.input_size(); ++index) {
            if (const auto inner = mergeable(edit, node, index)) {
                const auto& parts = edit.graph().node(*inner).input();
                inputs.insert(inputs.end(), parts.begin(), parts.end());
                edit.merge(*inner, i);
            } else {
                inputs.push_back(node.input(index));
            }
        }
        node.mutable_input()->Assign(inputs.begin(), inputs.end());
    }
    edit.finish();
}

} // namespace crosswalk
