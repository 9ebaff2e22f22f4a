// Opens every member of an archive with arbitrary bytes.

#include "core/base/diagnostic.h"
#include "core/base/model_source.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const crosswalk::fuzz::MemoryFile file(data, size);
    const auto source = crosswalk::ModelSource::at(file.path());
    if (source->kind() != crosswalk::ModelSource::Kind::Archive) {
        return 0;
    }
    try {
        for (const std::string& name : source->list()) {
            source->contains(name);
            source->open(name);
        }
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for a damaged archive
    }
    return 0;
}
