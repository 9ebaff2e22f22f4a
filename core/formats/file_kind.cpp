#include "core/formats/file_kind.h"

#include "core/formats/mxnet/params_file.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t sniffed = 4096;

struct Signature {
    std::size_t offset;
    std::string_view bytes;
    FileKind kind;
};

constexpr auto signatures = std::to_array<Signature>({
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
    {0, "\x89HDF\r\n\x1a\n"sv, {"an HDF5 file (Keras keeps models in them)", "Keras models cannot be read yet"}},
    {0, "\x93NUMPY"sv, {"a NumPy array"}},
    {4, "TFL3"sv, {"a TensorFlow Lite model", "TensorFlow Lite models cannot be read yet"}},
    {0, "GGUF"sv, {"a GGUF model", "GGUF models cannot be read"}},
    {0, "SQLite format 3"sv, {"an SQLite database"}},
    {0, "RIFF"sv, {"a RIFF file (sound, video or picture)"}},
});

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// By the names of the members. Where the directory is damaged, the first of them are among the first bytes.
FileKind zipKind(const std::vector<std::string>& members, std::string_view head)
{
    const std::string names = fmt::format("{}", fmt::join(members, "\n"));
    head = members.empty() ? head : names;
    if (contains(head, "data.pkl") || contains(head, "/version") || contains(head, "constants.pkl")) {
        return {"a PyTorch file", "PyTorch models cannot be read: export the model to ONNX with torch.onnx.export"};
    }
    if (contains(head, "metadata.json") && contains(head, "config.json")) {
        return {"a Keras model", "Keras models cannot be read yet"};
    }
    if (contains(head, "MAR-INF")) {
        return {"an MXNet model archive (.mar)", "unpack it and open the -symbol.json inside"};
    }
    return {"a zip archive", "unpack it first"};
}

bool isText(std::string_view head)
{
    return !head.empty() && std::none_of(head.begin(), head.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b';
    });
}

std::optional<FileKind> textKind(std::string_view head, std::string_view fileName)
{
    if (!isText(head)) {
        return std::nullopt;
    }
    const auto first = head.find_first_not_of(" \t\r\n");
    const char start = first == std::string_view::npos ? ' ' : head[first];
    if (start == '{' || start == '[') {
        return FileKind{"JSON, but no model", "an MXNet symbol file has the keys \"nodes\" and \"heads\""};
    }
    if (start == '<') {
        return FileKind{"an HTML or XML file"};
    }
    if (fileName.ends_with(".prototxt")) {
        return FileKind{"a Caffe network", "Caffe models cannot be read yet"};
    }
    return FileKind{"a text file"};
}

std::string_view headOf(const Probe& probe)
{
    return {reinterpret_cast<const char*>(probe.bytes.data()), std::min(probe.bytes.size(), sniffed)};
}

} // namespace

std::optional<FileKind> recogniseKind(const Probe& probe)
{
    const std::string_view head = headOf(probe);
    if (mxnet::looksLikeParams(probe.bytes)) {
        return FileKind{"an MXNet weights file", "give the -symbol.json as MODEL and this file as WEIGHTS"};
    }
    for (const Signature& signature : signatures) {
        if (head.size() > signature.offset && head.substr(signature.offset).starts_with(signature.bytes)) {
            return signature.kind;
        }
    }
    if (head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv)) {
        return zipKind(probe.members, head);
    }
    if (head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) {
        return FileKind{"a Python pickle (PyTorch keeps models in them)",
                        "PyTorch models cannot be read: export the model to ONNX with torch.onnx.export"};
    }
    return std::nullopt;
}

std::optional<FileKind> guessKind(const Probe& probe)
{
    const std::string_view head = headOf(probe);
    return textKind(head, probe.fileName);
}

} // namespace crosswalk
