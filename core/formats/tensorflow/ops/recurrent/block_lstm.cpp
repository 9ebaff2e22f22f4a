// BlockLSTM and BlockLSTMV2: an LSTM over a sequence, (time, batch, features), that returns every inner value.

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/recurrent/joined_weights.h"
#include "core/formats/tensorflow/ops/recurrent/read_outputs.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

enum Input : std::uint8_t { SeqLenMax, X, CsPrev, HPrev, W, Wci, Wcf, Wco, B };
enum Output : std::uint8_t { I, Cs, F, O, Ci, Co, H };

/// From the bias, which is stored more often than the shape of a state is known.
std::int64_t hiddenOf(const NodeContext& ctx)
{
    const auto& bias = ctx.onnx.shape(ctx.input(B));
    return bias && bias->size() == 1 && bias->front().isFixed() ? bias->front().size / 4
                                                                : ctx.fixedDim(ctx.input(CsPrev), 1);
}

/// The inner values of BlockLSTM for all steps at once: the gates from the input and from the previous state.
class InnerValues {
public:
    InnerValues(const NodeContext& ctx, std::string_view gateOrder, double forgetBias, bool hasPeepholes,
                const forms::RecurrentOutputs& made)
        : m_ctx(ctx)
        , m_order(gateOrder)
        , m_forgetBias(forgetBias)
        , m_hasPeepholes(hasPeepholes)
        , m_cells(made.cells)
    {
        const OnnxValue previousH = previous(ctx.input(HPrev), made.y);
        const OnnxValue both = emit::concat(ctx, {ctx.input(X), previousH}, 2);
        const OnnxValue sums = ctx.emit("Add", {ctx.emit("MatMul", {both, ctx.input(W)}), ctx.input(B)});
        const std::int64_t hidden = hiddenOf(ctx);
        m_parts = emit::split(ctx, sums, 2, Ints(4, hidden));
        m_previousCells = previous(ctx.input(CsPrev), m_cells);
    }

    OnnxValue input() const { return gate('i', m_previousCells, Wci, 0); }
    OnnxValue forget() const { return gate('f', m_previousCells, Wcf, m_forgetBias); }
    OnnxValue output() const { return gate('o', m_cells, Wco, 0); }
    OnnxValue candidate() const { return m_ctx.emit("Tanh", {part('c')}); }

private:
    /// The values before each step: the initial one, then all except the last.
    OnnxValue previous(OnnxValue initial, OnnxValue all) const
    {
        return emit::concat(
            m_ctx, {emit::unsqueeze(m_ctx, initial, {0}), emit::slice(m_ctx, all, Ints{0}, Ints{-1}, Ints{0})}, 0);
    }

    OnnxValue part(char letter) const { return m_parts[m_order.find(letter)]; }

    OnnxValue gate(char letter, OnnxValue cells, Input peephole, double bias) const
    {
        OnnxValue sum = part(letter);
        if (bias != 0) {
            sum = m_ctx.emit("Add", {sum, emit::scalarLike(m_ctx, sum, bias)});
        }
        if (m_hasPeepholes) {
            sum = m_ctx.emit("Add", {sum, m_ctx.emit("Mul", {cells, m_ctx.input(peephole)})});
        }
        return m_ctx.emit("Sigmoid", {sum});
    }

    const NodeContext& m_ctx;
    std::string_view m_order;
    double m_forgetBias;
    bool m_hasPeepholes;
    OnnxValue m_cells;
    OnnxValue m_previousCells;
    OnnxValues m_parts;
};

forms::CellWeights weightsOf(const NodeContext& ctx, std::int64_t hidden, bool hasPeepholes)
{
    forms::CellWeights cell = joinedWeights(ctx, ctx.input(W), hidden, ctx.input(B));
    if (hasPeepholes) {
        cell.peepholeInput = ctx.input(Wci);
        cell.peepholeForget = ctx.input(Wcf);
        cell.peepholeOutput = ctx.input(Wco);
    }
    return cell;
}

OnnxValues blockLstm(NodeContext& ctx)
{
    const Settings settings(ctx);
    const bool isOlder = ctx.node.op == "BlockLSTM";
    const bool hasPeepholes = settings.boolean("use_peephole");
    const double clip = settings.number("cell_clip");
    const auto isRead = readOutputs(ctx);
    const bool readsGates = isRead[I] || isRead[F] || isRead[O] || isRead[Ci];
    const OnnxValue x = ctx.input(X);
    const std::int64_t hidden = hiddenOf(ctx);

    forms::RecurrentLayer layer{.kind = forms::CellKind::Lstm,
                                .hidden = hidden,
                                .cells = {weightsOf(ctx, hidden, hasPeepholes)},
                                .gateOrder = isOlder ? "icfo" : "ifco",
                                .weightLayout = forms::WeightLayout::GateColumns,
                                .forgetBias = isOlder ? settings.number("forget_bias") : 0.0,
                                .h = {.value = ctx.input(HPrev)},
                                .c = {.value = ctx.input(CsPrev)}};
    if (clip > 0) {
        layer.cellClip = forms::StateClip{-clip, clip, false, "cell_clip"};
    }
    layer.needsCells = isRead[Cs] || isRead[Co] || readsGates;
    const OnnxValue batch = emit::dimVector(ctx, x, 1);
    layer.lengths = emit::expand(ctx, ctx.input(SeqLenMax), batch);
    const forms::RecurrentOutputs made = forms::recurrentLayer(ctx, layer, x);

    OnnxValues outputs(7);
    outputs[H] = made.y;
    if (layer.needsCells) {
        // Past the end the form holds the state, and BlockLSTM returns zeros.
        const OnnxValue step = emit::unsqueeze(ctx, countUp(ctx, x, 0), {1, 2});
        const OnnxValue isTaken = ctx.emit("Less", {step, emit::cast(ctx, ctx.input(SeqLenMax), ElementType::Int64)});
        outputs[Cs] = ctx.emit("Where", {isTaken, made.cells, emit::scalarLike(ctx, made.cells, 0)});
        outputs[Co] = ctx.emit("Tanh", {made.cells});
    }
    if (readsGates) {
        const InnerValues inner(ctx, layer.gateOrder, layer.forgetBias, hasPeepholes, made);
        outputs[I] = inner.input();
        outputs[F] = inner.forget();
        outputs[O] = inner.output();
        outputs[Ci] = inner.candidate();
    }
    return outputs;
}

} // namespace

std::span<const OpRow> blockLstmOps()
{
    static constexpr OpRow rows[] = {
        {"BlockLSTM", blockLstm, "LSTM; Scan", "a Scan of the step if cell states are read or clipped",
         Support::ExactWithStrategy},
        {"BlockLSTMV2", blockLstm, "LSTM; Scan", "a Scan of the step if cell states are read or clipped",
         Support::ExactWithStrategy},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
