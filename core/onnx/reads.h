#pragma once

#include <functional>
#include <string>

namespace onnx {
class NodeProto;
}

namespace crosswalk {

/// Calls `use` with every value that a node reads from the graph around it: its inputs, and what its bodies (Scan,
/// Loop, If) take from outside. A name may come more than once.
void forEachRead(const ::onnx::NodeProto& node, const std::function<void(const std::string&)>& use);

} // namespace crosswalk
