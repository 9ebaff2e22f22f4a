#include "core/formats/onnx/scope_source.h"

#include "core/onnx/tensor_record.h"

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

void ProtoScope::forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use)
{
    for (const auto& info : m_proto.value_info()) {
        use(info);
    }
}

const ::onnx::NodeProto& FileScope::node(int index)
{
    constexpr std::size_t large = 1U << 16U; // a node that holds a tensor: its memory is not kept for the next one
    if (index != m_nodeIndex) {
        m_nodeIndex = -1;
        if (m_nodeSize > large) {
            m_node = ::onnx::NodeProto();
        }
        m_node.Clear(); // what it has allocated serves the next node
        const auto& part = m_parts.nodes()[static_cast<std::size_t>(index)];
        m_nodeSize = part.end - part.begin;
        m_parts.readNode(part, m_node);
        m_nodeIndex = index;
    }
    return m_node;
}

ScopeSource::Stored FileScope::stored(int index)
{
    ::onnx::TensorProto stub;
    Tensor tensor = m_parts.readInitializer(m_parts.initializers()[static_cast<std::size_t>(index)], stub);
    return {std::move(*stub.mutable_name()), std::move(tensor)};
}

void FileScope::forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use)
{
    ::onnx::ValueInfoProto info;
    for (const auto& part : m_parts.types()) {
        info.Clear();
        m_parts.readType(part, info);
        use(info);
    }
}

} // namespace crosswalk
