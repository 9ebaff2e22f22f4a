#include "core/formats/file_kind.h"

#include <algorithm>
#include <array>

namespace crosswalk {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t sniffed = 4096;

struct MagicBytes {
    std::size_t offset;
    std::string_view bytes;
    FileKind kind;
};

constexpr auto signatures = std::to_array<MagicBytes>({
    {0, "\x89PNG\r\n"sv, {"a PNG image"}},
    {0, "\xff\xd8\xff"sv, {"a JPEG image"}},
    {0, "GIF8"sv, {"a GIF image"}},
    {0, "%PDF-"sv, {"a PDF document"}},
    {0,
     "\x7f"
     "ELF"sv,
     {"a program or shared library (ELF)"}},
    {0, "\x1f\x8b"sv, {"a gzip archive", "unpack it first"}},
    {0, "BZh"sv, {"a bzip2 archive", "unpack it first"}},
    {0,
     "\xfd"
     "7zXZ"sv,
     {"an xz archive", "unpack it first"}},
    {0, "\x28\xb5\x2f\xfd"sv, {"a zstd archive", "unpack it first"}},
    {0, "7z\xbc\xaf\x27\x1c"sv, {"a 7-Zip archive", "unpack it first"}},
    {257, "ustar"sv, {"a tar archive", "unpack it first"}},
    {0, "\x93NUMPY"sv, {"a NumPy array"}},
    {0, "GGUF"sv, {"a GGUF model", "GGUF models are not supported"}},
    {0, "SQLite format 3"sv, {"an SQLite database"}},
    {0, "RIFF"sv, {"a RIFF file (sound, video or picture)"}},
});

FileKind zipKind(const Probe& probe)
{
    if (hasMemberLike(probe, "data.pkl") || hasMemberLike(probe, "/version") || hasMemberLike(probe, "constants.pkl")) {
        return {"a PyTorch file", "save the model with torch.export.save, and open that file"};
    }
    return {"a zip archive", "unpack it first"};
}

/// The first kind that a format recognises.
std::optional<FileKind> askFormats(const Probe& probe, std::optional<FileKind> (*FormatReader::*question)(const Probe&))
{
    for (const FormatReader& reader : formatReaders()) {
        const auto answer = reader.*question;
        if (const auto kind = answer != nullptr ? answer(probe) : std::nullopt) {
            return kind;
        }
    }
    return std::nullopt;
}

bool isText(std::string_view head)
{
    return !head.empty() && std::none_of(head.begin(), head.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b';
    });
}

} // namespace

std::optional<FileKind> recogniseKind(const Probe& probe)
{
    if (const auto kind = askFormats(probe, &FormatReader::recogniseKind)) {
        return kind;
    }
    const std::string_view head = headOf(probe);
    for (const MagicBytes& signature : signatures) {
        if (head.size() > signature.offset && head.substr(signature.offset).starts_with(signature.bytes)) {
            return signature.kind;
        }
    }
    if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv)) {
        return zipKind(probe);
    }
    if (head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) {
        return FileKind{"a Python pickle (PyTorch keeps models in them)",
                        "save the model with torch.export.save, and open that file"};
    }
    return std::nullopt;
}

std::optional<FileKind> guessKind(const Probe& probe)
{
    const std::string_view head = headOf(probe);
    if (!isText(head)) {
        return std::nullopt;
    }
    if (const auto kind = askFormats(probe, &FormatReader::guessKind)) {
        return kind;
    }
    const char first = firstCharacter(head);
    if (first == '{' || first == '[') {
        return FileKind{"JSON, but not a model"};
    }
    if (first == '<') {
        return FileKind{"an HTML or XML file"};
    }
    if (probe.fileName.ends_with(".prototxt")) {
        return FileKind{"a Caffe network", "Caffe models are not supported"};
    }
    return FileKind{"a text file"};
}

std::string_view headOf(const Probe& probe)
{
    return {reinterpret_cast<const char*>(probe.bytes.data()), std::min(probe.bytes.size(), sniffed)};
}

bool hasMemberLike(const Probe& probe, std::string_view part)
{
    const auto contains = [&](std::string_view text) { return text.find(part) != std::string_view::npos; };
    return probe.members.empty() ? contains(headOf(probe)) : std::ranges::any_of(probe.members, contains);
}

char firstCharacter(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? ' ' : text[first];
}

bool isModelFile(const std::filesystem::path& file)
{
    try {
        const auto source = ModelSource::at(file);
        const Probe probe(*source);
        const auto isIts = [&](const FormatReader& reader) { return reader.match(probe) == Match::ByContent; };
        const auto reader = std::ranges::find_if(formatReaders(), isIts);
        return reader != formatReaders().end() && (reader->hasOnlyWeights == nullptr || !reader->hasOnlyWeights(probe));
    } catch (const ModelError&) {
        return false;
    }
}

} // namespace crosswalk
