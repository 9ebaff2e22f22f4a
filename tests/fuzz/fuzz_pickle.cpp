// Reads arbitrary bytes as a pickle, and looks for tensors in it.

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/pickle.h"
#include "core/formats/pytorch/saved_tensors.h"
#include "core/formats/pytorch/torchscript/source_ranges.h"

#include <cstdint>

using namespace crosswalk;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const pytorch::Pickle pickle = pytorch::readPickle(std::as_bytes(std::span(data, size)), "fuzz");
        for (const auto& object : pickle.objects) {
            pytorch::tensorTypeIn(object);
            pytorch::tensorKey(object);
            pytorch::storageIn(object);
        }
        const pytorch::SourceRanges ranges(pickle, "def f(x):\n  return x\n");
        ranges.at({.line = 2, .column = 3});
    } catch (const ModelError&) {
        return 0; // an error is the expected result for a damaged file
    }
    return 0;
}
