#include "core/verify/equivalence.h"
#include "core/api/without_exceptions.h"
#include "core/formats/onnx_graph.h"
#include "core/formats/read_model.h"
#include "core/onnx/onnx_model.h"
#include "crosswalk/crosswalk.h"

namespace crosswalk {

Result<EquivalenceReport> verifyEquivalence(const Model& edited, const Model& original,
                                            const EquivalenceOptions& options)
{
    return withoutExceptions<EquivalenceReport>([&]() -> Result<EquivalenceReport> {
        for (const Model* model : {&edited, &original}) {
            expectOnnx(model->loaded());
        }
        const Graph& graph = *original.loaded().graph;
        const OnnxModel before = modelOf(graph);
        const OnnxModel after = modelOf(*edited.loaded().graph);
        const auto names = renamedPorts(before, after);
        const BatchFacts facts{limitOf(graph, after, names), timeAxes(graph)};
        return verifyEquivalence(before, after, names, facts, options.tolerance, options.stop, options.shapes,
                                 {.time = options.timeLimit}, options.scalesTolerance);
    });
}

} // namespace crosswalk
