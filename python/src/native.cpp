// The public library as Python sees it. The module crosswalk wraps it: see crosswalk/__init__.py.

#include "interruptible.h"

#include <crosswalk/crosswalk.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

/// Text crosses over as file names do in Python: names in models may be invalid UTF-8.
template <>
struct nb::detail::type_caster<std::string> {
    NB_TYPE_CASTER(std::string, const_name("str"))

    bool from_python(nb::handle source, std::uint8_t, nb::detail::cleanup_list*) noexcept
    {
        const nb::object bytes = nb::steal(
            PyUnicode_Check(source.ptr()) ? PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape") : nullptr);
        if (!bytes.is_valid()) {
            PyErr_Clear();
            return false;
        }
        value.assign(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
        return true;
    }

    static nb::handle from_cpp(const std::string& text, nb::rv_policy, nb::detail::cleanup_list*) noexcept
    {
        return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    }
};

namespace crosswalk::python {
namespace {

/// A dimension as it crosses over: a size, a symbol, or None.
nb::object toPython(const Dim& dim)
{
    return dim.isFixed() ? nb::object(nb::int_(dim.size)) : dim.symbol().empty() ? nb::none() : nb::cast(dim.symbol());
}

nb::object toPython(const std::optional<Shape>& shape)
{
    if (!shape) {
        return nb::none();
    }
    nb::list dims;
    for (const Dim& dim : *shape) {
        dims.append(toPython(dim));
    }
    return nb::tuple(dims);
}

/// A value of an option, or TypeError: "opset is a number, not str".
template <typename T>
T to(nb::handle value, const std::string& option, const char* expected)
{
    T result{};
    if (!nb::try_cast(value, result)) {
        throw nb::type_error((option + " is " + expected + ", not " + nb::type_name(value.type()).c_str()).c_str());
    }
    return result;
}

std::string toText(nb::handle value, const std::string& option)
{
    return to<std::string>(value, option, "a text");
}

/// Calls `add` with the names in a dictionary and their values.
template <typename Add>
void forEachName(nb::handle value, const std::string& option, const Add& add)
{
    for (const auto& [name, entry] : to<nb::dict>(value, option, "a dictionary")) {
        add(toText(name, "a name in " + option), entry);
    }
}

Shape toShape(nb::handle dims, const std::string& option)
{
    constexpr const char* expected = "a sequence of sizes, names and None";
    if (nb::isinstance<nb::str>(dims)) { // a sequence of letters
        throw nb::type_error((option + " is " + expected + ", not str").c_str());
    }
    Shape shape;
    for (const nb::handle dim : to<nb::sequence>(dims, option, expected)) {
        if (dim.is_none()) {
            shape.emplace_back();
        } else if (nb::isinstance<nb::str>(dim)) {
            shape.emplace_back(nb::cast<std::string>(dim));
        } else {
            const auto size = to<std::int64_t>(dim, "a dimension of " + option, "a size, a name, or None");
            if (size < 0) {
                throw nb::value_error("a dimension is a size, a name, or None");
            }
            shape.emplace_back(size);
        }
    }
    return shape;
}

std::map<std::string, Shape, std::less<>> toShapes(nb::handle shapes)
{
    std::map<std::string, Shape, std::less<>> result;
    forEachName(shapes, "shapes", [&](const std::string& name, nb::handle dims) {
        result[name] = toShape(dims, "the shape of " + name);
    });
    return result;
}

std::vector<std::string> toNames(nb::handle value, const std::string& option)
{
    constexpr const char* expected = "a sequence of names";
    if (nb::isinstance<nb::str>(value)) { // a sequence of letters
        throw nb::type_error((option + " is " + expected + ", not str").c_str());
    }
    return to<std::vector<std::string>>(value, option, expected);
}

Strategy toStrategy(const std::string& name)
{
    const auto strategy = strategyFromName(name);
    if (!strategy) {
        throw nb::value_error((name + " is not one of exact, fused, unrolled").c_str());
    }
    return *strategy;
}

ConvertOptions toOptions(const nb::dict& settings)
{
    ConvertOptions options;
    for (const auto& [key, value] : settings) {
        const auto name = nb::cast<std::string>(key);
        if (name == "shapes") {
            options.shapes = toShapes(value);
        } else if (name == "dtypes") {
            forEachName(value, name, [&](const std::string& input, nb::handle type) {
                const std::string text = toText(type, "the type of " + input);
                const auto element = elementTypeFromName(text);
                if (!element) {
                    throw nb::value_error((text + " is not an element type").c_str());
                }
                options.types[input] = *element;
            });
        } else if (name == "opset") {
            const auto opset = to<int>(value, name, "a number");
            if (opset < oldestOpset || opset > newestOpset) {
                throw nb::value_error(("opset is " + std::to_string(oldestOpset) + " to " + std::to_string(newestOpset)).c_str());
            }
            options.opset = opset;
        } else if (name == "outputs") {
            options.outputs = toNames(value, name);
        } else if (name == "rnn") {
            options.recurrent = toStrategy(toText(value, name));
        } else if (name == "strategies") {
            forEachName(value, name, [&](const std::string& node, nb::handle strategy) {
                options.strategies[node] = toStrategy(toText(strategy, "the strategy of " + node));
            });
        } else if (name == "custom_ops") {
            forEachName(value, name, [&](const std::string& op, nb::handle target) {
                const auto [domain, custom] = to<std::pair<std::string, std::string>>(
                    target, "the operator for " + op, "a tuple of a domain and a name");
                options.customOperators[op] = {domain, custom};
            });
        } else if (name == "rename") {
            forEachName(value, name, [&](const std::string& port, nb::handle renamed) {
                options.renames[port] = toText(renamed, "the new name of " + port);
            });
        } else if (name == "each_sample") {
            options.scanOverBatch = toText(value, name);
        } else if (name == "reroll") {
            options.reroll = to<bool>(value, name, "True or False");
        } else if (name == "optimize") {
            options.fuseAttention = nb::isinstance<nb::str>(value);
            if (options.fuseAttention && nb::cast<std::string>(value) != "attention") {
                throw nb::value_error("optimize is True, False or \"attention\"");
            }
            options.optimize = options.fuseAttention || to<bool>(value, name, "True, False or \"attention\"");
        } else {
            throw nb::type_error(("convert() has no option " + name).c_str());
        }
    }
    return options;
}

nb::dict toPython(const Diagnostic& problem)
{
    nb::list choices;
    for (const Choice& choice : problem.choices) {
        choices.append(nb::make_tuple(choice.strategy, choice.cost, choice.exact));
    }
    nb::dict result;
    result["severity"] = severityName(problem.severity);
    result["code"] = problem.code.text();
    result["message"] = problem.message;
    result["node"] = problem.node;
    result["op"] = problem.op;
    result["attribute"] = problem.attribute;
    result["hint"] = problem.hint;
    result["choices"] = nb::tuple(choices);
    return result;
}

nb::list toPython(const std::vector<Diagnostic>& problems)
{
    nb::list list;
    for (const Diagnostic& problem : problems) {
        list.append(toPython(problem));
    }
    return list;
}

/// Raises crosswalk.CrosswalkError with one problem.
[[noreturn]] void raise(const Diagnostic& problem)
{
    const nb::object failure = nb::module_::import_("crosswalk").attr("_failure")(toPython(problem));
    PyErr_SetObject(failure.type().ptr(), failure.ptr());
    throw nb::python_error();
}

/// The value that `work` returns, or its problem as an exception.
template <typename T>
T valueOf(const std::function<Result<T>(std::stop_token)>& work)
{
    std::optional<Result<T>> result;
    runInterruptibly([&](std::stop_token stop) { result.emplace(work(std::move(stop))); });
    if (!*result) {
        raise(result->problem());
    }
    return std::move(result->value());
}

nb::list toPython(const std::vector<Port>& ports)
{
    nb::list list;
    for (const Port& port : ports) {
        nb::dict entry;
        entry["name"] = port.name;
        entry["dtype"] = elementTypeName(port.type.element);
        entry["shape"] = toPython(port.type.shape);
        list.append(entry);
    }
    return list;
}

nb::dict toPython(const ModelSummary& summary)
{
    nb::dict result;
    result["format"] = summary.format;
    result["producer"] = summary.producer;
    result["version"] = summary.version;
    result["opsets"] = summary.opsets;
    result["inputs"] = toPython(summary.inputs);
    result["outputs"] = toPython(summary.outputs);
    result["operators"] = summary.operators;
    nb::dict parameters;
    parameters["tensors"] = summary.parameters.tensors;
    parameters["elements"] = summary.parameters.elements;
    parameters["bytes"] = summary.parameters.bytes;
    result["parameters"] = parameters;
    result["multiply_adds"] = summary.work ? nb::object(nb::int_(summary.work->multiplyAdds)) : nb::none();
    result["states"] = summary.states;
    result["metadata"] = summary.metadata;
    nb::list signatures;
    for (const Signature& signature : summary.signatures) {
        nb::dict entry;
        entry["name"] = signature.name;
        entry["inputs"] = signature.inputs;
        entry["outputs"] = signature.outputs;
        entry["is_used"] = signature.isUsed;
        signatures.append(entry);
    }
    result["signatures"] = signatures;
    result["functions"] = summary.functions;
    result["assets"] = summary.assets;
    result["unused"] = summary.unused;
    return result;
}

nb::dict toPython(const VerifyReport& report)
{
    nb::list outputs;
    for (const Comparison& one : report.outputs) {
        nb::dict entry;
        entry["name"] = one.name;
        entry["equal"] = one.equal;
        entry["why"] = one.why;
        entry["max_absolute"] = one.maxAbsolute;
        entry["max_relative"] = one.maxRelative;
        entry["differing"] = one.differing;
        entry["elements"] = one.elements;
        outputs.append(entry);
    }
    nb::dict result;
    result["equal"] = report.equal();
    result["runtime_version"] = report.runtimeVersion;
    result["data_sets"] = report.dataSets;
    result["outputs"] = outputs;
    return result;
}

nb::list toPython(const std::vector<Difference>& differences)
{
    nb::list list;
    for (const Difference& difference : differences) {
        list.append(nb::make_tuple(difference.what, difference.before, difference.after));
    }
    return list;
}

nb::dict toPython(const DiffReport& report)
{
    nb::list nodes;
    for (const NodeChange& node : report.nodes) {
        nb::dict entry;
        entry["change"] = changeName(node.change);
        entry["node"] = node.node;
        entry["op"] = node.op;
        entry["counterpart"] = node.counterpart;
        entry["differences"] = toPython(node.differences);
        nodes.append(entry);
    }
    nb::dict result;
    result["equal"] = report.isEqual();
    result["model"] = toPython(report.model);
    result["nodes"] = nodes;
    result["same"] = report.same;
    return result;
}

RenderOptions toRenderOptions(const std::string& side, const std::string& groups, bool dark)
{
    if (side != "source" && side != "onnx") {
        throw nb::value_error("side is \"source\" or \"onnx\"");
    }
    return {.side = side == "source" ? Side::Source : Side::Onnx, .groups = groups, .dark = dark};
}

} // namespace
} // namespace crosswalk::python

NB_MODULE(_native, module)
{
    using namespace crosswalk;
    using namespace crosswalk::python;

    module.attr("default_opset") = defaultOpset;
    module.attr("opsets") = nb::make_tuple(oldestOpset, newestOpset);

    nb::class_<Model>(module, "Model")
        .def_prop_ro("path", [](const Model& model) { return model.path().string(); })
        .def_prop_ro("format", &Model::format)
        .def_prop_ro("problems", [](const Model& model) { return toPython(model.problems()); });

    nb::class_<OnnxExport>(module, "OnnxExport")
        .def_prop_ro("problems", [](const OnnxExport& exported) { return toPython(exported.problems()); })
        .def_prop_ro("is_complete", &OnnxExport::isComplete)
        .def_prop_ro("opset", &OnnxExport::opset)
        .def_prop_ro("node_count", &OnnxExport::nodeCount);

    module.def(
        "open",
        [](const std::string& path, const std::string& weights, const std::string& signature,
           const std::vector<std::string>& tags, const std::vector<std::string>& inputs, const nb::dict& shapes, bool allowLarge) {
            OpenOptions options{.weights = weights, .signature = signature, .tags = tags, .inputs = inputs, .shapes = toShapes(shapes), .allowLarge = allowLarge};
            return valueOf<Model>([&](std::stop_token stop) {
                options.stop = std::move(stop);
                return crosswalk::open(path, options);
            });
        },
        "path"_a, "weights"_a, "signature"_a, "tags"_a, "inputs"_a, "shapes"_a, "allow_large"_a);

    module.def(
        "inspect",
        [](const Model& model, const nb::dict& settings) {
            const ConvertOptions options = toOptions(settings);
            return toPython(valueOf<ModelSummary>(
                [&](std::stop_token stop) { return crosswalk::inspect(model, options, std::move(stop)); }));
        },
        "model"_a, "options"_a);

    module.def(
        "convert",
        [](const Model& model, const nb::dict& settings) {
            const ConvertOptions options = toOptions(settings);
            return valueOf<OnnxExport>(
                [&](std::stop_token stop) { return crosswalk::convert(model, options, std::move(stop)); });
        },
        "model"_a, "options"_a);

    module.def(
        "write",
        [](const OnnxExport& exported, const std::string& path, bool externalData, bool weightsInPlace, bool partial,
           bool overwrite) {
            const ExportOptions options{.externalData = externalData,
                                        .weightsInPlace = weightsInPlace,
                                        .partial = partial,
                                        .overwrite = overwrite ? Overwrite::Anything : Overwrite::Nothing};
            return valueOf<WriteReport>([&](std::stop_token stop) {
                       return crosswalk::write(exported, path, options, std::move(stop));
                   })
                .bytes;
        },
        "export"_a, "path"_a, "external_data"_a, "weights_in_place"_a, "partial"_a, "overwrite"_a);

    module.def(
        "render",
        [](const OnnxExport& exported, const std::string& side, const std::string& groups, bool dark) {
            RenderOptions options = toRenderOptions(side, groups, dark);
            return valueOf<std::string>([&](std::stop_token stop) {
                options.stop = std::move(stop);
                return crosswalk::render(exported, options);
            });
        },
        "export"_a, "side"_a, "groups"_a, "dark"_a);

    module.def(
        "verify",
        [](const std::string& model, const std::string& data, double relative, double absolute) {
            VerifyOptions options{.data = data, .tolerance = {relative, absolute}};
            return toPython(valueOf<VerifyReport>([&](std::stop_token stop) {
                options.stop = std::move(stop);
                return crosswalk::verify(model, options);
            }));
        },
        "model"_a, "data"_a, "rtol"_a, "atol"_a);

    module.def(
        "diff",
        [](const Model& first, const Model& second) {
            return toPython(valueOf<DiffReport>(
                [&](std::stop_token stop) { return crosswalk::diff(first, second, std::move(stop)); }));
        },
        "first"_a, "second"_a);
}
