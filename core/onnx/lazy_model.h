#pragma once

#include "core/onnx/onnx_model.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace onnx {
class NodeProto;
class ValueInfoProto;
} // namespace onnx

namespace crosswalk {

/// The parts of an ONNX model that take memory, read from its file each time. All functions throw ModelError if they
/// cannot be read. Threads may call them at the same time.
class ModelParts {
public:
    ModelParts() = default;
    ModelParts(const ModelParts&) = delete;
    ModelParts& operator=(const ModelParts&) = delete;
    virtual ~ModelParts() = default;

    /// Calls `use` for each node in order. It may move from the node.
    virtual void forEachNode(const std::function<void(::onnx::NodeProto&)>& use) const = 0;
    /// The same for each declared type of an intermediate value.
    virtual void forEachType(const std::function<void(::onnx::ValueInfoProto&)>& use) const = 0;
    /// Adds the initializers to a model that has none.
    virtual void addWeights(OnnxModel& model) const = 0;
    virtual const std::filesystem::path& file() const = 0;
};

/// An ONNX model that is in memory, or in a file until it is needed as a whole. Copies share the model.
class LazyModel {
public:
    LazyModel() = default;
    LazyModel(OnnxModel model); // NOLINT(google-explicit-constructor): every model is one
    /// `frame`: everything except what `parts` reads.
    LazyModel(std::shared_ptr<::onnx::ModelProto> frame, std::shared_ptr<const ModelParts> parts);

    /// What is read from the file; null if the model is in memory.
    const ModelParts* parts() const { return m_parts.get(); }
    /// The model without what parts() reads.
    const ::onnx::ModelProto& frame() const { return *m_model.proto; }
    ::onnx::ModelProto& frame() { return *m_model.proto; }

    /// The frame with the weights, if the model has parts. Throws as ModelParts do.
    OnnxModel frameWithWeights() const;
    /// Sum of the sizes of the weights, at most 2^64 - 1.
    std::uint64_t weightBytes() const;
    /// The first call reads the file; threads may call it at the same time. Throws as ModelParts do.
    const OnnxModel& whole() const;
    /// To be changed: it no longer depends on the file.
    OnnxModel& whole();

private:
    struct Read;

    OnnxModel m_model;
    std::shared_ptr<const ModelParts> m_parts;
    std::shared_ptr<Read> m_read; ///< the whole model, once it is needed
};

} // namespace crosswalk
