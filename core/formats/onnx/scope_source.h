#pragma once

#include "core/onnx/file_parts.h"
#include "core/onnx/onnx_model.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace crosswalk {

/// The input of a ScopeReader: a proto in memory, or the parts of a file, one at a time.
class ScopeSource {
public:
    struct Stored {
        std::string name;
        Tensor tensor;
    };

    ScopeSource() = default;
    ScopeSource(const ScopeSource&) = delete;
    ScopeSource& operator=(const ScopeSource&) = delete;
    virtual ~ScopeSource() = default;

    virtual const ::onnx::GraphProto& frame() const = 0;   ///< everything except the results of the functions below
    virtual std::shared_ptr<const void> owner() const = 0; ///< keeps nodes alive; null if they are not kept
    virtual int nodeCount() const = 0;
    virtual const ::onnx::NodeProto& node(int index) = 0; ///< valid until the next node is requested
    /// Calls `use` with the name of each output of a node.
    virtual void forEachOutput(int node, const std::function<void(std::string)>& use) = 0;
    virtual int storedCount() const = 0;
    virtual Stored stored(int index) = 0;
    virtual void forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use) = 0;
};

/// A proto in memory: a model created here, or the body of a node.
class ProtoScope final : public ScopeSource {
public:
    /// `owner` keeps the proto alive; null if it is not kept. `weights`: the contents of the initializers; null if the
    /// proto contains them.
    ProtoScope(std::shared_ptr<const void> owner, const ::onnx::GraphProto& proto, const std::vector<Tensor>* weights);

    const ::onnx::GraphProto& frame() const override { return m_proto; }
    std::shared_ptr<const void> owner() const override { return m_owner; }
    int nodeCount() const override { return m_proto.node_size(); }
    const ::onnx::NodeProto& node(int index) override { return m_proto.node(index); }
    void forEachOutput(int node, const std::function<void(std::string)>& use) override;
    int storedCount() const override { return m_proto.initializer_size(); }
    Stored stored(int index) override;
    void forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use) override;

private:
    std::shared_ptr<const void> m_owner;
    const ::onnx::GraphProto& m_proto;
    const std::vector<Tensor>* m_weights;
};

/// The graph of a file. Only one node is in memory at a time.
class FileScope final : public ScopeSource {
public:
    explicit FileScope(FileParts& parts)
        : m_parts(parts)
    {
    }

    const ::onnx::GraphProto& frame() const override { return m_parts.index().frame().graph(); }
    std::shared_ptr<const void> owner() const override { return nullptr; }
    int nodeCount() const override { return static_cast<int>(m_parts.index().nodes().size()); }
    const ::onnx::NodeProto& node(int index) override;
    void forEachOutput(int node, const std::function<void(std::string)>& use) override;
    int storedCount() const override { return static_cast<int>(m_parts.index().initializers().size()); }
    Stored stored(int index) override;
    void forEachType(const std::function<void(const ::onnx::ValueInfoProto&)>& use) override;

private:
    void advance();

    FileParts& m_parts;
    std::uint64_t m_read = 0;   ///< parts of the file so far; of a node, its outputs before the rest
    ::onnx::TensorProto m_stub; ///< of the last stored tensor
    ::onnx::NodeProto m_node;
    int m_nodeIndex = -1;
    std::size_t m_nodeSize = 0; ///< in the file
};

} // namespace crosswalk
