// Reads arbitrary bytes as a TensorProto of TensorFlow.

#include "core/base/diagnostic.h"
#include "core/base/source_file.h"
#include "core/formats/tensorflow/tensor_proto.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::int64_t readable = 1 << 20;
    const crosswalk::fuzz::MemoryFile file(data, size);
    try {
        const auto source = crosswalk::SourceFile::open(file.path());
        const crosswalk::Tensor tensor = crosswalk::tensorflow::readTensor(source, {.begin = 0, .end = size});
        if (tensor.elements() <= readable) {
            tensor.stream([](std::span<const std::byte>) { return true; });
        }
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for a damaged tensor
    }
    return 0;
}
