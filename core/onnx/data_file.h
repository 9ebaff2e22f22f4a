#pragma once

#include "core/base/output_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace crosswalk {

/// Whether a file has a name that DataFile gives the weights of this ONNX file: `m.onnx.data`, or `m.onnx.<hash>.data`
/// with a hash of 16 hexadecimal digits.
bool isDataFileOf(const std::filesystem::path& onnx, const std::filesystem::path& file);

/// The weights of an ONNX file that is written. They never replace the weights of the older file of that name, so that
/// each of the two models has its own weights at any time: where `m.onnx.data` exists, the name contains a hash of the
/// content.
class DataFile {
public:
    explicit DataFile(const std::filesystem::path& onnx);
    /// Removes the file, unless keep() was called.
    ~DataFile();
    DataFile(const DataFile&) = delete;
    DataFile& operator=(const DataFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void align(std::uint64_t alignment);
    std::uint64_t size() const { return m_file.size(); }
    /// Gives the file its name. Throws ModelError "unwritable".
    void publish();
    const std::filesystem::path& path() const { return m_path; } ///< after publish()
    /// Once the ONNX file refers to it.
    void keep();

private:
    void addToHash(std::span<const std::byte> bytes);

    std::filesystem::path m_onnx;
    std::filesystem::path m_path;
    OutputFile m_file;
    bool m_isHashed;
    bool m_isOwned = false; ///< this object has created it
    std::uint64_t m_hash;
    std::uint64_t m_word = 0; ///< bytes that do not fill a word yet
    std::uint64_t m_count = 0;
};

/// The data files that an ONNX file no longer needs once its successor has replaced it, which needs `kept`: those of
/// the older file, and of killed processes. `m.onnx.data` is one only if the older file refers to it, and no file is
/// to which another model in the folder refers.
std::vector<std::filesystem::path> replacedDataFiles(const std::filesystem::path& onnx,
                                                     std::span<const std::filesystem::path> kept);
/// Except those that another process writes.
void removeDataFiles(std::span<const std::filesystem::path> files);

} // namespace crosswalk
