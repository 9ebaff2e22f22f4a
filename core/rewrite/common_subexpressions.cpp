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

/// A key that is equal for weights with equal content; empty for large ones at different places and for strings.
std::string contentKey(const Tensor& tensor)
{
    constexpr std::uint64_t small = 4096; // bytes
    if (tensor.type() == ElementType::String || tensor.elements() == 0) {
        return {};
    }
    std::string key = std::to_string(static_cast<int>(tensor.type()));
    for (const std::int64_t dim : tensor.dims()) {
        key += "," + std::to_string(dim);
    }
    if (tensor.bytes() <= small) {
        const auto bytes = tensor.toBytes();
        return key + ":" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    if (tensor.pieces().size() != 1) {
        return {};
    }
    const Tensor::Piece& piece = tensor.pieces().front();
    return key + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(piece.source.get())) + "+" +
           std::to_string(piece.offset);
}

/// Makes the nodes read one of equal weights.
class WeightMerging {
public:
    explicit WeightMerging(const GraphEdit& edit)
        : m_edit(edit)
    {
    }

    void redirect(NodeProto& node)
    {
        for (std::string& input : *node.mutable_input()) {
            const auto [entry, isNew] = m_equal.try_emplace(input, input);
            if (isNew) {
                entry->second = firstOf(input);
            }
            input = entry->second;
        }
    }

private:
    std::string firstOf(const std::string& name)
    {
        const Tensor* stored = name.empty() ? nullptr : m_edit.stored(name);
        const std::string key = stored != nullptr ? contentKey(*stored) : std::string();
        return key.empty() ? name : m_first.try_emplace(key, name).first->second;
    }

    const GraphEdit& m_edit;
    std::unordered_map<std::string, std::string> m_equal; ///< by name
    std::unordered_map<std::string, std::string> m_first; ///< by content
};

} // namespace

void eliminateCommonSubexpressions(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    auto& graph = edit.graph();
    WeightMerging weights(edit);
    std::unordered_map<std::string, int> first;
    for (int i = 0; i < graph.node_size(); ++i) {
        NodeProto& node = *graph.mutable_node(i);
        edit.update(node);
        weights.redirect(node);
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
