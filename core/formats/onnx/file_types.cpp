#include "core/formats/onnx/file_types.h"

#include "core/base/check_stop.h"
#include "core/base/diagnostic.h"
#include "core/convert/states.h"
#include "core/formats/onnx/original_file.h"
#include "core/formats/onnx/value_lookup.h"
#include "core/onnx/check.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/file_parts.h"
#include "core/onnx/generated_symbols.h"
#include "core/onnx/negative_dims.h"
#include "core/onnx/node_inference.h"
#include "core/onnx/onnx_model.h"
#include "core/onnx/operand_checks.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <new>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::TypeProto;
using ::onnx::ValueInfoProto;

/// Why the model must be in memory as a whole: an error, or what is not inferred node by node.
struct NeedsWholeModel {};

class FileInference {
public:
    FileInference(const Graph& graph, FileParts& parts, const ModelProto& frame)
        : m_graph(graph)
        , m_parts(parts)
        , m_frame(frame)
        , m_checker(frame)
        , m_nodes(frame, [](std::string_view) { return NodeInference::noValue; })
        , m_symbols(statedSymbols(frame.graph()))
    {
        m_nodes.addValues(graph.valueCount());
        nameDeclared();
    }

    /// Throws NeedsWholeModel, and what onnx throws for a model with an error.
    std::vector<TensorType> types(const std::stop_token& stop)
    {
        declareAll();
        addStored();
        NodeProto node;
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            checkStop(stop, "the inference of types");
            node.Clear();
            m_parts.readNode(m_parts.index().nodes()[i], node);
            infer(node, m_graph.node(NodeId{i}));
        }
        if (!m_nodes.conflicts().empty()) {
            throw NeedsWholeModel();
        }
        return found();
    }

private:
    using ValueIndex = NodeInference::ValueIndex;

    /// The values that can have a declared type: in most files few.
    void nameDeclared()
    {
        if (m_parts.index().types().empty() &&
            m_graph.inputs.size() == static_cast<std::size_t>(m_frame.graph().input_size())) {
            std::ranges::for_each(m_graph.inputs, [this](ValueId input) { m_names.add(input); });
            std::ranges::for_each(m_graph.outputs, [this](ValueId output) { m_names.add(output); });
            return;
        }
        m_names.reserve(m_graph.valueCount());
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            if (!m_graph.value(ValueId{i}).name.empty()) {
                m_names.add(ValueId{i});
            }
        }
    }

    void declareAll()
    {
        m_nodes.addSymbols(m_frame.graph());
        GraphProto declaration;
        for (const auto& part : m_parts.index().types()) {
            declaration.Clear();
            ValueInfoProto& info = *declaration.add_value_info();
            m_parts.readType(part, info);
            forgetNegativeDims(declaration);
            m_nodes.addSymbols(declaration);
            m_symbols.merge(statedSymbols(declaration));
            declare(info);
        }
        for (const auto* infos : {&m_frame.graph().input(), &m_frame.graph().output()}) {
            std::for_each(infos->begin(), infos->end(), [this](const ValueInfoProto& info) { declare(info); });
        }
    }

    void declare(const ValueInfoProto& info)
    {
        if (info.name().empty()) {
            throw NeedsWholeModel(); // the type of every absent operand
        }
        const ValueId value = m_names.find(info.name());
        if (value && info.has_type()) {
            m_nodes.value(value.index).type = m_nodes.shared(info.type());
        }
    }

    void addStored()
    {
        std::map<std::pair<ElementType, Ints>, const TypeProto*> types; // few, and the checker reads nothing else
        TensorProto stub;
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const Tensor* content = m_graph.tensorOf(ValueId{i});
            if (content == nullptr) {
                continue;
            }
            const auto [type, isNew] = types.try_emplace({content->type(), content->dims()}, nullptr);
            if (isNew) {
                fill(stub, ValueId{i}, *content);
                m_checker.check(stub);
                type->second = m_nodes.sharedTypeOf(stub);
            }
            m_nodes.setStoredType(i, type->second);
        }
    }

    void fill(TensorProto& stub, ValueId value, const Tensor& content) const
    {
        stub.Clear();
        stub.set_name(m_graph.value(value).name);
        fillStub(content, stub);
        if (!isComplete(stub, content)) {
            complete(stub, content);
        }
    }

    /// `node` is from the file, which can have changed since `known` was read.
    void infer(NodeProto& node, const Node& known)
    {
        const bool isSame = known.op == node.op_type() &&
                            known.inputs.size() == static_cast<std::size_t>(node.input_size()) &&
                            known.outputs.size() == static_cast<std::size_t>(node.output_size());
        if (!isSame || known.domain == gapDomain) {
            throw NeedsWholeModel();
        }
        expectEquation(node);
        forgetNegativeDims(node);
        m_checker.check(node);
        setContents(known.inputs);
        list(known.inputs, m_inputs);
        list(known.outputs, m_outputs);
        NodeProto& kept = known.op == "Constant" ? m_constants.emplace_back() : node;
        if (&kept != &node) {
            kept.Swap(&node);
        }
        m_nodes.infer(kept, m_inputs, m_outputs);
        for (const ValueId input : known.inputs) {
            if (contentOf(input) != nullptr) {
                m_nodes.value(input.index).content = nullptr;
            }
        }
    }

    /// The contents of stored operands are known only while their node is inferred.
    void setContents(const ValueIds& inputs)
    {
        m_contents.resize(std::max(m_contents.size(), inputs.size()));
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (const Tensor* content = contentOf(inputs[i])) {
                fill(m_contents[i], inputs[i], *content);
                m_nodes.value(inputs[i].index).content = &m_contents[i];
            }
        }
    }

    const Tensor* contentOf(ValueId operand) const { return operand ? m_graph.tensorOf(operand) : nullptr; }

    static void list(const ValueIds& values, std::vector<ValueIndex>& indices)
    {
        indices.clear();
        for (const ValueId value : values) {
            indices.push_back(value ? value.index : NodeInference::noValue);
        }
    }

    std::vector<TensorType> found() const
    {
        std::vector<TensorType> types;
        types.reserve(m_graph.valueCount());
        for (std::uint32_t i = 0; i < m_graph.valueCount(); ++i) {
            const Value& value = m_graph.value(ValueId{i});
            types.emplace_back(value.tensor ? TensorType() : TensorType(value.type));
            const TypeProto* inferred = value.tensor ? nullptr : m_nodes.value(i).type;
            if (inferred == nullptr) {
                continue;
            }
            TensorType type = inferredType(*inferred, m_symbols);
            if (type.element != ElementType::Undefined) {
                types.back() = std::move(type);
            }
        }
        return types;
    }

    const Graph& m_graph;
    FileParts& m_parts;
    const ModelProto& m_frame;
    PartChecker m_checker;
    NodeInference m_nodes;
    std::set<std::string> m_symbols; ///< of declared types
    ValueLookup m_names{m_graph};
    std::deque<TensorProto> m_contents; ///< of the current node's operands
    std::deque<NodeProto> m_constants;
    std::vector<ValueIndex> m_inputs; ///< of the current node
    std::vector<ValueIndex> m_outputs;
};

} // namespace

std::optional<std::vector<TensorType>> typesOfFile(const Graph& graph, const std::stop_token& stop)
{
    constexpr std::int64_t firstUnlisted = 4; // before, every weight is an input as well
    const auto original = originalFileOf(graph);
    if (!original->isSorted || !graph.subgraphs.empty() || graph.irVersion < firstUnlisted || graph.outputs.empty() ||
        !statesIn(graph.metadata).empty()) {
        return std::nullopt;
    }
    assert(original->index.nodes().size() == graph.nodeCount());
    try {
        ModelProto frame = original->index.frame();
        forgetNegativeDims(frame);
        if (!frame.functions().empty() || !frame.graph().sparse_initializer().empty()) {
            return std::nullopt;
        }
        FileParts parts(*original->source, original->index);
        return FileInference(graph, parts, frame).types(stop);
    } catch (const NeedsWholeModel&) {
        return std::nullopt;
    } catch (const ModelError& error) {
        if (error.diagnostic.code == Code("cancelled")) {
            throw;
        }
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) { // onnx's errors
        return std::nullopt;
    }
}

void addStoredTypes(const Graph& graph, std::vector<TensorType>& types)
{
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        if (const Value& value = graph.value(ValueId{i}); value.tensor) {
            types[i] = TensorType(value.type);
        }
    }
}

} // namespace crosswalk
