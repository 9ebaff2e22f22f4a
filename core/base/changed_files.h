#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

struct stat;

namespace crosswalk {

// Files can change while they are mapped. A part that is cut off raises SIGBUS when it is read; it then reads as zeros,
// in any thread, and the file counts as changed. So does a file that is written in place. Results that were computed
// from a changed file are wrong: call expectUnchanged() before such a result leaves the library.

/// Number of mappings that were made so far.
std::uint64_t mappingCount();

/// Files that have changed since they were mapped: those that are mapped, and those that changed before they were
/// unmapped. The first `skipped` mappings, as mappingCount() returned it, do not count.
std::vector<std::filesystem::path> changedFiles(std::uint64_t skipped = 0);

/// Throws ModelError "unreadable" for the first changed file for which `isMeant` returns true.
void expectUnchanged(const std::function<bool(const std::filesystem::path&)>& isMeant, std::uint64_t skipped = 0);
void expectUnchanged(std::span<const std::filesystem::path> files);
void expectUnchanged(); ///< any file

/// The path of a mapped file of which a part was lost; null if there is none. For signal handlers.
const char* lostFile();

/// Watches a mapping until it is destroyed.
class WatchedMapping {
public:
    WatchedMapping(const std::filesystem::path& path, const std::byte* data, std::size_t size,
                   const struct stat& status);
    ~WatchedMapping();
    WatchedMapping(const WatchedMapping&) = delete;
    WatchedMapping& operator=(const WatchedMapping&) = delete;

private:
    const void* m_watched = nullptr;
};

} // namespace crosswalk
