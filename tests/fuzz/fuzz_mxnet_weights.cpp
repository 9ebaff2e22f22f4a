// Loads arbitrary bytes as the weights of a small MXNet model.

#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/use_model.h"

#include <string_view>

namespace {

constexpr std::string_view symbol = R"({"nodes": [
    {"op": "null", "name": "x", "inputs": []},
    {"op": "null", "name": "dense", "inputs": []}, {"op": "null", "name": "bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "2"}, "inputs": [[0, 0], [1, 0], [2, 0]]},
    {"op": "null", "name": "gamma", "inputs": []}, {"op": "null", "name": "beta", "inputs": []},
    {"op": "null", "name": "mean", "inputs": []}, {"op": "null", "name": "csr", "inputs": []},
    {"op": "BatchNorm", "name": "bn", "inputs": [[3, 0], [4, 0], [5, 0], [6, 0], [7, 0]]}],
    "heads": [[8, 0]], "attrs": {"mxnet_version": ["int", 10901]}})";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::fuzz::MemoryFile model(reinterpret_cast<const std::uint8_t*>(symbol.data()), symbol.size());
    const crosswalk::fuzz::MemoryFile weights(data, size);
    crosswalk::ReadRequest request;
    request.model = model.path();
    request.weights = weights.path();
    crosswalk::fuzz::useModel(crosswalk::readModel(request));
    return 0;
}
