#include "core/collection/find_models.h"

#include "core/base/check_stop.h"
#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/formats/read_model.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

/// A path as the name of a model in a collection: without parts that lead out of a folder.
fs::path nameOf(const fs::path& path)
{
    fs::path name;
    for (const fs::path& part : path.lexically_normal().relative_path()) {
        if (part != "..") {
            name /= part;
        }
    }
    return name;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    constexpr std::string_view spaces = " \t";
    std::vector<std::string> words;
    for (std::size_t begin = text.find_first_not_of(spaces); begin != std::string_view::npos;
         begin = text.find_first_not_of(spaces)) {
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find_first_of(spaces), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

std::vector<fs::path> subfolders(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code failed;
    for (auto entry = fs::directory_iterator(folder, failed); !failed && entry != fs::directory_iterator();
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        std::error_code unknown;
        if (!name.starts_with('.') && entry->is_directory(unknown) && !entry->is_symlink(unknown)) {
            found.push_back(entry->path());
        }
    }
    return found;
}

} // namespace

std::vector<CollectionModel> findModels(const fs::path& folder, const std::stop_token& stop)
{
    std::vector<CollectionModel> models;
    std::vector<fs::path> open{folder};
    while (!open.empty()) {
        checkStop(stop);
        const fs::path next = std::move(open.back());
        open.pop_back();
        if (next != folder && isModelFolder(next)) {
            models.push_back({next, next.lexically_relative(folder)});
            continue;
        }
        for (const fs::path& model : modelsIn(next, std::numeric_limits<std::size_t>::max(), stop)) {
            models.push_back({model, model.lexically_relative(folder)});
        }
        for (fs::path& subfolder : subfolders(next)) {
            open.push_back(std::move(subfolder));
        }
    }
    std::ranges::sort(models, {}, &CollectionModel::name);
    return models;
}

std::vector<CollectionModel> listedModels(const fs::path& list)
{
    const auto file = MappedFile::open(list);
    const auto bytes = file->bytes();
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::vector<CollectionModel> models;
    std::set<fs::path> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        const std::size_t tab = std::min(line.find('\t'), line.size());
        const std::string_view path = line.substr(0, tab);
        if (const fs::path name = nameOf(path); names.insert(name).second) {
            models.push_back({list.parent_path() / path, name, wordsOf(line.substr(tab))});
        }
    }
    if (models.empty()) {
        throw ModelError("damaged", "lists no models", "write one path on each line");
    }
    return models;
}

} // namespace crosswalk
