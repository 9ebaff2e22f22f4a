// Converts a model of any format with other shapes, types and names of its inputs: the shapes of an ONNX model are
// patched, and the result must be a valid model.

#include "core/base/temporary_folder.h"
#include "core/formats/read_model.h"
#include "tests/fuzz/model_input.h"

#include <array>
#include <fmt/format.h>

using namespace crosswalk;

namespace {

Dim chosenDim(const Dim& before, fuzz::Choices& choices)
{
    const std::array<Dim, 9> dims = {before, Dim("N"), Dim("M"), Dim(1),        Dim(2),
                                     Dim(3), Dim(7),   Dim(0),   Dim(1U << 20U)};
    return dims[choices.below(dims.size())];
}

Shape chosenShape(const std::optional<Shape>& before, fuzz::Choices& choices)
{
    Shape shape = before ? *before : Shape(choices.below(5));
    for (Dim& dim : shape) {
        dim = chosenDim(dim, choices);
    }
    return shape;
}

ConvertOptions chosenOptions(const Graph& graph, fuzz::Choices& choices)
{
    ConvertOptions options;
    options.optimize = choices.flip();
    const bool isPerSample = choices.flip();
    for (const ValueId id : graph.inputs) {
        const Value& input = graph.value(id);
        if (choices.flip()) {
            options.shapes[input.name] = chosenShape(TensorType(input.type).shape, choices);
        }
        if (choices.below(4) == 1) {
            options.types[input.name] = static_cast<ElementType>(choices.below(29));
        }
        if (choices.below(4) == 1) {
            options.renames[input.name] = fmt::format("renamed{}", options.renames.size());
        }
    }
    if (isPerSample) {
        options.scanOverBatch = "N";
    }
    return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return fuzz::withModel(data, size, [](const Model& model, fuzz::Choices choices) {
        const ConvertOptions options = chosenOptions(*model.loaded().graph, choices);
        fuzz::expectNoDefect(inspect(model, options));
        const Result<OnnxExport> exported = convert(model, options);
        if (fuzz::expectNoDefect(exported)) {
            const TemporaryFolder folder;
            fuzz::expectNoDefect(write(exported.value(), folder.path() / "model.onnx"));
        }
    });
}
