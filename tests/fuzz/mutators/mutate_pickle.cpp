#include "tests/fuzz/mutators/mutators.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace crosswalk::fuzz {

namespace {

/// How the operand of an opcode is stored; opcodes are those of Python's pickletools.
enum class Operand : std::uint8_t { None, Number, Text, Lines, Unknown };

struct Form {
    Operand operand = Operand::None;
    std::size_t width = 0; ///< bytes of a number, of the length before a text; lines
};

Form formOf(unsigned char opcode)
{
    constexpr std::string_view plain = "().NRQabdelotsu012]}\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x92\x93\x94";
    if (plain.find(static_cast<char>(opcode)) != std::string_view::npos) {
        return {};
    }
    switch (opcode) {
    case 'K':
    case 'q':
    case 'h':
    case 0x80:
        return {Operand::Number, 1};
    case 'M':
        return {Operand::Number, 2};
    case 'J':
    case 'r':
    case 'j':
        return {Operand::Number, 4};
    case 'G':
    case 0x95:
        return {Operand::Number, 8};
    case 'U':
    case 'C':
    case 0x8a:
    case 0x8c:
        return {Operand::Text, 1};
    case 'T':
    case 'X':
    case 'B':
    case 0x8b:
        return {Operand::Text, 4};
    case 0x8d:
    case 0x8e:
    case 0x96:
        return {Operand::Text, 8};
    case 'c':
        return {Operand::Lines, 2};
    default:
        return {Operand::Unknown};
    }
}

struct Instruction {
    char opcode = '.';
    Form form = {};
    std::string operand = {}; ///< without the length before a text
};

using Program = std::vector<Instruction>;

std::size_t lengthAt(std::string_view bytes, std::size_t width)
{
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), width); // little-endian, as the machines that tests run on
    return length;
}

/// Nothing if the bytes are not one or more whole pickles.
std::optional<Program> parsePickles(std::string_view bytes)
{
    Program program;
    while (!bytes.empty()) {
        const Form form = formOf(static_cast<unsigned char>(bytes[0]));
        const char opcode = bytes[0];
        bytes.remove_prefix(1);
        std::size_t length = 0;
        if (form.operand == Operand::Unknown) {
            return std::nullopt;
        }
        if (form.operand == Operand::Number) {
            length = form.width;
        } else if (form.operand == Operand::Text) {
            if (bytes.size() < form.width) {
                return std::nullopt;
            }
            length = lengthAt(bytes, form.width);
            bytes.remove_prefix(form.width);
        } else if (form.operand == Operand::Lines) {
            for (std::size_t line = 0; line < form.width; ++line) {
                const std::size_t end = bytes.find('\n', length);
                if (end == std::string_view::npos) {
                    return std::nullopt;
                }
                length = end + 1;
            }
        }
        if (length > bytes.size()) {
            return std::nullopt;
        }
        program.push_back({opcode, form, std::string(bytes.substr(0, length))});
        bytes.remove_prefix(length);
    }
    return !program.empty() && program.back().opcode == '.' ? std::optional(std::move(program)) : std::nullopt;
}

std::string writePickles(const Program& program)
{
    std::string out;
    for (const Instruction& instruction : program) {
        out += instruction.opcode;
        if (instruction.form.operand == Operand::Text) {
            const std::uint64_t length = instruction.operand.size();
            out.append(reinterpret_cast<const char*>(&length), instruction.form.width);
        }
        out += instruction.operand;
    }
    return out;
}

void changeOperand(Instruction& instruction, const Program& program, Draw& draw)
{
    if (instruction.form.operand == Operand::Number) {
        const std::int64_t number = draw.integer();
        const double real = draw.real();
        const void* bytes = instruction.opcode == 'G' ? static_cast<const void*>(&real) : &number;
        std::memcpy(instruction.operand.data(), bytes, instruction.form.width);
        return;
    }
    const Instruction& other = draw.from(program);
    if (other.form.operand == instruction.form.operand && draw.chance(0.7)) {
        instruction.operand = other.operand; // the name of another class, attribute or storage
    } else if (instruction.form.operand == Operand::Text) {
        constexpr std::size_t longest = 255; // whose length has one byte
        instruction.operand = mutatedBytes(instruction.operand).substr(0, longest);
    }
}

void mutateProgram(Program& program, Draw& draw)
{
    const auto at = program.begin() + static_cast<std::ptrdiff_t>(draw.below(program.size()));
    switch (draw.below(8)) {
    case 0:
        program.erase(at);
        return;
    case 1:
        program.insert(at, Instruction(draw.from(program)));
        return;
    case 2:
        *at = Instruction(draw.from(program));
        return;
    case 3:
        std::iter_swap(at, program.begin() + static_cast<std::ptrdiff_t>(draw.below(program.size())));
        return;
    default:
        // Most instructions have no operand.
        for (auto next = at; next != program.end(); ++next) {
            if (next->form.operand != Operand::None) {
                changeOperand(*next, program, draw);
                return;
            }
        }
    }
}

} // namespace

std::optional<std::string> mutatedPickle(std::string_view bytes, Draw& draw)
{
    if (!bytes.starts_with('\x80')) {
        return std::nullopt;
    }
    auto program = parsePickles(bytes);
    if (!program) {
        return std::nullopt;
    }
    for (std::size_t count = 1 + draw.below(3); count > 0 && !program->empty(); --count) {
        mutateProgram(*program, draw);
    }
    return writePickles(*program);
}

} // namespace crosswalk::fuzz
