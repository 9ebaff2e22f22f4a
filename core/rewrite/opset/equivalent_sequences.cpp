// Operators along the axis of a sequence.

#include "core/onnx/node.h"
#include "core/rewrite/opset/equivalent_nodes.h"
#include "core/rewrite/opset/node_replacement.h"

#include <numeric>

namespace crosswalk {
namespace {

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

bool transformAlongComputedAxis(NodeReplacement& at)
{
    constexpr int since = 20; // the axis is an attribute before
    const auto rank = at.rankOf(at.input(0));
    if (at.to() >= since || !at.hasInput(2) || at.contentOf(at.input(2)) || !rank || *rank < 2) {
        return false;
    }
    const auto along = [&](::onnx::GraphProto& body, const std::string& prefix, std::int64_t axis) {
        auto& constant = addNode(body, "Constant", {}, prefix + "/axis");
        auto& value = *constant.add_attribute();
        value.set_name("value");
        value.set_type(::onnx::AttributeProto::TENSOR);
        value.mutable_t()->set_data_type(::onnx::TensorProto::INT64);
        value.mutable_t()->add_int64_data(axis);
        auto& node = addNode(body, "DFT", {at.input(0), at.input(1), prefix + "/axis"}, prefix + "/along");
        *node.mutable_attribute() = at.node().attribute();
    };
    const auto close = [&](::onnx::GraphProto& body, const std::string& result) {
        body.set_name(result);
        describe(*body.add_output(), result, {at.typeOf(at.input(0)).element, Shape(static_cast<std::size_t>(*rank))});
    };
    const std::string given = at.add("Cast", {at.input(2)}, {{"to", static_cast<std::int64_t>(ElementType::Int64)}});
    const std::string axis = at.add("Mod", {given, at.scalar(ElementType::Int64, static_cast<double>(*rank))});
    std::string result;
    // The last axis contains the real and imaginary parts. Each If transforms along its axis, or keeps what the one
    // before has; the first has no other axis to choose.
    for (std::int64_t i = 0; i < *rank - 1; ++i) {
        const std::string isThis = at.add("Equal", {axis, at.scalar(ElementType::Int64, static_cast<double>(i))});
        const std::string prefix = at.newName("DFT");
        ::onnx::GraphProto chosen;
        along(chosen, prefix + "/then", i);
        close(chosen, prefix + "/then/along");
        ::onnx::GraphProto kept;
        if (result.empty()) {
            along(kept, prefix + "/else", *rank - 2);
            close(kept, prefix + "/else/along");
        } else {
            addNode(kept, "Identity", {result}, prefix + "/kept");
            close(kept, prefix + "/kept");
        }
        result = at.add("If", {isThis}, {{"then_branch", chosen}, {"else_branch", kept}});
    }
    at.addLast("Identity", {result});
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
