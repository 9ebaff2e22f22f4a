#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace crosswalk {

/// How much a model may ask for: base amounts that no small file needs, and more in proportion to its size. A reader
/// makes it, counts with it, and leaves it in the graph (Graph::budget) for lowering, conversion and export. What
/// exceeds it throws a ModelError of one sentence: "large-file" where the file itself is read, "too-large" for what
/// becomes of it. `--allow-large` lifts the limits of all functions that are not static. The static ones, and the
/// constants that only other sources use, follow from memory, the stack or ONNX's file format, and stay. A copy counts
/// for itself.
class Budget {
public:
    static constexpr std::uint64_t readNodes = 1U << 18U;
    static constexpr std::uint64_t bytesPerReadNode = 64; ///< fewer than a node of a real file has
    static constexpr std::uint64_t impliedOutputs = 1U << 16U;
    static constexpr std::uint64_t bytesPerImpliedOutput = 16;
    static constexpr std::size_t nameLength = 1U << 16U;
    static constexpr std::uint64_t programSteps = 100'000; ///< statements and calls of a program that is executed
    static constexpr std::uint64_t expandedNodes = 1U << 18U;
    static constexpr std::uint64_t loweredNodes = 1U << 15U;   ///< copies of functions included
    static constexpr std::uint64_t loweredPerNode = 64;        ///< of the file
    static constexpr std::uint64_t emittedPerNode = 1U << 18U; ///< outputs of nodes, and constants, of a source node
    static constexpr std::uint64_t constantBytes = 1U << 30U;
    static constexpr std::uint64_t constantBytesPerByte = 8; ///< weights of one byte that are stored as float64
    static constexpr std::uint64_t pickleObjects = 1U << 20U;
    static constexpr std::uint64_t bytesPerPickleObject = 8;

    static constexpr std::size_t bodyDepth = 30;    ///< three levels of messages each, of the 100 that protobuf reads
    static constexpr int axes = 1024;               ///< of a value that ONNX infers, and sizes of a shape
    static constexpr std::uint32_t callDepth = 200; ///< of functions: calls are followed on the stack
    static constexpr std::size_t equationLength = 4096;
    static constexpr std::int64_t windowPlaces = 1 << 15; ///< of a kernel that becomes a node for each of its elements
    static constexpr std::uint64_t copiedBytes = 1U << 30U;    ///< of a tensor
    static constexpr std::uint64_t attributeBytes = 1U << 28U; ///< of tensors that are attributes, in an export
    static constexpr std::int64_t listedElements = 1 << 25; ///< of a tensor that is computed with as a list of numbers

    /// Of a file of so many bytes.
    explicit Budget(std::uint64_t fileBytes = 0, bool allowLarge = false);

    bool allowsLarge() const { return m_allowLarge; }

    /// Refuses a file with so many nodes.
    void expectNodes(std::uint64_t count) const;
    /// Counts outputs that the file declares by their number only.
    void addImpliedOutputs(std::uint64_t count);
    /// Refuses a name of so many bytes. `owner` as in a message, "node 12".
    void expectName(std::string_view owner, std::size_t length) const;
    /// Refuses a program of which so many statements and calls were executed.
    void expectSteps(std::uint64_t count) const;
    /// Refuses a model whose function calls expand to so many nodes.
    void expectExpansion(std::uint64_t nodes) const;
    /// Refuses so many nodes made from the functions of a model of `modelNodes`.
    void expectLowered(std::uint64_t nodes, std::uint64_t modelNodes) const;
    /// Refuses so many outputs and constants made for one node.
    void expectEmitted(std::uint64_t count) const;
    /// Refuses an export with so many bytes of constants, from files of so many bytes.
    void expectConstants(std::uint64_t bytes, std::uint64_t modelBytes) const;

    /// Refuses a pickle of so many bytes that makes so many objects ("damaged").
    static void expectPickleObjects(std::uint64_t count, std::uint64_t pickleBytes);
    /// Refuses a tensor with so many elements that is needed as a list of numbers.
    static void expectListed(std::int64_t elements);
    /// Refuses a tensor of so many bytes that is copied into memory.
    static void expectCopied(std::uint64_t bytes);

private:
    std::uint64_t m_fileBytes;
    std::uint64_t m_outputs = 0;
    bool m_allowLarge;
};

} // namespace crosswalk
