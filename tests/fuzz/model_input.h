#pragma once

#include "crosswalk/crosswalk.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/no_defect.h"

#include <span>

namespace crosswalk::fuzz {

/// The bytes of an input that choose options. They are read again from the first one after the last.
class Choices {
public:
    explicit Choices(std::span<const std::uint8_t> bytes)
        : m_bytes(bytes)
    {
    }
    std::uint8_t byte() { return m_bytes[m_next++ % m_bytes.size()]; }
    bool flip() { return (byte() & 1U) != 0; }
    std::uint32_t below(std::size_t limit) { return byte() % static_cast<std::uint32_t>(limit); }

private:
    std::span<const std::uint8_t> m_bytes;
    std::size_t m_next = 0;
};

/// An input consists of this many bytes for choices and a file. make_seeds.py writes such inputs.
constexpr std::size_t choiceBytes = 16;

/// Opens the file as a model of any format and hands it to `use` with the choices.
template <typename Use>
int withModel(const std::uint8_t* data, std::size_t size, Use&& use)
{
    if (size < choiceBytes) {
        return 0;
    }
    const MemoryFile file(data + choiceBytes, size - choiceBytes);
    const Result<Model> model = open(file.path());
    if (expectNoDefect(model)) {
        use(model.value(), Choices({data, choiceBytes}));
    }
    return 0;
}

} // namespace crosswalk::fuzz
