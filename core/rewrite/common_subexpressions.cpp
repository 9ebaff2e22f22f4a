#include "core/onnx/node.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// A key that is equal for nodes with equal results; empty for a nondeterministic node.
std::string signature(NodeProto node)
{
    if (!node.domain().empty() || hasBody(node) || isRandom(node.op_type())) {
        return {};
    }
    std::string outputs;
    for (std::string& output : *node.mutable_output()) {
        outputs += output.empty() ? '-' : '+';
        output.clear();
    }
    node.clear_name();
    node.clear_doc_string();
    node.clear_metadata_props();
    return outputs + node.SerializeAsString();
}

} // namespace

void eliminateCommonSubexpressions(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    auto& graph = edit.graph();
    std::unordered_map<std::string, int> first;
    for (int i = 0; i < graph.node_size(); ++i) {
        NodeProto& node = *graph.mutable_node(i);
        edit.update(node);
        const std::string key = signature(node);
        const auto mustStay = [&](const std::string& name) { return !edit.isReplaceable(name); };
        if (key.empty() || std::any_of(node.output().begin(), node.output().end(), mustStay)) {
            continue;
        }
        const auto [before, isFirst] = first.try_emplace(key, i);
        if (!isFirst) {
            for (int k = 0; k < node.output_size(); ++k) {
                edit.replaceReads(node.output(k), graph.node(before->second).output(k));
            }
            edit.merge(i, before->second);
        }
    }
    edit.finish();
}

} // namespace crosswalk
