#pragma once

#include "core/graph/graph.h"
#include "core/onnx/onnx_model.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace onnx {
class GraphProto;
}

namespace crosswalk {

using ValueTypes = std::unordered_map<std::string, TensorType>;

/// The types that a graph stores for its outputs and intermediate values.
ValueTypes statedTypes(const ::onnx::GraphProto& graph);

/// The first opset that has Attention.
constexpr int firstAttentionOpset = 23;

/// A Softmax between two products, which `--optimize=attention` turned into Attention or left as it is.
struct AttentionFinding {
    std::string node;                  ///< name of the Softmax
    std::optional<NodeId> source = {}; ///< its source node; nothing in bodies
    std::string reason = {};           ///< why it stays; empty if it is an Attention node now
    bool isGuardLost = false;          ///< a query without keys resulted in 0, and now in what the runtime makes of it
};

/// A model to be optimized, with the source nodes of each of its nodes. Every pass keeps the provenance up to date, in
/// memory and in the nodes' metadata_props, and changes only one graph: the top-level one or a body.
struct RewrittenModel {
    OnnxModel& model;
    std::vector<std::vector<NodeId>>& sources; ///< by node of the top-level graph
    ValueTypes& types; ///< inferred types, by value; valid for any content of the inputs. Passes add new values.
    ::onnx::GraphProto* body = nullptr;                 ///< the body to change; null for the top-level graph
    std::vector<AttentionFinding>* attention = nullptr; ///< null: fuseAttention is not run
};

/// Implements `--optimize`: runs every pass below on the top-level graph of a valid model of opset 11 or later. The
/// model's outputs change only by rounding errors.
void optimize(RewrittenModel model, const NodeNames& names);

/// The same, and for every body (Loop, Scan, If). The types stored in bodies must be valid, as in a model that has just
/// been converted.
void optimizeWithBodies(RewrittenModel model, const NodeNames& names);

/// Constant folding: Constant nodes, and foldable nodes with small constant inputs (see folded, constantResults and
/// constantFunction), become initializers of the same name, which can be outputs of the model.
void foldConstants(RewrittenModel model, const NodeNames& names);

/// Removes nodes that return their input unchanged: Identity, Dropout, a Reshape to the same shape, a Slice of
/// everything, a Pad of nothing, a product with 1 or a sum with 0, and casts and transpositions that cancel out.
void eliminateNops(RewrittenModel model, const NodeNames& names);

/// Moves Transposes so that as few as possible remain: nodes that do not depend on the order of axes (elementwise
/// operators, Concat, Pad, reductions...) run on permuted operands. For each permutation, the nodes to be changed are
/// found by a minimum cut, so the number of Transposes never increases.
void assignLayouts(RewrittenModel model, const NodeNames& names);

/// Composes shapes anew from the dimensions and numbers that they consist of, if that takes fewer nodes. A Reshape or
/// Expand that only copies dimensions gets a constant shape. Assumes that dimensions fit into int32.
void simplifyShapes(RewrittenModel model, const NodeNames& names);

/// Replaces computations of indices and short vectors by cheaper ones: a Concat of all elements of a vector by the
/// vector, one of equal elements by Expand, indices of a Slice that are widened to int64 by the int32 ones. Removes a
/// Gather of all elements in order, and the minimum of equal operands.
void simplifyIndices(RewrittenModel model, const NodeNames& names);

/// Leaves out initial states that are zero, gives a Resize scales instead of computed sizes where they are integers,
/// and reads operands before their expansion to the shape of another one.
void simplifyOperands(RewrittenModel model, const NodeNames& names);

/// Replaces several nodes by one of another operator: a product of converted bytes by MatMulInteger, the difference of
/// rectified parts by PRelu, a clipped line by HardSigmoid, and its product with the operand by HardSwish.
void fuseOperators(RewrittenModel model, const NodeNames& names);

/// Replaces Softmax(scale Q K' + mask) V by Attention, from firstAttentionOpset on, where its operands have the shapes
/// that Attention accepts. Returns a finding for every Softmax between two products. Q, K, V and the mask are assumed
/// to have equal sizes where these are open; Attention rejects others. Results can differ where a score is infinite or
/// NaN, or where a mask leaves none.
std::vector<AttentionFinding> fuseAttention(RewrittenModel model, const NodeNames& names);

/// Removes outputs of If that nothing reads, joins Ifs with the same condition, and replaces an If with a constant
/// condition by the nodes of its branch. The names of values in branches must be unique in the model, as in a model
/// that has just been converted.
void simplifyBranches(RewrittenModel model, const NodeNames& names);

/// Gives a trip count to each Loop that runs as long as counters are less than bounds which it does not change, instead
/// of the condition, and replaces the counters by the number of the iteration. The names of values in bodies must be
/// unique in the model, as in a model that has just been converted.
void countLoops(RewrittenModel model, const NodeNames& names);

/// Folds a BatchNormalization that is the only consumer of a Conv into the Conv's weights, by output channel:
/// W' = W s, b' = (b - mean) s + beta with s = gamma / sqrt(var + epsilon). W' is computed when it is written.
void foldBatchNormalization(RewrittenModel model, const NodeNames& names);

/// Folds the addition of a stored number per channel into the bias of the preceding Conv or ConvTranspose, and turns
/// MatMul and Add into Gemm (float32; products with stored numbers become its alpha and beta).
void foldBiases(RewrittenModel model, const NodeNames& names);

/// Folds a zero Pad whose only consumer is a Conv into the Conv's padding.
void foldPads(RewrittenModel model, const NodeNames& names);

/// Common subexpression elimination: merges equal nodes with equal inputs. Inputs are equal if they are stored at the
/// same place, or are small and have equal content.
void eliminateCommonSubexpressions(RewrittenModel model, const NodeNames& names);

/// Replaces a Reshape to rows, their product with a stored matrix and a Reshape to the former dimensions by one MatMul.
void mergeProducts(RewrittenModel model, const NodeNames& names);

/// Where several layers, each a product with a stored matrix, a bias and a Reshape, read the same operand of fixed
/// shape and three or more dimensions: reshapes the operand to rows once, and makes each layer a Gemm. Returns whether
/// something was changed.
bool flattenProducts(RewrittenModel model, const NodeNames& names);

/// Replaces a Concat of Squeezes of the same axes, without other consumers, by a Squeeze of a Concat.
void sinkSqueezes(RewrittenModel model, const NodeNames& names);

/// Merges chains of Squeeze, Transpose and Unsqueeze, without other consumers, that only permute the dimensions of
/// their first input, into one Transpose. Returns whether something was changed.
bool mergeTransposes(RewrittenModel model, const NodeNames& names);

/// Merges chains of Reshape, Flatten, Squeeze, Unsqueeze and Transposes that only move dimensions of size one, without
/// other consumers, into one Reshape.
void mergeReshapes(RewrittenModel model, const NodeNames& names);

/// Replaces a ConstantOfShape by a scalar if all its consumers broadcast it to the shape of their other operand.
void scalarizeConstants(RewrittenModel model, const NodeNames& names);

/// Merges a Concat into its only consumer, if that is a Concat along the same axis; the same for Max and Min.
void mergeConcats(RewrittenModel model, const NodeNames& names);

/// Replaces Slices that partition a value along one axis by one Split, and merges chains of Slices along different
/// axes.
void mergeSlices(RewrittenModel model, const NodeNames& names);

/// Joins an LSTM, GRU or RNN and one of equal settings that reads the same sequence from the last step to the first
/// into a bidirectional one, here and in bodies. A layer that reads a reversed sequence, and whose results are reversed
/// again, reads the sequence itself for that, in the other direction. The first pass of optimize and
/// optimizeWithBodies, and part of conversions without `--optimize`. Returns whether something was changed.
bool mergeDirections(RewrittenModel model, const NodeNames& names);

/// Casts a size that is read from a shape, and not the whole shape, in models with a Range, here and in bodies: ONNX
/// Runtime 1.31 rejects a Range of int32 to an element of a cast shape whose dimensions it infers.
void castSizesLast(RewrittenModel model, const NodeNames& names);

/// Whether a product here or in a body has a transposed operand, so that avoidProductFusion may have something to do.
bool mayFuseProducts(const ::onnx::GraphProto& graph);

/// Gives an operand of a MatMul as many axes as the other one has, here and in bodies, where ONNX Runtime 1.31 fuses
/// the product with the Transpose of the other one wrongly:
/// - with a Transpose that exchanges the last two axes and a vector, it computes as if there were no Transpose;
/// - with a Transpose of the batch that is cast afterwards, creating a session crashes, as from 1.24 on
///   (https://github.com/microsoft/onnxruntime/issues/28392). It casts operands in half precision itself.
/// It moves a Transpose behind operators between the two before that, and removes operators without effect there.
/// The last pass of optimize and optimizeWithBodies, and part of conversions without `--optimize`.
void avoidProductFusion(RewrittenModel model, const NodeNames& names);

} // namespace crosswalk
