#include "tests/support/numeric_corpus.h"

#include "core/verify/compare.h"

#include <QByteArray>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace crosswalk::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

double numberOf(const Json& value)
{
    if (!value.is_string()) {
        return value.get<double>();
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return value == "nan" ? std::numeric_limits<double>::quiet_NaN() : value == "inf" ? infinity : -infinity;
}

NamedTensor tensorFrom(const Json& json)
{
    const ElementType type = elementTypeFromName(json.at("type").get<std::string>()).value();
    const auto dims = json.at("dims").get<std::vector<std::int64_t>>();
    const Json& values = json.at("values");
    const auto name = json.at("name").get<std::string>();
    if (type == ElementType::String) {
        return {name, Tensor::strings(dims, values.get<std::vector<std::string>>())};
    }
    if (values.empty()) { // an empty tensor, or an output of which only the shape is recorded
        return {name, Tensor::filled(type, dims, 0)};
    }
    if (isInteger(type)) {
        const auto numbers = values.get<std::vector<std::int64_t>>();
        return {name, Tensor::of<std::int64_t>(ElementType::Int64, dims, numbers).converted(type)};
    }
    std::vector<double> numbers;
    std::transform(values.begin(), values.end(), std::back_inserter(numbers), numberOf);
    return {name, Tensor::of<double>(ElementType::Float64, dims, numbers).converted(type)};
}

std::vector<NamedTensor> tensorsFrom(const Json& list)
{
    std::vector<NamedTensor> tensors;
    std::transform(list.begin(), list.end(), std::back_inserter(tensors), tensorFrom);
    return tensors;
}

/// Attributes of a node in the JSON format of any release.
std::map<std::string, std::string> attributesOf(const Json& node)
{
    std::map<std::string, std::string> attributes;
    for (const char* key : {"attrs", "attr", "param"}) {
        const Json given = node.value(key, Json::object());
        for (const auto& [name, value] : given.items()) {
            attributes.emplace(name, value.get<std::string>());
        }
    }
    return attributes;
}

void addRecurrentForms(const Json& symbol, std::vector<std::string>& forms)
{
    for (const Json& node : symbol.at("nodes")) {
        if (node.at("op") == "RNN") {
            const auto attributes = attributesOf(node);
            const auto has = [&](const char* name) {
                const auto found = attributes.find(name);
                return found != attributes.end() && found->second != "None" && found->second != "False" &&
                       found->second != "0";
            };
            std::string form = attributes.at("mode");
            form += attributes.at("num_layers") != "1" ? " multi-layer" : "";
            form += has("bidirectional") ? " bidirectional" : "";
            form += has("projection_size") ? " projection" : "";
            form += has("lstm_state_clip_min") || has("lstm_state_clip_max") ? " clip" : "";
            form += has("use_sequence_length") ? " lengths" : "";
            forms.push_back(form);
        }
        for (const Json& inner : node.value("subgraphs", Json::array())) {
            addRecurrentForms(inner, forms);
        }
    }
}

CorpusCase caseFrom(const Json& row)
{
    CorpusCase one;
    one.name = row.at("case");
    one.params = QByteArray::fromBase64(QByteArray::fromStdString(row.value("params", std::string()))).toStdString();
    const Json files = row.value("files", Json::object());
    for (const auto& [name, packed] : files.items()) {
        const QByteArray content = QByteArray::fromBase64(QByteArray::fromStdString(packed.get<std::string>()));
        one.files.emplace_back(name, qUncompress(content).toStdString());
    }
    one.inputs = tensorsFrom(row.at("inputs"));
    one.outputs = tensorsFrom(row.at("outputs"));
    for (const Json& outputs : row.value("alternatives", Json::array())) {
        one.alternatives.push_back(tensorsFrom(outputs));
    }
    one.tolerance = {row.value("rtol", one.tolerance.relative), row.value("atol", one.tolerance.absolute)};
    if (row.contains("mtol")) {
        one.clip = row.at("mtol").get<double>();
    }
    one.checksValues = !row.value("stochastic", false) && row.value("check_value", true);
    one.checksTypes = row.value("check_dtype", true);
    if (row.contains("symbol")) {
        one.symbol = row.at("symbol").dump();
        addRecurrentForms(row.at("symbol"), one.recurrentForms);
    }
    return one;
}

Tensor clipped(const Tensor& tensor, double limit)
{
    auto values = tensor.toDoubles();
    std::transform(values.begin(), values.end(), values.begin(),
                   [&](double value) { return std::isnan(value) ? value : std::clamp(value, -limit, limit); });
    return Tensor::of<double>(ElementType::Float64, tensor.dims(), values).converted(tensor.type());
}

/// Describes the difference; empty if the output matches.
std::string outputDifference(const CorpusCase& one, const NamedTensor& got, const Tensor& recorded)
{
    if (!one.checksValues) {
        return got.tensor.dims() == recorded.dims()
                   ? std::string()
                   : fmt::format("{}: shape {}, recorded {}", got.name, got.tensor.dims(), recorded.dims());
    }
    const bool areNumbers = isNumeric(got.tensor.type()) && isNumeric(recorded.type());
    Tensor have = areNumbers && !one.checksTypes ? got.tensor.converted(recorded.type()) : got.tensor;
    Tensor want = recorded;
    if (one.clip && isFloating(have.type()) && isFloating(want.type())) {
        have = clipped(have, *one.clip);
        want = clipped(want, *one.clip);
    }
    const Comparison found = compare(got.name, have, want, one.tolerance);
    return found.equal ? std::string()
                       : fmt::format("{}: {}, largest difference {}", found.name, found.why, found.maxAbsolute);
}

std::string differenceFrom(const CorpusCase& one, const std::vector<NamedTensor>& got,
                           const std::vector<NamedTensor>& recorded)
{
    if (got.size() != recorded.size()) {
        return fmt::format("{} outputs, recorded {}", got.size(), recorded.size());
    }
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::string& name = recorded[i].name;
        const int count = ++seen[name]; // the second output of a name is called `name#2` in an export
        if (got[i].name != (count == 1 ? name : fmt::format("{}#{}", name, count))) {
            return fmt::format("output {}, recorded {}", got[i].name, name);
        }
        if (std::string found = outputDifference(one, got[i], recorded[i].tensor); !found.empty()) {
            return found;
        }
    }
    return {};
}

} // namespace

std::vector<CorpusCase> readCorpus(const fs::path& folder)
{
    std::vector<CorpusCase> cases;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".jsonl") {
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                cases.push_back(caseFrom(Json::parse(line)));
            }
        }
    }
    std::ranges::sort(cases, {}, &CorpusCase::name);
    return cases;
}

fs::path writeModel(const CorpusCase& one, const fs::path& folder)
{
    for (const auto& [name, content] : one.files) {
        std::ofstream(folder / name, std::ios::binary) << content;
    }
    if (!one.files.empty()) {
        return folder / one.files.front().first;
    }
    const fs::path symbol = folder / "model-symbol.json";
    std::ofstream(symbol) << one.symbol;
    if (!one.params.empty()) {
        std::ofstream(folder / "model-0000.params", std::ios::binary) << one.params;
    }
    return symbol;
}

std::string differenceFrom(const CorpusCase& one, const std::vector<NamedTensor>& got)
{
    const std::string difference = differenceFrom(one, got, one.outputs);
    const bool matches = std::ranges::any_of(
        one.alternatives, [&](const auto& outputs) { return differenceFrom(one, got, outputs).empty(); });
    return matches ? std::string() : difference;
}

} // namespace crosswalk::test
