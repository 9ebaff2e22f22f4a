#include "core/collection/journal.h"

#include "core/base/diagnostic.h"
#include "core/base/folder_entries.h"
#include "core/collection/outcome_json.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

/// The size and the time of a file, or of all files of a folder.
void addStamp(const fs::path& path, std::vector<std::string>& stamps)
{
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
        for (auto entry = fs::recursive_directory_iterator(path, failed);
             !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
            std::error_code unknown;
            if (entry->is_regular_file(unknown)) {
                addStamp(entry->path(), stamps);
            }
        }
        return;
    }
    const std::uint64_t size = fs::file_size(path, failed);
    const auto time = failed ? fs::file_time_type::min() : fs::last_write_time(path, failed);
    stamps.push_back(failed ? path.string() + " is absent"
                            : fmt::format("{} {}@{}", path.string(), size, time.time_since_epoch().count()));
}

/// Where the files of a model are not known, its weights may be any file beside it. Hidden ones change with each model:
/// the journal is one.
void addStampsBeside(const fs::path& model, std::vector<std::string>& stamps)
{
    for (const fs::path& entry : entriesOf(model.parent_path())) {
        std::error_code unknown;
        if (!entry.filename().string().starts_with('.') && fs::is_regular_file(entry, unknown)) {
            addStamp(entry, stamps);
        }
    }
}

/// Changes with the options of a model and with its files (see Journal::add).
std::string stampOf(const CollectionModel& model, const std::vector<std::string>& files)
{
    const fs::path path = fs::absolute(model.path).lexically_normal();
    std::vector<std::string> stamps;
    addStamp(path, stamps);
    for (const std::string& file : files) {
        addStamp(file, stamps);
    }
    if (files.empty()) {
        addStampsBeside(path, stamps);
    }
    std::ranges::sort(stamps);
    const std::size_t hash = std::hash<std::string>()(fmt::format("{}", fmt::join(stamps, "\n")));
    return fmt::format("{:016x} {}", hash, fmt::join(model.options, " "));
}

} // namespace

fs::path Journal::path(const fs::path& outputFolder)
{
    return outputFolder / ".crosswalk-journal.jsonl";
}

Journal::Journal(const fs::path& outputFolder, std::string key, std::string limits, bool resume)
    : m_folder(outputFolder)
    , m_key(std::move(key))
    , m_limits(std::move(limits))
{
    const fs::path path = Journal::path(outputFolder);
    if (resume) {
        m_entries = read(path, m_key);
    }
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (resume ? 0 : O_TRUNC);
    m_descriptor = ::open(path.c_str(), flags, 0666);
    if (m_descriptor < 0) {
        throw ModelError("unwritable", fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
    }
}

Journal::~Journal()
{
    ::close(m_descriptor);
}

std::map<std::string, Journal::Entry> Journal::read(const fs::path& path, const std::optional<std::string>& key)
{
    std::map<std::string, Entry> entries;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const Json json = Json::parse(line, nullptr, false);
        try {
            if (json.is_object() && (!key || json.value("key", "") == *key)) {
                ModelOutcome outcome = outcomeFromJson(json.value("outcome", Json()));
                entries.insert_or_assign(outcome.model,
                                         Entry{json.value("files", std::vector<std::string>()), json.value("stamp", ""),
                                               json.value("limits", ""), outcome});
            }
        } catch (const ModelError&) {
            continue; // of another version
        } catch (const Json::exception&) {
            continue;
        }
    }
    return entries;
}

std::set<fs::path> Journal::outputs(const fs::path& outputFolder)
{
    std::set<fs::path> written;
    for (const auto& [model, entry] : read(path(outputFolder), std::nullopt)) {
        if (!entry.outcome.output.empty() && entry.outcome.output != model) {
            written.insert(entry.outcome.output);
        }
    }
    return written;
}

const ModelOutcome* Journal::find(const CollectionModel& model) const
{
    const auto entry = m_entries.find(model.name.generic_string());
    if (entry == m_entries.end() || entry->second.stamp != stampOf(model, entry->second.files)) {
        return nullptr;
    }
    const ModelOutcome& outcome = entry->second.outcome;
    const bool reachedLimit = outcome.outcome == Outcome::TimedOut || outcome.outcome == Outcome::OutOfMemory ||
                              outcome.outcome == Outcome::Crashed;
    if (outcome.outcome == Outcome::NotWritable || (reachedLimit && entry->second.limits != m_limits)) {
        return nullptr;
    }
    std::error_code failed;
    return outcome.output.empty() || fs::exists(m_folder / outcome.output, failed) ? &outcome : nullptr;
}

void Journal::add(const CollectionModel& model, const ModelOutcome& outcome, const std::vector<std::string>& files)
{
    const Json json{{"key", m_key},
                    {"limits", m_limits},
                    {"files", files},
                    {"stamp", stampOf(model, files)},
                    {"outcome", toJson(outcome)}};
    // The line end first: it separates the line from one that a killed process did not finish.
    const std::string line = "\n" + textOf(json, -1) + "\n";
    const std::lock_guard lock(m_mutex);
    if (::write(m_descriptor, line.data(), line.size()) != static_cast<::ssize_t>(line.size()) ||
        ::fdatasync(m_descriptor) != 0) {
        throw ModelError("unwritable", fmt::format("{}: cannot be written: {}", Journal::path(m_folder).string(),
                                                   std::strerror(errno)));
    }
}

} // namespace crosswalk
