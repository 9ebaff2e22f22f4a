// Infers an ONNX model and compares every type and error with onnx's InferShapes, and the types that are inferred
// without the whole model with those of its conversion.

#include "core/base/budget.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/check.h"
#include "core/onnx/function_expansion.h"
#include "core/onnx/load.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/no_defect.h"
#include "tests/support/conversion_reference.h"
#include "tests/support/inference_reference.h"

using namespace crosswalk;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const fuzz::MemoryFile file(data, size);
    try {
        const OnnxModel model = loadOnnx(file.path());
        Budget().expectExpansion(expandedNodes(*model.proto));
        if (checkerError(CompleteModel(model).proto())) {
            if (typesOfFile(graphOfFile(*ModelSource::at(file.path())), std::stop_token())) {
                fuzz::reportDefect("the checker rejects a model whose types are inferred");
            }
            return 0;
        }
        if (const std::string difference = test::differenceFromInferShapes(model); !difference.empty()) {
            fuzz::reportDefect(difference);
        }
        const Graph graph = graphOfFile(*ModelSource::at(file.path()));
        if (const std::string difference = test::differenceFromConversion(graph); !difference.empty()) {
            fuzz::reportDefect(difference);
        }
    } catch (const ModelError&) {
        return 0; // it cannot be read
    }
    return 0;
}
