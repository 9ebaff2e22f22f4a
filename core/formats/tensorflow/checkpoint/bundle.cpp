#include "core/formats/tensorflow/checkpoint/bundle.h"

#include "core/formats/tensorflow/checkpoint/assembled_tensor.h"
#include "core/formats/tensorflow/checkpoint/crc32c.h"
#include "core/formats/tensorflow/checkpoint/string_table.h"
#include "core/formats/tensorflow/checkpoint/string_tensor.h"
#include "core/formats/tensorflow/tensor_proto.h"

#include <cassert>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Keys are paths of variables; prefix compression lets a small file describe huge ones.
constexpr std::size_t longestKey = 4096;
/// The version of the format that this reader implements.
constexpr std::int64_t version = 1;

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

/// Key for messages: that of a part is binary.
std::string_view readableKey(std::string_view key)
{
    return key.starts_with('\0') ? std::string_view("a part of a partitioned variable") : key;
}

} // namespace

Bundle::Bundle(const ModelSource& source, std::string prefix)
    : m_source(source)
    , m_prefix(std::move(prefix))
{
    readIndex();
}

void Bundle::fail(Code code, std::string_view file, std::string_view key, const std::string& what) const
{
    throw ModelError(code, key.empty() ? fmt::format("{}: {}", file, what)
                                       : fmt::format("{}: {}: {}", file, readableKey(key), what));
}

void Bundle::readIndex()
{
    const std::string name = m_prefix + ".index";
    const auto file = m_source.open(name);
    std::size_t keyBytes = 0;
    bool hasHeader = false;
    try {
        readTable(*file, [&](std::string_view key, std::string_view value) {
            m_source.checkStop();
            keyBytes += key.size();
            if (key.size() > longestKey || keyBytes > (std::size_t{1} << 20U) + 64 * file->bytes().size()) {
                throw ModelError("damaged", "the keys are too long for a file of this size");
            }
            if (key.empty()) {
                readHeader(value);
                hasHeader = true;
            } else {
                addEntry(key, value);
            }
        });
        if (!hasHeader) {
            throw ModelError("damaged", "the index of a checkpoint has no header",
                             "checkpoints of version 1, which TensorFlow wrote before 0.12, cannot be read");
        }
    } catch (ModelError& error) {
        error.diagnostic.message = fmt::format("{}: {}", name, error.diagnostic.message);
        throw;
    }
}

void Bundle::readHeader(std::string_view value)
{
    const auto bytes = bytesOf(value);
    WireReader reader(bytes, 0, bytes.size());
    for (WireField part; reader.next(part);) {
        if (part.number == 1) {
            m_shardCount = integerOf(part);
        } else if (part.number == 2 && integerOf(part) != 0) {
            throw ModelError("unsupported-checkpoint", "the checkpoint was written on a big-endian machine");
        } else if (part.number == 3) {
            WireReader versions = messageOf(bytes, part);
            for (WireField inner; versions.next(inner);) {
                if (inner.number == 2 && integerOf(inner) > version) {
                    throw ModelError("unsupported-checkpoint",
                                     fmt::format("the checkpoint needs version {} of the format", integerOf(inner)));
                }
            }
        }
    }
}

void Bundle::addEntry(std::string_view key, std::string_view value)
{
    try {
        m_entries.emplace(key, parseBundleEntry(bytesOf(value)));
    } catch (ModelError& error) {
        error.diagnostic.message = fmt::format("{}: {}", readableKey(key), error.diagnostic.message);
        throw;
    }
}

const BundleEntry* Bundle::find(std::string_view key) const
{
    const auto entry = m_entries.find(key);
    return entry != m_entries.end() ? &entry->second : nullptr;
}

std::string Bundle::shardName(std::int64_t index) const
{
    return fmt::format("{}.data-{:05}-of-{:05}", m_prefix, index, m_shardCount);
}

std::shared_ptr<const SourceFile> Bundle::shardFile(std::int64_t index) const
{
    auto& file = m_shards[index];
    if (file == nullptr) {
        file = m_source.open(shardName(index));
    }
    return file;
}

Tensor Bundle::tensor(std::string_view key) const
{
    const BundleEntry* entry = find(key);
    assert(entry != nullptr);
    const auto known = m_tensors.find(entry);
    if (known != m_tensors.end()) { // several variables can have the same value
        return known->second;
    }
    return m_tensors[entry] = entry->slices.empty() ? stored(key, *entry) : assembledOf(key, *entry);
}

/// Calls `use` for each part of a partitioned tensor that is stored.
void Bundle::forEachPart(std::string_view key,
                         const std::function<void(const std::string& partKey, const BundleEntry& part)>& use) const
{
    for (const Slice& slice : find(key)->slices) {
        const std::string partKey = sliceKey(key, slice);
        const BundleEntry* part = find(partKey);
        if (part != nullptr && part->slices.empty()) {
            use(partKey, *part);
        }
    }
}

Tensor Bundle::assembledOf(std::string_view key, const BundleEntry& entry) const
{
    if (entry.slices.size() > mostParts) {
        fail("damaged", m_prefix + ".index", key, fmt::format("a tensor of {} parts", entry.slices.size()));
    }
    std::vector<TensorPart> parts;
    for (const Slice& slice : entry.slices) {
        const std::string partKey = sliceKey(key, slice);
        const BundleEntry* part = find(partKey);
        if (part == nullptr || !part->slices.empty()) {
            fail("damaged", m_prefix + ".index", key,
                 fmt::format("the part {} is {}", toString(slice), part == nullptr ? "missing" : "itself in parts"));
        }
        parts.push_back({slice, tensor(partKey)});
    }
    try {
        return assembled(elementType(entry.type), entry.dims, std::move(parts));
    } catch (const ModelError& error) {
        fail(error.diagnostic.code, m_prefix + ".index", key, error.diagnostic.message);
    }
}

Tensor Bundle::tensor(std::string_view key, const ShapeAndSlice& part) const
{
    const BundleEntry* entry = find(key);
    assert(entry != nullptr);
    if (entry->dims != part.shape || !sizesOf(part.slice, entry->dims)) {
        fail("damaged", m_prefix + ".index", key,
             fmt::format("the graph reads the part {}, which belongs to another shape", toString(part.slice)));
    }
    // The usual case: the stored part is the requested one.
    const std::string partKey = sliceKey(key, part.slice);
    if (const BundleEntry* exact = find(partKey); exact != nullptr && exact->slices.empty()) {
        return tensor(partKey);
    }
    return partOf(tensor(key), part.slice);
}

Tensor Bundle::stored(std::string_view key, const BundleEntry& entry) const
{
    if (entry.shard < 0 || entry.shard >= m_shardCount) {
        fail("damaged", m_prefix + ".index", key, fmt::format("it is in shard {} of {}", entry.shard, m_shardCount));
    }
    const std::string name = shardName(entry.shard);
    const auto file = shardFile(entry.shard);
    if (entry.offset > file->bytes().size() || entry.size > file->bytes().size() - entry.offset) {
        fail("truncated", name, key,
             fmt::format("{} bytes are needed at offset {}, but the file has {}", static_cast<std::int64_t>(entry.size),
                         static_cast<std::int64_t>(entry.offset), file->bytes().size()));
    }
    const ElementType type = elementType(entry.type);
    if (type == ElementType::String) {
        return strings(key, entry, *file);
    }
    if (byteSize(type) == 0) {
        fail("unsupported-type", name, key,
             fmt::format("values of type {} are not supported", dataTypeName(entry.type)));
    }
    const std::uint64_t size = elementCount(type, {.hasRank = true, .dims = entry.dims}) * byteSize(type);
    if (entry.size != size) {
        fail("damaged", name, key,
             fmt::format("{} bytes at offset {}, but its type and shape require {}", entry.size, entry.offset, size));
    }
    return {type, entry.dims, {{file, entry.offset, size}}};
}

/// Strings are copied into memory, so that tensors that share their bytes would take any amount of it.
Tensor Bundle::strings(std::string_view key, const BundleEntry& entry, const SourceFile& file) const
{
    std::uint64_t& read = m_stringBytes[entry.shard];
    if (entry.size > file.bytes().size() - read) {
        fail("damaged", shardName(entry.shard), key, "its strings overlap those of another tensor");
    }
    read += entry.size;
    try {
        return readStrings(file, entry);
    } catch (const ModelError& error) {
        fail(error.diagnostic.code, shardName(entry.shard), key, error.diagnostic.message);
    }
}

std::uint64_t Bundle::storedBytes(std::string_view key) const
{
    const BundleEntry* entry = find(key);
    assert(entry != nullptr);
    std::uint64_t bytes = entry->slices.empty() ? entry->size : 0;
    forEachPart(key, [&](const std::string&, const BundleEntry& part) { bytes += part.size; });
    return bytes;
}

void Bundle::checkCrc(std::string_view key) const
{
    const BundleEntry* entry = find(key);
    assert(entry != nullptr);
    forEachPart(key, [this](const std::string& partKey, const BundleEntry&) { checkCrc(partKey); });
    if (!entry->slices.empty() || elementType(entry->type) == ElementType::String) {
        return; // the CRC of strings covers other bytes than the file's; that of their lengths is already checked
    }
    const Tensor tensor = stored(key, *entry);
    std::uint32_t crc = 0;
    tensor.stream([&](std::span<const std::byte> bytes) {
        m_source.checkStop();
        crc = crc32c(bytes, crc);
        return true;
    });
    if (maskedCrc(crc) != entry->crc) {
        fail("damaged", shardName(entry->shard), key,
             fmt::format("the {} bytes at offset {} have a wrong CRC", entry->size, entry->offset));
    }
}

} // namespace crosswalk::tensorflow
