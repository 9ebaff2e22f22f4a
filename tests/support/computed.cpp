#include "tests/support/computed.h"

#include "core/base/temporary_folder.h"
#include "core/onnx/check.h"
#include "core/onnx/writer.h"
#include "core/verify/runtime.h"

namespace crosswalk::test {

std::vector<Tensor> computed(const Graph& graph, std::span<const Tensor> inputs, const ConvertOptions& options)
{
    const Conversion conversion = convert(graph, options).value();
    for (const Diagnostic& problem : conversion.problems) {
        if (problem.severity == Severity::Error) {
            throw ModelError(problem);
        }
    }
    checkModel(conversion.model.whole());
    const TemporaryFolder folder;
    const auto path = folder.path() / "model.onnx";
    writeOnnx(conversion.model, path);
    std::vector<NamedTensor> named;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        named.push_back({graph.value(graph.inputs.at(i)).name, inputs[i]});
    }
    const auto outputs = runModel(path, named);
    if (!outputs) {
        throw ModelError(outputs.problem());
    }
    std::vector<Tensor> tensors;
    for (const NamedTensor& output : outputs.value()) {
        tensors.push_back(output.tensor);
    }
    return tensors;
}

Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values);
}

} // namespace crosswalk::test
