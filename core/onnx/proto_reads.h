#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace onnx {
class GraphProto;
class NodeProto;
} // namespace onnx

namespace crosswalk {

/// Calls `use` with every value that a node reads from the graph around it: its inputs, and what its bodies (Scan,
/// Loop, If) take from outside. A name may come more than once.
void forEachRead(const ::onnx::NodeProto& node, const std::function<void(const std::string&)>& use);

/// Every value of a graph that a node, a body or the graph's outputs read.
std::unordered_set<std::string> readValues(const ::onnx::GraphProto& graph);

/// The names of a graph's own values: inputs, weights, and what its nodes give, those of bodies aside.
std::unordered_set<std::string_view> ownValues(const ::onnx::GraphProto& graph);

/// Adds the names of all values of a graph and of its bodies.
void collectValueNames(const ::onnx::GraphProto& graph, std::unordered_set<std::string>& names);

} // namespace crosswalk
