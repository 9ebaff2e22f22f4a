#include "core/onnx/node.h"
#include "core/onnx/proto.h"
#include "core/onnx/proto_reads.h"
#include "core/rewrite/min_cut.h"
#include "core/rewrite/permuted_node.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

constexpr int noNode = -1;

/// A layout of a tensor: as it is, or with permuted axes.
using Layout = int;
constexpr Layout other(Layout layout)
{
    return 1 - layout;
}

/// A node whose layout can be chosen.
struct FlexibleNode {
    PermutedPorts ports;
    Layout layout = 0; ///< of its permuted ports
    Layout chosen = 0;
    MinCut::Vertex vertex = 0;
};

/// An operand that reads a value of a layout.
struct Read {
    int node = noNode;
    int input = 0;
    Layout layout = 0; ///< of the value
};

/// A tensor in both layouts: a value of the graph, and the results of Transposes of it that form the other layout or
/// the first again.
struct TwoLayouts {
    std::string root; ///< the value that is not computed by one of these Transposes
    std::array<std::string, 2> names;
    std::array<bool, 2> isPinned{}; ///< the name is used where it cannot be replaced, or the root has a fixed layout
    std::vector<int> transposes;
    std::vector<Read> reads;          ///< by nodes other than these Transposes
    std::vector<int> flexibleReaders; ///< those of them whose layout is also the layout of the operand
    std::array<bool, 2> isRead{};     ///< by nodes of a fixed layout, bodies or outputs
    int producer = noNode;
    bool isChanged = false;
};

/// Chooses the layouts of all tensors that Transposes of one permutation, or of its inverse, connect.
class LayoutChoice {
public:
    LayoutChoice(const RewrittenModel& model, const NodeNames& names, Permutation permutation)
        : m_edit(model, names)
        , m_graph(m_edit.graph())
        , m_permutations{permutation, inverse(permutation)}
    {
    }

    /// Whether the number of Transposes decreased.
    bool run()
    {
        indexReads();
        for (int i = 0; i < m_graph.node_size(); ++i) {
            if (isCandidate(m_graph.node(i))) {
                m_wires.insert(i);
            }
        }
        labelValues();
        collectTensors();
        if (!choose()) {
            return false;
        }
        rewrite();
        m_edit.finish();
        return true;
    }

private:
    bool isSymmetric() const { return m_permutations[0] == m_permutations[1]; }
    /// Permutes a tensor of this layout to the other.
    const Permutation& from(Layout layout) const { return m_permutations[static_cast<std::size_t>(layout)]; }

    bool isCandidate(const NodeProto& node) const
    {
        if (!node.domain().empty() || node.op_type() != "Transpose" || m_edit.stored(node.input(0)) != nullptr) {
            return false;
        }
        const Permutation permutation = permutationOf(m_edit, node);
        return permutation == m_permutations[0] || permutation == m_permutations[1];
    }

    void indexReads()
    {
        for (int i = 0; i < m_graph.node_size(); ++i) {
            const NodeProto& node = m_graph.node(i);
            for (int input = 0; input < node.input_size(); ++input) {
                if (!node.input(input).empty()) {
                    m_reads[node.input(input)].push_back({i, input});
                }
            }
        }
    }

    /// The layouts of the values that candidates connect through nodes whose layout can be chosen.
    void labelValues()
    {
        std::vector<std::string> queue;
        for (int i = 0; i < m_graph.node_size(); ++i) {
            if (!m_wires.contains(i)) {
                continue;
            }
            const NodeProto& node = m_graph.node(i);
            const auto known = m_layouts.find(node.input(0));
            const Layout start = isSymmetric() ? (known == m_layouts.end() ? 0 : known->second)
                                 : permutationOf(m_edit, node) == m_permutations[0] ? 0
                                                                                    : 1;
            if (!label(node.input(0), start, queue) || !label(node.output(0), other(start), queue)) {
                m_wires.erase(i);
            }
            if (isSymmetric()) {
                spread(queue);
            }
        }
        spread(queue);
    }

    /// Whether the value has this layout or none so far.
    bool label(const std::string& value, Layout layout, std::vector<std::string>& queue)
    {
        const auto [entry, isNew] = m_layouts.try_emplace(value, layout);
        if (isNew) {
            queue.push_back(value);
        }
        return entry->second == layout;
    }

    void spread(std::vector<std::string>& queue)
    {
        while (!queue.empty()) {
            const std::string value = std::move(queue.back());
            queue.pop_back();
            const Layout layout = m_layouts.at(value);
            if (const auto producer = m_edit.producer(value)) {
                visit(*producer, value, layout, queue);
            }
            if (const auto reads = m_reads.find(value); reads != m_reads.end()) {
                for (const Read& read : reads->second) {
                    visit(read.node, value, layout, queue);
                }
            }
        }
    }

    void visit(int index, const std::string& value, Layout layout, std::vector<std::string>& queue)
    {
        const NodeProto& node = m_graph.node(index);
        if (m_wires.contains(index)) {
            if (isSymmetric()) {
                const std::string& end = node.input(0) == value ? node.output(0) : node.input(0);
                if (!label(end, other(layout), queue)) {
                    m_wires.erase(index);
                }
            }
            return;
        }
        if (m_flexible.contains(index) || m_inflexible.contains({index, layout})) {
            return;
        }
        const auto ports = permutedPorts(m_edit, node, from(layout));
        if (!ports) {
            m_inflexible.emplace(index, layout);
            return;
        }
        const auto values = valuesOf(node, *ports);
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            return;
        }
        const bool isConsistent = std::all_of(values.begin(), values.end(), [&](const std::string& linked) {
            const auto known = m_layouts.find(linked);
            return known == m_layouts.end() || known->second == layout;
        });
        if (!isConsistent) {
            m_inflexible.emplace(index, layout); // the layouts of values are final
            return;
        }
        for (const std::string& linked : values) {
            label(linked, layout, queue);
        }
        for (const int output : ports->outputs) {
            m_flexibleOutputs.insert(node.output(output));
        }
        assert(std::is_sorted(ports->inputs.begin(), ports->inputs.end()));
        m_flexible.emplace(index, FlexibleNode{*ports, layout, layout, 0});
    }

    static std::vector<std::string> valuesOf(const NodeProto& node, const PermutedPorts& ports)
    {
        std::vector<std::string> values;
        for (const int input : ports.inputs) {
            values.push_back(node.input(input));
        }
        for (const int output : ports.outputs) {
            values.push_back(node.output(output));
        }
        return values;
    }

    FlexibleNode* flexible(int index)
    {
        const auto entry = m_flexible.find(index);
        return entry == m_flexible.end() ? nullptr : &entry->second;
    }

    bool isPermutedInput(int index, int input)
    {
        const FlexibleNode* node = flexible(index);
        return node != nullptr && std::binary_search(node->ports.inputs.begin(), node->ports.inputs.end(), input);
    }

    /// Groups values that Transposes of this permutation connect.
    void collectTensors()
    {
        for (int i = 0; i < m_graph.node_size(); ++i) {
            if (!m_wires.contains(i)) {
                continue;
            }
            const NodeProto& node = m_graph.node(i);
            TwoLayouts& tensor = tensorOf(node.input(0));
            const Layout layout = m_layouts.at(node.output(0));
            const auto at = static_cast<std::size_t>(layout);
            const bool isPinned = !m_edit.isReplaceable(node.output(0));
            if (isPinned && tensor.isPinned[at]) {
                m_wires.erase(i); // two names of one tensor have to be kept
                continue;
            }
            if (isPinned || tensor.names[at].empty()) {
                tensor.names[at] = node.output(0);
                tensor.isPinned[at] = isPinned;
            }
            tensor.transposes.push_back(i);
            m_tensorOf[node.output(0)] = m_tensorOf.at(node.input(0));
        }
        // The tensors between two flexible nodes as well.
        for (const auto& [index, node] : m_flexible) {
            for (const std::string& value : valuesOf(m_graph.node(index), node.ports)) {
                tensorOf(value);
            }
        }
        for (const auto& [value, index] : m_tensorOf) {
            TwoLayouts& tensor = m_tensors[index];
            const auto layout = static_cast<std::size_t>(m_layouts.at(value));
            std::size_t reads = 0;
            if (const auto found = m_reads.find(value); found != m_reads.end()) {
                reads = found->second.size();
                for (Read read : found->second) {
                    if (m_wires.contains(read.node)) {
                        continue;
                    }
                    read.layout = m_layouts.at(value);
                    tensor.reads.push_back(read);
                    if (!isPermutedInput(read.node, read.input)) {
                        tensor.isRead[layout] = true;
                    } else if (tensor.flexibleReaders.empty() || tensor.flexibleReaders.back() != read.node) {
                        tensor.flexibleReaders.push_back(read.node);
                    }
                }
            }
            if (static_cast<std::size_t>(m_edit.reads(value)) > reads || !m_edit.isReplaceable(value)) {
                tensor.isRead[layout] = true;
            }
        }
    }

    TwoLayouts& tensorOf(const std::string& value)
    {
        const auto [entry, isNew] = m_tensorOf.try_emplace(value, m_tensors.size());
        if (isNew) {
            TwoLayouts& tensor = m_tensors.emplace_back();
            const auto layout = static_cast<std::size_t>(m_layouts.at(value));
            tensor.root = value;
            tensor.names[layout] = value;
            tensor.producer = m_edit.producer(value).value_or(noNode);
            const bool isFixed = !m_flexibleOutputs.contains(value);
            tensor.isPinned[layout] = isFixed || !m_edit.isReplaceable(value);
        }
        return m_tensors[entry->second];
    }

    bool hasFlexibleProducer(const TwoLayouts& tensor) const { return m_flexibleOutputs.contains(tensor.root); }

    Layout layoutOfRoot(const TwoLayouts& tensor) const { return m_layouts.at(tensor.root); }

    /// Finds the layouts with the smallest number of Transposes. Whether there are fewer than before.
    bool choose()
    {
        MinCut cut;
        for (auto& [index, node] : m_flexible) {
            node.vertex = cut.addVertex();
        }
        const auto ends = std::array{MinCut::source, MinCut::sink};
        for (const TwoLayouts& tensor : m_tensors) {
            const MinCut::Vertex producer = hasFlexibleProducer(tensor)
                                                ? m_flexible.at(tensor.producer).vertex
                                                : ends[static_cast<std::size_t>(layoutOfRoot(tensor))];
            // One Transpose if any reader has another layout than the producer.
            const MinCut::Vertex readsOther = cut.addVertex();
            const MinCut::Vertex readsFirst = cut.addVertex();
            cut.addEdge(producer, readsOther, 1);
            cut.addEdge(readsFirst, producer, 1);
            const auto addReader = [&](MinCut::Vertex reader) {
                cut.addEdge(readsOther, reader, MinCut::unlimited);
                cut.addEdge(reader, readsFirst, MinCut::unlimited);
            };
            for (const int reader : tensor.flexibleReaders) {
                addReader(m_flexible.at(reader).vertex);
            }
            for (const Layout layout : {0, 1}) {
                if (tensor.isRead[static_cast<std::size_t>(layout)]) {
                    addReader(ends[static_cast<std::size_t>(layout)]);
                }
            }
        }
        if (cut.solve() >= static_cast<std::int64_t>(m_wires.size())) {
            return false;
        }
        for (auto& [index, node] : m_flexible) {
            node.chosen = cut.isOnSourceSide(node.vertex) ? 0 : 1;
        }
        keepUnimproved();
        return true;
    }

    Layout chosenLayout(const TwoLayouts& tensor)
    {
        return hasFlexibleProducer(tensor) ? m_flexible.at(tensor.producer).chosen : layoutOfRoot(tensor);
    }

    /// Whether a Transpose of the tensor is needed with the chosen layouts.
    bool needsTranspose(const TwoLayouts& tensor)
    {
        const Layout wanted = other(chosenLayout(tensor));
        return tensor.isRead[static_cast<std::size_t>(wanted)] ||
               std::any_of(tensor.flexibleReaders.begin(), tensor.flexibleReaders.end(),
                           [&](int reader) { return m_flexible.at(reader).chosen == wanted; });
    }

    /// Connected parts of the graph in which no Transpose is saved stay as they are.
    void keepUnimproved()
    {
        std::map<int, std::vector<std::size_t>> tensorsOf; // by flexible node
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            for (const int node : nodesOf(m_tensors[i])) {
                tensorsOf[node].push_back(i);
            }
        }
        std::vector<bool> isVisited(m_tensors.size(), false);
        for (std::size_t first = 0; first < m_tensors.size(); ++first) {
            if (isVisited[first]) {
                continue;
            }
            std::vector<std::size_t> group{first};
            isVisited[first] = true;
            std::int64_t saved = 0;
            for (std::size_t at = 0; at < group.size(); ++at) {
                const TwoLayouts& tensor = m_tensors[group[at]];
                saved += static_cast<std::int64_t>(tensor.transposes.size()) - (needsTranspose(tensor) ? 1 : 0);
                for (const int node : nodesOf(tensor)) {
                    for (const std::size_t next : std::exchange(tensorsOf[node], {})) {
                        if (!isVisited[next]) {
                            isVisited[next] = true;
                            group.push_back(next);
                        }
                    }
                }
            }
            for (const std::size_t at : group) {
                m_tensors[at].isChanged = saved > 0;
                for (const int node : nodesOf(m_tensors[at])) {
                    if (saved <= 0) {
                        m_flexible.at(node).chosen = m_flexible.at(node).layout;
                    }
                }
            }
        }
    }

    /// The flexible nodes whose layout matters to the tensor.
    std::vector<int> nodesOf(const TwoLayouts& tensor)
    {
        std::vector<int> nodes = tensor.flexibleReaders;
        if (hasFlexibleProducer(tensor)) {
            nodes.push_back(tensor.producer);
        }
        return nodes;
    }

    void rewrite()
    {
        for (auto& [index, node] : m_flexible) {
            if (node.chosen != node.layout) {
                permuteNode(m_edit, *m_graph.mutable_node(index), from(node.layout));
            }
        }
        for (TwoLayouts& tensor : m_tensors) {
            if (tensor.isChanged) {
                rewrite(tensor);
            }
        }
    }

    void rewrite(TwoLayouts& tensor)
    {
        const Layout layout = chosenLayout(tensor);
        const bool isTransposed = needsTranspose(tensor);
        if (tensor.transposes.empty() && !isTransposed && layout == layoutOfRoot(tensor)) {
            return;
        }
        nameLayouts(tensor);
        if (hasFlexibleProducer(tensor)) {
            auto& outputs = *m_graph.mutable_node(tensor.producer)->mutable_output();
            std::replace(outputs.begin(), outputs.end(), tensor.root, tensor.names[static_cast<std::size_t>(layout)]);
        }
        if (isTransposed) {
            insertTranspose(tensor, layout);
        }
        redirect(tensor);
        for (const int gone : tensor.transposes) {
            remove(gone, tensor, isTransposed);
        }
    }

    /// Names for the layouts that have none.
    void nameLayouts(TwoLayouts& tensor)
    {
        const Layout known = layoutOfRoot(tensor);
        auto& missing = tensor.names[static_cast<std::size_t>(other(known))];
        if (!missing.empty()) {
            return;
        }
        TensorType type = m_edit.typeOf(tensor.root);
        if (type.shape) {
            Shape moved;
            for (const std::int64_t axis : from(known)) {
                moved.push_back((*type.shape)[static_cast<std::size_t>(axis)]);
            }
            type.shape = moved;
        }
        missing = m_edit.newValue(tensor.root + "/transposed", type);
    }

    void insertTranspose(const TwoLayouts& tensor, Layout layout)
    {
        NodeProto node;
        const std::string& result = tensor.names[static_cast<std::size_t>(other(layout))];
        node.set_op_type("Transpose");
        if (!tensor.transposes.empty()) { // the names of values may be those of other nodes
            node.set_name(m_graph.node(tensor.transposes.front()).name());
        }
        node.add_input(tensor.names[static_cast<std::size_t>(layout)]);
        node.add_output(result);
        addInts(node, "perm", from(layout));
        std::vector<int> sources = tensor.transposes;
        if (sources.empty()) {
            sources.push_back(tensor.producer != noNode ? tensor.producer : tensor.reads.front().node);
        }
        m_edit.insert(tensor.producer + 1, std::move(node), sources);
    }

    /// Makes each reader use the tensor in its layout.
    void redirect(const TwoLayouts& tensor)
    {
        for (const Read& read : tensor.reads) {
            NodeProto& node = *m_graph.mutable_node(read.node);
            const auto value = m_tensorOf.find(node.input(read.input));
            if (value == m_tensorOf.end() || &m_tensors[value->second] != &tensor) {
                continue; // permuteNode replaced it
            }
            const Layout layout =
                isPermutedInput(read.node, read.input) ? m_flexible.at(read.node).chosen : read.layout;
            node.set_input(read.input, tensor.names[static_cast<std::size_t>(layout)]);
        }
    }

    /// Removes a Transpose. Its source nodes are recorded by the one that is left, or by a node next to it.
    void remove(int gone, const TwoLayouts& tensor, bool isRecorded)
    {
        std::vector<int> next;
        if (tensor.producer != noNode) {
            next.push_back(tensor.producer);
        }
        for (const Read& read : tensor.reads) {
            next.push_back(read.node);
        }
        isRecorded = isRecorded || next.empty() ||
                     std::any_of(next.begin(), next.end(), [&](int node) { return m_edit.hasSourcesOf(node, gone); });
        if (isRecorded) {
            m_edit.drop(gone);
        } else {
            m_edit.merge(gone, next.front());
        }
    }

    GraphEdit m_edit;
    ::onnx::GraphProto& m_graph;
    std::array<Permutation, 2> m_permutations;
    std::unordered_map<std::string, std::vector<Read>> m_reads; ///< by value
    std::set<int> m_wires;                                      ///< Transposes between the two layouts
    std::unordered_map<std::string, Layout> m_layouts;
    std::map<int, FlexibleNode> m_flexible;
    /// Nodes that cannot have the layout. They are visited once, not by each of their operands.
    std::set<std::pair<int, Layout>> m_inflexible;
    std::vector<TwoLayouts> m_tensors;
    std::unordered_set<std::string> m_flexibleOutputs; ///< outputs of flexible nodes that follow their layouts
    std::map<std::string, std::size_t> m_tensorOf;     ///< by value
};

/// The permutations of the graph's Transposes, each together with its inverse.
std::set<Permutation> permutationsIn(const RewrittenModel& model, const NodeNames& names)
{
    std::set<Permutation> found;
    const GraphEdit edit(model, names);
    for (const NodeProto& node : edit.graph().node()) {
        if (node.domain().empty() && node.op_type() == "Transpose") {
            const Permutation permutation = permutationOf(edit, node);
            if (!std::is_sorted(permutation.begin(), permutation.end())) {
                found.insert(std::min(permutation, inverse(permutation)));
            }
        }
    }
    return found;
}

} // namespace

void assignLayouts(RewrittenModel model, const NodeNames& names)
{
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (const Permutation& permutation : permutationsIn(model, names)) {
            isChanged = LayoutChoice(model, names, permutation).run() || isChanged;
        }
    }
}

} // namespace crosswalk
