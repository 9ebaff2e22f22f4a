#include "core/rewrite/shape_nodes.h"

#include "core/onnx/node.h"
#include "core/onnx/proto_reads.h"
#include "core/onnx/weights.h"

#include <cassert>
#include <fmt/format.h>

namespace crosswalk {
ShapeNodes::ShapeNodes(OnnxModel& model, MultiShapeInference& sized, const std::vector<DimSource>& sources,
                       Nodes& nodes)
    : m_model(model)
    , m_sized(sized)
    , m_sources(sources)
    , m_nodes(nodes)
    , m_names(usedValueNames(model.proto->graph()))
{
    for (const auto& node : model.proto->graph().node()) {
        m_names.take(node.name());
    }
}

std::string ShapeNodes::unique(const std::string& base)
{
    return m_names.unique(base);
}

std::string ShapeNodes::constant(const Ints& elements)
{
    std::string& name = m_constants[elements];
    if (!name.empty()) {
        return name;
    }
    name = "sizes";
    for (const std::int64_t element : elements) {
        name += "_" + std::to_string(element);
    }
    name = unique(name);
    m_sized.addConstant(addWeight(m_model, name, Tensor::ints(elements)));
    return name;
}

std::string ShapeNodes::add(const std::string& op, const std::vector<std::string>& inputs, const std::string& base)
{
    ::onnx::NodeProto& node = *m_nodes.Add();
    std::string name = unique(base);
    node.set_op_type(op);
    node.set_name(name);
    node.add_output(name);
    for (const std::string& input : inputs) {
        node.add_input(input);
    }
    if (op == "Concat") {
        addInt(node, "axis", 0);
    }
    [[maybe_unused]] const auto fault = m_sized.infer(node);
    assert(!fault);
    return name;
}

std::string ShapeNodes::sizeOf(std::size_t source)
{
    const DimSource& from = m_sources[source];
    std::string& shape = m_shapes[from.value];
    if (shape.empty()) {
        shape = add("Shape", {from.value}, from.value + "/shape");
    }
    std::string& size = m_sizes[source];
    if (size.empty()) {
        const auto axis = static_cast<std::int64_t>(from.axis);
        size = add("Gather", {shape, constant({axis})}, from.value + "/size_" + std::to_string(axis));
    }
    return size;
}

std::string ShapeNodes::lengthOf(const AxisFactors& axis)
{
    std::string length;
    for (const AxisFactor& factor : axis) {
        const std::string next = factor.isLiteral() ? constant({factor.size}) : sizeOf(factor.source);
        if (length.empty()) {
            length = next;
        } else {
            const std::string base = fmt::format("{}/product", length);
            length = add("Mul", {length, next}, base);
        }
    }
    return length;
}

std::string ShapeNodes::vectorOf(const std::vector<AxisFactors>& axes)
{
    std::vector<std::string> parts;
    Ints literals;
    const auto flush = [&] {
        if (!literals.empty()) {
            parts.push_back(constant(literals));
            literals.clear();
        }
    };
    for (const AxisFactors& axis : axes) {
        if (isChanging(axis)) {
            flush();
            parts.push_back(lengthOf(axis));
        } else {
            literals.push_back(axis.empty() ? 1 : axis.front().size);
        }
    }
    flush();
    return parts.size() == 1 ? parts.front() : add("Concat", parts, parts.front() + "/sizes");
}

} // namespace crosswalk
