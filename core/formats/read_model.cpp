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
    throw ModelError("unknown-format", fmt::format("is {}, not a supported model", kind.name), std::string(kind.hint));
}

std::string formatNames()
{
    std::string names;
    for (const FormatReader& reader : formatReaders()) {
        names += (names.empty() ? "" : ", ") + std::string(reader.name);
    }
    return "formats: " + names;
}

const FormatReader& readerFor(const Probe& probe)
{
    if (const FormatReader* reader = readerFor(probe, Match::ByContent)) {
        return *reader;
    }
    if (probe.isFolder) {
        throw ModelError("unreadable", "is a folder, but contains no model that can be opened as a folder",
                         "open the model's file in it");
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
    throw ModelError("unknown-format", "has no supported format", formatNames());
}

/// Throws ModelError "unknown-signature" if the reader did not use the requested signature because there is none.
void expectSignature(const LoadedModel& model, const std::string& wanted)
{
    std::string names;
    for (const Signature& signature : model.signatures) {
        if (signature.isUsed && signature.name == wanted) {
            return;
        }
        names += (names.empty() ? "" : ", ") + signature.name;
    }
    if (!wanted.empty()) {
        throw ModelError("unknown-signature", fmt::format("the model has no signature {}", wanted),
                         names.empty() ? "it has no signatures" : "its signatures are " + names);
    }
}

} // namespace

Result<LoadedModel> readModel(const ReadRequest& request)
{
    try {
        const auto source = ModelSource::at(request.model, request.stop, request.progress);
        LoadedModel model = readerFor(Probe(*source)).read(request, *source);
        expectSignature(model, request.signature);
        return model;
    } catch (const ModelError& error) {
        return error.diagnostic;
    } catch (const std::exception& error) {
        return Diagnostic{.code = "internal", .message = fmt::format("cannot be read: {}", error.what())};
    }
}

void expectOnnx(const std::filesystem::path& path)
{
    const auto source = ModelSource::at(path);
    if (const FormatReader& reader = readerFor(Probe(*source)); reader.name != "ONNX") {
        throw ModelError("not-onnx", fmt::format("is a model of {}, not ONNX", reader.name),
                         fmt::format("convert it first: crosswalk convert {} -o model.onnx", path.string()));
    }
}

} // namespace crosswalk
