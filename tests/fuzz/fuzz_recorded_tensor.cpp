#include "core/verify/tensors_pb.h"
#include "tests/fuzz/memory_file.h"

/// Any bytes as a recorded tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::fuzz::MemoryFile file(data, size);
    try {
        crosswalk::readTensorFile(file.path()).tensor.toBytes();
    } catch (const crosswalk::ModelError&) {
        return 0; // said so: that is all that is asked of a damaged file
    }
    return 0;
}
