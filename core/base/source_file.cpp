#include "core/base/source_file.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <fmt/format.h>
#include <mutex>
#include <zlib.h>

namespace crosswalk {

/// Bytes that are checked once, by the first thread that reads some of them.
class SourceFile::Checksum {
public:
    Checksum(std::string name, std::span<const std::byte> bytes, std::uint32_t expected)
        : m_name(std::move(name))
        , m_bytes(bytes)
        , m_expected(expected)
    {
    }

    void check()
    {
        if (m_isRight) {
            return;
        }
        const std::lock_guard lock(m_mutex);
        if (!m_actual) {
            const auto* first = reinterpret_cast<const Bytef*>(m_bytes.data()); // NOLINT: as bytes
            m_actual = static_cast<std::uint32_t>(::crc32_z(0, first, m_bytes.size()));
        }
        if (*m_actual != m_expected) {
            throw ModelError("damaged", fmt::format("{} is damaged: its checksum differs", m_name));
        }
        m_isRight = true;
    }

private:
    std::string m_name;
    std::span<const std::byte> m_bytes;
    std::uint32_t m_expected;
    std::mutex m_mutex;
    std::optional<std::uint32_t> m_actual;
    std::atomic<bool> m_isRight = false;
};

std::shared_ptr<const SourceFile> SourceFile::open(const std::filesystem::path& path, std::string name)
{
    std::shared_ptr<SourceFile> source(new SourceFile);
    source->m_name = name.empty() ? path.filename().string() : std::move(name);
    source->m_path = path;
    source->m_file = MappedFile::open(path);
    source->m_bytes = source->m_file->bytes();
    return source;
}

std::shared_ptr<const SourceFile> SourceFile::decompressed(std::string name, std::filesystem::path path,
                                                           std::vector<std::byte> bytes)
{
    std::shared_ptr<SourceFile> source(new SourceFile);
    source->m_name = std::move(name);
    source->m_path = std::move(path);
    source->m_memory = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    source->m_bytes = *source->m_memory;
    return source;
}

std::shared_ptr<const SourceFile> SourceFile::part(std::string name, std::uint64_t offset, std::uint64_t size,
                                                   std::optional<std::uint32_t> crc) const
{
    std::shared_ptr<SourceFile> source(new SourceFile);
    source->m_name = std::move(name);
    source->m_path = m_path;
    source->m_file = m_file;
    source->m_offset = m_offset + offset;
    source->m_memory = m_memory;
    source->m_bytes = address(offset, size);
    source->m_checksum = crc ? std::make_shared<Checksum>(source->m_name, source->m_bytes, *crc) : m_checksum;
    return source;
}

void SourceFile::read(std::uint64_t offset, std::span<std::byte> out) const
{
    const auto bytes = view(offset, out.size());
    std::copy(bytes.begin(), bytes.end(), out.begin());
}

std::span<const std::byte> SourceFile::view(std::uint64_t offset, std::uint64_t size) const
{
    if (m_checksum) {
        m_checksum->check();
    }
    return address(offset, size);
}

std::span<const std::byte> SourceFile::address(std::uint64_t offset, std::uint64_t size) const
{
    assert(offset <= m_bytes.size() && size <= m_bytes.size() - offset);
    return m_bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

void SourceFile::release(std::uint64_t offset, std::uint64_t size) const
{
    if (m_file) {
        m_file->release(static_cast<std::size_t>(m_offset + offset), static_cast<std::size_t>(size));
    }
}

} // namespace crosswalk
