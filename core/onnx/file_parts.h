#pragma once

#include "core/base/model_source.h"
#include "core/onnx/external_data.h"
#include "core/onnx/tensor_record.h"

#include <memory>
#include <span>
#include <vector>

namespace crosswalk {

/// An ONNX file taken apart: of what is many in it (the graph's nodes, stored tensors and types of values) only the
/// places are found, so that each can be read when it is wanted, and a large graph never stands in memory as protos.
/// Everything throws ModelError "damaged", "truncated", "unreadable" or "cancelled".
class FileParts {
public:
    /// Place of a message in the file.
    struct Part {
        std::size_t begin;
        std::size_t end;
    };

    /// The source must outlive this.
    explicit FileParts(const ModelSource& source);

    const ModelSource& source() const { return m_source; }

    const ::onnx::ModelProto& frame() const { return *m_frame; } ///< all the rest
    std::shared_ptr<::onnx::ModelProto> takeFrame() { return std::move(m_frame); }
    std::span<const Part> nodes() const { return m_nodes; }
    std::span<const Part> initializers() const { return m_initializers; }
    std::span<const Part> types() const { return m_types; }

    // What is read is added to the message given, which is empty to begin with.
    void readNode(const Part& part, ::onnx::NodeProto& node);
    /// The stub has everything but the elements, and says nothing of other files.
    Tensor readInitializer(const Part& part, ::onnx::TensorProto& stub);
    void readType(const Part& part, ::onnx::ValueInfoProto& info);

private:
    void readGraph(std::size_t begin, std::size_t end);
    void check() const;
    Tensor content(const TensorRecord& record);

    const ModelSource& m_source;
    std::span<const std::byte> m_bytes;
    ExternalData m_external;
    std::shared_ptr<::onnx::ModelProto> m_frame;
    std::vector<Part> m_nodes;
    std::vector<Part> m_initializers;
    std::vector<Part> m_types;
};

} // namespace crosswalk
