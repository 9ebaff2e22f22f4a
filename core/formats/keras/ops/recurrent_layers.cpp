// SimpleRNN, LSTM and GRU, RNN of their cells, and Bidirectional.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/keras_op_table.h"
#include "core/formats/keras/version.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {
namespace {

/// How a layer runs its cell over the steps.
struct Run {
    bool isBackwards = false;
    bool returnsSequences = false;
    bool returnsState = false;
    bool batchMajor = true;
    bool zerosWhereMasked = false; ///< else the last output is repeated
    OnnxValue mask;                ///< (batch, time); absent if all steps count
};

/// The outputs and states of a layer: `y` has the steps at their times, whatever the direction.
struct Result {
    OnnxValue y;       ///< (batch, time, features)
    OnnxValues states; ///< (batch, units) each
    bool hasInitialStates = false;
};

std::optional<CellKind> cellKind(const std::string& className)
{
    if (className == "LSTM" || className == "LSTMCell" || className == "CuDNNLSTM") {
        return CellKind::Lstm;
    }
    if (className == "GRU" || className == "GRUCell" || className == "CuDNNGRU") {
        return CellKind::Gru;
    }
    if (className == "SimpleRNN" || className == "SimpleRNNCell") {
        return CellKind::Rnn;
    }
    return std::nullopt;
}

std::size_t stateCount(CellKind kind)
{
    return kind == CellKind::Lstm ? 2 : 1;
}

/// The weights of a cell at a place among those of the layer ("cell/"). Keras 1 has each gate apart.
CellWeights cellWeights(const Layer& layer, CellKind kind, std::string_view order, const std::string& owner)
{
    const NodeContext& ctx = layer.ctx;
    CellWeights weights;
    if (layer.hasWeight(owner + "kernel")) {
        weights.input = {layer.weight(owner + "kernel", Shape(2))};
        weights.recurrent = {layer.weight(owner + "recurrent_kernel", Shape(2))};
        if (layer.hasWeight(owner + "bias")) {
            weights.bias = {layer.weight(owner + "bias")};
        }
    } else {
        for (const char gate : order) {
            weights.input.push_back(layer.weight(fmt::format("{}kernel_{}", owner, gate), Shape(2)));
            weights.recurrent.push_back(layer.weight(fmt::format("{}recurrent_kernel_{}", owner, gate), Shape(2)));
            weights.bias.push_back(layer.weight(fmt::format("{}bias_{}", owner, gate), Shape(1)));
        }
    }
    const bool hasTwoBiases = weights.bias.size() == 1 && ctx.rank(weights.bias.front()) == 2;
    if (hasTwoBiases && kind == CellKind::Gru && ctx.fixedDim(weights.bias.front(), 0) == 2) {
        const OnnxValues rows = emit::split(ctx, weights.bias.front(), 0, {1, 1});
        weights.bias = {emit::squeeze(ctx, rows[0], {0})};
        weights.recurrentBias = {emit::squeeze(ctx, rows[1], {0})};
    } else if (hasTwoBiases) {
        throw ModelError("wrong-weight", fmt::format("weight {}bias is {}, but must have 1 dimension", owner,
                                                     toString(ctx.shape(weights.bias.front()))));
    }
    return weights;
}

/// The cell that a layer's settings describe; a layer and its cell have the same settings.
RecurrentLayer recurrentForm(const Layer& layer, CellKind kind, const std::string& owner)
{
    const bool isCudnn = layer.op().starts_with("CuDNN");
    RecurrentLayer form{.kind = kind,
                        .hidden = layer.settings.requiredSize("units"),
                        .gateOrder = kind == CellKind::Lstm  ? "ifco"
                                     : kind == CellKind::Gru ? "zrh"
                                                             : std::string_view(),
                        .weightLayout = forms::WeightLayout::GateColumns};
    form.cells = {cellWeights(layer, kind, form.gateOrder, owner)};
    const RecurrentActivation activation = recurrentActivation(layer, "activation", "tanh");
    if (kind == CellKind::Rnn) {
        form.activations = {activation};
        return form;
    }
    const RecurrentActivation gates =
        recurrentActivation(layer, "recurrent_activation", isCudnn ? "sigmoid" : "hard_sigmoid");
    form.activations =
        kind == CellKind::Lstm ? std::vector{gates, activation, activation} : std::vector{gates, activation};
    if (kind == CellKind::Gru) {
        form.resetAfter = layer.settings.boolean("reset_after", isCudnn);
        const bool hasTwoBiases = !form.cells.front().recurrentBias.empty();
        if (!form.cells.front().bias.empty() && form.resetAfter != hasTwoBiases) {
            throw ModelError("wrong-weight", fmt::format("weight {}bias does not fit reset_after = {}", owner,
                                                         form.resetAfter ? "true" : "false"));
        }
    }
    return form;
}

OnnxValue reversedOverTime(const NodeContext& ctx, OnnxValue y, bool batchMajor)
{
    return emit::slice(ctx, y, Ints{-1}, Ints{std::numeric_limits<std::int64_t>::min() + 1}, Ints{batchMajor ? 1 : 0},
                       Ints{-1});
}

/// A state of the layer's two dimensions, from that of the form (1, batch, units).
OnnxValue stateOf(const NodeContext& ctx, OnnxValue state)
{
    return emit::squeeze(ctx, state, {0});
}

/// A stack of cells, each reading the output of the one before: their layers one after the other.
Result ran(const Layer& layer, std::vector<RecurrentLayer> cells, OnnxValue x, const OnnxValues& initial,
           const Run& run)
{
    Result result{.y = x, .states = {}, .hasInitialStates = !initial.empty()};
    std::size_t next = 0;
    for (RecurrentLayer& cell : cells) {
        cell.direction = run.isBackwards ? LayerDirection::Reverse : LayerDirection::Forward;
        cell.batchMajor = run.batchMajor;
        cell.mask = run.mask;
        cell.fusesMasksOfLengths = true;
        cell.pastEnd = run.zerosWhereMasked ? PastEnd::Zero : PastEnd::RepeatLast;
        if (!initial.empty()) {
            cell.h = {.value = initial.at(next)};
            if (cell.kind == CellKind::Lstm) {
                cell.c = {.value = initial.at(next + 1)};
            }
        }
        next += stateCount(cell.kind);
        const RecurrentOutputs made = recurrentLayer(layer.ctx, cell, result.y);
        result.y = made.y;
        result.states.push_back(stateOf(layer.ctx, made.h));
        if (cell.kind == CellKind::Lstm) {
            result.states.push_back(stateOf(layer.ctx, made.c));
        }
    }
    return result;
}

/// The output of the step that is processed last. A masked last step repeats the state's output, or is zero; tf.keras
/// repeats the output of the step before, which is zero if there is none, whatever the initial state.
OnnxValue lastOutput(const NodeContext& ctx, const Result& result, const std::vector<RecurrentLayer>& cells,
                     const Run& run)
{
    const bool isOfTfKeras = isOfTensorflowOrNewer(ctx.graph) && majorVersion(ctx.graph) < 3;
    if (!run.mask || (!run.zerosWhereMasked && !(isOfTfKeras && result.hasInitialStates))) {
        const std::size_t h = result.states.size() - stateCount(cells.back().kind);
        return result.states[h];
    }
    const std::int64_t axis = run.batchMajor ? 1 : 0;
    const OnnxValue step = run.isBackwards ? emit::slice(ctx, result.y, Ints{0}, Ints{1}, Ints{axis})
                                           : emit::slice(ctx, result.y, Ints{-1},
                                                         Ints{std::numeric_limits<std::int64_t>::max()}, Ints{axis});
    return emit::squeeze(ctx, step, {axis});
}

OnnxValue timeMask(const Layer& layer)
{
    const OnnxValue given = layer.named("mask");
    const OnnxValue mask = given ? given : layer.mask();
    if (mask && layer.ctx.rank(mask) != 2) {
        layer.refuse(fmt::format("a mask of {} dimensions, which does not tell the steps", layer.ctx.rank(mask)),
                     "mask");
    }
    return mask ? emit::cast(layer.ctx, mask, ElementType::Bool) : mask;
}

Run runOf(const Layer& layer, OnnxValue mask)
{
    return {.isBackwards = layer.settings.boolean("go_backwards", false),
            .returnsSequences = layer.settings.boolean("return_sequences", false),
            .returnsState = layer.settings.boolean("return_state", false),
            .batchMajor = !layer.settings.boolean("time_major", false),
            .zerosWhereMasked = layer.settings.boolean("zero_output_for_mask", false),
            .mask = mask};
}

/// The cells of a layer: its own, or those of an RNN.
std::vector<RecurrentLayer> cellsOf(const Layer& layer)
{
    if (const auto kind = cellKind(layer.op())) {
        const bool isOwn = layer.hasWeight("kernel") || layer.hasWeight("kernel_z") || layer.hasWeight("kernel_i");
        return {recurrentForm(layer, *kind, isOwn ? "" : "cell/")};
    }
    if (layer.op() != "RNN") {
        layer.refuse(fmt::format("a Bidirectional of {}", layer.op()), "layer");
    }
    const Layer cell = layer.inner("cell", "cell", {});
    if (const auto kind = cellKind(cell.op())) {
        return {recurrentForm(cell, *kind, "")};
    }
    if (cell.op() != "StackedRNNCells") {
        throw ModelError("unsupported-operator", fmt::format("cell \"{}\" is not one of Keras", cell.op()),
                         "replace it by LSTMCell, GRUCell or SimpleRNNCell");
    }
    std::vector<RecurrentLayer> cells;
    std::map<std::string, int> seen;
    for (std::size_t i = 0; cell.settings.hasBelow(fmt::format("cells.{}", i)); ++i) {
        const std::string setting = fmt::format("cells.{}", i);
        const std::string className = cell.settings.below(setting).text("class_name");
        const auto kind = cellKind(className);
        if (!kind) {
            throw ModelError("unsupported-operator", fmt::format("cell \"{}\" is not one of Keras", className),
                             "replace it by LSTMCell, GRUCell or SimpleRNNCell");
        }
        const char* const id = *kind == CellKind::Lstm  ? "lstm_cell"
                               : *kind == CellKind::Gru ? "gru_cell"
                                                        : "simple_rnn_cell";
        const int count = seen[id]++;
        const std::string owner = count == 0 ? fmt::format("cells/{}", id) : fmt::format("cells/{}_{}", id, count);
        cells.push_back(recurrentForm(cell.inner(setting, owner, {}), *kind, ""));
    }
    if (cells.empty()) {
        layer.ctx.invalid("it has no cells", "cell");
    }
    return cells;
}

std::size_t stateCount(const std::vector<RecurrentLayer>& cells)
{
    std::size_t count = 0;
    for (const RecurrentLayer& cell : cells) {
        count += stateCount(cell.kind);
    }
    return count;
}

/// The initial states: arguments behind the data, or an argument of that name; none: zeros.
OnnxValues initialStates(const Layer& layer, std::size_t count)
{
    OnnxValues states(layer.inputs().iteratorAt(1), layer.inputs().end());
    if (states.empty()) {
        states = layer.allNamed("initial_state");
    }
    if (layer.settings.integer("num_constants", 0) > 0) {
        layer.refuse("constants of a recurrent layer", "num_constants");
    }
    if (!states.empty() && states.size() != count) {
        layer.ctx.invalid(fmt::format("it is called with {} initial states, but has {}", states.size(), count),
                          "initial_state");
    }
    return states;
}

OnnxValues recurrent(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    if (ctx.rank(x) != 3) {
        ctx.invalid(fmt::format("data of {} dimensions, but it needs 3", ctx.rank(x)));
    }
    const std::vector<RecurrentLayer> cells = cellsOf(layer);
    const Run run = runOf(layer, timeMask(layer));
    const Result result = ran(layer, cells, x, initialStates(layer, stateCount(cells)), run);
    OnnxValues outputs;
    if (run.returnsSequences) {
        outputs.push_back(run.isBackwards ? reversedOverTime(ctx, result.y, run.batchMajor) : result.y);
    } else {
        outputs.push_back(lastOutput(ctx, result, cells, run));
    }
    if (run.returnsState) {
        outputs.insert(outputs.end(), result.states.begin(), result.states.end());
    }
    return outputs;
}

OnnxValues mergedDirections(const Layer& layer, OnnxValue forward, OnnxValue backward)
{
    const NodeContext& ctx = layer.ctx;
    if (!layer.settings.has("merge_mode")) {
        return {forward, backward};
    }
    const std::string mode = layer.settings.text("merge_mode");
    if (mode == "concat") {
        return {emit::concat(ctx, {forward, backward}, static_cast<std::int64_t>(ctx.rank(forward)) - 1)};
    }
    if (mode == "sum") {
        return {ctx.emit("Add", {forward, backward})};
    }
    if (mode == "mul") {
        return {ctx.emit("Mul", {forward, backward})};
    }
    if (mode == "ave") {
        const OnnxValue sum = ctx.emit("Add", {forward, backward});
        return {ctx.emit("Mul", {sum, emit::scalarLike(ctx, sum, 0.5)})};
    }
    layer.ctx.invalid(fmt::format("merge_mode {} is not one of Keras", mode), "merge_mode");
}

/// The two halves as one layer of both directions; nothing if they differ, or are more than a plain layer each.
std::optional<RecurrentLayer> bothDirections(const std::vector<RecurrentLayer>& forward,
                                             const std::vector<RecurrentLayer>& backward, const Run& ahead,
                                             const Run& back, bool hasStates)
{
    if (forward.size() != 1 || backward.size() != 1 || ahead.isBackwards || !back.isBackwards || hasStates) {
        return std::nullopt;
    }
    const RecurrentLayer& a = forward.front();
    const RecurrentLayer& b = backward.front();
    const bool isSame = a.kind == b.kind && a.hidden == b.hidden && a.activations == b.activations &&
                        a.resetAfter == b.resetAfter && a.cells.front().bias.size() == b.cells.front().bias.size() &&
                        ahead.zerosWhereMasked == back.zerosWhereMasked;
    if (!isSame || (ahead.mask && ahead.zerosWhereMasked && !ahead.returnsSequences)) {
        return std::nullopt;
    }
    RecurrentLayer both = a;
    both.direction = LayerDirection::Bidirectional;
    both.cells.push_back(b.cells.front());
    return both;
}

OnnxValues splitDirections(const NodeContext& ctx, OnnxValue state)
{
    OnnxValues parts = emit::split(ctx, state, 0, {1, 1});
    for (OnnxValue& part : parts) {
        part = emit::squeeze(ctx, part, {0});
    }
    return parts;
}

/// Both halves in one layer of ONNX.
OnnxValues jointly(const Layer& layer, RecurrentLayer form, OnnxValue x, const Run& run)
{
    const NodeContext& ctx = layer.ctx;
    form.batchMajor = run.batchMajor;
    form.mask = run.mask;
    form.fusesMasksOfLengths = true;
    form.pastEnd = run.zerosWhereMasked ? PastEnd::Zero : PastEnd::RepeatLast;
    const RecurrentOutputs made = recurrentLayer(layer.ctx, form, x);
    OnnxValues outputs;
    if (run.returnsSequences && layer.settings.text("merge_mode") == "concat") {
        outputs = {made.y};
    } else if (run.returnsSequences) {
        const OnnxValues halves = emit::split(ctx, made.y, 2, {form.hidden, form.hidden});
        outputs = mergedDirections(layer, halves[0], halves[1]);
    } else {
        const OnnxValues halves = splitDirections(ctx, made.h);
        outputs = mergedDirections(layer, halves[0], halves[1]);
    }
    if (run.returnsState) {
        const OnnxValues h = splitDirections(ctx, made.h);
        const OnnxValues c = form.kind == CellKind::Lstm ? splitDirections(ctx, made.c) : OnnxValues();
        for (std::size_t i = 0; i < 2; ++i) {
            outputs.push_back(h[i]);
            if (!c.empty()) {
                outputs.push_back(c[i]);
            }
        }
    }
    return outputs;
}

/// Two layers of another kind, each with its own direction in its settings; a backward layer without settings of its
/// own goes through the steps in the other order.
OnnxValues ofConvolutions(const Layer& layer, const Layer& forward, const Layer& own, bool hasOwnBackward)
{
    const Layer backward =
        hasOwnBackward ? own
                       : layer.inner("layer", "backward_layer", {reversedOverTime(layer.ctx, layer.input(0), true)});
    if (forward.settings.boolean("go_backwards", false) ||
        (hasOwnBackward && !backward.settings.boolean("go_backwards", false))) {
        layer.refuse("a Bidirectional of ConvLSTM whose halves are not one ahead and one backwards", "backward_layer");
    }
    OnnxValues ahead = translateLayer(forward);
    OnnxValues back = translateLayer(backward);
    const bool isSequence = forward.settings.boolean("return_sequences", false);
    const OnnxValue second = isSequence ? reversedOverTime(layer.ctx, back.front(), true) : back.front();
    OnnxValues outputs = mergedDirections(layer, ahead.front(), second);
    outputs.insert(outputs.end(), ahead.iteratorAt(1), ahead.end());
    outputs.insert(outputs.end(), back.iteratorAt(1), back.end());
    return outputs;
}

/// Throws if the halves of a layer do not return the same kinds of results.
void requireSameResults(const Layer& layer, const Run& ahead, const Run& back)
{
    const char* setting = ahead.returnsSequences != back.returnsSequences ? "return_sequences"
                          : ahead.returnsState != back.returnsState       ? "return_state"
                                                                          : nullptr;
    if (setting != nullptr) {
        layer.ctx.invalid(fmt::format("its halves differ in {}", setting),
                          fmt::format("backward_layer.config.{}", setting));
    }
}

/// Both halves, in the type in which they compute.
OnnxValues ofHalves(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue mask = timeMask(layer);
    const bool hasOwnBackward = layer.settings.hasBelow("backward_layer");
    const Layer forward = layer.inner("layer", "forward_layer", {layer.input(0)});
    const Layer backward = layer.inner(hasOwnBackward ? "backward_layer" : "layer", "backward_layer", {layer.input(0)});
    if (forward.computeType() != backward.computeType()) {
        layer.refuse("halves that compute in different types", "backward_layer");
    }
    const OnnxValue x = forward.input(0);
    if (forward.op().starts_with("ConvLSTM") && backward.op() == forward.op() && !mask && layer.inputCount() == 1 &&
        layer.allNamed("initial_state").empty()) {
        return ofConvolutions(layer, forward, backward, hasOwnBackward);
    }
    const std::vector<RecurrentLayer> ahead = cellsOf(forward);
    const std::vector<RecurrentLayer> back = cellsOf(backward);
    Run runAhead = runOf(forward, mask);
    Run runBack = runOf(backward, mask);
    requireSameResults(layer, runAhead, runBack);
    if (hasOwnBackward && runAhead.isBackwards == runBack.isBackwards) {
        ctx.invalid("both halves have the same go_backwards", "backward_layer.config.go_backwards");
    }
    if (isOfTensorflowOrNewer(ctx.graph)) { // what the settings of the halves say does not count
        runAhead.zerosWhereMasked = runAhead.returnsSequences;
        runBack.zerosWhereMasked = runBack.returnsSequences;
    }
    if (!hasOwnBackward) {
        runBack.isBackwards = !runAhead.isBackwards;
    }
    OnnxValues initial = initialStates(layer, stateCount(ahead) + stateCount(back));
    std::ranges::for_each(initial, [&](OnnxValue& state) { state = emit::cast(ctx, state, ctx.element(x)); });
    const auto split = initial.iteratorAt(initial.empty() ? 0 : stateCount(ahead));
    if (const auto both = bothDirections(ahead, back, runAhead, runBack, !initial.empty())) {
        return jointly(layer, *both, x, runAhead);
    }
    const Result first = ran(layer, ahead, x, OnnxValues(initial.begin(), split), runAhead);
    const Result second = ran(layer, back, x, OnnxValues(split, initial.end()), runBack);
    OnnxValues outputs;
    if (runAhead.returnsSequences) {
        // Each half returns its steps in the order of processing; the second is turned around again before merging.
        const OnnxValue a = runAhead.isBackwards ? reversedOverTime(ctx, first.y, runAhead.batchMajor) : first.y;
        const OnnxValue b = runBack.isBackwards ? second.y : reversedOverTime(ctx, second.y, runBack.batchMajor);
        outputs = mergedDirections(layer, a, b);
    } else {
        outputs =
            mergedDirections(layer, lastOutput(ctx, first, ahead, runAhead), lastOutput(ctx, second, back, runBack));
    }
    if (runAhead.returnsState) {
        outputs.insert(outputs.end(), first.states.begin(), first.states.end());
        outputs.insert(outputs.end(), second.states.begin(), second.states.end());
    }
    return outputs;
}

/// Keras 3 casts what the halves return, but not their states, to the type of the layer around them.
OnnxValues bidirectional(const Layer& layer)
{
    OnnxValues outputs = ofHalves(layer);
    const auto type = layer.computeType();
    if (layer.major() < 3 || !type || *type == ElementType::BFloat16) {
        return outputs;
    }
    const std::size_t merged = layer.settings.has("merge_mode") ? 1 : 2;
    for (std::size_t i = 0; i < std::min(merged, outputs.size()); ++i) {
        outputs[i] = emit::cast(layer.ctx, outputs[i], *type);
    }
    return outputs;
}

} // namespace

std::span<const OpRow> recurrentLayers()
{
    static constexpr OpRow rows[] = {
        {"Bidirectional", bidirectional, "LSTM; GRU; RNN; Scan", Support::ExactWithStrategy,
         "a Scan of the step for masks and for activations that ONNX's operators lack"},
        {"CuDNNGRU", recurrent, "GRU; Scan", Support::ExactWithStrategy},
        {"CuDNNLSTM", recurrent, "LSTM; Scan", Support::ExactWithStrategy},
        {"GRU", recurrent, "GRU; Scan", Support::ExactWithStrategy,
         "a Scan of the step for masks and for activations that ONNX's operators lack"},
        {"LSTM", recurrent, "LSTM; Scan", Support::ExactWithStrategy,
         "a Scan of the step for masks and for activations that ONNX's operators lack"},
        {"RNN", recurrent, "LSTM; GRU; RNN; Scan", Support::ExactWithStrategy,
         "of cells of Keras; a Scan of the step for masks and for activations that ONNX's operators lack"},
        {"SimpleRNN", recurrent, "RNN; Scan", Support::ExactWithStrategy,
         "a Scan of the step for masks and for activations that ONNX's operators lack"},
    };
    return rows;
}

} // namespace crosswalk::keras
