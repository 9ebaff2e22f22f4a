#include "core/onnx/transposed_products.h"

#include "core/base/is_one_of.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace crosswalk {
namespace {

/// Whether a permutation exchanges the last two axes, and no others.
bool transposesMatrices(Ints order)
{
    if (order.size() < 2) {
        return false;
    }
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return std::is_sorted(order.begin(), order.end());
}

} // namespace

bool TransposedValues::isFollowed(std::string_view op)
{
    return isOneOf(op, {"Identity", "Cast", "Mul", "Div"});
}

void TransposedValues::add(std::string_view result, Ints order)
{
    m_origins.emplace(result, Origin{std::move(order)});
}

void TransposedValues::follow(std::string_view op, std::string_view operand, std::string_view result)
{
    if (const Origin* found = find(operand)) {
        Origin origin = *found;
        origin.isCast = origin.isCast || op == "Cast";
        m_origins.emplace(result, std::move(origin));
    }
}

const TransposedValues::Origin* TransposedValues::find(std::string_view value) const
{
    const auto found = m_origins.find(value);
    return found != m_origins.end() ? &found->second : nullptr;
}

bool movesBatch(const Ints& order)
{
    const auto first = std::find(order.begin(), order.end(), 0);
    if (order.size() <= 2 || order.end() - first > 2 || first == order.end()) {
        return false;
    }
    Ints others = order;
    others.erase(others.iteratorAt(first - order.begin()));
    return std::is_sorted(others.begin(), others.end());
}

ProductFault faultOfProduct(const TransposedValues::Origin& transposed, bool isHalf, int position, std::size_t rank)
{
    if (rank == 0 || rank >= transposed.order.size()) {
        return ProductFault::None;
    }
    if ((transposed.isCast || isHalf) && movesBatch(transposed.order)) {
        return ProductFault::Crashes;
    }
    return rank == 1 && position == 1 && transposesMatrices(transposed.order) ? ProductFault::IgnoresTranspose
                                                                              : ProductFault::None;
}

std::optional<TransposedProducts::Finding> TransposedProducts::add(std::string_view op,
                                                                   const std::vector<Operand>& operands,
                                                                   std::string_view result, bool isOutput,
                                                                   std::optional<Ints> order)
{
    if (operands.empty()) {
        return std::nullopt;
    }
    if (op == "MatMul") {
        return operands.size() == 2 ? ofProduct(operands) : std::nullopt;
    }
    if (isOutput) {
        return std::nullopt;
    }
    if (op == "Transpose") {
        if (!order) {
            order.emplace(operands[0].type.shape ? operands[0].type.shape->size() : 0);
            std::iota(order->rbegin(), order->rend(), 0);
        }
        if (!operands[0].isStored && (movesBatch(*order) || transposesMatrices(*order))) { // else it is folded
            m_values.add(result, std::move(*order));
        }
        return std::nullopt;
    }
    const auto isScale = [](const Operand& operand) {
        return operand.isStored && operand.type.shape && elementCount(*operand.type.shape) == 1;
    };
    if (operands.size() == 1 || isScale(operands[1])) {
        m_values.follow(op, operands[0].name, result);
    } else if (operands.size() == 2 && op == "Mul" && isScale(operands[0])) {
        m_values.follow(op, operands[1].name, result);
    }
    return std::nullopt;
}

std::optional<TransposedProducts::Finding> TransposedProducts::ofProduct(const std::vector<Operand>& operands) const
{
    for (const int position : {0, 1}) {
        const auto& [name, type, isStored] = operands[static_cast<std::size_t>(position)];
        const auto* other = m_values.find(operands[static_cast<std::size_t>(1 - position)].name);
        const bool isHalf = type.element == ElementType::Float16;
        const bool isFused =
            type.element == ElementType::Float32 || type.element == ElementType::Float64 || (isHalf && isStored);
        if (other == nullptr || !type.shape || !isFused) {
            continue;
        }
        const ProductFault fault = faultOfProduct(*other, isHalf, position, type.shape->size());
        if (fault != ProductFault::None) {
            return Finding{fault, 1 - position};
        }
    }
    return std::nullopt;
}

} // namespace crosswalk
