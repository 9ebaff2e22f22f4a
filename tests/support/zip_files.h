#pragma once

#include "tests/support/temporary_files.h"

#include <optional>
#include <vector>

namespace crosswalk::test {

/// One member of a test archive. All members except name and content override the written values, correct or not.
struct ZipPart {
    std::string name;
    std::string content;
    bool deflated = false;
    std::optional<std::uint32_t> size = {}; ///< in the directory
    std::optional<std::uint32_t> compressedSize = {};
    std::uint16_t flags = 0;
};

inline std::string deflate(std::string_view content)
{
    // qCompress returns four bytes of length and a zlib stream: a header of two bytes, the deflated data, a checksum.
    const QByteArray zlib = qCompress(QByteArray(content.data(), static_cast<qsizetype>(content.size())));
    return zlib.mid(6, zlib.size() - 10).toStdString();
}

inline std::uint32_t crc32(std::string_view content)
{
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char c : content) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~crc;
}

/// A zip archive with sizes only in the directory, as Python writes to a stream.
inline std::string zipFile(const std::vector<ZipPart>& parts)
{
    Bytes file;
    Bytes directory;
    for (const ZipPart& part : parts) {
        const std::string stored = part.deflated ? deflate(part.content) : part.content;
        const auto nameSize = static_cast<std::uint16_t>(part.name.size());
        const auto place = static_cast<std::uint32_t>(file.content().size());
        const auto flags = static_cast<std::uint16_t>(0x0808U | part.flags);
        const std::uint16_t method = part.deflated ? 8 : 0;
        file.add(std::string_view("PK\x03\x04")).add(std::uint16_t{20}).add(flags).add(method);
        file.add(std::string_view(std::string(16, '\0'))).add(nameSize).add(std::uint16_t{0});
        file.add(std::string_view(part.name)).add(std::string_view(stored));
        directory.add(std::string_view("PK\x01\x02")).add(std::uint16_t{20}).add(std::uint16_t{20}).add(flags);
        directory.add(method).add(std::uint32_t{0}).add(crc32(part.content));
        directory.add(part.compressedSize.value_or(static_cast<std::uint32_t>(stored.size())));
        directory.add(part.size.value_or(static_cast<std::uint32_t>(part.content.size()))).add(nameSize);
        directory.add(std::string_view(std::string(12, '\0'))).add(place).add(std::string_view(part.name));
    }
    const auto place = static_cast<std::uint32_t>(file.content().size());
    const auto count = static_cast<std::uint16_t>(parts.size());
    file.add(std::string_view(directory.content())).add(std::string_view("PK\x05\x06")).add(std::uint32_t{0});
    file.add(count).add(count).add(static_cast<std::uint32_t>(directory.content().size())).add(place);
    return file.add(std::uint16_t{0}).content();
}

} // namespace crosswalk::test
