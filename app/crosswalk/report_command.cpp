#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/report_html.h"
#include "app/crosswalk/text_file.h"

namespace crosswalk::app {
namespace {

struct ReportArguments {
    ModelArguments model;
    std::string output;
};

int runReport(const ReportArguments& arguments, std::stop_token stop)
{
    int status = Done;
    const auto converted = arguments.model.convert(stop, status);
    if (!converted) {
        return status;
    }
    writeTextFile(arguments.output, reportHtml(converted->loaded, converted->conversion, stop));
    return Done;
}

} // namespace

Command addReport(CLI::App& app)
{
    auto arguments = std::make_shared<ReportArguments>();
    CLI::App* command =
        app.add_subcommand("report", "Write one HTML file about a conversion: pictures, problems, numbers");
    arguments->model.addModel(*command);
    command->add_option("-o,--output", arguments->output, "the HTML file to write")
        ->required()
        ->type_name("report.html");
    arguments->model.addOptions(*command);
    command->footer("Example:\n  crosswalk report model-symbol.json -o report.html --shape data=1,3,224,224");
    return {command, [arguments](std::stop_token stop) { return runReport(*arguments, std::move(stop)); }};
}

} // namespace crosswalk::app
