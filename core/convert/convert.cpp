// The only loop over nodes.

#include "core/convert/check_options.h"
#include "core/convert/conversion.h"
#include "core/convert/convert_over_batch.h"
#include "core/convert/custom_op.h"
#include "core/convert/framework.h"
#include "core/convert/node_context.h"
#include "core/convert/rerolled.h"
#include "core/convert/states.h"
#include "core/convert/value_names.h"
#include "core/graph/unknown_dim.h"
#include "core/onnx/proto.h"
#include "core/rewrite/optimize.h"
#include "core/rewrite/rename_ports.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

/// Why the shape of a value may be unknown although those of the inputs are not. What fails behind a gap only because
/// of it is not reported again; behind an operator of the user's it is, for the user can give the shape.
enum class Behind : std::uint8_t { Nothing, CustomOperator, Gap };

/// Values of one graph (the model's, or a subgraph's) on their way into ONNX.
struct ValueMap {
    explicit ValueMap(std::size_t count)
        : values(count)
        , behind(count, Behind::Nothing)
    {
    }
    std::vector<OnnxValue> values;
    std::vector<Behind> behind;
};

class Driver {
public:
    Driver(const Graph& graph, const ConvertOptions& options, const Framework& framework, std::stop_token stop)
        : m_graph(graph)
        , m_options(options)
        , m_framework(framework)
        , m_stop(std::move(stop))
        , m_names(graph)
        , m_onnx(options.opset.value_or(defaultOpset))
        , m_map(graph.valueCount())
        , m_scope{
              graph, m_names, options, m_onnx, m_result.problems, [this](const Graph& body, const OnnxValues& inputs) {
                  return translateSubgraph(body, inputs);
              }}
    {
    }

    Conversion run()
    {
        checkNames(m_options, m_graph, m_names, [this](std::string_view name) { return isInput(name); });
        declareInputs();
        m_unsupported.assign(m_graph.nodeCount(), 0);
        m_approximate.assign(m_graph.nodeCount(), 0);
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            checkStop();
            translateNode(NodeId{i});
        }
        declareOutputs();
        finish();
        return std::move(m_result);
    }

private:
    void checkStop() const
    {
        if (m_stop.stop_requested()) {
            throw ModelError("cancelled", "the conversion was cancelled");
        }
    }

    /// A weight can become an input too, and what an operator of the user's gives out is as unknown as an input.
    bool isInput(std::string_view name) const
    {
        return std::ranges::any_of(m_graph.values(), [&](const Value& value) {
            return value.name == name &&
                   (!value.producer || customOperator(m_graph.node(value.producer), m_options) != nullptr);
        });
    }

    void declareInputs()
    {
        std::map<std::string, TensorType, std::less<>> types;
        std::vector<ValueId> inputs;
        std::vector<std::string> missing;
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const Value& value = m_graph.value(ValueId{i});
            const bool isNamed = m_options.shapes.contains(value.name);
            if (value.producer || (value.tensor && !isNamed) || (value.role == Role::Label && !isNamed)) {
                continue;
            }
            if (value.role == Role::Parameter && !isNamed) {
                missing.push_back(value.name);
                m_map.behind[i] = Behind::Gap;
            }
            TensorType type = value.type;
            if (const auto given = m_options.types.find(value.name); given != m_options.types.end()) {
                type.element = given->second;
            } else if (type.element == ElementType::Undefined) {
                type.element = ElementType::Float32;
            }
            if (const auto given = m_options.shapes.find(value.name); given != m_options.shapes.end()) {
                type.shape = given->second;
            }
            types[value.name] = type;
            inputs.push_back(ValueId{i});
        }
        if (!missing.empty()) {
            m_result.problems.push_back(
                {.severity = Severity::Error,
                 .code = "missing-weight",
                 .message =
                     fmt::format("{} no content: {}",
                                 missing.size() == 1 ? "a weight has" : fmt::format("{} weights have", missing.size()),
                                 fmt::join(missing, ", ")),
                 .hint = "name the weights file after the model, or make it an input with --shape"});
        }
        if (m_framework.inferInputs != nullptr) {
            m_framework.inferInputs(m_graph, types);
        }
        for (const ValueId id : inputs) {
            const TensorType& type = types[m_graph.value(id).name];
            m_map.values[id.index] = m_onnx.input(m_graph.value(id).name, type);
            if (!type.shape) {
                m_openInputs.push_back(m_graph.value(id).name);
            }
        }
    }

    OnnxValue valueOf(const Graph& graph, ValueMap& map, ValueId id)
    {
        if (!id) {
            return {};
        }
        OnnxValue& value = map.values[id.index];
        if (!value) {
            if (const Tensor* stored = graph.tensorOf(id)) {
                value = m_onnx.weight(graph.value(id).name, *stored);
            }
        }
        return value;
    }

    OnnxValues inputsOf(const Graph& graph, ValueMap& map, const Node& node)
    {
        OnnxValues inputs;
        for (const ValueId id : node.inputs) {
            inputs.push_back(valueOf(graph, map, id));
        }
        return inputs;
    }

    OnnxValues withSizes(const Node& node, OnnxValues inputs)
    {
        if (m_framework.sizedBy != nullptr) {
            for (const ValueId input : m_framework.sizedBy(m_graph, node)) {
                inputs.push_back(valueOf(m_graph, m_map, input));
            }
        }
        return inputs;
    }

    void translateNode(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const OnnxValues inputs = inputsOf(m_graph, m_map, node);
        Behind behind = Behind::Nothing;
        for (const ValueId input : node.inputs) {
            behind = input ? std::max(behind, m_map.behind[input.index]) : behind;
        }
        m_onnx.setSource(m_names.of(id), {id});
        NodeContext context(m_scope, id, withSizes(node, inputs));
        const CustomOperator* custom = customOperator(node, m_options);
        OnnxValues outputs;
        try {
            outputs = custom == nullptr ? m_framework.translate(context)
                                        : emitCustom(m_graph, node, inputs, *custom, m_options, m_onnx);
            if (custom != nullptr) {
                noteOpenOutputs(node, outputs);
            }
            m_approximate[id.index] = context.isApproximate() ? 1 : 0;
        } catch (const UnknownShape& unknown) {
            if (behind == Behind::Gap) {
                m_result.behindGaps.push_back(id);
            } else {
                report(id, unknown.diagnostic, openInputsHint());
            }
        } catch (const ModelError& error) {
            report(id, error.diagnostic, {});
        } catch (const std::exception& error) {
            report(
                id,
                ModelError("internal", fmt::format("{} could not be translated: {}", node.op, error.what())).diagnostic,
                "this is a mistake of crosswalk's; please report it with the model's graph file");
        }
        m_onnx.dropBodies(0); // what threw inside a body left it open
        const bool failed = outputs.empty() && !node.outputs.empty();
        if (failed) {
            m_unsupported[id.index] = 1;
            outputs = emitGap(node, inputs, m_onnx);
        }
        for (std::size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
            const std::uint32_t index = node.outputs[i].index;
            m_map.values[index] = outputs[i];
            if (failed) {
                m_map.behind[index] = Behind::Gap;
            } else if (!m_onnx.shape(outputs[i])) {
                m_map.behind[index] = custom != nullptr ? std::max(behind, Behind::CustomOperator) : behind;
            }
            if (outputs[i]) {
                m_onnx.setName(outputs[i], m_graph.value(node.outputs[i]).name);
            }
        }
    }

    /// What the user can give the shape of, for the hint where it lacks.
    void noteOpenOutputs(const Node& node, const OnnxValues& outputs)
    {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!m_onnx.shape(outputs[i])) {
                m_openInputs.push_back(m_graph.value(node.outputs[i]).name);
            }
        }
    }

    void report(NodeId id, Diagnostic problem, std::string hint)
    {
        if (problem.node.empty()) {
            problem.node = m_names.of(id);
            problem.nodeIndex = id.index;
            problem.op = m_graph.node(id).op;
        }
        if (problem.hint.empty()) {
            problem.hint = std::move(hint);
        }
        m_result.problems.push_back(std::move(problem));
    }

    std::string openInputsHint() const
    {
        if (m_openInputs.empty()) {
            return {};
        }
        std::vector<std::string> ways;
        for (const std::string& name : m_openInputs) {
            ways.push_back(fmt::format("--shape {}=...", name));
        }
        return fmt::format("give {}", fmt::join(ways, " "));
    }

    OnnxValues translateSubgraph(const Graph& body, const OnnxValues& given)
    {
        ValueMap map(body.valueCount());
        // A body that is tried again, with states that have grown, is known as it was the last time.
        auto& types = m_result.bodyTypes[&body];
        types.assign(body.valueCount(), {});
        const auto take = [&](ValueId id, OnnxValue value) {
            map.values[id.index] = value;
            types[id.index] = typeOf(body, id, value);
        };
        for (std::size_t i = 0; i < body.inputs.size() && i < given.size(); ++i) {
            take(body.inputs[i], given[i]);
        }
        const NodeNames names(body);
        const TranslationScope scope{body, names, m_options, m_onnx, m_result.problems, m_scope.translateSubgraph};
        for (std::uint32_t i = 0; i < body.nodeCount(); ++i) {
            checkStop();
            const Node& node = body.node(NodeId{i});
            NodeContext context(scope, NodeId{i}, inputsOf(body, map, node));
            OnnxValues outputs;
            try {
                outputs = m_framework.translate(context);
            } catch (ModelError& error) { // stands at the node around the body, which is the one the user sees
                error.diagnostic.message =
                    fmt::format("in its body, {}: {}", names.of(NodeId{i}), error.diagnostic.message);
                error.diagnostic.node.clear();
                throw;
            }
            for (std::size_t k = 0; k < node.outputs.size() && k < outputs.size(); ++k) {
                take(node.outputs[k], outputs[k]);
            }
        }
        OnnxValues results;
        for (const ValueId output : body.outputs) {
            results.push_back(valueOf(body, map, output));
        }
        return results;
    }

    void declareOutputs()
    {
        std::map<std::string, int> seen;
        for (const ValueId id : m_graph.outputs) {
            const std::string& wanted = m_graph.value(id).name;
            const int count = ++seen[wanted];
            const OnnxValue value = valueOf(m_graph, m_map, id);
            if (!value) {
                const NodeId producer = m_graph.value(id).producer;
                if (producer) {
                    m_unsupported[producer.index] = 1;
                }
                m_result.problems.push_back({.severity = Severity::Error,
                                             .code = "unsupported-output",
                                             .message = fmt::format("output {} has no form in ONNX", wanted),
                                             .node = producer ? m_names.of(producer) : std::string()});
                continue;
            }
            if (!m_onnx.shape(value) && m_map.behind[id.index] == Behind::Nothing) {
                m_result.problems.push_back(
                    {.severity = Severity::Error,
                     .code = "unknown-shape",
                     .message = fmt::format("the rank of output {} does not follow from what is known", wanted),
                     .hint = openInputsHint()});
            }
            m_onnx.output(value, count == 1 ? wanted : fmt::format("{}#{}", wanted, count));
        }
    }

    void finish()
    {
        m_result.opset = m_onnx.opset();
        m_result.irVersion = irVersionFor(m_result.opset);
        m_result.valueTypes.resize(m_graph.valueCount());
        m_result.valueNames.resize(m_graph.valueCount());
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            m_result.valueTypes[i] = typeOf(m_graph, ValueId{i}, m_map.values[i]);
        }
        auto finished = m_onnx.finish(m_graph.name, &m_names);
        m_result.model = std::move(finished.model);
        m_result.sources = std::move(finished.sources);
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            if (const OnnxValue value = m_map.values[i]) {
                m_result.valueNames[i] = m_onnx.name(value);
            }
        }
        if (m_options.optimize) {
            optimize({m_result.model, m_result.sources, statedTypes(m_result.model.proto->graph())}, m_names);
            forgetVanishedValues(m_result);
        }
        m_result.targets.resize(m_graph.nodeCount());
        for (std::uint32_t i = 0; i < m_result.sources.size(); ++i) {
            for (const NodeId source : m_result.sources[i]) {
                m_result.targets[source.index].push_back(i);
            }
        }
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            m_result.verdicts.push_back(m_unsupported[i] != 0             ? Verdict::Unsupported
                                        : m_approximate[i] != 0           ? Verdict::Approximate
                                        : m_result.targets[i].empty()     ? Verdict::Folded
                                        : m_result.targets[i].size() == 1 ? Verdict::Exact
                                                                          : Verdict::Decomposed);
        }
        describe();
    }

    /// What is known of a source value that `value`, which may be absent, stands for.
    TensorType typeOf(const Graph& graph, ValueId id, OnnxValue value) const
    {
        if (!value) {
            const Tensor* stored = graph.tensorOf(id);
            return stored != nullptr ? TensorType{stored->type(), shapeOf(stored->dims())} : TensorType();
        }
        TensorType type = m_onnx.type(value);
        if (type.shape) {
            clearUnknownDims(*type.shape);
        }
        return type;
    }

    void describe()
    {
        const auto add = [&](const char* key, const std::string& value) {
            auto* entry = m_result.model.proto->add_metadata_props();
            entry->set_key(key);
            entry->set_value(value);
        };
        add("crosswalk.version", CROSSWALK_VERSION);
        add("crosswalk.source_format", m_graph.format);
    }

    const Graph& m_graph;
    const ConvertOptions& m_options;
    const Framework& m_framework;
    std::stop_token m_stop;
    NodeNames m_names;
    Conversion m_result;
    OnnxBuilder m_onnx;
    ValueMap m_map;
    TranslationScope m_scope;
    std::vector<char> m_unsupported;
    std::vector<char> m_approximate;
    std::vector<std::string> m_openInputs;
};

} // namespace

std::string_view verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Exact:
        return "exact";
    case Verdict::Decomposed:
        return "decomposed";
    case Verdict::Approximate:
        return "approximate";
    case Verdict::Unsupported:
        return "unsupported";
    case Verdict::Folded:
        break;
    }
    return "folded";
}

bool Conversion::hasErrors() const
{
    return crosswalk::hasErrors(problems);
}

bool Conversion::inputIsBad() const
{
    return std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == Code("missing-weight") || problem.code == Code("wrong-weight") ||
               problem.code == Code("invalid-model");
    });
}

namespace {

/// The model's inputs and outputs under the user's names, in everything that is known of them.
void renamePorts(Conversion& conversion, const Renames& renames)
{
    crosswalk::renamePorts(conversion.model, renames);
    const auto renamed = [&](const std::string& name) {
        const auto found = renames.find(name);
        return found != renames.end() ? found->second : name;
    };
    for (std::string& name : conversion.valueNames) {
        name = renamed(name);
    }
    if (!renames.empty() && !conversion.states.empty()) {
        std::map<std::string, std::string> pairs;
        for (const auto& [input, output] : conversion.states) {
            pairs.emplace(renamed(input), renamed(output));
        }
        pairStates(conversion, pairs);
    }
}

} // namespace

Result<Conversion> convert(const Graph& graph, const ConvertOptions& options, std::stop_token stop)
{
    const Framework* framework = findFramework(graph.format);
    if (framework == nullptr) {
        return Diagnostic{.severity = Severity::Error,
                          .code = "unknown-format",
                          .message = fmt::format("models of format {} cannot be converted", graph.format)};
    }
    try {
        const auto convertGraph = [&](const Graph& any, const ConvertOptions& chosen) {
            return Driver(any, chosen, *framework, stop).run();
        };
        const auto convertModel = [&](const ConvertOptions& chosen) {
            return framework->convertWhole != nullptr ? framework->convertWhole(graph, chosen, stop)
                   : chosen.reroll                    ? convertRerolled(graph, chosen, *framework, convertGraph)
                                                      : convertGraph(graph, chosen);
        };
        Conversion result =
            options.scanOverBatch.empty() ? convertModel(options) : convertOverBatch(options, convertModel);
        if (framework->states != nullptr) {
            pairStates(result, framework->states(graph));
        }
        renamePorts(result, options.renames);
        noteUnusedOperators(graph, options, result.problems);
        return result;
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
