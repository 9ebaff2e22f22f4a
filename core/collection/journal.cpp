#include "core/collection/journal.h"

#include "core/base/diagnostic.h"
#include "core/collection/outcome_json.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

} // namespace

std::string fileStamp(const fs::path& path)
{
    std::uint64_t bytes = 0;
    fs::file_time_type newest = fs::file_time_type::min();
    const auto add = [&](const fs::path& file) {
        std::error_code failed;
        const std::uint64_t size = fs::file_size(file, failed);
        bytes += failed ? 0 : size;
        const auto time = fs::last_write_time(file, failed);
        newest = failed ? newest : std::max(newest, time);
    };
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
        for (auto entry = fs::recursive_directory_iterator(path, failed);
             !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
            std::error_code unknown;
            if (entry->is_regular_file(unknown)) {
                add(entry->path());
            }
        }
    } else {
        add(path);
    }
    return fmt::format("{}@{}", bytes, newest.time_since_epoch().count());
}

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
        read(path);
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

void Journal::read(const fs::path& path)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const Json json = Json::parse(line, nullptr, false);
        try {
            if (json.is_object() && json.value("key", "") == m_key) {
                ModelOutcome outcome = outcomeFromJson(json.value("outcome", Json()));
                m_entries.insert_or_assign(outcome.model,
                                           Entry{json.value("stamp", ""), json.value("limits", ""), outcome});
            }
        } catch (const ModelError&) {
            continue; // of another version
        } catch (const Json::exception&) {
            continue;
        }
    }
}

const ModelOutcome* Journal::find(const std::string& model, const std::string& stamp) const
{
    const auto entry = m_entries.find(model);
    if (entry == m_entries.end() || entry->second.stamp != stamp) {
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

void Journal::add(const ModelOutcome& outcome, const std::string& stamp)
{
    // The line end first: it separates the line from one that a killed process did not finish.
    const std::string line =
        "\n" + textOf(Json{{"key", m_key}, {"limits", m_limits}, {"stamp", stamp}, {"outcome", toJson(outcome)}}, -1) +
        "\n";
    const std::lock_guard lock(m_mutex);
    if (::write(m_descriptor, line.data(), line.size()) != static_cast<::ssize_t>(line.size()) ||
        ::fdatasync(m_descriptor) != 0) {
        throw ModelError("unwritable", fmt::format("{}: cannot be written: {}", Journal::path(m_folder).string(),
                                                   std::strerror(errno)));
    }
}

} // namespace crosswalk
