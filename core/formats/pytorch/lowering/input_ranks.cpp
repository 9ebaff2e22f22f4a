#include "core/formats/pytorch/lowering/input_ranks.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <set>

namespace crosswalk::pytorch {
namespace {

struct RankRow {
    std::string_view op;
    std::string_view argument;
    std::size_t rank;
};

constexpr auto ranks = std::to_array<RankRow>({
    {"aten::conv1d", "input", 3},
    {"aten::conv2d", "input", 4},
    {"aten::conv3d", "input", 5},
    {"aten::conv_transpose1d", "input", 3},
    {"aten::conv_transpose2d", "input", 4},
    {"aten::conv_transpose3d", "input", 5},
    {"aten::max_pool1d", "self", 3},
    {"aten::max_pool2d", "self", 4},
    {"aten::max_pool3d", "self", 5},
    {"aten::avg_pool1d", "self", 3},
    {"aten::avg_pool2d", "self", 4},
    {"aten::avg_pool3d", "self", 5},
    {"aten::adaptive_avg_pool1d", "self", 3},
    {"aten::adaptive_avg_pool2d", "self", 4},
    {"aten::adaptive_avg_pool3d", "self", 5},
    {"aten::upsample_nearest1d", "input", 3},
    {"aten::upsample_nearest2d", "input", 4},
    {"aten::upsample_nearest3d", "input", 5},
    {"aten::upsample_linear1d", "input", 3},
    {"aten::upsample_bilinear2d", "input", 4},
    {"aten::upsample_bicubic2d", "input", 4},
    {"aten::upsample_trilinear3d", "input", 5},
    {"aten::pixel_shuffle", "self", 4},
    {"aten::lstm", "input", 3},
    {"aten::gru", "input", 3},
    {"aten::rnn_tanh", "input", 3},
    {"aten::rnn_relu", "input", 3},
    {"aten::mm", "self", 2},
    {"aten::mm", "mat2", 2},
    {"aten::addmm", "mat1", 2},
    {"aten::bmm", "self", 3},
    {"aten::bmm", "mat2", 3},
    {"aten::t", "self", 2},
});

/// Operators of one tensor whose result has the rank of their operand.
constexpr auto elementwise = std::to_array<std::string_view>(
    {"aten::relu",    "aten::to",     "aten::contiguous", "aten::clone",      "aten::alias", "aten::detach",
     "aten::sub",     "aten::div",    "aten::mul",        "aten::add",        "aten::tanh",  "aten::sigmoid",
     "aten::neg",     "aten::abs",    "aten::dropout",    "aten::batch_norm", "aten::pad",   "aten::constant_pad_nd",
     "aten::softmax", "aten::type_as"});

class RankSearch {
public:
    explicit RankSearch(const Graph& graph)
        : m_graph(graph)
        , m_consumers(graph)
    {
    }

    std::optional<std::size_t> rankOf(ValueId input) const
    {
        std::vector<ValueId> open{input};
        std::set<ValueId> seen{input};
        while (!open.empty()) {
            const ValueId value = open.back();
            open.pop_back();
            for (const NodeId id : m_consumers.of(value)) {
                const Node& node = m_graph.node(id);
                if (const auto rank = neededBy(node, value)) {
                    return rank;
                }
                const bool keeps = std::find(elementwise.begin(), elementwise.end(), node.op) != elementwise.end() &&
                                   (node.inputs.size() == 1 || node.op == "aten::batch_norm") &&
                                   node.inputs[0] == value && node.outputs.size() == 1;
                if (keeps && seen.insert(node.outputs[0]).second) {
                    open.push_back(node.outputs[0]);
                }
            }
        }
        return std::nullopt;
    }

private:
    std::optional<std::size_t> neededBy(const Node& node, ValueId value) const
    {
        const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
        for (std::size_t i = 0; names != nullptr && i < node.inputs.size() && i < names->size(); ++i) {
            if (node.inputs[i] != value) {
                continue;
            }
            const std::string& argument = (*names)[i];
            for (const RankRow& row : ranks) {
                if (row.op == node.op && row.argument == argument) {
                    return row.rank;
                }
            }
            if ((node.op == "aten::_convolution" || node.op == "aten::convolution") && argument == "input") {
                return weightRank(node, *names);
            }
            if (node.op == "aten::size" && argument == "self") {
                const auto* unpacked = attributeOf<std::int64_t>(node, unpackedRank);
                return unpacked != nullptr ? std::optional(static_cast<std::size_t>(*unpacked)) : std::nullopt;
            }
            if (node.op == "aten::permute" && argument == "self") {
                const auto* dims = attributeOf<std::vector<std::int64_t>>(node, "dims");
                return dims != nullptr ? std::optional(dims->size()) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    std::optional<std::size_t> weightRank(const Node& node, const std::vector<std::string>& names) const
    {
        for (std::size_t i = 0; i < node.inputs.size() && i < names.size(); ++i) {
            const auto& shape = m_graph.value(node.inputs[i]).type.shape;
            if (names[i] == "weight" && shape) {
                return shape->size();
            }
        }
        return std::nullopt;
    }

    const Graph& m_graph;
    Consumers m_consumers;
};

} // namespace

void inferInputRanks(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs)
{
    const RankSearch search(graph);
    for (const ValueId input : graph.inputs) {
        const auto found = inputs.find(graph.value(input).name);
        if (found == inputs.end() || found->second.shape) {
            continue;
        }
        if (const auto rank = search.rankOf(input)) {
            found->second.shape = Shape(*rank);
        }
    }
}

} // namespace crosswalk::pytorch
