#include "core/onnx/node.h"
#include "core/rewrite/shape_patcher.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// Weights up to this many bytes are searched for repeated content.
constexpr std::uint64_t searchLimit = 64U << 20U;

/// Whether all slices along an axis are equal.
bool repeats(const Tensor& tensor, std::size_t axis)
{
    if (tensor.bytes() > searchLimit || byteSize(tensor.type()) == 0 || tensor.elements() == 0) {
        return false;
    }
    std::size_t inner = byteSize(tensor.type());
    for (std::size_t i = axis + 1; i < tensor.rank(); ++i) {
        inner *= static_cast<std::size_t>(tensor.dims()[i]);
    }
    const auto count = static_cast<std::size_t>(tensor.dims()[axis]);
    const auto bytes = tensor.toBytes();
    for (std::size_t at = 0; at + inner * count <= bytes.size(); at += inner * count) {
        for (std::size_t k = 1; k < count; ++k) {
            if (std::memcmp(&bytes[at], &bytes[at + k * inner], inner) != 0) {
                return false;
            }
        }
    }
    return true;
}

bool isZero(const Tensor& tensor)
{
    bool zero = true;
    tensor.stream([&](std::span<const std::byte> chunk) {
        zero = std::all_of(chunk.begin(), chunk.end(), [](std::byte b) { return b == std::byte{0}; });
        return zero;
    });
    return zero;
}

/// Operators whose integer inputs do not depend on the sample's index: sequence lengths, indices within a sample.
bool takesIntegers(const std::string& op)
{
    static constexpr std::array<std::string_view, 7> names{"GRU", "GatherElements",  "GatherND",       "LSTM",
                                                           "RNN", "ReverseSequence", "ScatterElements"};
    return std::find(names.begin(), names.end(), op) != names.end();
}

/// Expands input `index` of a node to the length `wanted` along an axis. Integers may be indices of samples, which
/// differ between samples, so they are expanded only for the operators above.
bool expand(NodeProto& node, int index, std::size_t axis, const AxisFactors& wanted, const PatchContext& context)
{
    const std::string name = node.input(index);
    const auto axes = context.tracker.axes(name);
    const auto element = static_cast<ElementType>(context.sized.before().elementType(name));
    if (!context.constants.contains(name) || !axes || axis >= axes->size() || isChanging((*axes)[axis]) ||
        !(isFloating(element) || takesIntegers(node.op_type()))) {
        return false;
    }
    std::string single = name;
    if (sizeBefore((*axes)[axis]) != 1) {
        const Tensor* stored = context.stored(name);
        if (stored == nullptr || sizeBefore((*axes)[axis]) != sizeBefore(wanted) || !repeats(*stored, axis)) {
            return false;
        }
        const auto at = static_cast<std::int64_t>(axis);
        single = context.nodes.add(
            "Slice", {name, context.nodes.constant({0}), context.nodes.constant({1}), context.nodes.constant({at})},
            name + "/single");
    }
    std::vector<AxisFactors> shape(axes->size(), AxisFactors{AxisFactor{1}});
    shape[axis] = wanted;
    node.set_input(index, context.nodes.add("Expand", {single, context.nodes.vectorOf(shape)}, name + "/stretched"));
    context.note(fmt::format("expanded the constant {} along axis {}", name, axis));
    return true;
}

bool expandStates(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    if (!in || in->size() != 3) {
        return false;
    }
    const bool isBatchFirst = intAttribute(node, "layout", 0) != 0;
    const std::size_t batchAxis = isBatchFirst ? 0 : 1;
    const AxisFactors& batch = (*in)[batchAxis];
    const auto sizes = context.sized.dims(node.input(0));
    if (!isChanging(batch)) {
        return false;
    }
    bool hasChanged = false;
    for (const int index : {4, 5, 6}) {
        const std::string name = inputOf(node, index);
        if (name.empty()) {
            continue;
        }
        const std::size_t axis = index == 4 || isBatchFirst ? 0 : 1;
        const auto axes = context.tracker.axes(name);
        const auto ownSizes = context.sized.dims(name);
        // A state that is an input of the model matches if its batch dimension has the same symbol.
        const bool fits = ownSizes && sizes && axis < ownSizes->size() && (*ownSizes)[axis] == (*sizes)[batchAxis];
        if (!axes || axes->size() <= axis || fits) {
            continue;
        }
        const Tensor* stored = context.stored(name);
        if (index != 4 && stored != nullptr && isZero(*stored)) {
            node.set_input(index, std::string()); // an omitted state is zero at any size
            context.note(fmt::format("removed its initial state {}, which is zero", name));
            hasChanged = true;
        } else if (expand(node, index, axis, batch, context)) {
            hasChanged = true;
        } else {
            context.reportError(fmt::format("{} has the fixed batch size {}", name, sizeBefore((*axes)[axis])),
                                context.constants.contains(name)
                                    ? std::string()
                                    : "pass its new shape as well, or remove it from the model");
        }
    }
    return hasChanged;
}

/// Expands initial states of a Scan along the batch axis, which is the dynamic axis of a scanned input without its scan
/// axis.
bool expandScanStates(NodeProto& node, const PatchContext& context)
{
    for (int i = 0; i < node.input_size(); ++i) {
        const auto scanned = scannedAxis(node, i);
        auto inside = context.tracker.axes(node.input(i));
        const std::size_t scanAxis = scanned && inside ? axisAt(*scanned, inside->size()) : 0;
        if (!scanned || !inside || scanAxis >= inside->size()) {
            continue;
        }
        inside->erase(inside->begin() + static_cast<std::ptrdiff_t>(scanAxis));
        const auto batch = std::ranges::find_if(*inside, [](const AxisFactors& axis) { return isChanging(axis); });
        if (batch == inside->end()) {
            continue;
        }
        const auto batchAxis = static_cast<std::size_t>(batch - inside->begin());
        bool hasChanged = false;
        for (int state = 0; !scannedAxis(node, state); ++state) {
            const auto own = context.tracker.axes(node.input(state));
            const bool isAlike =
                own && own->size() == inside->size() && sizeBefore((*own)[batchAxis]) == sizeBefore(*batch);
            hasChanged = (isAlike && expand(node, state, batchAxis, *batch, context)) || hasChanged;
        }
        return hasChanged;
    }
    return false;
}

/// Indices and updates of GatherElements and ScatterElements, whose axes match those of the first input.
bool expandIndices(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    const std::size_t indexedAxis = in ? axisAt(intAttribute(node, "axis", 0), in->size()) : 0;
    bool hasChanged = false;
    for (std::size_t axis = 0; in && axis < in->size(); ++axis) {
        const AxisFactors& wanted = (*in)[axis];
        for (int index = 1; axis != indexedAxis && isChanging(wanted) && index < node.input_size(); ++index) {
            const auto own = context.tracker.axes(node.input(index));
            if (!own || axis >= own->size() || isChanging((*own)[axis])) {
                continue;
            }
            const std::int64_t length = sizeBefore((*own)[axis]);
            if (length == sizeBefore(wanted) && expand(node, index, axis, wanted, context)) {
                hasChanged = true;
            } else {
                context.reportError(fmt::format("{} has the fixed batch size {}", node.input(index), length));
            }
        }
    }
    return hasChanged;
}

/// An input whose axis `axis` matches axis `firstAxis` of the first input.
bool expandLike(NodeProto& node, int index, std::size_t axis, std::int64_t firstAxis, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    const auto own = context.tracker.axes(inputOf(node, index));
    const bool isValid = in && own && firstAxis >= 0 && firstAxis < static_cast<std::int64_t>(in->size());
    return isValid && axis < own->size() && isChanging((*in)[static_cast<std::size_t>(firstAxis)]) &&
           expand(node, index, axis, (*in)[static_cast<std::size_t>(firstAxis)], context);
}

/// Parts of a Concat must match along every axis except the concatenated one.
bool expandParts(NodeProto& node, const PatchContext& context)
{
    bool hasChanged = false;
    const auto first = context.tracker.axes(node.input(0));
    if (!first) {
        return false;
    }
    const std::size_t concatAxis = axisAt(intAttribute(node, "axis", 1), first->size());
    for (std::size_t axis = 0; axis < first->size(); ++axis) {
        if (axis == concatAxis) {
            continue;
        }
        AxisFactors wanted;
        for (const std::string& input : node.input()) {
            const auto axes = context.tracker.axes(input);
            if (axes && axis < axes->size() && isChanging((*axes)[axis])) {
                wanted = (*axes)[axis];
            }
        }
        for (int i = 0; isChanging(wanted) && i < node.input_size(); ++i) {
            hasChanged = expand(node, i, axis, wanted, context) || hasChanged;
        }
    }
    return hasChanged;
}

/// Operands of a broadcasting operator.
bool expandOperands(NodeProto& node, const PatchContext& context)
{
    bool hasChanged = false;
    for (const std::string& other : std::vector<std::string>(node.input().begin(), node.input().end())) {
        const auto given = context.tracker.isChanging(other) ? context.tracker.axes(other) : std::nullopt;
        for (int i = 0; given && i < node.input_size(); ++i) {
            const auto own = context.tracker.axes(node.input(i));
            for (std::size_t k = 1; own && k <= std::min(given->size(), own->size()); ++k) {
                const AxisFactors& wanted = (*given)[given->size() - k];
                if (isChanging(wanted) && sizeBefore((*own)[own->size() - k]) != 1) {
                    hasChanged = expand(node, i, own->size() - k, wanted, context) || hasChanged;
                }
            }
        }
    }
    return hasChanged;
}

} // namespace

bool isBroadcasting(std::string_view op)
{
    static constexpr std::array<std::string_view, 19> names{
        "Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Mean", "Min", "Mod",
        "Mul", "Or",  "Pow", "Sub",   "Sum",     "Where",          "Xor"};
    return std::find(names.begin(), names.end(), op) != names.end();
}

std::optional<std::int64_t> scannedAxis(const NodeProto& scan, int input)
{
    const std::int64_t scanned = intAttribute(scan, "num_scan_inputs", 0);
    const int states = scan.input_size() - static_cast<int>(std::clamp<std::int64_t>(scanned, 0, scan.input_size()));
    if (input < states) {
        return std::nullopt;
    }
    const auto* axes = findAttribute(scan, "scan_input_axes");
    return axes != nullptr && input - states < axes->ints_size() ? axes->ints(input - states) : 0;
}

bool resizeConstants(NodeProto& node, const PatchContext& context)
{
    const std::string& op = node.op_type();
    if (op == "LSTM" || op == "GRU" || op == "RNN") {
        return expandStates(node, context);
    }
    if (op == "Concat") {
        return expandParts(node, context);
    }
    if (op == "Scan") {
        return expandScanStates(node, context);
    }
    if (op == "GatherElements" || op == "ScatterElements") {
        return expandIndices(node, context);
    }
    if (op == "GridSample") {
        return expandLike(node, 1, 0, 0, context);
    }
    if (op == "ReverseSequence") {
        return expandLike(node, 1, 0, intAttribute(node, "batch_axis", 1), context);
    }
    if (op == "GatherND") {
        return intAttribute(node, "batch_dims", 0) > 0 && expandLike(node, 1, 0, 0, context);
    }
    return isBroadcasting(op) && expandOperands(node, context);
}

} // namespace crosswalk
