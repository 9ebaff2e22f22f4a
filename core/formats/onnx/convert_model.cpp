#include "core/formats/onnx/convert_model.h"

#include "core/base/budget.h"
#include "core/base/check_stop.h"
#include "core/base/diagnostic.h"
#include "core/convert/check_options.h"
#include "core/formats/onnx/carry_metadata.h"
#include "core/formats/onnx/file_types.h"
#include "core/formats/onnx/hardcoded_dims.h"
#include "core/formats/onnx/infer_model.h"
#include "core/formats/onnx/kept_model.h"
#include "core/formats/onnx/link_nodes.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/formats/onnx/optimize_model.h"
#include "core/onnx/descriptions.h"
#include "core/onnx/function_expansion.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/provenance.h"
#include "core/rewrite/dynamic_shapes.h"
#include "core/rewrite/extract.h"
#include "core/rewrite/opset/change_opset.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace crosswalk {
namespace {

/// The denotations stay.
void setType(::onnx::TypeProto& proto, const TensorType& type)
{
    const ::onnx::TypeProto before = proto;
    toProto(type, proto);
    copyDenotations(before, proto);
}

class ModelConversion {
public:
    ModelConversion(const Graph& graph, const ConvertOptions& options, const std::stop_token& stop)
        : m_graph(graph)
        , m_options(options)
        , m_stop(stop)
        , m_names(graph)
    {
    }

    Conversion run()
    {
        checkNames(m_options, m_graph, SourceNames(m_graph),
                   [this](std::string_view name) { return m_graph.findInput(name).has_value(); });
        auto types = typesIfKept();
        if (types && !m_options.optimize) {
            return keptConversion(m_graph, std::move(*types), m_names);
        }
        load();
        if (types) {
            m_result.valueTypes = std::move(*types);
            addStoredTypes(m_graph, m_result.valueTypes);
        }
        const bool isSound = types || change();
        referToSource();
        if (m_hasNewOpset || m_hasNewNodes || m_options.part || m_cut) {
            linkNodes(m_graph, proto(), m_result);
        } else {
            linkUnchangedNodes(m_graph, m_result);
        }
        forgetProblemsOutside();
        reportGaps();
        if (m_options.optimize && isSound) {
            optimize();
        }
        markRefused();
        nameValues();
        writeProvenance();
        m_result.keepsGraph = isSound && !m_hasNewInputs && !m_before && !m_options.part &&
                              m_options.customOperators.empty() && !m_result.hasErrors();
        m_result.opset = opsetOf(m_model);
        m_result.irVersion = m_model.proto->ir_version();
        m_result.model = std::move(m_model);
        return std::move(m_result);
    }

private:
    ::onnx::GraphProto& proto() { return *m_model.proto->mutable_graph(); }

    /// The types of the values, if no option changes the file's nodes and inputs before they are optimized, and the
    /// file has no fault.
    std::optional<std::vector<TensorType>> typesIfKept() const
    {
        const auto opset = m_graph.opsets.find("");
        const bool isKept = m_options.customOperators.empty() && m_options.outputs.empty() &&
                            m_options.shapes.empty() && m_options.types.empty() && !m_options.part &&
                            (!m_options.opset || (opset != m_graph.opsets.end() && *m_options.opset == opset->second));
        return isKept ? typesOfFile(m_graph, m_stop) : std::nullopt;
    }

    void load()
    {
        m_model = modelOf(m_graph);
        m_graph.budget.expectExpansion(expandedNodes(*m_model.proto)); // onnx's inference expands them
        m_result.valueTypes.reserve(m_graph.valueCount());
        for (const Value& value : m_graph.values()) {
            m_result.valueTypes.emplace_back(value.type);
        }
    }

    /// Changes the model as the options want and reports its faults. False if it is not a valid model.
    bool change()
    {
        correctIrVersion();
        nameCustomOperators();
        cutToOutputs();
        setInputs();
        if (auto fault = faultOf(m_model)) {
            m_result.problems.push_back(std::move(*fault)); // everything below relies on a valid model
            return false;
        }
        makeShapesDynamic();
        forgetInferred();
        changeOpset();
        infer();
        cutOut();
        return true;
    }

    void checkStop() const { crosswalk::checkStop(m_stop, "the conversion"); }

    void nameCustomOperators()
    {
        nameCustomOperators(*proto().mutable_node(), *m_model.proto);
        for (auto& function : *m_model.proto->mutable_functions()) {
            nameCustomOperators(*function.mutable_node(), function);
        }
    }

    /// `scope` is the model or the function that has the nodes: it imports their domains.
    void nameCustomOperators(google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes, auto& scope)
    {
        for (auto& node : nodes) {
            for (auto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g()) {
                    nameCustomOperators(*attribute.mutable_g()->mutable_node(), scope);
                }
                for (auto& body : *attribute.mutable_graphs()) {
                    nameCustomOperators(*body.mutable_node(), scope);
                }
            }
            const auto custom = m_options.customOperators.find(node.op_type());
            if (custom == m_options.customOperators.end()) {
                continue;
            }
            node.set_op_type(custom->second.name);
            node.set_domain(custom->second.domain);
            const auto& imports = scope.opset_import();
            if (std::none_of(imports.begin(), imports.end(),
                             [&](const auto& import) { return import.domain() == node.domain(); })) {
                auto* import = scope.add_opset_import();
                import->set_domain(node.domain());
                import->set_version(1);
            }
        }
    }

    /// The part of a model that the chosen outputs need. Its nodes have the names of the source's, so that what is
    /// reported of them names the source's.
    struct Cut {
        Cut(const OnnxModel& model, const Graph& source, const NodeNames& sourceNames)
            : graph(graphOf(model))
            , sources(nameAsSource(graph, source, sourceNames))
            , names(graph)
        {
        }
        Graph graph;
        std::map<NodeId, NodeId> sources; ///< of its nodes
        NodeNames names;

    private:
        static std::map<NodeId, NodeId> nameAsSource(Graph& graph, const Graph& source, const NodeNames& sourceNames)
        {
            std::unordered_map<std::string_view, NodeId> producers;
            for (const Value& value : source.values()) {
                if (value.producer && !value.name.empty()) {
                    producers.emplace(value.name, value.producer);
                }
            }
            std::map<NodeId, NodeId> sources;
            for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
                Node& node = graph.node(NodeId{i});
                for (const ValueId output : node.outputs) {
                    const auto producer = output ? producers.find(graph.value(output).name) : producers.end();
                    if (producer != producers.end()) {
                        sources[NodeId{i}] = producer->second;
                        node.name = sourceNames.of(producer->second);
                        break;
                    }
                }
            }
            return sources;
        }
    };

    void cutToOutputs()
    {
        if (m_options.outputs.empty()) {
            return;
        }
        keepOriginal();
        std::vector<std::string> inputs;
        std::vector<std::string> outputs;
        for (const ValueId input : m_graph.inputs) {
            if (!m_graph.value(input).tensor) {
                inputs.push_back(m_graph.value(input).name);
            }
        }
        for (const ValueId output : m_graph.outputs) {
            outputs.push_back(m_graph.value(output).name);
        }
        m_model = extract(m_model, inputs, outputs);
        m_cut = std::make_unique<const Cut>(m_model, m_graph, m_names);
    }

    /// The names of the nodes that the model has before any of them changes.
    const NodeNames& namesOfModel() const { return m_cut ? m_cut->names : m_names; }

    /// Problems refer to the nodes of what was left of the model.
    void referToSource()
    {
        for (Diagnostic& problem : m_result.problems) {
            if (m_cut && problem.nodeIndex) {
                const auto source = m_cut->sources.find(NodeId{*problem.nodeIndex});
                problem.nodeIndex = source != m_cut->sources.end() ? std::optional(source->second.index) : std::nullopt;
            }
        }
    }

    void setInputs()
    {
        for (auto& input : *proto().mutable_input()) {
            const auto shape = m_options.shapes.find(input.name());
            const auto type = m_options.types.find(input.name());
            if (shape == m_options.shapes.end() && type == m_options.types.end()) {
                continue;
            }
            if (!input.type().has_tensor_type()) {
                throw ModelError("wrong-input", fmt::format("input {} is not a tensor: it has no shape", input.name()));
            }
            TensorType wanted = fromProto(input.type());
            if (type != m_options.types.end()) {
                wanted.element = type->second;
            }
            if (shape != m_options.shapes.end()) {
                if (wanted.shape) {
                    m_oldShapes[input.name()] = *wanted.shape;
                }
                m_hasNewRank = m_hasNewRank || !wanted.shape || wanted.shape->size() != shape->second.size();
                wanted.shape = shape->second;
            }
            setType(*input.mutable_type(), wanted);
            m_hasNewInputs = true;
        }
    }

    /// Below IR version 4 every weight must also be listed as an input. Some files violate this rule but run
    /// everywhere: they are really of version 4. So becomes a file without opset imports, which onnx's inference of
    /// whole models requires.
    void correctIrVersion()
    {
        if (m_model.proto->ir_version() >= 4) {
            return;
        }
        std::unordered_set<std::string_view> inputs;
        for (const auto& input : proto().input()) {
            inputs.insert(input.name());
        }
        const auto& stored = proto().initializer();
        if (m_model.proto->opset_import().empty() ||
            std::any_of(stored.begin(), stored.end(), [&](const auto& w) { return !inputs.contains(w.name()); })) {
            raiseIrVersion(*m_model.proto);
        }
    }

    /// Called before each step that changes nodes: the first time, the nodes are still those of the file.
    void keepOriginal()
    {
        if (!m_before) {
            m_before = proto();
        }
    }

    /// Nodes with hardcoded old sizes.
    void makeShapesDynamic()
    {
        checkStop();
        if (m_oldShapes.empty()) {
            return;
        }
        keepOriginal();
        DynamicShapes opened = crosswalk::makeShapesDynamic(m_model, m_oldShapes, namesOfModel());
        m_hasNewNodes = proto().node_size() != m_before->node_size();
        m_openOutputs = std::move(opened.outputs);
        const std::string hint = hardcodedDimsHint(m_oldShapes, m_options.shapes);
        for (Diagnostic& problem : opened.problems) {
            if (problem.code == Code("baked-size") && problem.hint.empty()) {
                problem.hint = hint;
            }
            m_result.problems.push_back(std::move(problem));
        }
    }

    /// The file's types of other values applied to the old inputs; inference computes new ones.
    void forgetInferred()
    {
        if (!m_hasNewInputs) {
            return;
        }
        proto().clear_value_info();
        for (auto& output : *proto().mutable_output()) {
            if (const auto* input = findInput(output.name())) {
                *output.mutable_type() = input->type();
                continue;
            }
            if (!output.type().has_tensor_type()) {
                continue;
            }
            auto& type = *output.mutable_type()->mutable_tensor_type();
            if (m_hasNewRank) {
                type.clear_shape();
            }
            if (type.has_shape()) {
                for (auto& dim : *type.mutable_shape()->mutable_dim()) {
                    dim.clear_value();
                }
            }
            if (!m_options.types.empty()) {
                output.clear_type();
            }
        }
    }

    const ::onnx::ValueInfoProto* findInput(const std::string& name)
    {
        const auto& inputs = proto().input();
        const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const auto& i) { return i.name() == name; });
        return found != inputs.end() ? &*found : nullptr;
    }

    void changeOpset()
    {
        checkStop();
        const bool isChange = m_options.opset && usesOnnxDomain(m_model) && *m_options.opset != opsetOf(m_model);
        if (!isChange) {
            return;
        }
        // Of attributes and operands that do not fit at its own opset, another form could hide the fault.
        if (InferredModel(m_model, Declared::All, m_stop).error()) {
            return; // infer() reports them
        }
        keepOriginal();
        try {
            crosswalk::changeOpset(m_model, *m_options.opset, m_stop);
            m_hasNewOpset = true;
        } catch (const ModelError& error) {
            checkStop();
            Diagnostic problem = error.diagnostic;
            if (const auto id = namesOfModel().find(problem.node)) {
                problem.nodeIndex = id->index;
            }
            m_result.problems.push_back(std::move(problem));
        }
    }

    void infer()
    {
        checkStop();
        const InferredModel inferred(m_model, Declared::All, m_stop);
        for (Diagnostic& problem : conflictsOf(inferred, namesOfModel())) {
            if (isRefused(problem)) {
                continue; // already reported, with its cause
            }
            if (!m_hasNewInputs && !m_hasNewOpset) {
                problem.code = "invalid-model"; // no option can be the cause, only the file itself
            }
            m_result.problems.push_back(std::move(problem));
        }
        addTypes(inferred);
        if (!m_hasNewInputs) {
            return;
        }
        for (auto& output : *proto().mutable_output()) {
            auto type = inferred.typeOf(output.name());
            if (type && type->element != ElementType::Undefined) {
                nameOpenDims(output.name(), type->shape);
                setType(*output.mutable_type(), *type);
            }
        }
    }

    void addTypes(const InferredModel& inferred)
    {
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const Value& value = m_graph.value(ValueId{i});
            auto type = value.tensor ? std::nullopt : inferred.typeOf(value.name);
            if (type && type->element != ElementType::Undefined) {
                m_result.valueTypes[i] = std::move(*type);
            }
        }
    }

    /// Whether the node has hardcoded sizes that do not fit.
    bool isRefused(const Diagnostic& found) const
    {
        return found.nodeIndex &&
               std::any_of(m_result.problems.begin(), m_result.problems.end(), [&](const Diagnostic& problem) {
                   return problem.code == Code("baked-size") && problem.nodeIndex == found.nodeIndex;
               });
    }

    /// Inference cannot see that a product of a batch and a size, divided again, is the batch.
    void nameOpenDims(const std::string& output, std::optional<Shape>& shape) const
    {
        const auto open = m_openOutputs.find(output);
        if (open == m_openOutputs.end() || (shape && shape->size() != open->second.size())) {
            return;
        }
        shape = shape ? shape : Shape(open->second.size());
        for (std::size_t axis = 0; axis < shape->size(); ++axis) {
            if (!(*shape)[axis].isFixed() && !open->second[axis].isUnknown()) {
                (*shape)[axis] = open->second[axis];
            }
        }
    }

    void cutOut()
    {
        if (m_options.part) {
            m_model = extract(m_model, m_options.part->from, m_options.part->to);
        }
    }

    void optimize()
    {
        checkStop();
        keepOriginal();
        optimizeModel(m_graph, m_names, m_model, m_options.fuseAttention, m_result);
    }

    /// Problems of a removed node do not concern the remaining nodes.
    void forgetProblemsOutside()
    {
        if (m_options.part) {
            std::erase_if(m_result.problems, [this](const Diagnostic& problem) {
                return problem.nodeIndex && m_result.targets[*problem.nodeIndex].empty();
            });
        }
    }

    void reportGaps()
    {
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            const Node& node = m_graph.node(NodeId{i});
            const bool isKept = m_result.verdicts[i] == Verdict::Unsupported;
            if (isKept && !m_options.customOperators.contains(node.op)) {
                m_result.problems.push_back(
                    {.code = "unsupported-operator",
                     .message = "it represents an operator that was omitted when the file was written",
                     .node = m_names.of(NodeId{i}),
                     .nodeIndex = i,
                     .op = node.op,
                     .hint = fmt::format("--custom-op {}=DOMAIN:NAME maps it to your own operator", node.op)});
            }
        }
    }

    /// A node that cannot be converted as requested stays unchanged, but does not compute the same function there.
    void markRefused()
    {
        for (const Diagnostic& problem : m_result.problems) {
            if (problem.severity == Severity::Error && problem.nodeIndex) {
                m_result.verdicts[*problem.nodeIndex] = Verdict::Unsupported;
            }
        }
    }

    void nameValues()
    {
        const auto present = ownValues(proto());
        m_result.valueNames.reserve(m_graph.valueCount());
        for (const Value& value : m_graph.values()) {
            m_result.valueNames.push_back(present.contains(value.name) ? value.name : std::string());
        }
    }

    /// A file that was converted before keeps the metadata of its first source.
    void writeProvenance()
    {
        if (m_options.optimize) {
            forgetSources(proto()); // the passes name nodes of this file
        }
        if (m_before) {
            carryMetadata(*m_before, m_result.sources, proto());
        }
        if (addProvenance(*m_model.proto, m_graph)) {
            for (int i = 0; i < proto().node_size(); ++i) {
                writeSources(*proto().mutable_node(i), m_result.sources[static_cast<std::size_t>(i)], m_names);
            }
        }
    }

    const Graph& m_graph;
    const ConvertOptions& m_options;
    const std::stop_token& m_stop;
    NodeNames m_names;
    OnnxModel m_model;
    std::unique_ptr<const Cut> m_cut;           ///< if outputs were chosen
    std::optional<::onnx::GraphProto> m_before; ///< as in the file, if its nodes are changed
    Conversion m_result;
    std::map<std::string, Shape> m_oldShapes; ///< of inputs that get a new one
    std::map<std::string, Shape> m_openOutputs;
    bool m_hasNewInputs = false;
    bool m_hasNewNodes = false;
    bool m_hasNewRank = false;
    bool m_hasNewOpset = false;
};

} // namespace

Conversion convertOnnx(const Graph& graph, const ConvertOptions& options, const std::stop_token& stop)
{
    return ModelConversion(graph, options, stop).run();
}

} // namespace crosswalk
