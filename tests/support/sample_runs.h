#pragma once

#include "core/base/diagnostic.h"
#include "core/verify/runtime.h"

#include <filesystem>
#include <string>
#include <vector>

namespace crosswalk::test {

/// Pseudorandom elements between -1 and 1, which depend on the seed.
inline Tensor numbers(std::vector<std::int64_t> dims, int seed)
{
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>((i * 37 + seed * 11) % 101) / 50.0F - 1.0F);
    }
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values);
}

/// Runs a model with one input. Throws ModelError if the runtime rejects it.
inline std::vector<NamedTensor> run(const std::filesystem::path& model, const std::string& input, const Tensor& tensor)
{
    const std::vector<NamedTensor> inputs{{input, tensor}};
    const auto outputs = runModel(model, inputs);
    if (!outputs) {
        throw ModelError(outputs.problem());
    }
    return outputs.value();
}

} // namespace crosswalk::test
