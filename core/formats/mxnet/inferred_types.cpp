#include "core/formats/mxnet/inferred_types.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/family_lookup.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {
namespace {

/// All inputs and results have one type.
constexpr std::array<std::string_view, 21> ofOneType{
    "Concat",          "Convolution",  "Deconvolution", "FullyConnected",    "GroupNorm",
    "InstanceNorm",    "LayerNorm",    "LeakyReLU",     "_linalg_gemm",      "_linalg_gemm2",
    "_linalg_syrk",    "_linalg_trmm", "add_n",         "batch_dot",         "dot",
    "khatri_rao",      "stack",        "_npi_stack",    "_rnn_param_concat", "_npi_matmul",
    "_npi_concatenate"};

/// The first input and the results have one type; others are indices, lengths or statistics.
constexpr std::array<std::string_view, 37> ofTypeOfFirst{"Activation",
                                                         "BatchNorm",
                                                         "Flatten",
                                                         "L2Normalization",
                                                         "LRN",
                                                         "Pad",
                                                         "Pooling",
                                                         "Reshape",
                                                         "SequenceLast",
                                                         "SequenceMask",
                                                         "SequenceReverse",
                                                         "SliceChannel",
                                                         "SoftmaxActivation",
                                                         "SwapAxis",
                                                         "UpSampling",
                                                         "_split_v2",
                                                         "broadcast_axis",
                                                         "broadcast_like",
                                                         "broadcast_to",
                                                         "expand_dims",
                                                         "gather_nd",
                                                         "hard_sigmoid",
                                                         "max",
                                                         "mean",
                                                         "min",
                                                         "pick",
                                                         "prod",
                                                         "repeat",
                                                         "reverse",
                                                         "slice",
                                                         "slice_axis",
                                                         "slice_like",
                                                         "squeeze",
                                                         "sum",
                                                         "take",
                                                         "tile",
                                                         "transpose"};

constexpr std::array<std::string_view, 3> ofTypeOfFirstUnlessGiven{"log_softmax", "softmax", "softmin"};

/// The range of a node's inputs that have the type of its first result; empty if none has.
struct SameTyped {
    std::size_t first = 0;
    std::size_t end = 0;
};

/// numpy's arithmetic combines types, and its functions of integers are real.
SameTyped sameTyped(const Node& node, bool isNumpy)
{
    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    const std::string_view op = node.op;
    if (lists(ofOneType, op) || (lists(arithmeticOps(), op) && !isNumpy)) {
        return {0, all};
    }
    if (op == "RNN") { // the lengths may have another
        const bool isLstm = findAttribute(node.attributes, "mode").value_or("") == "lstm";
        return {0, isLstm ? std::size_t{4} : std::size_t{3}};
    }
    if (op == "where") {
        return {1, 3};
    }
    if (op == "Embedding") {
        return {1, 2};
    }
    const bool isGiven = findAttribute(node.attributes, "dtype").value_or("None") != "None";
    const bool follows = lists(ofTypeOfFirst, op) || (lists(ofTypeOfFirstUnlessGiven, op) && !isGiven) ||
                         ((lists(unaryOps(), op) || lists(scalarArithmeticOps(), op)) && !isNumpy);
    return follows ? SameTyped{0, 1} : SameTyped{};
}

/// The types of the values of a graph, as far as they follow from known ones.
class ValueTypes {
public:
    ValueTypes(const Graph& graph, const std::map<std::string, TensorType, std::less<>>& inputs)
        : m_graph(graph)
        , m_types(graph.valueCount(), ElementType::Undefined)
    {
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            const Value& value = graph.value(ValueId{i});
            const auto input = value.producer ? inputs.end() : inputs.find(value.name);
            const Tensor* stored = graph.tensorOf(ValueId{i});
            m_types[i] = input != inputs.end() ? input->second.element
                         : stored != nullptr   ? stored->type()
                                               : ElementType::Undefined;
        }
        const bool isNumpy = hasNumpyShapes(graph);
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            m_sameTyped.push_back(sameTyped(graph.node(NodeId{i}), isNumpy));
        }
    }

    void infer()
    {
        bool isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
                isChanged = equate(NodeId{i}) || isChanged;
            }
            for (auto i = static_cast<std::uint32_t>(m_graph.nodeCount()); i-- > 0;) {
                isChanged = equate(NodeId{i}) || isChanged;
            }
        }
    }

    ElementType of(ValueId value) const { return m_types[value.index]; }

private:
    bool equate(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const SameTyped same = m_sameTyped[id.index];
        const std::size_t end = std::min(same.end, node.inputs.size());
        if (same.first >= end) {
            return false;
        }
        std::vector<ValueId> values(node.inputs.begin() + static_cast<std::ptrdiff_t>(same.first),
                                    node.inputs.begin() + static_cast<std::ptrdiff_t>(end));
        values.insert(values.end(), node.outputs.begin(), node.outputs.end());
        std::erase_if(values, [](ValueId value) { return !value; });
        const auto known = std::find_if(values.begin(), values.end(),
                                        [&](ValueId value) { return of(value) != ElementType::Undefined; });
        bool isChanged = false;
        for (const ValueId value : known == values.end() ? std::vector<ValueId>() : values) {
            if (of(value) == ElementType::Undefined) {
                m_types[value.index] = of(*known);
                isChanged = true;
            }
        }
        return isChanged;
    }

    const Graph& m_graph;
    std::vector<ElementType> m_types;   ///< by value
    std::vector<SameTyped> m_sameTyped; ///< by node
};

} // namespace

void inferInputTypes(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs)
{
    ValueTypes types(graph, inputs);
    types.infer();
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        const Value& value = graph.value(ValueId{i});
        const auto input = value.producer ? inputs.end() : inputs.find(value.name);
        if (input != inputs.end()) {
            input->second.element = types.of(ValueId{i});
        }
    }
}

} // namespace crosswalk::mxnet
