#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/printing.h"
#include "core/verify/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::app {
namespace {

struct VerifyArguments {
    std::string model;
    std::string data;
    Tolerance tolerance;
    bool json = false;
};

Json toJson(const VerifyReport& report, const std::string& model)
{
    Json outputs = Json::array();
    for (const Comparison& output : report.outputs) {
        outputs.push_back({{"name", output.name},
                           {"equal", output.equal},
                           {"why", output.why},
                           {"max_absolute", output.maxAbsolute},
                           {"max_relative", output.maxRelative},
                           {"where", output.where},
                           {"got", output.got},
                           {"wanted", output.wanted},
                           {"differing", output.differing},
                           {"elements", output.elements}});
    }
    return {{"model", model},
            {"runtime", report.runtimeVersion},
            {"data_sets", report.dataSets},
            {"equal", report.equal()},
            {"outputs", outputs}};
}

void printReport(const VerifyReport& report)
{
    for (const Comparison& output : report.outputs) {
        if (output.equal) {
            fmt::print("equal      {}: {} values, largest difference {:.3g} absolute, {:.3g} relative\n", output.name,
                       output.elements, output.maxAbsolute, output.maxRelative);
        } else {
            fmt::print("different  {}: {}", output.name, output.why);
            if (output.differing > 0) {
                fmt::print("; largest difference {:.3g} absolute, {:.3g} relative; at [{}] {:.7g} instead of {:.7g}",
                           output.maxAbsolute, output.maxRelative, fmt::join(output.where, ","), output.got,
                           output.wanted);
            }
            fmt::print("\n");
        }
    }
}

int runVerify(const VerifyArguments& arguments, std::stop_token stop)
{
    const auto report = verify(arguments.model, arguments.data, arguments.tolerance, std::move(stop));
    if (!report) {
        return complain(report.problem(), arguments.model);
    }
    if (arguments.json) {
        print(toJson(report.value(), arguments.model));
    } else {
        printReport(report.value());
        fmt::print("{}: {} with ONNX Runtime {}\n", arguments.model,
                   report.value().equal() ? "computes what was recorded" : "differs from what was recorded",
                   report.value().runtimeVersion);
    }
    return report.value().equal() ? Done : Different;
}

} // namespace

Command addVerify(CLI::App& app)
{
    auto arguments = std::make_shared<VerifyArguments>();
    CLI::App* command = app.add_subcommand("verify", "Run an ONNX file on recorded tensors and compare");
    command->add_option("MODEL", arguments->model, "the ONNX file")->required()->type_name("OUT.onnx");
    command
        ->add_option("--data", arguments->data, "folder with input_<i>.pb and output_<i>.pb, or with test_data_set_<k>")
        ->required()
        ->type_name("DIR");
    command->add_option("--rtol", arguments->tolerance.relative, "relative tolerance")->capture_default_str();
    command->add_option("--atol", arguments->tolerance.absolute, "absolute tolerance")->capture_default_str();
    command->add_flag("--json", arguments->json, "as JSON");
    command->footer("Example:\n  crosswalk verify model.onnx --data test_data_set_0 --rtol 1e-3 --atol 1e-4\n"
                    "\nExit status: 0 equal, 1 different, 6 ONNX Runtime is absent.");
    return {command, [arguments](std::stop_token stop) { return runVerify(*arguments, std::move(stop)); }};
}

} // namespace crosswalk::app
