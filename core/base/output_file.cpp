#include "core/base/output_file.h"

#include "core/base/diagnostic.h"
#include "core/base/fault_injection.h"
#include "core/base/process_cleanup.h"
#include "core/base/stale_files.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crosswalk {
namespace {

constexpr std::size_t bufferSize = 1U << 18U;
constexpr std::uint64_t startSize = 8U << 20U;

/// A name in the target's folder that no other process and no other file of this one takes.
std::filesystem::path temporaryName(const std::filesystem::path& target)
{
    static std::atomic<unsigned> counter = 0;
    return target.parent_path() /
           fmt::format("{}{}-{}{}", temporaryPrefix(target), ::getpid(), counter++, temporarySuffix);
}

std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : ".";
}

/// Brings a new name to the disk. Its content is there already: a failure loses nothing that flush() has promised.
void syncFolder(const std::filesystem::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

} // namespace

OutputFile::OutputFile(const std::filesystem::path& target)
    : m_target(target)
{
    std::error_code error;
    if (std::filesystem::is_symlink(target, error)) {
        m_target = std::filesystem::canonical(target, error);
        if (error) {
            m_target = target;
            const bool isLoop = error == std::errc::too_many_symbolic_link_levels;
            fail(isLoop ? "it is a link that leads to itself"
                 : std::filesystem::exists(target, error) // a pipe has no path: /dev/stdout
                     ? "it is a link to something that is not a regular file"
                     : "it is a link to a file that does not exist");
        }
    }
    removeStaleFiles(m_target);
    struct stat old = {};
    const bool exists = ::stat(m_target.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
        fail(S_ISDIR(old.st_mode) ? "" : "it exists and is not a regular file");
    }
    if (exists && ::access(m_target.c_str(), W_OK) != 0) {
        fail(""); // a rename would replace even a file that its owner has made read-only
    }
#ifdef O_TMPFILE
    if (!isFaulty(SystemCall::Open)) {
        m_descriptor = ::open(folderOf(m_target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    }
#endif
    if (m_descriptor < 0) {
        const auto lock = cleanupLock();
        m_temporary = temporaryName(m_target);
        if (!isFaulty(SystemCall::Open)) {
            m_descriptor = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        }
        if (m_descriptor >= 0) {
            addTemporary(m_temporary);
        }
    }
    if (m_descriptor < 0) {
        m_temporary.clear();
        fail("");
    }
    markInUse(m_descriptor);
    if (exists && ::fchmod(m_descriptor, old.st_mode & 07777U) != 0) {
        // The file keeps the mode that a new one has; its content is what matters.
    }
    m_buffer.reserve(bufferSize);
}

OutputFile::~OutputFile()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
    removeTemporary();
}

void OutputFile::write(std::span<const std::byte> bytes)
{
    m_size += bytes.size();
    if (m_buffer.size() + bytes.size() > bufferSize) {
        writeOut(m_buffer);
        m_buffer.clear();
    }
    if (bytes.size() >= bufferSize / 4) {
        writeOut(m_buffer);
        m_buffer.clear();
        writeOut(bytes); // big pieces go straight from where they lie, a mapped file mostly
    } else {
        m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
    }
}

void OutputFile::align(std::uint64_t alignment)
{
    const std::vector<std::byte> zeros((alignment - m_size % alignment) % alignment);
    write(zeros);
}

void OutputFile::writeOut(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = isFaulty(SystemCall::Write) ? -1 : ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            fail("");
        }
        const auto count = written > 0 ? static_cast<std::size_t>(written) : 0;
        bytes = bytes.subspan(count);
        m_written += count;
    }
    startBringingToDisk();
}

void OutputFile::startBringingToDisk()
{
#ifdef __linux__
    // Only a beginning: whether it succeeds is flush()'s to find out.
    if (m_written - m_started >= startSize) {
        ::sync_file_range(m_descriptor, static_cast<off64_t>(m_started), static_cast<off64_t>(m_written - m_started),
                          SYNC_FILE_RANGE_WRITE);
        m_started = m_written;
    }
#endif
}

void OutputFile::flush()
{
    writeOut(m_buffer);
    m_buffer.clear();
    if (isFaulty(SystemCall::Sync) || ::fdatasync(m_descriptor) != 0) {
        fail("");
    }
}

void OutputFile::link()
{
    if (!m_temporary.empty()) {
        return;
    }
    const auto self = fmt::format("/proc/self/fd/{}", m_descriptor);
    const auto name = temporaryName(m_target);
    const auto lock = cleanupLock();
    if (isFaulty(SystemCall::Link) ||
        ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        fail("");
    }
    m_temporary = name;
    addTemporary(m_temporary);
}

void OutputFile::publish()
{
    const auto lock = cleanupLock();
    link();
    if (isFaulty(SystemCall::Rename) || ::rename(m_temporary.c_str(), m_target.c_str()) != 0) {
        fail("");
    }
    dropTemporary(m_temporary);
    m_temporary.clear();
    syncFolder(folderOf(m_target));
}

void OutputFile::publish(const std::filesystem::path& name)
{
    m_target = name;
    publish();
}

void OutputFile::removeTemporary()
{
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
        dropTemporary(m_temporary);
    }
}

void OutputFile::fail(std::string_view what) const
{
    const std::string why = what.empty() ? std::strerror(errno) : std::string(what);
    throw ModelError("unwritable", fmt::format("{}: cannot be written: {}", m_target.string(), why));
}

} // namespace crosswalk
