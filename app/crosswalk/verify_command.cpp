#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/json.h"
#include "app/crosswalk/model_arguments.h"
#include "app/crosswalk/printing.h"
#include "core/base/readable.h"
#include "core/formats/read_model.h"
#include "core/verify/inner.h"
#include "crosswalk/crosswalk.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::app {
namespace {

struct VerifyArguments {
    std::string model;
    std::string data;
    std::string original;
    std::vector<std::string> shapes;
    Tolerance tolerance;
    bool isAbsoluteGiven = false; ///< --atol
    bool inner = false;
    bool allowLarge = false;
    bool json = false;
    double timeLimit = 120; ///< seconds

    RuntimeLimits limits() const
    {
        constexpr double longest = 1e9;
        constexpr double milliseconds = 1e3;
        const double time = std::ceil(std::min(timeLimit, longest) * milliseconds);
        return {.time = std::chrono::milliseconds(static_cast<std::int64_t>(time))};
    }
};

/// A check of an option: why it is not a finite number of at least 0, or an empty text.
std::string expectNonNegative(const std::string& text)
{
    double number = 0;
    const bool isValid = CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number >= 0;
    return isValid ? std::string() : fmt::format("{} is not a finite number of at least 0", text);
}

Json comparisonsJson(std::span<const Comparison> comparisons)
{
    Json list = Json::array();
    for (const Comparison& one : comparisons) {
        list.push_back({{"name", one.name},
                        {"equal", one.equal},
                        {"why", one.why},
                        {"max_absolute", one.maxAbsolute},
                        {"max_relative", one.maxRelative},
                        {"where", one.where},
                        {"got", one.got},
                        {"wanted", one.wanted},
                        {"differing", one.differing},
                        {"elements", one.elements}});
    }
    return list;
}

void printLines(std::span<const Comparison> comparisons)
{
    for (const Comparison& one : comparisons) {
        if (one.equal && !one.why.empty()) {
            printLine("equal      {}: {}", one.name, one.why);
        } else if (one.equal && one.isText) {
            printLine("equal      {}: {}", one.name, counted(one.elements, "string"));
        } else if (one.equal) {
            printLine("equal      {}: {}, largest difference {:.3g} absolute, {:.3g} relative", one.name,
                      counted(one.elements, "value"), one.maxAbsolute, one.maxRelative);
        } else {
            const bool hasNumbers = one.differing > 0 && !one.isText;
            const bool areApart = one.got != one.wanted; // integers that a double does not tell apart are in `why`
            printLine("different  {}: {}{}{}", one.name, one.why,
                      hasNumbers ? fmt::format("; largest difference {:.3g} absolute, {:.3g} relative; at [{}]",
                                               one.maxAbsolute, one.maxRelative, fmt::join(one.where, ","))
                                 : "",
                      hasNumbers && areApart ? fmt::format(" {:.7g} instead of {:.7g}", one.got, one.wanted) : "");
        }
    }
}

/// Compares inner tensors and finds the first value that differs from the recording.
int runInner(const VerifyArguments& arguments, Json& json, std::stop_token stop)
{
    const auto inner =
        verifyInner(arguments.model, arguments.data, arguments.tolerance, std::move(stop), {}, arguments.limits());
    if (!inner) {
        return reportError(inner.problem(), arguments.model);
    }
    const auto& values = inner.value().values;
    json["inner"] = comparisonsJson(values);
    json["inner_absent"] = inner.value().absent;
    const auto first = std::find_if(values.begin(), values.end(), [](const Comparison& c) { return !c.equal; });
    json["first_divergence"] = first == values.end() ? Json(nullptr) : Json(first->name);
    if (!arguments.json) {
        printLines(values);
        printLine("{} compared, {} recorded {} no counterpart; {}", counted(values.size(), "inner value"),
                  inner.value().absent.size(), inner.value().absent.size() == 1 ? "value has" : "values have",
                  first == values.end() ? "none differs" : fmt::format("the first that differs is {}", first->name));
    }
    return inner.value().equal() ? Done : Different;
}

/// Opens an ONNX model, or reports the error and returns nothing.
std::optional<Model> openOnnx(const std::string& path, bool allowLarge, const std::stop_token& stop, int& status)
{
    try {
        expectOnnx(path);
    } catch (const ModelError& error) {
        status = reportError(error.diagnostic, path);
        return std::nullopt;
    }
    auto model = open(path, {.allowLarge = allowLarge, .stop = stop});
    if (!model) {
        status = reportError(model.problem(), path);
        return std::nullopt;
    }
    return std::move(model.value());
}

int runAgainstOriginal(const VerifyArguments& arguments, std::stop_token stop)
{
    int status = Done;
    const auto edited = openOnnx(arguments.model, arguments.allowLarge, stop, status);
    const auto original = edited ? openOnnx(arguments.original, arguments.allowLarge, stop, status) : std::nullopt;
    if (!original) {
        return status;
    }
    const auto report = verifyEquivalence(*edited, *original,
                                          {.tolerance = arguments.tolerance,
                                           .scalesTolerance = !arguments.isAbsoluteGiven,
                                           .shapes = parseShapes(arguments.shapes),
                                           .timeLimit = arguments.limits().time,
                                           .stop = std::move(stop)});
    if (!report) {
        return reportError(report.problem(), arguments.model);
    }
    std::vector<Comparison> values;
    for (const auto& value : report.value().values) {
        values.push_back(value.comparison);
    }
    if (arguments.json) {
        print({{"model", arguments.model},
               {"original", arguments.original},
               {"runtime", report.value().runtimeVersion},
               {"times", report.value().times},
               {"limit", report.value().limit},
               {"held", report.value().held},
               {"missing", report.value().missing},
               {"tolerance",
                {{"relative", arguments.tolerance.relative},
                 {"absolute", arguments.tolerance.absolute},
                 {"scaled", !arguments.isAbsoluteGiven}}},
               {"equal", report.value().equal()},
               {"values", comparisonsJson(values)}});
    } else {
        std::erase_if(values, [](const Comparison& value) { return value.equal && value.why.empty(); });
        printLines(values);
        if (!report.value().limit.empty()) {
            printLine("compared with one batch at a time only: {}", report.value().limit);
        }
        if (!report.value().held.empty()) {
            printLine("compared at one size only: {}", report.value().held);
        }
        for (const std::string& output : report.value().missing) {
            printLine("not compared: the model does not return output {} of the original", output);
        }
        printLine("tolerance: {:g} relative, {:g} absolute{}", arguments.tolerance.relative,
                  arguments.tolerance.absolute,
                  arguments.isAbsoluteGiven ? "" : ", times the median magnitude of a value where that exceeds 1");
        const auto& times = report.value().times;
        printLine(
            "{}: {}, {} compared with {} at once, with ONNX Runtime {}", arguments.model,
            report.value().equal() ? "matches the original" : "differs from the original",
            counted(report.value().values.size(), "value"),
            fmt::format("{} {}", fmt::join(times, ", "), times == std::vector<std::int64_t>{1} ? "batch" : "batches"),
            report.value().runtimeVersion);
    }
    return report.value().equal() ? Done : Different;
}

int runVerify(const VerifyArguments& arguments, std::stop_token stop)
{
    const auto report = verify(
        arguments.model,
        {.data = arguments.data, .tolerance = arguments.tolerance, .timeLimit = arguments.limits().time, .stop = stop});
    if (!report) {
        return reportError(report.problem(), arguments.model);
    }
    int status = report.value().equal() ? Done : Different;
    Json json{{"model", arguments.model},
              {"runtime", report.value().runtimeVersion},
              {"data_sets", report.value().dataSets},
              {"outputs", comparisonsJson(report.value().outputs)}};
    if (arguments.inner) {
        const int inner = runInner(arguments, json, stop);
        status = inner > Different ? inner : std::max(status, inner);
    }
    if (status > Different) {
        return status;
    }
    json["equal"] = status == Done;
    if (arguments.json) {
        print(json);
    } else {
        printLines(report.value().outputs);
        printLine("{}: {} with ONNX Runtime {}", arguments.model,
                  status == Done ? "matches the recorded outputs"
                  : report.value().equal()
                      ? "matches the recorded outputs, but inner tensors differ from the recorded ones"
                      : "differs from the recorded outputs",
                  report.value().runtimeVersion);
    }
    return status;
}

} // namespace

Command addVerify(CLI::App& app)
{
    auto arguments = std::make_shared<VerifyArguments>();
    CLI::App* command = app.add_subcommand("verify", "Run an ONNX file on recorded tensors and compare");
    command->add_option("MODEL", arguments->model, "the ONNX file")->required()->type_name("OUT.onnx");
    auto* against = command->add_option_group("Against", "the reference for the outputs, one of");
    against->require_option(1);
    auto* data =
        against
            ->add_option("--data", arguments->data,
                         "folder with input_<i>.pb and output_<i>.pb, or with test_data_set_<k>; folders alt_* "
                         "beside a data set contain other correct outputs of it")
            ->type_name("DIR");
    auto* original = against
                         ->add_option("--original", arguments->original,
                                      "the ONNX file that it was made from; both run on the same random inputs")
                         ->type_name("IN.onnx");
    command->add_option("--shape", arguments->shapes, "sizes of an input for its dynamic dimensions")
        ->type_name("NAME=2,3,224")
        ->allow_extra_args(false)
        ->needs(original);
    command->add_option("--rtol", arguments->tolerance.relative, "relative tolerance")
        ->check(expectNonNegative)
        ->capture_default_str();
    auto* absolute = command
                         ->add_option("--atol", arguments->tolerance.absolute,
                                      "absolute tolerance; the default is scaled by the median magnitude of a value "
                                      "with --original")
                         ->check(expectNonNegative)
                         ->capture_default_str();
    command
        ->add_flag("--inner", arguments->inner,
                   "also compare inner tensors (DIR/inner/*.pb) and report the first that differs")
        ->needs(data);
    command->add_flag("--allow-large", arguments->allowLarge, allowLargeHelp)->needs(original);
    command->add_flag("--json", arguments->json, "as JSON");
    command
        ->add_option("--time-limit", arguments->timeLimit,
                     "seconds that loading the model, or a run of it, may take; 0 for no limit")
        ->type_name("S")
        ->check(expectNonNegative)
        ->capture_default_str();
    command->footer("Example:\n  crosswalk verify model.onnx --data test_data_set_0 --rtol 1e-3 --atol 1e-4\n"
                    "  crosswalk verify opened.onnx --original fixed.onnx\n"
                    "\nExit status: 0 equal, 1 different or crashed, 6 ONNX Runtime is absent.");
    return {command, [arguments, absolute](std::stop_token stop) {
                arguments->isAbsoluteGiven = absolute->count() > 0;
                return arguments->original.empty() ? runVerify(*arguments, std::move(stop))
                                                   : runAgainstOriginal(*arguments, std::move(stop));
            }};
}

} // namespace crosswalk::app
