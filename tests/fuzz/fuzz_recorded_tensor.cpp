#include "core/verify/tensors_pb.h"
#include "tests/fuzz/memory_file.h"

/// Reads arbitrary bytes as a recorded tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::fuzz::MemoryFile file(data, size);
    try {
        crosswalk::readTensorFile(file.path()).tensor.toBytes();
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for a damaged file
    }
    return 0;
}
