#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/printing.h"
#include "core/api/export_gate.h"
#include "core/base/name_list.h"
#include "core/base/readable.h"
#include "core/formats/model_files.h"
#include "core/onnx/load.h"
#include "core/rewrite/extract.h"

#include <fmt/format.h>

namespace crosswalk::app {
namespace {

struct ExtractArguments {
    std::string model;
    std::vector<std::string> from;
    std::vector<std::string> to;
    std::string output;
    bool force = false;
};

int runExtract(const ExtractArguments& arguments, std::stop_token stop)
{
    expectOnnx(arguments.model);
    const OnnxModel whole = loadOnnx(arguments.model);
    const OnnxModel part = extract(whole, namesIn(arguments.from), namesIn(arguments.to));
    try {
        const auto overwrite = arguments.force ? Overwrite::Anything : Overwrite::Nothing;
        const WriteReport written =
            writePart(part, filesOf(arguments.model, whole.weights), arguments.output, overwrite, std::move(stop));
        printLine("{}: {}", arguments.output, readableBytes(written.bytes));
    } catch (ModelError& error) {
        if (error.diagnostic.code == Code("usage")) {
            error.diagnostic.hint = "--force replaces it";
        }
        throw;
    }
    return Done;
}

} // namespace

Command addExtract(CLI::App& app)
{
    auto arguments = std::make_shared<ExtractArguments>();
    CLI::App* command = app.add_subcommand("extract", "Extract a part of an ONNX model");
    command->add_option("MODEL", arguments->model, "the ONNX file")->required()->type_name("IN.onnx");
    command->add_option("--from", arguments->from, "values that become the inputs; a comma in a name is written \\,")
        ->required()
        ->type_name("NAME,...")
        ->allow_extra_args(false);
    command->add_option("--to", arguments->to, "values that become the outputs")
        ->required()
        ->type_name("NAME,...")
        ->allow_extra_args(false);
    command->add_option("-o,--output", arguments->output, "the ONNX file to write")->required()->type_name("OUT.onnx");
    command->add_flag("--force", arguments->force, "write even if OUT is one of the model's own files");
    command->footer("Example:\n  crosswalk extract model.onnx --from data --to relu3_output -o stem.onnx");
    return {command, [arguments](std::stop_token stop) {
                try {
                    return runExtract(*arguments, std::move(stop));
                } catch (const ModelError& error) {
                    return reportError(error.diagnostic, arguments->model);
                }
            }};
}

} // namespace crosswalk::app
