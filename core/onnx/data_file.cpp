#include "core/onnx/data_file.h"

#include "core/base/diagnostic.h"
#include "core/base/folder_entries.h"
#include "core/base/model_source.h"
#include "core/base/process_cleanup.h"
#include "core/base/stale_files.h"
#include "core/onnx/file_parts.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".onnx";
constexpr std::string_view suffix = ".data";
constexpr std::size_t hashDigits = 16;
// FNV-1a's constants, for words of 64 bits.
constexpr std::uint64_t hashStart = 0xcbf29ce484222325U;
constexpr std::uint64_t hashFactor = 0x100000001b3U;

fs::path plainName(const fs::path& onnx)
{
    fs::path name = onnx;
    name += suffix;
    return name;
}

/// Through links, as OutputFile does.
fs::path followed(const fs::path& path)
{
    std::error_code error;
    const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
    return error ? path : target;
}

std::vector<fs::path> filesBeside(const fs::path& path)
{
    std::vector<fs::path> files;
    for (const fs::path& entry : entriesOf(path.parent_path())) {
        if (std::error_code failed; fs::is_regular_file(entry, failed)) {
            files.push_back(entry);
        }
    }
    return files;
}

/// Whether an ONNX file has weights in this file of its folder. Nodes may have some as well, so a node that only
/// contains the name counts. Nothing if the ONNX file cannot be read.
std::optional<bool> refersTo(const fs::path& onnx, const std::string& name)
{
    try {
        const auto source = ModelSource::at(onnx);
        if (source->main() == nullptr) { // a folder
            return std::nullopt;
        }
        const FileIndex index(*source);
        const auto bytes = source->main()->bytes();
        const auto isInWeight = [&](const FileIndex::Part& part) {
            const auto record = scanTensor(bytes, part.begin, part.end);
            return std::ranges::any_of(record.stub.external_data(), [&](const auto& entry) {
                return entry.key() == "location" && fs::path(entry.value()).filename() == name;
            });
        };
        const auto isInNode = [&](const FileIndex::Part& part) {
            const std::string_view node(reinterpret_cast<const char*>(bytes.data()) + part.begin,
                                        part.end - part.begin);
            return node.find(name) != std::string_view::npos;
        };
        return std::ranges::any_of(index.initializers(), isInWeight) || std::ranges::any_of(index.nodes(), isInNode);
    } catch (const ModelError&) {
        return std::nullopt;
    }
}

/// Whether another model in the folder of an ONNX file, such as an older one that was renamed, may have its weights in
/// a data file of this ONNX file.
bool isUsedByOther(const fs::path& onnx, const fs::path& data)
{
    std::error_code ignored;
    const fs::path own = fs::canonical(onnx, ignored);
    return std::ranges::any_of(filesBeside(onnx), [&](const fs::path& file) {
        const std::string name = file.filename().string();
        const bool isModel = name.find(extension) != std::string::npos && !name.ends_with(suffix) && // or "m.onnx.bak"
                             !name.ends_with(temporarySuffix);
        return isModel && (own.empty() || fs::canonical(file, ignored) != own) &&
               refersTo(file, data.filename().string()).value_or(file.extension() == extension);
    });
}

} // namespace

bool isDataFileOf(const fs::path& onnx, const fs::path& file)
{
    const std::string name = file.filename().string();
    const std::string start = onnx.filename().string();
    if (!name.starts_with(start) || !name.ends_with(suffix) || name.size() < start.size() + suffix.size()) {
        return false;
    }
    const auto middle = std::string_view(name).substr(start.size(), name.size() - start.size() - suffix.size());
    return middle.empty() || (middle.size() == hashDigits + 1 && middle[0] == '.' &&
                              middle.substr(1).find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

DataFile::DataFile(const fs::path& onnx)
    : m_onnx(followed(onnx))
    , m_file(plainName(m_onnx))
    , m_isHashed(fs::exists(plainName(m_onnx)))
    , m_hash(hashStart)
{
}

DataFile::~DataFile()
{
    if (m_isOwned) {
        std::error_code ignored;
        fs::remove(m_path, ignored);
        dropTemporary(m_path);
    }
}

void DataFile::write(std::span<const std::byte> bytes)
{
    addToHash(bytes);
    m_file.write(bytes);
}

void DataFile::align(std::uint64_t alignment)
{
    m_file.align(alignment); // zeros, whose number follows from what is written before
}

void DataFile::addToHash(std::span<const std::byte> bytes)
{
    if (!m_isHashed) {
        return;
    }
    const auto add = [this](std::uint64_t word) {
        m_hash = std::rotl((m_hash ^ word) * hashFactor, 23); // rotated, because products carry upwards only
    };
    for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), (8 - m_count % 8) % 8))) {
        m_word = m_word << 8U | std::to_integer<std::uint64_t>(byte);
        if (++m_count % 8 == 0) {
            add(m_word);
        }
        bytes = bytes.subspan(1);
    }
    while (bytes.size() >= sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        add(word);
        m_count += sizeof word;
        bytes = bytes.subspan(sizeof word);
    }
    for (const std::byte byte : bytes) {
        m_word = m_word << 8U | std::to_integer<std::uint64_t>(byte);
        ++m_count;
    }
}

void DataFile::publish()
{
    m_file.flush();
    m_path = plainName(m_onnx);
    if (m_isHashed) {
        const std::uint64_t hash = (m_hash ^ m_word ^ m_file.size()) * hashFactor;
        m_path = m_onnx;
        m_path += fmt::format(".{:016x}{}", hash ^ hash >> 32U, suffix);
    }
    std::error_code ignored;
    if (m_isHashed && fs::exists(m_path, ignored) && fs::file_size(m_path, ignored) == m_file.size()) {
        return; // the same content
    }
    const auto lock = cleanupLock();
    m_file.publish(m_path);
    m_isOwned = true;
    addTemporary(m_path);
}

void DataFile::keep()
{
    if (m_isOwned) {
        dropTemporary(m_path);
        m_isOwned = false;
    }
}

std::vector<fs::path> replacedDataFiles(const fs::path& onnx, std::span<const fs::path> kept)
{
    const fs::path target = followed(onnx);
    std::vector<fs::path> replaced;
    for (const fs::path& file : filesBeside(target)) {
        const bool isPlain = file.filename() == plainName(target).filename();
        const bool isKept = std::ranges::any_of(kept, [&](const fs::path& other) {
            std::error_code failed;
            return fs::equivalent(other, file, failed);
        });
        if (isDataFileOf(target, file) && !isKept &&
            (!isPlain || refersTo(target, file.filename().string()).value_or(false)) && !isUsedByOther(target, file)) {
            replaced.push_back(file);
        }
    }
    return replaced;
}

void removeDataFiles(std::span<const fs::path> files)
{
    for (const fs::path& file : files) {
        if (isUnused(file)) {
            std::error_code ignored;
            fs::remove(file, ignored);
        }
    }
}

} // namespace crosswalk
