// What a conversion knows of the values in the bodies of loops.

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/onnx/proto.h"
#include "tests/support/mxnet_files.h"

#include <QtTest>
#include <fmt/format.h>

using namespace crosswalk;
using test::node;
using test::symbolFile;
using test::variable;

namespace {

/// For each row of x: h = tanh(h + row).
std::string loop()
{
    const std::string body =
        symbolFile({variable("x-0"), variable("h-0"), node("elemwise_add", "sum", "[[0, 0], [1, 0]]"),
                    node("tanh", "squeezed", "[[2, 0]]")},
                   R"j([[3, 0], [3, 0]], "arg_nodes": [0, 1])j");
    return symbolFile({variable("x"), variable("h"),
                       fmt::format(R"j({{"op": "_foreach", "name": "f", "inputs": [[0, 0], [1, 0]], "subgraphs": [{}],
             "attrs": {{"in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]", "num_outputs": "2",
                        "num_out_data": "1", "num_args": "3"}}}})j",
                                   body)},
                      "[[2, 0], [2, 1]]");
}

} // namespace

class TestBodies : public QObject {
    Q_OBJECT
private slots:
    void typesInABodyAreKnownOnBothSides()
    {
        const test::TemporaryFiles files;
        const auto model = readModel({.model = files.write("net-symbol.json", loop())});
        const Graph& graph = *model.value().graph;
        ConvertOptions options;
        options.shapes = {{"x", {Dim("T"), Dim("N"), Dim(7)}}, {"h", {Dim("N"), Dim(7)}}};
        const Conversion conversion = convert(graph, options).value();
        QVERIFY(!conversion.hasErrors());
        const Graph& body = *graph.subgraphs.at(0);
        const auto& types = conversion.bodyTypes.at(&body);
        QCOMPARE(types.size(), body.valueCount());
        for (const TensorType& type : types) {
            QCOMPARE(toString(type), std::string("float32 Nx7"));
        }

        // The sum is neither read nor given by the exported body.
        const auto& nodes = conversion.model.whole().proto->graph().node();
        const auto scan = std::ranges::find(nodes, "Scan", &::onnx::NodeProto::op_type);
        QVERIFY(scan != nodes.end());
        const auto& attributes = scan->attribute();
        const auto attribute = std::ranges::find_if(attributes, [](const auto& each) { return each.name() == "body"; });
        QVERIFY(attribute != attributes.end());
        const auto& inner = attribute->g();
        QCOMPARE(inner.value_info_size(), 1);
        QCOMPARE(inner.value_info(0).name(), inner.node(0).output(0));
        QCOMPARE(toString(fromProto(inner.value_info(0).type())), std::string("float32 Nx7"));
    }

    void unreachedBodiesHaveUnknownTypes()
    {
        const test::TemporaryFiles files;
        const auto model = readModel({.model = files.write("net-symbol.json", loop())});
        const Graph& graph = *model.value().graph;
        const Conversion conversion = convert(graph, {}).value(); // no shapes are given: no row can be taken
        QVERIFY(conversion.hasErrors());
        QVERIFY(conversion.bodyTypes.empty() || !conversion.bodyTypes.begin()->second.front().shape);
    }
};

QTEST_GUILESS_MAIN(TestBodies)
#include "tst_bodies.moc"
