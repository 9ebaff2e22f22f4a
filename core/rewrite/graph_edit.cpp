#include "core/rewrite/graph_edit.h"

#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/provenance.h"

#include <algorithm>

namespace crosswalk {
namespace {

constexpr std::size_t searchedLimit = 32; ///< lists of source nodes up to this length are searched

} // namespace

std::string labelOf(const ::onnx::NodeProto& node)
{
    return node.name().empty() ? node.output(0) : node.name();
}

GraphEdit::GraphEdit(RewrittenModel rewritten, const NodeNames& names)
    : m_rewritten(rewritten)
    , m_names(names)
    , m_graph(rewritten.body != nullptr ? *rewritten.body : *rewritten.model.proto->mutable_graph())
    , m_opset(opsetOf(rewritten.model))
{
    const auto& weights = rewritten.model.proto->graph().initializer();
    for (int i = 0; i < weights.size(); ++i) {
        m_stored[weights[i].name()] = static_cast<std::size_t>(i);
    }
    if (rewritten.body != nullptr) {
        for (const auto& input : rewritten.model.proto->graph().input()) {
            m_stored.erase(input.name()); // the user can override it
        }
        for (const std::string_view own : ownValues(m_graph)) { // hides a weight of the same name
            m_stored.erase(std::string(own));
        }
    }
    for (const auto& input : m_graph.input()) {
        m_inputs.insert(input.name());
        m_inputTypes[input.name()] = fromProto(input.type());
    }
    std::size_t count = m_stored.size() + m_inputs.size();
    for (const auto& node : m_graph.node()) {
        count += static_cast<std::size_t>(node.output_size());
    }
    m_values.reserve(count);
    for (int i = 0; i < m_graph.node_size(); ++i) {
        for (const std::string& output : m_graph.node(i).output()) {
            m_values[output].producer = i;
        }
        forEachRead(m_graph.node(i), [&](const std::string& name) { ++m_values[name].reads; });
        forEachCapture(m_graph.node(i), [&](const std::string& name) { m_readInBodies.insert(name); });
    }
    for (const auto& output : m_graph.output()) {
        ++m_values[output.name()].reads;
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
    const auto entry = m_values.find(name);
    return entry == m_values.end() || entry->second.producer < 0 ? std::nullopt : std::optional(entry->second.producer);
}

const ::onnx::NodeProto* GraphEdit::producer(const std::string& name, std::string_view op) const
{
    const auto index = producer(name);
    return index && isOperator(m_graph.node(*index), op) ? &m_graph.node(*index) : nullptr;
}

std::optional<int> GraphEdit::singleProducer(const std::string& name, std::string_view op) const
{
    const auto index = producer(name);
    const bool isSingle = index && isOperator(m_graph.node(*index), op) && reads(name) == 1;
    return isSingle ? index : std::nullopt;
}

int GraphEdit::reads(const std::string& name) const
{
    const auto entry = m_values.find(name);
    return entry == m_values.end() ? 0 : entry->second.reads;
}

std::string GraphEdit::unusedName(const std::string& wanted)
{
    if (m_taken.isEmpty()) {
        m_taken = usedValueNames(m_rewritten.model.proto->graph());
    }
    return m_taken.unique(wanted);
}

std::string GraphEdit::newValue(const std::string& wanted, const TensorType& type)
{
    m_newValues.push_back(unusedName(wanted));
    m_rewritten.types[m_newValues.back()] = type;
    return m_newValues.back();
}

void GraphEdit::insert(int before, ::onnx::NodeProto node, const std::vector<int>& from)
{
    Inserted& inserted = m_inserted.emplace_back(Inserted{before, std::move(node), {}});
    for (const int index : from) {
        if (m_rewritten.body != nullptr) {
            addSources(inserted.node, m_graph.node(index));
        } else {
            for (const NodeId source : m_rewritten.sources[static_cast<std::size_t>(index)]) {
                if (std::find(inserted.sources.begin(), inserted.sources.end(), source) == inserted.sources.end()) {
                    inserted.sources.push_back(source);
                }
            }
        }
    }
    if (m_rewritten.body == nullptr) {
        writeSources(inserted.node, inserted.sources, m_names);
    }
}

std::string GraphEdit::addWeight(const std::string& wanted, Tensor tensor)
{
    std::string name = unusedName(wanted);
    m_stored[name] = m_rewritten.model.weights.size();
    crosswalk::addWeight(m_rewritten.model, name, std::move(tensor));
    return name;
}

void GraphEdit::replace(int gone, std::vector<Tensor> tensors)
{
    m_gone.insert(gone);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::string name = m_graph.node(gone).output(static_cast<int>(i));
        m_values[name].producer = -1;
        if (m_rewritten.body != nullptr) { // a weight of the top-level graph, where the name may be taken
            replaceReads(name, addWeight(name, std::move(tensors[i])));
            continue;
        }
        m_stored[name] = m_rewritten.model.weights.size();
        crosswalk::addWeight(m_rewritten.model, name, std::move(tensors[i]));
    }
}

void GraphEdit::merge(int gone, int kept)
{
    m_gone.insert(gone);
    auto& node = *m_graph.mutable_node(kept);
    if (m_rewritten.body != nullptr) {
        addSources(node, m_graph.node(gone));
    } else {
        for (const NodeId source : m_rewritten.sources[static_cast<std::size_t>(gone)]) {
            addSource(kept, source);
        }
        m_grown.insert(kept);
    }
    for (const std::string& output : node.output()) {
        m_values[output].producer = kept;
    }
}

void GraphEdit::addSource(int node, NodeId source)
{
    auto& sources = m_rewritten.sources[static_cast<std::size_t>(node)];
    if (sources.size() < searchedLimit) {
        if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
            sources.push_back(source);
        }
        return;
    }
    auto& known = m_longSources[node];
    if (known.empty()) {
        for (const NodeId each : sources) {
            known.insert(each.index);
        }
    }
    if (known.insert(source.index).second) {
        sources.push_back(source);
    }
}

bool GraphEdit::hasSourcesOf(int node, int other) const
{
    if (m_rewritten.body != nullptr) {
        ::onnx::NodeProto joined = m_graph.node(node);
        addSources(joined, m_graph.node(other));
        return joined.SerializeAsString() == m_graph.node(node).SerializeAsString();
    }
    const auto& sources = m_rewritten.sources[static_cast<std::size_t>(node)];
    const auto& others = m_rewritten.sources[static_cast<std::size_t>(other)];
    return std::all_of(others.begin(), others.end(), [&](NodeId source) {
        return std::find(sources.begin(), sources.end(), source) != sources.end();
    });
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
    for (const int node : m_grown) {
        if (!m_gone.contains(node)) {
            writeSources(*m_graph.mutable_node(node), m_rewritten.sources[static_cast<std::size_t>(node)], m_names);
        }
    }
    for (auto& node : *m_graph.mutable_node()) {
        update(node);
    }
    for (Inserted& inserted : m_inserted) {
        update(inserted.node);
    }
    if (!m_gone.empty() || !m_inserted.empty()) {
        rebuildNodes();
    }
    if (m_rewritten.body == nullptr) {
        dropUnreadWeights();
    }
}

/// Passes name a node after its value. ONNX Runtime rejects a model in which another node has that name.
void GraphEdit::nameInsertedNodes()
{
    if (m_inserted.empty()) {
        return;
    }
    UniqueNames names;
    for (int i = 0; i < m_graph.node_size(); ++i) {
        if (!m_gone.contains(i)) {
            names.take(m_graph.node(i).name());
        }
    }
    for (Inserted& inserted : m_inserted) {
        if (!inserted.node.name().empty()) {
            inserted.node.set_name(names.unique(inserted.node.name()));
        }
    }
}

void GraphEdit::rebuildNodes()
{
    const bool hasSources = m_rewritten.body == nullptr;
    ::google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
    std::vector<std::vector<NodeId>> sources;
    std::stable_sort(m_inserted.begin(), m_inserted.end(),
                     [](const Inserted& a, const Inserted& b) { return a.before < b.before; });
    nameInsertedNodes();
    auto next = m_inserted.begin();
    for (int i = 0; i <= m_graph.node_size(); ++i) {
        for (; next != m_inserted.end() && next->before == i; ++next) {
            nodes.Add(std::move(next->node));
            sources.push_back(std::move(next->sources));
        }
        if (i < m_graph.node_size() && !m_gone.contains(i)) {
            nodes.Add(std::move(*m_graph.mutable_node(i)));
            if (hasSources) {
                sources.push_back(std::move(m_rewritten.sources[static_cast<std::size_t>(i)]));
            }
        }
    }
    m_graph.mutable_node()->Swap(&nodes);
    if (hasSources) {
        m_rewritten.sources = std::move(sources);
    }
    describeValues();
}

/// Keeps value_info for exactly the values that the nodes compute.
void GraphEdit::describeValues()
{
    std::unordered_set<std::string> values;
    for (const auto& node : m_graph.node()) {
        values.insert(node.output().begin(), node.output().end());
    }
    auto* infos = m_graph.mutable_value_info();
    infos->erase(
        std::remove_if(infos->begin(), infos->end(), [&](const auto& info) { return !values.contains(info.name()); }),
        infos->end());
    for (const std::string& name : m_newValues) {
        const TensorType& type = m_rewritten.types.at(name);
        if (values.contains(name) && type.shape && type.element != ElementType::Undefined) {
            auto& info = *infos->Add();
            info.set_name(name);
            toProto(type, *info.mutable_type());
        }
    }
}

void GraphEdit::dropUnreadWeights()
{
    const auto& graph = m_rewritten.model.proto->graph();
    std::unordered_set<std::string_view> unread;
    for (const auto& weight : graph.initializer()) {
        unread.insert(weight.name());
    }
    const auto read = [&](const std::string& name) { unread.erase(name); };
    for (const auto& node : graph.node()) {
        forEachRead(node, read);
    }
    for (const auto* ports : {&graph.input(), &graph.output()}) {
        for (const auto& port : *ports) {
            read(port.name());
        }
    }
    if (!unread.empty()) {
        keepWeights(m_rewritten.model, [&](const std::string& name, std::size_t) { return !unread.contains(name); });
    }
}

} // namespace crosswalk
