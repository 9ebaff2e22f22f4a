#pragma once

#include "core/base/model_source.h"
#include "core/onnx/external_data.h"
#include "core/onnx/tensor_record.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace crosswalk {

/// Index of an ONNX file: locates the graph's nodes, initializers and value types without parsing them. Each can be
/// parsed on demand, so a large graph is never in memory as protos. All functions throw ModelError "damaged",
/// "truncated", "unreadable" or "cancelled".
class FileParts {
public:
    /// Range of a message in the file.
    struct Part {
        std::size_t begin;
        std::size_t end;
    };

    /// The source must outlive this.
    explicit FileParts(const ModelSource& source);

    const ModelSource& source() const { return m_source; }

    const ::onnx::ModelProto& frame() const { return *m_frame; } ///< everything else
    std::shared_ptr<::onnx::ModelProto> takeFrame() { return std::move(m_frame); }
    std::span<const Part> nodes() const { return m_nodes; }
    std::span<const Part> initializers() const { return m_initializers; }
    std::span<const Part> types() const { return m_types; }

    // The read functions merge into the given message, which must be empty.
    void readNode(const Part& part, ::onnx::NodeProto& node);
    /// The stub has everything except the elements and the external data entries.
    Tensor readInitializer(const Part& part, ::onnx::TensorProto& stub);
    void readType(const Part& part, ::onnx::ValueInfoProto& info);

private:
    void readGraph(std::size_t begin, std::size_t end);
    void check() const;
    Tensor content(const TensorRecord& record);
    void release(const Part& read);

    const ModelSource& m_source;
    std::span<const std::byte> m_bytes;
    ExternalData m_external;
    std::shared_ptr<::onnx::ModelProto> m_frame;
    std::vector<Part> m_nodes;
    std::vector<Part> m_initializers;
    std::vector<Part> m_types;
    std::size_t m_resident = 0; ///< where the pages begin that were read and not yet released
};

} // namespace crosswalk
