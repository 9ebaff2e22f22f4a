#include "core/base/mapped_file.h"

#include "core/base/changed_files.h"
#include "core/base/diagnostic.h"
#include "core/base/fault_injection.h"
#include "core/base/mapped_place.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crosswalk {
namespace {

[[noreturn]] void failToOpen(const char* why)
{
    throw ModelError("unreadable", std::string("cannot be read: ") + why);
}

/// What a path leads to that is no file with content of its own.
const char* kindOf(mode_t mode)
{
    return S_ISDIR(mode)    ? "it is a folder"
           : S_ISFIFO(mode) ? "it is a named pipe"
           : S_ISSOCK(mode) ? "it is a socket"
                            : "it is a device";
}

struct Mapping {
    const MappedFile* file = nullptr;
    std::unique_ptr<const WatchedMapping> watched;
};

/// All mappings of the process, by their first byte.
struct Mappings {
    std::mutex mutex;
    std::map<std::uintptr_t, Mapping> files;
};

Mappings& mappings()
{
    static Mappings all;
    return all;
}

std::uintptr_t addressOf(const std::byte* byte)
{
    return reinterpret_cast<std::uintptr_t>(byte); // NOLINT: addresses of different objects are compared
}

} // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path)
{
    // Without waiting for the other end of a pipe.
    const int descriptor = isFaulty(SystemCall::Open) ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status = {};
    if (descriptor < 0) {
        const int error = errno;
        const bool isSpecial =
            error == ENXIO && ::stat(path.c_str(), &status) == 0; // a socket, or a terminal without one
        failToOpen(isSpecial ? kindOf(status.st_mode) : std::strerror(error));
    }
    const bool known = !isFaulty(SystemCall::Status) && ::fstat(descriptor, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
        const int error = errno;
        ::close(descriptor);
        failToOpen(known ? kindOf(status.st_mode) : std::strerror(error));
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = nullptr;
    if (size > 0) {
        data = isFaulty(SystemCall::Map) ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    const int error = errno;
    ::close(descriptor);
    if (data == MAP_FAILED) {
        failToOpen(std::strerror(error));
    }
    std::shared_ptr<const MappedFile> file(new MappedFile(path, static_cast<const std::byte*>(data), size));
    if (size > 0) {
        auto watched = std::make_unique<const WatchedMapping>(path, file->m_data, size, status);
        const std::lock_guard lock(mappings().mutex);
        mappings().files[addressOf(file->m_data)].watched = std::move(watched);
    }
    return file;
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size)
    : m_path(std::move(path))
    , m_data(data)
    , m_size(size)
{
    if (m_data != nullptr) {
        const std::lock_guard lock(mappings().mutex);
        mappings().files[addressOf(m_data)].file = this;
    }
}

MappedFile::~MappedFile()
{
    if (m_data != nullptr) {
        {
            const std::lock_guard lock(mappings().mutex);
            mappings().files.erase(addressOf(m_data));
        }
        ::munmap(const_cast<std::byte*>(m_data), m_size);
    }
}

std::optional<MappedPlace> mappedPlaceOf(std::span<const std::byte> bytes)
{
    const std::lock_guard lock(mappings().mutex);
    const auto& files = mappings().files;
    const std::uintptr_t address = addressOf(bytes.data());
    auto next = files.upper_bound(address);
    if (next == files.begin()) {
        return std::nullopt;
    }
    const auto& [begin, mapping] = *--next;
    const MappedFile* file = mapping.file;
    const std::uint64_t offset = address - begin;
    const std::uint64_t size = file->bytes().size();
    return offset <= size && bytes.size() <= size - offset ? std::optional(MappedPlace{file->path(), offset})
                                                           : std::nullopt;
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
