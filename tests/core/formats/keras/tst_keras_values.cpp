// What layers without weights and operations compute, by numbers that can be worked out by hand.

#include "core/convert/conversion.h"
#include "tests/core/formats/keras/keras_json.h"
#include "tests/support/paths.h"

using namespace crosswalk;
using namespace crosswalk::test;

class TestKerasValues : public QObject {
    Q_OBJECT
private slots:
    void computesWhatKerasDoes_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<QList<double>>("input");
        QTest::addColumn<QList<double>>("expected");
        const auto row = [](const char* name, const QByteArray& json, QList<qint64> dims, QList<double> input,
                            QList<double> expected) {
            QTest::newRow(name) << json << std::move(dims) << std::move(input) << std::move(expected);
        };
        const auto float2 = [](const QByteArray& shape, const QByteArray& which) {
            return model(2, shape, "float32", which, "{}");
        };
        row("hard_sigmoid of Keras 2", float2("[null, 2]", layer("Activation", R"("activation": "hard_sigmoid")")),
            {1, 2}, {1, 3}, {0.7, 1});
        row("hard_sigmoid of Keras 3",
            model(3, "[null, 2]", "float32", layer("Activation", R"("activation": "hard_sigmoid")"),
                  R"({"args": [x], "kwargs": {}})"),
            {1, 2}, {0, 1.5}, {0.5, 0.75});
        row("threshold of ReLU",
            float2("[null, 5]", layer("ReLU", R"("max_value": 3.0, "negative_slope": 0.5, "threshold": 1.0)")), {1, 5},
            {-1, 0, 1, 2, 5}, {-1, -0.5, 0, 2, 3});
        row("Flatten of channels first", float2("[null, 2, 3]", layer("Flatten", R"("data_format": "channels_first")")),
            {1, 2, 3}, {1, 2, 3, 4, 5, 6}, {1, 4, 2, 5, 3, 6});
        row("a boundary belongs to the bin above it",
            float2("[null, 3]", layer("Discretization", R"("bin_boundaries": [0.0, 2.0], "output_mode": "int")")),
            {1, 3}, {-1, 0, 2}, {0, 1, 2});
        row("arrays as settings",
            float2("[null, 2]", layer("Rescaling", R"("scale": {"class_name": "__numpy__", "config":
                {"value": [2.0, 3.0], "dtype": "float64"}}, "offset": {"class_name": "__tuple__", "items": [1.0, 0.5]})")),
            {1, 2}, {4, 5}, {9, 15.5});
        row("UpSampling2D", float2("[null, 1, 2, 1]", layer("UpSampling2D", R"("size": [2, 1])")), {1, 1, 2, 1}, {3, 4},
            {3, 4, 3, 4});
        row("UpSampling2D, bilinear",
            float2("[null, 1, 2, 1]", layer("UpSampling2D", R"("size": [1, 2], "interpolation": "bilinear")")),
            {1, 1, 2, 1}, {0, 4}, {0, 1, 3, 4});
        row("RandomCrop resizes", float2("[null, 1, 2, 1]", layer("RandomCrop", R"("height": 1, "width": 1)")),
            {1, 1, 2, 1}, {3, 5}, {3});
        row("indices for unknown numbers",
            model(2, "[null, 3]", "int64",
                  layer("IntegerLookup", R"("vocabulary": [10], "num_oov_indices": 2, "mask_token": null,
                                            "output_mode": "int")"),
                  "{}"),
            {1, 3}, {10, 7, 8}, {2, 1, 0});
        row("masked numbers are not encoded",
            model(2, "[null, 3]", "int64",
                  layer("IntegerLookup", R"("vocabulary": [10], "num_oov_indices": 1, "mask_token": 0,
                                            "output_mode": "count")"),
                  "{}"),
            {2, 3}, {0, 10, 7, 0, 0, 10}, {1, 1, 0, 1});
        row("average pooling without the padding",
            float2("[null, 3, 1]", layer("AveragePooling1D", R"("pool_size": [2], "strides": [2], "padding": "same")")),
            {1, 3, 1}, {2, 4, 6}, {3, 6});
        row("groups of channels",
            float2("[null, 2]", layer("GroupNormalization", R"("groups": 1, "scale": false, "center": false,
                                                               "epsilon": 0.0)")),
            {1, 2}, {1, 3}, {-1, 1});
        row("floor division of Keras 3",
            model(3, "[null, 3]", "int32", operation("FloorDivide"), R"({"args": [x, 3], "kwargs": {}})"), {1, 3},
            {-7, 7, -6}, {-3, 2, -2});
        row("modulo of Keras 3", model(3, "[null, 2]", "int32", operation("Mod"), R"({"args": [x, 3], "kwargs": {}})"),
            {1, 2}, {-7, 7}, {2, 1});
        row("a constant before the tensor",
            model(3, "[null, 2]", "float32", operation("Subtract"), R"({"args": [3.0, x], "kwargs": {}})"), {1, 2},
            {1, 5}, {2, -2});
        row("a slice backwards",
            model(3, "[null, 3]", "float32", operation("GetItem"), R"({"args": [x, [{"class_name": "__ellipsis__",
                "config": {}}, {"class_name": "__slice__", "config": {"start": null, "stop": 0, "step": -1}}]],
                "kwargs": {}})"),
            {1, 3}, {1, 2, 3}, {3, 2});
        const auto sampled = [](const QByteArray& mode) {
            return model(
                3, "[null, 3]", "float32",
                operation("MapCoordinates", "\"order\": 1, \"fill_value\": 9, \"fill_mode\": \"" + mode + "\""),
                R"({"args": [x, [[0, 0, 0], [-1, 1.5, 4]]], "kwargs": {}})");
        };
        row("values beyond the ends", sampled("constant"), {1, 3}, {1, 2, 4}, {9, 3, 9});
        row("the ends beyond the ends", sampled("nearest"), {1, 3}, {1, 2, 4}, {1, 3, 4});
        row("the axis repeated", sampled("wrap"), {1, 3}, {1, 2, 4}, {4, 3, 2});
        row("the axis mirrored at elements", sampled("mirror"), {1, 3}, {1, 2, 4}, {2, 3, 1});
        row("the axis mirrored between elements", sampled("reflect"), {1, 3}, {1, 2, 4}, {1, 3, 2});
        row("split at places",
            model(3, "[null, 3]", "float32", operation("Split", R"("indices_or_sections": [1], "axis": -1)"),
                  R"({"args": [x], "kwargs": {}})"),
            {1, 3}, {1, 2, 3}, {1});
        row("argmax",
            model(3, "[null, 3]", "float32", operation("Argmax", R"("axis": -1)"), R"({"args": [x], "kwargs": {}})"),
            {1, 3}, {1, 5, 3}, {1});
        const auto maskedByItself = [&](const QByteArray& version) {
            const QByteArray json =
                model(version.front() - '0', "[null, null]", "float32", layer("Softmax"),
                      version.startsWith('3') ? R"({"args": [x], "kwargs": {"mask": x}})" : R"({"mask": ["x", 0, 0]})");
            return QByteArray(json).replace(".0.0", version.mid(1));
        };
        row("softmax of Keras 2 adds to what is masked in part", maskedByItself("2.15.0"), {1, 2}, {1, 0.75}, {1, 0});
        row("softmax of early Keras 3 too", maskedByItself("3.3.0"), {1, 2}, {1, 0.75}, {1, 0});
        row("softmax of Keras 3 takes what is greater than a half", maskedByItself("3.15.0"), {1, 3},
            {0.75, 0.75, 0.25}, {0.5, 0.5, 0});
        row("Frobenius norm",
            model(2, "[2, 2]", "float32", layer("TFOpLambda", R"("function": "linalg.norm")"),
                  R"({"ord": "fro", "axis": [0, 1]})"),
            {2, 2}, {1, 2, 2, 4}, {5});
        row("sparsemax",
            model(3, "[null, 3]", "float32", layer("Activation", R"("activation": "sparsemax")"),
                  R"({"args": [x], "kwargs": {}})"),
            {1, 3}, {0.5, 0.5, -1}, {0.25, 0.25, 0}); // not 0.5: Keras adds the running sums
    }
    void computesWhatKerasDoes()
    {
        QFETCH(QByteArray, json);
        QFETCH(QList<qint64>, dims);
        QFETCH(QList<double>, input);
        QFETCH(QList<double>, expected);
        compareWithKeras(json, dims, input, expected);
    }

    void refusesWhatItCannotCompute_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("words");
        QTest::newRow("file of tokens") << model(2, "[null, 2]", "string",
                                                 layer("StringLookup", R"("vocabulary": "tokens.txt")"), "{}")
                                        << "outside the model";
        QTest::newRow("file of numbers") << model(2, "[null, 2]", "int64",
                                                  layer("IntegerLookup", R"("vocabulary": "numbers.txt")"), "{}")
                                         << "outside the model";
        QTest::newRow("hashed numbers")
            << model(3, "[null, 2]", "int64",
                     layer("IntegerLookup", R"("vocabulary": [1], "num_oov_indices": 2, "oov_method": "farmhash")"),
                     R"({"args": [x], "kwargs": {}})")
            << "hashed";
    }
    void refusesWhatItCannotCompute()
    {
        QFETCH(const QByteArray, json);
        QFETCH(const QString, words);
        const TemporaryFiles files;
        const auto read = readModel({.model = files.write("model.json", json.toStdString())});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const auto converted = convert(*read.value().graph, {});
        QVERIFY(converted && converted.value().hasErrors());
        const std::string& message = converted.value().problems.front().message;
        QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
    }

    /// Of two tensors, the first masked where x is 0 and the second x + 1. Keras 3 leaves masked elements out of
    /// products and extremes; Keras 2 does not.
    void mergesMaskedTensorsAsItsVersion_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("layer");
        QTest::addColumn<QList<double>>("expected"); // of x = 0, 3
        QTest::newRow("Keras 2, product") << QByteArray("2.15.0") << QByteArray("Multiply") << QList<double>{0, 12};
        QTest::newRow("Keras 3, product") << QByteArray("3.0.0") << QByteArray("Multiply") << QList<double>{1, 12};
        QTest::newRow("Keras 2, minimum") << QByteArray("2.15.0") << QByteArray("Minimum") << QList<double>{0, 3};
        QTest::newRow("Keras 3, minimum") << QByteArray("3.0.0") << QByteArray("Minimum") << QList<double>{1, 3};
    }
    void mergesMaskedTensorsAsItsVersion()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, layer);
        QFETCH(QList<double>, expected);
        const auto tensor = [](const QByteArray& name) {
            return "{\"class_name\": \"__keras_tensor__\", \"config\": {\"keras_history\": [\"" + name + "\", 0, 0]}}";
        };
        const bool isNew = version.startsWith('3');
        const auto call = [&](const QByteArray& name) {
            return isNew ? "[{\"args\": [" + tensor(name) + "], \"kwargs\": {}}]" : "[[[\"" + name + "\", 0, 0, {}]]]";
        };
        const QByteArray both = isNew ? "[{\"args\": [[" + tensor("m") + ", " + tensor("r") + "]], \"kwargs\": {}}]"
                                      : QByteArray("[[[\"m\", 0, 0, {}], [\"r\", 0, 0, {}]]]");
        const QByteArray json =
            "{\"class_name\": \"Functional\", \"keras_version\": \"" + version +
            "\", \"config\": {\"name\": \"model\", \"layers\": ["
            "{\"class_name\": \"InputLayer\", \"name\": \"x\", \"inbound_nodes\": [],"
            "\"config\": {\"name\": \"x\", \"batch_shape\": [null, 2, 1], \"dtype\": \"float32\"}},"
            "{\"class_name\": \"Masking\", \"name\": \"m\", \"config\": {\"name\": \"m\", \"trainable\": true, "
            "\"mask_value\": 0.0},"
            "\"inbound_nodes\":" +
            call("x") +
            "},"
            "{\"class_name\": \"Rescaling\", \"name\": \"r\", \"config\": {\"name\": \"r\", \"trainable\": true, "
            "\"scale\": 1.0, \"offset\": 1.0},"
            "\"inbound_nodes\":" +
            call("x") +
            "},"
            "{\"class_name\": \"" +
            layer +
            "\", \"name\": \"b\", \"config\": {\"name\": \"b\", \"trainable\": true}, \"inbound_nodes\": " + both +
            "}], \"input_layers\": [[\"x\", 0, 0]], \"output_layers\": [[\"b\", 0, 0]]}}";
        compareWithKeras(json, {1, 2, 1}, {0, 3}, expected);
    }

    /// The data and the masked data one after the other in time, along an axis that is counted from the end.
    void joinsMasksAlongTime()
    {
        const QByteArray json = R"({"class_name": "Functional", "keras_version": "2.15.0", "config": {"name": "model",
            "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"name": "x", "batch_shape": [null, 2, 1], "dtype": "float32"}},
            {"class_name": "Masking", "name": "m", "inbound_nodes": [[["x", 0, 0, {}]]],
             "config": {"name": "m", "mask_value": 0.0}},
            {"class_name": "Concatenate", "name": "c", "inbound_nodes": [[["m", 0, 0, {}], ["x", 0, 0, {}]]],
             "config": {"name": "c", "axis": -2}},
            {"class_name": "GlobalAveragePooling1D", "name": "b", "inbound_nodes": [[["c", 0, 0, {}]]],
             "config": {"name": "b"}}],
            "input_layers": [["x", 0, 0]], "output_layers": [["b", 0, 0]]}})";
        compareWithKeras(json, {1, 2, 1}, {0, 3}, {2});
    }

    /// Of a sequence whose steps are all masked. Keras of old returns the state, tf.keras the output before the first.
    void returnsNothingOfMaskedSteps_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<double>("expected");
        QTest::newRow("Keras 2.2") << QByteArray("2.2.4") << 5.0;
        QTest::newRow("tf.keras") << QByteArray("2.15.0") << 0.0;
    }
    void returnsNothingOfMaskedSteps()
    {
        QFETCH(const QByteArray, version);
        QFETCH(const double, expected);
        const QByteArray json =
            R"({"class_name": "Functional", "keras_version": "VERSION", "config": {"name": "model", "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"name": "x", "batch_input_shape": [null, 2, 1], "dtype": "float32"}},
            {"class_name": "InputLayer", "name": "m", "inbound_nodes": [],
             "config": {"name": "m", "batch_input_shape": [null, 2], "dtype": "bool"}},
            {"class_name": "InputLayer", "name": "h", "inbound_nodes": [],
             "config": {"name": "h", "batch_input_shape": [null, 1], "dtype": "float32"}},
            {"class_name": "SimpleRNN", "name": "b",
             "inbound_nodes": [[["x", 0, 0, {"mask": ["m", 0, 0]}], ["h", 0, 0, {}]]],
             "config": {"name": "b", "units": 1, "use_bias": false, "activation": "linear"}}],
            "input_layers": [["x", 0, 0], ["m", 0, 0], ["h", 0, 0]], "output_layers": [["b", 0, 0]]}})";
        const QByteArray ofVersion = QByteArray(json).replace("VERSION", version);
        const std::vector<Tensor> inputs{
            floats({1, 2, 1}, {3, 4}),
            Tensor::of<double>(ElementType::Float64, {1, 2}, std::vector<double>{0, 0}).converted(ElementType::Bool),
            floats({1, 1}, {5}), floats({1, 1}, {1}), floats({1, 1}, {1})};
        QCOMPARE(firstOutput(ofVersion, inputs), std::vector<double>{expected});
    }

    /// [state of the first cell], [state of the second one].
    void readsNestedInitialStates()
    {
        const QByteArray cell = R"({"class_name": "SimpleRNNCell", "module": "keras.layers", "config":
            {"units": 1, "use_bias": false, "activation": "linear"}})";
        const QByteArray json = R"({"class_name": "Functional", "keras_version": "3.15.0", "config": {"name": "model",
            "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"name": "x", "batch_shape": [null, 1, 1], "dtype": "float32"}},
            {"class_name": "InputLayer", "name": "h", "inbound_nodes": [],
             "config": {"name": "h", "batch_shape": [null, 1], "dtype": "float32"}},
            {"class_name": "RNN", "name": "b", "module": "keras.layers", "inbound_nodes": [{"args": [<x>],
             "kwargs": {"initial_state": [[<h>], [<h>]]}}],
             "config": {"name": "b", "trainable": true, "cell": {"class_name": "StackedRNNCells",
              "module": "keras.layers", "config": {"cells": [CELL, CELL]}}}}],
            "input_layers": [["x", 0, 0], ["h", 0, 0]], "output_layers": [["b", 0, 0]]}})";
        const Tensor one = floats({1, 1}, {1});
        QCOMPARE(firstOutput(withTensors(json).replace("CELL", cell),
                             {floats({1, 1, 1}, {1}), floats({1, 1}, {5}), one, one, one, one}),
                 std::vector<double>{11}); // 1 + 5 + 5
    }

    /// From Keras 3.8 on, the mask of the query that a call names does not count: the second value is read by both.
    void overwritesTheMaskOfTheQuery_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QList<double>>("expected");
        QTest::newRow("Keras 3.7") << QByteArray("3.7.0") << QList<double>{50, 100};
        QTest::newRow("Keras 3.8") << QByteArray("3.8.0") << QList<double>{100, 100};
    }
    void overwritesTheMaskOfTheQuery()
    {
        QFETCH(const QByteArray, version);
        QFETCH(const QList<double>, expected);
        const QByteArray json =
            R"({"class_name": "Functional", "keras_version": "VERSION", "config": {"name": "model", "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"name": "x", "batch_shape": [null, 2, 1], "dtype": "float32"}},
            {"class_name": "InputLayer", "name": "v", "inbound_nodes": [],
             "config": {"name": "v", "batch_shape": [null, 2, 1], "dtype": "float32"}},
            {"class_name": "InputLayer", "name": "m", "inbound_nodes": [],
             "config": {"name": "m", "batch_shape": [null, 2], "dtype": "bool"}},
            {"class_name": "MultiHeadAttention", "name": "b", "module": "keras.layers",
             "inbound_nodes": [{"args": [<x>, <v>], "kwargs": {"query_mask": <m>}}],
             "config": {"name": "b", "trainable": true, "num_heads": 1, "key_dim": 1, "value_dim": 1,
                        "use_bias": false, "dropout": 0.0}}],
            "input_layers": [["x", 0, 0], ["v", 0, 0], ["m", 0, 0]], "output_layers": [["b", 0, 0]]}})";
        const Tensor mask =
            Tensor::of<double>(ElementType::Float64, {1, 2}, std::vector<double>{0, 1}).converted(ElementType::Bool);
        const Tensor one = floats({1, 1, 1}, {1});
        QCOMPARE(firstOutput(withTensors(json).replace("VERSION", version),
                             {floats({1, 2, 1}, {1, 1}), floats({1, 2, 1}, {0, 100}), mask, one, one, one, one}),
                 std::vector<double>(expected.begin(), expected.end()));
    }

    /// Means of sequences in a sequence, over the elements that are not masked. The numbers are those of tf.keras 2.15
    /// and Keras 3.15.
    void masksStepsOverTime_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("layers");
        QTest::addColumn<QList<double>>("expected"); // of 0, 2 and 3, 5
        const auto overTime = [](const QByteArray& name, const QByteArray& inner) {
            return namedLayer("TimeDistributed", name, "'layer': " + inner);
        };
        const auto model = [](const QByteArray& layer) {
            return "{'class_name': 'Sequential', 'config': {'name': 's', 'layers': [{'class_name': 'InputLayer', "
                   "'config': {'name': 'y', 'batch_shape': [null, 2, 1], 'dtype': 'float32'}}, " +
                   layer + "]}}";
        };
        const QByteArray masking = namedLayer("Masking", "m", "'mask_value': 0.0");
        const QByteArray dropout = namedLayer("Dropout", "d", "'rate': 0.5");
        const QByteArray mean = namedLayer("GlobalAveragePooling1D", "g");
        const QByteArray means = overTime("means", mean);
        const QList<double> masked{2, 4};
        const QList<double> plain{1, 4};
        const auto row = [](const char* name, const QByteArray& version, const QByteArray& layers,
                            const QList<double>& expected) { QTest::newRow(name) << version << layers << expected; };
        for (const QByteArray version : {"2.15.0", "3.15.0"}) {
            const auto both = [&](const char* name, const QByteArray& layers) {
                row((name + (", " + version)).constData(), version, layers, masked);
            };
            both("a layer", masking + ", " + means);
            both("a model", masking + ", " + overTime("t", model(mean)));
            both("behind a layer", masking + ", " + overTime("t", dropout) + ", " + means);
            both("behind a model", masking + ", " + overTime("t", model(dropout)) + ", " + means);
        }
        // Keras 3 calls the layer in it without what surrounds calls, such as masks.
        row("made by a layer, 2.15", "2.15.0", overTime("t", masking) + ", " + means, masked);
        row("made by a layer, 3.15", "3.15.0", overTime("t", masking) + ", " + means, plain);
        row("made by a model, 2.15", "2.15.0", overTime("t", model(masking)) + ", " + means, masked);
        row("made by a model, 3.15", "3.15.0", overTime("t", model(masking)) + ", " + means, plain);
        row("before Keras 2.2.3", "2.2.2", masking + ", " + means, plain);
    }
    void masksStepsOverTime()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, layers);
        QFETCH(QList<double>, expected);
        compareWithKeras(sequential(version, "[null, 2, 2, 1]", layers), {1, 2, 2, 1}, {0, 2, 3, 5}, expected);
    }

    /// Masks in the arguments of calls and of tensors that are joined. "r" is x without its last axis, "m" is masked
    /// where x is 0.
    void takesMasksOfCalls_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::addColumn<QByteArray>("layers");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<QList<double>>("input");
        QTest::addColumn<QList<double>>("expected");
        const auto call = [](const QByteArray& inputs, const QByteArray& layer) {
            return QByteArray(layer).insert(layer.size() - 1, ", 'inbound_nodes': [[" + inputs + "]]");
        };
        const auto named = [&](const QByteArray& className, const QByteArray& name, const QByteArray& inputs,
                               const QByteArray& settings = "") {
            return ", " + call(inputs, "{'name': '" + name + "', " + namedLayer(className, name, settings).mid(1));
        };
        const auto from = [](const QByteArray& name, const QByteArray& arguments = "") {
            return "['" + name + "', 0, 0, {" + arguments + "}]";
        };
        const QByteArray mean = namedLayer("GlobalAveragePooling1D", "g");
        const QByteArray model =
            "{'class_name': 'Sequential', 'config': {'name': 's', 'layers': [{'class_name': 'InputLayer', 'config': "
            "{'name': 'y', 'batch_shape': [null, 2, 1], 'dtype': 'float32'}}, " +
            mean + "]}}";
        const QByteArray masked = named("Masking", "m", from("x"), "'mask_value': 0.0");
        const auto row = [](const char* name, const QByteArray& version, const QByteArray& layers,
                            const QList<qint64>& dims, const QList<double>& input, const QList<double>& expected) {
            QTest::newRow(name) << version << layers << dims << input << expected;
        };
        const QByteArray steps = named("Reshape", "r", from("x"), "'target_shape': [2]");
        row("a model over time", "2.15.0",
            named("Reshape", "r", from("x"), "'target_shape': [2, 2]") +
                named("TimeDistributed", "b", from("x", "'mask': ['r', 0, 0]"), "'layer': " + model),
            {1, 2, 2, 1}, {0, 1, 1, 1}, {1, 1});
        for (const QByteArray attention : {"Attention", "AdditiveAttention"}) {
            row(attention.constData(), "2.15.0",
                steps +
                    named(attention, "a", from("x", "'mask': [['r', 0, 0], ['r', 0, 0]]") + ", " + from("x"),
                          "'use_scale': false") +
                    named("GlobalAveragePooling1D", "b", from("a")),
                {1, 2, 1}, {0, 3}, {3});
        }
        row("None for a layer", "2.15.0", masked + named("GlobalAveragePooling1D", "b", from("m", "'mask': null")),
            {1, 2, 1}, {0, 3}, {1.5});
        row("None in a list", "2.15.0",
            masked +
                named("Attention", "a", from("m", "'mask': [null, null]") + ", " + from("m"), "'use_scale': false") +
                named("GlobalAveragePooling1D", "b", from("a")),
            {1, 2, 1}, {0, 3}, {2.2498149});
        row("None for a nested model", "2.15.0",
            masked + ", " + call(from("m", "'mask': null"), QByteArray(model).replace("'s'", "'b'")), {1, 2, 1}, {0, 3},
            {1.5});
        row("None for a model over time", "2.15.0",
            masked + named("TimeDistributed", "b", from("m", "'mask': null"), "'layer': " + model), {1, 2, 2, 1},
            {0, 2, 3, 5}, {1, 4});
        const QByteArray passing = steps +
                                   named("TimeDistributed", "t", from("x", "'mask': ['r', 0, 0]"),
                                         "'layer': " + namedLayer("Dropout", "d", "'rate': 0.5")) +
                                   named("GlobalAveragePooling1D", "b", from("t"));
        row("of the output", "2.15.0", passing, {1, 2, 1}, {0, 3}, {3});
        row("of the output, before tf.keras", "2.2.4", passing, {1, 2, 1}, {0, 3}, {1.5});
        const auto joined = [&](const QByteArray& axis) {
            return masked + named("Concatenate", "c", from("m") + ", " + from("m"), "'axis': " + axis) +
                   named("GlobalAveragePooling1D", "b", from("c"));
        };
        row("joined in time", "2.15.0", joined("-2"), {1, 2, 1}, {0, 3}, {3});
        row("joined features", "2.15.0", joined("2"), {1, 2, 1}, {0, 3}, {3, 3});
        row("joined in a step", "2.15.0",
            masked + named("Concatenate", "c", from("m") + ", " + from("m"), "'axis': 2") +
                named("TimeDistributed", "b", from("c"), "'layer': " + mean),
            {1, 2, 2, 1}, {0, 2, 3, 5}, {2, 4});
        row("of numbers for a softmax", "2.15.0", named("Softmax", "b", from("x", "'mask': ['x', 0, 0]")), {1, 2},
            {1, 0.75}, {1, 0});
    }
    void takesMasksOfCalls()
    {
        QFETCH(QByteArray, version);
        QFETCH(QByteArray, layers);
        QFETCH(QList<qint64>, dims);
        QFETCH(QList<double>, input);
        QFETCH(QList<double>, expected);
        QByteArray shape = "null";
        for (qsizetype i = 1; i < dims.size(); ++i) {
            shape += ", " + QByteArray::number(dims[i]);
        }
        const QByteArray json = QByteArray("{'class_name': 'Functional', 'keras_version': '" + version +
                                           "', 'config': {'name': 'model', 'layers': [{'class_name': 'InputLayer', "
                                           "'name': 'x', 'inbound_nodes': [], 'config': {'name': 'x', "
                                           "'batch_input_shape': [" +
                                           shape + "], 'dtype': 'float32'}}" + layers +
                                           "], 'input_layers': [['x', 0, 0]], 'output_layers': [['b', 0, 0]]}}")
                                    .replace('\'', '"');
        compareWithKeras(json, dims, input, expected);
    }

    /// Keras compares the steps of the mask with the elements of each step.
    void refusesSoftmaxOfMaskedSteps()
    {
        const TemporaryFiles files;
        const QByteArray json =
            sequential("3.15.0", "[null, 2, 2]",
                       namedLayer("Masking", "m", "'mask_value': 0.0") + ", " +
                           namedLayer("TimeDistributed", "t", "'layer': " + namedLayer("Softmax", "s")));
        const auto read = readModel({.model = files.write("model.json", json.toStdString())});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const auto converted = convert(*read.value().graph, {});
        QVERIFY(converted && converted.value().hasErrors());
        const std::string& message = converted.value().problems.front().message;
        QVERIFY2(message.find("a mask of steps") != std::string::npos, message.c_str());
    }

    /// Keras 3 takes the elements of a softmax whose mask is above 0.5.
    void roundsMasksOfSoftmax()
    {
        const QByteArray json =
            model(3, "[null, 2]", "float32", layer("Softmax"), R"({"args": [x], "kwargs": {"mask": x}})")
                .replace("3.0.0", "3.15.0");
        compareWithKeras(json, {1, 2}, {0.75, 0.5}, {1, 0});
        compareWithKeras(json, {1, 2}, {0.75, 0.75}, {0.5, 0.5});
    }

    /// The input of int8 is quantized by its largest magnitude: 1 and -0.25 become 127 and -32. The kernel of int4 is
    /// [[0, -0.5, 4], [1.5, -2, 8]].
    void computesWithQuantizedWeights_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QList<double>>("input");
        QTest::addColumn<QList<double>>("expected");
        QTest::newRow("int8") << "int8_3.keras" << QList<double>{1, -0.25}
                              << QList<double>{(127.0 * 100 - 32 * 50) / (50 * 127) + 0.5};
        QTest::newRow("int4") << "int4_3.keras" << QList<double>{1, -1} << QList<double>{-1.5, 1.5, -3};
        QTest::newRow("GPTQ") << "gptq_3.keras" << QList<double>{1, -1} << QList<double>{-6, 4, 3};
        QTest::newRow("AWQ") << "awq_3.keras" << QList<double>{1, -1} << QList<double>{-13.5, 5, 3.5};
    }
    void computesWithQuantizedWeights()
    {
        QFETCH(const QString, file);
        QFETCH(const QList<double>, input);
        QFETCH(const QList<double>, expected);
        const auto read = readModel({.model = (dataFolder() + "/keras/" + file).toStdString()});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const std::vector<Tensor> inputs{floats({1, 2}, {static_cast<float>(input[0]), static_cast<float>(input[1])})};
        const std::vector<double> got = computed(*read.value().graph, inputs).front().toDoubles();
        QCOMPARE(got.size(), static_cast<std::size_t>(expected.size()));
        for (std::size_t i = 0; i < got.size(); ++i) {
            QVERIFY(std::abs(got[i] - expected[static_cast<qsizetype>(i)]) < 1e-5);
        }
    }

private:
    /// With a tensor of Keras 3 in place of "<x>".
    static QByteArray withTensors(QByteArray json)
    {
        return json.replace("<", "{\"class_name\": \"__keras_tensor__\", \"config\": {\"keras_history\": [\"")
            .replace(">", "\", 0, 0]}}");
    }

    /// Of a model whose weights are inputs behind its own.
    static std::vector<double> firstOutput(const QByteArray& json, const std::vector<Tensor>& inputs)
    {
        const TemporaryFiles files;
        const auto read = readModel({.model = files.write("model.json", json.toStdString())});
        if (!read) {
            return {};
        }
        const Graph& graph = *read.value().graph;
        ConvertOptions options;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            options.shapes[graph.value(graph.inputs.at(i)).name] = shapeOf(inputs[i].dims());
        }
        return computed(graph, inputs, options).front().toDoubles();
    }
};

QTEST_APPLESS_MAIN(TestKerasValues)
#include "tst_keras_values.moc"
