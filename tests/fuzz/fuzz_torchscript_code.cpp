// Parses arbitrary bytes as a code file of a TorchScript archive.

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/torchscript/script_parser.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        crosswalk::pytorch::parseScript({reinterpret_cast<const char*>(data), size}, "code/fuzz.py");
    } catch (const crosswalk::ModelError&) {
        return 0; // an error is the expected result for code that does not parse
    }
    return 0;
}
