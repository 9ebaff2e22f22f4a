#include "core/api/export_gate.h"
#include "core/api/without_exceptions.h"
#include "core/verify/verify.h"

namespace crosswalk {

Result<Model> open(const std::filesystem::path& path, const OpenOptions& options)
{
    return withoutExceptions<Model>([&]() -> Result<Model> {
        auto loaded = readModel({.model = path,
                                 .weights = options.weights,
                                 .signature = options.signature,
                                 .tags = options.tags,
                                 .inputs = options.inputs,
                                 .shapes = options.shapes,
                                 .allowLarge = options.allowLarge,
                                 .stop = options.stop,
                                 .progress = options.progress});
        return loaded ? Result(Model(std::move(loaded.value()))) : loaded.problem();
    });
}

Result<OnnxExport> convert(const Model& model, const ConvertOptions& options, std::stop_token stop)
{
    return withoutExceptions<OnnxExport>([&]() -> Result<OnnxExport> {
        auto conversion = convert(*model.loaded().graph, options, std::move(stop));
        return conversion ? Result(OnnxExport(model, std::move(conversion.value()))) : conversion.problem();
    });
}

std::optional<Diagnostic> obstacleTo(const OnnxExport& exported, const std::filesystem::path& path,
                                     const ExportOptions& options)
{
    try {
        const LoadedModel& source = exported.source().loaded();
        expectReplaceable(source, path, options.overwrite);
        return conversionObstacle(source, exported.conversion(), options.partial);
    } catch (...) {
        return problemOfException();
    }
}

Result<WriteReport> write(const OnnxExport& exported, const std::filesystem::path& path, const ExportOptions& options,
                          std::stop_token stop)
{
    return withoutExceptions<WriteReport>(
        [&] { return writeExport(exported.source().loaded(), exported.conversion(), path, options, std::move(stop)); });
}

Result<VerifyReport> verify(const std::filesystem::path& model, const VerifyOptions& options)
{
    return withoutExceptions<VerifyReport>([&] {
        expectOnnx(model);
        return verify(model, options.data, options.tolerance, options.stop, {.time = options.timeLimit});
    });
}

} // namespace crosswalk
