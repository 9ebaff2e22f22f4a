#include "core/collection/find_models.h"

#include "core/base/check_stop.h"
#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/collection/journal.h"
#include "core/formats/read_model.h"
#include "core/verify/data_sets.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
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

/// The name of a path, in a numbered folder if another model has that name: "x/net.onnx" and "../x/net.onnx".
fs::path uniqueName(const fs::path& path, std::set<fs::path>& taken)
{
    const fs::path name = nameOf(path);
    fs::path unique = name;
    for (int i = 2; !taken.insert(unique).second; ++i) {
        unique = std::to_string(i) / name;
    }
    return unique;
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

bool isHidden(const fs::path& path)
{
    return path.filename().string().starts_with('.');
}

/// Whether an entry of a folder is a model by its name, which its content does not confirm: a damaged file, or one that
/// cannot be read, such as a link to a file that is gone.
bool isDamagedModel(const fs::directory_entry& entry)
{
    std::error_code unknown;
    const fs::file_status status = entry.status(unknown);
    return (fs::is_regular_file(status) || !fs::exists(status)) && !isHidden(entry.path()) &&
           hasModelName(entry.path()) && !dataFolderOf(entry.path());
}

bool isSubfolder(const fs::directory_entry& entry)
{
    std::error_code unknown;
    return !isHidden(entry.path()) && entry.is_directory(unknown) && !entry.is_symlink(unknown);
}

fs::path normalPath(const fs::path& path)
{
    return fs::absolute(path).lexically_normal();
}

/// The ONNX files that an earlier run wrote to a folder.
std::set<fs::path> writtenBefore(const fs::path& output)
{
    std::set<fs::path> written;
    if (!output.empty()) {
        for (const fs::path& file : Journal::outputs(output)) {
            written.insert(normalPath(output / file));
        }
    }
    return written;
}

} // namespace

std::vector<CollectionModel> findModels(const fs::path& folder, const std::stop_token& stop, const fs::path& output)
{
    std::vector<fs::path> models;
    std::vector<fs::path> open{folder};
    while (!open.empty()) {
        checkStop(stop);
        const fs::path next = std::move(open.back());
        open.pop_back();
        std::error_code failed;
        auto entry = fs::directory_iterator(next, failed);
        if (failed && next == folder) {
            throw ModelError("unreadable", fmt::format("cannot be read: {}", failed.message()));
        }
        const bool isOne = !failed && isModel(next);
        if (failed || (isOne && next != folder)) {
            models.push_back(next); // the conversion of one that cannot be read reports why
            continue;
        }
        std::vector<fs::path> found = modelsIn(next, std::numeric_limits<std::size_t>::max(), stop);
        std::erase_if(found, isHidden); // such as the journal of a run
        const std::set<fs::path> recognised(found.begin(), found.end());
        for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
            std::error_code unknown;
            if (isSubfolder(*entry)) {
                if (!fs::equivalent(entry->path(), output, unknown)) {
                    open.push_back(entry->path());
                }
            } else if (!isOne && !recognised.contains(entry->path()) && isDamagedModel(*entry)) {
                found.push_back(entry->path());
            }
        }
        std::ranges::move(found, std::back_inserter(models));
    }
    const std::set<fs::path> written = writtenBefore(output);
    std::erase_if(models, [&](const fs::path& model) { return written.contains(normalPath(model)); });
    std::vector<CollectionModel> named;
    for (fs::path& model : models) {
        fs::path name = model.lexically_relative(folder);
        named.push_back({std::move(model), std::move(name)});
    }
    std::ranges::sort(named, {}, &CollectionModel::name);
    return named;
}

std::vector<CollectionModel> listedModels(const fs::path& list)
{
    const auto file = MappedFile::open(list);
    const auto bytes = file->bytes();
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (isModel(list)) {
        throw ModelError("usage", "is a model, not a list of models", "convert a single model without --batch");
    }
    if (text.find('\0') != std::string_view::npos) {
        throw ModelError("damaged", "is neither a folder nor a text file that lists models");
    }
    std::vector<CollectionModel> models;
    std::set<fs::path> names;
    std::map<fs::path, std::size_t> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
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
        CollectionModel model{list.parent_path() / path, uniqueName(path, names), wordsOf(line.substr(tab))};
        const auto [first, isNew] = lines.emplace(normalPath(model.path), number);
        if (!isNew) {
            throw ModelError("damaged", fmt::format("line {}: {} is on line {} already", number, path, first->second),
                             "list each model once");
        }
        models.push_back(std::move(model));
    }
    if (models.empty()) {
        throw ModelError("damaged", "lists no models", "write one path on each line");
    }
    return models;
}

} // namespace crosswalk
