// The mutator of targets whose inputs are choices and a file.

#include "tests/fuzz/model_input.h"
#include "tests/fuzz/mutators/mutators.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t limit,
                                               std::uint32_t seed)
{
    return crosswalk::fuzz::mutateInput(data, size, limit, seed, crosswalk::fuzz::choiceBytes);
}
