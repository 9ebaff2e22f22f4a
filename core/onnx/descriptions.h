#pragma once

namespace onnx {
class GraphProto;
class TypeProto;
} // namespace onnx

namespace crosswalk {

/// Copies the denotations of a type and of the axes that both types have.
void copyDenotations(const ::onnx::TypeProto& from, ::onnx::TypeProto& to);

/// Copies what a graph has for its readers alone, which onnx's version converter drops: texts, metadata and denotations
/// of values and initializers by their names, metadata of the graph and of its bodies, and of nodes in bodies by their
/// outputs. The metadata of the graph's own nodes is that of their sources, see carryMetadata().
void copyDescriptions(const ::onnx::GraphProto& from, ::onnx::GraphProto& to);

} // namespace crosswalk
