#include "core/formats/tensorflow/lowering/block_lstm_states.h"

#include "core/formats/tensorflow/lowering/recurrent_layer_node.h"
#include "core/formats/tensorflow/lowering/sequence_masks.h"
#include "core/formats/tensorflow/lowering/small_integers.h"
#include "core/formats/tensorflow/lowering/step_matcher.h"
#include "core/formats/tensorflow/node_attributes.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

enum Input : std::uint8_t { SeqLenMax, X, CsPrev, HPrev, W, Wci, Wcf, Wco, B };
enum Output : std::uint8_t { Cs = 1, H = 6 };

class BlockLstm {
public:
    BlockLstm(GraphRewriter& graph, NodeId id)
        : m_graph(graph)
        , m_id(id)
        , m_node(graph.graph().node(id))
        , m_matcher(graph.graph())
    {
    }

    void fuse()
    {
        const auto weights = weightsOf();
        if (!weights || !takeReaders()) {
            return;
        }
        RecurrentLayerNode layer{.weights = *weights, .sequence = m_node.inputs[X], .lengths = m_lengths};
        layer.h.value = m_matcher.isZero(m_node.inputs[HPrev]) ? ValueId{} : m_node.inputs[HPrev];
        layer.c.value = m_matcher.isZero(m_node.inputs[CsPrev]) ? ValueId{} : m_node.inputs[CsPrev];
        const auto made = addRecurrentLayer(m_graph, layer, m_node.name);
        m_graph.addOrigins(made[0], std::array{m_id});
        for (std::size_t i = 0; i < m_replaced.size(); ++i) {
            for (const ValueId value : m_replaced[i]) {
                m_graph.replace(value, made[i]);
            }
        }
        if (!m_lengths) {
            m_graph.replace(m_node.outputs[H], made[0]);
        }
    }

private:
    std::optional<StepWeights> weightsOf() const
    {
        const bool isOlder = m_node.op == "BlockLSTM";
        const Tensor* matrix = m_matcher.stored(m_node.inputs[W]);
        const Tensor* bias = m_matcher.stored(m_node.inputs[B]);
        if (matrix == nullptr || bias == nullptr || matrix->rank() != 2 || matrix->dims()[1] % 4 != 0 ||
            bias->rank() != 1 || settingOf<double>(m_node, "cell_clip", 0) > 0) {
            return std::nullopt;
        }
        const std::int64_t columns = matrix->dims()[1];
        StepWeights weights{.kind = "lstm", .gateOrder = isOlder ? "icfo" : "ifco", .hidden = columns / 4};
        const std::int64_t features = matrix->dims()[0] - weights.hidden;
        if (features < 1 || bias->elements() != columns) {
            return std::nullopt;
        }
        weights.input = {matrix->range(0, {features, columns})};
        weights.recurrent = {matrix->range(features * columns, {weights.hidden, columns})};
        weights.bias = {*bias};
        weights.forgetBias = isOlder ? settingOf<double>(m_node, "forget_bias", 1) : 0;
        weights.activations = {{"Sigmoid"}, {"Tanh"}, {"Tanh"}};
        for (const Input input : {Wci, Wco, Wcf}) {
            const Tensor* peephole = m_matcher.stored(m_node.inputs[input]);
            if (!settingOf<bool>(m_node, "use_peephole", false)) {
                break;
            }
            if (peephole == nullptr || peephole->elements() != weights.hidden) {
                return std::nullopt;
            }
            weights.peepholes.push_back(peephole->reshaped({weights.hidden}));
        }
        return weights;
    }

    ValueIds readersOf(ValueId value) const
    {
        ValueIds found;
        for (std::uint32_t i = 0; value && i < m_graph.sourceNodes(); ++i) {
            const Node& node = m_graph.graph().node(NodeId{i});
            const bool reads = std::find(node.inputs.begin(), node.inputs.end(), value) != node.inputs.end();
            if (reads && node.op != "Shape") {
                found.push_back(node.outputs.empty() ? ValueId{} : node.outputs[0]);
            }
        }
        const auto& outputs = m_graph.graph().outputs;
        if (std::find(outputs.begin(), outputs.end(), value) != outputs.end()) {
            found.push_back(value);
        }
        return found;
    }

    /// Decides which values the sequence, the last h and the last c replace.
    bool takeReaders()
    {
        for (std::size_t i = 0; i < m_node.outputs.size(); ++i) {
            if (i != Cs && i != H && !readersOf(m_node.outputs[i]).empty()) {
                return false;
            }
        }
        const auto cells = readersOf(m_node.outputs[Cs]);
        const bool cellsAreLast =
            std::all_of(cells.begin(), cells.end(), [&](ValueId reader) { return takeLast(reader, Cs, 2); });
        if (!cellsAreLast || cells.empty()) { // without cell states, BlockLSTM itself is an LSTM
            return false;
        }
        const auto rows = readersOf(m_node.outputs[H]);
        const bool rowsAreTaken = std::all_of(rows.begin(), rows.end(), [&](ValueId reader) {
            return m_lengths ? takeMasked(reader) : takeLast(reader, H, 1) || runsToEnd();
        });
        if (!rowsAreTaken) {
            return false;
        }
        const Node* longest = m_lengths ? m_matcher.node(withoutCast(m_node.inputs[SeqLenMax]), "Max") : nullptr;
        return m_lengths ? runsToEnd() || (longest != nullptr && longest->inputs[0] == m_lengths) : runsToEnd();
    }

    ValueId withoutCast(ValueId value) const
    {
        const Node* cast = m_matcher.node(value, "Cast");
        return cast != nullptr ? cast->inputs[0] : value;
    }

    bool runsToEnd() const
    {
        const auto steps = asDimension(m_graph.graph(), withoutCast(m_node.inputs[SeqLenMax]));
        return steps && isSame(*steps, dimensionOf(m_graph.graph(), m_node.inputs[X], 0));
    }

    /// The last row of an output, or the rows at the lengths of the samples.
    bool takeLast(ValueId reader, Output output, std::size_t result)
    {
        const Node* slice = m_matcher.node(reader, "StridedSlice");
        if (slice != nullptr && slice->inputs.size() == 4 && slice->inputs[0] == m_node.outputs[output] &&
            m_matcher.integer(slice->inputs[1]) == -1 && intOf(*slice, "shrink_axis_mask", 0) == 1 &&
            intOf(*slice, "begin_mask", 0) == 0 && !m_lengths) {
            m_replaced[result].push_back(reader);
            return true;
        }
        return takeGathered(reader, m_node.outputs[output], m_node.inputs[output == Cs ? CsPrev : HPrev], result);
    }

    /// Elements [length of the sample, sample] of the initial state followed by `rows`.
    bool takeGathered(ValueId joined, ValueId rows, ValueId initial, std::size_t result)
    {
        const Node* concat = m_matcher.node(joined, "ConcatV2");
        if (concat == nullptr || concat->inputs.size() != 3 || concat->inputs[1] != rows ||
            m_matcher.integer(concat->inputs[2]) != 0) {
            return false;
        }
        const Node* first = m_matcher.node(concat->inputs[0], "ExpandDims");
        if (first == nullptr || first->inputs[0] != initial || m_matcher.integer(first->inputs[1]) != 0) {
            return false;
        }
        const auto readers = readersOf(joined);
        return std::all_of(readers.begin(), readers.end(),
                           [&](ValueId reader) { return takeElements(reader, joined, result); });
    }

    bool takeElements(ValueId gathered, ValueId joined, std::size_t result)
    {
        const Node* gather = m_matcher.node(gathered, "GatherNd");
        const Node* indices =
            gather != nullptr && gather->inputs[0] == joined ? m_matcher.node(gather->inputs[1], "Pack") : nullptr;
        if (indices == nullptr || indices->inputs.size() != 2 || !countsSamples(*indices) ||
            (m_lengths && m_lengths != indices->inputs[0])) {
            return false;
        }
        m_lengths = indices->inputs[0];
        m_replaced[result].push_back(gathered);
        return true;
    }

    /// Whether indices are [length, 0], [length, 1]...
    bool countsSamples(const Node& indices) const
    {
        const Node* samples = m_matcher.node(indices.inputs[1], "Range");
        const std::int64_t axis = intOf(indices, "axis", 0);
        return samples != nullptr && samples->inputs.size() == 3 && m_matcher.integer(samples->inputs[0]) == 0 &&
               m_matcher.integer(samples->inputs[2]) == 1 && (axis == 1 || axis == -1);
    }

    /// The output, set to zero past the end of each sample.
    bool takeMasked(ValueId masked)
    {
        for (const auto& [output, mask] : m_matcher.products(masked)) {
            const Node* tile = m_matcher.node(mask, "Tile");
            const Node* column = m_matcher.node(tile != nullptr ? tile->inputs[0] : mask, "ExpandDims");
            const auto axis = column != nullptr ? m_matcher.integer(column->inputs[1]) : std::nullopt;
            const auto lengths = axis == 2 || axis == -1 ? lengthsOfMask(m_matcher, column->inputs[0]) : std::nullopt;
            if (output != m_node.outputs[H] || !lengths || lengths->lengths != m_lengths) {
                continue;
            }
            m_replaced[0].push_back(masked);
            for (const ValueId reader : readersOf(masked)) {
                takeGathered(reader, masked, m_node.inputs[HPrev], 1); // other readers read the sequence
            }
            return true;
        }
        return false;
    }

    GraphRewriter& m_graph;
    NodeId m_id;
    const Node m_node;
    StepMatcher m_matcher;
    ValueId m_lengths;
    std::array<ValueIds, 3> m_replaced; ///< by the sequence, the last h and the last c
};

} // namespace

void fuseBlockLstms(GraphRewriter& graph)
{
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if ((node.op == "BlockLSTM" || node.op == "BlockLSTMV2") && node.inputs.size() == 9 &&
            node.outputs.size() == 7) {
            BlockLstm(graph, NodeId{i}).fuse();
        }
    }
}

} // namespace crosswalk::tensorflow
