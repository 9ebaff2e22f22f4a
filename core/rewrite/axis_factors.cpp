#include "core/rewrite/axis_factors.h"

#include "core/base/saturating_product.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>

namespace crosswalk {
namespace {

struct Item {
    AxisFactor factor;
    std::size_t axis; ///< original axis
};

std::deque<Item> flattened(const std::vector<AxisFactors>& axes)
{
    std::deque<Item> items;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        for (const AxisFactor& factor : axes[axis]) {
            if (factor.isLiteral() && factor.size == 1) {
                continue;
            }
            if (factor.isLiteral() && !items.empty() && items.back().factor.isLiteral()) {
                items.back().factor.size = saturatingProduct(items.back().factor.size, factor.size);
            } else {
                items.push_back({factor, axis});
            }
        }
    }
    return items;
}

bool isInvisible(const Item& item)
{
    return !item.factor.isLiteral() && item.factor.size == 1;
}

/// Whether the axes of length 1 that follow `here` include the original axis of the item.
bool hasBetterAxis(const Ints& dims, std::size_t here, const Item& item)
{
    if (item.axis <= here) {
        return false;
    }
    for (std::size_t axis = here + 1; axis < dims.size() && dims[axis] == 1; ++axis) {
        if (axis == item.axis) {
            return true;
        }
    }
    return false;
}

/// Whether an axis of this length is the first part of the elements behind the items in front.
bool isDivided(const std::deque<Item>& items, std::int64_t length)
{
    const auto next = std::ranges::find_if_not(items, isInvisible);
    return next != items.end() && next->factor.isLiteral() && next->factor.size > length;
}

/// Moves factors with the product `length` into an axis. Returns false if a dynamic factor would have to be split.
bool fill(AxisFactors& axis, std::int64_t length, std::deque<Item>& items)
{
    while (length > 1) {
        if (items.empty()) {
            return false;
        }
        AxisFactor& next = items.front().factor;
        if (length % next.size == 0) {
            length /= next.size;
            axis.push_back(next);
            items.pop_front();
        } else if (next.isLiteral() && next.size % length == 0) {
            axis.push_back({length});
            next.size /= length;
            length = 1;
        } else {
            return false;
        }
    }
    return true;
}

std::int64_t commonDivisor(const Sizes& sizes, std::int64_t divisor)
{
    return std::accumulate(sizes.begin(), sizes.end(), divisor, [](auto a, auto b) { return std::gcd(a, b); });
}

} // namespace

bool isChanging(const AxisFactors& axis)
{
    return std::any_of(axis.begin(), axis.end(), [](const AxisFactor& f) { return !f.isLiteral(); });
}

AxisFactors simplified(const AxisFactors& axis)
{
    AxisFactors result;
    for (const AxisFactor& factor : axis) {
        if (factor.isLiteral() && !result.empty() && result.back().isLiteral()) {
            result.back().size = saturatingProduct(result.back().size, factor.size);
        } else if (!factor.isLiteral() || factor.size != 1) {
            result.push_back(factor);
        }
    }
    return result;
}

std::int64_t sizeBefore(const AxisFactors& axis)
{
    std::int64_t size = 1;
    for (const AxisFactor& factor : axis) {
        size = saturatingProduct(size, factor.size);
    }
    return size;
}

Sizes sizesOf(const AxisFactors& axis, const std::vector<DimSource>& sources)
{
    Sizes sizes{1, 1, 1};
    for (const AxisFactor& factor : axis) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            sizes[i] = saturatingProduct(sizes[i], factor.isLiteral() ? factor.size : sources[factor.source].sizes[i]);
        }
    }
    return sizes;
}

std::optional<std::vector<AxisFactors>> regrouped(const std::vector<AxisFactors>& axes, const Ints& dims,
                                                  std::optional<std::size_t> inferred)
{
    if (std::any_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim <= 0; })) {
        return std::nullopt;
    }
    std::deque<Item> items = flattened(axes);
    if (std::any_of(items.begin(), items.end(), [](const Item& item) { return item.factor.size <= 0; })) {
        return std::nullopt;
    }
    std::vector<AxisFactors> result(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 1) {
            if (!items.empty() && isInvisible(items.front()) && !hasBetterAxis(dims, i, items.front())) {
                result[i].push_back(items.front().factor);
                items.pop_front();
            }
            continue;
        }
        while (i > 0 && !items.empty() && isInvisible(items.front())) {
            const bool isNext = inferred == i || (inferred != i - 1 && isDivided(items, dims[i]));
            result[isNext ? i : i - 1].push_back(items.front().factor);
            items.pop_front();
        }
        if (!fill(result[i], dims[i], items)) {
            return std::nullopt;
        }
    }
    while (!items.empty() && isInvisible(items.front()) && !result.empty()) {
        result.back().push_back(items.front().factor);
        items.pop_front();
    }
    if (!items.empty()) {
        return std::nullopt;
    }
    for (AxisFactors& axis : result) {
        axis = simplified(axis);
    }
    return result;
}

std::optional<std::vector<AxisFactors>> regroupedBySizes(const std::vector<AxisFactors>& axes,
                                                         const std::vector<Sizes>& sizes,
                                                         const std::vector<DimSource>& sources)
{
    std::deque<Item> items = flattened(axes);
    std::vector<AxisFactors> result;
    for (Sizes left : sizes) {
        if (std::ranges::any_of(left, [](std::int64_t size) { return size <= 0; })) {
            return std::nullopt;
        }
        AxisFactors axis;
        while (left != Sizes{1, 1, 1}) {
            if (items.empty()) {
                return std::nullopt;
            }
            AxisFactor& next = items.front().factor;
            const Sizes whole = sizesOf({next}, sources);
            const bool isDivisor = std::ranges::equal(
                left, whole, [](std::int64_t of, std::int64_t by) { return by > 0 && of % by == 0; });
            if (isDivisor) {
                std::ranges::transform(left, whole, left.begin(), std::divides());
                axis.push_back(next);
                items.pop_front();
                continue;
            }
            const std::int64_t part = next.isLiteral() ? commonDivisor(left, next.size) : 1;
            if (part <= 1) {
                return std::nullopt;
            }
            for (std::int64_t& size : left) {
                size /= part;
            }
            axis.push_back({part});
            next.size /= part;
        }
        result.push_back(axis.empty() ? AxisFactors{AxisFactor{1}} : std::move(axis));
    }
    return items.empty() ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace crosswalk
