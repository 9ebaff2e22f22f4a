#include "app/crosswalk/commands.h"
#include "app/crosswalk/desktop_program.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"

#include "core/base/changed_files.h"
#include "core/base/text_file.h"
#include "core/formats/model_files.h"
#include "core/graph/parameters.h"
#include "core/report/picture.h"

#include <filesystem>
#include <fmt/format.h>

namespace crosswalk::app {
namespace {

struct RenderArguments {
    ModelArguments model;
    std::string output;
    std::string side = "source";
    std::string groups = "auto";
    bool dark = false;
};

std::vector<std::string> paintingArguments(const RenderArguments& arguments)
{
    std::vector<std::string> words = arguments.model.asArguments();
    words.insert(words.end(), {"--render", arguments.output, "--side", arguments.side, "--groups", arguments.groups});
    if (arguments.dark) {
        words.insert(words.end(), {"--theme", "dark"});
    }
    return words;
}

int runRender(const RenderArguments& arguments, std::stop_token stop)
{
    const std::string suffix = std::filesystem::path(arguments.output).extension();
    if (suffix == ".png" || suffix == ".pdf") {
        return runDesktopProgram(paintingArguments(arguments));
    }
    if (suffix != ".svg" && suffix != ".json" && suffix != ".dot") {
        throw ModelError(
            "usage", fmt::format("{}: the suffix must be one of .svg, .png, .pdf, .json and .dot", arguments.output));
    }
    int status = Done;
    const ConvertOptions options = arguments.model.options();
    const auto model = arguments.model.read(stop, status);
    if (!model) {
        return status;
    }
    expectNoneOf(filesOf(model->loaded()), arguments.output);
    const RenderOptions drawing{.side = arguments.side == "source" ? Side::Source : Side::Onnx,
                                .format = suffix == ".svg"    ? PictureFormat::Svg
                                          : suffix == ".json" ? PictureFormat::Json
                                                              : PictureFormat::Dot,
                                .groups = arguments.groups,
                                .dark = arguments.dark,
                                .stop = stop};
    const auto draw = [&]() -> Result<std::string> {
        if (isWeightsOnly(*model->loaded().graph) && drawing.side == Side::Source) { // there is nothing to convert
            return render(*model, drawing);
        }
        const auto exported = convert(*model, options, stop);
        return exported ? render(exported.value(), drawing) : exported.problem();
    };
    const auto picture = draw();
    if (!picture) {
        return reportError(picture.problem(), arguments.model.model());
    }
    expectUnchanged();
    writeTextFile(arguments.output, picture.value());
    return Done;
}

} // namespace

Command addRender(CLI::App& app)
{
    auto arguments = std::make_shared<RenderArguments>();
    CLI::App* command = app.add_subcommand("render", "Draw the graph of a model into a file");
    arguments->model.addModel(*command);
    command->add_option("-o,--output", arguments->output, "the picture to write; the suffix selects the format")
        ->required()
        ->type_name("graph.svg|png|pdf|json|dot");
    command->add_option("--side", arguments->side, "the source graph, or its ONNX graph")
        ->check(CLI::IsMember({"source", "onnx"}))
        ->capture_default_str();
    command
        ->add_option("--groups", arguments->groups,
                     "groups of nodes: all open, each closed to one box, or open down to a depth; auto opens all, "
                     "except in a png or pdf that would be unreadable: this shows an overview with groups closed, "
                     "or a part of a graph without groups")
        ->check([](const std::string& name) {
            return PictureGroups::fromName(name) ? std::string()
                                                 : fmt::format("{}: expected auto, open, closed or a number", name);
        })
        ->type_name("auto|open|closed|DEPTH")
        ->capture_default_str();
    command->add_flag("--dark", arguments->dark, "use the dark theme");
    arguments->model.addSignature(*command);
    arguments->model.addOptions(*command);
    command->footer("Example:\n  crosswalk render model-symbol.json -o model.svg --side onnx --shape data=1,3,224,224\n"
                    "  crosswalk render model.onnx -o overview.png --groups closed");
    return {command, [arguments](std::stop_token stop) { return runRender(*arguments, std::move(stop)); }};
}

} // namespace crosswalk::app
