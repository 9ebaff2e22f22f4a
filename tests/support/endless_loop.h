#pragma once

#include "tests/support/onnx_models.h"

namespace crosswalk::test {

/// A Loop whose condition stays true.
inline OnnxModel endlessLoop()
{
    OnnxModel model = emptyModel();
    const TensorType number{ElementType::Float32, Shape{1}};
    const TensorType flag{ElementType::Bool, Shape{}};
    ::onnx::GraphProto body;
    body.set_name("body");
    const auto port = [](::onnx::ValueInfoProto& info, const char* name, const TensorType& type) {
        info.set_name(name);
        toProto(type, *info.mutable_type());
    };
    port(*body.add_input(), "i", {ElementType::Int64, Shape{}});
    port(*body.add_input(), "before", flag);
    port(*body.add_input(), "v", number);
    addNode(body, "Identity", {"before"}, {"after"});
    addNode(body, "Identity", {"v"}, {"w"});
    port(*body.add_output(), "after", flag);
    port(*body.add_output(), "w", number);
    addInput(model, "x", number);
    addWeight(model, "yes", Tensor::scalar(ElementType::Bool, 1));
    auto* attribute = addNode(model, "Loop", {"", "yes", "x"}, {"y"}).add_attribute();
    attribute->set_name("body");
    attribute->set_type(::onnx::AttributeProto::GRAPH);
    *attribute->mutable_g() = body;
    addOutput(model, "y", number);
    return model;
}

} // namespace crosswalk::test
