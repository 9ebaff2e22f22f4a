#include "core/base/source_file.h"

#include <algorithm>
#include <cassert>

namespace crosswalk {

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

std::shared_ptr<const SourceFile> SourceFile::part(std::string name, std::uint64_t offset, std::uint64_t size) const
{
    std::shared_ptr<SourceFile> source(new SourceFile);
    source->m_name = std::move(name);
    source->m_path = m_path;
    source->m_file = m_file;
    source->m_offset = m_offset + offset;
    source->m_memory = m_memory;
    source->m_bytes = view(offset, size);
    return source;
}

void SourceFile::read(std::uint64_t offset, std::span<std::byte> out) const
{
    const auto bytes = view(offset, out.size());
    std::copy(bytes.begin(), bytes.end(), out.begin());
}

std::span<const std::byte> SourceFile::view(std::uint64_t offset, std::uint64_t size) const
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
