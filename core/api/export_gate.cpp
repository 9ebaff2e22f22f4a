#include "core/api/export_gate.h"

#include "core/base/budget.h"
#include "core/base/changed_files.h"
#include "core/base/diagnostic.h"
#include "core/formats/model_files.h"
#include "core/onnx/writer.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {

std::optional<Diagnostic> conversionObstacle(const LoadedModel& source, const Conversion& conversion, bool partial)
{
    if (conversion.inputIsBad()) {
        const bool isInvalid = std::ranges::find(conversion.problems, Code("invalid-model"), &Diagnostic::code) !=
                               conversion.problems.end();
        return isInvalid ? Diagnostic{.code = "invalid-model", .message = "the model is invalid"}
                         : Diagnostic{.code = "bad-weights", .message = "weights are missing or do not fit"};
    }
    if (hasErrors(source.problems)) {
        return Diagnostic{.code = "damaged-source", .message = "the files of the model have errors"};
    }
    const bool isOurs = std::any_of(conversion.problems.begin(), conversion.problems.end(),
                                    [](const auto& problem) { return problem.code == Code("internal"); });
    if (isOurs) {
        return Diagnostic{.code = "internal", .message = "the conversion has an internal error"};
    }
    if (conversion.hasErrors() && !partial) {
        return Diagnostic{.code = "not-convertible", .message = "the model does not convert exactly"};
    }
    return std::nullopt;
}

void expectReplaceable(const LoadedModel& source, const std::filesystem::path& path, Overwrite overwrite)
{
    if (overwrite == Overwrite::Anything) {
        return;
    }
    auto files = filesOf(source);
    if (overwrite == Overwrite::OnnxSource && source.graph->format == "onnx") {
        std::erase(files, source.path);
    }
    expectNoneOf(files, path);
}

namespace {

/// What a small file asks for can be far larger than what is worth writing.
void expectReasonableSize(const LoadedModel& source, const LazyModel& model)
{
    std::uint64_t files = 0;
    for (const auto& path : filesOf(source)) {
        std::error_code error;
        const auto size = std::filesystem::file_size(path, error); // fails for a folder
        files += error ? 0 : size;
    }
    source.graph->budget.expectConstants(model.weightBytes(), files);
}

} // namespace

WriteReport writeExport(const LoadedModel& source, const Conversion& conversion, const std::filesystem::path& path,
                        const ExportOptions& options, std::stop_token stop)
{
    expectReplaceable(source, path, options.overwrite);
    expectUnchanged(filesOf(source)); // what was converted from it is wrong
    if (auto obstacle = conversionObstacle(source, conversion, options.partial)) {
        throw ModelError(std::move(*obstacle));
    }
    expectReasonableSize(source, conversion.model);
    try {
        if (!conversion.keepsGraph) {
            checkModel(conversion.model.whole());
        }
    } catch (ModelError& error) {
        if (options.partial && source.graph->format == "onnx") { // nodes with errors stay as they are
            throw ModelError("not-convertible", "with its errors, the model is " + error.diagnostic.message);
        }
        // The source is valid, or the conversion would have errors. What a file asks for is then not expressible so.
        throw ModelError("invalid-export", fmt::format("the converted model is {}", error.diagnostic.message),
                         "please report it with the model");
    }
    return writeOnnx(conversion.model, path,
                     {.externalData = options.externalData, .weightsInPlace = options.weightsInPlace}, std::move(stop));
}

WriteReport writePart(const OnnxModel& part, const std::vector<std::filesystem::path>& files,
                      const std::filesystem::path& path, Overwrite overwrite, std::stop_token stop)
{
    if (overwrite != Overwrite::Anything) {
        expectNoneOf(files, path);
    }
    expectUnchanged(files);
    try {
        checkModel(part);
    } catch (const ModelError& error) {
        throw ModelError("damaged", "the extracted part is not a valid model: " + error.diagnostic.message,
                         "convert the model first: that also sorts its nodes");
    }
    return writeOnnx(part, path, {}, std::move(stop));
}

} // namespace crosswalk
