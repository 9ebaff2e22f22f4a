// Loads arbitrary bytes as a model of any format.

#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/use_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::fuzz::MemoryFile file(data, size);
    crosswalk::ReadRequest request;
    request.model = file.path();
    crosswalk::fuzz::useModel(crosswalk::readModel(request));
    return 0;
}
