#include "core/convert/translation.h"

#include "core/base/check_stop.h"
#include "core/convert/attention_notes.h"
#include "core/convert/check_options.h"
#include "core/convert/custom_op.h"
#include "core/convert/node_context.h"
#include "core/convert/select_outputs.h"
#include "core/convert/source_names.h"
#include "core/convert/unknown_operator.h"
#include "core/convert/value_names.h"
#include "core/graph/attributes.h"
#include "core/graph/source_location.h"
#include "core/graph/unknown_dim.h"
#include "core/onnx/inference_guards.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"
#include "core/rewrite/optimize.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <new>
#include <string_view>
#include <unordered_set>

namespace crosswalk {
namespace {

/// Why the shape of a value may be unknown: the user has to give a shape in front of it, or a weight, or there is a
/// gap. Failures that result only from these are not reported one by one.
enum class Behind : std::uint8_t { Nothing, OpenShape, MissingWeight, Gap };

/// Gaps in the bodies of a node.
struct BodyGaps {
    bool areAny = false;
    bool areUnreported = false; ///< whether some are not reported, because they are due to missing weights
};

/// A shape that only the user can give: of an input, or of an output of a custom operator.
struct OpenShape {
    std::string name;
    bool isInput = false;
    bool isNeeded = false;          ///< by a node
    std::string_view firstOutput{}; ///< of the model, whose rank depends on it
};

constexpr std::size_t noOpenShape = std::numeric_limits<std::size_t>::max();

/// A graph being translated: the model's, or a body of the node being translated.
struct Scope {
    Scope(const Graph& graphOfScope, GraphPath pathOfScope)
        : graph(graphOfScope)
        , path(std::move(pathOfScope))
        , values(graph.valueCount())
        , behind(graph.valueCount(), Behind::Nothing)
        , openShapes(graph.valueCount(), noOpenShape)
    {
    }

    /// The source nodes of a node.
    std::vector<NodeRef> origins(NodeId id) const
    {
        const Node& node = graph.node(id);
        return node.origins.empty() ? std::vector<NodeRef>{{path, id}} : node.origins;
    }

    const Graph& graph;
    GraphPath path; ///< path of the body in the source, if it exists there
    std::vector<const Graph*> enclosing = {};
    std::vector<OnnxValue> values;
    std::vector<Behind> behind;
    std::vector<std::size_t> openShapes; ///< by value behind one: its index
    bool hasGap = false;
    bool hasUnreportedGap = false; ///< a gap due to missing weights, which are reported elsewhere
};

class Translation {
public:
    Translation(const LoweredGraph& lowered, const Graph& source, const ConvertOptions& options,
                const Framework& framework, std::stop_token stop)
        : m_lowered(lowered)
        , m_graph(lowered.graph)
        , m_source(source)
        , m_options(options)
        , m_framework(framework)
        , m_stop(std::move(stop))
        , m_names(source)
        , m_onnx(options.opset.value_or(defaultOpset), source.budget)
        , m_scope(lowered.graph, {})
    {
    }

    Conversion run()
    {
        checkNames(m_options, m_graph, m_names, [this](std::string_view name) { return isInput(name); });
        m_flags[{}].assign(m_source.nodeCount(), Flags{});
        declareInputs();
        const std::size_t causes = m_result.problems.size();
        translateNodes(m_scope);
        declareOutputs();
        reportOpenShapes(causes);
        noteInputsWithoutShape();
        for (Diagnostic problem : m_lowered.problems) {
            if (problem.nodeIndex) {
                const NodeId top{*problem.nodeIndex};
                m_names.locate(problem, {problem.path, problem.path.empty() ? top : NodeId{problem.indexInBody}});
            }
            m_result.problems.push_back(std::move(problem));
        }
        finish();
        return std::move(m_result);
    }

private:
    /// The results of translating a source node.
    struct Flags {
        bool isUnsupported = false;
        bool isApproximate = false;
        std::size_t emitted = 0; ///< number of ONNX nodes; counts only those in bodies
    };

    void checkStop() const { crosswalk::checkStop(m_stop, "the conversion"); }

    /// A weight can also become an input, and the outputs of a custom operator can be as unknown as inputs.
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
        ValueIds inputs;
        std::vector<std::string> missing;
        // Lowering drops the nodes that chosen outputs do not need; the inputs of these nodes go as well.
        const std::vector<bool> needed = m_options.outputs.empty() ? std::vector<bool>() : neededValues(m_graph);
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const Value& value = m_graph.value(ValueId{i});
            if (!needed.empty() && !needed[i]) {
                continue;
            }
            const bool isNamed = m_options.shapes.contains(value.name);
            const bool isDefault = value.tensor && m_lowered.defaults.contains(value.name);
            if (value.producer || (value.tensor && !isNamed && !isDefault) || (value.role == Role::Label && !isNamed)) {
                continue;
            }
            if (value.role == Role::Parameter && !isNamed) {
                missing.push_back(value.name);
                m_scope.behind[i] = Behind::MissingWeight;
            }
            TensorType type = value.type;
            if (const auto given = m_options.types.find(value.name); given != m_options.types.end()) {
                // Translators compute constants in the type of their operands.
                if (given->second == ElementType::String && type.element != ElementType::String) {
                    throw ModelError("not-convertible",
                                     fmt::format("--dtype: input {} contains numbers, not text", value.name));
                }
                type.element = given->second;
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
                     fmt::format("{} missing: {}",
                                 missing.size() == 1 ? "1 weight is" : fmt::format("{} weights are", missing.size()),
                                 fmt::join(missing, ", ")),
                 .hint = "name the weights file after the model, or turn the weight into an input with --shape"});
        }
        checkInputNames(inputs);
        if (m_framework.inferInputs != nullptr) {
            m_framework.inferInputs(m_graph, types);
        }
        for (const ValueId id : inputs) {
            TensorType& type = types[m_graph.value(id).name];
            if (type.element == ElementType::Undefined) {
                type.element = ElementType::Float32;
            }
            checkDims(m_graph.value(id).name, type);
            m_scope.values[id.index] = m_onnx.input(m_graph.value(id).name, type);
            if (!type.shape) {
                if (m_scope.behind[id.index] == Behind::Nothing) {
                    m_scope.behind[id.index] = Behind::OpenShape;
                    m_scope.openShapes[id.index] = m_openShapes.size();
                }
                m_openShapes.push_back({m_graph.value(id).name, true});
            }
        }
    }

    static void checkDims(const std::string& name, const TensorType& type)
    {
        std::int64_t product = 1;
        for (const Dim& dim : type.shape.value_or(Shape())) {
            if (dim.isFixed() && exceedsLargest(dim.size, product)) {
                throw ModelError(
                    "too-large",
                    fmt::format(
                        "input {} has shape {}; at most {} elements along an axis, and {} in all, are supported", name,
                        toString(*type.shape), largestDim, largestProductOfDims));
            }
        }
    }

    /// In ONNX, and for whoever runs the model, the name of an input is its identity.
    void checkInputNames(const ValueIds& inputs) const
    {
        std::unordered_set<std::string_view> names;
        for (const ValueId id : inputs) {
            const std::string& name = m_graph.value(id).name;
            if (name.empty()) {
                throw ModelError("invalid-model", "an input of the model has no name");
            }
            if (!names.insert(name).second) {
                throw ModelError("invalid-model", fmt::format("two inputs of the model are named {}", name));
            }
        }
    }

    OnnxValue valueOf(Scope& scope, ValueId id)
    {
        if (!id) {
            return {};
        }
        OnnxValue& value = scope.values[id.index];
        if (!value) {
            if (const Tensor* stored = scope.graph.tensorOf(id)) {
                value = m_onnx.weight(scope.graph.value(id).name, *stored);
            }
        }
        return value;
    }

    OnnxValues inputsOf(Scope& scope, const Node& node)
    {
        OnnxValues inputs;
        for (const ValueId id : node.inputs) {
            inputs.push_back(valueOf(scope, id));
        }
        return inputs;
    }

    Flags& flagsOf(const NodeRef& node)
    {
        auto& flags = m_flags[node.path];
        if (flags.empty()) {
            flags.resize(graphAt(m_source, node.path)->nodeCount());
        }
        return flags[node.node.index];
    }

    /// The only loop over nodes.
    void translateNodes(Scope& scope)
    {
        for (std::uint32_t i = 0; i < scope.graph.nodeCount(); ++i) {
            checkStop();
            translateNode(scope, NodeId{i});
        }
    }

    void translateNode(Scope& scope, NodeId id)
    {
        const Node& node = scope.graph.node(id);
        const std::vector<NodeRef> origins = scope.origins(id);
        if (node.op.empty()) { // ONNX requires an operator type, also of a gap
            throw ModelError("invalid-model", fmt::format("node {} has no operator", m_names.of(origins.front())));
        }
        const OnnxValues inputs = inputsOf(scope, node);
        Behind behind = Behind::Nothing;
        std::size_t openShape = noOpenShape;
        for (const ValueId input : node.inputs) {
            if (input) {
                behind = std::max(behind, scope.behind[input.index]);
                openShape = std::min(openShape, scope.openShapes[input.index]);
            }
        }
        BodyGaps bodies;
        const TranslationScope translation{scope.graph,
                                           m_names,
                                           m_options,
                                           m_onnx,
                                           m_result.problems,
                                           origins,
                                           [&](SubgraphId body, const OnnxValues& given) {
                                               return translateBody(scope, origins.front(), body, given, bodies);
                                           },
                                           scope.enclosing};
        m_onnx.setSource(m_names.of(origins.front()), origins);
        const std::size_t depth = m_onnx.bodyDepth();
        const std::size_t emitted = m_onnx.emitted();
        const std::size_t problemsBefore = m_result.problems.size();
        // A translator may translate a body again, and forget the problems of the first time.
        const auto isBodyWithGap = [&] {
            const auto first = m_result.problems.begin() + static_cast<std::ptrdiff_t>(problemsBefore);
            return bodies.areUnreported || (bodies.areAny && hasErrors({first, m_result.problems.end()}));
        };
        NodeContext context(translation, id, inputs);
        const CustomOperator* custom = customOperator(node, m_options);
        OnnxValues outputs;
        try {
            outputs = custom == nullptr ? m_framework.translate(context)
                                        : emitCustom(scope.graph, node, inputs, *custom, m_options, m_onnx);
            if (outputs.empty() && !node.outputs.empty()) {
                throw std::length_error("no outputs");
            }
            if (custom != nullptr) {
                noteOpenOutputs(scope, node, outputs);
            }
        } catch (const UnknownShape& unknown) {
            const bool isBehindGap = behind >= Behind::MissingWeight || isBodyWithGap();
            const bool isBehindOpen = behind == Behind::OpenShape && scope.path.empty();
            if (!isBehindGap && !isBehindOpen) {
                report(origins.front(), unknown.diagnostic, openInputsHint());
            } else if (scope.path.empty()) {
                m_result.behindGaps.push_back(sourceOf(origins.front()));
            }
            scope.hasUnreportedGap = scope.hasUnreportedGap || behind == Behind::MissingWeight;
            if (!isBehindGap && isBehindOpen) {
                m_openShapes[openShape].isNeeded = true;
            }
        } catch (const ModelError& error) {
            Diagnostic problem = error.diagnostic;
            if (problem.code == Code("unsupported-operator")) {
                problem.message += similarOperatorsOf(node);
            }
            report(origins.front(), std::move(problem), {});
        } catch (const std::logic_error&) { // an index out of range, or a length that does not fit
            report(origins.front(), unfitOperands(node, inputs), {});
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            report(origins.front(),
                   ModelError("internal", fmt::format("{} cannot be translated: {}", node.op, error.what())).diagnostic,
                   "this is a bug in crosswalk; please report it with the model's graph file");
        }
        m_onnx.dropBodies(depth); // a translator that threw left its bodies open
        const bool failed = outputs.empty() && !node.outputs.empty();
        if (failed) {
            scope.hasGap = true;
            std::vector<std::string> lost;
            outputs = emitGap(scope.graph, node, inputs, m_onnx, lost);
            reportLost(origins.front(), lost, problemsBefore);
        }
        const bool bodyHasGap = isBodyWithGap();
        scope.hasGap = scope.hasGap || bodyHasGap;
        scope.hasUnreportedGap = scope.hasUnreportedGap || bodies.areUnreported;
        for (const NodeRef& origin : origins) {
            Flags& flags = flagsOf(origin);
            flags.isUnsupported = flags.isUnsupported || failed;
            flags.isApproximate = flags.isApproximate || context.isApproximate();
            flags.emitted += m_onnx.emitted() - emitted;
        }
        for (std::size_t i = 0; i < node.outputs.size() && i < outputs.size(); ++i) {
            const std::uint32_t index = node.outputs[i].index;
            scope.values[index] = outputs[i];
            if (failed) {
                scope.behind[index] = Behind::Gap;
            } else if (outputs[i] && isShapeLost(outputs[i], behind) &&
                       (custom == nullptr || behind >= Behind::MissingWeight)) {
                scope.behind[index] = bodyHasGap ? Behind::Gap : behind;
                scope.openShapes[index] = openShape;
            }
            if (outputs[i] && &scope == &m_scope) {
                m_onnx.setName(outputs[i], scope.graph.value(node.outputs[i]).name);
            }
        }
    }

    /// Whether the shape of an output is unknown. The weights also give inputs their sizes.
    bool isShapeLost(OnnxValue output, Behind behind) const
    {
        const auto& shape = m_onnx.shape(output);
        return !shape || (behind == Behind::MissingWeight && std::ranges::any_of(*shape, isUnnamed));
    }

    /// The problem of a node whose translator requires a dimension or an element that an operand does not have. A
    /// framework never stores such a node.
    Diagnostic unfitOperands(const Node& node, const OnnxValues& inputs) const
    {
        std::vector<std::string> types;
        for (const OnnxValue input : inputs) {
            types.push_back(input ? toString(m_onnx.type(input)) : "none");
        }
        return {.code = "wrong-operands",
                .message =
                    fmt::format("the operands and attributes of {} do not fit together; it has {}", node.op,
                                types.empty() ? "no operands" : fmt::format("operands {}", fmt::join(types, ", ")))};
    }

    /// The end of the message about an operator that the framework does not list; empty if no name is similar.
    const std::string& similarOperatorsOf(const Node& node)
    {
        const std::string& op = operatorType(node);
        const auto [known, isNew] = m_similar.try_emplace(op);
        if (isNew) {
            const auto listed = m_framework.operators(); // one that is listed as not convertible has a reason
            const auto names = std::ranges::find(listed, op, &SupportedOperator::name) == listed.end()
                                   ? similarOperators(m_framework, op)
                                   : std::vector<std::string>();
            known->second = names.empty() ? "" : fmt::format("; similar operators: {}", fmt::join(names, ", "));
        }
        return known->second;
    }

    /// Reports attributes that the node of a gap cannot store, as part of the node's error or as a separate error.
    void reportLost(const NodeRef& node, const std::vector<std::string>& lost, std::size_t problemsBefore)
    {
        if (lost.empty()) {
            return;
        }
        const std::string message = fmt::format("a partial export leaves out its {} {}, which ONNX cannot store",
                                                lost.size() == 1 ? "attribute" : "attributes", fmt::join(lost, ", "));
        const auto first = m_result.problems.begin() + static_cast<std::ptrdiff_t>(problemsBefore);
        const auto own = std::find_if(first, m_result.problems.end(), // there may also be problems of its bodies
                                      [&, name = m_names.of(node)](const Diagnostic& d) { return d.node == name; });
        if (own != m_result.problems.end()) {
            own->message += "; " + message;
        } else {
            report(node, ModelError("unsupported-attribute", message).diagnostic, {});
        }
    }

    static NodeId sourceOf(const NodeRef& node)
    {
        return node.path.empty() ? node.node : NodeId{node.path.front().node};
    }

    /// The outputs of a custom operator have the shapes that the user gives.
    void noteOpenOutputs(Scope& scope, const Node& node, const OnnxValues& outputs)
    {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!m_onnx.shape(outputs[i])) {
                scope.behind[node.outputs[i].index] = Behind::OpenShape;
                scope.openShapes[node.outputs[i].index] = m_openShapes.size();
                m_openShapes.push_back({scope.graph.value(node.outputs[i]).name});
            }
        }
    }

    /// The shapes that are needed, as one problem in front of those of nodes, which often are their effects.
    void reportOpenShapes(std::size_t place)
    {
        std::vector<std::string> names;
        std::string_view output;
        bool isOfNodes = false;
        for (const OpenShape& open : m_openShapes) {
            if (open.isNeeded || !open.firstOutput.empty()) {
                names.push_back(open.name);
                isOfNodes = isOfNodes || open.isNeeded;
                output = output.empty() ? open.firstOutput : output;
            }
        }
        if (names.empty()) {
            return;
        }
        std::string message = unknownShapes(names);
        if (!isOfNodes) {
            message += fmt::format("; output {} depends on {}", output, names.size() == 1 ? "it" : "them");
        }
        m_result.problems.insert(m_result.problems.begin() + static_cast<std::ptrdiff_t>(place),
                                 {.severity = Severity::Error,
                                  .code = "unknown-shape",
                                  .message = std::move(message),
                                  .hint = shapesHint(names)});
    }

    /// Of inputs whose shape no shape of the model depends on.
    void noteInputsWithoutShape()
    {
        std::vector<std::string> names;
        for (const OpenShape& open : m_openShapes) {
            if (open.isInput && !open.isNeeded && open.firstOutput.empty()) {
                names.push_back(open.name);
            }
        }
        if (names.empty() || m_result.hasErrors()) {
            return;
        }
        m_result.problems.push_back(
            {.severity = Severity::Warning,
             .code = "unknown-shape",
             .message =
                 unknownShapes(names) + ": runtimes accept that, but onnx's checker rejects inputs without a shape",
             .hint = shapesHint(names)});
    }

    void report(const NodeRef& node, Diagnostic problem, std::string hint)
    {
        m_names.locate(problem, node);
        if (problem.hint.empty()) {
            problem.hint = std::move(hint);
        }
        m_result.problems.push_back(std::move(problem));
    }

    std::string openInputsHint() const
    {
        std::vector<std::string> names(m_openShapes.size());
        std::ranges::transform(m_openShapes, names.begin(), &OpenShape::name);
        return shapesHint(names);
    }

    static std::string unknownShapes(const std::vector<std::string>& names)
    {
        return names.size() == 1 ? fmt::format("the shape of {} is unknown", names.front())
                                 : fmt::format("the shapes of {} are unknown", fmt::join(names, ", "));
    }

    static std::string shapesHint(const std::vector<std::string>& names)
    {
        std::vector<std::string> ways;
        ways.reserve(names.size());
        for (const std::string& name : names) {
            ways.push_back(fmt::format("--shape {}=...", name));
        }
        return ways.empty() ? std::string() : fmt::format("use {}", fmt::join(ways, " "));
    }

    /// Translates the nodes of a body in place, inside the ONNX body that the enclosing node's translator has opened.
    OnnxValues translateBody(const Scope& outer, const NodeRef& node, SubgraphId id, const OnnxValues& given,
                             BodyGaps& gaps)
    {
        const Graph& body = outer.graph.subgraph(id);
        GraphPath path = node.path;
        path.push_back({node.node.index, id.index});
        Scope scope(body, std::move(path));
        scope.enclosing = outer.enclosing;
        scope.enclosing.push_back(&outer.graph);
        // If a body is translated again with grown states, the last translation determines its types. Nodes of bodies
        // created by lowering belong to other graphs.
        if (body.nodeCount() > 0 && body.node(NodeId{0}).origins.empty()) {
            m_flags.erase(scope.path);
        }
        for (std::size_t i = 0; i < body.inputs.size() && i < given.size(); ++i) {
            scope.values[body.inputs[i].index] = given[i];
        }
        const auto source = m_onnx.source();
        const std::string sourceName = m_onnx.sourceName();
        translateNodes(scope);
        m_onnx.setSource(sourceName, source);
        OnnxValues results;
        for (const ValueId output : body.outputs) {
            results.push_back(valueOf(scope, output));
        }
        auto& types = m_result.bodyTypes[&body];
        types.clear();
        for (std::uint32_t i = 0; i < body.valueCount(); ++i) {
            types.push_back(typeOf(body, ValueId{i}, scope.values[i]));
        }
        gaps.areAny = gaps.areAny || scope.hasGap;
        gaps.areUnreported = gaps.areUnreported || scope.hasUnreportedGap;
        return results;
    }

    void declareOutputs()
    {
        std::map<std::string, int> seen;
        for (const ValueId id : m_graph.outputs) {
            const std::string& wanted = m_graph.value(id).name;
            const int count = ++seen[wanted];
            const OnnxValue value = valueOf(m_scope, id);
            if (!value) {
                Diagnostic problem{.severity = Severity::Error,
                                   .code = "unsupported-output",
                                   .message = fmt::format("output {} has no form in ONNX", wanted)};
                if (const NodeId producer = m_graph.value(id).producer) {
                    const NodeRef origin = m_scope.origins(producer).front();
                    flagsOf(origin).isUnsupported = true;
                    problem.node = m_names.of(origin);
                }
                m_result.problems.push_back(std::move(problem));
                continue;
            }
            if (!m_onnx.shape(value) && m_scope.behind[id.index] == Behind::OpenShape) {
                // The export is complete if the rank depends on a custom operator, which the runtime knows.
                OpenShape& open = m_openShapes[m_scope.openShapes[id.index]];
                open.firstOutput = open.isInput ? std::string_view(wanted) : open.firstOutput;
            } else if (!m_onnx.shape(value) && m_scope.behind[id.index] == Behind::Nothing) {
                m_result.problems.push_back({.severity = Severity::Error,
                                             .code = "unknown-shape",
                                             .message = fmt::format("the rank of output {} cannot be inferred", wanted),
                                             .hint = openInputsHint()});
            }
            m_onnx.output(value, count == 1 ? wanted : fmt::format("{}#{}", wanted, count));
        }
    }

    /// The types of a source value, from its equivalent in the lowered graph.
    TensorType typeOf(const LoweredValue& standIn) const
    {
        if (!standIn.value) {
            return {};
        }
        if (standIn.body == nullptr) {
            return typeOf(m_graph, standIn.value, m_scope.values[standIn.value.index]);
        }
        const auto types = m_result.bodyTypes.find(standIn.body);
        return types != m_result.bodyTypes.end() ? types->second[standIn.value.index] : TensorType();
    }

    void finish()
    {
        m_result.opset = m_onnx.opset();
        m_result.irVersion = irVersionFor(m_result.opset);
        for (const LoweredValue& standIn : m_lowered.standIns) {
            m_result.valueTypes.push_back(typeOf(standIn));
        }
        auto finished = m_onnx.finish(m_graph.name, [this](const NodeRef& node) { return m_names.of(node); });
        m_result.model = std::move(finished.model);
        OnnxModel& model = m_result.model.whole();
        m_result.sources = std::move(finished.sources);
        for (const LoweredValue& standIn : m_lowered.standIns) {
            const bool isTop = standIn.value && standIn.body == nullptr;
            const OnnxValue value = isTop ? m_scope.values[standIn.value.index] : OnnxValue();
            m_result.valueNames.push_back(value ? m_onnx.name(value) : std::string());
        }
        const auto& nodes = model.proto->graph().node();
        const bool hasLayers = std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
            return node.op_type() == "LSTM" || node.op_type() == "GRU" || node.op_type() == "RNN";
        });
        const bool needsTypes = m_options.optimize || hasLayers || mayFuseProducts(model.proto->graph());
        ValueTypes types = needsTypes ? statedTypes(model.proto->graph()) : ValueTypes();
        RewrittenModel rewritten{.model = model, .sources = m_result.sources, .types = types};
        if (m_options.optimize) {
            std::vector<AttentionFinding> attention;
            rewritten.attention = m_options.fuseAttention ? &attention : nullptr;
            optimizeWithBodies(rewritten, NodeNames(m_source));
            if (m_options.fuseAttention) {
                addAttentionNotes(model, attention, m_result.problems);
            }
            forgetVanishedValues(m_result);
        } else {
            if (mergeDirections(rewritten, NodeNames(m_source))) {
                forgetVanishedValues(m_result);
            }
            avoidProductFusion(rewritten, NodeNames(m_source));
        }
        addDefaults();
        writeLocations();
        m_result.mergedInto = m_lowered.merged;
        m_result.targets.resize(m_source.nodeCount());
        for (std::uint32_t i = 0; i < m_result.sources.size(); ++i) {
            for (const NodeId source : m_result.sources[i]) {
                m_result.targets[source.index].push_back(i);
            }
        }
        for (auto& [path, flags] : m_flags) {
            auto& verdicts = path.empty() ? m_result.verdicts : m_result.bodyVerdicts[path];
            for (std::size_t i = 0; i < flags.size(); ++i) {
                const std::size_t made = path.empty() ? m_result.targets[i].size() : flags[i].emitted;
                verdicts.push_back(flags[i].isUnsupported   ? Verdict::Unsupported
                                   : flags[i].isApproximate ? Verdict::Approximate
                                   : made == 0              ? Verdict::Folded
                                   : made == 1              ? Verdict::Exact
                                                            : Verdict::Decomposed);
            }
        }
        describe();
    }

    static bool holds(const TensorType& type, const Tensor& content)
    {
        return type.element == content.type() && type.shape &&
               std::ranges::equal(*type.shape, content.dims(),
                                  [](const Dim& dim, std::int64_t size) { return !dim.isFixed() || dim.size == size; });
    }

    /// The default of an input is an initializer of its name, unless the options give the input another type or shape.
    /// Added last, so that no pass takes it for a constant.
    void addDefaults()
    {
        OnnxModel& model = m_result.model.whole();
        for (const ValueId input : m_graph.inputs) {
            const Tensor* stored = m_graph.tensorOf(input);
            const OnnxValue value = m_scope.values[input.index];
            if (stored == nullptr || !value || !m_lowered.defaults.contains(m_graph.value(input).name) ||
                !holds(m_onnx.type(value), *stored)) {
                continue;
            }
            auto* initializer = model.proto->mutable_graph()->add_initializer();
            fillStub(*stored, *initializer);
            initializer->set_name(m_onnx.name(value));
            model.weights.push_back(*stored);
        }
    }

    /// Records at each node where the source's program calls the operator, if the source knows it.
    void writeLocations()
    {
        auto& nodes = *m_result.model.frame().mutable_graph()->mutable_node();
        for (std::size_t i = 0; i < m_result.sources.size(); ++i) {
            for (const NodeId source : m_result.sources[i]) {
                const auto* location = attributeOf<std::string>(m_source.node(source), sourceLocationAttribute);
                if (location != nullptr) {
                    auto* entry = nodes[static_cast<int>(i)].add_metadata_props();
                    entry->set_key(sourceLocationKey);
                    entry->set_value(*location);
                    break;
                }
            }
        }
    }

    /// The known type of a value of a lowered graph, for which `value`, which may be absent, was emitted.
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
            auto* entry = m_result.model.frame().add_metadata_props();
            entry->set_key(key);
            entry->set_value(value);
        };
        add("crosswalk.version", CROSSWALK_VERSION);
        add("crosswalk.source_format", m_source.format);
    }

    const LoweredGraph& m_lowered;
    const Graph& m_graph; ///< of m_lowered
    const Graph& m_source;
    const ConvertOptions& m_options;
    const Framework& m_framework;
    std::stop_token m_stop;
    SourceNames m_names;
    Conversion m_result;
    OnnxBuilder m_onnx;
    Scope m_scope;
    std::map<GraphPath, std::vector<Flags>> m_flags;           ///< by source node
    std::vector<OpenShape> m_openShapes;                       ///< of the inputs and of outputs of custom operators
    std::map<std::string, std::string, std::less<>> m_similar; ///< by operator: similarOperatorsOf()
};

} // namespace

Conversion translate(const LoweredGraph& lowered, const Graph& source, const ConvertOptions& options,
                     const Framework& framework, std::stop_token stop)
{
    return Translation(lowered, source, options, framework, std::move(stop)).run();
}

} // namespace crosswalk
