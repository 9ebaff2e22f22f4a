#pragma once

#include "core/base/unique_names.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace onnx {
class GraphProto;
class NodeProto;
} // namespace onnx

namespace crosswalk {

/// Calls `use` for every value that a node reads from its graph: its inputs, and the values that its bodies (Scan,
/// Loop, If) capture. May report a name more than once.
void forEachRead(const ::onnx::NodeProto& node, const std::function<void(const std::string&)>& use);

/// The same for the values that its bodies capture.
void forEachCapture(const ::onnx::NodeProto& node, const std::function<void(const std::string&)>& use);

/// Every value of a graph that is read by a node, a body or an output of the graph.
std::unordered_set<std::string> readValues(const ::onnx::GraphProto& graph);

/// The names of a graph's own values (inputs, weights and node outputs), without those of bodies.
std::unordered_set<std::string_view> ownValues(const ::onnx::GraphProto& graph);

/// Adds the names of all values of a graph and its bodies.
void collectValueNames(const ::onnx::GraphProto& graph, std::unordered_set<std::string>& names);

/// The same names as names in use, for a pass that adds values.
UniqueNames usedValueNames(const ::onnx::GraphProto& graph);

} // namespace crosswalk
