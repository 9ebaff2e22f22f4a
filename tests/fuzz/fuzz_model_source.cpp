// Any bytes as an archive: every member is opened.

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
        return 0; // refused with a reason: that is all that is asked of a damaged archive
    }
    return 0;
}
