#include "core/base/saturating_product.h"
#include "core/onnx/node.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <algorithm>
#include <functional>

namespace crosswalk {
namespace {

Ints listOf(const ::onnx::NodeProto& node, std::string_view name, std::size_t size, std::int64_t fallback)
{
    const auto* attribute = findAttribute(node, name);
    return attribute != nullptr && static_cast<std::size_t>(attribute->ints_size()) == size
               ? Ints(attribute->ints().begin(), attribute->ints().end())
               : Ints(size, fallback);
}

/// The windows of a pooling.
struct Windows {
    Ints kernel;
    Ints strides;
    Ints dilations;
    Ints begins; ///< padding
    Ints ends;
    Ints more; ///< padding after `ends` of which a window that exists only by ceil_mode covers a part
};

/// Elements from the first to the last of a window.
std::int64_t extent(const Windows& windows, std::size_t axis)
{
    return (windows.kernel[axis] - 1) * windows.dilations[axis] + 1;
}

/// Computes padding of SAME_UPPER and SAME_LOWER, which requires fixed sizes.
bool padToSame(Windows& windows, const Shape& shape, bool isUpper)
{
    for (std::size_t i = 0; i < windows.kernel.size(); ++i) {
        const Dim& dim = shape[i + 2];
        if (!dim.isFixed()) {
            return false;
        }
        const std::int64_t count = (dim.size + windows.strides[i] - 1) / windows.strides[i];
        const std::int64_t total =
            std::max<std::int64_t>(0, (count - 1) * windows.strides[i] + extent(windows, i) - dim.size);
        windows.begins[i] = isUpper ? total / 2 : total - total / 2;
        windows.ends[i] = total - windows.begins[i];
    }
    return true;
}

/// Adds the padding with which rounding down gives as many windows as rounding up does.
bool padToCeiling(Windows& windows, const Shape& shape)
{
    for (std::size_t i = 0; i < windows.kernel.size(); ++i) {
        const Dim& dim = shape[i + 2];
        if (!dim.isFixed()) {
            return false;
        }
        const std::int64_t size = dim.size + windows.begins[i] + windows.ends[i];
        std::int64_t last = (size - extent(windows, i) + windows.strides[i] - 1) / windows.strides[i];
        if (last * windows.strides[i] >= dim.size + windows.begins[i]) {
            --last; // a window does not start behind the data
        }
        windows.more[i] = std::max<std::int64_t>(0, last * windows.strides[i] + extent(windows, i) - size);
    }
    return true;
}

std::optional<Windows> windowsOf(const NodeReplacement& at)
{
    const auto& node = at.node();
    const auto* kernel = findAttribute(node, "kernel_shape");
    const auto shape = at.typeOf(at.input(0)).shape;
    if (kernel == nullptr || !shape || shape->size() != static_cast<std::size_t>(kernel->ints_size()) + 2) {
        return std::nullopt;
    }
    const auto rank = static_cast<std::size_t>(kernel->ints_size());
    Windows windows;
    windows.kernel.assign(kernel->ints().begin(), kernel->ints().end());
    windows.strides = listOf(node, "strides", rank, 1);
    windows.dilations = listOf(node, "dilations", rank, 1);
    const Ints pads = listOf(node, "pads", 2 * rank, 0);
    windows.begins.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
    windows.ends.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
    windows.more.assign(rank, 0);
    const auto* automatic = findAttribute(node, "auto_pad");
    const std::string mode = automatic != nullptr ? automatic->s() : "NOTSET";
    if ((mode == "SAME_UPPER" || mode == "SAME_LOWER") && !padToSame(windows, *shape, mode == "SAME_UPPER")) {
        return std::nullopt;
    }
    if (intAttribute(node, "ceil_mode", 0) != 0 && mode == "NOTSET" && !padToCeiling(windows, *shape)) {
        return std::nullopt;
    }
    return windows;
}

bool isZero(const Ints& values)
{
    return std::ranges::all_of(values, [](std::int64_t value) { return value == 0; });
}

/// The sums of the windows of x, which has one channel.
std::string sums(NodeReplacement& at, const Windows& windows, const std::string& x, const std::string& ones,
                 const Ints& begins, const Ints& ends)
{
    Ints pads = begins;
    pads.insert(pads.end(), ends.begin(), ends.end());
    return at.add("Conv", {x, ones},
                  {{"kernel_shape", windows.kernel},
                   {"strides", windows.strides},
                   {"dilations", windows.dilations},
                   {"pads", pads}});
}

Ints added(const Ints& a, const Ints& b)
{
    Ints sum;
    std::ranges::transform(a, b, std::back_inserter(sum), std::plus());
    return sum;
}

} // namespace

bool dilatedAveragePool(NodeReplacement& at)
{
    constexpr int since = 19;
    const auto* dilations = findAttribute(at.node(), "dilations");
    if (at.to() >= since || dilations == nullptr) {
        return false;
    }
    if (std::ranges::all_of(dilations->ints(), [](std::int64_t dilation) { return dilation == 1; })) {
        ::onnx::NodeProto node = at.node();
        removeAttribute(node, "dilations");
        at.addLast(std::move(node));
        return true;
    }
    const auto windows = windowsOf(at);
    if (!windows) {
        return false;
    }
    const std::string x = at.input(0);
    const ElementType type = at.typeOf(x).element;
    const auto rank = static_cast<std::int64_t>(windows->kernel.size());
    const auto rest = [&](const std::string& of) {
        return at.add("Slice", {at.add("Shape", {of}), at.ints({2}), at.ints({rank + 2})});
    };
    // Each channel of each sample becomes a sample of one channel.
    const std::string one = at.ints({1});
    const std::string spatial = rest(x);
    const std::string single =
        at.add("Reshape", {x, at.add("Concat", {at.ints({-1}), one, spatial}, {{"axis", std::int64_t{0}}})});
    Ints kernelShape{1, 1};
    kernelShape.insert(kernelShape.end(), windows->kernel.begin(), windows->kernel.end());
    const std::string ones = at.constant(Tensor::filled(type, kernelShape, 1));
    const Ints ends = added(windows->ends, windows->more);
    const std::string total = sums(at, *windows, single, ones, windows->begins, ends);
    const bool countsPadding = intAttribute(at.node(), "count_include_pad", 0) != 0;
    std::string count;
    if (isZero(windows->more) && (countsPadding || (isZero(windows->begins) && isZero(windows->ends)))) {
        const auto size = saturatingProduct(windows->kernel);
        count = at.scalar(type, static_cast<double>(size));
    } else {
        const Ints zeros(windows->kernel.size(), 0);
        std::string counted = spatial; // the sizes of what is counted
        if (countsPadding) {
            counted = at.add("Add", {counted, at.ints(added(windows->begins, windows->ends))});
        }
        const std::string shape = at.add("Concat", {one, one, counted}, {{"axis", std::int64_t{0}}});
        const std::string mask = at.add("Expand", {at.scalar(type, 1), shape});
        count = countsPadding ? sums(at, *windows, mask, ones, zeros, windows->more)
                              : sums(at, *windows, mask, ones, windows->begins, ends);
    }
    const std::string mean = at.add("Div", {total, count});
    const std::string outer = at.add("Slice", {at.add("Shape", {x}), at.ints({0}), at.ints({2})});
    at.addLast("Reshape", {mean, at.add("Concat", {outer, rest(mean)}, {{"axis", std::int64_t{0}}})});
    return true;
}

} // namespace crosswalk
