// Operators along the axis of a sequence.

#include "core/onnx/node.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <numeric>

namespace crosswalk {
namespace {

using Ints = NodeReplacement::Ints;

void describe(::onnx::ValueInfoProto& info, const std::string& name, const TensorType& type)
{
    info.set_name(name);
    toProto(type, *info.mutable_type());
}

/// The body of a Scan that multiplies what it has by an element.
::onnx::GraphProto multiplication(const std::string& prefix, ElementType type, std::size_t rank, bool isExclusive)
{
    ::onnx::GraphProto body;
    body.set_name(prefix);
    const TensorType part{type, Shape(rank - 1)};
    describe(*body.add_input(), prefix + "/before", part);
    describe(*body.add_input(), prefix + "/element", part);
    addNode(body, "Mul", {prefix + "/before", prefix + "/element"}, prefix + "/after");
    addNode(body, "Identity", {prefix + (isExclusive ? "/before" : "/after")}, prefix + "/result");
    describe(*body.add_output(), prefix + "/after", part);
    describe(*body.add_output(), prefix + "/result", part);
    return body;
}

/// The products along one axis.
std::string productsAlong(NodeReplacement& at, std::int64_t axis, std::size_t rank)
{
    const std::string x = at.input(0);
    const ElementType type = at.typeOf(x).element;
    Ints others;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
        if (i != axis) {
            others.push_back(i);
        }
    }
    const std::string sizes = at.add("Gather", {at.add("Shape", {x}), at.ints(others)});
    const std::string ones = at.add("Expand", {at.scalar(type, 1), sizes});
    const std::int64_t backwards = intAttribute(at.node(), "reverse", 0);
    const bool isExclusive = intAttribute(at.node(), "exclusive", 0) != 0;
    return at.addSecond("Scan", {ones, x},
                        {{"num_scan_inputs", std::int64_t{1}},
                         {"scan_input_axes", Ints{axis}},
                         {"scan_output_axes", Ints{axis}},
                         {"scan_input_directions", Ints{backwards}},
                         {"scan_output_directions", Ints{backwards}},
                         {"body", multiplication(at.newName("product"), type, rank, isExclusive)}});
}

} // namespace

bool cumulativeProduct(NodeReplacement& at)
{
    constexpr int since = 26;
    const auto rank = at.rankOf(at.input(0));
    if (at.to() >= since || !rank || *rank == 0) {
        return false;
    }
    const auto size = static_cast<std::size_t>(*rank);
    const auto known = *rank == 1 ? std::optional(Tensor::ints(Ints{0})) : at.contentOf(at.input(1));
    if (known && known->elements() == 1) {
        const std::size_t axis = axisAt(known->toInts().front(), size);
        if (axis >= size) {
            return false;
        }
        at.addLast("Identity", {productsAlong(at, static_cast<std::int64_t>(axis), size)});
        return true;
    }
    const std::string given = at.add("Cast", {at.input(1)}, {{"to", static_cast<std::int64_t>(ElementType::Int64)}});
    const std::string axis = at.add("Mod", {given, at.scalar(ElementType::Int64, static_cast<double>(*rank))});
    std::string result = productsAlong(at, 0, size);
    for (std::int64_t i = 1; i < *rank; ++i) {
        const std::string isThis = at.add("Equal", {axis, at.scalar(ElementType::Int64, static_cast<double>(i))});
        result = at.add("Where", {isThis, productsAlong(at, i, size), result});
    }
    at.addLast("Identity", {result});
    return true;
}

bool scatteredSequence(NodeReplacement& at)
{
    constexpr int since = 24;
    const auto rank = at.rankOf(at.input(0));
    const std::int64_t given = intAttribute(at.node(), "axis", -2);
    const auto* mode = findAttribute(at.node(), "mode");
    if (at.to() >= since || !rank) {
        return false;
    }
    const std::int64_t axis = given < 0 ? given + *rank : given;
    if (axis <= 0 || axis >= *rank) {
        return false;
    }
    const auto size = [&](const std::string& of) {
        return at.add("Gather", {at.add("Shape", {of}), at.scalar(ElementType::Int64, static_cast<double>(axis))});
    };
    const auto along = [&](const std::string& list, std::int64_t place) {
        Ints shape(static_cast<std::size_t>(*rank), 1);
        shape[static_cast<std::size_t>(place)] = -1;
        return at.add("Reshape", {list, at.ints(shape)});
    };
    const std::string zero = at.scalar(ElementType::Int64, 0);
    std::string places = along(at.add("Range", {zero, size(at.input(1)), at.scalar(ElementType::Int64, 1)}), axis);
    if (at.hasInput(2)) {
        places = at.add("Add", {places, along(at.input(2), 0)});
    }
    if (mode != nullptr && mode->s() == "circular") {
        places = at.add("Mod", {places, size(at.input(0))});
    }
    const std::string indices = at.add("Expand", {places, at.add("Shape", {at.input(1)})});
    at.addLast("ScatterElements", {at.input(0), indices, at.input(1)}, {{"axis", axis}});
    return true;
}

bool spaceToDepthByColumns(NodeReplacement& at)
{
    constexpr int since = 28;
    const auto* mode = findAttribute(at.node(), "mode");
    const auto shape = at.typeOf(at.input(0)).shape;
    const std::int64_t block = intAttribute(at.node(), "blocksize", 0);
    if (at.to() >= since || mode == nullptr || block <= 0 || !shape || shape->size() != 4) {
        return false;
    }
    if (mode->s() != "CRD") {
        ::onnx::NodeProto node = at.node();
        removeAttribute(node, "mode");
        at.addLast(std::move(node));
        return true;
    }
    const Dim& channels = (*shape)[1];
    const Dim& height = (*shape)[2];
    const Dim& width = (*shape)[3];
    if (!channels.isFixed() || !height.isFixed() || !width.isFixed()) {
        return false;
    }
    const Ints blocks{0, channels.size, height.size / block, block, width.size / block, block};
    const std::string split = at.add("Reshape", {at.input(0), at.ints(blocks)});
    const std::string moved = at.add("Transpose", {split}, {{"perm", Ints{0, 1, 3, 5, 2, 4}}});
    at.addLast("Reshape",
               {moved, at.ints({0, channels.size * block * block, height.size / block, width.size / block})});
    return true;
}

} // namespace crosswalk
