// Inputs that hold a recurrent state and the outputs that carry it on.

#include "core/convert/states.h"
#include "core/formats/read_model.h"
#include "core/onnx/proto.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/text_graph.h"

#include <QtTest>
#include <fmt/format.h>

using namespace crosswalk;
using test::textGraph;

namespace {

using Pairs = std::map<std::string, std::string>;

Conversion converted(const std::string& text)
{
    return convert(textGraph(text), {}).value();
}

/// An LSTM of 4 units on 3 features; p holds its 4 * 4 * (3 + 4 + 2) parameters.
const std::string lstm = "p = weight 144\n"
                         "y, y_h, y_c = RNN(x,p,h,c) mode=lstm state_size=4 num_layers=1 state_outputs=True\n";

/// Of a symbol file, all of whose inputs are of shape 1.
Pairs statesOf(const std::string& symbol)
{
    const test::TemporaryFiles files;
    const auto model = readModel({.model = files.write("net-symbol.json", symbol)});
    const Graph& graph = *model.value().graph;
    ConvertOptions options;
    for (const ValueId input : graph.inputs) {
        options.shapes[graph.value(input).name] = Shape{1};
    }
    return convert(graph, options).value().states;
}

} // namespace

class TestStates : public QObject {
    Q_OBJECT
private slots:
    void aRecurrentNodeCarriesItsStates()
    {
        const Conversion conversion = converted("x = input TxNx3\nh = input 1xNx4\nc = input 1xNx4\n" + lstm +
                                                "output y\noutput y_h\noutput y_c\n");
        QVERIFY((conversion.states == Pairs{{"h", "y_h"}, {"c", "y_c"}}));
        const auto& metadata = conversion.model.whole().proto->metadata_props();
        const auto entry = std::find_if(metadata.begin(), metadata.end(),
                                        [](const auto& each) { return each.key() == "crosswalk.states"; });
        QVERIFY(entry != metadata.end());
        QCOMPARE(entry->value(), std::string(R"({"c":"y_c","h":"y_h"})"));
        QVERIFY(statesIn({{"crosswalk.states", entry->value()}}) == conversion.states);
    }

    void pairsOnlyStatesThatAreInputAndOutput()
    {
        QVERIFY((converted("x = input TxNx3\nh = input 1xNx4\nc = weight 1x1x4\n" + lstm + "output y\noutput y_c\n")
                     .states.empty()));
        QVERIFY((converted("x = input TxNx3\nh = input 1xNx4\nc = weight 1x1x4\n" + lstm + "output y\noutput y_h\n")
                     .states == Pairs{{"h", "y_h"}}));
    }

    void theStateMayBeRearrangedOnItsWay()
    {
        const std::string inner =
            "x = input Tx2x3\nh0 = input 2x4\nc = input 1x2x4\nh = expand_dims(h0) axis=0\n" + lstm;
        QVERIFY((converted(inner + "z = Reshape(y_h) shape=(-1,4)\noutput z\n").states == Pairs{{"h0", "z"}}));
        // In another shape it cannot be fed back.
        QVERIFY(converted(inner + "z = Reshape(y_h) shape=(-1,)\noutput z\n").states.empty());
    }

    void cellsOfOneAndManyStepsHaveStates()
    {
        std::string text = "x = input Nx3\nh0 = input Nx4\n"
                           "wi = weight 4x3\nbi = weight 4\nwh = weight 4x4\nbh = weight 4\n";
        for (int t = 1; t <= 3; ++t) {
            text += fmt::format("i{0} = FullyConnected(x,wi,bi) num_hidden=4\n"
                                "r{0} = FullyConnected(h{1},wh,bh) num_hidden=4\n"
                                "s{0} = elemwise_add(i{0},r{0})\nh{0} = relu(s{0})\n",
                                t, t - 1);
            QVERIFY((converted(text + fmt::format("output h{}\n", t)).states == Pairs{{"h0", fmt::format("h{}", t)}}));
        }
    }

    void repeatedOutputsKeepTheirNames()
    {
        const Conversion conversion = converted("x = input TxNx3\nh = input 1xNx4\nc = input 1xNx4\n" + lstm +
                                                "output y_h\noutput y_h\noutput y_c\n");
        QVERIFY((conversion.states == Pairs{{"h", "y_h"}, {"c", "y_c"}}));
    }

    void loopsCarryTheirs()
    {
        using namespace crosswalk::test;
        // h += x for each x; the body gives h twice, stacked and as the state.
        const std::string sum =
            symbolFile({variable("x-0"), variable("h-0"), node("elemwise_add", "s", "[[0, 0], [1, 0]]")},
                       R"j([[2, 0], [2, 0]], "arg_nodes": [0, 1])j");
        QVERIFY((statesOf(symbolFile(
                     {variable("x"), variable("h"),
                      fmt::format(R"j({{"op": "_foreach", "name": "f", "inputs": [[0, 0], [1, 0]], "subgraphs": [{}],
                          "attrs": {{"in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]", "num_outputs": "2",
                                     "num_out_data": "1", "num_args": "3"}}}})j",
                                  sum)},
                     "[[2, 0], [2, 1]]")) == Pairs{{"h", "f_output1"}}));
        // While i < 4: h += i, i += 1. The body knows h first, the loop i.
        const std::string test =
            symbolFile({variable("i-0"), node("_lesser_scalar", "t", "[[0, 0]]", R"({"scalar": "4"})")},
                       R"j([[1, 0]], "arg_nodes": [0])j");
        const std::string body =
            symbolFile({variable("h-0"), variable("i-0"), node("elemwise_add", "s", "[[0, 0], [1, 0]]"),
                        node("_plus_scalar", "p", "[[1, 0]]", R"({"scalar": "1"})")},
                       R"j([[3, 0], [2, 0]], "arg_nodes": [0, 1])j");
        QVERIFY(
            (statesOf(symbolFile(
                 {variable("i"), variable("h"),
                  fmt::format(R"j({{"op": "_while_loop", "name": "w", "inputs": [[0, 0], [1, 0]], "subgraphs": [{}, {}],
                          "attrs": {{"cond_input_locs": "[0]", "func_input_locs": "[1, 0]", "func_var_locs": "[1, 0]",
                                     "max_iterations": "6", "num_args": "4", "num_out_data": "0", "num_outputs": "2"}}}})j",
                              test, body)},
                 "[[2, 0], [2, 1]]")) == Pairs{{"h", "w_output1"}, {"i", "w_output0"}}));
    }

    void damagedMetadataPairNothing()
    {
        for (const char* text : {"", "[1]", "{\"a\":1}", "{", "null"}) {
            QVERIFY2(statesIn({{"crosswalk.states", text}}).empty(), text);
        }
    }
};

QTEST_GUILESS_MAIN(TestStates)
#include "tst_states.moc"
