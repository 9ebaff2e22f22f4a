#pragma once

#include "core/base/model_source.h"
#include "core/onnx/external_data.h"
#include "core/onnx/tensor_record.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {

/// Index of an ONNX file: locates the graph's nodes, initializers and value types without parsing them. It may be used
/// from several threads.
class FileIndex {
public:
    /// Range of a message in the file.
    struct Part {
        std::size_t begin;
        std::size_t end;
    };

    /// Throws ModelError "damaged", "truncated", "unreadable" or "cancelled".
    explicit FileIndex(const ModelSource& source);

    const ::onnx::ModelProto& frame() const { return *m_frame; } ///< everything else
    std::shared_ptr<::onnx::ModelProto> takeFrame() { return std::move(m_frame); }
    std::span<const Part> nodes() const { return m_nodes; }
    std::span<const Part> initializers() const { return m_initializers; }
    std::span<const Part> types() const { return m_types; }

private:
    void readGraph(const ModelSource& source, std::size_t begin, std::size_t end);
    void check() const;

    std::shared_ptr<::onnx::ModelProto> m_frame;
    std::vector<Part> m_nodes;
    std::vector<Part> m_initializers;
    std::vector<Part> m_types;
};

/// Parses the parts of an ONNX file on demand, so that a large graph is never in memory as protos. All functions throw
/// ModelError "damaged", "truncated", "unreadable" or "cancelled".
class FileParts {
public:
    using Part = FileIndex::Part;

    /// Both must outlive this.
    FileParts(const ModelSource& source, const FileIndex& index);

    const ModelSource& source() const { return m_source; }
    const FileIndex& index() const { return m_index; }

    /// Calls `use` with the name of each output of a node, which is not parsed for them.
    void forEachOutput(const Part& node, const std::function<void(std::string)>& use) const;

    // The read functions merge into the given message, which must be empty.
    void readNode(const Part& part, ::onnx::NodeProto& node);
    /// The stub has everything except the elements and the external data entries.
    Tensor readInitializer(const Part& part, ::onnx::TensorProto& stub);
    void readType(const Part& part, ::onnx::ValueInfoProto& info);

private:
    Tensor content(const TensorRecord& record);
    void release(const Part& read);

    const ModelSource& m_source;
    const FileIndex& m_index;
    std::span<const std::byte> m_bytes;
    ExternalData m_external;
    std::size_t m_resident = 0; ///< where the pages begin that were read and not yet released
};

} // namespace crosswalk
