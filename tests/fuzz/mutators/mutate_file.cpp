#include "tests/fuzz/mutators/mutators.h"

#include <algorithm>
#include <array>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit); // of libFuzzer

namespace crosswalk::fuzz {

std::string mutatedBytes(std::string_view bytes, std::size_t limit)
{
    std::string out(bytes.substr(0, limit));
    const std::size_t size = out.size();
    out.resize(limit);
    out.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(out.data()), size, limit));
    return out;
}

std::string mutatedBytes(std::string_view bytes)
{
    constexpr std::size_t growth = 64;
    return mutatedBytes(bytes, bytes.size() + growth);
}

std::string mutatedFile(std::string_view bytes, Draw& draw)
{
    // Messages last: the bytes of the others can also parse as one.
    for (const auto mutated : {mutatedJson, mutatedArchive, mutatedPickle, mutatedScript, mutatedMessage}) {
        if (auto file = mutated(bytes, draw)) {
            return *std::move(file);
        }
    }
    return mutatedBytes(bytes);
}

std::size_t mutateInput(std::uint8_t* data, std::size_t size, std::size_t limit, std::uint32_t seed, std::size_t prefix)
{
    Draw draw(seed);
    // A part of the inputs is mutated by byte, for the parsers themselves, and for what comes before the file.
    if (size > prefix && draw.chance(0.75)) {
        const std::string_view file(reinterpret_cast<const char*>(data) + prefix, size - prefix);
        const std::string mutated = mutatedFile(file, draw);
        if (mutated.size() <= limit - prefix) {
            std::ranges::copy(mutated, data + prefix);
            return prefix + mutated.size();
        }
    }
    return LLVMFuzzerMutate(data, size, limit);
}

} // namespace crosswalk::fuzz
