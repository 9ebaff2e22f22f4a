#pragma once

#include <cstddef>
#include <cstdint>

namespace crosswalk {

/// How much a file may ask for: base amounts that no small file needs, and more in proportion to its size. What exceeds
/// it throws ModelError "large-file", in one sentence; `--allow-large` lifts it. A copy counts for itself.
class Budget {
public:
    static constexpr std::uint64_t readNodes = 1U << 18U;
    static constexpr std::uint64_t bytesPerReadNode = 64; ///< fewer than a node of a real file has
    static constexpr std::uint64_t impliedOutputs = 1U << 16U;
    static constexpr std::uint64_t bytesPerImpliedOutput = 16;
    static constexpr std::uint64_t expandedNodes = 1U << 18U;
    static constexpr std::uint64_t loweredNodes = 1U << 15U;   ///< copies of functions included
    static constexpr std::uint64_t loweredPerNode = 64;        ///< of the file
    static constexpr std::uint64_t emittedPerNode = 1U << 18U; ///< outputs of nodes, and constants, of a source node
    static constexpr std::size_t bodyDepth = 30;    ///< three levels of messages each, of the 100 that protobuf reads
    static constexpr int axes = 1024;               ///< of a value that ONNX infers, and sizes of a shape
    static constexpr std::uint32_t callDepth = 200; ///< of functions: calls are followed on the stack
    static constexpr std::size_t pickleObjects = 1U << 20U;
    static constexpr std::size_t equationLength = 4096;
    static constexpr std::size_t nameLength = 1U << 16U;
    static constexpr std::uint64_t constantBytes = 1U << 30U;
    static constexpr std::uint64_t constantBytesPerByte = 8; ///< weights of one byte that are stored as float64
    static constexpr std::int64_t windowPlaces = 1 << 15; ///< of a kernel that becomes a node for each of its elements
    static constexpr std::uint64_t copiedBytes = 1U << 30U; ///< of a tensor
    static constexpr std::int64_t listedElements = 1 << 25; ///< of a tensor that is computed with as a list of numbers

    /// Of a file of so many bytes.
    explicit Budget(std::uint64_t fileBytes = 0, bool allowLarge = false);

    /// Refuses a file with so many nodes.
    void expectNodes(std::uint64_t count) const;
    /// Counts outputs that the file declares by their number only.
    void addImpliedOutputs(std::uint64_t count);
    /// Throws ModelError "too-large" for a model whose function calls expand to so many nodes.
    static void expectExpansion(std::uint64_t nodes);
    /// Throws ModelError "too-large" for an export with so many bytes of constants, from files of so many bytes.
    static void expectConstants(std::uint64_t bytes, std::uint64_t fileBytes);
    /// Throws ModelError "too-large" for a tensor with so many elements that is needed as a list of numbers.
    static void expectListed(std::int64_t elements);
    /// The same for a tensor that is copied into memory.
    static void expectCopied(std::uint64_t bytes);

private:
    std::uint64_t m_fileBytes;
    std::uint64_t m_nodeLimit;
    std::uint64_t m_outputLimit;
    std::uint64_t m_outputs = 0;
};

} // namespace crosswalk
