#include "core/formats/onnx/kept_model.h"

#include "core/base/diagnostic.h"
#include "core/formats/onnx/carry_metadata.h"
#include "core/formats/onnx/file_types.h"
#include "core/formats/onnx/link_nodes.h"
#include "core/formats/onnx/original_file.h"
#include "core/onnx/file_parts.h"
#include "core/onnx/load.h"
#include "core/onnx/negative_dims.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/provenance.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace crosswalk {
namespace {

/// Each caller reads with its own FileParts, which are for one thread.
class PartsOfFile final : public ModelParts {
public:
    /// Each node gets its own name as its source if `isFirstExport`.
    PartsOfFile(const Graph& graph, const NodeNames& names, bool isFirstExport)
        : m_original(originalFileOf(graph))
        , m_isFirstExport(isFirstExport)
    {
        for (std::uint32_t i = 0; i < graph.nodeCount() && isFirstExport; ++i) {
            std::string written = names.of(NodeId{i});
            if (written != graph.node(NodeId{i}).name) {
                m_written.emplace(i, std::move(written));
            }
        }
    }

    void forEachNode(const std::function<void(::onnx::NodeProto&)>& use) const override
    {
        FileParts parts = partsOfFile();
        ::onnx::NodeProto node;
        for (std::uint32_t i = 0; i < m_original->index.nodes().size(); ++i) {
            node.Clear();
            parts.readNode(m_original->index.nodes()[i], node);
            forgetNegativeDims(node);
            if (m_isFirstExport) {
                const auto written = m_written.find(i);
                writeSources(node, {written != m_written.end() ? written->second : node.name()});
            }
            use(node);
        }
    }

    void forEachType(const std::function<void(::onnx::ValueInfoProto&)>& use) const override
    {
        FileParts parts = partsOfFile();
        ::onnx::GraphProto graph; // what forgetNegativeDims() changes
        auto& type = *graph.add_value_info();
        for (const auto& part : m_original->index.types()) {
            type.Clear();
            parts.readType(part, type);
            forgetNegativeDims(graph);
            use(type);
        }
    }

    void addWeights(OnnxModel& model) const override
    {
        FileParts parts = partsOfFile();
        crosswalk::addWeights(parts, model);
    }

    const std::filesystem::path& file() const override { return m_original->source->main()->path(); }

private:
    FileParts partsOfFile() const { return {*m_original->source, m_original->index}; }

    std::shared_ptr<const OriginalFile> m_original;
    bool m_isFirstExport;
    std::unordered_map<std::uint32_t, std::string> m_written; ///< names that differ from those in the file
};

} // namespace

Conversion keptConversion(const Graph& graph, std::vector<TensorType> types, const NodeNames& names)
{
    Conversion result;
    result.valueTypes = std::move(types);
    addStoredTypes(graph, result.valueTypes);
    result.valueNames.reserve(graph.valueCount());
    for (const Value& value : graph.values()) {
        result.valueNames.push_back(value.name);
    }
    linkUnchangedNodes(graph, result);
    result.keepsGraph = true;
    auto frame = std::make_shared<::onnx::ModelProto>(originalFileOf(graph)->index.frame());
    forgetNegativeDims(*frame);
    const bool isFirstExport = addProvenance(*frame, graph);
    result.opset = opsetOf(*frame);
    result.irVersion = frame->ir_version();
    result.model = LazyModel(std::move(frame), std::make_shared<const PartsOfFile>(graph, names, isFirstExport));
    return result;
}

} // namespace crosswalk
