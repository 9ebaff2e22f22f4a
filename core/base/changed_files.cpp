#include "core/base/changed_files.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <fmt/format.h>
#include <list>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crosswalk {
namespace {

/// A mapping as the signal handler sees it. Regions are used again, but never freed: the handler takes no lock.
struct Region {
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0; ///< 0: not in use
    std::atomic<bool> isLost = false;
    std::string path;
    Region* next = nullptr;
};

std::atomic<Region*>& firstRegion()
{
    static std::atomic<Region*> first = nullptr;
    return first;
}

struct Watched {
    std::filesystem::path path;
    std::uint64_t number = 0; ///< of the mapping: 0 is the first
    Region* region = nullptr;
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec written = {};
};

struct WatchedFile {
    std::uint64_t newest = 0; ///< number of its newest mapping
    bool isLost = false;      ///< it changed before that was unmapped
};

struct Watching {
    std::mutex mutex;
    std::uint64_t count = 0; ///< of mappings made
    std::list<Watched> mapped;
    std::map<std::filesystem::path, WatchedFile> files; ///< those that are mapped or lost
};

Watching& watching()
{
    static auto* all = new Watching; // outlives mappings that static objects hold
    return *all;
}

struct sigaction& previousAction()
{
    static struct sigaction action = {};
    return action;
}

/// Replaces the rest of the mapping by zeros, from the page that could not be read.
extern "C" void onLostPage(int /*signal*/, siginfo_t* info, void* /*context*/)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr); // NOLINT: compared with other addresses
    for (Region* region = firstRegion().load(); region != nullptr; region = region->next) {
        const std::uintptr_t end = region->end.load();
        if (address < region->begin.load() || address >= end) {
            continue;
        }
        const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const std::uintptr_t from = address / page * page;
        void* replaced = ::mmap(reinterpret_cast<void*>(from), end - from, PROT_READ, // NOLINT
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (replaced != MAP_FAILED) {
            region->isLost = true;
            return;
        }
    }
    ::sigaction(SIGBUS, &previousAction(), nullptr); // not ours: it happens again, with its previous effect
}

void installHandler()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        action.sa_sigaction = onLostPage;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previousAction());
    });
}

/// A region that is not in use, which only the owner of the mutex looks for.
Region* freeRegion()
{
    for (Region* region = firstRegion().load(); region != nullptr; region = region->next) {
        if (region->end.load() == 0) {
            return region;
        }
    }
    auto* region = new Region;
    region->next = firstRegion().load();
    firstRegion() = region;
    return region;
}

bool hasChanged(const Watched& file)
{
    if (file.region->isLost) {
        return true;
    }
    struct stat now = {};
    const bool isSame = ::stat(file.path.c_str(), &now) == 0 && now.st_dev == file.device && now.st_ino == file.inode;
    return isSame && (now.st_size != file.size || now.st_mtim.tv_sec != file.written.tv_sec ||
                      now.st_mtim.tv_nsec != file.written.tv_nsec);
}

} // namespace

std::uint64_t mappingCount()
{
    const std::lock_guard lock(watching().mutex);
    return watching().count;
}

std::vector<std::filesystem::path> changedFiles(std::uint64_t skipped)
{
    const std::lock_guard lock(watching().mutex);
    std::vector<std::filesystem::path> changed;
    for (const auto& [path, file] : watching().files) {
        if (file.isLost && file.newest >= skipped) {
            changed.push_back(path);
        }
    }
    for (const Watched& file : watching().mapped) {
        if (file.number >= skipped && hasChanged(file)) {
            changed.push_back(file.path);
        }
    }
    return changed;
}

void expectUnchanged(const std::function<bool(const std::filesystem::path&)>& isMeant, std::uint64_t skipped)
{
    for (const auto& path : changedFiles(skipped)) {
        if (isMeant(path)) {
            throw ModelError("unreadable", fmt::format("{} was changed while it was read", path.string()),
                             "try again once it is complete");
        }
    }
}

void expectUnchanged(std::span<const std::filesystem::path> files)
{
    expectUnchanged([&](const std::filesystem::path& path) { return std::ranges::find(files, path) != files.end(); });
}

void expectUnchanged()
{
    expectUnchanged([](const std::filesystem::path&) { return true; });
}

const char* lostFile()
{
    for (const Region* region = firstRegion().load(); region != nullptr; region = region->next) {
        if (region->isLost) {
            return region->path.c_str();
        }
    }
    return nullptr;
}

WatchedMapping::WatchedMapping(const std::filesystem::path& path, const std::byte* data, std::size_t size,
                               const struct stat& status)
{
    installHandler();
    const std::lock_guard lock(watching().mutex);
    const std::uint64_t number = watching().count++;
    watching().files[path] = {.newest = number};
    Region* region = freeRegion();
    region->path = path.string();
    region->isLost = false;
    const auto begin = reinterpret_cast<std::uintptr_t>(data); // NOLINT: compared with other addresses
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    region->begin = begin;
    region->end = begin + (size + page - 1) / page * page;
    watching().mapped.push_back({path, number, region, status.st_dev, status.st_ino, status.st_size, status.st_mtim});
    m_watched = &watching().mapped.back();
}

WatchedMapping::~WatchedMapping()
{
    const std::lock_guard lock(watching().mutex);
    const auto watched =
        std::ranges::find_if(watching().mapped, [this](const Watched& file) { return &file == m_watched; });
    Region& region = *watched->region;
    auto& files = watching().files;
    const auto file = files.find(watched->path);
    if (file->second.newest == watched->number && hasChanged(*watched)) {
        file->second.isLost = true;
    }
    if (!file->second.isLost && std::ranges::count(watching().mapped, watched->path, &Watched::path) == 1) {
        files.erase(file);
    }
    region.isLost = false;
    region.end = 0;
    region.begin = 0;
    watching().mapped.erase(watched);
}

} // namespace crosswalk
