#include "core/verify/equivalence.h"
#include "core/api/without_exceptions.h"
#include "core/formats/read_model.h"
#include "core/onnx/load.h"
#include "crosswalk/crosswalk.h"

namespace crosswalk {

Result<EquivalenceReport> verifyEquivalence(const Model& edited, const Model& original,
                                            const EquivalenceOptions& options)
{
    return withoutExceptions<EquivalenceReport>([&]() -> Result<EquivalenceReport> {
        for (const Model* model : {&edited, &original}) {
            expectOnnx(model->path());
        }
        const OnnxModel before = loadOnnx(original.path());
        const OnnxModel after = loadOnnx(edited.path());
        const auto names = renamedPorts(before, after);
        const Graph& graph = *original.loaded().graph;
        const BatchFacts facts{limitOf(graph, after, names), timeAxes(graph)};
        return verifyEquivalence(before, after, names, facts, options.tolerance, options.stop, options.shapes,
                                 {.time = options.timeLimit}, options.scalesTolerance);
    });
}

} // namespace crosswalk
