#include "core/onnx/inferred_model.h"

#include "core/base/check_stop.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/generated_symbols.h"
#include "core/onnx/node_inference.h"
#include "core/onnx/onnx_model.h"

#include <deque>
#include <new>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace crosswalk {
namespace {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::TypeProto;

} // namespace

class InferredModel::Inference {
public:
    Inference(const OnnxModel& model, Declared declared, const std::stop_token& stop)
        : m_nodes(*model.proto, [this](std::string_view name) { return indexOf(name); })
        , m_statedSymbols(crosswalk::statedSymbols(model.proto->graph()))
    {
        const GraphProto& graph = model.proto->graph();
        m_indices.reserve(static_cast<std::size_t>(graph.initializer_size()) +
                          static_cast<std::size_t>(graph.node_size()));
        declareAll(graph, declared);
        try {
            ::onnx::checker::check_function_call_cycles(*model.proto);
            m_nodes.addSymbols(graph);
            for (int i = 0; i < graph.initializer_size(); ++i) {
                addStored(graph.initializer(i), model.weights[static_cast<std::size_t>(i)]);
            }
            for (const auto& stored : graph.sparse_initializer()) {
                m_nodes.addSparse(added(stored.values().name()), stored);
            }
            for (const NodeProto& node : graph.node()) {
                checkStop(stop, "the inference of types");
                m_nodes.infer(node, allAdded(node.input(), m_inputs), allAdded(node.output(), m_outputs));
            }
            if (!m_nodes.conflicts().empty()) {
                m_error = "[ShapeInferenceError] Inference error(s): " + m_nodes.conflicts();
            }
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            if (stop.stop_requested()) {
                throw;
            }
            m_error = error.what();
        }
    }

    const TypeProto* find(std::string_view name) const
    {
        const ValueIndex index = indexOf(name);
        return index != NodeInference::noValue ? m_nodes.value(index).type : nullptr;
    }

    const std::set<std::string>& statedSymbols() const { return m_statedSymbols; }

    const std::optional<std::string>& error() const { return m_error; }

private:
    using ValueIndex = NodeInference::ValueIndex;

    ValueIndex indexOf(std::string_view name) const
    {
        const auto found = m_indices.find(name);
        return found != m_indices.end() ? found->second : NodeInference::noValue;
    }

    ValueIndex added(std::string_view name)
    {
        const auto [entry, isNew] = m_indices.try_emplace(name);
        if (isNew) {
            entry->second = m_nodes.addValue();
        }
        return entry->second;
    }

    std::span<const ValueIndex> allAdded(const ::google::protobuf::RepeatedPtrField<std::string>& names,
                                         std::vector<ValueIndex>& indices)
    {
        indices.clear();
        for (const std::string& name : names) {
            indices.push_back(added(name));
        }
        return indices;
    }

    void declareAll(const GraphProto& graph, Declared declared)
    {
        const auto declare = [this](const auto& infos) {
            for (const auto& info : infos) {
                if (info.has_type()) {
                    m_nodes.value(added(info.name())).type = &info.type();
                }
            }
        };
        if (declared == Declared::All) {
            declare(graph.value_info());
        }
        declare(graph.input());
        declare(graph.output());
        if (declared == Declared::All) {
            return;
        }
        for (const auto& output : graph.output()) {
            if (output.type().has_tensor_type()) {
                TypeProto type = output.type();
                type.mutable_tensor_type()->clear_shape();
                m_nodes.value(added(output.name())).type = m_nodes.shared(type);
            }
        }
        declare(graph.input()); // again: an input can be an output as well
    }

    void addStored(const TensorProto& stub, const Tensor& content)
    {
        const ValueIndex index = added(stub.name());
        m_nodes.value(index).content =
            isComplete(stub, content) ? &stub : &m_completed.emplace_back(completed(stub, content));
        m_nodes.setStoredType(index, stub);
    }

    NodeInference m_nodes;
    std::set<std::string> m_statedSymbols;
    std::unordered_map<std::string_view, ValueIndex> m_indices; ///< by name, which the model owns
    std::deque<TensorProto> m_completed;
    std::vector<ValueIndex> m_inputs; ///< of the current node
    std::vector<ValueIndex> m_outputs;
    std::optional<std::string> m_error;
};

InferredModel::InferredModel(const OnnxModel& model, Declared declared, const std::stop_token& stop)
    : m_inference(std::make_unique<Inference>(model, declared, stop))
{
}

InferredModel::~InferredModel() = default;

const std::optional<std::string>& InferredModel::error() const
{
    return m_inference->error();
}

const TypeProto* InferredModel::find(std::string_view value) const
{
    return m_inference->find(value);
}

std::optional<TensorType> InferredModel::typeOf(std::string_view value) const
{
    const TypeProto* found = find(value);
    if (found == nullptr) {
        return std::nullopt;
    }
    return inferredType(*found, m_inference->statedSymbols());
}

} // namespace crosswalk
