#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/graph/attributes.h"
#include "core/graph/parameters.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/shared_cases.h"
#include "tests/support/tensorflow_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

QByteArray text(std::string_view view)
{
    return {view.data(), static_cast<qsizetype>(view.size())};
}

/// Separated by spaces.
QByteArray namesOf(const Graph& graph, std::span<const ValueId> values)
{
    QByteArray names;
    for (const ValueId id : values) {
        names += (names.isEmpty() ? "" : " ") + text(graph.value(id).name);
    }
    return names;
}

/// Severity, code and node of each, separated by commas.
QByteArray problemsOf(const LoadedModel& model)
{
    QByteArray list;
    for (const Diagnostic& problem : model.problems) {
        list += (list.isEmpty() ? "" : ", ") + text(severityName(problem.severity)) + " " + text(problem.code.text()) +
                " " + text(problem.node);
    }
    return list;
}

/// The weights of the variable of this name; empty where it has none.
std::vector<double> weightsOf(const Graph& graph, std::string_view variable)
{
    const auto id = NodeNames(graph).find(variable);
    const auto* tensor = id ? attributeOf<TensorId>(graph.node(*id), "value") : nullptr;
    return tensor != nullptr ? graph.tensor(*tensor).toDoubles() : std::vector<double>();
}

/// "key=value key=value" of a lookup table.
QByteArray contentOf(const Graph& graph, std::string_view table)
{
    const Node& node = graph.node(*NodeNames(graph).find(std::string(table)));
    const auto* keys = attributeOf<TensorId>(node, "keys");
    const auto* values = attributeOf<TensorId>(node, "values");
    if (keys == nullptr || values == nullptr) {
        return {};
    }
    QByteArrayList entries;
    for (std::size_t i = 0; i < graph.tensor(*keys).toStrings().size(); ++i) {
        entries << text(graph.tensor(*keys).toStrings()[i]) + '=' +
                       QByteArray::number(static_cast<qint64>(graph.tensor(*values).toInts()[i]));
    }
    return entries.join(' ');
}

Message texts(const std::vector<std::string_view>& values)
{
    Message tensor;
    tensor.number(1, std::uint64_t{7}).message(2, shapeProto({static_cast<std::int64_t>(values.size())}));
    for (const std::string_view value : values) {
        tensor.bytes(8, value);
    }
    return tensor;
}

Message variableV2(std::string_view name, const std::vector<std::int64_t>& dims)
{
    return nodeDef(name, "VariableV2", {}, {{"dtype", typeAttr(1)}, {"shape", shapeAttr(dims)}});
}

Message types(std::size_t count)
{
    return Message().message(1, Message().bytes(6, std::string(count, '\1')));
}

/// x @ w + b, and a saver that restores both under other names than the variables'.
std::vector<Message> denseWithSaver(const std::vector<std::string_view>& keys,
                                    const std::vector<std::string_view>& slices)
{
    return {placeholder("x", {-1, 2}),
            placeholder("label", {-1}),
            variableV2("w", {2, 2}),
            unary("w/read", "Identity", "w"),
            variableV2("b", {2}),
            unary("b/read", "Identity", "b"),
            binary("product", "MatMul", "x", "w/read"),
            binary("logits", "AddV2", "product", "b/read"),
            binary("loss", "Sub", "logits", "label"),
            nodeDef("summary", "ScalarSummary", {"loss", "loss"}, {{"T", typeAttr(1)}}),
            unary("output", "Softmax", "logits"),
            constant("save/Const", texts({"model"}), 7),
            constant("save/tensor_names", texts(keys), 7),
            constant("save/slices", texts(slices), 7),
            nodeDef("save/RestoreV2", "RestoreV2", {"save/Const", "save/tensor_names", "save/slices"},
                    {{"dtypes", types(keys.size())}}),
            nodeDef("save/Assign", "Assign", {"w", "save/RestoreV2"}, {{"T", typeAttr(1)}}),
            nodeDef("save/Assign_1", "Assign", {"b", "save/RestoreV2:1"}, {{"T", typeAttr(1)}}),
            nodeDef("save/restore_all", "NoOp", {"^save/Assign", "^save/Assign_1"})};
}

Message metaGraph(const Message& graph, std::string_view restoreOp = "save/restore_all")
{
    const Message info = Message().bytes(4, "train").bytes(5, "1.15.5");
    const Message saver = Message().bytes(1, "save/Const:0").bytes(3, restoreOp);
    return Message().message(1, info).message(2, graph).message(3, saver);
}

std::vector<std::pair<std::string, SavedTensor>> denseWeights()
{
    return {{"dense/kernel", {.dims = {2, 2}, .values = {1, 2, 3, 4}}},
            {"dense/bias", {.dims = {2}, .values = {5, 6}}}};
}

/// A MetaGraphDef and its checkpoint, read.
Result<LoadedModel> readDense(const TemporaryFiles& files,
                              const std::vector<std::pair<std::string, SavedTensor>>& weights,
                              const std::vector<std::string_view>& keys = {"dense/kernel", "dense/bias"},
                              const std::vector<std::string_view>& slices = {"", ""})
{
    write(files, checkpointOf(weights), "model");
    return readModel({.model = files.write("model.meta", metaGraph(graphDef(denseWithSaver(keys, slices))).content())});
}

} // namespace

class TestTensorflowModel : public QObject {
    Q_OBJECT
private slots:
    void readsMetaGraph();
    void findsOutputsOfTrainingGraphs();
    void findsVariablesByName();
    void countsWeights();
    void readsPartitionedVariables();
    void reportsWrongWeights_data();
    void reportsWrongWeights();
    void findsCheckpoints();
    void takesNamedCheckpoints_data();
    void takesNamedCheckpoints();
    void showsGraphWithoutCheckpoint();
    void showsGraphWithDamagedCheckpoint();
    void readsSavedModelOfTensorflow2();
    void readsSavedModelOfTensorflow1();
    void namesOutputsApartFromInputs();
    void cutsAtTheInputsOfASignature();
    void choosesServingGraph();
    void listsTablesAndAssets();
    void readsContentOfTables_data();
    void readsContentOfTables();
    void readsTablesThatFunctionsFill();
    void tellsKeysAndFilesOfVariables();
    void readsText();
    void refusesBrokenText_data();
    void refusesBrokenText();
    void findsOutputsOfFrozenFunctions();
    void readsGraphsThatBeginWithLargeNodes();
    void namesOtherFiles_data();
    void namesOtherFiles();
    void readsRecordedCases();
};

void TestTensorflowModel::readsMetaGraph()
{
    const TemporaryFiles files;
    const auto model = readDense(files, denseWeights());
    QVERIFY(model);
    const Graph& graph = *model.value().graph;
    QCOMPARE(problemsOf(model.value()), QByteArray());
    QCOMPARE(namesOf(graph, graph.inputs), "x:0"); // the label feeds the loss alone
    QCOMPARE(namesOf(graph, graph.outputs), "output:0");
    QCOMPARE(weightsOf(graph, "w"), (std::vector<double>{1, 2, 3, 4}));
    QCOMPARE(weightsOf(graph, "b"), (std::vector<double>{5, 6}));
    QCOMPARE(text(graph.version), "1.15.5");
    QCOMPARE(model.value().weights.filename().string(), "model.index");
    QCOMPARE(tensorflow::sourceInfoOf(graph).variableKeys.begin()->second, "dense/kernel");
}

/// A gradient that no optimizer reads is not an output, and the optimizer may read every other candidate.
void TestTensorflowModel::findsOutputsOfTrainingGraphs()
{
    const TemporaryFiles files;
    const Message rate = constant("rate", floatTensor({}, {0.1F}));
    const std::vector<Message> nodes{
        placeholder("x", {2}),
        variableV2("w", {2}),
        unary("w/read", "Identity", "w"),
        binary("loss", "Mul", "x", "w/read"),
        nodeDef("summary", "ScalarSummary", {"loss", "loss"}, {{"T", typeAttr(1)}}),
        binary("gradients/loss_grad/Mul", "Mul", "loss", "w/read"),
        unary("gradients/x", "Identity", "gradients/loss_grad/Mul"),
        unary("gradients/w", "Identity", "gradients/loss_grad/Mul"),
        rate,
        nodeDef("train", "ApplyGradientDescent", {"w", "rate", "gradients/w"}, {{"T", typeAttr(1)}})};
    const auto outputsOf = [&](const std::vector<Message>& all) {
        const auto model = readModel({.model = files.write("model.meta", metaGraph(graphDef(all)).content())});
        return model ? namesOf(*model.value().graph, model.value().graph->outputs) : QByteArray();
    };
    QCOMPARE(outputsOf(nodes), "loss:0");
    std::vector<Message> withResult = nodes;
    withResult.push_back(unary("scores", "Softmax", "loss"));
    QCOMPARE(outputsOf(withResult), "scores:0");
    // Without an optimizer, gradients are results.
    QCOMPARE(outputsOf({nodes.begin(), nodes.end() - 2}), "gradients/x:0 gradients/w:0");
}

void TestTensorflowModel::findsVariablesByName()
{
    const TemporaryFiles files;
    write(files, checkpointOf({{"w", {.dims = {2}, .values = {7, 8}}}}), "model");
    const Message graph = graphDef({placeholder("x", {2}), variableV2("w", {2}), unary("w/read", "Identity", "w"),
                                    binary("output", "Mul", "x", "w/read")});
    const auto model = readModel({.model = files.write("model.pb", graph.content())});
    QVERIFY(model);
    QCOMPARE(weightsOf(*model.value().graph, "w"), (std::vector<double>{7, 8}));
}

void TestTensorflowModel::countsWeights()
{
    const TemporaryFiles files;
    const auto withVariables = readDense(files, denseWeights());
    QVERIFY(withVariables);
    ParameterCount count = countParameters(*withVariables.value().graph);
    QCOMPARE(count.tensors, std::uint64_t{2});
    QCOMPARE(count.elements, std::uint64_t{6});
    QCOMPARE(count.bytes, std::uint64_t{24});

    // Of a frozen graph neither the scalar, nor the shape, nor what no output needs.
    const Message shape = Message().number(1, std::uint64_t{3}).message(2, shapeProto({2})).bytes(7, "\x02\x02");
    const Message graph =
        graphDef({placeholder("x", {2, 2}), constant("w", floatTensor({2, 2}, {1, 2, 3, 4})),
                  constant("rate", floatTensor({}, {0.5F})), constant("shape", shape, 3),
                  binary("product", "MatMul", "x", "w"), binary("scaled", "Mul", "product", "rate"),
                  constant("unused", floatTensor({3}, {1, 2, 3})), nodeDef("assert", "NoOp", {"^unused"}),
                  nodeDef("output", "Reshape", {"scaled", "shape"}, {{"T", typeAttr(1)}, {"Tshape", typeAttr(3)}})});
    const auto frozen = readModel({.model = files.write("frozen.pb", graph.content())});
    QVERIFY(frozen);
    count = countParameters(*frozen.value().graph);
    QCOMPARE(count.tensors, std::uint64_t{1});
    QCOMPARE(count.elements, std::uint64_t{4});
}

void TestTensorflowModel::readsPartitionedVariables()
{
    const TemporaryFiles files;
    const std::vector<std::pair<std::string, SavedTensor>> parts = {
        {"whole", {.dims = {2, 2}, .values = {1, 2, 3, 4}, .slice = {{0, 0}, {2, 2}}, .whole = {3, 2}}},
        {"whole", {.dims = {1, 2}, .values = {5, 6}, .slice = {{2, 0}, {1, 2}}, .whole = {3, 2}}},
        {"dense/bias", {.dims = {2}, .values = {7, 8}}}};
    const auto model = readDense(files, parts, {"whole", "dense/bias"}, {"3 2 1,2:0,2", ""});
    QVERIFY(model);
    QCOMPARE(problemsOf(model.value()), QByteArray());
    QCOMPARE(weightsOf(*model.value().graph, "w"), (std::vector<double>{3, 4, 5, 6}));
}

void TestTensorflowModel::reportsWrongWeights_data()
{
    QTest::addColumn<std::vector<std::int64_t>>("kernel");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("problems");
    const std::vector<std::int64_t> square = {2, 2};
    QTest::newRow("right") << square << "dense/kernel"
                           << "";
    QTest::newRow("another shape") << std::vector<std::int64_t>{4} << "dense/kernel"
                                   << "error wrong-weight w";
    QTest::newRow("missing") << square << "dense/other"
                             << "error missing-weight w";
    QTest::newRow("another type") << square << "texts"
                                  << "error wrong-weight w";
}

void TestTensorflowModel::reportsWrongWeights()
{
    QFETCH(std::vector<std::int64_t>, kernel);
    QFETCH(QString, key);
    QFETCH(QString, problems);
    const TemporaryFiles files;
    auto weights = denseWeights();
    weights[0].second.dims = kernel;
    weights.push_back({"texts", {.dims = {2, 2}, .texts = {"a", "b", "c", "d"}}});
    const std::string keyText = key.toStdString();
    const auto model = readDense(files, weights, {keyText, "dense/bias"});
    QVERIFY(model);
    QCOMPARE(problemsOf(model.value()), problems.toUtf8());
    QCOMPARE(weightsOf(*model.value().graph, "b"), (std::vector<double>{5, 6}));
}

void TestTensorflowModel::findsCheckpoints()
{
    const TemporaryFiles files;
    write(files, checkpointOf(denseWeights()), "epoch.9");
    auto later = denseWeights();
    later[1].second.values = {50, 60};
    write(files, checkpointOf(later), "epoch.10");
    const Message graph = metaGraph(graphDef(denseWithSaver({"dense/kernel", "dense/bias"}, {"", ""})));
    const auto path = files.write("graph.meta", graph.content());
    const auto last = readModel({.model = path});
    QVERIFY(last);
    QCOMPARE(weightsOf(*last.value().graph, "b"), (std::vector<double>{50, 60}));
    QCOMPARE(problemsOf(last.value()), "note newest-epoch ");

    files.write("checkpoint", "model_checkpoint_path: \"/elsewhere/epoch.9\"\n# comment\n");
    const auto named = readModel({.model = path});
    QVERIFY(named);
    QCOMPARE(weightsOf(*named.value().graph, "b"), (std::vector<double>{5, 6}));
    QCOMPARE(problemsOf(named.value()), QByteArray());
}

void TestTensorflowModel::takesNamedCheckpoints_data()
{
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("problems");
    QTest::newRow("index") << "other.index"
                           << "";
    QTest::newRow("data") << "other.data-00000-of-00001"
                          << "";
    QTest::newRow("prefix") << "other"
                            << "";
    QTest::newRow("folder") << "."
                            << "";
    QTest::newRow("absent") << "absent"
                            << "error unreadable ";
}

void TestTensorflowModel::takesNamedCheckpoints()
{
    QFETCH(QString, weights);
    QFETCH(QString, problems);
    const TemporaryFiles files;
    const TemporaryFiles elsewhere;
    write(elsewhere, checkpointOf(denseWeights()), "other");
    const Message graph = metaGraph(graphDef(denseWithSaver({"dense/kernel", "dense/bias"}, {"", ""})));
    const auto model = readModel(
        {.model = files.write("model.meta", graph.content()), .weights = elsewhere.path(weights.toStdString())});
    QVERIFY(model);
    QCOMPARE(problemsOf(model.value()), problems.toUtf8());
    QCOMPARE(weightsOf(*model.value().graph, "b").size(), problems.isEmpty() ? 2 : 0);
}

void TestTensorflowModel::showsGraphWithoutCheckpoint()
{
    const TemporaryFiles files;
    const Message graph = metaGraph(graphDef(denseWithSaver({"dense/kernel", "dense/bias"}, {"", ""})));
    const auto model = readModel({.model = files.write("model.meta", graph.content())});
    QVERIFY(model);
    QCOMPARE(problemsOf(model.value()), "note no-weights-file ");
}

void TestTensorflowModel::showsGraphWithDamagedCheckpoint()
{
    const TemporaryFiles files;
    Checkpoint checkpoint = checkpointOf(denseWeights());
    checkpoint.index[10] = static_cast<char>(checkpoint.index[10] ^ 1);
    write(files, checkpoint, "model");
    const Message graph = metaGraph(graphDef(denseWithSaver({"dense/kernel", "dense/bias"}, {"", ""})));
    const auto model = readModel({.model = files.write("model.meta", graph.content())});
    QVERIFY(model);
    QCOMPARE(problemsOf(model.value()), "error damaged ");
}

namespace {

Message port(std::string_view key, std::string_view tensor)
{
    return Message().bytes(1, key).message(2, Message().bytes(1, tensor));
}

Message signature(std::string_view name, const std::vector<Message>& inputs, const std::vector<Message>& outputs)
{
    Message def;
    for (const Message& input : inputs) {
        def.message(1, input);
    }
    for (const Message& output : outputs) {
        def.message(2, output);
    }
    return Message().bytes(1, name).message(2, def);
}

Message savedModel(const std::vector<Message>& graphs)
{
    Message model;
    model.number(1, std::uint64_t{1});
    for (const Message& graph : graphs) {
        model.message(2, graph);
    }
    return model;
}

Message info(const std::vector<std::string_view>& tags, std::string_view version)
{
    Message message;
    for (const std::string_view tag : tags) {
        message.bytes(4, tag);
    }
    return message.bytes(5, version);
}

Message resource(std::string_view name, std::string_view sharedName)
{
    return nodeDef(name, "VarHandleOp", {},
                   {{"dtype", typeAttr(1)}, {"shape", shapeAttr({2})}, {"shared_name", textAttr(sharedName)}});
}

/// A function that restores its second argument.
Message restoringFunction()
{
    return functionDef(
        {.name = "restore",
         .arguments = {"prefix", "handle"},
         .results = {},
         .nodes = {
             constant("names", texts({"first/.ATTRIBUTES/VARIABLE_VALUE"}), 7), constant("slices", texts({""}), 7),
             nodeDef("RestoreV2", "RestoreV2", {"prefix", "names:output:0", "slices:output:0"}, {{"dtypes", types(1)}}),
             unary("Identity", "Identity", "RestoreV2:tensors:0"),
             nodeDef("Assign", "AssignVariableOp", {"handle", "Identity:output:0"}, {{"dtype", typeAttr(1)}})}});
}

} // namespace

void TestTensorflowModel::readsSavedModelOfTensorflow2()
{
    const TemporaryFiles files;
    const Message function = functionDef({.name = "serve",
                                          .arguments = {"x", "v", "w"},
                                          .results = {{"y", "sum:z:0"}},
                                          .nodes = {binary("sum", "AddV2", "x", "v")}});
    const Message graph = graphDef(
        {placeholder("serving_default_x", {2}), resource("Variable", "first"), resource("Variable_1", "second"),
         nodeDef("Call", "StatefulPartitionedCall", {"serving_default_x", "Variable", "Variable_1"},
                 {{"f", functionAttr("serve")}, {"Tout", types(1)}}),
         nodeDef("saver_filename", "Placeholder", {}, {{"dtype", typeAttr(7)}}),
         nodeDef("Call_1", "StatefulPartitionedCall", {"saver_filename", "Variable"},
                 {{"f", functionAttr("restore")}})},
        {function, restoringFunction()});
    const Message objects = Message().message(
        1,
        Message().message(
            2, Message().bytes(1, "VARIABLE_VALUE").bytes(2, "second").bytes(3, "other/.ATTRIBUTES/VARIABLE_VALUE")));
    std::filesystem::create_directories(files.path("variables"));
    write(files,
          checkpointOf({{"first/.ATTRIBUTES/VARIABLE_VALUE", {.dims = {2}, .values = {1, 2}}},
                        {"other/.ATTRIBUTES/VARIABLE_VALUE", {.dims = {2}, .values = {3, 4}}},
                        {"_CHECKPOINTABLE_OBJECT_GRAPH", {.dims = {}, .texts = {objects.content()}}}}),
          "variables/variables");
    const Message meta =
        Message()
            .message(1, info({"serve"}, "2.15.1"))
            .message(2, graph)
            .message(3, Message().bytes(3, "Call_1"))
            .message(5, signature("__saved_model_init_op", {}, {port("__saved_model_init_op", "NoOp")}))
            .message(5, signature("serving_default", {port("x", "serving_default_x:0")}, {port("sum", "Call:0")}))
            .message(7, Message().message(1, Message()));
    files.write("saved_model.pb", savedModel({meta}).content());

    for (const auto& path : {files.path("."), files.path("saved_model.pb")}) {
        const auto model = readModel({.model = path});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& read = *model.value().graph;
        QCOMPARE(problemsOf(model.value()), QByteArray());
        QCOMPARE(namesOf(read, read.inputs), "x");
        QCOMPARE(namesOf(read, read.outputs), "sum");
        QCOMPARE(weightsOf(read, "Variable"), (std::vector<double>{1, 2}));   // as the function restores it
        QCOMPARE(weightsOf(read, "Variable_1"), (std::vector<double>{3, 4})); // by the graph of objects
        QCOMPARE(text(toString(read.value(read.node(NodeId{1}).outputs.at(0)).type)), "resource");
        QCOMPARE(tensorflow::sourceInfoOf(read).signatures.size(), 1);
        QCOMPARE(text(read.version), "2.15.1");
    }
}

void TestTensorflowModel::readsSavedModelOfTensorflow1()
{
    const TemporaryFiles files;
    const Message meta = Message()
                             .message(1, info({"serve"}, "1.15.5"))
                             .message(2, graphDef({placeholder("in", {2}), placeholder("unused", {2}),
                                                   unary("out", "Relu", "in"), unary("other", "Abs", "in")}))
                             .message(5, signature("predict", {port("features", "in:0"), port("rest", "unused:0")},
                                                   {port("scores", "out:0")}));
    files.write("saved_model.pb", savedModel({meta}).content());
    const auto model = readModel({.model = files.path(".")});
    QVERIFY(model);
    const Graph& graph = *model.value().graph;
    QCOMPARE(namesOf(graph, graph.inputs), "in:0 unused:0");
    QCOMPARE(namesOf(graph, graph.outputs), "out:0");
    QCOMPARE(tensorflow::sourceInfoOf(graph).signatures.at(0).outputs.at(0).first, "scores");
}

/// A streaming model has the key of its state for an input and an output. One that returns its inputs in another order
/// has such keys, too.
void TestTensorflowModel::namesOutputsApartFromInputs()
{
    const TemporaryFiles files;
    const Message step = functionDef({.name = "step",
                                      .arguments = {"x", "y"},
                                      .results = {{"a", "sum:z:0"}, {"b", "x"}},
                                      .nodes = {binary("sum", "AddV2", "x", "y")}});
    const Message graph = graphDef(
        {placeholder("first", {2}), placeholder("second", {2}),
         nodeDef("Call", "PartitionedCall", {"first", "second"}, {{"f", functionAttr("step")}, {"Tout", types(2)}})},
        {step});
    const Message meta =
        Message()
            .message(1, info({"serve"}, "2.15.1"))
            .message(2, graph)
            .message(5, signature("serving_default", {port("state", "first:0"), port("state_out", "second:0")},
                                  {port("state", "Call:0"), port("state_out", "Call:1")}))
            .message(7, Message().message(1, Message()));
    files.write("saved_model.pb", savedModel({meta}).content());
    const auto model = readModel({.model = files.path(".")});
    QVERIFY2(model, model ? "" : model.problem().message.c_str());
    const Graph& read = *model.value().graph;
    QCOMPARE(namesOf(read, read.inputs), "state state_out");
    QCOMPARE(namesOf(read, read.outputs), "state_out#2 state_out_out");
    QCOMPARE(problemsOf(model.value()), "note renamed-output , note renamed-output ");
}

/// A signature can have any tensor as an input. What computes it is left out.
void TestTensorflowModel::cutsAtTheInputsOfASignature()
{
    const TemporaryFiles files;
    const Message graph =
        graphDef({placeholder("in", {3}), unary("middle", "Neg", "in"), unary("out", "Relu", "middle")});
    const Message meta = Message()
                             .message(1, info({"serve"}, "1.15.5"))
                             .message(2, graph)
                             .message(5, signature("predict", {port("x", "middle:0")}, {port("y", "out:0")}));
    files.write("saved_model.pb", savedModel({meta}).content());
    const auto model = readModel({.model = files.path(".")});
    QVERIFY(model);
    ConvertOptions options;
    options.shapes["middle:0"] = {3};
    const auto conversion = convert(*model.value().graph, options);
    QVERIFY(conversion && !conversion.value().hasErrors());
    const NodeId out = *NodeNames(*model.value().graph).find("out");
    QCOMPARE(conversion.value().sources, (std::vector<std::vector<NodeId>>{{out}}));
    const auto nameOf = [&](const char* node) { // of its output
        const Graph& source = *model.value().graph;
        return conversion.value().valueNames[source.node(*NodeNames(source).find(node)).outputs[0].index];
    };
    QCOMPARE(nameOf("middle"), "middle:0");
    QCOMPARE(nameOf("in"), "");
}

void TestTensorflowModel::choosesServingGraph()
{
    const TemporaryFiles files;
    const auto graphWith = [](std::string_view node, const std::vector<std::string_view>& tags) {
        return Message()
            .message(1, info(tags, "1.15.5"))
            .message(2, graphDef({placeholder("x", {1}), unary(node, "Relu", "x")}));
    };
    files.write("saved_model.pb",
                savedModel({graphWith("training", {"train"}), graphWith("accelerated", {"serve", "tpu"}),
                            graphWith("serving", {"serve"})})
                    .content());
    const auto model = readModel({.model = files.path("saved_model.pb")});
    QVERIFY(model);
    QCOMPARE(namesOf(*model.value().graph, model.value().graph->outputs), "serving:0");
    QCOMPARE(model.value().graph->metadata.at("tags"), std::string("serve"));
    QCOMPARE(model.value().graph->metadata.at("other_tags"), std::string("train; serve,tpu"));

    const auto accelerated = readModel({.model = files.path("saved_model.pb"), .tags = {"tpu", "serve"}});
    QVERIFY(accelerated);
    QCOMPARE(namesOf(*accelerated.value().graph, accelerated.value().graph->outputs), "accelerated:0");
    const auto absent = readModel({.model = files.path("saved_model.pb"), .tags = {"tpu"}});
    QVERIFY(!absent && absent.problem().code == Code("unknown-tags"));
    QCOMPARE(absent.problem().hint, std::string("its graphs have the tags train; serve,tpu; serve"));
    const auto untagged =
        readModel({.model = files.write("frozen.pb", graphDef({placeholder("x", {1})}).content()), .tags = {"serve"}});
    QVERIFY(!untagged && untagged.problem().code == Code("unknown-tags"));
}

void TestTensorflowModel::listsTablesAndAssets()
{
    const TemporaryFiles files;
    const auto table = [](std::string_view name) {
        return nodeDef(name, "HashTableV2", {}, {{"key_dtype", typeAttr(7)}, {"value_dtype", typeAttr(9)}});
    };
    const auto filled = [](std::string_view name, std::string_view tableName, std::string_view path) {
        return nodeDef(name, "InitializeTableFromTextFileV2", {tableName, path});
    };
    const Message meta =
        Message()
            .message(1, info({"serve"}, "1.15.5"))
            .message(2, graphDef({placeholder("in", {2}), unary("out", "Relu", "in"), table("words"), table("labels"),
                                  table("computed"), constant("asset_path", texts({"/home/someone/old.txt"}), 7),
                                  constant("other_path", texts({"/home/someone/labels.txt"}), 7),
                                  filled("init", "words", "asset_path"), filled("init_1", "labels", "other_path")}))
            .message(5, signature("predict", {port("x", "in:0")}, {port("y", "out:0")}))
            .message(6, Message().message(1, Message().bytes(1, "asset_path:0")).bytes(2, "vocabulary.txt"));
    files.write("saved_model.pb", savedModel({meta}).content());
    const auto model = readModel({.model = files.path(".")});
    QVERIFY2(model, model ? "" : model.problem().message.c_str());
    QCOMPARE(model.value().assets, std::vector<std::string>{"vocabulary.txt"});
    const auto& tables = model.value().tables;
    QCOMPARE(tables.size(), std::size_t{3});
    QCOMPARE(tables[0].node, std::string("words"));
    QCOMPARE(tables[0].nodeIndex, std::uint32_t{2});
    QCOMPARE(tables[0].keys, ElementType::String);
    QCOMPARE(tables[0].values, ElementType::Int64);
    QCOMPARE(tables[0].file, std::string("vocabulary.txt")); // the asset, not the path on the other machine
    QCOMPARE(tables[1].file, std::string("labels.txt"));
    QCOMPARE(tables[2].file, std::string());
}

void TestTensorflowModel::readsContentOfTables_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("keyColumn");
    QTest::addColumn<int>("valueColumn");
    QTest::addColumn<int>("size");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("lines and their numbers") << QByteArray("a\nb c\n") << -2 << -1 << -1 << QByteArray("a=0 b c=1");
    QTest::newRow("no newline at the end") << QByteArray("a\r\nb") << -2 << -1 << -1 << QByteArray("a=0 b=1");
    QTest::newRow("columns") << QByteArray("x\ta\t7\ny\tb\t-1\n") << 1 << 2 << -1 << QByteArray("a=7 b=-1");
    QTest::newRow("first lines") << QByteArray("a\nb\nc\n") << -2 << -1 << 2 << QByteArray("a=0 b=1");
    QTest::newRow("too few lines") << QByteArray("a\nb\n") << -2 << -1 << 3 << QByteArray();
    QTest::newRow("empty line") << QByteArray("a\n\nb\n") << -2 << -1 << -1 << QByteArray();
    QTest::newRow("too few columns") << QByteArray("a\t1\nb\n") << 0 << 1 << -1 << QByteArray();
    QTest::newRow("value that is no integer") << QByteArray("a\t1.5\n") << 0 << 1 << -1 << QByteArray();
}

void TestTensorflowModel::readsContentOfTables()
{
    QFETCH(const QByteArray, file);
    QFETCH(const int, keyColumn);
    QFETCH(const int, valueColumn);
    QFETCH(const int, size);
    QFETCH(const QByteArray, content);
    const TemporaryFiles files;
    const Message meta =
        Message()
            .message(1, info({"serve"}, "1.15.5"))
            .message(2, graphDef({placeholder("in", {2}), unary("out", "Relu", "in"),
                                  nodeDef("words", "HashTableV2", {},
                                          {{"key_dtype", typeAttr(7)}, {"value_dtype", typeAttr(9)}}),
                                  constant("asset_path", texts({"/home/someone/old.txt"}), 7),
                                  nodeDef("init", "InitializeTableFromTextFileV2", {"words", "asset_path"},
                                          {{"key_index", intAttr(keyColumn)},
                                           {"value_index", intAttr(valueColumn)},
                                           {"vocab_size", intAttr(size)}})}))
            .message(5, signature("predict", {port("x", "in:0")}, {port("y", "out:0")}))
            .message(6, Message().message(1, Message().bytes(1, "asset_path:0")).bytes(2, "vocabulary.txt"));
    files.write("saved_model.pb", savedModel({meta}).content());
    std::filesystem::create_directory(files.path("assets"));
    files.write("assets/vocabulary.txt", file.toStdString());
    const auto model = readModel({.model = files.path(".")});
    QVERIFY2(model, model ? "" : model.problem().message.c_str());
    QCOMPARE(contentOf(*model.value().graph, "words"), content);
}

/// A function of TensorFlow 2 gets the table, and the keys from the graph that calls it. A table that is filled twice
/// has no known content.
void TestTensorflowModel::readsTablesThatFunctionsFill()
{
    for (const bool isFilledAgain : {false, true}) {
        const TemporaryFiles files;
        const Message function =
            functionDef({"fill",
                         {"table", "keys"},
                         {{"done", "done:output:0"}},
                         {constant("values", intTensor({2}, {5, 6}), 3), constant("done", floatTensor({}, {1})),
                          nodeDef("import", "LookupTableImportV2", {"table", "keys", "values:output:0"})}});
        std::vector<Message> nodes{
            placeholder("in", {2}), unary("out", "Relu", "in"),
            nodeDef("words", "HashTableV2", {}, {{"key_dtype", typeAttr(7)}, {"value_dtype", typeAttr(3)}}),
            constant("keys", texts({"a", "b"}), 7),
            nodeDef("call", "StatefulPartitionedCall", {"words", "keys"}, {{"f", functionAttr("fill")}})};
        if (isFilledAgain) {
            nodes.push_back(
                nodeDef("again", "StatefulPartitionedCall", {"words", "keys"}, {{"f", functionAttr("fill")}}));
        }
        const Message meta = Message()
                                 .message(1, info({"serve"}, "2.15.0"))
                                 .message(2, graphDef(nodes, {function}))
                                 .message(5, signature("predict", {port("x", "in:0")}, {port("y", "out:0")}));
        files.write("saved_model.pb", savedModel({meta}).content());
        const auto model = readModel({.model = files.path(".")});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        QCOMPARE(contentOf(*model.value().graph, "words"), QByteArray(isFilledAgain ? "" : "a=5 b=6"));
    }
}

void TestTensorflowModel::tellsKeysAndFilesOfVariables()
{
    const TemporaryFiles files;
    const auto model = readDense(files, denseWeights());
    QVERIFY(model);
    const Graph& graph = *model.value().graph;
    const auto node = NodeNames(graph).find("w");
    QVERIFY(node);
    QCOMPARE(model.value().storageKeys.at(*node), std::string("dense/kernel"));
    QCOMPARE(filesOf(*parameterOf(graph, graph.node(*node).outputs.at(0))),
             std::vector<std::string>{"model.data-00000-of-00001"});
}

void TestTensorflowModel::readsText()
{
    const TemporaryFiles files;
    const auto path = files.write("graph.pbtxt", R"(# written by tf.io.write_graph
node {
  name: "x"
  op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } }
}
node {
  name: "w" op: 'Const'
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } }
         tensor_content: "\000\000\200?" "\000\000\000@" } } }
  attr { key: "more" value { list { i: [1, 0x10, -3] f: [] } } }
  experimental_debug_info < original_node_names: "w" >
}
node { name: "b" op: "Const"; attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1.5e0f } } } }
node { name: "product" op: "Mul" input: "x", input: "w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "output" op: "AddV2" input: "product" input: "b" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 1286 }
library { }
)");
    const auto model = readModel({.model = path});
    QVERIFY2(model, model ? "" : model.problem().message.c_str());
    const Graph& graph = *model.value().graph;
    QCOMPARE(namesOf(graph, graph.inputs), "x:0");
    QCOMPARE(namesOf(graph, graph.outputs), "output:0");
    QCOMPARE(weightsOf(graph, "w"), (std::vector<double>{1, 2}));
    QCOMPARE(weightsOf(graph, "b"), (std::vector<double>{1.5}));
    QCOMPARE(*attributeOf<Ints>(graph.node(NodeId{1}), "more"), (std::vector<std::int64_t>{1, 16, -3}));
    QCOMPARE(text(toString(graph.value(graph.inputs[0]).type)), "float32 ?x2");
}

void TestTensorflowModel::refusesBrokenText_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("end missing") << QByteArray("node { name: \"x\" op: \"NoOp\"");
    QTest::newRow("string without end") << QByteArray("node { name: \"x\n op: \"NoOp\" }");
    QTest::newRow("unknown type") << QByteArray(
        "node { name: \"x\" op: \"A\" attr { key: \"T\" value { type: DT_FLOOT } } }");
    QTest::newRow("text for a number") << QByteArray(
        "node { name: \"x\" op: \"A\" attr { key: \"T\" value { i: many } } }");
    QTest::newRow("number for text") << QByteArray("node { name: 3 }");
    QTest::newRow("value missing") << QByteArray("node { name: }");
    QTest::newRow("escape of nothing") << QByteArray("node { name: \"\\q\" }");
    QByteArray nested = "node { name: \"x\" op: \"A\" attr { key: \"f\" value { ";
    for (int i = 0; i < 200; ++i) {
        nested += "func { attr { value { ";
    }
    QTest::newRow("nested without end") << nested;
}

void TestTensorflowModel::refusesBrokenText()
{
    QFETCH(QByteArray, content);
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("graph.pbtxt", content.toStdString())});
    QVERIFY(!model);
    QCOMPARE(text(model.problem().code.text()), "damaged");
}

void TestTensorflowModel::findsOutputsOfFrozenFunctions()
{
    const auto outputsOf = [](std::string_view lines) {
        const TemporaryFiles files;
        const auto model = readModel({.model = files.write("model.pb", graphDefOf(lines))});
        return namesOf(*model.value().graph, model.value().graph->outputs);
    };
    // Freezing adds an Identity after each output, also after those that only training reads.
    QCOMPARE(outputsOf(R"(
x = Placeholder dtype=float shape=[1,2,2,1]
v = Const float[1] 1
norm = FusedBatchNormV3(x, v, v, v, v) U=float is_training=false
Identity = Identity(norm)
Identity_1 = Identity(norm:1)
Identity_5 = Identity(norm:5)
)"),
             "norm:0");
    QCOMPARE(outputsOf(R"(
x = Placeholder dtype=float shape=[4]
axis = Const int32[] 0
parts = Split(axis, x) num_split=2
Identity = Identity(parts)
Identity_1 = Identity(parts:1)
)"),
             "parts:0 parts:1");
    QCOMPARE(outputsOf("folded = Const float[2] 1 2\n"), "folded:0");
}

/// The beginning of a file may hold nothing but a part of its first node.
void TestTensorflowModel::readsGraphsThatBeginWithLargeNodes()
{
    const TemporaryFiles files;
    std::string lines = "w = Const float[100000]";
    for (int i = 0; i < 100000; ++i) {
        lines += " 1";
    }
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(lines + "\noutput = Neg(w)\n"))});
    QVERIFY2(model, model ? "" : model.problem().message.c_str());
    QCOMPARE(namesOf(*model.value().graph, model.value().graph->outputs), "output:0");
}

void TestTensorflowModel::namesOtherFiles_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    const Checkpoint checkpoint = checkpointOf(denseWeights());
    QTest::newRow("index") << "a.index" << QByteArray::fromStdString(checkpoint.index);
    QTest::newRow("data") << "a.data-00000-of-00001" << QByteArray::fromStdString(checkpoint.data);
    QTest::newRow("label map") << "labels.pbtxt" << QByteArray("item {\n  id: 1\n  name: 'person'\n}\n");
    QTest::newRow("checkpoint state") << "checkpoint" << QByteArray("model_checkpoint_path: \"a\"\n");
    const std::string length = std::string("\x18\0\0\0\0\0\0\0", 8);
    QTest::newRow("events") << "events.out.tfevents.1"
                            << QByteArray::fromStdString(length + fixed32(maskedCrcOf(length)) + "abc");
}

void TestTensorflowModel::namesOtherFiles()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write(name.toStdString(), content.toStdString())});
    QVERIFY(!model);
    QCOMPARE(text(model.problem().code.text()), "unknown-format");
}

void TestTensorflowModel::readsRecordedCases()
{
    REQUIRE_SHARED_CASES();
    int count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(sharedFolder() / "cases" / "tf")) {
        QFile description(QString::fromStdString((folder.path() / "case.json").string()));
        if (!description.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QJsonObject recorded = QJsonDocument::fromJson(description.readAll()).object();
        const std::string format = recorded[QLatin1String("format")].toString().toStdString();
        const std::map<std::string, std::string> files = {
            {"frozen", "frozen.pb"}, {"meta", "graph.meta"}, {"saved_model", "saved_model"}};
        if (!files.contains(format)) {
            continue; // Keras
        }
        const auto names = [&](const char* key) {
            QByteArrayList list;
            for (const QJsonValue& entry : recorded[QLatin1String(key)].toArray()) {
                list << entry[QLatin1String("name")].toString().toUtf8();
            }
            return list;
        };
        const auto sorted = [](QByteArrayList list) {
            std::sort(list.begin(), list.end());
            return list;
        };
        const auto model = readModel({.model = folder.path() / files.at(format)});
        const QByteArray name = text(folder.path().filename().string());
        QVERIFY2(model, model ? "" : (name + ": " + text(model.problem().message)).constData());
        const Graph& graph = *model.value().graph;
        QCOMPARE(name + problemsOf(model.value()), name);
        QCOMPARE(name + " " + namesOf(graph, graph.outputs), name + " " + names("outputs").join(' '));
        QVERIFY2(sorted(namesOf(graph, graph.inputs).split(' ')) == sorted(names("inputs")) ||
                     names("inputs").isEmpty(),
                 name.constData());
        ++count;
    }
    QVERIFY(count > 0);
}

QTEST_APPLESS_MAIN(TestTensorflowModel)
#include "tst_tensorflow_model.moc"
