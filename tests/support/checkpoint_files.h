#pragma once

#include "core/formats/tensorflow/checkpoint/crc32c.h"
#include "core/formats/tensorflow/checkpoint/tensor_slice.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_files.h"

#include <fmt/format.h>
#include <map>
#include <snappy.h>

namespace crosswalk::test {

// TensorFlow checkpoints in the format of its saver: a sorted table and shards.

inline std::string fixed32(std::uint32_t value)
{
    std::string bytes;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes += static_cast<char>((value >> shift) & 0xffU);
    }
    return bytes;
}

inline std::uint32_t maskedCrcOf(std::string_view bytes)
{
    return tensorflow::maskedCrc(tensorflow::crc32c(std::as_bytes(std::span(bytes))));
}

using TableEntries = std::map<std::string, std::string>;

/// A block of a table. Keys omit the prefix that they share with the previous key.
inline std::string blockOf(const TableEntries& entries)
{
    std::string block;
    std::string last;
    for (const auto& [key, value] : entries) {
        const auto shared = static_cast<std::size_t>(
            std::mismatch(key.begin(), key.end(), last.begin(), last.end()).first - key.begin());
        block += Message().varint(shared).varint(key.size() - shared).varint(value.size()).content();
        block += key.substr(shared) + value;
        last = key;
    }
    return block + fixed32(0) + fixed32(1);
}

/// Appends a block with its compression type and CRC. Returns the handle of its content.
inline std::string appendBlock(std::string& table, std::string block, bool isCompressed = false)
{
    if (isCompressed) {
        std::string packed;
        snappy::Compress(block.data(), block.size(), &packed);
        block = packed;
    }
    const std::string handle = Message().varint(table.size()).varint(block.size()).content();
    block += isCompressed ? '\1' : '\0';
    table += block + fixed32(maskedCrcOf(block));
    return handle;
}

/// A table with one block per group of entries.
inline std::string tableOf(const std::vector<TableEntries>& groups, bool isCompressed = false)
{
    std::string table;
    TableEntries index;
    for (const TableEntries& entries : groups) {
        const std::string handle = appendBlock(table, blockOf(entries), isCompressed);
        index[entries.rbegin()->first + "\x01"] = handle;
    }
    std::string footer = appendBlock(table, blockOf({})) + appendBlock(table, blockOf(index));
    footer.resize(40);
    return table + footer + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
}

/// A tensor of a checkpoint: float32 values or strings.
struct SavedTensor {
    std::vector<std::int64_t> dims;
    std::vector<float> values = {};
    std::vector<std::string> texts = {};
    tensorflow::Slice slice = {}; ///< for a part: its slice of `whole`
    std::vector<std::int64_t> whole = {};
};

struct Checkpoint {
    std::string index;
    std::string data;
};

inline std::string bytesOf(const SavedTensor& tensor)
{
    if (tensor.texts.empty()) {
        return {reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float)};
    }
    Message lengths;
    std::string fixed;
    std::string text;
    for (const std::string& item : tensor.texts) {
        lengths.varint(item.size());
        fixed += fixed32(static_cast<std::uint32_t>(item.size()));
        text += item;
    }
    return lengths.content() + fixed32(maskedCrcOf(fixed)) + text;
}

inline Message sliceProto(const tensorflow::Slice& slice)
{
    Message proto;
    for (std::size_t d = 0; d < slice.start.size(); ++d) {
        Message extent;
        extent.number(1, static_cast<std::uint64_t>(slice.start[d]));
        if (slice.length[d] >= 0) {
            extent.number(2, static_cast<std::uint64_t>(slice.length[d]));
        }
        proto.message(1, extent);
    }
    return proto;
}

/// A checkpoint of one shard.
inline Checkpoint checkpointOf(const std::vector<std::pair<std::string, SavedTensor>>& tensors)
{
    Checkpoint checkpoint;
    TableEntries entries{{"", Message().number(1, std::uint64_t{1}).content()}};
    std::map<std::string, Message> partitioned;
    for (const auto& [name, tensor] : tensors) {
        const std::string bytes = bytesOf(tensor);
        const std::uint64_t type = tensor.texts.empty() ? 1 : 7;
        Message entry;
        entry.number(1, type).message(2, shapeProto(tensor.dims)).number(4, std::uint64_t{checkpoint.data.size()});
        entry.number(5, std::uint64_t{bytes.size()}).fixed32(6, maskedCrcOf(bytes));
        checkpoint.data += bytes;
        if (tensor.whole.empty()) {
            entries[name] = entry.content();
            continue;
        }
        entries[tensorflow::sliceKey(name, tensor.slice)] = entry.content();
        const auto [whole, isNew] = partitioned.try_emplace(name);
        if (isNew) {
            whole->second.number(1, type).message(2, shapeProto(tensor.whole));
        }
        whole->second.message(7, sliceProto(tensor.slice));
    }
    for (const auto& [name, entry] : partitioned) {
        entries[name] = entry.content();
    }
    checkpoint.index = tableOf({entries});
    return checkpoint;
}

inline void write(const TemporaryFiles& files, const Checkpoint& checkpoint, const std::string& prefix = "ckpt")
{
    files.write(prefix + ".index", checkpoint.index);
    files.write(prefix + ".data-00000-of-00001", checkpoint.data);
}

} // namespace crosswalk::test
