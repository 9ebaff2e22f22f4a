// The form of a recurrent layer in ONNX Runtime against its equations (recurrent_layer.h), with everything that an
// adapter can describe drawn at random from fixed seeds.

#include "tests/support/form_run.h"

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_layer.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <random>

using namespace crosswalk;
using namespace crosswalk::forms;

namespace {

using Doubles = std::vector<double>;

/// How weights reach the form.
enum class Storage : std::uint8_t { Stored, Computed };
/// Into how many values the gates of a weight are cut.
enum class Cut : std::uint8_t { Whole, ByGate, FirstGateApart };
enum class Bias : std::uint8_t { None, Combined, Apart };

/// Activations by name, as the test computes them; the last is none of ONNX's.
double activationValue(std::string_view name, double x)
{
    const double softplus = std::log1p(std::exp(x));
    return name == "Sigmoid"       ? 1 / (1 + std::exp(-x))
           : name == "Tanh"        ? std::tanh(x)
           : name == "Relu"        ? std::max(x, 0.0)
           : name == "HardSigmoid" ? std::clamp(0.2 * x + 0.5, 0.0, 1.0)
           : name == "Affine"      ? 0.5 * x + 0.25
           : name == "LeakyRelu"   ? (x < 0 ? 0.125 * x : x)
           : name == "Elu"         ? (x < 0 ? 0.75 * std::expm1(x) : x)
           : name == "ScaledTanh"  ? 1.5 * std::tanh(0.5 * x)
           : name == "Softsign"    ? x / (1 + std::abs(x))
           : name == "Softplus"    ? softplus
                                   : x / (1 + std::exp(-x));
}

OnnxValue emitSwish(const NodeContext& ctx, OnnxValue x)
{
    return ctx.onnx.add("Mul", {x, ctx.onnx.add("Sigmoid", {x})});
}

constexpr RecurrentActivation activationsToDraw[] = {
    sigmoidActivation,
    tanhActivation,
    reluActivation,
    {.name = "HardSigmoid", .alpha = 0.2F, .beta = 0.5F},
    {.name = "Affine", .alpha = 0.5F, .beta = 0.25F},
    {.name = "LeakyRelu", .alpha = 0.125F},
    {.name = "Elu", .alpha = 0.75F},
    {.name = "ScaledTanh", .alpha = 1.5F, .beta = 0.5F},
    {.name = "Softsign"},
    {.name = "Softplus"},
    {.name = "", .custom = emitSwish},
};

class Draw {
public:
    explicit Draw(unsigned seed)
        : m_generator(seed)
    {
    }
    std::int64_t from(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution<std::int64_t>(low, high)(m_generator);
    }
    bool chance(std::int64_t outOf = 2) { return from(1, outOf) == 1; }
    /// Multiples of 1/64 in (-1, 1), which every type holds.
    Doubles numbers(std::int64_t count)
    {
        Doubles values(static_cast<std::size_t>(count));
        for (double& value : values) {
            value = static_cast<double>(from(-63, 63)) / 64;
        }
        return values;
    }
    auto& generator() { return m_generator; }

private:
    std::mt19937 m_generator;
};

/// Weights of one direction by gate, in ONNX's order of gates.
struct Cell {
    std::vector<Doubles> w; ///< (hidden, features) each
    std::vector<Doubles> r; ///< (hidden, outputSize) each
    std::vector<Doubles> b; ///< (hidden) each; zeros where there are none
    std::vector<Doubles> rb;
    Doubles projection;  ///< (projection, hidden)
    Doubles peephole[3]; ///< i, o, f
};

struct Case {
    RecurrentLayer layer; ///< without values
    std::vector<Cell> cells;
    std::int64_t features = 0;
    std::int64_t steps = 0;
    std::int64_t batch = 0;
    bool hasInput = true;
    bool hasPeepholes = false;
    Bias bias = Bias::None;
    Storage storage = Storage::Stored;
    Cut cut = Cut::Whole;
    bool isFlat = false;
    bool givesStates = false;
    std::int64_t rowsBefore = 0; ///< rows of other layers around the states
    bool isOpen = false;
    bool hasLengths = false;
    bool hasMask = false;
    ElementType type = ElementType::Float32;
    Strategy strategy = Strategy::Exact;
    int opset = 17;
    Doubles x; ///< (time, batch, features)
    Doubles h; ///< (directions, batch, outputSize)
    Doubles c;
    std::vector<std::int32_t> lengths;
    std::vector<bool> mask; ///< (time, batch)

    std::int64_t directions() const { return layer.directions(); }
    std::int64_t gates() const { return layer.gates(); }
    bool isLstm() const { return layer.kind == CellKind::Lstm; }
    std::string order() const
    {
        return !layer.gateOrder.empty() ? std::string(layer.gateOrder) : isLstm() ? "iofc" : gates() == 3 ? "zrh" : "i";
    }
    bool takes(std::int64_t t, std::int64_t n) const
    {
        return (!hasLengths || t < lengths[static_cast<std::size_t>(n)]) &&
               (!hasMask || mask[static_cast<std::size_t>(t * batch + n)]);
    }
    std::string description() const
    {
        std::string activations;
        for (const auto& each : layer.activations) {
            activations += fmt::format("{} ", each.isOnnx() ? each.name : "swish");
        }
        return fmt::format(
            "kind {} direction {} order {} {} H{} P{} F{} T{} N{} {}{}bias {} {} cut {} {}{}{}{}{}{}{}{}{}{}{}{} "
            "opset {}",
            static_cast<int>(layer.kind), static_cast<int>(layer.direction), order(),
            layer.weightLayout == WeightLayout::GateRows ? "rows" : "columns", layer.hidden,
            layer.projection ? layer.projection->size : 0, features, steps, batch, hasInput ? "" : "no-W ",
            hasPeepholes ? "peepholes " : "", static_cast<int>(bias),
            storage == Storage::Stored ? "stored" : "computed", static_cast<int>(cut), isFlat ? "flat " : "",
            layer.gateClip ? "gateclip " : "", layer.cellClip ? "cellclip " : "", layer.resetAfter ? "after " : "",
            givesStates ? "states " : "", isOpen ? "open " : "", hasLengths ? "lengths " : "", hasMask ? "mask " : "",
            layer.pastEnd == PastEnd::RepeatLast ? "repeat " : "", layer.batchMajor ? "NTC " : "", activations,
            strategyName(strategy), opset);
    }
};

std::string_view drawnOrder(Draw& draw, CellKind kind)
{
    static constexpr std::string_view lstm[] = {"", "ifco", "icfo", "cifo", "ifoc"};
    static constexpr std::string_view gru[] = {"", "rzh", "hrz", "zrh", "rhz"};
    const auto i = static_cast<std::size_t>(draw.from(0, 4));
    return kind == CellKind::Lstm ? lstm[i] : kind == CellKind::Gru ? gru[i] : "";
}

std::optional<StateClip> drawnClip(Draw& draw)
{
    return StateClip{-0.125 * static_cast<double>(draw.from(1, 4)), 0.125 * static_cast<double>(draw.from(1, 4)), false,
                     "clip"};
}

void drawLayer(Draw& draw, Case& made)
{
    RecurrentLayer& layer = made.layer;
    layer.kind = std::array{CellKind::Rnn, CellKind::Lstm, CellKind::Lstm,
                            CellKind::Gru}[static_cast<std::size_t>(draw.from(0, 3))];
    layer.direction = std::array{LayerDirection::Forward, LayerDirection::Reverse,
                                 LayerDirection::Bidirectional}[static_cast<std::size_t>(draw.from(0, 2))];
    layer.hidden = draw.from(1, 4);
    layer.gateOrder = drawnOrder(draw, layer.kind);
    layer.weightLayout = draw.chance() ? WeightLayout::GateRows : WeightLayout::GateColumns;
    if (layer.kind == CellKind::Lstm) {
        layer.forgetBias = draw.chance() ? 1.0 : 0.0;
        if (draw.chance(4)) {
            layer.cellClip = drawnClip(draw);
        }
        if (draw.chance(4)) {
            layer.projection = {.size = draw.from(1, 4), .clip = {}, .attribute = "projection"};
            if (draw.chance()) {
                layer.projection->clip = drawnClip(draw);
            }
        }
        made.hasPeepholes = draw.chance(3);
        layer.needsCells = draw.chance(4);
    }
    if (draw.chance(3)) {
        const std::int64_t most = draw.chance(3) ? 10 : 9; // the last is none of ONNX's
        for (int i = 0; i < (layer.kind == CellKind::Lstm ? 3 : layer.kind == CellKind::Gru ? 2 : 1); ++i) {
            layer.activations.push_back(activationsToDraw[draw.from(0, most)]);
        }
    }
    if (draw.chance(4)) {
        layer.gateClip = 0.5;
    }
    layer.resetAfter = layer.kind == CellKind::Gru && draw.chance();
    layer.pastEnd = draw.chance() ? PastEnd::Zero : PastEnd::RepeatLast;
    layer.batchMajor = draw.chance();
}

void drawWeights(Draw& draw, Case& made)
{
    const std::int64_t n = made.layer.hidden;
    for (std::int64_t d = 0; d < made.directions(); ++d) {
        Cell& cell = made.cells.emplace_back();
        for (std::int64_t gate = 0; gate < made.gates(); ++gate) {
            cell.w.push_back(draw.numbers(n * made.features));
            cell.r.push_back(draw.numbers(n * made.layer.outputSize()));
            cell.b.push_back(made.bias == Bias::None ? Doubles(static_cast<std::size_t>(n)) : draw.numbers(n));
            cell.rb.push_back(made.bias == Bias::Apart ? draw.numbers(n) : Doubles(static_cast<std::size_t>(n)));
        }
        if (made.layer.projection) {
            cell.projection = draw.numbers(made.layer.projection->size * n);
        }
        for (Doubles& each : cell.peephole) {
            each = made.hasPeepholes ? draw.numbers(n) : Doubles(static_cast<std::size_t>(n));
        }
    }
}

Case drawCase(unsigned seed)
{
    Draw draw(seed);
    Case made;
    drawLayer(draw, made);
    made.hasInput = made.directions() == 2 || !draw.chance(5);
    made.features = made.hasInput ? draw.from(1, 3) : made.gates() * made.layer.hidden;
    made.steps = draw.from(1, 5);
    made.batch = draw.from(1, 3);
    made.bias = std::array{Bias::None, Bias::Combined, Bias::Apart}[static_cast<std::size_t>(draw.from(0, 2))];
    made.storage = draw.chance(3) ? Storage::Computed : Storage::Stored;
    made.cut = std::array{Cut::Whole, Cut::ByGate, Cut::FirstGateApart}[static_cast<std::size_t>(draw.from(0, 2))];
    made.isFlat = draw.chance(4);
    made.givesStates = draw.chance();
    made.rowsBefore = draw.chance(3) ? made.directions() : 0;
    made.hasLengths = draw.chance();
    made.hasMask = draw.chance(5);
    made.type = draw.chance(4) ? ElementType::Float64 : ElementType::Float32;
    made.strategy = draw.chance(3) ? Strategy::Unrolled : Strategy::Exact;
    made.isOpen = made.strategy == Strategy::Exact && draw.chance();
    made.opset = std::array{11, 13, 17, 21}[static_cast<std::size_t>(draw.from(0, 3))];
    drawWeights(draw, made);
    made.x = draw.numbers(made.steps * made.batch * made.features);
    made.h.resize(static_cast<std::size_t>(made.directions() * made.batch * made.layer.outputSize()));
    made.c.resize(static_cast<std::size_t>(made.directions() * made.batch * made.layer.hidden));
    if (made.givesStates) {
        made.h = draw.numbers(static_cast<std::int64_t>(made.h.size()));
        made.c = draw.numbers(static_cast<std::int64_t>(made.c.size()));
    }
    for (std::int64_t i = 0; i < made.batch; ++i) {
        made.lengths.push_back(static_cast<std::int32_t>(draw.from(1, made.steps)));
    }
    for (std::int64_t i = 0; i < made.steps * made.batch; ++i) {
        made.mask.push_back(draw.chance());
    }
    made.layer.fusesMasksOfLengths = draw.chance();
    if (draw.chance()) { // a mask that leaves out last steps only
        for (std::int64_t t = 0; t < made.steps; ++t) {
            for (std::int64_t n = 0; n < made.batch; ++n) {
                made.mask[static_cast<std::size_t>(t * made.batch + n)] = t < made.lengths[static_cast<std::size_t>(n)];
            }
        }
    }
    return made;
}

// ---- the equations ----

struct Reference {
    const Case& of;
    const Cell& cell;
    Doubles h;
    Doubles c;

    double clipped(double x, const std::optional<StateClip>& clip) const
    {
        return clip ? std::clamp(x, clip->low, clip->high) : x;
    }
    double active(std::size_t i, double x) const
    {
        const double bound = of.layer.gateClip.value_or(1e9);
        const RecurrentActivation f = of.layer.activation(i);
        const bool isOutput = of.isLstm() && i == 2; // of the cell state, which no gate clip bounds
        return activationValue(f.name, isOutput ? x : std::clamp(x, -bound, bound));
    }
    /// W x of a gate (ONNX's number) and unit, with the bias.
    double input(std::size_t gate, std::size_t k, const double* x) const
    {
        double sum = cell.b[gate][k];
        if (!of.hasInput) {
            static constexpr std::string_view onnx[] = {"i", "", "zrh", "iofc"};
            const std::size_t place = of.order().find(onnx[of.gates() - 1][gate]);
            return sum + x[place * static_cast<std::size_t>(of.layer.hidden) + k];
        }
        for (std::size_t j = 0; j < static_cast<std::size_t>(of.features); ++j) {
            sum += cell.w[gate][k * static_cast<std::size_t>(of.features) + j] * x[j];
        }
        return sum;
    }
    double recurrent(std::size_t gate, std::size_t k, const Doubles& state) const
    {
        double sum = 0;
        for (std::size_t j = 0; j < state.size(); ++j) {
            sum += cell.r[gate][k * state.size() + j] * state[j];
        }
        return sum;
    }

    void step(const double* x)
    {
        const auto n = static_cast<std::size_t>(of.layer.hidden);
        Doubles next(n);
        const auto sum = [&](std::size_t gate, std::size_t k) {
            return input(gate, k, x) + recurrent(gate, k, h) + cell.rb[gate][k];
        };
        if (of.layer.kind == CellKind::Rnn) {
            for (std::size_t k = 0; k < n; ++k) {
                next[k] = active(0, sum(0, k));
            }
        } else if (of.isLstm()) {
            for (std::size_t k = 0; k < n; ++k) {
                const double i = active(0, sum(0, k) + cell.peephole[0][k] * c[k]);
                const double f = active(0, sum(2, k) + of.layer.forgetBias + cell.peephole[2][k] * c[k]);
                c[k] = clipped(f * c[k] + i * active(1, sum(3, k)), of.layer.cellClip);
                next[k] = active(0, sum(1, k) + cell.peephole[1][k] * c[k]) * active(2, c[k]);
            }
        } else {
            Doubles r(n);
            for (std::size_t k = 0; k < n; ++k) {
                r[k] = active(0, sum(1, k));
            }
            Doubles reset = h;
            for (std::size_t k = 0; k < n; ++k) {
                reset[k] *= r[k];
            }
            for (std::size_t k = 0; k < n; ++k) {
                const double z = active(0, sum(0, k));
                const double fromState = of.layer.resetAfter ? r[k] * (recurrent(2, k, h) + cell.rb[2][k])
                                                             : recurrent(2, k, reset) + cell.rb[2][k];
                next[k] = (1 - z) * active(1, input(2, k, x) + fromState) + z * h[k];
            }
        }
        if (of.layer.projection) {
            Doubles projected(static_cast<std::size_t>(of.layer.projection->size));
            for (std::size_t k = 0; k < projected.size(); ++k) {
                for (std::size_t j = 0; j < n; ++j) {
                    projected[k] += cell.projection[k * n + j] * next[j];
                }
                projected[k] = clipped(projected[k], of.layer.projection->clip);
            }
            next = projected;
        }
        h = next;
    }
};

struct Expected {
    Doubles y; ///< in the layout of the layer
    Doubles h;
    Doubles c;
    Doubles cells;
};

Doubles batchFirst(const Doubles& values, std::int64_t steps, std::int64_t batch)
{
    const auto width = static_cast<std::int64_t>(values.size()) / (steps * batch);
    Doubles result;
    for (std::int64_t n = 0; n < batch; ++n) {
        for (std::int64_t t = 0; t < steps; ++t) {
            const auto first = values.begin() + (t * batch + n) * width;
            result.insert(result.end(), first, first + width);
        }
    }
    return result;
}

Expected expectedOf(const Case& of)
{
    const auto outputs = static_cast<std::size_t>(of.layer.outputSize());
    const auto hidden = static_cast<std::size_t>(of.layer.hidden);
    const auto directions = static_cast<std::size_t>(of.directions());
    const auto rows = static_cast<std::size_t>(of.steps * of.batch);
    Expected made{Doubles(rows * directions * outputs), of.h, of.c, Doubles(rows * directions * hidden)};
    for (std::size_t d = 0; d < directions; ++d) {
        const bool isReverse = d == 1 || of.layer.direction == LayerDirection::Reverse;
        for (std::int64_t n = 0; n < of.batch; ++n) {
            const auto row = d * static_cast<std::size_t>(of.batch) + static_cast<std::size_t>(n);
            const auto part = [&](const Doubles& all, std::size_t width) {
                const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * width);
                return Doubles(first, first + static_cast<std::ptrdiff_t>(width));
            };
            Reference state{of, of.cells[d], part(of.h, outputs), part(of.c, hidden)};
            Doubles last(outputs);
            for (std::int64_t i = 0; i < of.steps; ++i) {
                const std::int64_t t = isReverse ? of.steps - 1 - i : i;
                const auto sample = static_cast<std::size_t>(t * of.batch + n);
                Doubles output(outputs);
                if (of.takes(t, n)) {
                    state.step(&of.x[sample * static_cast<std::size_t>(of.features)]);
                    output = last = state.h;
                } else if (of.layer.pastEnd == PastEnd::RepeatLast) {
                    output = last;
                }
                std::ranges::copy(output,
                                  made.y.begin() + static_cast<std::ptrdiff_t>((sample * directions + d) * outputs));
                std::ranges::copy(state.c,
                                  made.cells.begin() + static_cast<std::ptrdiff_t>((sample * directions + d) * hidden));
            }
            std::ranges::copy(state.h, made.h.begin() + static_cast<std::ptrdiff_t>(row * outputs));
            std::ranges::copy(state.c, made.c.begin() + static_cast<std::ptrdiff_t>(row * hidden));
        }
    }
    if (of.layer.batchMajor) {
        made.y = batchFirst(made.y, of.steps, of.batch);
        made.cells = batchFirst(made.cells, of.steps, of.batch);
    }
    return made;
}

// ---- the layer as an adapter describes it ----

class Adapter {
public:
    Adapter(const Case& of, test::FormRun& run)
        : m_of(of)
        , m_run(run)
    {
    }

    RecurrentLayer layer()
    {
        RecurrentLayer layer = m_of.layer;
        const std::int64_t n = layer.hidden;
        for (const Cell& cell : m_of.cells) {
            CellWeights& weights = layer.cells.emplace_back();
            if (m_of.hasInput) {
                weights.input = matrix(cell.w, m_of.features);
            }
            weights.recurrent = matrix(cell.r, layer.outputSize());
            weights.bias = m_of.bias == Bias::None ? OnnxValues{} : vector(cell.b);
            weights.recurrentBias = m_of.bias == Bias::Apart ? vector(cell.rb) : OnnxValues{};
            if (layer.projection) {
                weights.projection = matrixPart({cell.projection}, n, false);
            }
            if (m_of.hasPeepholes) {
                weights.peepholeInput = value({n}, cell.peephole[0]);
                weights.peepholeOutput = value({n}, cell.peephole[1]);
                weights.peepholeForget = value({n}, cell.peephole[2]);
            }
        }
        if (m_of.givesStates) {
            layer.h = state(m_of.h, layer.outputSize());
            layer.c = state(m_of.c, n);
        }
        if (m_of.hasLengths) {
            layer.lengths = m_run.input(Tensor::of<std::int32_t>(ElementType::Int32, {m_of.batch}, m_of.lengths),
                                        Shape{batchDim()});
        }
        if (m_of.hasMask) {
            layer.mask = mask();
        }
        return layer;
    }

    OnnxValue x()
    {
        const bool batchMajor = m_of.layer.batchMajor;
        Ints dims{m_of.steps, m_of.batch, m_of.features};
        Shape shape{timeDim(), batchDim(), Dim(m_of.features)};
        if (batchMajor) {
            std::swap(dims[0], dims[1]);
            std::swap(shape[0], shape[1]);
        }
        return m_run.input(tensor(dims, batchMajor ? batchFirst(m_of.x, m_of.steps, m_of.batch) : m_of.x), shape);
    }

private:
    Dim timeDim() const { return m_of.isOpen ? Dim(std::string("T")) : Dim(m_of.steps); }
    Dim batchDim() const { return m_of.isOpen ? Dim(std::string("N")) : Dim(m_of.batch); }

    Tensor tensor(const Ints& dims, const Doubles& values) const
    {
        return Tensor::of<double>(ElementType::Float64, dims, values).converted(m_of.type);
    }
    OnnxValue value(const Ints& dims, const Doubles& values)
    {
        return m_of.storage == Storage::Stored ? m_run.stored(tensor(dims, values)) : m_run.input(tensor(dims, values));
    }

    /// Gates in the order of the layer, cut as the case has it: the numbers of the gates of each part.
    std::vector<std::vector<std::size_t>> parts() const
    {
        static constexpr std::string_view onnx[] = {"i", "", "zrh", "iofc"};
        std::vector<std::vector<std::size_t>> all;
        for (const char letter : m_of.order()) {
            const bool joins =
                !all.empty() && (m_of.cut == Cut::Whole || (m_of.cut == Cut::FirstGateApart && all.size() == 2));
            if (!joins) {
                all.emplace_back();
            }
            all.back().push_back(onnx[m_of.gates() - 1].find(letter));
        }
        return all;
    }

    OnnxValue matrixPart(const std::vector<Doubles>& gates, std::int64_t columns, bool mayBeFlat)
    {
        Doubles rows;
        for (const Doubles& gate : gates) {
            rows.insert(rows.end(), gate.begin(), gate.end());
        }
        const auto size = static_cast<std::int64_t>(rows.size());
        if (m_of.isFlat && mayBeFlat) {
            return value({size}, rows);
        }
        if (m_of.layer.weightLayout == WeightLayout::GateRows) {
            return value({size / columns, columns}, rows);
        }
        return value({columns, size / columns}, batchFirst(rows, size / columns, columns));
    }

    OnnxValues matrix(const std::vector<Doubles>& gates, std::int64_t columns)
    {
        OnnxValues values;
        for (const auto& part : parts()) {
            std::vector<Doubles> chosen;
            for (const std::size_t gate : part) {
                chosen.push_back(gates[gate]);
            }
            values.push_back(matrixPart(chosen, columns, true));
        }
        return values;
    }

    OnnxValues vector(const std::vector<Doubles>& gates)
    {
        OnnxValues values;
        for (const auto& part : parts()) {
            Doubles all;
            for (const std::size_t gate : part) {
                all.insert(all.end(), gates[gate].begin(), gates[gate].end());
            }
            values.push_back(value({static_cast<std::int64_t>(all.size())}, all));
        }
        return values;
    }

    StackedState state(const Doubles& rows, std::int64_t width)
    {
        if (m_of.rowsBefore == 0 && m_of.directions() == 1) {
            return {.value = m_run.input(tensor({m_of.batch, width}, rows), Shape{batchDim(), Dim(width)})};
        }
        Doubles all(static_cast<std::size_t>(m_of.rowsBefore * m_of.batch * width), 0.5);
        all.insert(all.end(), rows.begin(), rows.end());
        const std::int64_t count = m_of.rowsBefore + m_of.directions();
        return {.value =
                    m_run.input(tensor({count, m_of.batch, width}, all), Shape{Dim(count), batchDim(), Dim(width)}),
                .first = m_of.rowsBefore};
    }

    OnnxValue mask()
    {
        std::vector<std::uint8_t> bytes;
        const bool batchMajor = m_of.layer.batchMajor;
        const std::int64_t outer = batchMajor ? m_of.batch : m_of.steps;
        const std::int64_t inner = batchMajor ? m_of.steps : m_of.batch;
        for (std::int64_t i = 0; i < outer; ++i) {
            for (std::int64_t j = 0; j < inner; ++j) {
                bytes.push_back(m_of.mask[static_cast<std::size_t>(batchMajor ? j * outer + i : i * inner + j)]);
            }
        }
        return m_run.input(Tensor::of<std::uint8_t>(ElementType::Bool, {outer, inner}, bytes),
                           batchMajor ? Shape{batchDim(), timeDim()} : Shape{timeDim(), batchDim()});
    }

    const Case& m_of;
    test::FormRun& m_run;
};

double furthest(const Tensor& actual, const Doubles& expected)
{
    const Doubles values = actual.toDoubles();
    if (values.size() != expected.size()) {
        return 1e9;
    }
    double most = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double distance = std::abs(values[i] - expected[i]);
        most = std::isnan(distance) ? 1e9 : std::max(most, distance);
    }
    return most;
}

} // namespace

class TestRecurrentLayer : public QObject {
    Q_OBJECT
private slots:
    static void computesItsEquations_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 400; ++seed) {
            QTest::newRow(drawCase(seed).description().append(fmt::format(" seed {}", seed)).c_str()) << seed;
        }
    }

    static void computesItsEquations()
    {
        QFETCH(unsigned, seed);
        const Case drawn = drawCase(seed);
        ConvertOptions options;
        options.opset = drawn.opset;
        options.recurrent = drawn.strategy;
        test::FormRun run(options);
        Adapter adapter(drawn, run);
        const OnnxValue x = adapter.x();
        const RecurrentOutputs made = recurrentLayer(run.context(), adapter.layer(), x);
        OnnxValues outputs{made.y, made.h};
        if (drawn.isLstm()) {
            outputs.push_back(made.c);
        }
        if (drawn.layer.needsCells) {
            outputs.push_back(made.cells);
        }

        const std::vector<Tensor> results = run.run(outputs);

        const Expected expected = expectedOf(drawn);
        // An activation's parameter is float32. Unbounded activations let values grow: the error is relative to the
        // largest.
        double largest = 1;
        for (const auto* values : {&expected.y, &expected.h, &expected.c, &expected.cells}) {
            for (const double value : *values) {
                largest = std::max(largest, std::abs(value));
            }
        }
        const double tolerance = (drawn.type == ElementType::Float64 ? 1e-6 : 1e-5) * largest;
        QVERIFY2(furthest(results[0], expected.y) < tolerance, "y");
        QVERIFY2(furthest(results[1], expected.h) < tolerance, "h");
        QVERIFY2(!drawn.isLstm() || furthest(results[2], expected.c) < tolerance, "c");
        QVERIFY2(!drawn.layer.needsCells || furthest(results[3], expected.cells) < tolerance, "cells");
    }

    static void comparesSizes_data()
    {
        QTest::addColumn<Ints>("data");
        QTest::addColumn<Ints>("state");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("they fit") << Ints{5, 2, 3} << Ints{3, 2, 4} << QByteArray();
        QTest::newRow("features") << Ints{5, 2, 6} << Ints{3, 2, 4}
                                  << QByteArray("its input weights are for 3 features, but its data has 6");
        QTest::newRow("batch") << Ints{5, 2, 3} << Ints{3, 1, 4}
                               << QByteArray(
                                      "its initial state has shape 3x1x4, but its data and weights require 3x2x4");
        QTest::newRow("width") << Ints{5, 2, 3} << Ints{3, 2, 5}
                               << QByteArray(
                                      "its initial state has shape 3x2x5, but its data and weights require 3x2x4");
        QTest::newRow("layers") << Ints{5, 2, 3} << Ints{2, 2, 4}
                                << QByteArray(
                                       "its initial state has shape 2x2x4, but its data and weights require 3x2x4");
    }

    static void comparesSizes()
    {
        QFETCH(const Ints, data);
        QFETCH(const Ints, state);
        QFETCH(const QByteArray, message);
        for (const Strategy strategy : {Strategy::Exact, Strategy::Unrolled}) {
            ConvertOptions options;
            options.recurrent = strategy;
            test::FormRun run(options);
            const auto ones = [](const Ints& dims) { return Tensor::filled(ElementType::Float32, dims, 1); };
            RecurrentLayer layer{.kind = CellKind::Rnn, .hidden = 4};
            layer.cells = {{.input = {run.stored(ones({4, 3}))}, .recurrent = {run.stored(ones({4, 4}))}}};
            layer.h = {.value = run.input(ones(state)), .first = 2};
            const OnnxValue x = run.input(ones(data));
            QByteArray given;
            try {
                recurrentLayer(run.context(), layer, x);
            } catch (const ModelError& error) {
                given = QByteArray::fromStdString(error.diagnostic.message);
            }
            QCOMPARE(given, message);
        }
    }
};

QTEST_GUILESS_MAIN(TestRecurrentLayer)
#include "tst_recurrent_layer.moc"
