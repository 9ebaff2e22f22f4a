#include "core/formats/onnx/reader.h"

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/formats/onnx/scope_reader.h"
#include "core/onnx/load.h"

#include <algorithm>

namespace crosswalk {

Graph graphOf(const OnnxModel& model)
{
    const auto& proto = *model.proto;
    Graph graph = ScopeReader(model.proto, proto.graph(), nullptr).read(&model.weights);
    graph.producer = proto.producer_name();
    graph.version = proto.producer_version();
    graph.irVersion = proto.ir_version();
    for (const auto& opset : proto.opset_import()) {
        graph.opsets[opset.domain() == "ai.onnx" ? std::string() : opset.domain()] = opset.version();
    }
    for (const auto& entry : proto.metadata_props()) {
        graph.metadata[entry.key()] = entry.value();
    }
    return graph;
}

Match matchOnnx(const Probe& probe)
{
    constexpr std::size_t sniffed = 4096;
    if (looksLikeOnnx(probe.bytes.first(std::min(probe.bytes.size(), sniffed)))) {
        return Match::ByContent;
    }
    return probe.fileName.ends_with(".onnx") && !probe.bytes.empty() ? Match::ByName : Match::No;
}

LoadedModel readOnnx(const ReadRequest& request, const std::shared_ptr<const MappedFile>& file)
{
    LoadedModel loaded;
    loaded.path = request.model;
    loaded.graph = std::make_shared<const Graph>(graphOf(loadOnnx(file)));
    if (!request.weights.empty()) {
        loaded.problems.push_back(
            {.severity = Severity::Warning,
             .code = "unused-weights",
             .message = "an ONNX file names its weights itself: " + request.weights.string() + " is not read"});
    }
    return loaded;
}

} // namespace crosswalk
