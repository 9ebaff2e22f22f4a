#pragma once

#include "core/onnx/onnx_model.h"
#include "core/onnx/proto.h"
#include "core/onnx/weights.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace crosswalk::test {

/// A model of opset 17 without nodes.
inline OnnxModel emptyModel()
{
    OnnxModel model;
    model.proto = std::make_shared<::onnx::ModelProto>();
    model.proto->set_ir_version(8);
    model.proto->set_producer_name("test");
    model.proto->add_opset_import()->set_version(17);
    model.proto->mutable_graph()->set_name("g");
    return model;
}

inline void addInput(OnnxModel& model, const std::string& name, const TensorType& type)
{
    auto* info = model.proto->mutable_graph()->add_input();
    info->set_name(name);
    toProto(type, *info->mutable_type());
}

inline void addOutput(OnnxModel& model, const std::string& name, const TensorType& type)
{
    auto* info = model.proto->mutable_graph()->add_output();
    info->set_name(name);
    toProto(type, *info->mutable_type());
}

inline ::onnx::NodeProto& addNode(::onnx::GraphProto& graph, const std::string& op,
                                  const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    auto& node = *graph.add_node();
    node.set_op_type(op);
    node.set_name(op + "_" + outputs.front());
    for (const std::string& input : inputs) {
        node.add_input(input);
    }
    for (const std::string& output : outputs) {
        node.add_output(output);
    }
    return node;
}

inline ::onnx::NodeProto& addNode(OnnxModel& model, const std::string& op, const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs)
{
    return addNode(*model.proto->mutable_graph(), op, inputs, outputs);
}

/// y = x + w, w of 1000 floats.
inline OnnxModel smallModel()
{
    OnnxModel model = emptyModel();
    addInput(model, "x", {ElementType::Float32, Shape{Dim("N"), 1000}});
    std::vector<float> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i) / 8.0F;
    }
    addWeight(model, "w", Tensor::of<float>(ElementType::Float32, {1000}, values));
    addNode(model, "Add", {"x", "w"}, {"y"});
    addOutput(model, "y", {ElementType::Float32, Shape{Dim("N"), 1000}});
    return model;
}

inline std::string fileContent(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeFile(const std::string& path, std::string_view content)
{
    std::remove(path.c_str()); // ext4 flushes overwritten files, which takes milliseconds
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

/// Code of the ModelError that `run` throws; empty if it throws none.
template <typename Run>
std::string codeOf(Run&& run)
{
    try {
        run();
    } catch (const ModelError& problem) {
        return std::string(problem.diagnostic.code.text());
    }
    return {};
}

} // namespace crosswalk::test
