#include "app/crosswalk/batch_arguments.h"
#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "core/formats/read_model.h"

#include <chrono>
#include <fmt/format.h>
#include <unistd.h>

namespace crosswalk::app {
namespace {

struct ConvertArguments {
    ModelArguments model;
    BatchArguments batch;
    std::string output;
    bool partial = false;
    std::string externalData; ///< of --external-data: "true" without a value
    bool force = false;
    bool json = false;
    bool quiet = false;
};

/// All problems on standard error. What a conversion of a damaged input says only follows from the damage.
void reportProblems(const LoadedModel& loaded, const Conversion& conversion, std::string_view file, bool quiet)
{
    reportAll(loaded.problems, file, quiet);
    if (!hasErrors(loaded.problems)) {
        reportAll(conversion.problems, file, quiet);
    }
}

/// The options of each export of a collection.
std::vector<std::string> exportWords(const ConvertArguments& arguments)
{
    std::vector<std::string> words;
    if (arguments.partial) {
        words.emplace_back("--partial");
    }
    if (!arguments.externalData.empty()) {
        words.emplace_back(arguments.externalData == "true" ? "--external-data" : "--external-data=in-place");
    }
    if (arguments.force) {
        words.emplace_back("--force");
    }
    return words;
}

int runConvert(const ConvertArguments& arguments, std::stop_token stop)
{
    const auto start = std::chrono::steady_clock::now();
    if (!arguments.externalData.empty() && arguments.externalData != "true" && arguments.externalData != "in-place") {
        throw ModelError("usage",
                         fmt::format("--external-data={}: the only value is in-place", arguments.externalData));
    }
    if (arguments.batch.isGiven()) {
        return arguments.batch.run(arguments.model, arguments.output, exportWords(arguments),
                                   {.json = arguments.json, .quiet = arguments.quiet}, stop);
    }
    int status = Done;
    auto exported = arguments.model.convert(stop, status);
    if (!exported) {
        return status;
    }
    const ExportOptions options{.externalData = !arguments.externalData.empty(),
                                .weightsInPlace = arguments.externalData == "in-place",
                                .partial = arguments.partial,
                                .overwrite = arguments.force ? Overwrite::Anything : Overwrite::Nothing};
    auto obstacle = obstacleTo(*exported, arguments.output, options);
    if (obstacle && obstacle->code == Code("usage")) {
        obstacle->hint = "--force replaces it";
        return reportError(*obstacle, {});
    }
    const LoadedModel& loaded = exported->source().loaded();
    Conversion& conversion = exported->conversion();
    if (!obstacle) { // gaps that the user lets stand
        for (Diagnostic& problem : conversion.problems) {
            problem.severity = std::min(problem.severity, Severity::Warning);
        }
    }
    reportProblems(loaded, conversion, arguments.model.model(), arguments.quiet);
    Json report = problemsJson(loaded, conversion);
    if (!obstacle) {
        const auto written = write(*exported, arguments.output, options, stop);
        if (!written) {
            return reportError(written.problem(), {});
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        const std::uint64_t bytes = written.value().bytes;
        report["output"] = {{"path", arguments.output},
                            {"opset", exported->opset()},
                            {"ir_version", conversion.irVersion},
                            {"nodes", exported->nodeCount()},
                            {"bytes", bytes},
                            {"bytes_in_place", written.value().bytesInPlace},
                            {"seconds", took.count()}};
        if (!arguments.json && !arguments.quiet) {
            printLine("{}: {} -> {}, opset {}, {}, {}", arguments.output,
                      counted(loaded.graph->nodeCount(), "operator"), counted(exported->nodeCount(), "ONNX node"),
                      exported->opset(), readableBytes(bytes), readableSeconds(took.count()));
        }
    }
    if (arguments.json) {
        print(report);
    }
    return obstacle ? statusOf(*obstacle) : Done;
}

int runDiagnose(const ModelArguments& model, bool json, std::stop_token stop)
{
    int status = Done;
    const auto exported = model.convert(stop, status);
    if (!exported) {
        return status;
    }
    const LoadedModel& loaded = exported->source().loaded();
    const Conversion& conversion = exported->conversion();
    const Json report = problemsJson(loaded, conversion);
    if (json) {
        print(report);
    } else {
        reportProblems(loaded, conversion, model.model(), false);
        const Json& summary = report["summary"];
        printLine("{}: {}: {} exact, {} decomposed, {} folded, {} approximate, {} unsupported{}", model.model(),
                  counted(summary["nodes"].get<std::uint64_t>(), "operator"), summary["exact"].get<int>(),
                  summary["decomposed"].get<int>(), summary["folded"].get<int>(), summary["approximate"].get<int>(),
                  summary["unsupported"].get<int>(),
                  conversion.behindGaps.empty()
                      ? std::string()
                      : fmt::format(" ({} of them only because of a preceding gap)", conversion.behindGaps.size()));
    }
    const auto obstacle = obstacleTo(*exported, {}, {.overwrite = Overwrite::Anything});
    return obstacle ? statusOf(*obstacle) : Done;
}

} // namespace

Command addConvert(CLI::App& app)
{
    auto arguments = std::make_shared<ConvertArguments>();
    CLI::App* command = app.add_subcommand("convert", "Convert a model to ONNX exactly, or not at all");
    arguments->model.addModel(*command);
    command
        ->add_option("-o,--output", arguments->output,
                     "the ONNX file to write, replaced atomically; with --batch, the folder of the ONNX files")
        ->required()
        ->type_name("OUT.onnx");
    arguments->model.addOptions(*command);
    arguments->model.addSignature(*command);
    command->add_flag("--partial", arguments->partial,
                      "write the model even if there are gaps, as nodes of a separate domain");
    command->add_flag(
        "--external-data", arguments->externalData,
        "write the weights to OUT.onnx.data; =in-place refers to those that lie in the model's own files as "
        "they are, in the folder of OUT");
    command->add_flag("--force", arguments->force, "write even if OUT is one of the model's own files");
    command->add_flag("--json", arguments->json, "report on standard output as JSON");
    command->add_flag("--quiet", arguments->quiet, "no notes and no summary");
    arguments->batch.add(*command);
    command->footer(
        "Examples:\n"
        "  crosswalk convert model-symbol.json -o model.onnx --shape data=N,3,224,224\n"
        "  crosswalk convert model-symbol.json model-0010.params -o model.onnx --opset 13\n"
        "  crosswalk convert model.onnx -o any_batch.onnx --shape data=N,3,224,224 --opset 21 --rename data=image\n"
        "  crosswalk convert lstm-symbol.json -o lstm.onnx --shape data=T,N,16 --strategy lstm0_rnn0=fused\n"
        "  crosswalk convert face-symbol.json -o embedding.onnx --outputs fc1_output --shape data=N,3,112,112\n"
        "  crosswalk convert --batch models -o onnx --report report.html --resume\n"
        "\nExit status: 0 written, 2 usage, 3 bad input, 4 not convertible exactly, 5 not writable.");
    return {command, [arguments](std::stop_token stop) { return runConvert(*arguments, std::move(stop)); }};
}

Command addDiagnose(CLI::App& app)
{
    struct Arguments {
        ModelArguments model;
        BatchArguments batch;
        bool json = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("diagnose", "Report what converts, what does not, and why");
    arguments->model.addModel(*command);
    arguments->model.addOptions(*command);
    arguments->model.addSignature(*command);
    command->add_flag("--json", arguments->json, "as JSON");
    arguments->batch.add(*command);
    command->footer("Example:\n  crosswalk diagnose model-symbol.json --shape data=1,3,224,224 --json\n"
                    "\nExit status: 0 everything converts, 4 there are gaps.");
    return {command, [arguments](std::stop_token stop) {
                return arguments->batch.isGiven()
                           ? arguments->batch.run(arguments->model, {}, {}, {.json = arguments->json}, stop)
                           : runDiagnose(arguments->model, arguments->json, std::move(stop));
            }};
}

} // namespace crosswalk::app
