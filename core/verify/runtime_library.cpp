#include "core/verify/runtime_library.h"

#include "core/base/folder_entries.h"
#include "core/base/program_folder.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <mutex>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

constexpr const char* libraryName = "libonnxruntime.so";
constexpr const char* variable = "CROSSWALK_ONNXRUNTIME";
constexpr const char* howToGetIt =
    "./dev build downloads it; otherwise install it with `pip install onnxruntime` or from a release archive of ONNX "
    "Runtime, and set CROSSWALK_ONNXRUNTIME to libonnxruntime.so or its folder";

[[noreturn]] void failToLoad(std::string message)
{
    throw ModelError("no-runtime", std::move(message), howToGetIt);
}

const onnxruntime::ApiBase* open(const fs::path& library, fs::path& loadedFrom)
{
    // Some builds report usage to their vendor from the moment they are loaded. This program sends no data.
    ::setenv("ORT_DISABLE_TELEMETRY", "1", 1);
    // Never closed: the library has threads and static state that do not survive unloading.
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        failToLoad(fmt::format("ONNX Runtime is required, but cannot be loaded: {}", dlerror()));
    }
    using Entry = const onnxruntime::ApiBase* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(handle, "OrtGetApiBase"));
    if (entry == nullptr) {
        failToLoad(fmt::format("{} is not ONNX Runtime: it has no OrtGetApiBase", library.string()));
    }
    Dl_info where;
    loadedFrom = dladdr(reinterpret_cast<const void*>(entry), &where) != 0 ? fs::path(where.dli_fname) : library;
    return entry();
}

const onnxruntime::AnyFunction* tableOf(const onnxruntime::ApiBase* base)
{
    if (base == nullptr) {
        failToLoad("the library of ONNX Runtime provides no interface");
    }
    const auto* table = base->api(onnxruntime::apiVersion);
    if (table == nullptr) {
        failToLoad(fmt::format("ONNX Runtime {} does not provide version {} of its C interface", base->version(),
                               onnxruntime::apiVersion));
    }
    return table;
}

std::vector<fs::path> runtimeFolders()
{
    const fs::path program = programFolder();
    std::vector<fs::path> folders{program / "../lib/crosswalk", program / "../lib",
                                  fs::path(CROSSWALK_ONNXRUNTIME_FOLDER)};
    std::erase(folders, fs::path());
    return folders;
}

/// The value of CROSSWALK_ONNXRUNTIME; empty if it is not set.
std::string environmentPath()
{
    const char* chosen = std::getenv(variable);
    return chosen != nullptr ? chosen : "";
}

} // namespace

std::vector<std::string> runtimePlaces()
{
    if (const std::string chosen = environmentPath(); !chosen.empty()) {
        return {fmt::format("{} ({})", chosen, variable)};
    }
    std::vector<std::string> places{fmt::format("{} (not set)", variable)};
    for (const fs::path& folder : runtimeFolders()) {
        places.push_back(folder.lexically_normal().string());
    }
    places.emplace_back("the system's libraries");
    return places;
}

std::optional<fs::path> runtimeInFolder(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const fs::path& entry : entriesOf(folder)) {
        const std::string name = entry.filename();
        if (name == libraryName || name.starts_with(std::string(libraryName) + '.')) {
            found.push_back(entry);
        }
    }
    if (found.empty()) {
        return std::nullopt;
    }
    return *std::min_element(found.begin(), found.end());
}

std::vector<fs::path> runtimeCandidates()
{
    if (const std::string chosen = environmentPath(); !chosen.empty()) {
        std::error_code error;
        if (!fs::is_directory(chosen, error)) {
            return {fs::absolute(chosen, error)};
        }
        const auto library = runtimeInFolder(chosen);
        return {library ? *library : fs::path(chosen) / libraryName};
    }
    std::vector<fs::path> candidates;
    for (const fs::path& folder : runtimeFolders()) {
        if (const auto library = runtimeInFolder(folder)) {
            candidates.push_back(*library);
        }
    }
    candidates.emplace_back(libraryName);
    candidates.emplace_back(fmt::format("{}.1", libraryName));
    return candidates;
}

Runtime::State::State(const fs::path& library)
    : base(open(library, path))
    , api(tableOf(base))
{
    check(api.createEnv(onnxruntime::logFatalOnly, "crosswalk", &env));
    check(api.disableTelemetry(env)); // as well, for builds that do not read the variable
}

Runtime::State::~State()
{
    if (env != nullptr) {
        api.releaseEnv(env);
    }
}

void Runtime::State::check(onnxruntime::Status* status, std::string_view what) const
{
    if (status == nullptr) {
        return;
    }
    std::string message = api.errorMessage(status);
    api.releaseStatus(status);
    std::replace(message.begin(), message.end(), '\n', ' ');
    message.erase(message.find_last_not_of(' ') + 1);
    throw ModelError("runtime", fmt::format("ONNX Runtime {}: {}{}", base->version(), what, message));
}

std::shared_ptr<const Runtime> Runtime::load()
{
    static std::mutex mutex;
    static std::shared_ptr<const Runtime> loaded;
    const std::scoped_lock lock(mutex);
    if (loaded) {
        return loaded;
    }
    const auto candidates = runtimeCandidates();
    for (const fs::path& candidate : candidates) {
        try {
            loaded = std::make_shared<Runtime>(candidate);
            return loaded;
        } catch (const ModelError&) {
            // Report why an existing file does not load, but not that the linker did not find a bare name.
            if (candidates.size() == 1 || candidate.has_parent_path()) {
                throw;
            }
        }
    }
    failToLoad("ONNX Runtime is required, but was not found");
}

Runtime::Runtime(const fs::path& library)
    : m_state(std::make_unique<State>(library))
    , m_version(m_state->base->version())
{
}

Runtime::Runtime(std::shared_ptr<Process> process, std::string version)
    : m_process(std::move(process))
    , m_version(std::move(version))
{
}

Runtime::~Runtime() = default;

std::string Runtime::version() const
{
    return m_version;
}

fs::path Runtime::path() const
{
    return m_state ? m_state->path : fs::path();
}

} // namespace crosswalk
