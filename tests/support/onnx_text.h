#pragma once

#include <QtTest>
#include <fstream>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <string>

namespace crosswalk::test {

/// Parses a model of opset 17 from the ONNX text form of its graph, such as
/// `g (float[N] x) => (float[N] y) { y = Neg(x) }`.
inline ::onnx::ModelProto parseModel(const std::string& graph)
{
    ::onnx::ModelProto model;
    const std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\n" + graph;
    ::onnx::OnnxParser parser(text.c_str());
    const auto status = parser.Parse(model);
    if (!status.IsOK()) {
        qFatal("%s", status.ErrorMessage().c_str());
    }
    return model;
}

inline void writeMessage(const google::protobuf::MessageLite& message, const std::string& path)
{
    std::ofstream file(path, std::ios::binary);
    if (!message.SerializeToOstream(&file)) {
        qFatal("cannot write %s", path.c_str());
    }
}

} // namespace crosswalk::test
