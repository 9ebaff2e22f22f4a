// --reroll over networks of unrolled cells, drawn from fixed seeds.

#include "core/onnx/proto.h"
#include "tests/support/unrolled_cells.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// An unrolled network, drawn: cells on each other in one or both directions, what stands between them, how its input
/// is cut and how its steps are read.
struct Drawn {
    std::string text;
    std::vector<Tensor> inputs;
    int cells = 0;
};

Drawn draw(unsigned seed)
{
    std::mt19937 generator(seed);
    const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
    const auto chance = [&] { return from(0, 1) == 1; };
    const int steps = from(2, 6);
    const int batch = from(1, 3);
    const int axis = from(0, 1);
    Drawn drawn;
    drawn.text = axis == 0 ? fmt::format("x = input {}x{}x{}\n", steps, batch, units)
                           : fmt::format("x = input {}x{}x{}\n", batch, steps, units);
    drawn.inputs.push_back(axis == 0 ? noise({steps, batch, units}, seed) : noise({batch, steps, units}, seed));
    std::string begins;
    std::string body;
    if (chance()) {
        body += sliced(steps, axis);
    } else {
        for (int t = 0; t < steps; ++t) {
            body += fmt::format("z{0} = slice_axis(x) axis={1} begin={0} end={2}\nx{0} = squeeze(z{0}) axis={1}\n", t,
                                axis, t + 1);
        }
    }
    std::string below = "x{}";
    const int layers = from(1, 3);
    for (int layer = 0; layer < layers; ++layer) {
        const std::string kind =
            std::array{"lstm", "gru", "rnn_tanh", "rnn_relu"}[static_cast<std::size_t>(from(0, 3))];
        const bool both = chance();
        std::vector<std::string> sides;
        for (int direction = 0; direction < (both ? 2 : 1); ++direction) {
            const bool backward = both ? direction == 1 : from(0, 3) == 0;
            const Cell cell{.kind = kind,
                            .name = fmt::format("{}{}", direction == 0 ? 'a' : 'b', char('p' + layer)),
                            .inputs = units};
            ++drawn.cells;
            const bool given = chance();
            std::string run = unrolled(cell, steps, below, backward);
            if (given) {
                for (const char* state : {"h", "c"}) {
                    const std::string zero =
                        fmt::format("{0}b_{1} = _zeros() shape=(0,{2})\n", cell.name, state, units);
                    run.replace(run.find(zero), zero.size(), "");
                    begins += fmt::format("{}b_{} = input {}x{}\n", cell.name, state, batch, units);
                    drawn.inputs.push_back(
                        noise({batch, units}, seed + 10 + static_cast<unsigned>(drawn.inputs.size())));
                }
                run += fmt::format("{0}b_used = elemwise_add({0}b_h,{0}b_c)\noutput {0}b_used\n", cell.name);
            }
            body += run;
            sides.push_back(cell.name + "{}_h");
            const int last = backward ? 0 : steps - 1;
            if (chance()) {
                body += fmt::format("output {}{}_h\n", cell.name, last);
            }
            if (kind == "lstm" && chance()) {
                body += fmt::format("output {}{}_c\n", cell.name, last);
            }
            if (from(0, 3) == 0) {
                body += fmt::format("{0}_alone = exp({0}{1}_h)\noutput {0}_alone\n", cell.name, from(0, steps - 1));
            }
        }
        std::string joint = sides[0];
        for (int t = 0; t < steps && both; ++t) { // back to one width, so that any cell can stand above
            body += fmt::format("j{0}_{1} = elemwise_add({2},{3})\n", layer, t, fmt::format(fmt::runtime(sides[0]), t),
                                fmt::format(fmt::runtime(sides[1]), t));
            joint = fmt::format("j{}_{{}}", layer);
        }
        if (chance()) {
            for (int t = 0; t < steps; ++t) {
                body += fmt::format("d{0}_{1} = Dropout({2}) p=0.5\nr{0}_{1} = elemwise_add(d{0}_{1},{3})\n", layer, t,
                                    fmt::format(fmt::runtime(joint), t), fmt::format(fmt::runtime(below), t));
            }
            joint = fmt::format("r{}_{{}}", layer);
        }
        below = joint;
    }
    const int reading = from(0, 3);
    if (reading == 0) {
        body += fmt::format("y = stack({}) axis={}\n", join(steps, below), from(0, 1));
    } else if (reading == 1) {
        body += fmt::format("y = stack({}) axis=0\n", join(steps, below, true)); // turned around
    } else if (reading == 2) {
        body += fmt::format("y = Concat({}) dim=0\n", join(steps, below));
    } else {
        body += fmt::format("y = add_n({})\n", join(steps, below));
    }
    drawn.text += begins + body + "output y\n";
    return drawn;
}

Conversion converted(const Graph& graph)
{
    return convert(graph, {.reroll = true}).value();
}

int count(const Conversion& conversion, std::string_view op)
{
    const auto& nodes = conversion.model.whole().proto->graph().node();
    return static_cast<int>(
        std::count_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.op_type() == op; }));
}

} // namespace

class TestRerollDrawn : public QObject {
    Q_OBJECT
private slots:
    void computesTheSameHoweverItIsUnrolled_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 120; ++seed) {
            QTest::addRow("%u", seed) << seed;
        }
    }
    void computesTheSameHoweverItIsUnrolled()
    {
        QFETCH(unsigned, seed);
        const Drawn drawn = draw(seed);
        const Graph graph = textGraph(drawn.text);
        const Conversion conversion = converted(graph);
        QCOMPARE(count(conversion, "Gemm"), 0);
        QVERIFY(count(conversion, "LSTM") + count(conversion, "GRU") + count(conversion, "RNN") <= drawn.cells);
        const double worst =
            difference(computed(graph, drawn.inputs, {.opset = 11 + static_cast<int>(seed % 16), .reroll = true}),
                       computed(graph, drawn.inputs));
        QVERIFY2(worst < roundingOnly, (QByteArray::number(worst) + "\n" + drawn.text.c_str()).constData());
    }
};

QTEST_GUILESS_MAIN(TestRerollDrawn)
#include "tst_reroll_drawn.moc"
