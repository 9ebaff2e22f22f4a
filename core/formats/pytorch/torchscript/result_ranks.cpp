#include "core/base/is_one_of.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/torchscript/interpreter.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace crosswalk::pytorch {
namespace {

using Rank = std::size_t;

struct FixedRank {
    std::string_view op;
    Rank rank;
};

constexpr auto fixedRanks = std::to_array<FixedRank>({
    {"aten::_shape_as_tensor", 1},
    {"aten::_unique", 1},
    {"aten::_unique2", 1},
    {"aten::addmm", 2},
    {"aten::addmv", 1},
    {"aten::arange", 1},
    {"aten::argwhere", 2},
    {"aten::baddbmm", 3},
    {"aten::bincount", 1},
    {"aten::bmm", 3},
    {"aten::dot", 0},
    {"aten::eye", 2},
    {"aten::ger", 2},
    {"aten::linspace", 1},
    {"aten::logspace", 1},
    {"aten::masked_select", 1},
    {"aten::mm", 2},
    {"aten::mv", 1},
    {"aten::nonzero", 2},
    {"aten::outer", 2},
    {"aten::ravel", 1},
    {"aten::scalar_tensor", 0},
    {"aten::vdot", 0},
    {"torchvision::nms", 1},
});

/// Operators whose argument of this name has the rank of the result.
constexpr auto shapedLike = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"aten::expand_as", "other"},
    {"aten::gather", "index"},
    {"aten::reshape_as", "other"},
    {"aten::take", "index"},
    {"aten::view_as", "other"},
});

/// Operators all of whose results have the rank of the operand.
constexpr auto sorting = std::to_array<std::string_view>({"aten::cummax", "aten::cummin", "aten::sort", "aten::topk"});

/// Operators whose first result has the rank of the operand, besides those of keepsRank.
constexpr auto preserving = std::to_array<std::string_view>({
    "aten::adjoint",
    "aten::chunk",
    "aten::gru",
    "aten::lstm",
    "aten::mH",
    "aten::mT",
    "aten::movedim",
    "aten::permute",
    "aten::rnn_relu",
    "aten::rnn_tanh",
    "aten::split",
    "aten::split_with_sizes",
    "aten::swapaxes",
    "aten::t",
    "aten::tensor_split",
});

/// Operators whose result is of bool.
constexpr auto comparing = std::to_array<std::string_view>(
    {"aten::eq", "aten::ge", "aten::gt", "aten::isfinite", "aten::isinf", "aten::isnan", "aten::le",
     "aten::logical_and", "aten::logical_not", "aten::logical_or", "aten::logical_xor", "aten::lt", "aten::ne"});

/// Operators whose result is of numbers.
constexpr auto numeric = std::to_array<std::string_view>(
    {"aten::arange", "aten::argmax", "aten::argmin", "aten::argsort", "aten::argwhere", "aten::bucketize",
     "aten::nonzero", "aten::randperm", "aten::searchsorted", "torchvision::nms"});

/// Operators whose result has the type of the first operand, or a common type of it and others.
constexpr auto moving =
    std::to_array<std::string_view>({"aten::clone", "aten::contiguous", "aten::detach", "aten::expand", "aten::flatten",
                                     "aten::permute", "aten::reshape", "aten::select", "aten::slice", "aten::squeeze",
                                     "aten::transpose", "aten::unsqueeze", "aten::view"});
constexpr auto promoting =
    std::to_array<std::string_view>({"aten::add", "aten::cat", "aten::mul", "aten::stack", "aten::sub"});

std::optional<Rank> productRank(Rank a, Rank b)
{
    if (a == 0 || b == 0) {
        return std::nullopt;
    }
    const Rank vectors = (a == 1 ? 1U : 0U) + (b == 1 ? 1U : 0U);
    return std::max({a, b, Rank(2)}) - vectors;
}

} // namespace

/// The rules for the ranks of results, by the arguments of a call.
class Interpreter::RankRules {
public:
    RankRules(const Interpreter& script, std::string_view op, const std::vector<BoundArgument>& bound)
        : m_script(script)
        , m_op(op)
        , m_bound(bound)
    {
    }

    std::optional<Rank> result() const
    {
        const auto fixed = std::ranges::find(fixedRanks, m_op, &FixedRank::op);
        if (fixed != fixedRanks.end()) {
            return fixed->rank;
        }
        for (const auto& [op, name] : shapedLike) {
            if (op == m_op) {
                return ofTensor(name);
            }
        }
        if (const std::string_view sizes = sizesArgument(m_op); !sizes.empty() && given(sizes) != nullptr) {
            return length(sizes);
        }
        if (m_op == "aten::cat" || m_op == "aten::stack") {
            const auto items = ofItems("tensors");
            return items ? std::optional(*items + (m_op == "aten::stack" ? 1 : 0)) : std::nullopt;
        }
        if (m_op == "aten::embedding") {
            const auto indices = ofTensor("indices");
            return indices ? std::optional(*indices + 1) : std::nullopt;
        }
        if (listsIndices(m_op, m_bound.size())) {
            return 1;
        }
        if (isBroadcast()) {
            return ofBroadcast();
        }
        if (m_op == "aten::flatten" && isConstant("start_dim", 0) && isConstant("end_dim", -1)) {
            return 1;
        }
        const auto* self = given("self") != nullptr ? given("self") : given("input");
        const auto rank = self != nullptr ? of(*self) : std::nullopt;
        return rank ? ofUnary(*rank) : std::nullopt;
    }

private:
    std::optional<Rank> ofUnary(Rank rank) const
    {
        const bool hasAxes = rank > 0;
        if (m_op == "aten::linear") { // a vector of weights computes one number
            const auto weight = ofTensor("weight");
            const bool isMatrix = weight == Rank(2);
            return hasAxes && (isMatrix || weight == Rank(1)) ? std::optional(isMatrix ? rank : rank - 1)
                                                              : std::nullopt;
        }
        if (m_op == "aten::matmul") {
            const auto other = ofTensor("other");
            return other ? productRank(rank, *other) : std::nullopt;
        }
        if (m_op == "aten::unsqueeze" || m_op == "aten::unfold" || m_op == "aten::one_hot") {
            return m_op == "aten::unfold" ? std::max(rank, Rank(1)) + (hasAxes ? 1 : 0) : rank + 1;
        }
        if (m_op == "aten::select" || m_op == "aten::diagonal" || m_op == "aten::unbind") {
            return hasAxes ? std::optional(rank - 1) : std::nullopt;
        }
        if (m_op == "aten::repeat_interleave") {
            const ScriptValue* dim = given("dim");
            return dim != nullptr && !isNone(*dim) ? rank : 1;
        }
        if (m_op == "aten::flatten") {
            return ofFlatten(static_cast<std::int64_t>(rank));
        }
        if (m_op == "aten::unflatten") {
            const auto sizes = length("sizes");
            return sizes && hasAxes ? std::optional(rank + *sizes - 1) : std::nullopt;
        }
        if (m_op == "aten::index") {
            return ofIndex(rank);
        }
        if (reducesAxes(m_op)) {
            return ofReduction(rank);
        }
        return keepsRank(m_op) || isOneOf(m_op, sorting) || isOneOf(m_op, preserving) ? std::optional(rank)
                                                                                      : std::nullopt;
    }

    std::optional<Rank> ofFlatten(std::int64_t rank) const
    {
        const auto axis = [&](std::string_view name, std::int64_t otherwise) -> std::optional<std::int64_t> {
            const ScriptValue* value = given(name);
            const auto* number = value != nullptr ? std::get_if<std::int64_t>(value) : &otherwise;
            if (number == nullptr || *number < -rank || *number >= rank) {
                return std::nullopt;
            }
            return *number < 0 ? *number + rank : *number;
        };
        if (rank == 0) {
            return 1;
        }
        const auto first = axis("start_dim", 0);
        const auto last = axis("end_dim", -1);
        return first && last && *first <= *last ? std::optional(static_cast<Rank>(rank - (*last - *first)))
                                                : std::nullopt;
    }

    /// An index of integers takes one axis and has any rank. A mask takes as many axes as it has, and is one of rank 1.
    std::optional<Rank> ofIndex(Rank rank) const
    {
        const auto* items = itemsOf("indices");
        if (items == nullptr) {
            return std::nullopt;
        }
        Rank kept = 0;
        Rank taken = 0;
        Rank most = 0;
        for (const ScriptValue& item : *items) {
            if (isNone(item)) {
                ++kept;
                continue;
            }
            const auto own = of(item);
            const auto isBool = own == Rank(1) ? false : m_script.isMask(item);
            if (!own || !isBool) {
                return std::nullopt;
            }
            taken += *isBool ? *own : 1;
            most = std::max(most, *isBool ? 1 : *own);
        }
        return kept + taken <= rank ? std::optional(rank - taken + most) : std::nullopt;
    }

    bool isConstant(std::string_view name, std::int64_t number) const
    {
        const ScriptValue* value = given(name);
        return value == nullptr || *value == ScriptValue(number);
    }

    std::optional<Rank> ofReduction(Rank rank) const
    {
        const ScriptValue* dim = given("dim");
        const ScriptValue* keeps = given("keepdim");
        if (keeps != nullptr && *keeps != ScriptValue(false)) {
            return *keeps == ScriptValue(true) ? std::optional(rank) : std::nullopt;
        }
        if (dim == nullptr || isNone(*dim)) {
            return 0;
        }
        const auto count = length("dim");
        if (!count || *count > rank + (rank == 0 ? 1U : 0U)) {
            return std::nullopt;
        }
        if (*count == 0) { // all axes, or none
            return m_op == "aten::all" || m_op == "aten::any" ? std::nullopt : std::optional(Rank(0));
        }
        return rank == 0 ? 0 : rank - *count;
    }

    bool isBroadcast() const
    {
        const bool isClamped = isOneOf(m_op, {"aten::clamp", "aten::clamp_max", "aten::clamp_min"});
        return broadcastsRanks(m_op) || isClamped ||
               isOneOf(m_op, {"aten::masked_fill", "aten::masked_scatter", "aten::scaled_dot_product_attention"}) ||
               (reducesAxes(m_op) && given("other") != nullptr); // aten::max of two tensors
    }

    std::optional<Rank> ofBroadcast() const
    {
        std::optional<Rank> most = 0;
        for (const BoundArgument& argument : m_bound) {
            const bool isOperand =
                argument.argument->kind == ArgumentKind::Tensor && argument.argument->name != "source";
            if (isOperand && !isNone(argument.value)) {
                const auto rank = of(argument.value);
                most = most && rank ? std::optional(std::max(*most, *rank)) : std::nullopt;
            }
        }
        return most;
    }

    const ScriptValue* given(std::string_view name) const
    {
        const auto found = std::ranges::find(m_bound, name, [](const auto& bound) { return bound.argument->name; });
        return found != m_bound.end() ? &found->value : nullptr;
    }

    std::optional<Rank> of(const ScriptValue& value) const
    {
        if (const auto* tensor = std::get_if<TensorRef>(&value)) {
            return m_script.rankOf(*tensor);
        }
        return numberKindOf(value) ? std::optional(Rank(0)) : std::nullopt;
    }

    std::optional<Rank> ofTensor(std::string_view name) const
    {
        const ScriptValue* value = given(name);
        return value != nullptr ? of(*value) : std::nullopt;
    }

    /// The items of a list, or of the value of a tuple; nothing if a loop or a branch determines them.
    const std::vector<ScriptValue>* itemsOf(std::string_view name) const
    {
        const ScriptValue* value = given(name);
        const auto* list = value != nullptr ? std::get_if<ListRef>(value) : nullptr;
        if (list == nullptr) {
            return nullptr;
        }
        const ListCell& cell = m_script.heap.lists[list->index];
        return cell.stacked || cell.onlyAppends || cell.isStale || !cell.mayBe.empty() ? nullptr : &cell.items;
    }

    /// The largest rank of the tensors of a list.
    std::optional<Rank> ofItems(std::string_view name) const
    {
        const auto* items = itemsOf(name);
        std::optional<Rank> most = items != nullptr && !items->empty() ? std::optional(Rank(0)) : std::nullopt;
        for (std::size_t i = 0; most && i < items->size(); ++i) {
            const auto rank = of((*items)[i]);
            most = rank ? std::optional(std::max(*most, *rank)) : std::nullopt;
        }
        return most;
    }

    /// The number of items of a list of integers; 1 for an integer.
    std::optional<Rank> length(std::string_view name) const
    {
        const ScriptValue* value = given(name);
        if (value != nullptr && numberKindOf(*value)) {
            return 1;
        }
        if (const auto* items = itemsOf(name)) {
            const bool hasPossible = std::ranges::any_of(*items, [](const ScriptValue& item) {
                return std::holds_alternative<std::shared_ptr<const PossibleItem>>(item);
            });
            return hasPossible ? std::nullopt : std::optional(items->size());
        }
        const auto* parts = value != nullptr ? std::get_if<std::shared_ptr<const TensorParts>>(value) : nullptr;
        return parts != nullptr && (*parts)->kind == TensorParts::Kind::Sizes ? m_script.rankOf((*parts)->tensor)
                                                                              : std::nullopt;
    }

    const Interpreter& m_script;
    std::string_view m_op;
    const std::vector<BoundArgument>& m_bound;
};

std::optional<std::size_t> Interpreter::rankOfResult(std::string_view op, const std::vector<BoundArgument>& bound) const
{
    return RankRules(*this, op, bound).result();
}

std::optional<bool> Interpreter::isMask(const ScriptValue& index) const
{
    const auto* tensor = std::get_if<TensorRef>(&index);
    return tensor != nullptr ? isMask(heap.tensors[tensor->index].value) : std::nullopt;
}

std::optional<bool> Interpreter::isMask(GraphValue index) const
{
    constexpr int deepest = 64;
    const Graph& graph = graphs.graph(index.level);
    bool isPromoted = false; // what follows has a common type of several operands: of bool only if all of them are
    for (int i = 0; i < deepest; ++i) {
        const Value& known = graph.value(index.id);
        if (known.type.element != ElementType::Undefined) {
            const bool isBool = known.type.element == ElementType::Bool;
            return isBool && isPromoted ? std::nullopt : std::optional(isBool);
        }
        if (!known.producer) {
            return std::nullopt;
        }
        const Node& node = graph.node(known.producer);
        if (isOneOf(node.op, comparing)) { // in place: in the type of the operand
            return isPromoted || node.attribute(inPlace) != nullptr ? std::nullopt : std::optional(true);
        }
        if (isOneOf(node.op, numeric) || (known.producerOutput == 1 && haveOneRank(node.op))) {
            return false;
        }
        const bool isCommon = isOneOf(node.op, promoting);
        if (node.inputs.empty() || !(isCommon || isOneOf(node.op, moving))) {
            return std::nullopt;
        }
        isPromoted = isPromoted || isCommon;
        index.id = node.inputs[0];
    }
    return std::nullopt;
}

bool Interpreter::haveOneRank(std::string_view op)
{
    return isOneOf(op, sorting) || reducesAxes(op);
}

bool Interpreter::listsIndices(std::string_view op, std::size_t arguments)
{
    return op == "aten::nonzero_numpy" || (op == "aten::where" && arguments == 1);
}

} // namespace crosswalk::pytorch
