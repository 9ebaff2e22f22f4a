// Operators with an input of axes or a number of parts, for opsets that lack it.

#include "core/base/rounded_quotient.h"
#include "core/onnx/node.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crosswalk {
namespace {

/// Each axis once, counted from the first; nothing for axes that do not exist.
std::optional<Ints> normalised(Ints axes, std::int64_t rank)
{
    for (std::int64_t& axis : axes) {
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank) {
            return std::nullopt;
        }
    }
    Ints sorted = axes;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end() ? std::optional(axes) : std::nullopt;
}

/// The elements of `list`, followed by those of `rest`, at these places.
std::string chosen(NodeReplacement& at, const std::string& list, const std::string& rest, const Ints& places)
{
    return at.add("Gather", {at.add("Concat", {list, rest}, {{"axis", std::int64_t{0}}}), at.ints(places)});
}

/// A list of numbers for some axes as one for all axes: the number of each axis that is not in `axes` is `others`.
/// `lists` lists follow each other (begins and ends).
std::string spread(NodeReplacement& at, const std::string& list, const Ints& axes, std::int64_t rank,
                   const Tensor& others)
{
    const auto count = static_cast<std::int64_t>(axes.size());
    const std::int64_t lists = others.elements();
    Ints places;
    for (std::int64_t l = 0; l < lists; ++l) {
        for (std::int64_t axis = 0; axis < rank; ++axis) {
            const auto found = std::ranges::find(axes, axis);
            places.push_back(found != axes.end() ? l * count + (found - axes.begin()) : lists * count + l);
        }
    }
    if (const auto known = at.contentOf(list); known && known->elements() == lists * count) {
        const std::vector<double> values = known->toDoubles();
        const std::vector<double> rest = others.toDoubles();
        std::vector<double> all;
        for (const std::int64_t place : places) {
            const auto index = static_cast<std::size_t>(place);
            all.push_back(index < values.size() ? values[index] : rest[index - values.size()]);
        }
        return at.constant(Tensor::of<double>(ElementType::Float64, {static_cast<std::int64_t>(all.size())}, all)
                               .converted(others.type()));
    }
    return chosen(at, list, at.constant(others), places);
}

/// Begins and ends for some axes, which are known only when the model runs, as those for all axes.
std::string spreadByComputedAxes(NodeReplacement& at, const std::string& list, const std::string& axes,
                                 std::int64_t rank)
{
    const auto number = [&](std::int64_t value) { return at.ints({value}); };
    const std::string wide = at.add("Cast", {axes}, {{"to", static_cast<std::int64_t>(ElementType::Int64)}});
    const std::string places = at.add("Mod", {wide, at.scalar(ElementType::Int64, static_cast<double>(rank))});
    const std::string count = at.add("Shape", {axes});
    const std::string zeros = at.ints(Ints(static_cast<std::size_t>(rank), 0));
    const auto half = [&](const std::string& begin, const std::string& end) {
        return at.add("ScatterElements", {zeros, places, at.add("Slice", {list, begin, end})});
    };
    const std::string begins = half(number(0), count);
    const std::string ends = half(count, at.add("Add", {count, count}));
    return at.add("Concat", {begins, ends}, {{"axis", std::int64_t{0}}});
}

/// The scale of a Resize that keeps the aspect ratio, if the rounded sizes are also those that the scale gives.
std::optional<double> commonScale(const NodeReplacement& at, const Ints& axes, bool isLargest)
{
    const auto shape = at.typeOf(at.input(0)).shape;
    const auto sizes = at.contentOf(at.input(3));
    if (!shape || !sizes) {
        return std::nullopt;
    }
    const Ints wanted = sizes->toInts();
    std::optional<double> scale;
    for (std::size_t i = 0; i < axes.size() && i < wanted.size(); ++i) {
        const Dim& dim = (*shape)[static_cast<std::size_t>(axes[i])];
        if (!dim.isFixed() || dim.size == 0) {
            return std::nullopt;
        }
        const double own = static_cast<double>(wanted[i]) / static_cast<double>(dim.size);
        scale = !scale ? own : isLargest ? std::max(*scale, own) : std::min(*scale, own);
    }
    for (const std::int64_t axis : axes) {
        const auto size = static_cast<double>((*shape)[static_cast<std::size_t>(axis)].size);
        const auto rounded = static_cast<double>(static_cast<float>(scale.value_or(1))) * size;
        if (std::floor(rounded) != std::floor(scale.value_or(1) * size + 0.5)) {
            return std::nullopt;
        }
    }
    return scale;
}

/// The sizes of all axes for a Resize of some; the others keep theirs.
std::string allSizes(NodeReplacement& at, const Ints& axes, std::int64_t rank)
{
    const auto count = static_cast<std::int64_t>(axes.size());
    Ints places;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        const auto found = std::ranges::find(axes, axis);
        places.push_back(found != axes.end() ? found - axes.begin() : count + axis);
    }
    const auto sizes = at.contentOf(at.input(3));
    const auto shape = at.typeOf(at.input(0)).shape;
    if (!sizes || !isFixed(*shape) || sizes->elements() != count) {
        return chosen(at, at.input(3), at.add("Shape", {at.input(0)}), places);
    }
    const Ints given = sizes->toInts();
    Ints full;
    full.reserve(places.size());
    for (const std::int64_t place : places) {
        full.push_back(place < count ? given[static_cast<std::size_t>(place)]
                                     : (*shape)[static_cast<std::size_t>(place - count)].size);
    }
    return at.ints(full);
}

} // namespace

bool padOfAllAxes(NodeReplacement& at)
{
    constexpr int since = 18;
    const auto rank = at.rankOf(at.input(0));
    if (at.to() >= since || !at.hasInput(3) || !rank) {
        return false;
    }
    const auto stored = at.contentOf(at.input(3));
    const auto axes = stored ? normalised(stored->toInts(), *rank) : std::nullopt;
    if (stored && !axes) {
        return false;
    }
    ::onnx::NodeProto node = at.node();
    node.set_input(1, axes ? spread(at, at.input(1), *axes, *rank, Tensor::ints(Ints{0, 0}))
                           : spreadByComputedAxes(at, at.input(1), at.input(3), *rank));
    node.mutable_input()->RemoveLast();
    if (!at.hasInput(2)) {
        node.mutable_input()->RemoveLast();
    }
    at.addLast(std::move(node));
    return true;
}

bool splitBySizes(NodeReplacement& at)
{
    constexpr int since = 18;
    const auto parts = static_cast<std::int64_t>(at.node().output_size());
    if (at.to() >= since || parts == 0 || at.hasInput(1) || findAttribute(at.node(), "num_outputs") == nullptr) {
        return false;
    }
    const std::string x = at.input(0);
    const std::int64_t axis = intAttribute(at.node(), "axis", 0);
    const auto shape = at.typeOf(x).shape;
    const std::size_t place = shape ? axisAt(axis, shape->size()) : 0;
    ::onnx::NodeProto node = at.node();
    removeAttribute(node, "num_outputs");
    node.mutable_input()->Clear();
    node.add_input(x);
    if (shape && place < shape->size() && (*shape)[place].isFixed()) {
        const std::int64_t size = (*shape)[place].size;
        const std::int64_t part = quotientRoundedUp(size, parts);
        Ints sizes;
        for (std::int64_t rest = size; std::ssize(sizes) < parts; rest -= sizes.back()) {
            sizes.push_back(std::min(part, rest)); // a runtime rejects a part of less than nothing
        }
        node.add_input(at.ints(sizes));
    } else {
        const auto number = [&](std::int64_t value) { return at.ints({value}); };
        const std::string size = at.add("Gather", {at.add("Shape", {x}), number(axis)});
        const std::string part =
            at.add("Div", {at.add("Add", {size, number(parts - 1)}), number(parts)}); // rounded upwards
        const std::string last = at.add("Sub", {size, at.add("Mul", {part, number(parts - 1)})});
        NodeReplacement::Names sizes(static_cast<std::size_t>(parts), part);
        sizes.back() = last;
        node.add_input(at.add("Concat", sizes, {{"axis", std::int64_t{0}}}));
    }
    at.addLast(std::move(node));
    return true;
}

bool resizeOfAllAxes(NodeReplacement& at)
{
    constexpr int since = 18;
    const auto* attribute = findAttribute(at.node(), "axes");
    const auto* policy = findAttribute(at.node(), "keep_aspect_ratio_policy");
    const bool stretches = policy == nullptr || policy->s() == "stretch" || !at.hasInput(3);
    const auto rank = at.rankOf(at.input(0));
    if (at.to() >= since || !rank || (attribute == nullptr && policy == nullptr)) {
        return false;
    }
    Ints all(static_cast<std::size_t>(*rank));
    std::iota(all.begin(), all.end(), 0);
    const auto axes =
        attribute != nullptr ? normalised({attribute->ints().begin(), attribute->ints().end()}, *rank) : all;
    const auto scale = stretches || !axes ? std::nullopt : commonScale(at, *axes, policy->s() == "not_smaller");
    if (!axes || (!stretches && !scale)) {
        return false;
    }
    ::onnx::NodeProto node = at.node();
    removeAttribute(node, "axes");
    removeAttribute(node, "keep_aspect_ratio_policy");
    if (at.hasInput(1)) {
        const Tensor whole = Tensor::of<float>(ElementType::Float32, {2}, std::vector<float>{0, 1});
        node.set_input(1, spread(at, at.input(1), *axes, *rank, whole.converted(at.typeOf(at.input(1)).element)));
    }
    if (at.hasInput(2)) {
        node.set_input(2, spread(at, at.input(2), *axes, *rank, Tensor::filled(ElementType::Float32, {1}, 1)));
    } else if (stretches) {
        node.set_input(3, allSizes(at, *axes, *rank));
    } else {
        std::vector<float> scales(static_cast<std::size_t>(*rank), 1.0F);
        for (const std::int64_t axis : *axes) {
            scales[static_cast<std::size_t>(axis)] = static_cast<float>(*scale);
        }
        node.set_input(2, at.constant(Tensor::of<float>(ElementType::Float32, {*rank}, scales)));
        node.mutable_input()->RemoveLast();
    }
    at.addLast(std::move(node));
    return true;
}

} // namespace crosswalk
