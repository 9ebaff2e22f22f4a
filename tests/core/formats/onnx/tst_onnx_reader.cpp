#include "core/base/diagnostic.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/load.h"
#include "core/onnx/writer.h"
#include "tests/support/onnx_models.h"
#include "tests/support/onnx_text.h"
#include "tests/support/temporary_files.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

std::string problemNode(const OnnxModel& model)
{
    try {
        graphOf(model);
    } catch (const ModelError& problem) {
        return std::string(problem.diagnostic.code.text()) + " " + problem.diagnostic.node;
    }
    return {};
}

/// Everything that a reader fills in, as text.
std::string written(const Graph& graph)
{
    std::string text;
    for (const Value& value : graph.values()) {
        text += "value " + value.name + " " + toString(value.type) + " " + std::to_string(value.producer.index) + " " +
                std::to_string(value.producerOutput) + "\n";
        if (value.tensor) {
            for (const double element : graph.tensor(value.tensor).toDoubles()) {
                text += std::to_string(element) + " ";
            }
        }
    }
    for (const Node& node : graph.nodes()) {
        text += "node " + node.op + " " + node.domain + " " + node.name;
        for (const ValueId id : node.inputs) {
            text += " " + std::to_string(id.index);
        }
        for (const ValueId id : node.outputs) {
            text += " " + std::to_string(id.index);
        }
        for (const Attribute& attribute : node.attributes) {
            text += "\n" + attribute.name + " " + std::to_string(attribute.value.index());
            if (const auto* tensor = std::get_if<TensorId>(&attribute.value)) {
                text += " " + std::to_string(graph.tensor(*tensor).toDoubles().at(0));
            } else if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
                text += "{" + written(graph.subgraph(*body)) + "}";
            }
        }
        text += "\n";
    }
    for (const Graph::Capture& capture : graph.captures) {
        text += "capture " + std::to_string(capture.inner.index) + " " + std::to_string(capture.outer.index) + "\n";
    }
    return text;
}

bool looksLike(std::string_view bytes)
{
    return looksLikeOnnx(std::as_bytes(std::span(bytes)));
}

} // namespace

class TestOnnxReader : public QObject {
    Q_OBJECT
private slots:
    void readsAGraph()
    {
        OnnxModel model = smallModel();
        model.proto->set_producer_name("torch");
        model.proto->set_producer_version("2.1");
        auto* entry = model.proto->add_metadata_props();
        entry->set_key("author");
        entry->set_value("me");
        const Graph graph = graphOf(model);
        QCOMPARE(graph.format, std::string("onnx"));
        QCOMPARE(graph.producer, std::string("torch"));
        QCOMPARE(graph.version, std::string("2.1"));
        QCOMPARE(graph.irVersion, std::int64_t{8});
        QCOMPARE(graph.opsets.at(""), std::int64_t{17});
        QCOMPARE(graph.metadata.at("author"), std::string("me"));
        QCOMPARE(graph.nodeCount(), std::size_t{1});
        const Node& node = graph.node(NodeId{0});
        QCOMPARE(node.op, std::string("Add"));
        QCOMPARE(node.inputs.size(), std::size_t{2});
        QCOMPARE(graph.value(node.inputs[0]).name, std::string("x"));
        QCOMPARE(graph.value(node.outputs[0]).producer, NodeId{0});
        QCOMPARE(graph.tensorOf(node.inputs[1])->dims(), (std::vector<std::int64_t>{1000}));
        QCOMPARE(graph.inputs, (std::vector<ValueId>{node.inputs[0]}));
        QCOMPARE(graph.outputs, node.outputs);
        QCOMPARE(toString(graph.value(node.outputs[0]).type), std::string("float32 Nx1000"));
    }

    void attributesKeepTheirTypes()
    {
        OnnxModel model = smallModel();
        auto& node = *model.proto->mutable_graph()->mutable_node(0);
        const auto add = [&](const char* name, ::onnx::AttributeProto::AttributeType type) -> ::onnx::AttributeProto& {
            auto& attribute = *node.add_attribute();
            attribute.set_name(name);
            attribute.set_type(type);
            return attribute;
        };
        using A = ::onnx::AttributeProto;
        add("i", A::INT).set_i(-3);
        add("f", A::FLOAT).set_f(0.5F);
        add("s", A::STRING).set_s("text");
        add("is", A::INTS).add_ints(7);
        add("fs", A::FLOATS).add_floats(1.5F);
        add("ss", A::STRINGS).add_strings("a");
        auto& tensor = *add("t", A::TENSOR).mutable_t();
        tensor.set_data_type(::onnx::TensorProto::FLOAT);
        tensor.add_dims(2);
        tensor.add_float_data(1);
        tensor.add_float_data(2);
        node.add_attribute()->set_name("untyped");
        node.mutable_attribute(7)->set_f(2);

        const Graph graph = graphOf(model);
        const Node& read = graph.node(NodeId{0});
        QCOMPARE(std::get<std::int64_t>(*read.attribute("i")), std::int64_t{-3});
        QCOMPARE(std::get<double>(*read.attribute("f")), 0.5);
        QCOMPARE(std::get<std::string>(*read.attribute("s")), std::string("text"));
        QCOMPARE(std::get<Ints>(*read.attribute("is")), (std::vector<std::int64_t>{7}));
        QCOMPARE(std::get<std::vector<double>>(*read.attribute("fs")), (std::vector<double>{1.5}));
        QCOMPARE(std::get<std::vector<std::string>>(*read.attribute("ss")), (std::vector<std::string>{"a"}));
        QCOMPARE(graph.tensor(std::get<TensorId>(*read.attribute("t"))).toDoubles(), (std::vector<double>{1, 2}));
        QCOMPARE(std::get<double>(*read.attribute("untyped")), 2.0);
    }

    void bodiesCaptureFromAround()
    {
        OnnxModel model = emptyModel();
        addInput(model, "c", {ElementType::Bool, Shape{}});
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        ::onnx::GraphProto inner;
        addNode(inner, "Neg", {"x"}, {"inner_y"});
        inner.add_output()->set_name("inner_y");
        ::onnx::GraphProto body;
        auto* nested = addNode(body, "If", {"c"}, {"y1"}).add_attribute();
        nested->set_name("then_branch");
        nested->set_type(::onnx::AttributeProto::GRAPH);
        *nested->mutable_g() = inner;
        body.add_output()->set_name("y1");
        auto* attribute = addNode(model, "If", {"c"}, {"y"}).add_attribute();
        attribute->set_name("then_branch");
        attribute->set_type(::onnx::AttributeProto::GRAPH);
        *attribute->mutable_g() = body;
        addOutput(model, "y", {ElementType::Float32, Shape{3}});

        const Graph graph = graphOf(model);
        const Graph& outer = graph.subgraph(std::get<SubgraphId>(*graph.node(NodeId{0}).attribute("then_branch")));
        const Graph& innermost = outer.subgraph(std::get<SubgraphId>(*outer.node(NodeId{0}).attribute("then_branch")));
        QCOMPARE(outer.captures.size(), std::size_t{2}); // c is read by the body, x on behalf of the innermost one
        QCOMPARE(innermost.captures.size(), std::size_t{1});
        QCOMPARE(innermost.value(innermost.captures[0].inner).name, std::string("x"));
        QCOMPARE(outer.value(innermost.captures[0].outer).name, std::string("x"));
        QCOMPARE(graph.value(outer.captures[1].outer).name, std::string("x"));
        QCOMPARE(toString(innermost.value(innermost.captures[0].inner).type), std::string("float32 3"));
    }

    /// From a file nodes are read one at a time, from a model in memory they are all there.
    void aFileGivesTheSameGraph()
    {
        OnnxModel model = smallModel();
        auto& constant = addNode(model, "Constant", {}, {"k"});
        auto& content = *constant.add_attribute();
        content.set_name("value");
        content.set_type(::onnx::AttributeProto::TENSOR);
        content.mutable_t()->set_data_type(::onnx::TensorProto::FLOAT);
        const float half = 0.5F;
        content.mutable_t()->set_raw_data(&half, sizeof half);
        addNode(model, "Exp", {"later"}, {"e"}); // before what makes its input
        addNode(model, "Mul", {"y", "k"}, {"later"});
        auto& branch = *addNode(model, "If", {"c"}, {"z"}).add_attribute();
        branch.set_name("then_branch");
        branch.set_type(::onnx::AttributeProto::GRAPH);
        addNode(*branch.mutable_g(), "Neg", {"e"}, {"inner"});
        branch.mutable_g()->add_output()->set_name("inner");
        addInput(model, "c", {ElementType::Bool, Shape{}});
        auto* info = model.proto->mutable_graph()->add_value_info();
        info->set_name("later");
        toProto({ElementType::Float32, Shape{Dim("N"), 1000}}, *info->mutable_type());
        for (int i = 0; i < 500; ++i) {
            addNode(model, "Abs", {i == 0 ? "e" : "abs" + std::to_string(i - 1)}, {"abs" + std::to_string(i)});
        }
        addOutput(model, "abs499", {});

        const TemporaryFiles files;
        const auto path = files.write("m.onnx", "");
        writeOnnx(model, path);
        const Graph graph = graphOfFile(*ModelSource::at(path));
        QCOMPARE(written(graph), written(graphOf(model)));
        // The protos are made anew, in the graph's order.
        const OnnxModel again = modelOf(graph);
        QCOMPARE(again.proto->graph().node_size(), 505);
        for (int i = 0; i < again.proto->graph().node_size(); ++i) {
            QCOMPARE(again.proto->graph().node(i).name(), graph.node(NodeId{static_cast<std::uint32_t>(i)}).name);
        }
    }

    void aFileThatWasWrittenAnewIsRefused()
    {
        const TemporaryFiles files;
        const auto path = files.write("m.onnx", "");
        const OnnxModel model = smallModel();
        writeOnnx(model, path);
        const Graph graph = graphOfFile(*ModelSource::at(path));
        QCOMPARE(codeOf([&] { modelOf(graph); }), std::string());
        // In place: the tag of the node's field becomes one that ONNX does not have.
        const std::string node = model.proto->graph().node(0).SerializeAsString();
        const auto at = fileContent(path).find(node);
        QVERIFY(at != std::string::npos);
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(at - 2)).put(static_cast<char>((9U << 3U) | 2U)).flush();
        QCOMPARE(codeOf([&] { modelOf(graph); }), std::string("unreadable"));
    }

    void functionsAreRead()
    {
        const Graph graph = graphOf({std::make_shared<::onnx::ModelProto>(parseModel(R"(
            g (float[2] x) => (float[2] y) { y = local.f(x) }
            <domain: "local", opset_import: ["": 16]>
            f <beta, alpha: float = 0.5> (a) => (c) {
                b = Elu<alpha: float = @alpha>(a)
                c = LeakyRelu<alpha: float = @beta>(b)
            })")),
                                     {}});
        QCOMPARE(graph.functions.size(), std::size_t{1});
        const Graph& body = *graph.findFunction("local.f");
        QCOMPARE(body.opsets.at(""), std::int64_t{16});
        QCOMPARE(body.value(body.inputs.front()).name, std::string("a"));
        QCOMPARE(body.value(body.outputs.front()).producer, NodeId{1});
        QVERIFY(*body.node(NodeId{0}).attribute("alpha") == AttributeValue(AttributeList{std::string("alpha"), 0.5}));
        QVERIFY(*body.node(NodeId{1}).attribute("alpha") == AttributeValue(AttributeList{std::string("beta")}));
    }

    void unsortedNodesAreSorted()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        addNode(model, "Neg", {"b"}, {"c"});
        addNode(model, "Abs", {"x"}, {"a"});
        addNode(model, "Exp", {"a"}, {"b"});
        addOutput(model, "c", {});
        const Graph graph = graphOf(model);
        QCOMPARE(graph.node(NodeId{0}).op, std::string("Abs"));
        QCOMPARE(graph.node(NodeId{1}).op, std::string("Exp"));
        QCOMPARE(graph.node(NodeId{2}).op, std::string("Neg"));
        QCOMPARE(graph.value(graph.outputs[0]).producer, NodeId{2});
        QCOMPARE(graph.value(graph.node(NodeId{2}).inputs[0]).producer, NodeId{1});
    }

    void aBodyThatReadsALaterNodeIsSortedBehindIt()
    {
        OnnxModel model = emptyModel();
        addInput(model, "c", {ElementType::Bool, Shape{}});
        ::onnx::GraphProto body;
        addNode(body, "Neg", {"later"}, {"t"});
        body.add_output()->set_name("t");
        auto* attribute = addNode(model, "If", {"c"}, {"y"}).add_attribute();
        attribute->set_name("then_branch");
        attribute->set_type(::onnx::AttributeProto::GRAPH);
        *attribute->mutable_g() = body;
        addNode(model, "Cast", {"c"}, {"later"});
        addOutput(model, "y", {});
        const Graph graph = graphOf(model);
        QCOMPARE(graph.node(NodeId{0}).op, std::string("Cast"));
    }

    void absentInputsAndOutputsKeepTheirPlaces()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        addNode(model, "Clip", {"x", "", "x"}, {"y"});
        addNode(model, "LSTM", {"x"}, {"", "", "h"});
        addOutput(model, "h", {});
        const Graph graph = graphOf(model);
        QVERIFY(!graph.node(NodeId{0}).inputs[1]);
        QCOMPARE(graph.node(NodeId{1}).outputs.size(), std::size_t{3});
        QCOMPARE(graph.value(graph.outputs[0]).producerOutput, 2U);
    }

    void weightsListedAsInputsAreNone()
    {
        OnnxModel model = smallModel();
        model.proto->set_ir_version(3);
        addInput(model, "w", {ElementType::Float32, Shape{1000}});
        QCOMPARE(graphOf(model).inputs.size(), std::size_t{1});
    }

    void brokenGraphsNameTheNode()
    {
        OnnxModel dangling = smallModel();
        dangling.proto->mutable_graph()->mutable_node(0)->set_input(0, "nothing");
        QCOMPARE(problemNode(dangling), std::string("damaged Add_y"));

        OnnxModel twice = smallModel();
        addNode(twice, "Neg", {"x"}, {"y"});
        QCOMPARE(problemNode(twice), std::string("damaged Neg_y"));

        OnnxModel cycle = smallModel();
        addNode(cycle, "Neg", {"b"}, {"a"});
        addNode(cycle, "Abs", {"a"}, {"b"});
        QVERIFY(problemNode(cycle) == "damaged Neg_a" || problemNode(cycle) == "damaged Abs_b");

        OnnxModel self = smallModel();
        addNode(self, "Neg", {"a"}, {"a"});
        QCOMPARE(problemNode(self), std::string("damaged Neg_a"));

        OnnxModel noOutput = smallModel();
        addOutput(noOutput, "z", {});
        QCOMPARE(problemNode(noOutput), std::string("damaged "));
    }

    void aHundredThousandNodesAreRead()
    {
        OnnxModel model = emptyModel();
        addInput(model, "v0", {ElementType::Float32, Shape{3}});
        for (int i = 0; i < 100'000; ++i) {
            const std::string next = "v" + std::to_string(i + 1);
            auto& node = addNode(model, "Mul", {"v" + std::to_string(i), "v0"}, {next});
            node.add_attribute()->set_name("axis");
            auto* info = model.proto->mutable_graph()->add_value_info();
            info->set_name(next);
            toProto({ElementType::Float32, Shape{3}}, *info->mutable_type());
        }
        addOutput(model, "v100000", {});
        const Graph graph = graphOf(model);
        QCOMPARE(graph.nodeCount(), std::size_t{100'000});
        QCOMPARE(graph.value(graph.outputs.front()).name, std::string("v100000"));
    }

    void recognisesModelsByContent()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("m.onnx")).toStdString();
        writeOnnx(smallModel(), path);
        const std::string content = fileContent(path);
        QVERIFY(looksLike(content));
        for (const std::size_t size : {12UL, 20UL, 64UL, 500UL}) {
            QVERIFY(looksLike(content.substr(0, size)));
        }
        QVERIFY(!looksLike(""));
        QVERIFY(!looksLike("{\"nodes\": []}"));
        QVERIFY(!looksLike(std::string_view("\x12\x01\0\0\0\0\0\0", 8)));             // MXNet weights
        QVERIFY(!looksLike(std::string_view("\x08\x01\x12\x20\x0a\x05\x01\x02", 8))); // TensorFlow SavedModel
        QVERIFY(!looksLike(std::string_view("\x08\x04\x12\x20\x0a\x10\x0a\x01", 8))); // Core ML
        QVERIFY(!looksLike(std::string_view("\x0a\x10\x0a\x01\x78\x12\x0b\x50", 8))); // TensorFlow GraphDef
        QVERIFY(!looksLike("PK\x03\x04"));
        QVERIFY(!looksLike("\x89HDF\r\n\x1a\n"));
    }

    void readingCanBeStopped()
    {
        OnnxModel model = smallModel();
        for (int i = 0; i < 2000; ++i) {
            addNode(model, "Abs", {i == 0 ? "x" : "abs" + std::to_string(i - 1)}, {"abs" + std::to_string(i)});
        }
        const TemporaryFiles files;
        const auto path = files.write("m.onnx", "");
        writeOnnx(model, path);
        std::vector<double> reached;
        std::stop_source stop;
        const auto stopAtHalf = [&](double part) {
            reached.push_back(part);
            if (part > 0.5) {
                stop.request_stop();
            }
        };
        const auto stopped = readModel({.model = path, .stop = stop.get_token(), .progress = stopAtHalf});
        QVERIFY(!stopped);
        QCOMPARE(stopped.problem().code, Code("cancelled"));
        QVERIFY(reached.size() > 1 && std::is_sorted(reached.begin(), reached.end()) && reached.back() < 0.6);
        const auto source = ModelSource::at(path, stop.get_token());
        QCOMPARE(codeOf([&] { graphOfFile(*source); }), std::string("cancelled"));
        QCOMPARE(codeOf([&] { loadOnnx(*source); }), std::string("cancelled"));
        // What is read again later is not stopped by the token of the first reading.
        std::stop_source first;
        const auto loaded = readModel({.model = path, .stop = first.get_token()});
        QVERIFY(bool(loaded));
        first.request_stop();
        QCOMPARE(modelOf(*loaded.value().graph).proto->graph().node_size(), 2001);
    }

    void limitsNodesBySize_data()
    {
        QTest::addColumn<QByteArray>("node"); // a field of the graph
        QTest::addColumn<bool>("allowLarge");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("empty") << QByteArray("\x0a\x00", 2) << false << QByteArray("damaged");
        QTest::newRow("tiny") << QByteArray("\x0a\x03\x22\x01\x41") << false << QByteArray("large-file");
        QTest::newRow("tiny, allowed") << QByteArray("\x0a\x03\x22\x01\x41") << true << QByteArray();
    }

    void limitsNodesBySize()
    {
        QFETCH(QByteArray, node);
        QFETCH(bool, allowLarge);
        QFETCH(QByteArray, code);
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{3}});
        addNode(model, "Relu", {"x"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, Shape{3}});
        std::string bytes = model.proto->SerializeAsString();
        std::string nodes;
        for (int i = 0; i < 300000; ++i) {
            nodes += node.toStdString();
        }
        bytes += '\x3a'; // a second piece of the graph, which a reader merges with the first
        for (std::size_t size = nodes.size(); size != 0; size >>= 7U) {
            bytes += static_cast<char>((size & 0x7fU) | (size > 0x7fU ? 0x80U : 0U));
        }
        const TemporaryFiles files;
        const auto loaded = readModel({.model = files.write("m.onnx", bytes + nodes), .allowLarge = allowLarge});
        const std::string_view said = loaded ? std::string_view() : loaded.problem().code.text();
        QCOMPARE(QByteArray(said.data(), static_cast<qsizetype>(said.size())), code);
    }

    void opensThroughTheFormatTable()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("model.bin")).toStdString();
        writeOnnx(smallModel(), path);
        const auto loaded = readModel({.model = path});
        QVERIFY(bool(loaded));
        QCOMPARE(loaded.value().graph->format, std::string("onnx"));
    }
};

QTEST_APPLESS_MAIN(TestOnnxReader)
#include "tst_onnx_reader.moc"
