#include "core/base/readable.h"
#include "core/base/saturating_product.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/rewrite/shape_patcher.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// The normalised axis. Reports an axis that is out of range, because onnx's inference does not check axes that are an
/// input.
std::optional<std::size_t> checkedAxis(std::int64_t axis, std::size_t rank, const PatchContext& context)
{
    const std::size_t normalised = axisAt(axis, rank);
    if (normalised < rank) {
        return normalised;
    }
    context.reportError(fmt::format("axis {} is out of range: its input has {}", axis, counted(rank, "axis", "axes")));
    return std::nullopt;
}

/// The original output shape of a Reshape; nothing if its target does not match the input.
std::optional<Ints> resolved(const Ints& target, const std::vector<AxisFactors>& in)
{
    Ints before;
    std::int64_t all = 1;
    for (const AxisFactors& axis : in) {
        before.push_back(sizeBefore(axis));
        all = saturatingProduct(all, before.back());
    }
    Ints dims = target;
    std::int64_t known = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 0) {
            if (i >= before.size()) {
                return std::nullopt;
            }
            dims[i] = before[i];
        }
        known = saturatingProduct(known, dims[i] == -1 ? 1 : dims[i]);
    }
    for (std::int64_t& dim : dims) {
        if (dim == -1) {
            if (known == 0 || all % known != 0) {
                return std::nullopt;
            }
            dim = all / known;
            known = all;
        }
    }
    return known == all ? std::optional(dims) : std::nullopt;
}

void patchReshape(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    const auto target = context.sized.literals(inputOf(node, 1));
    if (!in || !target || intAttribute(node, "allowzero", 0) != 0) {
        return;
    }
    const auto before = resolved(*target, *in);
    const auto inferred = std::find(target->begin(), target->end(), -1);
    const auto inferredAxis =
        inferred != target->end() ? std::optional(static_cast<std::size_t>(inferred - target->begin())) : std::nullopt;
    const auto wanted = before ? regrouped(*in, *before, inferredAxis) : std::nullopt;
    if (!wanted) {
        return; // the shape check compares the element counts
    }
    bool fits = true;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        const bool isCopy = i < in->size() && simplified((*in)[i]) == (*wanted)[i];
        fits = fits && ((*target)[i] == -1 || ((*target)[i] == 0 ? isCopy : !isChanging((*wanted)[i])));
    }
    if (fits) {
        return;
    }
    std::vector<AxisFactors> lengths;
    Ints literals;
    bool hasInferred = false;
    bool isLiteral = true;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        const AxisFactors& axis = (*wanted)[i];
        if (!isChanging(axis)) {
            literals.push_back((*before)[i]);
        } else if (i < in->size() && simplified((*in)[i]) == axis) {
            literals.push_back(0);
        } else if (!hasInferred) {
            hasInferred = true;
            literals.push_back(-1);
        } else {
            isLiteral = false;
            lengths.push_back(axis);
            literals.push_back(1);
            continue;
        }
        lengths.push_back({{literals.back()}});
    }
    node.set_input(1, isLiteral ? context.nodes.constant(literals) : context.nodes.vectorOf(lengths));
    context.note(
        isLiteral ? fmt::format("replaced its shape [{}] by [{}]", fmt::join(*target, ", "), fmt::join(literals, ", "))
                  : fmt::format("replaced its shape [{}] by one computed from the inputs", fmt::join(*target, ", ")));
}

void patchExpand(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    auto target = context.sized.literals(inputOf(node, 1));
    if (!in || !target) {
        return;
    }
    const Ints before = *target;
    for (std::size_t k = 1; k <= std::min(in->size(), target->size()); ++k) {
        const AxisFactors& axis = (*in)[in->size() - k];
        std::int64_t& length = (*target)[target->size() - k];
        if (isChanging(axis) && length == sizeBefore(axis)) {
            length = 1; // keep the length of the input
        }
    }
    if (*target != before) {
        node.set_input(1, context.nodes.constant(*target));
        context.note(fmt::format("replaced its shape [{}] by [{}]", fmt::join(before, ", "), fmt::join(*target, ", ")));
    }
}

void patchResize(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    const auto sizes = context.sized.literals(inputOf(node, 3));
    if (!in || !sizes || sizes->empty()) {
        return;
    }
    Ints axes(sizes->size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        axes[i] = static_cast<std::int64_t>(i);
    }
    if (const auto* given = findAttribute(node, "axes")) {
        axes = {given->ints().begin(), given->ints().end()};
    }
    std::vector<AxisFactors> lengths;
    bool hasChanged = false;
    for (std::size_t i = 0; i < sizes->size() && i < axes.size(); ++i) {
        const auto axis = checkedAxis(axes[i], in->size(), context);
        if (!axis) {
            return;
        }
        const AxisFactors& length = (*in)[*axis];
        const bool isSame = isChanging(length) && sizeBefore(length) == (*sizes)[i];
        hasChanged = hasChanged || isSame;
        lengths.push_back(isSame ? length : AxisFactors{AxisFactor{(*sizes)[i]}});
        if (isChanging(length) && !isSame) {
            context.report(Severity::Warning, "kept-size",
                           fmt::format("it resizes axis {} to the constant length {}", *axis, (*sizes)[i]),
                           "use a scale instead of a size to follow the inputs");
        }
    }
    if (hasChanged) {
        node.set_input(3, context.nodes.vectorOf(lengths));
        context.note(fmt::format("replaced its sizes [{}] by sizes computed from the inputs", fmt::join(*sizes, ", ")));
    }
}

/// An end equal to the length of the axis is replaced by "to the end".
void patchSlice(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    auto* attribute = findAttribute(node, "ends");
    std::optional<Ints> ends;
    std::optional<Ints> axes;
    std::optional<Ints> steps;
    if (attribute != nullptr) {
        ends = Ints(attribute->ints().begin(), attribute->ints().end());
        if (const auto* given = findAttribute(node, "axes")) {
            axes = Ints(given->ints().begin(), given->ints().end());
        }
    } else {
        ends = context.sized.literals(inputOf(node, 2));
        axes = context.sized.literals(inputOf(node, 3));
        steps = context.sized.literals(inputOf(node, 4));
    }
    if (!in || !ends || (!axes && !inputOf(node, 3).empty()) || (!steps && !inputOf(node, 4).empty())) {
        return;
    }
    const Ints before = *ends;
    for (std::size_t i = 0; i < ends->size(); ++i) {
        const std::int64_t given = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
        const auto index = checkedAxis(given, in->size(), context);
        if (!index) {
            return;
        }
        const AxisFactors& axis = (*in)[*index];
        const bool isForward = !steps || i >= steps->size() || (*steps)[i] > 0;
        const std::int64_t length = sizeBefore(axis);
        if (isChanging(axis) && isForward && (*ends)[i] >= length) {
            (*ends)[i] = std::numeric_limits<std::int64_t>::max();
        }
    }
    if (*ends == before) {
        return;
    }
    if (attribute != nullptr) {
        attribute->mutable_ints()->Assign(ends->begin(), ends->end());
    } else {
        const auto isWide = context.sized.before().elementType(node.input(2)) == ::onnx::TensorProto::INT64;
        if (!isWide) {
            context.reportError(fmt::format("its ends [{}] must be int64, but are int32", fmt::join(before, ", ")));
            return;
        }
        node.set_input(2, context.nodes.constant(*ends));
    }
    context.note(fmt::format("replaced its ends [{}] by the ends of the axes", fmt::join(before, ", ")));
}

/// Without axes, it would also remove an axis whose dynamic length is 1 in a run.
void patchSqueeze(NodeProto& node, const PatchContext& context)
{
    const auto in = context.tracker.axes(node.input(0));
    if (!in || findAttribute(node, "axes") != nullptr || !inputOf(node, 1).empty()) {
        return;
    }
    Ints axes;
    for (std::size_t axis = 0; axis < in->size(); ++axis) {
        if (sizeBefore((*in)[axis]) == 1 && !isChanging((*in)[axis])) {
            axes.push_back(static_cast<std::int64_t>(axis));
        }
    }
    if (axes.empty()) {
        node.set_op_type("Identity");
        node.mutable_input()->DeleteSubrange(1, node.input_size() - 1);
    } else if (opsetOf(context.original) < firstAxesInput) {
        addInts(node, "axes", axes);
    } else {
        node.mutable_input()->DeleteSubrange(1, node.input_size() - 1);
        node.add_input(context.nodes.constant(axes));
    }
    context.note(fmt::format("limited it to the axes [{}], which always have length 1", fmt::join(axes, ", ")));
}

} // namespace

void patchShapes(NodeProto& node, const PatchContext& context)
{
    if (!isOnnxDomain(node.domain())) {
        return;
    }
    if (node.op_type() == "Reshape") {
        patchReshape(node, context);
    } else if (node.op_type() == "Expand") {
        patchExpand(node, context);
    } else if (node.op_type() == "Resize") {
        patchResize(node, context);
    } else if (node.op_type() == "Slice") {
        patchSlice(node, context);
    } else if (node.op_type() == "Squeeze") {
        patchSqueeze(node, context);
    }
}

} // namespace crosswalk
