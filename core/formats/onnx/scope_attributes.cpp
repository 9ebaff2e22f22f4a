// Attributes of ONNX nodes.

#include "core/base/diagnostic.h"
#include "core/formats/onnx/scope_reader.h"
#include "core/onnx/tensor_record.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

using Proto = ::onnx::AttributeProto;

/// Files of IR version 1 do not contain the attribute type.
Proto::AttributeType typeOf(const Proto& proto)
{
    if (proto.type() != Proto::UNDEFINED) {
        return proto.type();
    }
    return proto.has_f()              ? Proto::FLOAT
           : proto.has_i()            ? Proto::INT
           : proto.has_s()            ? Proto::STRING
           : proto.has_t()            ? Proto::TENSOR
           : proto.has_g()            ? Proto::GRAPH
           : proto.floats_size() > 0  ? Proto::FLOATS
           : proto.strings_size() > 0 ? Proto::STRINGS
           : proto.graphs_size() > 0  ? Proto::GRAPHS
                                      : Proto::INTS;
}

} // namespace

AttributeValue ScopeReader::attributeOf(int node, const Proto& proto)
{
    if (proto.ref_attr_name().empty()) {
        return valueOf(node, proto);
    }
    AttributeList list{proto.ref_attr_name()};
    if (proto.type() != Proto::UNDEFINED) {
        list.push_back(valueOf(node, proto));
    }
    return list;
}

AttributeValue ScopeReader::valueOf(int node, const Proto& proto)
{
    switch (typeOf(proto)) {
    case Proto::FLOAT:
        return static_cast<double>(proto.f());
    case Proto::INT:
        return static_cast<std::int64_t>(proto.i());
    case Proto::STRING:
        return proto.s();
    case Proto::FLOATS:
        return std::vector<double>(proto.floats().begin(), proto.floats().end());
    case Proto::INTS:
        return Ints(proto.ints().begin(), proto.ints().end());
    case Proto::STRINGS:
        return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
    case Proto::TENSOR:
        return m_graph.addTensor(tensorAt(node, proto.name(), proto.t()));
    case Proto::GRAPH:
        return bodyOf(proto.g());
    case Proto::GRAPHS: {
        std::vector<SubgraphId> bodies;
        for (const auto& body : proto.graphs()) {
            bodies.push_back(bodyOf(body));
        }
        return bodies;
    }
    case Proto::TYPE_PROTO:
        return valueTypeOf(proto.tp());
    case Proto::TYPE_PROTOS: {
        AttributeList types;
        for (const auto& type : proto.type_protos()) {
            types.emplace_back(valueTypeOf(type));
        }
        return types;
    }
    case Proto::TENSORS: {
        std::vector<TensorId> tensors;
        for (const auto& tensor : proto.tensors()) {
            tensors.push_back(m_graph.addTensor(tensorAt(node, proto.name(), tensor)));
        }
        return tensors;
    }
    case Proto::SPARSE_TENSOR:
    case Proto::SPARSE_TENSORS:
    case Proto::UNDEFINED:
        break;
    }
    return std::string("sparse tensor");
}

Tensor ScopeReader::tensorAt(int node, const std::string& attribute, const ::onnx::TensorProto& proto) const
{
    try {
        return tensorOf(m_source.owner(), proto);
    } catch (ModelError& problem) {
        problem.diagnostic.node = label(node);
        problem.diagnostic.op = m_source.node(node).op_type();
        problem.diagnostic.attribute = attribute;
        throw;
    }
}

SubgraphId ScopeReader::bodyOf(const ::onnx::GraphProto& body)
{
    ProtoScope source(m_source.owner(), body, nullptr);
    return m_graph.addSubgraph(std::make_shared<const Graph>(ScopeReader(source, this, m_orders).read()));
}

} // namespace crosswalk
