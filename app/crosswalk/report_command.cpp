#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"

#include "core/base/changed_files.h"
#include "core/base/mapped_file.h"
#include "core/base/temporary_folder.h"
#include "core/base/text_file.h"
#include "core/formats/model_files.h"
#include "core/onnx/writer.h"
#include "core/report/collection_html.h"
#include "core/report/report_html.h"

namespace crosswalk::app {
namespace {

struct ReportArguments {
    ModelArguments model;
    std::string output;
    std::string data;
    std::vector<std::string> merge;
};

/// Exports the model to a temporary file and runs it on recorded tensors.
Result<VerifyReport> verified(const OnnxModel& model, const std::string& data, std::stop_token stop)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "model.onnx";
    writeOnnx(model, path, {}, stop);
    return verify(path, data, {}, std::move(stop));
}

/// Makes the names of a part's files relative to another folder than that of its report.
void moveTo(CollectionReport& part, const std::filesystem::path& report, const std::filesystem::path& folder)
{
    const auto files = std::filesystem::absolute(report).parent_path() / part.folder;
    const auto base = files.lexically_normal().lexically_relative(std::filesystem::absolute(folder).lexically_normal());
    for (ModelOutcome& model : part.models) {
        for (std::string* file : {&model.output, &model.report}) {
            if (!file->empty()) {
                *file = (base / *file).lexically_normal().generic_string();
            }
        }
    }
}

/// Puts reports of parts of a collection together.
int mergeReports(const std::vector<std::string>& paths, const std::string& output)
{
    const auto folder = std::filesystem::absolute(output).parent_path();
    std::vector<CollectionReport> parts;
    for (const std::string& path : paths) {
        try {
            const auto file = MappedFile::open(path);
            const auto bytes = file->bytes();
            parts.push_back(reportFromJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
            moveTo(parts.back(), path, folder);
        } catch (const ModelError& error) {
            return reportError(error.diagnostic, path);
        }
    }
    writeCollectionReport(merged(parts), output, folder);
    return Done;
}

int runReport(const ReportArguments& arguments, std::stop_token stop)
{
    if (!arguments.merge.empty()) {
        return mergeReports(arguments.merge, arguments.output);
    }
    int status = Done;
    const auto exported = arguments.model.convert(stop, status);
    if (!exported) {
        return status;
    }
    const LoadedModel& loaded = exported->source().loaded();
    const Conversion& conversion = exported->conversion();
    expectNoneOf(filesOf(loaded), arguments.output);
    std::optional<VerifyReport> numbers;
    if (!arguments.data.empty() && conversion.hasErrors()) {
        printLine(stderr, "{}",
                  formatLine({.severity = Severity::Warning,
                              .code = "not-verified",
                              .message = fmt::format("is not compared with {}, because it does not convert exactly",
                                                     arguments.data),
                              .hint = "crosswalk diagnose lists the reasons"},
                             arguments.model.model()));
    } else if (!arguments.data.empty()) {
        auto report = verified(conversion.model.whole(), arguments.data, stop);
        if (!report) {
            return reportError(report.problem(), arguments.model.model());
        }
        numbers = std::move(report.value());
    }
    const std::string report = reportHtml(loaded, conversion, numbers ? &*numbers : nullptr, stop);
    expectUnchanged();
    writeTextFile(arguments.output, report);
    return Done;
}

} // namespace

Command addReport(CLI::App& app)
{
    auto arguments = std::make_shared<ReportArguments>();
    CLI::App* command =
        app.add_subcommand("report", "Write an HTML report of a conversion: pictures, problems, numbers");
    arguments->model.addModel(*command);
    command->add_option("-o,--output", arguments->output, "the HTML file to write; with --merge, HTML or JSON")
        ->required()
        ->type_name("report.html");
    auto* merge = command
                      ->add_option("--merge", arguments->merge,
                                   "JSON reports of parts of a collection (convert --batch --report) to put together")
                      ->type_name("REPORT.json...")
                      ->expected(1, -1);
    command->get_option("MODEL")->required(false);
    command->callback([arguments] {
        if (arguments->merge.empty() && arguments->model.model().empty()) {
            throw CLI::RequiredError("MODEL");
        }
    });
    command->add_option("--data", arguments->data, "verify the export on these recorded tensors")->type_name("DIR");
    arguments->model.addOptions(*command);
    arguments->model.addSignature(*command);
    for (CLI::Option* option : command->get_options()) {
        const bool belongsToMerge = option == merge || option == command->get_option("--output");
        if (!belongsToMerge && option != command->get_help_ptr()) {
            merge->excludes(option);
        }
    }
    command->footer("Examples:\n  crosswalk report model-symbol.json -o report.html --shape data=1,3,224,224\n"
                    "  crosswalk report --merge part1.json part2.json -o all.html");
    return {command, [arguments](std::stop_token stop) { return runReport(*arguments, std::move(stop)); }};
}

} // namespace crosswalk::app
