#include "core/rewrite/graph_edit.h"

#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/provenance.h"

#include <algorithm>

namespace crosswalk {

std::string labelOf(const ::onnx::NodeProto& node)
{
    return node.name().empty() ? node.output(0) : node.name();
}

GraphEdit::GraphEdit(RewrittenModel rewritten, const NodeNames& names)
    : m_rewritten(rewritten)
    , m_names(names)
    , m_graph(*rewritten.model.proto->mutable_graph())
{
    for (int i = 0; i < m_graph.initializer_size(); ++i) {
        m_stored[m_graph.initializer(i).name()] = static_cast<std::size_t>(i);
    }
    for (const auto& input : m_graph.input()) {
        m_inputs.insert(input.name());
        m_inputTypes[input.name()] = fromProto(input.type());
    }
    for (int i = 0; i < m_graph.node_size(); ++i) {
        for (const std::string& output : m_graph.node(i).output()) {
            m_producer[output] = i;
        }
        const bool isBody = hasBody(m_graph.node(i));
        forEachRead(m_graph.node(i), [&](const std::string& name) {
            ++m_reads[name];
            if (isBody) {
                m_readInBodies.insert(name);
            }
        });
    }
    for (const auto& output : m_graph.output()) {
        ++m_reads[output.name()];
        m_outputs.insert(output.name());
    }
}

TensorType GraphEdit::typeOf(const std::string& name) const
{
    const auto made = m_rewritten.types.find(name);
    if (made != m_rewritten.types.end()) {
        return made->second;
    }
    const auto given = m_inputTypes.find(name);
    return given == m_inputTypes.end() ? TensorType() : given->second;
}

void GraphEdit::replaceReads(const std::string& name, const std::string& other)
{
    const auto further = m_replacements.find(other);
    m_replacements[name] = further == m_replacements.end() ? other : further->second;
}

void GraphEdit::update(::onnx::NodeProto& node) const
{
    for (std::string& input : *node.mutable_input()) {
        if (const auto other = m_replacements.find(input); other != m_replacements.end()) {
            input = other->second;
        }
    }
}

const Tensor* GraphEdit::stored(const std::string& name) const
{
    const auto entry = m_stored.find(name);
    return entry == m_stored.end() || m_inputs.contains(name) ? nullptr : &m_rewritten.model.weights[entry->second];
}

std::optional<int> GraphEdit::producer(const std::string& name) const
{
    const auto entry = m_producer.find(name);
    return entry == m_producer.end() ? std::nullopt : std::optional(entry->second);
}

int GraphEdit::reads(const std::string& name) const
{
    const auto entry = m_reads.find(name);
    return entry == m_reads.end() ? 0 : entry->second;
}

std::string GraphEdit::addWeight(const std::string& wanted, Tensor tensor)
{
    if (m_taken.empty()) {
        collectValueNames(m_graph, m_taken);
    }
    std::string name = wanted;
    for (int k = 2; !m_taken.insert(name).second; ++k) {
        name = wanted + "#" + std::to_string(k);
    }
    m_stored[name] = m_rewritten.model.weights.size();
    crosswalk::addWeight(m_rewritten.model, name, std::move(tensor));
    return name;
}

void GraphEdit::replace(int gone, Tensor tensor)
{
    const std::string& name = m_graph.node(gone).output(0);
    m_gone.insert(gone);
    m_producer.erase(name);
    m_stored[name] = m_rewritten.model.weights.size();
    crosswalk::addWeight(m_rewritten.model, name, std::move(tensor));
}

void GraphEdit::merge(int gone, int kept)
{
    m_gone.insert(gone);
    auto& sources = m_rewritten.sources[static_cast<std::size_t>(kept)];
    for (const NodeId source : m_rewritten.sources[static_cast<std::size_t>(gone)]) {
        if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
            sources.push_back(source);
        }
    }
    writeSources(*m_graph.mutable_node(kept), sources, m_names);
    for (const std::string& output : m_graph.node(kept).output()) {
        m_producer[output] = kept;
    }
}

void GraphEdit::dropUnread()
{
    std::unordered_set<std::string> needed = m_outputs;
    for (int i = m_graph.node_size(); i-- > 0;) {
        auto& node = *m_graph.mutable_node(i);
        update(node);
        const bool isNeeded =
            !node.domain().empty() || std::any_of(node.output().begin(), node.output().end(),
                                                  [&](const std::string& name) { return needed.contains(name); });
        if (m_gone.contains(i)) {
            continue;
        }
        if (isNeeded) {
            forEachRead(node, [&](const std::string& name) { needed.insert(name); });
        } else {
            m_gone.insert(i);
        }
    }
}

void GraphEdit::finish()
{
    for (auto& node : *m_graph.mutable_node()) {
        update(node);
    }
    if (!m_gone.empty()) {
        dropNodes();
    }
    dropUnreadWeights();
}

void GraphEdit::dropNodes()
{
    ::google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
    std::vector<std::vector<NodeId>> sources;
    std::unordered_set<std::string> values;
    for (int i = 0; i < m_graph.node_size(); ++i) {
        if (!m_gone.contains(i)) {
            values.insert(m_graph.node(i).output().begin(), m_graph.node(i).output().end());
            nodes.Add(std::move(*m_graph.mutable_node(i)));
            sources.push_back(std::move(m_rewritten.sources[static_cast<std::size_t>(i)]));
        }
    }
    m_graph.mutable_node()->Swap(&nodes);
    m_rewritten.sources = std::move(sources);
    auto* infos = m_graph.mutable_value_info();
    infos->erase(
        std::remove_if(infos->begin(), infos->end(), [&](const auto& info) { return !values.contains(info.name()); }),
        infos->end());
}

void GraphEdit::dropUnreadWeights()
{
    const auto read = readValues(m_graph);
    keepWeights(m_rewritten.model,
                [&](const std::string& name, std::size_t) { return read.contains(name) || m_inputs.contains(name); });
}

} // namespace crosswalk
