#pragma once

#include "core/graph/graph.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::test {

/// Networks of well-known families at any size, as ONNX graphs, so that measurements and pictures need no files. A size
/// is the approximate number of nodes.
class FamilyGraph {
public:
    static constexpr std::array<std::string_view, 5> names{"resnet", "transformer", "nas", "lstm", "unet"};
    static Graph make(std::string_view family, unsigned size)
    {
        FamilyGraph made;
        made.m_graph.format = "onnx";
        const ValueId last = family == "resnet"        ? made.resnet(size)
                             : family == "transformer" ? made.transformer(size)
                             : family == "nas"         ? made.nas(size)
                             : family == "lstm"        ? made.lstm(size)
                                                       : made.unet(size);
        made.m_graph.outputs.push_back(last);
        return std::move(made.m_graph);
    }

private:
    using Ints = std::vector<std::int64_t>;

    ValueId input(const std::string& name, const Shape& shape)
    {
        const ValueId id = m_graph.addValue({.name = name, .type = {ElementType::Float32, shape}});
        m_graph.inputs.push_back(id);
        return id;
    }
    ValueId stored(const std::string& name, Tensor tensor)
    {
        const TensorType type{tensor.type(), shapeOf(tensor.dims())};
        const TensorId id = m_graph.addTensor(std::move(tensor));
        return m_graph.addValue({.name = name, .type = type, .tensor = id});
    }
    ValueId weight(const std::string& name, Ints dims)
    {
        return stored(name, Tensor::filled(ElementType::Float32, std::move(dims), 0));
    }
    ValueId number(double value) { return stored("constant", Tensor::scalar(ElementType::Float32, value)); }
    ValueId numbers(const Ints& values) { return stored("constant", Tensor::ints(values)); }
    NodeId node(const char* op, std::vector<ValueId> inputs, const std::string& name,
                std::vector<Attribute> attributes = {})
    {
        return m_graph.addNode(
            {.op = op, .name = name, .inputs = std::move(inputs), .attributes = std::move(attributes)});
    }
    ValueId op(const char* type, std::vector<ValueId> inputs, const std::string& name,
               std::vector<Attribute> attributes = {})
    {
        return m_graph.addOutput(node(type, std::move(inputs), name, std::move(attributes)), name + "_output_0");
    }
    ValueId conv(ValueId x, const std::string& name, std::int64_t kernel, std::int64_t stride = 1)
    {
        return op(
            "Conv", {x, weight(name + ".weight", {64, 64, kernel, kernel}), weight(name + ".bias", {64})},
            name + "/Conv",
            {{"kernel_shape", Ints{kernel, kernel}}, {"pads", Ints(4, kernel / 2)}, {"strides", Ints{stride, stride}}});
    }
    ValueId norm(ValueId x, const std::string& name)
    {
        std::vector<ValueId> inputs{x};
        for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"}) {
            inputs.push_back(weight(name + part, {64}));
        }
        return op("BatchNormalization", inputs, name + "/BatchNormalization", {{"epsilon", 1e-3}});
    }

    ValueId resnet(unsigned size)
    {
        auto x = op("Relu", {norm(conv(input("input", {Dim("N"), 64, 8, 8}), "/conv1", 7, 2), "/bn1")}, "/relu/Relu");
        const unsigned blocks = std::max(1U, (size - 6) / 10);
        const unsigned perStage = std::max(2U, blocks / 4);
        for (unsigned i = 0; i < blocks; ++i) {
            const std::string stage = "layer" + std::to_string(std::min(4U, i / perStage + 1));
            const std::string block = "/" + stage + "/" + stage + "." + std::to_string(i);
            auto skip = x;
            for (const char* part : {"1", "2", "3"}) {
                x = norm(conv(x, block + "/conv" + part, *part == '2' ? 3 : 1), block + "/bn" + part);
                x = *part == '3' ? x : op("Relu", {x}, block + "/relu" + part + "/Relu");
            }
            if (i % perStage == 0) {
                skip = norm(conv(skip, block + "/downsample/downsample.0", 1), block + "/downsample/downsample.1");
            }
            x = op("Relu", {op("Add", {x, skip}, block + "/Add")}, block + "/relu3/Relu");
        }
        x = op("Flatten", {op("GlobalAveragePool", {x}, "/avgpool/GlobalAveragePool")}, "/Flatten");
        return op("Gemm", {x, weight("fc.weight", {1000, 64}), weight("fc.bias", {1000})}, "/fc/Gemm");
    }

    ValueId rmsNorm(ValueId x, const std::string& name)
    {
        auto y = op("Pow", {x, number(2)}, name + "/Pow");
        y = op("Add", {op("ReduceMean", {y}, name + "/ReduceMean", {{"axes", Ints{-1}}}), number(1e-5)}, name + "/Add");
        y = op("Div", {number(1), op("Sqrt", {y}, name + "/Sqrt")}, name + "/Div");
        return op("Mul", {weight(name + ".weight", {64}), op("Mul", {x, y}, name + "/Mul")}, name + "/Mul_1");
    }
    ValueId linear(ValueId x, const std::string& name)
    {
        return op("MatMul", {x, weight("onnx::MatMul_" + name, {64, 64})}, name + "/MatMul");
    }
    ValueId rotated(ValueId x, ValueId cosine, ValueId sine, const std::string& name)
    {
        const auto plain = op("Mul", {x, cosine}, name + "/Mul");
        const auto half = [&](std::int64_t from, std::int64_t to, const char* which) {
            return op("Slice", {x, numbers({from}), numbers({to}), numbers({3}), numbers({1})}, name + which);
        };
        auto turned = op("Neg", {half(32, 64, "/Slice_1")}, name + "/Neg");
        turned = op("Concat", {turned, half(0, 32, "/Slice")}, name + "/Concat", {{"axis", std::int64_t{-1}}});
        return op("Add", {plain, op("Mul", {turned, sine}, name + "/Mul_1")}, name + "/Add");
    }
    ValueId transformer(unsigned size)
    {
        const auto ids = input("input_ids", {Dim("N"), Dim("T")});
        auto mask = op("Cast", {input("attention_mask", {Dim("N"), Dim("T")})}, "/model/Cast");
        mask = op("Unsqueeze", {mask, numbers({1, 2})}, "/model/Unsqueeze");
        mask = op("Mul", {op("Sub", {number(1), mask}, "/model/Sub"), number(-3e38)}, "/model/Mul");
        auto angle = op("Cast", {input("position_ids", {Dim("N"), Dim("T")})}, "/model/rotary_emb/Cast");
        angle = op("MatMul", {angle, weight("inv_freq", {1, 32})}, "/model/rotary_emb/MatMul");
        angle = op("Concat", {angle, angle}, "/model/rotary_emb/Concat");
        const auto cosine = op("Cos", {angle}, "/model/rotary_emb/Cos");
        const auto sine = op("Sin", {angle}, "/model/rotary_emb/Sin");
        auto x = op("Gather", {weight("embed_tokens.weight", {32000, 64}), ids}, "/model/embed_tokens/Gather");
        for (unsigned i = 0; i < std::max(1U, size / 51); ++i) {
            const std::string layer = "/model/layers." + std::to_string(i);
            const std::string attention = layer + "/self_attn";
            const auto normed = rmsNorm(x, layer + "/input_layernorm");
            std::vector<ValueId> qkv;
            for (const char* part : {"q", "k", "v"}) {
                auto y = linear(normed, attention + "/" + part + "_proj");
                y = op("Reshape", {y, numbers({0, 0, 4, 16})}, attention + "/Reshape_" + part);
                qkv.push_back(op("Transpose", {y}, attention + "/Transpose_" + part, {{"perm", Ints{0, 2, 1, 3}}}));
            }
            const auto q = rotated(qkv[0], cosine, sine, attention + "/q");
            auto k = rotated(qkv[1], cosine, sine, attention + "/k");
            k = op("Transpose", {k}, attention + "/Transpose", {{"perm", Ints{0, 1, 3, 2}}});
            auto y = op("Mul", {op("MatMul", {q, k}, attention + "/MatMul"), number(0.25)}, attention + "/Mul");
            y = op("Softmax", {op("Add", {y, mask}, attention + "/Add")}, attention + "/Softmax");
            y = op("Transpose", {op("MatMul", {y, qkv[2]}, attention + "/MatMul_1")}, attention + "/Transpose_1");
            y = linear(op("Reshape", {y, numbers({0, 0, 64})}, attention + "/Reshape"), attention + "/o_proj");
            x = op("Add", {x, y}, layer + "/Add");
            const auto inner = rmsNorm(x, layer + "/post_attention_layernorm");
            auto gate = linear(inner, layer + "/mlp/gate_proj");
            gate = op("Mul", {gate, op("Sigmoid", {gate}, layer + "/mlp/act_fn/Sigmoid")}, layer + "/mlp/act_fn/Mul");
            gate = op("Mul", {gate, linear(inner, layer + "/mlp/up_proj")}, layer + "/mlp/Mul");
            x = op("Add", {x, linear(gate, layer + "/mlp/down_proj")}, layer + "/Add_1");
        }
        return linear(rmsNorm(x, "/model/norm"), "/lm_head");
    }

    ValueId nas(unsigned size)
    {
        // Inputs and operators of each block of the cells.
        constexpr unsigned blocks = 5;
        std::uint64_t state = 7;
        const auto random = [&](unsigned below) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            return static_cast<unsigned>((state >> 33U) % below);
        };
        std::array<std::array<std::array<unsigned, 4>, blocks>, 4> plans{};
        for (auto& plan : plans) {
            for (unsigned i = 0; i < blocks; ++i) {
                plan[i] = {random(2 + i), random(4), random(2 + i), random(4)};
            }
        }
        auto last = norm(conv(input("input", {Dim("N"), 3, 8, 8}), "/stem/conv", 3), "/stem/bn");
        auto before = last;
        const unsigned cells = std::max(1U, (size - 8) / 36);
        for (unsigned c = 0; c < cells; ++c) {
            const std::string cell = "/cells." + std::to_string(c);
            std::vector<ValueId> states;
            for (const auto& [read, name] : {std::pair(before, "/pre0"), std::pair(last, "/pre1")}) {
                const auto active = op("Relu", {read}, cell + name + "/Relu");
                states.push_back(norm(conv(active, cell + name + "/conv", 1), cell + name + "/bn"));
            }
            std::vector<bool> isUsed(2 + blocks, false);
            for (unsigned i = 0; i < blocks; ++i) {
                const auto& plan = plans[c * 4 / cells][i];
                std::vector<ValueId> parts;
                for (unsigned j = 0; j < 2; ++j) {
                    const std::string name = cell + "/block" + std::to_string(i) + "/op" + std::to_string(j);
                    const auto read = states[plan[2 * j]];
                    isUsed[plan[2 * j]] = true;
                    const unsigned kind = plan[2 * j + 1];
                    parts.push_back(kind > 1 ? op(kind == 2 ? "AveragePool" : "MaxPool", {read}, name + "/Pool",
                                                  {{"kernel_shape", Ints{3, 3}}})
                                             : norm(conv(conv(op("Relu", {read}, name + "/Relu"), name + "/dw", 3),
                                                         name + "/pw", 1),
                                                    name + "/bn"));
                }
                states.push_back(op("Add", parts, cell + "/block" + std::to_string(i) + "/Add"));
            }
            std::vector<ValueId> open;
            for (unsigned i = 2; i < states.size(); ++i) {
                if (!isUsed[i]) {
                    open.push_back(states[i]);
                }
            }
            before = std::exchange(last, op("Concat", open, cell + "/Concat", {{"axis", std::int64_t{1}}}));
        }
        return op("GlobalAveragePool", {op("Relu", {last}, "/Relu")}, "/pool/GlobalAveragePool");
    }

    ValueId lstm(unsigned size)
    {
        const unsigned layers = size <= 1000 ? 2 : 4;
        const unsigned steps = std::max(2U, size / (14 * layers + 1));
        const auto sequence = input("input", {Dim("T"), 64});
        std::vector<ValueId> hidden, cell, fromInput, fromHidden, bias;
        for (unsigned l = 0; l < layers; ++l) {
            const std::string layer = std::to_string(l);
            hidden.push_back(input("h0." + layer, {Dim("N"), 64}));
            cell.push_back(input("c0." + layer, {Dim("N"), 64}));
            fromInput.push_back(op("Transpose", {weight("lstm.weight_ih_l" + layer, {256, 64})}, "/lstm/ih" + layer));
            fromHidden.push_back(op("Transpose", {weight("lstm.weight_hh_l" + layer, {256, 64})}, "/lstm/hh" + layer));
            bias.push_back(weight("lstm.bias_l" + layer, {256}));
        }
        std::vector<ValueId> outputs;
        for (unsigned t = 0; t < steps; ++t) {
            const std::string step = "/lstm/step" + std::to_string(t);
            auto x = op("Gather", {sequence, numbers({t})}, step + "/Gather");
            for (unsigned l = 0; l < layers; ++l) {
                const std::string name = step + "/l" + std::to_string(l);
                const auto ofInput = op("MatMul", {x, fromInput[l]}, name + "/MatMul");
                const auto ofHidden = op("MatMul", {hidden[l], fromHidden[l]}, name + "/MatMul_1");
                const auto sum = op("Add", {op("Add", {ofInput, ofHidden}, name + "/Add"), bias[l]}, name + "/Add_1");
                const NodeId split = node("Split", {sum}, name + "/Split", {{"axis", std::int64_t{1}}});
                std::vector<ValueId> gates;
                for (const char* gate : {"/i", "/o", "/f", "/g"}) {
                    const auto part = m_graph.addOutput(split, name + gate);
                    gates.push_back(op(gate[1] == 'g' ? "Tanh" : "Sigmoid", {part}, name + gate));
                }
                cell[l] = op(
                    "Add",
                    {op("Mul", {gates[2], cell[l]}, name + "/Mul"), op("Mul", {gates[0], gates[3]}, name + "/Mul_1")},
                    name + "/Add_2");
                hidden[l] = x = op("Mul", {gates[1], op("Tanh", {cell[l]}, name + "/Tanh")}, name + "/Mul_2");
            }
            outputs.push_back(x);
        }
        return op("Concat", outputs, "/lstm/Concat", {{"axis", std::int64_t{0}}});
    }

    ValueId residualBlock(ValueId x, const std::string& name)
    {
        const auto skip = x;
        for (const char* part : {"1", "2"}) {
            x = conv(x, name + "/conv" + part, 3);
            x = op("Mul", {x, op("Sigmoid", {x}, name + "/act" + part + "/Sigmoid")}, name + "/act" + part + "/Mul");
        }
        return op("Add", {x, skip}, name + "/Add");
    }
    ValueId unet(unsigned size)
    {
        constexpr unsigned mostSkips = 48;
        const unsigned pairs = std::max(2U, (size - 20) / 16);
        const unsigned apart = (pairs + mostSkips - 1) / mostSkips;
        auto x = conv(input("input", {Dim("N"), 4, 64, 64}), "/conv_in", 3);
        std::vector<ValueId> skips(pairs);
        for (unsigned i = 0; i < pairs; ++i) {
            skips[i] = x = residualBlock(x, "/down_blocks/resnets." + std::to_string(i));
        }
        x = residualBlock(x, "/mid_block");
        for (unsigned i = pairs; i-- > 0;) {
            const std::string block = "/up_blocks/resnets." + std::to_string(i);
            if (i % apart == 0) {
                x = conv(op("Concat", {x, skips[i]}, block + "/Concat", {{"axis", std::int64_t{1}}}), block, 1);
            }
            x = residualBlock(x, block);
        }
        return conv(x, "/conv_out", 3);
    }

    Graph m_graph;
};

} // namespace crosswalk::test
