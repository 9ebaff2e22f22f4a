#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

bool isConcat(const NodeProto& node)
{
    return node.domain().empty() && node.op_type() == "Concat" && node.attribute_size() == 1;
}

/// The concat whose output is input `place` of another, where it can go into that one.
std::optional<int> mergeable(GraphEdit& edit, const NodeProto& node, int place)
{
    const auto before = edit.producer(node.input(place));
    if (!before || edit.reads(node.input(place)) != 1) {
        return std::nullopt;
    }
    const NodeProto& inner = edit.graph().node(*before);
    const bool isSame = isConcat(inner) && intAttribute(inner, "axis", 0) == intAttribute(node, "axis", 0);
    return isSame ? before : std::nullopt;
}

} // namespace

void mergeConcats(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        NodeProto& node = *edit.graph().mutable_node(i);
        if (!isConcat(node)) {
            continue;
        }
        std::vector<std::string> inputs;
        for (int place = 0; place < node.input_size(); ++place) {
            if (const auto inner = mergeable(edit, node, place)) {
                const auto& parts = edit.graph().node(*inner).input();
                inputs.insert(inputs.end(), parts.begin(), parts.end());
                edit.merge(*inner, i);
            } else {
                inputs.push_back(node.input(place));
            }
        }
        node.mutable_input()->Assign(inputs.begin(), inputs.end());
    }
    edit.finish();
}

} // namespace crosswalk
