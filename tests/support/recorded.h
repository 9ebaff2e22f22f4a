#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace crosswalk::test {

/// Writes float32 values to a file with one ONNX TensorProto, encoded by hand because UI tests do not link protobuf.
/// `type` is another element type of four bytes that the file states for these bytes.
inline void record(const std::filesystem::path& file, const std::string& name, const std::vector<std::int64_t>& dims,
                   const std::vector<float>& values, std::uint64_t type = 1)
{
    std::string bytes;
    const auto varint = [&bytes](std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) {
            bytes.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
        }
        bytes.push_back(static_cast<char>(value));
    };
    const auto text = [&](std::uint64_t field, const std::string& content) {
        varint(field << 3U | 2U);
        varint(content.size());
        bytes += content;
    };
    for (const auto dim : dims) {
        varint(1U << 3U);
        varint(static_cast<std::uint64_t>(dim));
    }
    varint(2U << 3U);
    varint(type);
    text(8, name);
    std::string raw(values.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    text(9, raw);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

} // namespace crosswalk::test
