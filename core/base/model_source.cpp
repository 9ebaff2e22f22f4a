#include "core/base/model_source.h"

#include "core/base/check_stop.h"
#include "core/base/zip_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

/// A model's folder contains a few files, or some hundreds of shards. A folder with more files is not a model.
constexpr std::size_t maxFiles = 100'000;

[[noreturn]] void refuse(std::string_view name, std::string_view why)
{
    throw ModelError("damaged", fmt::format("'{}' {}", name.substr(0, 200), why),
                     "only files inside the model's folder are read");
}

/// Whether a path stays in the folder that it is relative to. Does not resolve links.
bool staysInside(const fs::path& path)
{
    return path.is_relative() && path.native().find('\0') == std::string::npos &&
           std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

bool isInside(const fs::path& folder, const fs::path& path)
{
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// Adds the names, relative to `root`, of the files that `Iterator` finds in `folder`. Skips unreadable folders.
template <typename Iterator>
void addFiles(const fs::path& root, const fs::path& folder, std::string_view prefix, std::vector<std::string>& names)
{
    std::error_code error;
    std::size_t seen = 0;
    for (Iterator entry(folder, fs::directory_options::skip_permission_denied, error); !error && entry != Iterator();
         entry.increment(error)) {
        if (++seen > maxFiles && std::is_same_v<Iterator, fs::recursive_directory_iterator>) {
            throw ModelError("unreadable", fmt::format("has more than {} files, too many for a model", maxFiles));
        }
        std::error_code ignored;
        std::string name = entry->path().lexically_relative(root).generic_string();
        if (name.starts_with(prefix) && entry->is_regular_file(ignored)) {
            names.push_back(std::move(name));
        }
    }
}

} // namespace

/// Shared by a source and its detached() copies.
struct ModelSource::Content {
    Kind kind = Kind::File;
    fs::path path;
    fs::path root;
    std::shared_ptr<const SourceFile> main;
    std::unique_ptr<const ZipArchive> archive;
    std::optional<ModelError> archiveProblem;
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<const SourceFile>, std::less<>> opened; ///< files in use are not opened twice

    /// Null if the source is not an archive. Throws if the archive is damaged.
    const ZipArchive* readable() const
    {
        if (archiveProblem) {
            throw ModelError(*archiveProblem);
        }
        return archive.get();
    }
    fs::path folder() const { return root.empty() ? fs::path(".") : root; }
    std::shared_ptr<const SourceFile> openFile(std::string_view name) const;
};

std::shared_ptr<const SourceFile> ModelSource::Content::openFile(std::string_view name) const
{
    std::error_code error;
    const fs::path inside = fs::canonical(folder(), error);
    const fs::path target = error ? fs::path() : fs::canonical(inside / name, error);
    if (error) {
        throw ModelError("unreadable", fmt::format("'{}' cannot be read: {}", name.substr(0, 200), error.message()));
    }
    if (!isInside(inside, target)) {
        refuse(name, "is a link that leads out of the model's folder");
    }
    try {
        return SourceFile::open(target, std::string(name));
    } catch (ModelError& problem) {
        problem.diagnostic.message = fmt::format("'{}' {}", name.substr(0, 200), problem.diagnostic.message);
        throw;
    }
}

ModelSource::ModelSource(std::shared_ptr<Content> content, std::stop_token stop, Progress progress, bool allowLarge)
    : m_content(std::move(content))
    , m_stop(std::move(stop))
    , m_progress(std::move(progress))
    , m_allowLarge(allowLarge)
{
}

std::shared_ptr<const ModelSource> ModelSource::at(const fs::path& path, std::stop_token stop, Progress progress,
                                                   bool allowLarge)
{
    auto content = std::make_shared<Content>();
    content->path = path;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        content->kind = Kind::Folder;
        content->root = path;
    } else {
        content->main = SourceFile::open(path);
        content->root = path.parent_path();
        if (ZipArchive::matches(content->main->bytes())) {
            content->kind = Kind::Archive;
            content->root = path;
            try {
                content->archive = std::make_unique<const ZipArchive>(content->main);
            } catch (const ModelError& problem) {
                content->archiveProblem = problem;
            }
        }
    }
    return std::shared_ptr<const ModelSource>(
        new ModelSource(std::move(content), std::move(stop), std::move(progress), allowLarge));
}

std::shared_ptr<const ModelSource> ModelSource::detached() const
{
    return std::shared_ptr<const ModelSource>(new ModelSource(m_content, {}, {}, m_allowLarge));
}

ModelSource::Kind ModelSource::kind() const
{
    return m_content->kind;
}

const fs::path& ModelSource::path() const
{
    return m_content->path;
}

const fs::path& ModelSource::root() const
{
    return m_content->root;
}

const std::shared_ptr<const SourceFile>& ModelSource::main() const
{
    return m_content->main;
}

bool ModelSource::contains(std::string_view name) const
{
    if (const ZipArchive* archive = m_content->readable()) {
        return archive->find(name) != nullptr;
    }
    std::error_code ignored;
    return staysInside(name) && fs::is_regular_file(m_content->folder() / name, ignored);
}

std::vector<std::string> ModelSource::list(std::string_view prefix) const
{
    std::vector<std::string> names;
    if (const ZipArchive* archive = m_content->readable()) {
        names = archive->names();
        std::erase_if(names, [&](const std::string& name) { return !name.starts_with(prefix); });
        return names;
    }
    if (!staysInside(prefix)) {
        return names;
    }
    const fs::path folder = m_content->folder() / fs::path(prefix).parent_path();
    if (m_content->kind == Kind::Folder) {
        addFiles<fs::recursive_directory_iterator>(m_content->folder(), folder, prefix, names);
    } else {
        addFiles<fs::directory_iterator>(m_content->folder(), folder, prefix, names);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::shared_ptr<const SourceFile> ModelSource::open(std::string_view name) const
{
    if (name.empty() || !staysInside(name)) {
        refuse(name, "is not a path inside the model's folder");
    }
    const std::lock_guard lock(m_content->mutex);
    const auto known = m_content->opened.find(name);
    if (known != m_content->opened.end()) {
        if (auto file = known->second.lock()) {
            return file;
        }
    }
    std::shared_ptr<const SourceFile> file;
    if (const ZipArchive* archive = m_content->readable()) {
        const ZipMember* member = archive->find(name);
        if (member == nullptr) {
            throw ModelError("unreadable", fmt::format("'{}' is not in the archive", name.substr(0, 200)));
        }
        file = archive->open(*member, m_stop);
    } else {
        file = m_content->openFile(name);
    }
    m_content->opened[std::string(name)] = file;
    return file;
}

void ModelSource::checkStop() const
{
    crosswalk::checkStop(m_stop);
}

void ModelSource::progress(double fraction) const
{
    if (m_progress) {
        m_progress(fraction);
    }
}

} // namespace crosswalk
