#include "core/formats/onnx/scope_source.h"

#include "core/onnx/tensor_record.h"

#include <algorithm>

namespace crosswalk {

ProtoScope::ProtoScope(std::shared_ptr<const void> owner, const ::onnx::GraphProto& proto,
                       const std::vector<Tensor>* weights)
    : m_owner(std::move(owner))
    , m_proto(proto)
    , m_weights(weights)
{
}

ScopeSource::Stored ProtoScope::stored(int index)
{
    const auto& stub = m_proto.initializer(index);
    return {stub.name(),
            m_weights != nullptr ? (*m_weights)[static_cast<std::size_t>(index)] : tensorOf(m_owner, stub)};
}

void ProtoScope::forEachOutput(int node, const std::function<void(std::string)>& use)
{
    for (const std::string& name : m_proto.node(node).output()) {
        use(name);
    }
}

void ProtoScope::forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use)
{
    for (const auto& info : m_proto.value_info()) {
        use(info);
    }
}

void FileScope::advance()
{
    constexpr std::uint64_t step = 256;
    if (++m_read % step == 0) {
        const FileIndex& index = m_parts.index();
        const auto all = index.initializers().size() + 2 * index.nodes().size() + index.types().size();
        m_parts.source().progress(std::min(1.0, static_cast<double>(m_read) / static_cast<double>(all)));
    }
}

const ::onnx::NodeProto& FileScope::node(int index)
{
    constexpr std::size_t large = 1U << 16U; // a node that holds a tensor: its memory is not kept for the next one
    if (index != m_nodeIndex) {
        advance();
        m_nodeIndex = -1;
        if (m_nodeSize > large) {
            m_node = ::onnx::NodeProto();
        }
        m_node.Clear(); // what it has allocated serves the next node
        const auto& part = m_parts.index().nodes()[static_cast<std::size_t>(index)];
        m_nodeSize = part.end - part.begin;
        m_parts.readNode(part, m_node);
        m_nodeIndex = index;
    }
    return m_node;
}

void FileScope::forEachOutput(int node, const std::function<void(std::string)>& use)
{
    advance();
    m_parts.forEachOutput(m_parts.index().nodes()[static_cast<std::size_t>(node)], use);
}

ScopeSource::Stored FileScope::stored(int index)
{
    advance();
    if (m_stub.string_data().empty()) {
        m_stub.Clear();
    } else {
        m_stub = ::onnx::TensorProto(); // it holds the content of the tensor
    }
    Tensor tensor = m_parts.readInitializer(m_parts.index().initializers()[static_cast<std::size_t>(index)], m_stub);
    return {m_stub.name(), std::move(tensor)};
}

void FileScope::forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use)
{
    ::onnx::ValueInfoProto info;
    for (const auto& part : m_parts.index().types()) {
        advance();
        info.Clear();
        m_parts.readType(part, info);
        use(info);
    }
}

} // namespace crosswalk
