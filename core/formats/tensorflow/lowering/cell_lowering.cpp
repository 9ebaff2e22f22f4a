// LSTMBlockCell and GRUBlockCell: one step of a cell in one operator. Lowered to basic operators, so that a loop over
// them is recognized as a recurrent layer.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/formats/tensorflow/node_attributes.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
/// Adds the nodes of a cell, of float tensors of the cell's type.
class CellLowering {
public:
    CellLowering(ModelLowering& model, Region& region, NodeId node)
        : m_model(model)
        , m_region(region)
        , m_node(node)
        , m_type(region.source.graph.value(region.source.graph.node(node).outputs.at(0)).type)
    {
    }

    Lowered emit(std::string op, const std::vector<Lowered>& inputs, std::vector<Attribute> attributes = {})
    {
        return all(std::move(op), inputs, std::move(attributes), 1).front();
    }
    Lowered add(const Lowered& a, const Lowered& b) { return emit("AddV2", {a, b}); }
    Lowered mul(const Lowered& a, const Lowered& b) { return emit("Mul", {a, b}); }
    Lowered number(double value)
    {
        return m_region.target.constant(m_model.nameOf(m_region, m_node), Tensor::scalar(m_type.element, value));
    }
    /// [a, b] weights + bias
    Lowered linear(const Lowered& a, const Lowered& b, const Lowered& weights, const Lowered& bias)
    {
        const Lowered axis = m_model.intConstant(m_region, m_node, {1}, true);
        const Lowered both = emit("ConcatV2", {a, b, axis}, {{"N", std::int64_t{2}}});
        const Lowered product = emit("MatMul", {both, weights}, {{"transpose_a", false}, {"transpose_b", false}});
        return emit("BiasAdd", {product, bias}, {{"data_format", std::string("NHWC")}});
    }
    std::vector<Lowered> split(const Lowered& value, std::size_t parts)
    {
        const Lowered axis = m_model.intConstant(m_region, m_node, {1}, true);
        return all("Split", {axis, value}, {{"num_split", static_cast<std::int64_t>(parts)}}, parts);
    }

private:
    std::vector<Lowered> all(std::string op, const std::vector<Lowered>& inputs, std::vector<Attribute> attributes,
                             std::size_t outputs)
    {
        attributes.push_back({"T", m_type.element});
        const std::string suffix = "/" + op;
        return m_model.emit(m_region, m_node, std::move(op), inputs, std::move(attributes),
                            std::vector<ValueType>(outputs, TensorType{m_type.element, std::nullopt}), suffix);
    }

    ModelLowering& m_model;
    Region& m_region;
    NodeId m_node;
    TensorType m_type;
};

/// i, cs, f, o, ci, co, h of x, cs_prev, h_prev, w, wci, wcf, wco, b; the gates are in the order i, ci, f, o.
std::vector<Lowered> ModelLowering::lstmCell(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    const std::vector<Lowered> inputs = inputsOf(region, id);
    const auto hasPeepholes = settingOf<bool>(node, "use_peephole", false);
    const auto clip = settingOf<double>(node, "cell_clip", 0);
    CellLowering cell(*this, region, id);
    const auto withPeephole = [&](const Lowered& gate, const Lowered& state, std::size_t weights) {
        return hasPeepholes ? cell.add(gate, cell.mul(state, inputs[weights])) : gate;
    };
    const std::vector<Lowered> parts = cell.split(cell.linear(inputs[0], inputs[2], inputs[3], inputs[7]), 4);
    const Lowered i = cell.emit("Sigmoid", {withPeephole(parts[0], inputs[1], 4)});
    const Lowered forget = cell.add(parts[2], cell.number(settingOf<double>(node, "forget_bias", 1)));
    const Lowered f = cell.emit("Sigmoid", {withPeephole(forget, inputs[1], 5)});
    const Lowered ci = cell.emit("Tanh", {parts[1]});
    Lowered cs = cell.add(cell.mul(ci, i), cell.mul(inputs[1], f));
    if (clip > 0) {
        cs = cell.emit("ClipByValue", {cs, cell.number(-clip), cell.number(clip)});
    }
    const Lowered o = cell.emit("Sigmoid", {withPeephole(parts[3], cs, 6)});
    const Lowered co = cell.emit("Tanh", {cs});
    return {i, cs, f, o, ci, co, cell.mul(o, co)};
}

/// r, u, c, h of x, h_prev, w_ru, w_c, b_ru, b_c.
std::vector<Lowered> ModelLowering::gruCell(Region& region, NodeId id)
{
    const std::vector<Lowered> inputs = inputsOf(region, id);
    CellLowering cell(*this, region, id);
    const Lowered gates = cell.emit("Sigmoid", {cell.linear(inputs[0], inputs[1], inputs[2], inputs[4])});
    const std::vector<Lowered> parts = cell.split(gates, 2);
    const Lowered& r = parts[0];
    const Lowered& u = parts[1];
    const Lowered c = cell.emit("Tanh", {cell.linear(inputs[0], cell.mul(r, inputs[1]), inputs[3], inputs[5])});
    const Lowered rest = cell.emit("Sub", {cell.number(1), u});
    return {r, u, c, cell.add(cell.mul(u, inputs[1]), cell.mul(rest, c))};
}

/// The outputs of an operator that is one step of a cell; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::cellNode(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    if (node.op == "LSTMBlockCell" && node.inputs.size() == 8) {
        return lstmCell(region, id);
    }
    if (node.op == "GRUBlockCell" && node.inputs.size() == 6) {
        return gruCell(region, id);
    }
    return std::nullopt;
}

} // namespace crosswalk::tensorflow
