#include "core/formats/tensorflow/signatures.h"

#include "core/base/diagnostic.h"
#include "core/base/unique_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk::tensorflow {
namespace {

using ValueTable = std::unordered_map<std::string_view, ValueId>;
using Ports = std::vector<std::pair<std::string, ValueId>>;

ValueTable valuesByName(const Graph& graph)
{
    ValueTable values;
    values.reserve(graph.valueCount());
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        values.emplace(graph.value(ValueId{i}).name, ValueId{i});
    }
    return values;
}

/// Nothing if a port is not a single tensor.
std::optional<Ports> portsOf(std::span<const SignatureDef::Port> defs, std::string_view signature,
                             const ValueTable& values)
{
    Ports ports;
    for (const SignatureDef::Port& port : defs) {
        if (port.tensor.empty()) {
            return std::nullopt;
        }
        const std::string name =
            std::string(port.tensor) + (port.tensor.find(':') == std::string_view::npos ? ":0" : "");
        const auto value = values.find(name);
        if (value == values.end()) {
            throw ModelError("damaged",
                             fmt::format("the signature {} has '{}' for its '{}', which the graph does not have",
                                         signature, port.tensor, port.key));
        }
        ports.emplace_back(port.key, value->second);
    }
    return ports;
}

/// Each value once.
ValueIds valuesOf(const Ports& ports)
{
    ValueIds values;
    for (const auto& [key, value] : ports) {
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
    }
    return values;
}

/// Gives inputs and outputs their keys as names. An input and an output can have the same key.
void renamePorts(const Signature& signature, Graph& graph, std::vector<Diagnostic>& problems)
{
    std::set<ValueId> renamed;
    std::set<std::string> inputs;
    UniqueNames names;
    for (const auto& [key, value] : signature.inputs) {
        if (renamed.insert(value).second) {
            graph.value(value).name = key;
            inputs.insert(key);
        }
        names.take(key);
    }
    for (const auto& [key, value] : signature.outputs) {
        names.take(key);
    }
    for (const auto& [key, value] : signature.outputs) {
        if (!renamed.insert(value).second) {
            continue;
        }
        std::string& name = graph.value(value).name;
        name = key;
        if (inputs.contains(key)) {
            name = names.unique(key + "_out");
            problems.push_back(
                {.severity = Severity::Note,
                 .code = "renamed-output",
                 .message = fmt::format("an input has the name of output {}: the output is named {}", key, name)});
        }
    }
}

} // namespace

std::vector<Signature> signaturesOf(const MetaGraphDef& meta, const Graph& graph)
{
    const ValueTable values = valuesByName(graph);
    std::vector<Signature> signatures;
    for (const SignatureDef& def : meta.signatures) {
        if (def.name == "__saved_model_init_op") { // refers to a node that runs when the model is loaded
            continue;
        }
        const auto inputs = portsOf(def.inputs, def.name, values);
        const auto outputs = portsOf(def.outputs, def.name, values);
        if (inputs && outputs) {
            Signature& signature = signatures.emplace_back();
            signature.name = def.name;
            signature.method = def.method;
            signature.inputs = *inputs;
            signature.outputs = *outputs;
            for (std::size_t i = 0; i < inputs->size(); ++i) {
                const auto& declared = def.inputs[i].shape;
                if (const auto shape = declared ? shapeOf(*declared) : std::nullopt) {
                    signature.shapes[(*inputs)[i].second] = *shape;
                }
            }
        }
    }
    return signatures;
}

const Signature* selectSignature(const std::vector<Signature>& signatures, std::string_view wanted)
{
    if (!wanted.empty()) {
        const auto named = std::find_if(signatures.begin(), signatures.end(),
                                        [&](const Signature& signature) { return signature.name == wanted; });
        return named != signatures.end() ? &*named : nullptr;
    }
    const Signature* first = nullptr;
    for (const Signature& signature : signatures) {
        if (signature.outputs.empty()) {
            continue;
        }
        if (signature.name == "serving_default") {
            return &signature;
        }
        first = first != nullptr ? first : &signature;
    }
    return first;
}

void applySignature(const Signature& signature, bool renames, Graph& graph, std::vector<Diagnostic>& problems)
{
    graph.inputs = valuesOf(signature.inputs);
    graph.outputs = valuesOf(signature.outputs);
    for (const auto& [value, shape] : signature.shapes) { // TensorFlow infers those of computed values
        if (!graph.value(value).type.shape) {
            graph.value(value).type.shape = shape;
        }
    }
    if (renames) {
        renamePorts(signature, graph, problems);
    }
}

} // namespace crosswalk::tensorflow
