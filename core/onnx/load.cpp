#include "core/onnx/load.h"

#include "core/onnx/file_parts.h"
#include "core/onnx/negative_dims.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"

namespace crosswalk {

OnnxModel loadOnnx(const std::filesystem::path& path)
{
    return loadOnnx(*ModelSource::at(path));
}

OnnxModel loadOnnx(const ModelSource& source)
{
    FileIndex index(source);
    FileParts parts(source, index);
    OnnxModel model{.proto = index.takeFrame(), .weights = {}};
    auto& graph = *model.proto->mutable_graph();
    for (const auto& part : index.nodes()) {
        parts.readNode(part, *graph.add_node());
    }
    addWeights(parts, model);
    for (const auto& part : index.types()) {
        parts.readType(part, *graph.add_value_info());
    }
    forgetNegativeDims(*model.proto);
    return model;
}

void addWeights(FileParts& parts, OnnxModel& model)
{
    model.weights.reserve(parts.index().initializers().size());
    for (const auto& part : parts.index().initializers()) {
        auto& stub = *model.proto->mutable_graph()->add_initializer();
        addSmallContent(model.weights.emplace_back(parts.readInitializer(part, stub)), stub);
    }
}

} // namespace crosswalk
