#pragma once

#include "core/convert/forms/recurrent_activation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A recurrent layer of any framework, as ONNX. The adapter of a framework describes the layer by RecurrentLayer; the
/// form uses ONNX's own operator if that is the same function, else a Scan of the step or a copy of the step for each
/// time, according to the user's strategy, and reports the choice and its alternatives at the node.
///
/// With s = sigmoid and the equations of ONNX (LSTM, GRU and RNN of the default domain):
///
///     rnn   h' = a(W x + R h + b)
///     lstm  i = s(Wi x + Ri h + Pi c + bi), f = s(Wf x + Rf h + Pf c + bf + forgetBias), c~ = tanh(Wc x + Rc h + bc)
///           c' = cellClip(f c + i c~), o = s(Wo x + Ro h + Po c' + bo), h' = projection(o tanh(c'))
///     gru   z = s(Wz x + Rz h + bz), r = s(Wr x + Rr h + br)
///           h~ = tanh(Wh x + r (Rh h + rbh) + bh) with resetAfter, tanh(Wh x + Rh (r h) + rbh + bh) without
///           h' = (1 - z) h~ + z h
namespace crosswalk::forms {

enum class CellKind : std::uint8_t { Rnn, Lstm, Gru };

enum class LayerDirection : std::uint8_t {
    Forward,
    Reverse, ///< from the last step to the first; the output of a step stays at its time
    Bidirectional,
};

/// The position of the gates in a weight matrix.
enum class WeightLayout : std::uint8_t {
    GateRows,    ///< (gates * hidden, inputs), W x: the layout of ONNX
    GateColumns, ///< (inputs, gates * hidden), x W: the transposed layout
};

/// The weights of a layer in one direction. Each list holds one value or several: joined along the gates, its parts
/// contain all gates in RecurrentLayer::gateOrder. A part of rank 1 of a matrix is one in row-major GateRows layout, as
/// packed parameter vectors have them. Stored parts are rearranged by bookkeeping, computed ones by Split and Concat.
struct CellWeights {
    /// Empty: x already contains W x, (time, batch, gates * hidden) in gateOrder, for a single direction.
    OnnxValues input = {};
    OnnxValues recurrent = {};     ///< outputSize inputs
    OnnxValues bias = {};          ///< (gates * hidden); empty: zeros
    OnnxValues recurrentBias = {}; ///< the same; matters to a gru with resetAfter, is added to `bias` elsewhere
    OnnxValue projection = {};     ///< (projection, hidden), or (hidden, projection) with GateColumns
    OnnxValue peepholeInput = {};  ///< (hidden), as the two below; all three or none. lstm
    OnnxValue peepholeOutput = {};
    OnnxValue peepholeForget = {};
};

/// Bounds that a state is clipped to in every step, which ONNX's own operators cannot express.
struct StateClip {
    double low;
    double high;
    bool replacesNan = false;   ///< a NaN becomes `low`; else it stays NaN
    std::string attribute = {}; ///< of the source node, for the report
};

struct RecurrentProjection {
    std::int64_t size;             ///< features of the projected h
    std::optional<StateClip> clip; ///< of the projected h
    std::string attribute = {};    ///< of the source node, for the report
};

/// Initial states of layers that are stacked in one value.
struct StackedState {
    /// (rows, batch, width), or (batch, width) for a single row; absent: zeros.
    OnnxValue value = {};
    std::int64_t first = 0; ///< the row of the layer's forward direction, the reverse one follows
};

/// The output past the end of a sample. The state is held there in either case.
enum class PastEnd : std::uint8_t {
    Zero,
    /// The output of the last step that was taken before, in the order of processing; zeros before the first one.
    RepeatLast,
};

struct RecurrentLayer { // NOLINT(clang-analyzer-optin.performance.Padding)
    CellKind kind = CellKind::Lstm;
    std::int64_t hidden = 0;
    LayerDirection direction = LayerDirection::Forward;
    std::vector<CellWeights> cells = {}; ///< one for each direction: forward, then reverse
    /// The gates in the order of the weights, by ONNX's letters: i, o, f, c (candidate) of an lstm; z, r, h of a gru.
    /// Empty: ONNX's order, "iofc" and "zrh". An rnn has one gate and no order.
    std::string_view gateOrder = {};
    WeightLayout weightLayout = WeightLayout::GateRows;
    double forgetBias = 0; ///< added to the bias of f. lstm
    /// rnn: of h; lstm: of the gates, of c~, of c' in h'; gru: of the gates, of h~. Empty: those of the equations
    /// above.
    std::vector<RecurrentActivation> activations = {};
    std::optional<double> gateClip = {};    ///< the arguments of the gates and of c~ or h~ are clipped to [-v, v]
    std::optional<StateClip> cellClip = {}; ///< of c'. lstm
    std::optional<RecurrentProjection> projection = {}; ///< lstm
    bool resetAfter = false;                            ///< gru: r multiplies Rh h and its bias
    StackedState h = {};                                ///< width: outputSize
    StackedState c = {};                                ///< width: hidden. lstm
    OnnxValue lengths = {}; ///< (batch), any numeric type: steps of each sample, at least 1; absent: all steps
    /// (time, batch), bool: the steps that are taken, for samples that do not just end early; in the layout of x.
    OnnxValue mask = {};
    /// Most masks leave out last steps only: for such batches ONNX's own operator runs, chosen by an If at run time.
    bool fusesMasksOfLengths = false;
    PastEnd pastEnd = PastEnd::Zero; ///< the output of steps outside `lengths` or `mask`
    bool batchMajor = false;         ///< x and y are (batch, time, features)
    bool needsCells = false;         ///< RecurrentOutputs::cells is requested. lstm
    /// Prefix of the names of the weights in the file, before "W", "R", "B"; empty: the node's name and a slash.
    std::string weightPrefix = {};

    std::int64_t directions() const { return direction == LayerDirection::Bidirectional ? 2 : 1; }
    std::int64_t gates() const { return kind == CellKind::Lstm ? 4 : kind == CellKind::Gru ? 3 : 1; }
    /// Width of h, and of the output in one direction.
    std::int64_t outputSize() const { return projection ? projection->size : hidden; }
    /// Activation i, as given or by default.
    RecurrentActivation activation(std::size_t i) const;
};

/// The outputs of a layer, both directions together. Unused outputs add nothing to the file.
struct RecurrentOutputs {
    OnnxValue y; ///< (time, batch, directions * outputSize), forward features first; batch first with batchMajor
    OnnxValue h; ///< (directions, batch, outputSize), after the last step that was taken
    OnnxValue c; ///< (directions, batch, hidden). lstm
    OnnxValue cells = {}; ///< c after every step, as y, (time, batch, directions * hidden); with needsCells
};

/// How a layer is expressed.
enum class RecurrentForm : std::uint8_t {
    Fused,    ///< ONNX's LSTM, GRU or RNN
    Scan,     ///< a Scan of the step over time, one for both directions
    Unrolled, ///< a copy of the step for each time
};

/// Emits the layer: x is (time, batch, features), floating point. Chooses the form, reports the choice at the node and
/// computes in float32 if the form requires it. Throws "wrong-weight" for inconsistent weights.
RecurrentOutputs recurrentLayer(NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x);

// The halves of recurrentLayer, for a node of several layers, which are expressed and reported as one.

/// The form that the user's strategy selects: ONNX's own operator always if it is the same function. Reports at the
/// node what ONNX cannot express (codes "rnn-clip", "rnn-projection", "rnn-double", "rnn-mask", "rnn-activation",
/// "rnn-cells"), the chosen form and its alternatives. Does not inspect weights.
RecurrentForm chooseRecurrentForm(NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x);
/// Whether an If selects ONNX's own operator for masks that are lengths: nothing else keeps the layer from it.
bool fusesAtRunTime(const RecurrentLayer& layer, ElementType type);
/// Whether a form computes in a type other than that of x: float32 in ONNX's own operators, because ONNX Runtime's CPU
/// provider supports nothing wider. x and the results of emitRecurrentLayer then have that type.
ElementType recurrentType(RecurrentForm form, ElementType type);
/// Layers in a form, each reading the output of the one before, computed in x's type; weights and states are cast to
/// it. All have the same lengths, mask and layout of the data.
std::vector<RecurrentOutputs> emitRecurrentLayers(const NodeContext& ctx, std::span<const RecurrentLayer> layers,
                                                  OnnxValue x, RecurrentForm form);

} // namespace crosswalk::forms
