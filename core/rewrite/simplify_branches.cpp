#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"
#include "core/rewrite/graph_edit.h"
#include "core/rewrite/rename_ports.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;

bool isBranching(const NodeProto& node)
{
    return node.domain().empty() && node.op_type() == "If";
}

GraphProto& branch(NodeProto& node, const char* name)
{
    return *findAttribute(node, name)->mutable_g();
}

/// Whether the branches have no initializers, and as many outputs as the node.
bool isPlain(NodeProto& node)
{
    constexpr std::array names{"then_branch", "else_branch"};
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
        const auto* attribute = findAttribute(node, name);
        return attribute != nullptr && attribute->has_g() && attribute->g().initializer_size() == 0 &&
               attribute->g().sparse_initializer_size() == 0 && attribute->g().output_size() == node.output_size();
    });
}

/// Removes outputs that nothing reads, except for the last one.
void dropUnreadOutputs(const GraphEdit& edit, NodeProto& node)
{
    for (int i = node.output_size(); i-- > 0 && node.output_size() > 1;) {
        if (edit.reads(node.output(i)) == 0) {
            node.mutable_output()->DeleteSubrange(i, 1);
            branch(node, "then_branch").mutable_output()->DeleteSubrange(i, 1);
            branch(node, "else_branch").mutable_output()->DeleteSubrange(i, 1);
        }
    }
}

/// Replaces a node with a constant condition by the nodes of the chosen branch.
void inlineBranch(GraphEdit& edit, int index)
{
    NodeProto& node = *edit.graph().mutable_node(index);
    const Tensor* condition = edit.stored(node.input(0));
    if (condition == nullptr || condition->elements() != 1) {
        return;
    }
    GraphProto& chosen = branch(node, condition->toInts().front() != 0 ? "then_branch" : "else_branch");
    std::unordered_set<std::string> computed;
    for (const auto& inner : chosen.node()) {
        computed.insert(inner.output().begin(), inner.output().end());
    }
    Renames renames;
    for (int i = 0; i < node.output_size(); ++i) {
        const std::string& result = chosen.output(i).name();
        if (!computed.contains(result) || !renames.emplace(result, node.output(i)).second) {
            return; // a value from outside, or one that is returned twice
        }
    }
    renameValues(chosen, renames);
    for (const auto& inner : chosen.node()) {
        edit.insert(index, inner, {index});
    }
    edit.drop(index);
}

/// Whether a node between two others, or the second of them, reads a result of the first.
bool isReadUntil(const GraphEdit& edit, int first, int second)
{
    const auto& results = edit.graph().node(first).output();
    for (int i = first + 1; i <= second; ++i) {
        bool isRead = false;
        forEachRead(edit.graph().node(i), [&](const std::string& name) {
            isRead = isRead || std::find(results.begin(), results.end(), name) != results.end();
        });
        if (isRead) {
            return true;
        }
    }
    return false;
}

/// Moves results and branches of node `from` into node `to`, whose condition is the same.
void join(GraphEdit& edit, int from, int to)
{
    NodeProto& gone = *edit.graph().mutable_node(from);
    NodeProto& kept = *edit.graph().mutable_node(to);
    for (const std::string& output : gone.output()) {
        kept.add_output(output);
    }
    for (const char* name : {"then_branch", "else_branch"}) {
        GraphProto& source = branch(gone, name);
        GraphProto& target = branch(kept, name);
        target.mutable_node()->MergeFrom(source.node());
        target.mutable_output()->MergeFrom(source.output());
        target.mutable_value_info()->MergeFrom(source.value_info());
    }
    edit.merge(from, to);
}

} // namespace

void simplifyBranches(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    std::unordered_map<std::string, int> last; // the last remaining node, by condition
    for (int i = 0; i < edit.graph().node_size(); ++i) {
        NodeProto& node = *edit.graph().mutable_node(i);
        if (!isBranching(node) || !isPlain(node)) {
            continue;
        }
        dropUnreadOutputs(edit, node);
        if (edit.stored(node.input(0)) != nullptr) {
            inlineBranch(edit, i);
            continue;
        }
        const auto [before, isFirst] = last.try_emplace(node.input(0), i);
        if (!isFirst) {
            if (!isReadUntil(edit, before->second, i)) {
                join(edit, before->second, i);
            }
            before->second = i;
        }
    }
    edit.finish();
}

} // namespace crosswalk
