// What the arguments of calls of layers mean: constants, positions and names, states, and training.

#include "core/convert/conversion.h"
#include "core/graph/attributes.h"
#include "tests/core/formats/keras/keras_json.h"
#include "tests/support/paths.h"

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

QByteArray array(const QByteArray& value, const QByteArray& type)
{
    return "{'class_name': '__tensor__', 'config': {'value': " + value + ", 'dtype': '" + type + "'}}";
}

/// A nested model that subtracts its input s from its input r.
QByteArray difference(const QByteArray& inputs)
{
    const auto input = [](const QByteArray& name) {
        return "{'class_name': 'InputLayer', 'name': '" + name + "', 'inbound_nodes': [], 'config': {'name': '" + name +
               "', 'batch_shape': [null, 1], 'dtype': 'float32'}}, ";
    };
    return "'class_name': 'Functional', 'config': {'name': 'b', 'layers': [" + input("r") + input("s") +
           "{'class_name': 'Subtract', 'name': 'd', 'config': {'name': 'd'}, 'inbound_nodes': [[['r', 0, 0, {}], "
           "['s', 0, 0, {}]]]}], 'input_layers': " +
           inputs + ", 'output_layers': [['d', 0, 0]]}";
}

Result<Conversion> converted(const QByteArray& json, TemporaryFiles& files)
{
    const auto read = readModel({.model = files.write("model.json", json.toStdString())});
    return read ? convert(*read.value().graph, {}) : Result<Conversion>(read.problem());
}

} // namespace

class TestKerasCalls : public QObject {
    Q_OBJECT
private slots:
    void computesWithItsArguments_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<QList<double>>("input");
        QTest::addColumn<QList<double>>("expected");
        const auto row = [](const char* name, const QByteArray& json, QList<qint64> dims, QList<double> input,
                            QList<double> expected) {
            QTest::newRow(name) << json << std::move(dims) << std::move(input) << std::move(expected);
        };
        row("a constant of Keras 3",
            model(3, "[null, 2]", "float32", layer("Add"),
                  "{'args': [[x, " + array("[[10.0, 20.0]]", "float64") + "]], 'kwargs': {}}"),
            {1, 2}, {1, 2}, {11, 22});
        row("a number as an array",
            model(3, "[null, 2]", "float32", layer("Add"),
                  "{'args': [[x, " + array("3.0", "float32") + "]], 'kwargs': {}}"),
            {1, 2}, {1, 2}, {4, 5});
        row("a constant of Keras 2",
            model(2, "[null, 2]", "float32", layer("Concatenate", "'axis': -1"),
                  "{}], ['_CONSTANT_VALUE', -1, [[10.0, 20.0]], {}"),
            {1, 2}, {1, 2}, {1, 2, 10, 20});
        row("a constant mask of Keras 2",
            model(2, "[null, 2, 1]", "float32", layer("GlobalAveragePooling1D"), "{'mask': [[true, false]]}"),
            {1, 2, 1}, {3, 5}, {3});
        row("masks of several tensors, of which one is constant",
            model(2, "[null, 2, 1]", "float32", layer("Attention"),
                  "{'mask': [null, [[true, false]]]}], ['x', 0, 0, {}"),
            {1, 2, 1}, {3, 5}, {3, 3});
        row("a mask at the second position",
            model(3, "[null, 2, 1]", "float32", layer("GlobalAveragePooling1D"),
                  "{'args': [x, " + array("[[false, true]]", "bool") + "], 'kwargs': {}}"),
            {1, 2, 1}, {3, 5}, {5});
        row("masks at the second position",
            model(3, "[null, 2, 1]", "float32", layer("Attention"),
                  "{'args': [[x, x], [null, " + array("[[false, true]]", "bool") + "]], 'kwargs': {}}"),
            {1, 2, 1}, {3, 5}, {5, 5});
        row("an input by name",
            model(3, "[null, 2, 1]", "float32", layer("Flatten"), "{'args': [], 'kwargs': {'inputs': x}}"), {1, 2, 1},
            {3, 5}, {3, 5});
        const QByteArray dictionary = "{'s': ['x', 0, 0, {}], 'r': ['_CONSTANT_VALUE', -1, [[5.0]], {}]}";
        row("a nested model of a list, called with a dictionary",
            modelOfNode(2, "[null, 1]", "float32", difference("[['s', 0, 0], ['r', 0, 0]]"), dictionary), {1, 1}, {2},
            {3});
        row("a nested model of a dictionary",
            modelOfNode(2, "[null, 1]", "float32", difference("{'s': ['r', 0, 0], 'r': ['s', 0, 0]}"), dictionary),
            {1, 1}, {2}, {-3});
        row("training=False", model(2, "[null, 1]", "float32", layer("Dropout", "'rate': 0.5"), "{'training': false}"),
            {1, 1}, {2}, {2});
    }
    void computesWithItsArguments()
    {
        QFETCH(QByteArray, json);
        QFETCH(QList<qint64>, dims);
        QFETCH(QList<double>, input);
        QFETCH(QList<double>, expected);
        compareWithKeras(json, dims, input, expected);
    }

    /// The states of a stack of cells are lists in a list. These cells return their initial states: the data, and 7.
    void takesStatesOfStackedCells_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("Keras 2") << "states_2.h5";
        QTest::newRow("Keras 3") << "states_3.h5";
    }
    void takesStatesOfStackedCells()
    {
        QFETCH(const QString, file);
        const auto read = readModel({.model = (dataFolder() + "/keras/" + file).toStdString()});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const std::vector<Tensor> states = computed(*read.value().graph, std::vector{floats({1, 1, 1}, {3})});
        QCOMPARE(states.size(), std::size_t{2});
        QCOMPARE(states[0].toDoubles(), std::vector<double>{3});
        QCOMPARE(states[1].toDoubles(), std::vector<double>{7});
    }

    /// Keras 2 has constant states as nested lists, whose depth tells where each begins.
    void splitsConstantStates_data()
    {
        QTest::addColumn<QByteArray>("layer");
        QTest::addColumn<QByteArray>("state");
        QTest::newRow("GRU") << layer("GRU", "'units': 1") << QByteArray("[[7.0]]");
        QTest::newRow("ConvLSTM2D") << layer("ConvLSTM2D", "'filters': 1, 'kernel_size': [1, 1]")
                                    << QByteArray("[[[[7.0]]]]");
        QTest::newRow("Bidirectional")
            << layer("Bidirectional", "'layer': {'class_name': 'ConvLSTM1D', 'config': {'name': 'c', 'filters': 1}}")
            << QByteArray("[[[7.0]]]");
    }
    void splitsConstantStates()
    {
        QFETCH(QByteArray, layer);
        QFETCH(QByteArray, state);
        const TemporaryFiles files;
        const QByteArray call = "{'initial_state': [" + state + ", " + state + "]}";
        const QByteArray json = model(2, "[null, 1, 1]", "float32", layer, call);
        const auto read = readModel({.model = files.write("model.json", json.toStdString())});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const Graph& graph = *read.value().graph;
        const Node& node = graph.node(NodeId{0});
        const auto* operands = attributeOf<std::vector<std::string>>(node, "operands");
        QVERIFY(operands != nullptr && operands->size() >= 3);
        QCOMPARE((*operands)[1], std::string("initial_state.0"));
        QCOMPARE((*operands)[2], std::string("initial_state.1"));
        QVERIFY(graph.tensorOf(node.inputs[2]) != nullptr);
        QCOMPARE(graph.tensorOf(node.inputs[2])->toDoubles(), std::vector<double>{7});
    }

    /// A BatchNormalization that is called with training=True has the statistics of the batch, unless it is frozen;
    /// the stored mean is 1 and the stored deviation 2.
    void normalizesByTheBatchInTraining()
    {
        const auto read = readModel({.model = (dataFolder() + "/keras/training_2.h5").toStdString()});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const std::vector<Tensor> y = computed(*read.value().graph, std::vector{floats({2, 1}, {3, 7})});
        QCOMPARE(y.size(), std::size_t{2});
        QCOMPARE(y[0].toDoubles(), (std::vector<double>{-1, 0}));
        QCOMPARE(y[1].toDoubles(), (std::vector<double>{0, 1}));
    }

    void refusesWhatItCannotExport_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("words");
        const auto training = [](const char* className, const QByteArray& settings) {
            return model(2, "[null, 4, 3]", "float32", layer(className, settings), "{'training': true}");
        };
        QTest::newRow("Dropout") << training("Dropout", "'rate': 0.5") << QByteArray("training=True");
        QTest::newRow("noise") << training("GaussianNoise", "'stddev': 0.5") << QByteArray("training=True");
        QTest::newRow("images") << training("RandomFlip", "'mode': 'horizontal'") << QByteArray("training=True");
        QTest::newRow("wrapped") << training("TimeDistributed",
                                             "'layer': {'class_name': 'Dropout', 'config': {'name': 'd', 'rate': 0.5}}")
                                 << QByteArray("training=True");
        QTest::newRow("attention") << training("Attention", "'dropout': 0.5") << QByteArray("training=True");
        QTest::newRow("unknown number") << model(2, "[null, 3]", "float32", layer("ReLU"), "{'limit': 3}")
                                        << QByteArray("argument limit");
        QTest::newRow("unknown tensor") << model(2, "[null, 3]", "float32", layer("ReLU"), "{'limit': ['x', 0, 0]}")
                                        << QByteArray("argument limit");
        QTest::newRow("ragged input") << model(2, "[null, 3]", "float32', 'ragged': true, 'name': 'x", layer("ReLU"),
                                               "{}")
                                      << QByteArray("is ragged");
    }
    void refusesWhatItCannotExport()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, words);
        TemporaryFiles files;
        const auto result = converted(json, files);
        const std::string message = !result                      ? result.problem().message
                                    : result.value().hasErrors() ? result.value().problems.front().message
                                                                 : "no error";
        QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
    }

    /// What drops nothing is not random in training.
    void exportsTrainingThatChangesNothing()
    {
        TemporaryFiles files;
        const auto result =
            converted(model(2, "[null, 3]", "float32", layer("Dropout", "'rate': 0.0"), "{'training': true}"), files);
        QVERIFY(result && !result.value().hasErrors());
    }

    /// Keras 3 infers without training, whatever the argument of a call is.
    void notesTrainingOfKeras3()
    {
        TemporaryFiles files;
        const auto result = converted(model(3, "[null, 3]", "float32", layer("Dropout", "'rate': 0.5"),
                                            "{'args': [x], 'kwargs': {'training': true}}"),
                                      files);
        QVERIFY(result && !result.value().hasErrors());
        QCOMPARE(result.value().problems.front().code, Code("training-call"));
    }
};

QTEST_APPLESS_MAIN(TestKerasCalls)
#include "tst_keras_calls.moc"
