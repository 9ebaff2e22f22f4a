#include "core/formats/pytorch/lowering/input_ranks.h"

#include "core/base/is_one_of.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace crosswalk::pytorch {
namespace {

using Rank = std::size_t;

struct RankRow {
    std::string_view op;
    std::string_view argument;
    Rank rank;
};

constexpr auto neededRanks = std::to_array<RankRow>({
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
    {"aten::gru_cell", "input", 2},
    {"aten::lstm_cell", "input", 2},
    {"aten::rnn_tanh_cell", "input", 2},
    {"aten::rnn_relu_cell", "input", 2},
});

/// Operators whose first result has the rank of their argument "self" or "input".
constexpr auto rankPreserving = std::to_array<std::string_view>({
    "aten::abs",
    "aten::adaptive_avg_pool1d",
    "aten::adaptive_avg_pool2d",
    "aten::adaptive_avg_pool3d",
    "aten::alias",
    "aten::avg_pool1d",
    "aten::avg_pool2d",
    "aten::avg_pool3d",
    "aten::batch_norm",
    "aten::celu",
    "aten::clamp",
    "aten::clamp_max",
    "aten::clamp_min",
    "aten::clone",
    "aten::constant_pad_nd",
    "aten::contiguous",
    "aten::conv1d",
    "aten::conv2d",
    "aten::conv3d",
    "aten::convolution",
    "aten::_convolution",
    "aten::conv_transpose1d",
    "aten::conv_transpose2d",
    "aten::conv_transpose3d",
    "aten::cos",
    "aten::cumsum",
    "aten::detach",
    "aten::dropout",
    "aten::elu",
    "aten::erf",
    "aten::exp",
    "aten::feature_dropout",
    "aten::flip",
    "aten::floor",
    "aten::gelu",
    "aten::glu",
    "aten::group_norm",
    "aten::hardsigmoid",
    "aten::hardswish",
    "aten::hardtanh",
    "aten::instance_norm",
    "aten::layer_norm",
    "aten::leaky_relu",
    "aten::linear",
    "aten::log",
    "aten::log_softmax",
    "aten::max_pool1d",
    "aten::max_pool2d",
    "aten::max_pool3d",
    "aten::mish",
    "aten::narrow",
    "aten::neg",
    "aten::pad",
    "aten::prelu",
    "aten::reciprocal",
    "aten::relu",
    "aten::relu6",
    "aten::rms_norm",
    "aten::roll",
    "aten::round",
    "aten::rsqrt",
    "aten::selu",
    "aten::sigmoid",
    "aten::silu",
    "aten::sin",
    "aten::slice",
    "aten::softmax",
    "aten::softplus",
    "aten::sqrt",
    "aten::tanh",
    "aten::to",
    "aten::transpose",
    "aten::tril",
    "aten::triu",
    "aten::type_as",
});

/// The same, of operators that a network of fully connected layers is not recognized by (isPerceptron).
constexpr auto otherRankPreserving = std::to_array<std::string_view>({
    "aten::acos",
    "aten::acosh",
    "aten::adaptive_max_pool1d",
    "aten::adaptive_max_pool2d",
    "aten::adaptive_max_pool3d",
    "aten::asin",
    "aten::asinh",
    "aten::atan",
    "aten::atanh",
    "aten::bitwise_not",
    "aten::ceil",
    "aten::channel_shuffle",
    "aten::cosh",
    "aten::cumprod",
    "aten::deg2rad",
    "aten::diff",
    "aten::digamma",
    "aten::empty_like",
    "aten::erfc",
    "aten::erfinv",
    "aten::exp2",
    "aten::expm1",
    "aten::fill",
    "aten::fliplr",
    "aten::flipud",
    "aten::frac",
    "aten::full_like",
    "aten::hardshrink",
    "aten::index_add",
    "aten::index_copy",
    "aten::index_fill",
    "aten::index_select",
    "aten::isfinite",
    "aten::isinf",
    "aten::isnan",
    "aten::lgamma",
    "aten::log10",
    "aten::log1p",
    "aten::log2",
    "aten::logcumsumexp",
    "aten::logical_not",
    "aten::logit",
    "aten::log_sigmoid",
    "aten::nan_to_num",
    "aten::ones_like",
    "aten::pixel_shuffle",
    "aten::pixel_unshuffle",
    "aten::positive",
    "aten::rad2deg",
    "aten::rand_like",
    "aten::randn_like",
    "aten::reflection_pad1d",
    "aten::reflection_pad2d",
    "aten::reflection_pad3d",
    "aten::replication_pad1d",
    "aten::replication_pad2d",
    "aten::replication_pad3d",
    "aten::rot90",
    "aten::scatter",
    "aten::scatter_add",
    "aten::scatter_reduce",
    "aten::sgn",
    "aten::sign",
    "aten::sinc",
    "aten::sinh",
    "aten::softshrink",
    "aten::square",
    "aten::tan",
    "aten::threshold",
    "aten::_to_copy",
    "aten::trunc",
    "aten::upsample_bicubic2d",
    "aten::_upsample_bicubic2d_aa",
    "aten::upsample_bilinear2d",
    "aten::_upsample_bilinear2d_aa",
    "aten::upsample_linear1d",
    "aten::upsample_nearest1d",
    "aten::upsample_nearest2d",
    "aten::upsample_nearest3d",
    "aten::_upsample_nearest_exact1d",
    "aten::_upsample_nearest_exact2d",
    "aten::_upsample_nearest_exact3d",
    "aten::upsample_trilinear3d",
    "aten::zeros_like",
});

/// Operators that compute one element from all those along dimensions.
constexpr auto reducing = std::to_array<std::string_view>({
    "aten::all",       "aten::amax",    "aten::amin",          "aten::any",
    "aten::argmax",    "aten::argmin",  "aten::count_nonzero", "aten::linalg_vector_norm",
    "aten::logsumexp", "aten::max",     "aten::mean",          "aten::median",
    "aten::min",       "aten::nanmean", "aten::nanmedian",     "aten::nansum",
    "aten::norm",      "aten::prod",    "aten::std",           "aten::std_mean",
    "aten::sum",       "aten::var",     "aten::var_mean",
});

/// Operators of operands that are broadcast.
constexpr auto broadcasting = std::to_array<std::string_view>({
    "aten::add",         "aten::addcdiv",      "aten::addcmul",     "aten::__and__",   "aten::atan2",
    "aten::bitwise_and", "aten::bitwise_or",   "aten::bitwise_xor", "aten::copysign",  "aten::div",
    "aten::eq",          "aten::floor_divide", "aten::fmax",        "aten::fmin",      "aten::fmod",
    "aten::ge",          "aten::gt",           "aten::heaviside",   "aten::hypot",     "aten::isclose",
    "aten::ldexp",       "aten::le",           "aten::lerp",        "aten::logaddexp", "aten::logaddexp2",
    "aten::logical_and", "aten::logical_or",   "aten::logical_xor", "aten::lt",        "aten::maximum",
    "aten::minimum",     "aten::mul",          "aten::ne",          "aten::__or__",    "aten::pow",
    "aten::remainder",   "aten::rsub",         "aten::sub",         "aten::where",     "aten::xlogy",
    "aten::__xor__",
});

/// Operators whose argument of this name lists the sizes of the result.
constexpr auto sized = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"aten::broadcast_to", "size"},
    {"aten::empty", "size"},
    {"aten::expand", "size"},
    {"aten::full", "size"},
    {"aten::new_empty", "size"},
    {"aten::new_full", "size"},
    {"aten::new_ones", "size"},
    {"aten::new_zeros", "size"},
    {"aten::ones", "size"},
    {"aten::rand", "size"},
    {"aten::randint", "size"},
    {"aten::randn", "size"},
    {"aten::repeat", "repeats"},
    {"aten::reshape", "shape"},
    {"aten::view", "size"},
    {"aten::zeros", "size"},
});

/// Operators that name a dimension, which the tensor must have, by the attribute.
constexpr auto indexing = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"aten::size", "dim"},
    {"aten::select", "dim"},
    {"aten::slice", "dim"},
    {"aten::narrow", "dim"},
    {"aten::softmax", "dim"},
    {"aten::log_softmax", "dim"},
    {"aten::split", "dim"},
    {"aten::chunk", "dim"},
    {"aten::unbind", "dim"},
    {"aten::topk", "dim"},
    {"aten::cumsum", "dim"},
    {"aten::transpose", "dim0"},
    {"aten::transpose", "dim1"},
});

constexpr Rank mostDims = 64;

/// A number computed from sizes of one tensor: the product of sizes of these dimensions and of a factor, divided by a
/// divisor and rounded down.
struct SizeProduct {
    ValueId tensor = {}; ///< absent: a number without sizes
    std::vector<std::int64_t> dims = {};
    std::int64_t factor = 1;
    std::int64_t divisor = 1;
};

std::optional<ValueId> argument(const Node& node, std::string_view name)
{
    const auto input = inputNamed(node, name);
    return input ? std::optional(node.inputs[*input]) : std::nullopt;
}

/// Reads numbers as products of sizes.
class SizeProducts {
public:
    explicit SizeProducts(const Graph& graph)
        : m_graph(graph)
    {
    }

    /// The elements of a list of sizes, each of which is a number of the list or computed; nothing if one of them is
    /// not such a product.
    std::optional<std::vector<SizeProduct>> elements(const Node& node, std::string_view list) const
    {
        const auto* numbers = attributeOf<Ints>(node, list);
        if (numbers == nullptr) {
            return std::nullopt;
        }
        std::vector<SizeProduct> found;
        for (std::size_t i = 0; i < numbers->size(); ++i) {
            const auto computed = argument(node, fmt::format("{}[{}]", list, i));
            const auto product = computed ? of(*computed, 0) : std::optional(SizeProduct{.factor = (*numbers)[i]});
            if (!product) {
                return std::nullopt;
            }
            found.push_back(*product);
        }
        return found;
    }

private:
    static constexpr int deepest = 16;                             ///< nested operations
    static constexpr std::int64_t largest = std::int64_t{1} << 31; ///< factor

    std::optional<SizeProduct> of(ValueId value, int depth) const
    {
        const NodeId producer = value ? m_graph.value(value).producer : NodeId{};
        if (!producer || depth > deepest) {
            return std::nullopt;
        }
        const Node& node = m_graph.node(producer);
        if (node.op == "aten::size") {
            const auto* dim = attributeOf<std::int64_t>(node, "dim");
            const auto self = argument(node, "self");
            return dim != nullptr && self ? std::optional(SizeProduct{.tensor = *self, .dims = {*dim}}) : std::nullopt;
        }
        if (node.op == "aten::Int" && node.inputs.size() == 1) {
            return of(node.inputs[0], depth + 1);
        }
        if (node.op != "aten::mul" && node.op != "aten::floordiv" && node.op != "aten::floor_divide") {
            return std::nullopt;
        }
        auto left = operand(node, {"a", "self"}, depth);
        const auto right = operand(node, {"b", "other"}, depth);
        if (!left || !right) {
            return std::nullopt;
        }
        if (node.op != "aten::mul") {
            const bool isNumber = !right->tensor && right->divisor == 1 && right->factor > 0;
            if (!isNumber || left->divisor > largest / right->factor) {
                return std::nullopt;
            }
            left->divisor *= right->factor;
            return left;
        }
        const bool isOfOne = !left->tensor || !right->tensor || left->tensor == right->tensor;
        if (!isOfOne || left->divisor != 1 || right->divisor != 1 || left->factor < 0 || right->factor < 1 ||
            left->factor > largest / right->factor) {
            return std::nullopt; // a rounded number
        }
        left->tensor = left->tensor ? left->tensor : right->tensor;
        left->dims.insert(left->dims.end(), right->dims.begin(), right->dims.end());
        left->factor *= right->factor;
        return left;
    }

    std::optional<SizeProduct> operand(const Node& node, std::initializer_list<std::string_view> names, int depth) const
    {
        for (const std::string_view name : names) {
            if (const auto* number = attributeOf<std::int64_t>(node, name)) {
                return SizeProduct{.factor = *number};
            }
            const auto value = argument(node, name);
            const Tensor* stored = value ? m_graph.tensorOf(*value) : nullptr;
            if (stored != nullptr) {
                return stored->elements() == 1 && isInteger(stored->type())
                           ? std::optional(SizeProduct{.factor = stored->toInts().front()})
                           : std::nullopt;
            }
            if (value) {
                return of(*value, depth + 1);
            }
        }
        return std::nullopt;
    }

    const Graph& m_graph;
};

/// The tensor whose dimensions 0, 1, ... the factors of the sizes are, each once, and their number; nothing if the
/// sizes have other factors.
std::optional<std::pair<ValueId, Rank>> productOfAll(const std::vector<SizeProduct>& sizes)
{
    SizeProduct all;
    for (const SizeProduct& size : sizes) {
        if ((size.tensor && all.tensor && size.tensor != all.tensor) || size.factor < 1 ||
            size.factor > std::numeric_limits<std::int32_t>::max() / all.factor ||
            size.divisor > std::numeric_limits<std::int32_t>::max() / all.divisor) {
            return std::nullopt;
        }
        all.tensor = size.tensor ? size.tensor : all.tensor;
        all.dims.insert(all.dims.end(), size.dims.begin(), size.dims.end());
        all.factor *= size.factor;
        all.divisor *= size.divisor;
    }
    std::ranges::sort(all.dims);
    for (std::size_t i = 0; i < all.dims.size(); ++i) {
        if (all.dims[i] != static_cast<std::int64_t>(i)) {
            return std::nullopt;
        }
    }
    return all.tensor && all.factor == all.divisor ? std::optional(std::pair(all.tensor, all.dims.size()))
                                                   : std::nullopt;
}

/// The possible numbers of dimensions of a value.
struct RankRange {
    Rank least = 0;
    Rank most = mostDims;

    std::optional<Rank> fixed() const { return least == most ? std::optional(least) : std::nullopt; }
};

/// Ranks that follow from the operators of a graph and of its bodies, forwards and backwards: each operator narrows the
/// ranges of its operands and results until nothing changes.
class RankSearch {
public:
    /// `assumes`: sums of a tensor and of what is computed from it do not broadcast, and a tensor with the sizes of
    /// three or more dimensions of another one has all of its dimensions.
    RankSearch(const Graph& graph, const std::map<std::string, TensorType, std::less<>>& inputs, bool assumes = false)
        : m_assumes(assumes)
    {
        add(graph);
        for (const ValueId input : graph.inputs) {
            const auto found = inputs.find(graph.value(input).name);
            if (found != inputs.end() && found->second.shape) {
                fix({&graph, input}, found->second.shape->size());
            }
        }
        // What follows against the order of the nodes is known only after another pass.
        constexpr int mostPasses = 16;
        m_isChanged = true;
        for (int pass = 0; pass < mostPasses && m_isChanged; ++pass) {
            m_isChanged = false;
            for (const Graph* part : m_graphs) {
                for (const Node& node : part->nodes()) {
                    relate(*part, node);
                }
            }
            for (auto part = m_graphs.rbegin(); part != m_graphs.rend(); ++part) {
                for (auto node = (*part)->nodes().rbegin(); node != (*part)->nodes().rend(); ++node) {
                    relate(**part, *node);
                }
            }
        }
    }

    std::optional<Rank> of(const Graph& graph, ValueId value) { return range({&graph, value}).fixed(); }
    /// Whether no operator contradicts another one.
    bool agree() const { return m_agree; }

private:
    struct Place {
        const Graph* graph;
        ValueId value;
    };

    void add(const Graph& graph)
    {
        const auto [entry, isNew] = m_offsets.emplace(&graph, m_ranges.size());
        if (!isNew) {
            return;
        }
        m_graphs.push_back(&graph);
        for (const Value& value : graph.values()) {
            const auto& shape = value.type.shape;
            m_ranges.push_back(shape ? RankRange{shape->size(), shape->size()} : RankRange{});
        }
        for (const auto& body : graph.subgraphs) {
            add(*body);
        }
    }

    RankRange& range(Place place) { return m_ranges.at(m_offsets.at(place.graph) + place.value.index); }

    /// A contradiction, such as a sample without its batch axis, leaves the range as it was.
    void narrow(Place place, Rank least, Rank most)
    {
        RankRange& known = range(place);
        const RankRange both{std::max(known.least, least), std::min(known.most, most)};
        if (both.least > both.most) {
            m_agree = false;
        } else if (both.least != known.least || both.most != known.most) {
            known = both;
            m_isChanged = true;
        }
    }

    void fix(Place place, Rank rank) { narrow(place, rank, rank); }

    /// b has `more` dimensions more than a.
    void relateBy(Place a, Place b, Rank more)
    {
        const RankRange first = range(a);
        narrow(b, first.least + more, first.most + more);
        const RankRange second = range(b);
        narrow(a, second.least >= more ? second.least - more : 0, second.most >= more ? second.most - more : 0);
    }

    void relate(const Graph& graph, const Node& node)
    {
        if (node.op == "prim::If" || node.op == "prim::Loop") {
            relateBodies(graph, node);
            return;
        }
        for (const RankRow& row : neededRanks) {
            if (row.op == node.op) {
                if (const auto value = argument(node, row.argument)) {
                    fix({&graph, *value}, row.rank);
                }
            }
        }
        const auto self = argument(node, "self") ? argument(node, "self") : argument(node, "input");
        if (self) {
            relateSelf(graph, node, *self);
        }
        if (!node.outputs.empty()) {
            relateResult(graph, node, self);
        }
    }

    void relateSelf(const Graph& graph, const Node& node, ValueId self)
    {
        const Place x{&graph, self};
        for (const auto& [op, attribute] : indexing) {
            const auto* dim = node.op == op ? attributeOf<std::int64_t>(node, attribute) : nullptr;
            const auto* unpacked = attributeOf<std::int64_t>(node, unpackedRank);
            if (dim != nullptr && *dim >= -static_cast<std::int64_t>(mostDims) &&
                *dim < static_cast<std::int64_t>(mostDims) && unpacked == nullptr) {
                narrow(x, static_cast<Rank>(*dim < 0 ? -*dim : *dim + 1), mostDims);
            }
        }
        if (node.op == "aten::size") {
            if (const auto* unpacked = attributeOf<std::int64_t>(node, unpackedRank)) {
                fix(x, static_cast<Rank>(*unpacked));
            }
        } else if (node.op == "aten::layer_norm") {
            if (const auto* shape = attributeOf<Ints>(node, "normalized_shape")) {
                narrow(x, shape->size(), mostDims);
            }
        } else if (node.op == "aten::_convolution" || node.op == "aten::convolution") {
            if (const auto weight = argument(node, "weight")) {
                relateBy({&graph, *weight}, x, 0);
            }
        }
    }

    void relateResult(const Graph& graph, const Node& node, std::optional<ValueId> self)
    {
        const Place result{&graph, node.outputs[0]};
        if (isOneOf(node.op, broadcasting)) {
            relateBroadcast(graph, node, result);
        } else if (node.op == "aten::embedding") {
            if (const auto indices = argument(node, "indices")) {
                relateBy({&graph, *indices}, result, 1);
            }
        } else if (node.op == "aten::cat" || node.op == "aten::stack") {
            const auto isList = [&](ValueId part) { return range({&graph, part}).fixed() == Rank(1); };
            const bool hasOthers = !std::ranges::all_of(node.inputs, isList);
            for (const ValueId part : node.inputs) {
                if (node.op == "aten::stack") {
                    relateBy({&graph, part}, result, 1);
                } else if (!hasOthers || !isList(part)) { // it may be empty, and is left out then
                    relateBy({&graph, part}, result, 0);
                }
            }
        } else if (node.op == "aten::gather") {
            for (const ValueId part : node.inputs) {
                relateBy({&graph, part}, result, 0);
            }
        } else if (self) {
            const Place x{&graph, *self};
            if (node.op == "aten::topk" || node.op == "aten::sort") { // values and indices
                for (const ValueId output : node.outputs) {
                    relateBy(x, {&graph, output}, 0);
                }
            } else if (node.op == "aten::expand") { // adds dimensions
                narrow(x, 0, range(result).most);
                narrow(result, range(x).least, mostDims);
            } else if (keepsRank(node.op)) {
                if (!argument(node, "min") && !argument(node, "max")) { // aten::clamp broadcasts tensors
                    relateBy(x, result, 0);
                }
            } else if (node.op == "aten::permute") {
                if (const auto* dims = attributeOf<Ints>(node, "dims")) {
                    fix(x, dims->size());
                    fix(result, dims->size());
                }
            } else if (reducesAxes(node.op)) {
                relateReduction(node, x, result);
            } else if (node.op == "aten::unsqueeze") {
                relateBy(x, result, 1);
            } else if (node.op == "aten::select") {
                relateBy(result, x, 1);
            } else if (node.op == "aten::matmul") {
                relateProduct(graph, node, result);
            }
        }
        if (const std::string_view name = sizesArgument(node.op); !name.empty()) {
            if (const auto* sizes = attributeOf<Ints>(node, name)) {
                fix(result, sizes->size());
            }
            if (self && (node.op == "aten::view" || node.op == "aten::reshape")) {
                relateReshape(graph, node, name, *self);
            }
        }
    }

    /// A tensor has no more elements than the product of the sizes that it is reshaped to.
    void relateReshape(const Graph& graph, const Node& node, std::string_view list, ValueId self)
    {
        const auto sizes = SizeProducts(graph).elements(node, list);
        const auto whole = sizes ? productOfAll(*sizes) : std::nullopt;
        if (!whole) {
            return;
        }
        bool isInOrder = whole->second >= 3 && whole->second == sizes->size();
        for (std::size_t i = 0; isInOrder && i < sizes->size(); ++i) {
            isInOrder = (*sizes)[i].dims == std::vector{static_cast<std::int64_t>(i)};
        }
        if (whole->first == self || (m_assumes && isInOrder)) {
            fix({&graph, whole->first}, whole->second);
        }
    }

    /// A reduction along given dimensions keeps them or drops them.
    void relateReduction(const Node& node, Place x, Place result)
    {
        const auto* keeps = attributeOf<bool>(node, "keepdim");
        const auto* dims = attributeOf<Ints>(node, "dim");
        const bool isOne = attributeOf<std::int64_t>(node, "dim") != nullptr;
        const std::size_t count = dims != nullptr ? dims->size() : isOne ? 1 : 0;
        if (keeps != nullptr && *keeps) {
            relateBy(x, result, 0);
        } else if (count > 0) {
            relateBy(result, x, count);
        }
    }

    void relateBroadcast(const Graph& graph, const Node& node, Place result)
    {
        const auto* numbers = attributeOf<std::vector<std::string>>(node, computedNumbers);
        const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
        std::vector<Place> tensors;
        for (std::size_t i = 0; names != nullptr && i < node.inputs.size() && i < names->size(); ++i) {
            if (numbers == nullptr || std::ranges::find(*numbers, (*names)[i]) == numbers->end()) {
                tensors.push_back({&graph, node.inputs[i]});
            }
        }
        if (tensors.empty()) {
            return;
        }
        const bool isOpen = tensors.size() == 2 && !(range(tensors[0]).fixed() && range(tensors[1]).fixed());
        if (m_assumes && isOpen &&
            (dependsOn(graph, tensors[0].value, tensors[1].value) ||
             dependsOn(graph, tensors[1].value, tensors[0].value))) {
            relateBy(tensors[0], tensors[1], 0);
            relateBy(tensors[0], result, 0);
        }
        RankRange largest{0, 0};
        std::size_t canBeLargest = 0;
        for (const Place& tensor : tensors) {
            narrow(tensor, 0, range(result).most);
            largest.least = std::max(largest.least, range(tensor).least);
            largest.most = std::max(largest.most, range(tensor).most);
            canBeLargest += range(tensor).most >= range(result).least ? 1 : 0;
        }
        narrow(result, largest.least, largest.most);
        for (const Place& tensor : tensors) { // one operand has the rank of the result
            if (canBeLargest == 1 && range(tensor).most >= range(result).least) {
                narrow(tensor, range(result).least, mostDims);
            }
        }
    }

    /// Whether a value is computed from another one of the same graph, by not too many nodes.
    static bool dependsOn(const Graph& graph, ValueId value, ValueId other)
    {
        constexpr std::size_t mostValues = 4096;
        std::set<ValueId> seen{value};
        ValueIds open{value};
        while (!open.empty() && seen.size() < mostValues) {
            const ValueId next = open.back();
            open.pop_back();
            if (next == other) {
                return true;
            }
            if (const NodeId producer = graph.value(next).producer) {
                for (const ValueId input : graph.node(producer).inputs) {
                    if (input && seen.insert(input).second) {
                        open.push_back(input);
                    }
                }
            }
        }
        return false;
    }

    /// A product with a matrix keeps the rank of the other operand.
    void relateProduct(const Graph& graph, const Node& node, Place result)
    {
        const auto a = argument(node, "self");
        const auto b = argument(node, "other");
        if (a && b && range({&graph, *b}).fixed() == Rank(2)) {
            relateBy({&graph, *a}, result, 0);
        }
    }

    void relateBodies(const Graph& graph, const Node& node)
    {
        const auto bodyOf = [&](std::string_view name) -> const Graph* {
            const auto* id = attributeOf<SubgraphId>(node, name);
            return id != nullptr && id->index < graph.subgraphs.size() ? &graph.subgraph(*id) : nullptr;
        };
        if (const Graph* body = bodyOf("body")) { // what is carried may change its rank
            const auto* carried = attributeOf<std::int64_t>(node, "carried");
            const auto first = static_cast<std::size_t>(carried != nullptr && *carried > 0 ? *carried : 0) + 1;
            for (std::size_t i = first; i < std::min(node.inputs.size(), body->inputs.size()); ++i) {
                relateBy({&graph, node.inputs[i]}, {body, body->inputs[i]}, 0);
            }
            return;
        }
        const Graph* branches[]{bodyOf("then_branch"), bodyOf("else_branch")};
        if (branches[0] == nullptr || branches[1] == nullptr) {
            return;
        }
        const auto* count = attributeOf<std::int64_t>(node, "then_branch_inputs");
        const auto border = static_cast<std::size_t>(count != nullptr && *count > 0 ? *count : 0);
        std::map<ValueId, std::vector<Place>> readers; // a value in the branches that read it
        for (std::size_t i = 0; 1 + i < node.inputs.size(); ++i) {
            const Graph& branch = *branches[i < border ? 0 : 1];
            const std::size_t inner = i < border ? i : i - border;
            if (inner < branch.inputs.size()) {
                readers[node.inputs[1 + i]].push_back({&branch, branch.inputs[inner]});
            }
        }
        for (const auto& [value, inner] : readers) { // the branches may be for different ranks
            const RankRange known = range({&graph, value});
            RankRange needed{mostDims, 0};
            for (const Place& place : inner) {
                narrow(place, known.least, known.most);
                const RankRange own = range(place);
                if (own.least > known.least || own.most < known.most) { // else the branch accepts any
                    needed = {std::min(needed.least, own.least), std::max(needed.most, own.most)};
                }
            }
            if (needed.least <= needed.most) {
                narrow({&graph, value}, needed.least, needed.most);
            }
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) { // the results of the two may have different ranks
            if (i < branches[0]->outputs.size() && i < branches[1]->outputs.size()) {
                const RankRange first = range({branches[0], branches[0]->outputs[i]});
                const RankRange second = range({branches[1], branches[1]->outputs[i]});
                narrow({&graph, node.outputs[i]}, std::min(first.least, second.least),
                       std::max(first.most, second.most));
            }
        }
    }

    std::map<const Graph*, std::size_t> m_offsets; ///< of the values in m_ranges
    std::vector<const Graph*> m_graphs;
    std::vector<RankRange> m_ranges;
    bool m_assumes = false;
    bool m_isChanged = false;
    bool m_agree = true;
};

/// Whether a network consists of fully connected layers and functions of single elements: its inputs are batches of
/// vectors.
bool isPerceptron(const Graph& graph)
{
    constexpr auto others = std::to_array<std::string_view>({"aten::add", "aten::sub", "aten::mul", "aten::div"});
    bool hasLayer = false;
    for (const Node& node : graph.nodes()) {
        hasLayer = hasLayer || node.op == "aten::linear";
        if (!isOneOf(node.op, rankPreserving) && !isOneOf(node.op, others)) {
            return false;
        }
    }
    return hasLayer;
}

} // namespace

void inferInputRanks(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs)
{
    for (const bool assumes : {false, true}) {
        const bool isKnown =
            std::ranges::all_of(inputs, [](const auto& input) { return input.second.shape.has_value(); });
        if (isKnown) {
            return;
        }
        RankSearch search(graph, inputs, assumes);
        for (const ValueId input : graph.inputs) {
            const auto found = inputs.find(graph.value(input).name);
            const auto rank = search.of(graph, input);
            if (rank && found != inputs.end() && !found->second.shape) {
                found->second.shape = Shape(*rank);
            }
        }
    }
    for (auto& [name, type] : inputs) {
        if (!type.shape && isPerceptron(graph)) {
            type.shape = Shape(2);
        }
    }
}

bool reducesAxes(std::string_view op)
{
    return isOneOf(op, reducing);
}

std::string_view sizesArgument(std::string_view op)
{
    const auto row = std::ranges::find(sized, op, [](const auto& each) { return each.first; });
    return row != sized.end() ? row->second : std::string_view();
}

bool broadcastsRanks(std::string_view op)
{
    return isOneOf(op, broadcasting);
}

bool keepsRank(std::string_view op)
{
    static const auto names = [] { // searched for each node, several times
        std::unordered_set<std::string_view> all(rankPreserving.begin(), rankPreserving.end());
        all.insert(otherRankPreserving.begin(), otherRankPreserving.end());
        return all;
    }();
    return names.contains(op);
}

bool ranksAgree(const Graph& graph)
{
    return RankSearch(graph, {}).agree();
}

} // namespace crosswalk::pytorch
