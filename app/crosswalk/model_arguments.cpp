#include "app/crosswalk/model_arguments.h"

#include "app/crosswalk/commands.h"
#include "app/crosswalk/exit_status.h"
#include "app/crosswalk/printing.h"
#include "core/base/name_list.h"
#include "core/formats/format_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::app {
namespace {

struct Assignment {
    std::string name;
    std::string value;
};

/// Splits NAME=VALUE at the last "=": names come from files and may contain any character.
Assignment assignment(const std::string& text, std::string_view option, std::string_view form)
{
    const auto mark = text.rfind('=');
    if (mark == std::string::npos || mark == 0) {
        throw ModelError("usage", fmt::format("{} {} is not of the form {}", option, text, form));
    }
    return {text.substr(0, mark), text.substr(mark + 1)};
}

Dim parseDim(const std::string& text, const std::string& whole)
{
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error == std::errc() && end == text.data() + text.size() && size >= 0) {
        return size;
    }
    const bool isSymbol = !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_') &&
                          std::all_of(text.begin(), text.end(), [](char c) {
                              return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
                          });
    if (!isSymbol) {
        throw ModelError("usage", fmt::format("--shape {}: {} is neither a size nor a symbol", whole,
                                              text.empty() ? "an empty dimension" : text));
    }
    return Dim(text);
}

Shape parseShape(const std::string& text, const std::string& whole)
{
    Shape shape;
    std::size_t begin = 0;
    while (!text.empty() && begin <= text.size()) {
        const auto comma = std::min(text.find(',', begin), text.size());
        shape.push_back(parseDim(text.substr(begin, comma - begin), whole));
        begin = comma + 1;
    }
    return shape;
}

Strategy parseStrategy(const std::string& text, std::string_view option)
{
    const auto strategy = strategyFromName(text);
    if (!strategy) {
        throw ModelError("usage", fmt::format("{}: {} is not one of exact, fused, unrolled", option, text));
    }
    return *strategy;
}

/// Adds an option that takes one value and may be repeated.
void addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help,
                 const std::string& form)
{
    command.add_option(name, values, help)->type_name(form)->allow_extra_args(false);
}

} // namespace

Shapes parseShapes(const std::vector<std::string>& texts)
{
    Shapes shapes;
    for (const std::string& text : texts) {
        const auto [name, value] = assignment(text, "--shape", "NAME=2,3,224");
        shapes[name] = parseShape(value, text);
    }
    return shapes;
}

void ModelArguments::addModel(CLI::App& command)
{
    std::string model = "the model file";
    for (const FormatReader& reader : formatReaders()) {
        model += reader.mainFile.empty() ? "" : fmt::format("; for {}, {}", reader.name, reader.mainFile);
    }
    const auto expectName = [](const std::string& path) {
        return std::string(path.empty() ? "the name is empty" : "");
    };
    command.add_option("MODEL", m_model, model)->required()->check(expectName);
    command.add_option("WEIGHTS", m_weights, "the weights file; by default looked up beside MODEL");
    command.add_flag("--allow-large", m_allowLarge, allowLargeHelp);
}

void ModelArguments::addOutputs(CLI::App& command)
{
    command
        .add_option(
            "--outputs", m_outputs,
            "values of the source, or nodes with one output, that become the outputs; what they do not need is "
            "left out. A variable becomes an input and an output, and a node without outputs is run. A comma in "
            "a name is written \\,")
        ->type_name("NAME,...")
        ->allow_extra_args(false);
}

void ModelArguments::addSignature(CLI::App& command)
{
    command
        .add_option("--signature", m_signature,
                    "the signature to use, of a model with several; crosswalk inspect lists them and marks the default")
        ->type_name("NAME");
    command
        .add_option("--tags", m_tags,
                    "all tags of the graph to use, of a model with several; crosswalk inspect lists them")
        ->delimiter(',')
        ->type_name("TAG,...")
        ->allow_extra_args(false);
}

void ModelArguments::addShapes(CLI::App& command)
{
    addRepeated(
        command, "--shape", m_shapes,
        "shape of an input, or of an output of a --custom-op; a name is a dynamic dimension, an empty value a scalar",
        "NAME=2,3,H,W");
    addRepeated(command, "--dtype", m_types, "type of an input, or of an output of a --custom-op", "NAME=float32");
}

void ModelArguments::addOptions(CLI::App& command)
{
    addOutputs(command);
    addShapes(command);
    command
        .add_option("--opset", m_opset,
                    fmt::format("ONNX opset, {} to {}; {} when not given, or what an ONNX model has", oldestOpset,
                                newestOpset, defaultOpset))
        ->check(CLI::Range(oldestOpset, newestOpset));
    command.add_option("--rnn", m_recurrent, "how to express recurrent layers that have no exact ONNX operator")
        ->check(CLI::IsMember({"exact", "fused", "unrolled"}))
        ->capture_default_str();
    addRepeated(command, "--strategy", m_strategies, "the same for one node", "NODE=exact|fused|unrolled");
    addRepeated(command, "--custom-op", m_customOperators, "your own operator to use for a source operator",
                "TYPE=DOMAIN:NAME");
    addRepeated(command, "--rename", m_renames, "rename an input or output of the exported model", "OLD=NEW");
    command
        .add_option(
            "--each-sample", m_scanOverBatch,
            "run a model for a single sample on each sample of a dynamic batch N, even if it hardcodes its shapes; "
            "use N in the --shape of the inputs that contain a sample")
        ->type_name("N");
    command.add_flag("--reroll", m_reroll, "replace unrolled recurrent cells by one recurrent node");
    command
        .add_flag("--optimize", m_optimize,
                  "run exact optimizations, such as folding BatchNorm into Conv; --optimize=attention also turns "
                  "attention into Attention nodes (opset 23 and later) and notes which")
        ->check(CLI::IsMember({"true", "false", "attention"}));
}

std::vector<std::string> ModelArguments::asArguments() const
{
    std::vector<std::string> words{m_model};
    if (!m_weights.empty()) {
        words.insert(words.end(), {"--weights", m_weights});
    }
    const auto options = optionsAsArguments();
    words.insert(words.end(), options.begin(), options.end());
    return words;
}

std::vector<std::string> ModelArguments::optionsAsArguments() const
{
    std::vector<std::string> words;
    const auto repeat = [&](const std::string& option, const std::vector<std::string>& values) {
        for (const std::string& value : values) {
            words.insert(words.end(), {option, value});
        }
    };
    if (!m_signature.empty()) {
        words.insert(words.end(), {"--signature", m_signature});
    }
    repeat("--tags", m_tags);
    repeat("--outputs", m_outputs);
    repeat("--shape", m_shapes);
    repeat("--dtype", m_types);
    repeat("--strategy", m_strategies);
    repeat("--custom-op", m_customOperators);
    repeat("--rename", m_renames);
    if (m_opset) {
        words.insert(words.end(), {"--opset", std::to_string(*m_opset)});
    }
    words.insert(words.end(), {"--rnn", m_recurrent});
    if (!m_scanOverBatch.empty()) {
        words.insert(words.end(), {"--each-sample", m_scanOverBatch});
    }
    if (m_reroll) {
        words.emplace_back("--reroll");
    }
    if (isOptimized()) {
        words.emplace_back(m_optimize == "attention" ? "--optimize=attention" : "--optimize");
    }
    if (m_allowLarge) {
        words.emplace_back("--allow-large");
    }
    return words;
}

ConvertOptions ModelArguments::options() const
{
    ConvertOptions options;
    options.outputs = namesIn(m_outputs);
    options.opset = m_opset;
    options.recurrent = parseStrategy(m_recurrent, "--rnn");
    options.scanOverBatch = m_scanOverBatch;
    options.reroll = m_reroll;
    options.optimize = isOptimized();
    options.fuseAttention = m_optimize == "attention";
    options.shapes = parseShapes(m_shapes);
    for (const std::string& text : m_types) {
        const auto [name, value] = assignment(text, "--dtype", "NAME=float32");
        const auto type = elementTypeFromName(value);
        if (!type) {
            throw ModelError("usage", fmt::format("--dtype {}: {} is not a type", text, value));
        }
        options.types[name] = *type;
    }
    for (const std::string& text : m_strategies) {
        const auto [name, value] = assignment(text, "--strategy", "NODE=exact");
        options.strategies[name] = parseStrategy(value, "--strategy " + text);
    }
    for (const std::string& text : m_customOperators) {
        const auto [name, value] = assignment(text, "--custom-op", "TYPE=DOMAIN:NAME");
        const auto colon = value.rfind(':');
        if (colon == std::string::npos || colon == 0 || colon + 1 == value.size()) {
            throw ModelError("usage", fmt::format("--custom-op {} is not of the form TYPE=DOMAIN:NAME", text));
        }
        options.customOperators[name] = {value.substr(0, colon), value.substr(colon + 1)};
    }
    for (const std::string& text : m_renames) {
        const auto [name, value] = assignment(text, "--rename", "OLD=NEW");
        if (const auto [earlier, isNew] = options.renames.emplace(name, value); !isNew && earlier->second != value) {
            throw ModelError("usage",
                             fmt::format("--rename gives {} two names, {} and {}", name, earlier->second, value));
        }
    }
    return options;
}

std::optional<Model> ModelArguments::read(std::stop_token stop, int& status) const
{
    const ConvertOptions given = options();
    auto model = open(m_model, {.weights = m_weights,
                                .signature = m_signature,
                                .tags = m_tags,
                                .inputs = describedInputs(given),
                                .shapes = given.shapes,
                                .allowLarge = m_allowLarge,
                                .stop = std::move(stop)});
    if (!model) {
        status = reportError(model.problem(), m_model);
        return std::nullopt;
    }
    return std::move(model.value());
}

std::optional<OnnxExport> ModelArguments::convert(std::stop_token stop, int& status) const
{
    const ConvertOptions wanted = options();
    const auto model = read(stop, status);
    if (!model) {
        return std::nullopt;
    }
    auto exported = crosswalk::convert(*model, wanted, stop);
    if (!exported) {
        status = reportError(exported.problem(), m_model);
        return std::nullopt;
    }
    return std::move(exported.value());
}

} // namespace crosswalk::app
