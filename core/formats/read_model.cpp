#include "core/formats/read_model.h"

#include "core/formats/file_kind.h"
#include "core/formats/format_reader.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

const FormatReader& readerFor(const Probe& probe)
{
    for (const Match wanted : {Match::ByContent, Match::ByName}) {
        for (const FormatReader& reader : formatReaders()) {
            if (reader.match(probe) == wanted) {
                return reader;
            }
        }
    }
    if (probe.bytes.empty()) {
        throw ModelError("damaged", "the file is empty");
    }
    if (const auto kind = recogniseKind(probe)) {
        throw ModelError("unknown-format", fmt::format("is {}, no model that can be opened", kind->name),
                         std::string(kind->hint));
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

} // namespace crosswalk
