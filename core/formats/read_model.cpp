#include "core/formats/read_model.h"

#include "core/formats/file_kind.h"
#include "core/formats/format_reader.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

const FormatReader* readerFor(const Probe& probe, Match wanted)
{
    for (const FormatReader& reader : formatReaders()) {
        if (reader.match(probe) == wanted) {
            return &reader;
        }
    }
    return nullptr;
}

[[noreturn]] void refuse(const FileKind& kind)
{
    throw ModelError("unknown-format", fmt::format("is {}, no model that can be opened", kind.name),
                     std::string(kind.hint));
}

const FormatReader& readerFor(const Probe& probe)
{
    if (const FormatReader* reader = readerFor(probe, Match::ByContent)) {
        return *reader;
    }
    if (probe.bytes.empty()) {
        throw ModelError("damaged", "the file is empty");
    }
    if (const auto kind = recogniseKind(probe)) {
        refuse(*kind);
    }
    if (const FormatReader* reader = readerFor(probe, Match::ByName)) {
        return *reader;
    }
    if (const auto kind = guessKind(probe)) {
        refuse(*kind);
    }
    std::string formats;
    for (const FormatReader& reader : formatReaders()) {
        formats += (formats.empty() ? "" : ", ") + std::string(reader.name);
    }
    throw ModelError("unknown-format", "is of no format that can be opened", "formats: " + formats);
}

} // namespace

Result<LoadedModel> readModel(const ReadRequest& request)
{
    try {
        const auto file = MappedFile::open(request.model);
        const std::string fileName = request.model.filename().string();
        return readerFor({fileName, file->bytes()}).read(request, file);
    } catch (const ModelError& error) {
        return error.diagnostic;
    } catch (const std::exception& error) {
        return Diagnostic{.code = "internal", .message = fmt::format("cannot be read: {}", error.what())};
    }
}

void expectOnnx(const std::filesystem::path& path)
{
    const auto file = MappedFile::open(path);
    const std::string fileName = path.filename().string();
    if (const FormatReader& reader = readerFor({fileName, file->bytes()}); reader.name != "ONNX") {
        throw ModelError("not-onnx", fmt::format("is a model of {}, not ONNX", reader.name),
                         fmt::format("convert it first: crosswalk convert {} -o model.onnx", path.string()));
    }
}

} // namespace crosswalk
