// Reductions whose axes are an input, for opsets where they are an attribute.

#include "core/onnx/node.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk {
namespace {

/// The first opset in which input 1 of the operator is an operand instead of an attribute; 0 if it never is.
int operandSince(std::string_view op)
{
    constexpr auto since13 = std::to_array<std::string_view>({"ReduceSum", "Split", "Squeeze", "Unsqueeze"});
    return std::ranges::find(since13, op) != since13.end() ? 13 : op.starts_with("Reduce") ? 18 : 0;
}

bool crossesOperand(const NodeReplacement& at)
{
    const int since = operandSince(at.node().op_type());
    return since > 0 && at.from() >= since && at.to() < since;
}

bool losesOperand(const NodeReplacement& at)
{
    return crossesOperand(at) && at.hasInput(1);
}

/// By ReduceSum, whose axes have been an operand since opset 13. Returns the name of the result, or nothing for
/// operators that are not sums.
std::string bySum(NodeReplacement& at, const std::string& x, const std::string& axes, std::int64_t keepsAxes)
{
    const std::string_view op = at.node().op_type();
    const ElementType type = at.typeOf(x).element;
    const auto sum = [&](const std::string& of) { return at.add("ReduceSum", {of, axes}, {{"keepdims", keepsAxes}}); };
    if (op == "ReduceL1") {
        return sum(at.add("Abs", {x}));
    }
    if (op == "ReduceSumSquare") {
        return sum(at.add("Mul", {x, x}));
    }
    if (!isFloating(type)) {
        return {};
    }
    if (op == "ReduceL2") {
        return at.add("Sqrt", {sum(at.add("Mul", {x, x}))});
    }
    if (op == "ReduceLogSum") {
        return at.add("Log", {sum(x)});
    }
    if (op == "ReduceLogSumExp") { // in double precision, as in the operator's function body
        const auto cast = [&](const std::string& of, ElementType to) {
            return at.add("Cast", {of}, {{"to", static_cast<std::int64_t>(to)}});
        };
        return cast(at.add("Log", {sum(at.add("Exp", {cast(x, ElementType::Float64)}))}), type);
    }
    if (op == "ReduceMean") {
        const auto count = [&](const std::string& of) {
            return at.add("Cast", {at.add("Size", {of})}, {{"to", static_cast<std::int64_t>(ElementType::Float32)}});
        };
        const std::string total = sum(x);
        const std::string each = at.add("Div", {count(x), count(total)});
        return at.add("Div", {total, at.add("Cast", {each}, {{"to", static_cast<std::int64_t>(type)}})});
    }
    return {};
}

/// A body that reduces `x` along one axis, or returns it.
::onnx::GraphProto branch(const NodeReplacement& at, const std::string& x, const std::string& prefix,
                          std::optional<std::int64_t> axis)
{
    ::onnx::GraphProto body;
    const std::string result = prefix + (axis ? "/reduced" : "/kept");
    body.set_name(result);
    if (axis) {
        auto& axes = addNode(body, "Constant", {}, prefix + "/axis");
        auto& value = *axes.add_attribute();
        value.set_name("value");
        value.set_type(::onnx::AttributeProto::TENSOR);
        value.mutable_t()->set_data_type(::onnx::TensorProto::INT64);
        value.mutable_t()->add_dims(1);
        value.mutable_t()->add_int64_data(*axis);
        addNode(body, at.node().op_type(), {x, prefix + "/axis"}, result, {{"keepdims", std::int64_t{1}}});
    } else {
        addNode(body, "Identity", {x}, result);
    }
    auto& output = *body.add_output();
    output.set_name(result);
    const auto rank = static_cast<std::size_t>(at.rankOf(at.input(0)).value_or(0));
    toProto({at.typeOf(at.input(0)).element, Shape(rank)}, *output.mutable_type());
    return body;
}

/// Axis by axis: each is reduced by an If, whose condition is whether the axes contain it.
bool axisByAxis(NodeReplacement& at, const std::string& axes, std::int64_t keepsAxes)
{
    const auto rank = at.rankOf(at.input(0));
    if (!rank || *rank == 0) {
        return false;
    }
    const auto cast = [&](const std::string& of, ElementType to) {
        return at.add("Cast", {of}, {{"to", static_cast<std::int64_t>(to)}});
    };
    const std::string zero = at.scalar(ElementType::Int64, 0);
    const std::string counted = at.add("Mod", {axes, at.scalar(ElementType::Int64, static_cast<double>(*rank))});
    const std::string isEmpty = at.add("Equal", {at.add("Size", {axes}), zero}); // then all axes are reduced
    const std::string none = at.scalar(ElementType::Float32, 0);
    std::string x = at.input(0);
    constexpr int axesOfSqueeze = 13; // since then they are an operand
    NodeReplacement::Names flags;
    for (std::int64_t axis = 0; axis < *rank; ++axis) {
        const std::string same = at.add("Equal", {counted, at.scalar(ElementType::Int64, static_cast<double>(axis))});
        // A sum of no elements is 0.
        const std::string hits =
            at.add("ReduceSum", {cast(same, ElementType::Float32)}, {{"keepdims", std::int64_t{0}}});
        const std::string isReduced = at.add("Or", {isEmpty, at.add("Greater", {hits, none})});
        const std::string prefix = fmt::format("{}/{}", isReduced, axis);
        const std::string next = at.add(
            "If", {isReduced},
            {{"then_branch", branch(at, x, prefix, axis)}, {"else_branch", branch(at, x, prefix, std::nullopt)}});
        flags.push_back(
            at.add("Reshape", {at.to() >= axesOfSqueeze ? isReduced : at.add("Not", {isReduced}), at.ints({1})}));
        x = next;
    }
    if (keepsAxes != 0) {
        at.addLast("Identity", {x});
        return true;
    }
    const std::string all = *rank == 1 ? flags[0] : at.add("Concat", flags, {{"axis", std::int64_t{0}}});
    const auto chosen = [&](const std::string& of) {
        return at.add("Compress", {of, all}, {{"axis", std::int64_t{0}}});
    };
    if (at.to() >= axesOfSqueeze) {
        Ints places(static_cast<std::size_t>(*rank));
        std::iota(places.begin(), places.end(), 0);
        at.addLast("Squeeze", {x, chosen(at.ints(places))});
    } else {
        at.addLast("Reshape", {x, chosen(at.add("Shape", {x}))});
    }
    return true;
}

/// Whether a dimension is known to be 0: a reduction of nothing is defined since opset 20.
bool isPerhapsEmpty(const NodeReplacement& at)
{
    const auto shape = at.typeOf(at.input(0)).shape;
    return shape && std::ranges::any_of(*shape, [](const Dim& dim) { return dim.isFixed() && dim.size == 0; });
}

} // namespace

bool reductionOfNoAxes(NodeReplacement& at)
{
    const std::string_view op = at.node().op_type();
    const auto* keepsAll = findAttribute(at.node(), "noop_with_empty_axes");
    if (!crossesOperand(at) || !op.starts_with("Reduce") || keepsAll == nullptr) {
        return false;
    }
    if (keepsAll->i() == 0) { // the default, but the version converter keeps the attribute
        ::onnx::NodeProto node = at.node();
        removeAttribute(node, "noop_with_empty_axes");
        at.addLast(std::move(node));
        return true;
    }
    if (at.hasInput(1)) {
        const auto axes = at.contentOf(at.input(1));
        if (!axes || axes->elements() != 0) {
            return false;
        }
    }
    const std::string x = at.input(0);
    if (op == "ReduceL1" || op == "ReduceL2") {
        at.addLast("Abs", {x});
    } else if (op == "ReduceSumSquare") {
        at.addLast("Mul", {x, x});
    } else if (op != "ReduceLogSum") {
        at.addLast("Identity", {x});
    } else if (isFloating(at.typeOf(x).element)) {
        at.addLast("Log", {x});
    } else {
        return false;
    }
    return true;
}

bool storedOperand(NodeReplacement& at)
{
    const auto content = losesOperand(at) ? at.contentOf(at.input(1)) : std::nullopt;
    if (!content || content->type() != ElementType::Int64) {
        return false;
    }
    const bool isReduction = at.node().op_type().starts_with("Reduce");
    const bool keepsAll = intAttribute(at.node(), "noop_with_empty_axes", 0) != 0;
    const bool isEmpty = content->elements() == 0;
    if (isReduction && isEmpty && keepsAll) {
        return false;
    }
    if (at.isStoredHere(at.input(1)) && !keepsAll && !(isReduction && isEmpty)) {
        return false;
    }
    ::onnx::NodeProto node = at.node();
    removeAttribute(node, "noop_with_empty_axes"); // it has no effect on these axes
    if (isReduction && isEmpty) {
        node.mutable_input()->RemoveLast();
    } else {
        node.set_input(1, at.constant(*content));
    }
    at.addLast(std::move(node));
    return true;
}

bool reductionOverComputedAxes(NodeReplacement& at)
{
    const std::string_view op = at.node().op_type();
    if (!losesOperand(at) || !op.starts_with("Reduce") || at.contentOf(at.input(1)) ||
        intAttribute(at.node(), "noop_with_empty_axes", 0) != 0) {
        return false;
    }
    const std::int64_t keepsAxes = intAttribute(at.node(), "keepdims", 1);
    constexpr int sumsOverOperand = 13;
    if (at.to() >= sumsOverOperand) {
        if (const std::string result = bySum(at, at.input(0), at.input(1), keepsAxes); !result.empty()) {
            at.addLast("Identity", {result});
            return true;
        }
    }
    const bool hasNoNeutralElement = op == "ReduceMax" || op == "ReduceMin";
    constexpr auto composed = std::to_array<std::string_view>(
        {"ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"});
    return std::ranges::find(composed, op) != composed.end() && !(hasNoNeutralElement && isPerhapsEmpty(at)) &&
           axisByAxis(at, at.input(1), keepsAxes);
}

} // namespace crosswalk
