#include "core/base/budget.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk {
namespace {

constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
constexpr const char* readHint = "use --allow-large to read it anyway";
constexpr const char* convertHint = "use --allow-large to convert it anyway";

std::string sizeText(std::uint64_t bytes)
{
    constexpr std::uint64_t kilo = 1000;
    constexpr std::uint64_t mega = kilo * kilo;
    constexpr std::uint64_t giga = kilo * mega;
    return bytes < kilo   ? fmt::format("{} bytes", bytes)
           : bytes < mega ? fmt::format("{} kB", bytes / kilo)
           : bytes < giga ? fmt::format("{} MB", bytes / mega)
                          : fmt::format("{:.1f} GB", static_cast<double>(bytes) / static_cast<double>(giga));
}

} // namespace

Budget::Budget(std::uint64_t fileBytes, bool allowLarge)
    : m_fileBytes(fileBytes)
    , m_allowLarge(allowLarge)
{
}

void Budget::expectNodes(std::uint64_t count) const
{
    if (!m_allowLarge && count > readNodes + m_fileBytes / bytesPerReadNode) {
        throw ModelError("large-file",
                         fmt::format("the file has {} nodes in {}, more than a model of this size needs", count,
                                     sizeText(m_fileBytes)),
                         readHint);
    }
}

void Budget::addImpliedOutputs(std::uint64_t count)
{
    m_outputs = m_outputs > everything - count ? everything : m_outputs + count;
    if (!m_allowLarge && m_outputs > impliedOutputs + m_fileBytes / bytesPerImpliedOutput) {
        throw ModelError(
            "large-file",
            fmt::format("the model asks for {} outputs from a file of {}", m_outputs, sizeText(m_fileBytes)), readHint);
    }
}

void Budget::expectName(std::string_view owner, std::size_t length) const
{
    if (!m_allowLarge && length > nameLength) { // names are copied, compared and drawn
        throw ModelError("large-file",
                         fmt::format("the name of {} has {} bytes; at most {} are usual", owner, length, nameLength),
                         readHint);
    }
}

void Budget::expectSteps(std::uint64_t count) const
{
    if (!m_allowLarge && count > programSteps) {
        throw ModelError("large-file", fmt::format("its program takes more than {} statements and calls", programSteps),
                         readHint);
    }
}

void Budget::expectExpansion(std::uint64_t nodes) const
{
    if (nodes == everything) {
        throw ModelError("too-large", "the calls of the model's functions expand without end");
    }
    if (!m_allowLarge && nodes > expandedNodes) {
        throw ModelError(
            "too-large",
            fmt::format("the calls of the model's functions expand to {} nodes, more than {}", nodes, expandedNodes),
            convertHint);
    }
}

void Budget::expectLowered(std::uint64_t nodes, std::uint64_t modelNodes) const
{
    const std::uint64_t most = loweredNodes + loweredPerNode * modelNodes;
    if (!m_allowLarge && nodes > most) {
        throw ModelError("too-large",
                         fmt::format("its function calls, lists and views expand to more than {} nodes", most),
                         convertHint);
    }
}

void Budget::expectEmitted(std::uint64_t count) const
{
    if (!m_allowLarge && count > emittedPerNode) {
        throw ModelError("too-large",
                         fmt::format("it would become more than {} nodes and constants in ONNX", emittedPerNode),
                         convertHint);
    }
}

void Budget::expectConstants(std::uint64_t bytes, std::uint64_t modelBytes) const
{
    if (!m_allowLarge && bytes > constantBytes && (bytes - constantBytes) / constantBytesPerByte > modelBytes) {
        throw ModelError(
            "too-large",
            fmt::format("the model asks for {} of constants from {} of files", sizeText(bytes), sizeText(modelBytes)),
            "use --allow-large to write it anyway");
    }
}

void Budget::expectPickleObjects(std::uint64_t count, std::uint64_t pickleBytes)
{
    if (count > pickleObjects + pickleBytes / bytesPerPickleObject) {
        throw ModelError("damaged", fmt::format("the pickle makes {} objects from {}", count, sizeText(pickleBytes)));
    }
}

void Budget::expectListed(std::int64_t elements)
{
    if (elements > listedElements) {
        throw ModelError("too-large",
                         fmt::format("a constant of {} elements is needed as a list of numbers; at most {} "
                                     "are possible",
                                     elements, listedElements));
    }
}

void Budget::expectCopied(std::uint64_t bytes)
{
    if (bytes > copiedBytes) {
        throw ModelError("too-large", fmt::format("a constant of {} is needed in memory; at most {} are possible",
                                                  sizeText(bytes), sizeText(copiedBytes)));
    }
}

} // namespace crosswalk
