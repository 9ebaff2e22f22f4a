#include "core/base/budget.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk {
namespace {

constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
constexpr const char* hint = "use --allow-large to read it anyway";

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
    , m_nodeLimit(allowLarge ? everything : readNodes + fileBytes / bytesPerReadNode)
    , m_outputLimit(allowLarge ? everything : impliedOutputs + fileBytes / bytesPerImpliedOutput)
{
}

void Budget::expectNodes(std::uint64_t count) const
{
    if (count > m_nodeLimit) {
        throw ModelError("large-file",
                         fmt::format("the file has {} nodes in {}, more than a model of this size needs", count,
                                     sizeText(m_fileBytes)),
                         hint);
    }
}

void Budget::addImpliedOutputs(std::uint64_t count)
{
    m_outputs = m_outputs > everything - count ? everything : m_outputs + count;
    if (m_outputs > m_outputLimit) {
        throw ModelError(
            "large-file",
            fmt::format("the model asks for {} outputs from a file of {}", m_outputs, sizeText(m_fileBytes)), hint);
    }
}

void Budget::expectExpansion(std::uint64_t nodes)
{
    if (nodes > expandedNodes) {
        throw ModelError("too-large", nodes == everything
                                          ? std::string("the calls of the model's functions expand without end")
                                          : fmt::format("the calls of the model's functions expand to {} nodes, more "
                                                        "than {}",
                                                        nodes, expandedNodes));
    }
}

void Budget::expectConstants(std::uint64_t bytes, std::uint64_t fileBytes)
{
    if (bytes > constantBytes && (bytes - constantBytes) / constantBytesPerByte > fileBytes) {
        throw ModelError(
            "too-large",
            fmt::format("the model asks for {} of constants from {} of files", sizeText(bytes), sizeText(fileBytes)),
            "use --allow-large to write it anyway");
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
