#pragma once

#include "core/verify/runtime.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"

#include <QByteArrayList>

namespace crosswalk::test {

/// The outputs of a model, run in ONNX Runtime after a check. Throws ModelError if one of them rejects it.
inline std::vector<NamedTensor> runOnnx(const OnnxModel& model, const TemporaryFolder& folder,
                                        const std::vector<NamedTensor>& inputs)
{
    checkModel(model);
    const auto path = folder.path() / "run.onnx";
    writeOnnx(model, path);
    const auto outputs = runModel(path, inputs);
    if (!outputs) {
        throw ModelError(outputs.problem());
    }
    return outputs.value();
}

/// The operators of the nodes of a graph, separated by spaces.
inline QByteArray operators(const OnnxModel& model)
{
    QByteArrayList list;
    for (const auto& node : model.proto->graph().node()) {
        list << QByteArray::fromStdString(node.op_type());
    }
    return list.join(' ');
}

/// A float32 tensor of unordered values between -3 and 3.25.
inline Tensor variedTensor(const std::vector<std::int64_t>& dims)
{
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>((i * 37) % 101) / 16.0F - 3.0F);
    }
    return Tensor::of<float>(ElementType::Float32, dims, values);
}

} // namespace crosswalk::test
