// RNN in ONNX Runtime against its step equations, with attributes drawn at random from fixed seeds.

#include "core/formats/mxnet/attribute_parser.h"
#include "tests/support/computed.h"

#include <QtTest>
#include <cmath>
#include <fmt/format.h>
#include <random>

using namespace crosswalk;
using mxnet::parsedAttribute;

namespace {

using Doubles = std::vector<double>;

struct Drawn {
    std::string mode;
    std::int64_t layers;
    std::int64_t directions;
    std::int64_t hidden;
    std::int64_t features;
    std::int64_t steps;
    std::int64_t batch;
    std::int64_t projection; ///< 0: none
    bool clips;
    double low;
    double high;
    bool hasLengths;
    bool givesStates; ///< the initial states are inputs, else begin states of zeros whose batch is open
    bool returnsStates;
    bool batchFirst; ///< as gluon's NTC layers have it
    bool isOpen;     ///< time and batch are free dimensions
    ElementType type;
    Strategy strategy;
    int opset;

    bool isLstm() const { return mode == "lstm"; }
    std::int64_t gates() const { return isLstm() ? 4 : mode == "gru" ? 3 : 1; }
    std::int64_t outputs() const { return projection > 0 ? projection : hidden; }
    std::int64_t inputs(std::int64_t layer) const { return layer == 0 ? features : directions * outputs(); }
    std::int64_t rows() const { return layers * directions; }

    std::int64_t parameters() const
    {
        std::int64_t total = 0;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            total += directions * (gates() * hidden * (inputs(layer) + outputs() + 2) + projection * hidden);
        }
        return total;
    }

    std::string description() const
    {
        return fmt::format("{} {}x{} H{} P{} T{} N{} {}{}{}{}{}{}{} {} opset {}", mode, layers, directions, hidden,
                           projection, steps, batch, clips ? "clip " : "", hasLengths ? "lengths " : "",
                           givesStates ? "given " : "zero ", returnsStates ? "states " : "", batchFirst ? "NTC " : "",
                           isOpen ? "open " : "", elementTypeName(type), strategyName(strategy), opset);
    }
};

Drawn draw(unsigned seed)
{
    std::mt19937 generator(seed);
    const auto from = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(generator);
    };
    const auto chance = [&] { return from(0, 1) == 1; };
    Drawn drawn{};
    drawn.mode = std::array{"rnn_relu", "rnn_tanh", "lstm", "gru", "lstm"}[static_cast<std::size_t>(from(0, 4))];
    drawn.layers = from(1, 3);
    drawn.directions = from(1, 2);
    drawn.hidden = from(1, 5);
    drawn.features = from(1, 4);
    drawn.steps = from(1, 5);
    drawn.batch = from(1, 3);
    drawn.projection = drawn.isLstm() && chance() ? from(1, 5) : 0;
    drawn.clips = drawn.isLstm() && chance();
    drawn.low = -0.05 * static_cast<double>(from(1, 8));
    drawn.high = 0.05 * static_cast<double>(from(1, 8));
    drawn.hasLengths = chance();
    drawn.givesStates = chance();
    drawn.returnsStates = chance();
    drawn.batchFirst = chance();
    const bool isPlain = drawn.projection == 0 && !drawn.clips;
    drawn.type =
        std::array{ElementType::Float32, ElementType::Float32, ElementType::Float64,
                   isPlain ? ElementType::Float16 : ElementType::Float32}[static_cast<std::size_t>(from(0, 3))];
    // Multiplied out, a projection is the same function; a clip is not, nor float32 in the place of float64.
    const bool fusedIsExact = !drawn.clips && drawn.type != ElementType::Float64 && !drawn.givesStates;
    drawn.strategy = std::array{Strategy::Exact, Strategy::Unrolled,
                                fusedIsExact ? Strategy::Fused : Strategy::Exact}[static_cast<std::size_t>(from(0, 2))];
    drawn.isOpen = drawn.strategy != Strategy::Unrolled && chance();
    drawn.opset = std::array{11, 13, 17, 26}[static_cast<std::size_t>(from(0, 3))];
    return drawn;
}

double sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

/// One cell, its parameters where the packed vector has them.
struct Cell {
    const Drawn& drawn;
    std::int64_t inputs;
    const double* i2h;
    const double* h2h;
    const double* h2r;
    const double* i2hBias;
    const double* h2hBias;

    static Doubles product(const double* matrix, std::int64_t rows, std::span<const double> x)
    {
        Doubles result(static_cast<std::size_t>(rows));
        for (double& sum : result) {
            for (const double each : x) {
                sum += *matrix++ * each;
            }
        }
        return result;
    }

    void step(std::span<const double> x, Doubles& h, Doubles& c) const
    {
        const std::int64_t n = drawn.hidden;
        Doubles a = product(i2h, drawn.gates() * n, x);
        Doubles b = product(h2h, drawn.gates() * n, h);
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] += i2hBias[i];
            b[i] += h2hBias[i];
        }
        Doubles next(static_cast<std::size_t>(n));
        const auto size = static_cast<std::size_t>(n);
        for (std::size_t k = 0; k < size; ++k) {
            const auto sum = [&](std::size_t gate) { return a[gate * size + k] + b[gate * size + k]; };
            if (drawn.isLstm()) {
                c[k] = sigmoid(sum(1)) * c[k] + sigmoid(sum(0)) * std::tanh(sum(2));
                if (drawn.clips) {
                    c[k] = std::clamp(c[k], drawn.low, drawn.high);
                }
                next[k] = sigmoid(sum(3)) * std::tanh(c[k]);
            } else if (drawn.mode == "gru") {
                const double z = sigmoid(sum(1));
                const double fresh = std::tanh(a[2 * size + k] + sigmoid(sum(0)) * b[2 * size + k]);
                next[k] = (1 - z) * fresh + z * h[k];
            } else {
                next[k] = drawn.mode == "rnn_tanh" ? std::tanh(sum(0)) : std::max(0.0, sum(0));
            }
        }
        h = drawn.projection > 0 ? product(h2r, drawn.projection, next) : next;
    }
};

struct Evaluated {
    Doubles y; ///< (time, batch, directions * outputs)
    Doubles h;
    Doubles c;
};

/// The equations, sample by sample.
Evaluated evaluate(const Drawn& drawn, const Doubles& data, const Doubles& packed, const Doubles& h0, const Doubles& c0,
                   const std::vector<std::int64_t>& lengths)
{
    Evaluated result{data, h0, c0};
    const double* weights = packed.data();
    const double* biases = packed.data() + packed.size() - drawn.rows() * 2 * drawn.gates() * drawn.hidden;
    const std::int64_t out = drawn.outputs();
    for (std::int64_t layer = 0; layer < drawn.layers; ++layer) {
        const std::int64_t inputs = drawn.inputs(layer);
        const Doubles x = std::exchange(
            result.y, Doubles(static_cast<std::size_t>(drawn.steps * drawn.batch * drawn.directions * out)));
        for (std::int64_t direction = 0; direction < drawn.directions; ++direction) {
            const std::int64_t block = drawn.gates() * drawn.hidden;
            const Cell cell{drawn,  inputs,        weights, weights + block * inputs, weights + block * (inputs + out),
                            biases, biases + block};
            weights += block * (inputs + out) + drawn.projection * drawn.hidden;
            biases += 2 * block;
            for (std::int64_t sample = 0; sample < drawn.batch; ++sample) {
                const std::int64_t row = (layer * drawn.directions + direction) * drawn.batch + sample;
                const auto h = result.h.begin() + row * out;
                const auto c = result.c.begin() + row * drawn.hidden;
                Doubles nowH(h, h + out);
                Doubles nowC(c, c + drawn.hidden);
                const std::int64_t length = lengths[static_cast<std::size_t>(sample)];
                for (std::int64_t i = 0; i < length; ++i) {
                    const std::int64_t t = direction == 0 ? i : length - 1 - i;
                    cell.step({x.data() + (t * drawn.batch + sample) * inputs, static_cast<std::size_t>(inputs)}, nowH,
                              nowC);
                    std::copy(nowH.begin(), nowH.end(),
                              result.y.begin() + ((t * drawn.batch + sample) * drawn.directions + direction) * out);
                }
                std::copy(nowH.begin(), nowH.end(), h);
                std::copy(nowC.begin(), nowC.end(), c);
            }
        }
    }
    return result;
}

/// Numbers as a tensor of the drawn type, and then as that type has rounded them.
Tensor tensorOf(ElementType type, std::vector<std::int64_t> dims, Doubles& values)
{
    const Tensor wide = Tensor::of<double>(ElementType::Float64, dims, values);
    const Tensor narrow = Tensor::owned(type, std::move(dims), wide.converted(type).toBytes());
    values = narrow.toDoubles();
    return narrow;
}

Doubles noise(std::int64_t count, double range, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-range, range);
    Doubles values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return uniform(generator); });
    return values;
}

/// (time, batch, width) and back, for NTC.
Doubles swapped(const Doubles& values, std::int64_t first, std::int64_t second)
{
    Doubles result(values.size());
    const std::int64_t width = static_cast<std::int64_t>(values.size()) / (first * second);
    for (std::int64_t i = 0; i < first; ++i) {
        for (std::int64_t k = 0; k < second; ++k) {
            std::copy_n(values.begin() + (i * second + k) * width, width, result.begin() + (k * first + i) * width);
        }
    }
    return result;
}

class GraphOf {
public:
    explicit GraphOf(const Drawn& drawn)
        : m_drawn(drawn)
    {
        m_graph.format = "mxnet";
    }

    Graph run(const Tensor& packed)
    {
        const Dim time = m_drawn.isOpen ? Dim("T") : Dim(m_drawn.steps);
        const Dim batch = m_drawn.isOpen ? Dim("N") : Dim(m_drawn.batch);
        const Dim features(m_drawn.features);
        ValueId data = input("data", m_drawn.type,
                             m_drawn.batchFirst ? Shape{batch, time, features} : Shape{time, batch, features});
        if (m_drawn.batchFirst) {
            data = swapped(data);
        }
        const TensorId stored = m_graph.addTensor(packed);
        const ValueId parameters = m_graph.addValue({.name = "parameters", .tensor = stored, .role = Role::Parameter});
        Node node{.op = "RNN", .name = "rnn", .inputs = {data, parameters, state("state", batch, m_drawn.outputs())}};
        if (m_drawn.isLstm()) {
            node.inputs.push_back(state("state_cell", batch, m_drawn.hidden));
        }
        if (m_drawn.hasLengths) {
            node.inputs.push_back(input("lengths", ElementType::Float32, {batch}));
        }
        node.attributes = attributes();
        const NodeId id = m_graph.addNode(std::move(node));
        const ValueId y = m_graph.addOutput(id, "y");
        m_graph.outputs = {m_drawn.batchFirst ? swapped(y) : y};
        if (m_drawn.returnsStates) {
            m_graph.outputs.push_back(m_graph.addOutput(id, "h"));
            if (m_drawn.isLstm()) {
                m_graph.outputs.push_back(m_graph.addOutput(id, "c"));
            }
        }
        return std::move(m_graph);
    }

private:
    ValueId input(const std::string& name, ElementType type, Shape shape)
    {
        const ValueId value = m_graph.addValue({.name = name, .type = {type, std::move(shape)}});
        m_graph.inputs.push_back(value);
        return value;
    }
    ValueId swapped(ValueId value)
    {
        const NodeId id = m_graph.addNode({.op = "SwapAxis",
                                           .name = fmt::format("swap{}", m_graph.nodeCount()),
                                           .inputs = {value},
                                           .attributes = {parsedAttribute("dim1", "0"), parsedAttribute("dim2", "1")}});
        return m_graph.addOutput(id, fmt::format("swapped{}", id.index));
    }
    ValueId state(const std::string& name, const Dim& batch, std::int64_t width)
    {
        if (m_drawn.givesStates) {
            return input(name, m_drawn.type, {Dim(m_drawn.rows()), batch, Dim(width)});
        }
        const NodeId id =
            m_graph.addNode({.op = "_zeros",
                             .name = name,
                             .attributes = {parsedAttribute("shape", fmt::format("({}, 0, {})", m_drawn.rows(), width)),
                                            parsedAttribute("dtype", std::string(elementTypeName(m_drawn.type)))}});
        return m_graph.addOutput(id, name);
    }
    std::vector<Attribute> attributes() const
    {
        std::vector<Attribute> all{parsedAttribute("mode", m_drawn.mode),
                                   parsedAttribute("state_size", std::to_string(m_drawn.hidden)),
                                   parsedAttribute("num_layers", std::to_string(m_drawn.layers)),
                                   parsedAttribute("bidirectional", m_drawn.directions == 2 ? "True" : "False"),
                                   parsedAttribute("state_outputs", m_drawn.returnsStates ? "True" : "False"),
                                   parsedAttribute("use_sequence_length", m_drawn.hasLengths ? "True" : "False")};
        if (m_drawn.projection > 0) {
            all.push_back(parsedAttribute("projection_size", std::to_string(m_drawn.projection)));
        }
        if (m_drawn.clips) {
            all.push_back(parsedAttribute("lstm_state_clip_min", fmt::format("{}", m_drawn.low)));
            all.push_back(parsedAttribute("lstm_state_clip_max", fmt::format("{}", m_drawn.high)));
        }
        return all;
    }

    const Drawn& m_drawn;
    Graph m_graph;
};

/// Sums of a few dozen terms through at most 15 cells in a row: some hundred roundings of the type, each at most half
/// a unit in the last place of numbers of the size of one.
double tolerance(ElementType type)
{
    switch (type) {
    case ElementType::Float64:
        return 1e-12;
    case ElementType::Float16:
        return 2e-2;
    default:
        return 2e-5;
    }
}

double difference(const Tensor& got, const Doubles& wanted)
{
    const Doubles values = got.toDoubles();
    double worst = values.size() == wanted.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < values.size() && i < wanted.size(); ++i) {
        const double error = std::abs(values[i] - wanted[i]) / std::max(1.0, std::abs(wanted[i]));
        worst = error <= worst ? worst : error; // a NaN is the worst
    }
    return worst;
}

} // namespace

class TestRecurrent : public QObject {
    Q_OBJECT
private slots:
    void computesTheStepEquations_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 240; ++seed) {
            QTest::addRow("%u: %s", seed, draw(seed).description().c_str()) << seed;
        }
    }
    void computesTheStepEquations()
    {
        QFETCH(unsigned, seed);
        const Drawn drawn = draw(seed);
        Doubles packed = noise(drawn.parameters(), 0.8, seed + 1000);
        Doubles data = noise(drawn.steps * drawn.batch * drawn.features, 1, seed + 2000);
        Doubles h(static_cast<std::size_t>(drawn.rows() * drawn.batch * drawn.outputs()));
        Doubles c(static_cast<std::size_t>(drawn.rows() * drawn.batch * drawn.hidden));
        std::vector<std::int64_t> lengths(static_cast<std::size_t>(drawn.batch), drawn.steps);
        Graph graph;
        {
            const Tensor stored = tensorOf(drawn.type, {drawn.parameters()}, packed);
            graph = GraphOf(drawn).run(stored);
        }
        const Tensor timeFirst = tensorOf(drawn.type, {drawn.steps, drawn.batch, drawn.features}, data);
        Doubles turned = swapped(data, drawn.steps, drawn.batch);
        std::vector<Tensor> inputs{
            drawn.batchFirst ? tensorOf(drawn.type, {drawn.batch, drawn.steps, drawn.features}, turned) : timeFirst};
        if (drawn.givesStates) {
            h = noise(static_cast<std::int64_t>(h.size()), 0.5, seed + 3000);
            inputs.push_back(tensorOf(drawn.type, {drawn.rows(), drawn.batch, drawn.outputs()}, h));
            if (drawn.isLstm()) {
                c = noise(static_cast<std::int64_t>(c.size()), 0.5, seed + 4000);
                inputs.push_back(tensorOf(drawn.type, {drawn.rows(), drawn.batch, drawn.hidden}, c));
            }
        }
        if (drawn.hasLengths) {
            std::vector<float> given;
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                lengths[i] = 1 + (static_cast<std::int64_t>(seed) + 2 * static_cast<std::int64_t>(i)) % drawn.steps;
                given.push_back(static_cast<float>(lengths[i]));
            }
            inputs.push_back(test::floats({drawn.batch}, given));
        }

        const Evaluated wanted = evaluate(drawn, data, packed, h, c, lengths);
        const auto got = test::computed(graph, inputs, {.opset = drawn.opset, .recurrent = drawn.strategy});

        QCOMPARE(got.size(), graph.outputs.size());
        const Doubles& y = wanted.y;
        double worst = difference(got[0], drawn.batchFirst ? swapped(y, drawn.steps, drawn.batch) : y);
        if (drawn.returnsStates) {
            worst = std::max(worst, difference(got[1], wanted.h));
            worst = drawn.isLstm() ? std::max(worst, difference(got[2], wanted.c)) : worst;
        }
        QVERIFY2(worst <= tolerance(drawn.type), QByteArray::number(worst).constData());
    }
};

QTEST_GUILESS_MAIN(TestRecurrent)
#include "tst_recurrent.moc"
