#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace crosswalk {

/// A file that comes into being whole or not at all. Bytes go to a file without a name (where the file system has such,
/// so that not even a killed process leaves one behind; else to a temporary name) in the target's folder, which takes
/// the target's name at the end. All failures are ModelError "unwritable".
class OutputFile {
public:
    /// A target that is a link to a file is followed. Refuses other links, and a target that exists and is not a
    /// regular file. Removes temporary files that killed processes left for this target.
    explicit OutputFile(const std::filesystem::path& target);
    /// Leaves nothing behind, unless published.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    /// Writes zeros up to a multiple of `alignment`.
    void align(std::uint64_t alignment);
    /// Bytes written so far.
    std::uint64_t size() const { return m_size; }

    /// Brings everything to the disk: what can fail for want of space has then failed.
    void flush();
    /// Puts the file under the target's name, in the place of an older one. Call after flush().
    void publish();
    /// The same under another name in the target's folder.
    void publish(const std::filesystem::path& name);

private:
    void writeOut(std::span<const std::byte> bytes);
    /// Has the disk write while we still do, so that flush() has less to wait for.
    void startBringingToDisk();
    void link();
    void removeTemporary();
    [[noreturn]] void fail(std::string_view what) const;

    std::filesystem::path m_target;
    std::filesystem::path m_temporary; ///< empty while the file has no name
    std::vector<std::byte> m_buffer;
    std::uint64_t m_size = 0;
    std::uint64_t m_written = 0; ///< to the descriptor
    std::uint64_t m_started = 0; ///< of these, on their way to the disk
    int m_descriptor = -1;
};

} // namespace crosswalk
