#pragma once

#include "tests/support/protobuf_writer.h"

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace crosswalk::test {

// TensorFlow messages. Types have the numbers of types.proto: 1 float32, 3 int32, 7 string, 9 int64.

inline Message shapeProto(const std::vector<std::int64_t>& dims)
{
    Message shape;
    for (const std::int64_t dim : dims) {
        shape.message(2, Message().number(1, static_cast<std::uint64_t>(dim)));
    }
    return shape;
}

inline Message typeAttr(std::uint64_t type)
{
    return Message().number(6, type);
}
inline Message intAttr(std::int64_t value)
{
    return Message().number(3, static_cast<std::uint64_t>(value));
}
inline Message textAttr(std::string_view value)
{
    return Message().bytes(2, value);
}
inline Message shapeAttr(const std::vector<std::int64_t>& dims)
{
    return Message().message(7, shapeProto(dims));
}
inline Message functionAttr(std::string_view name)
{
    return Message().message(10, Message().bytes(1, name));
}

/// A float32 tensor in `tensor_content`.
inline Message floatTensor(const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return Message()
        .number(1, std::uint64_t{1})
        .message(2, shapeProto(dims))
        .bytes(4, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// A tensor of int32 in `tensor_content`.
inline Message intTensor(const std::vector<std::int64_t>& dims, const std::vector<std::int32_t>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return Message()
        .number(1, std::uint64_t{3})
        .message(2, shapeProto(dims))
        .bytes(4, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// The same of int64.
inline Message longTensor(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return Message()
        .number(1, std::uint64_t{9})
        .message(2, shapeProto(dims))
        .bytes(4, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

struct NamedMessage {
    std::string_view name;
    Message value;
};

inline Message nodeDef(std::string_view name, std::string_view op, const std::vector<std::string_view>& inputs = {},
                       const std::vector<NamedMessage>& attrs = {})
{
    Message node;
    node.bytes(1, name).bytes(2, op);
    for (const std::string_view input : inputs) {
        node.bytes(3, input);
    }
    for (const NamedMessage& attr : attrs) {
        node.message(5, Message().bytes(1, attr.name).message(2, attr.value));
    }
    return node;
}

inline Message placeholder(std::string_view name, const std::vector<std::int64_t>& dims, std::uint64_t type = 1)
{
    return nodeDef(name, "Placeholder", {}, {{"dtype", typeAttr(type)}, {"shape", shapeAttr(dims)}});
}

inline Message constant(std::string_view name, const Message& tensor, std::uint64_t type = 1)
{
    return nodeDef(name, "Const", {}, {{"dtype", typeAttr(type)}, {"value", Message().message(8, tensor)}});
}

inline Message unary(std::string_view name, std::string_view op, std::string_view input)
{
    return nodeDef(name, op, {input}, {{"T", typeAttr(1)}});
}

inline Message binary(std::string_view name, std::string_view op, std::string_view a, std::string_view b)
{
    return nodeDef(name, op, {a, b}, {{"T", typeAttr(1)}});
}

/// A function of float32 tensors.
struct FunctionText {
    std::string_view name;
    std::vector<std::string_view> arguments;
    std::vector<std::pair<std::string_view, std::string_view>> results; ///< output argument and returned value
    std::vector<Message> nodes;
};

inline Message functionDef(const FunctionText& text)
{
    const auto argument = [](std::string_view name) { return Message().bytes(1, name).number(3, std::uint64_t{1}); };
    Message signature;
    signature.bytes(1, text.name);
    for (const std::string_view name : text.arguments) {
        signature.message(2, argument(name));
    }
    for (const auto& [name, value] : text.results) {
        signature.message(3, argument(name));
    }
    Message function;
    function.message(1, signature);
    for (const Message& node : text.nodes) {
        function.message(3, node);
    }
    for (const auto& [name, value] : text.results) {
        function.message(4, Message().bytes(1, name).bytes(2, value));
    }
    return function;
}

inline Message graphDef(const std::vector<Message>& nodes, const std::vector<Message>& functions = {})
{
    Message graph;
    for (const Message& node : nodes) {
        graph.message(1, node);
    }
    if (!functions.empty()) {
        Message library;
        for (const Message& function : functions) {
            library.message(1, function);
        }
        graph.message(2, library);
    }
    return graph.message(4, Message().number(1, std::uint64_t{1286}));
}

} // namespace crosswalk::test
