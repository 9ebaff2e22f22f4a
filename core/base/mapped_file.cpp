#include "core/base/mapped_file.h"

#include "core/base/diagnostic.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crosswalk {
namespace {

[[noreturn]] void failToOpen(const char* why)
{
    throw ModelError("unreadable", std::string("cannot be read: ") + why);
}

} // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        failToOpen(std::strerror(errno));
    }
    struct stat status = {};
    const bool known = ::fstat(descriptor, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        failToOpen(known && S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = nullptr;
    if (size > 0) {
        data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    const int error = errno;
    ::close(descriptor);
    if (data == MAP_FAILED) {
        failToOpen(std::strerror(error));
    }
    return std::shared_ptr<const MappedFile>(new MappedFile(path, static_cast<const std::byte*>(data), size));
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size)
    : m_path(std::move(path))
    , m_data(data)
    , m_size(size)
{
}

MappedFile::~MappedFile()
{
    if (m_data != nullptr) {
        ::munmap(const_cast<std::byte*>(m_data), m_size);
    }
}

void MappedFile::release(std::size_t offset, std::size_t size) const
{
    // Only pages that lie entirely inside the range: the rest of a shared page may still be in use.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (offset + page - 1) / page * page;
    const auto end = (offset + size) / page * page;
    if (begin < end && end <= m_size) {
        ::madvise(const_cast<std::byte*>(m_data) + begin, end - begin, MADV_DONTNEED);
    }
}

} // namespace crosswalk
