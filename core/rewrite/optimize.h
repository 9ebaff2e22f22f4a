#pragma once

#include "core/graph/graph.h"
#include "core/onnx/model.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace onnx {
class GraphProto;
}

namespace crosswalk {

using ValueTypes = std::unordered_map<std::string, TensorType>;

/// The types that a graph states of its outputs and of the values in between.
ValueTypes statedTypes(const ::onnx::GraphProto& graph);

/// A model under rewriting, with the source nodes of each of its nodes: every pass keeps both in step, in memory and in
/// the nodes' metadata_props. Nodes of bodies stay as they are.
struct RewrittenModel {
    OnnxModel& model;
    std::vector<std::vector<NodeId>>& sources; ///< by node
    const ValueTypes& types;                   ///< by value, as inference knows them whatever the inputs hold
};

/// What `--optimize` does: every pass below, on a sound model of opset 11 or later. Values of the outputs change by
/// rounding alone.
void optimize(RewrittenModel model, const NodeNames& names);

/// Constant nodes, and nodes that move or add up the elements of small constants (see folded), become initializers of
/// the same name.
void foldConstants(RewrittenModel model, const NodeNames& names);

/// What hands its input on as it is goes: Identity, Dropout, a Reshape to the shape that was, casts and transpositions
/// there and back.
void eliminateNops(RewrittenModel model, const NodeNames& names);

/// BatchNormalization of a Conv's only consumer goes into the Conv's weights: W' = W s, b' = (b - mean) s + beta with s
/// = gamma / sqrt(var + epsilon), by output channel. W' is computed while it is written.
void foldBatchNormalization(RewrittenModel model, const NodeNames& names);

/// A Pad with zeros that only a Conv reads goes into the Conv's own padding.
void foldPads(RewrittenModel model, const NodeNames& names);

/// Nodes that do the same with the same values become one.
void eliminateCommonSubexpressions(RewrittenModel model, const NodeNames& names);

/// Reshape, Flatten, Squeeze and Unsqueeze of one that nothing else reads become one Reshape.
void mergeReshapes(RewrittenModel model, const NodeNames& names);

/// A tensor of one number in a shape that all its readers have from their other operand becomes that number.
void scalarizeConstants(RewrittenModel model, const NodeNames& names);

/// A Concat that only a Concat along the same axis reads goes into that one.
void mergeConcats(RewrittenModel model, const NodeNames& names);

/// Slices that take a value apart along one axis, piece after piece and nothing left, become one Split.
void mergeSlices(RewrittenModel model, const NodeNames& names);

} // namespace crosswalk
