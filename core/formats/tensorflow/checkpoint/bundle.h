#pragma once

#include "core/base/diagnostic.h"
#include "core/base/model_source.h"
#include "core/formats/tensorflow/checkpoint/bundle_entry.h"
#include "core/graph/tensor.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace crosswalk::tensorflow {

/// A checkpoint of TensorFlow, version 2: `<prefix>.index` and `<prefix>.data-SSSSS-of-NNNNN`, mapped. Opening reads
/// the index and checks the CRCs of its blocks; a shard is opened when one of its tensors is requested.
class Bundle {
public:
    /// `prefix` is relative to the source's root; the source must outlive the bundle, tensors do not depend on either.
    /// Throws ModelError "unreadable" without an index, "truncated", "damaged", "unsupported-checkpoint" (big-endian,
    /// or of a later version). Messages name the file, and the key if there is one.
    Bundle(const ModelSource& source, std::string prefix);

    const std::map<std::string, BundleEntry, std::less<>>& entries() const { return m_entries; }
    /// Null if there is none.
    const BundleEntry* find(std::string_view key) const;

    /// The tensor under a key, which must exist; numbers stay in the file. Throws ModelError as above, and if a shard
    /// is missing or too short, sizes do not fit, or parts overlap or leave a gap.
    Tensor tensor(std::string_view key) const;
    /// A part of it.
    Tensor tensor(std::string_view key, const ShapeAndSlice& part) const;
    /// Reads all bytes of a tensor that tensor() has returned. Throws ModelError "damaged" with file, key and offset if
    /// the CRC is wrong.
    void checkCrc(std::string_view key) const;
    /// The number of bytes that checkCrc() reads.
    std::uint64_t storedBytes(std::string_view key) const;

private:
    void readIndex();
    void addEntry(std::string_view key, std::string_view value);
    void readHeader(std::string_view value);
    std::shared_ptr<const SourceFile> shardFile(std::int64_t index) const;
    Tensor stored(std::string_view key, const BundleEntry& entry) const;
    Tensor strings(std::string_view key, const BundleEntry& entry, const SourceFile& file) const;
    Tensor assembledOf(std::string_view key, const BundleEntry& entry) const;
    void forEachPart(std::string_view key,
                     const std::function<void(const std::string& partKey, const BundleEntry& part)>& use) const;
    std::string shardName(std::int64_t index) const;
    [[noreturn]] void fail(Code code, std::string_view file, std::string_view key, const std::string& what) const;

    const ModelSource& m_source;
    std::string m_prefix;
    std::int64_t m_shardCount = 0;
    std::map<std::string, BundleEntry, std::less<>> m_entries;
    mutable std::map<std::int64_t, std::shared_ptr<const SourceFile>> m_shards;
    mutable std::map<const BundleEntry*, Tensor> m_tensors;
    mutable std::map<std::int64_t, std::uint64_t> m_stringBytes; ///< of a shard, that strings were read from
};

} // namespace crosswalk::tensorflow
