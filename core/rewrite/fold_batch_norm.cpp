#include "core/onnx/builder_state.h"
#include "core/onnx/provenance.h"
#include "core/onnx/reads.h"
#include "core/rewrite/optimize.h"
#include "core/rewrite/scaled_rows.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

float attributeOf(const NodeProto& node, const std::string& name, float fallback)
{
    for (const auto& attribute : node.attribute()) {
        if (attribute.name() == name) {
            return attribute.has_f() ? attribute.f() : static_cast<float>(attribute.i());
        }
    }
    return fallback;
}

class Pass {
public:
    Pass(RewrittenModel rewritten, const NodeNames& names)
        : m_rewritten(rewritten)
        , m_names(names)
        , m_graph(*rewritten.model.proto->mutable_graph())
    {
        for (int i = 0; i < m_graph.initializer_size(); ++i) {
            m_stored[m_graph.initializer(i).name()] = static_cast<std::size_t>(i);
        }
        for (int i = 0; i < m_graph.node_size(); ++i) {
            for (const std::string& output : m_graph.node(i).output()) {
                m_producer[output] = i;
            }
            forEachRead(m_graph.node(i), [&](const std::string& name) { ++m_reads[name]; });
        }
        for (const auto& output : m_graph.output()) {
            ++m_reads[output.name()];
        }
    }

    void run()
    {
        std::unordered_set<int> dropped;
        for (int i = 0; i < m_graph.node_size(); ++i) {
            if (fold(i)) {
                dropped.insert(i);
            }
        }
        removeNodes(dropped);
        removeUnreadWeights();
    }

private:
    const Tensor* stored(const std::string& name) const
    {
        const auto entry = m_stored.find(name);
        return entry == m_stored.end() ? nullptr : &m_rewritten.model.weights[entry->second];
    }

    /// Whether node `index` was a BatchNormalization that is now in the Conv before it.
    bool fold(int index)
    {
        const NodeProto& norm = m_graph.node(index);
        if (norm.op_type() != "BatchNormalization" || !norm.domain().empty() || norm.output_size() != 1 ||
            attributeOf(norm, "training_mode", 0) != 0) {
            return false;
        }
        const auto producer = m_producer.find(norm.input(0));
        if (producer == m_producer.end() || m_reads[norm.input(0)] != 1) {
            return false;
        }
        NodeProto& conv = *m_graph.mutable_node(producer->second);
        const Tensor* weight = conv.op_type() == "Conv" && conv.domain().empty() ? stored(conv.input(1)) : nullptr;
        const Tensor* bias = conv.input_size() > 2 ? stored(conv.input(2)) : nullptr;
        std::array<const Tensor*, 4> terms{};
        for (int k = 0; k < 4; ++k) {
            terms[static_cast<std::size_t>(k)] = stored(norm.input(k + 1));
        }
        const bool isConstant = std::all_of(terms.begin(), terms.end(), [](const Tensor* t) { return t != nullptr; });
        if (weight == nullptr || !isConstant || (conv.input_size() > 2 && bias == nullptr) || weight->elements() == 0) {
            return false;
        }
        rewrite(conv, norm, *weight, bias, terms);
        conv.set_output(0, norm.output(0));
        m_producer[norm.output(0)] = producer->second;
        auto& sources = m_rewritten.sources[static_cast<std::size_t>(producer->second)];
        const auto& more = m_rewritten.sources[static_cast<std::size_t>(index)];
        sources.insert(sources.end(), more.begin(), more.end());
        writeSources(conv, sources, m_names);
        return true;
    }

    void rewrite(NodeProto& conv, const NodeProto& norm, const Tensor& weight, const Tensor* bias,
                 const std::array<const Tensor*, 4>& terms)
    {
        const double epsilon = attributeOf(norm, "epsilon", 1e-5F);
        const auto gamma = terms[0]->toDoubles();
        const auto beta = terms[1]->toDoubles();
        const auto mean = terms[2]->toDoubles();
        const auto variance = terms[3]->toDoubles();
        std::vector<double> offset = bias != nullptr ? bias->toDoubles() : std::vector<double>(gamma.size(), 0.0);
        std::vector<double> factors(gamma.size());
        for (std::size_t i = 0; i < gamma.size(); ++i) {
            factors[i] = gamma[i] / std::sqrt(variance[i] + epsilon);
            offset[i] = (offset[i] - mean[i]) * factors[i] + beta[i];
        }
        const auto channels = static_cast<std::int64_t>(offset.size());
        const Tensor newBias = Tensor::of<double>(ElementType::Float64, {channels}, offset).converted(weight.type());
        const std::string biasName = addWeight(conv.name() + "/bias", newBias);
        const std::string weightName = addWeight(conv.name() + "/weight", scaledRows(weight, std::move(factors)));
        conv.set_input(1, weightName);
        if (conv.input_size() > 2) {
            conv.set_input(2, biasName);
        } else {
            conv.add_input(biasName);
        }
    }

    std::string addWeight(const std::string& wanted, Tensor tensor)
    {
        std::string name = wanted;
        for (int k = 2; m_stored.contains(name) || m_producer.contains(name); ++k) {
            name = wanted + "#" + std::to_string(k);
        }
        auto* stub = m_graph.add_initializer();
        stub->set_name(name);
        fillStub(tensor, *stub);
        if (tensor.bytes() <= OnnxModel::stubLimit) {
            const auto bytes = tensor.toBytes();
            stub->set_raw_data(bytes.data(), bytes.size());
        }
        m_stored[name] = m_rewritten.model.weights.size();
        m_rewritten.model.weights.push_back(std::move(tensor));
        return name;
    }

    void removeNodes(const std::unordered_set<int>& dropped)
    {
        if (dropped.empty()) {
            return;
        }
        ::google::protobuf::RepeatedPtrField<NodeProto> nodes;
        std::vector<std::vector<NodeId>> sources;
        std::unordered_set<std::string> values;
        for (int i = 0; i < m_graph.node_size(); ++i) {
            if (!dropped.contains(i)) {
                values.insert(m_graph.node(i).output().begin(), m_graph.node(i).output().end());
                nodes.Add(std::move(*m_graph.mutable_node(i)));
                sources.push_back(std::move(m_rewritten.sources[static_cast<std::size_t>(i)]));
            }
        }
        m_graph.mutable_node()->Swap(&nodes);
        m_rewritten.sources = std::move(sources);
        auto* infos = m_graph.mutable_value_info();
        infos->erase(std::remove_if(infos->begin(), infos->end(),
                                    [&](const auto& info) { return !values.contains(info.name()); }),
                     infos->end());
    }

    void removeUnreadWeights()
    {
        std::unordered_set<std::string> read;
        for (const NodeProto& node : m_graph.node()) {
            forEachRead(node, [&](const std::string& name) { read.insert(name); });
        }
        ::google::protobuf::RepeatedPtrField<::onnx::TensorProto> stubs;
        std::vector<Tensor> weights;
        for (int i = 0; i < m_graph.initializer_size(); ++i) {
            if (read.contains(m_graph.initializer(i).name())) {
                stubs.Add(std::move(*m_graph.mutable_initializer(i)));
                weights.push_back(std::move(m_rewritten.model.weights[static_cast<std::size_t>(i)]));
            }
        }
        m_graph.mutable_initializer()->Swap(&stubs);
        m_rewritten.model.weights = std::move(weights);
    }

    RewrittenModel m_rewritten;
    const NodeNames& m_names;
    ::onnx::GraphProto& m_graph;
    std::unordered_map<std::string, std::size_t> m_stored;
    std::unordered_map<std::string, int> m_producer;
    std::unordered_map<std::string, int> m_reads;
};

} // namespace

void foldBatchNormalization(RewrittenModel model, const NodeNames& names)
{
    Pass(model, names).run();
}

} // namespace crosswalk
