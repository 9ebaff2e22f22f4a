#pragma once

#include "core/onnx/node_inference.h"
#include "core/rewrite/graph_edit.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace crosswalk {

/// The results of constant folding in one graph, until it is certain which of them can be stored. onnx checks axes,
/// repeats, sizes and the like only where they are stored: a node that reads computed ones is valid, even if they are
/// wrong, until they are folded. Such a model fails when it runs the node, if it ever does, and has to stay as it is.
class FoldedValues {
public:
    /// `edit` must outlive this object. Only commit() changes it.
    FoldedValues(RewrittenModel rewritten, GraphEdit& edit);

    /// The content of an initializer or of a folded node's output; null for any other value.
    const Tensor* content(const std::string& name) const;

    /// Adds a folded node, after those that it reads.
    void add(int node, std::vector<Tensor> results);
    /// Infers the nodes that depend on folded values. Where one of them does not accept their contents, the nodes that
    /// compute them are not folded. Those are never Constants, whose contents onnx has checked already.
    void unfoldRejected();
    /// Replaces the folded nodes by initializers.
    void commit();

private:
    using ValueIndex = NodeInference::ValueIndex;

    bool isAffected(const ::onnx::NodeProto& node) const;
    ValueIndex indexOf(const std::string& name);
    bool accepts(const ::onnx::NodeProto& node);
    void markAffected(const ::onnx::NodeProto& node);
    void unfoldOperands(const ::onnx::NodeProto& node);

    GraphEdit& m_edit;
    NodeInference m_inference;
    std::map<int, std::vector<Tensor>> m_results; ///< of folded nodes
    std::unordered_map<std::string, const Tensor*> m_contents;
    /// Values other than Constants that are folded, or whose inferred types or contents depend on folded ones.
    std::unordered_set<std::string> m_affected;
    std::unordered_map<std::string, ValueIndex> m_indices;
    std::deque<::onnx::TensorProto> m_protos;
};

} // namespace crosswalk
