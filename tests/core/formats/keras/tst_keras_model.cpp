// Files of each generation, damaged and hostile ones (tests/data/keras, written by make_files.py there), and models as
// JSON.

#include "core/convert/conversion.h"
#include "core/formats/keras/weight_conversions.h"
#include "core/formats/read_model.h"
#include "core/graph/attributes.h"
#include "tests/support/computed.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_files.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Result<LoadedModel> readFile(const char* name)
{
    ReadRequest request;
    request.model = (dataFolder() + QStringLiteral("/keras/") + QString::fromLatin1(name)).toStdString();
    return readModel(request);
}

std::string contentOf(const char* name)
{
    QFile file(dataFolder() + QStringLiteral("/keras/") + QString::fromLatin1(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// "tower/first = Dense(tower/t, first/kernel)", one node per line.
std::string textOf(const Graph& graph)
{
    std::string text;
    for (const Node& node : graph.nodes()) {
        text += node.name + " = " + node.op + "(";
        for (const ValueId input : node.inputs) {
            text += (text.back() == '(' ? "" : ", ") + graph.value(input).name;
        }
        text += ")\n";
    }
    return text;
}

const Tensor& weightOf(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        if (graph.value(ValueId{i}).name == name && graph.tensorOf(ValueId{i}) != nullptr) {
            return *graph.tensorOf(ValueId{i});
        }
    }
    throw std::runtime_error("no weight of that name");
}

} // namespace

class TestKerasModel : public QObject {
    Q_OBJECT
private slots:
    void init() { m_files = std::make_unique<TemporaryFiles>(); }

    void readsKeras1()
    {
        const auto model = readFile("dense_1.2.h5");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        QCOMPARE(graph.version, std::string("1.2.2"));
        QCOMPARE(textOf(graph), std::string("dense_1 = Dense(dense_input_1, dense_1/kernel, dense_1/bias)\n"));
        QCOMPARE(graph.value(graph.outputs.front()).name, std::string("dense_1"));
        const auto* units = attributeOf<std::int64_t>(graph.node(NodeId{0}), "units"); // Keras 1: output_dim
        QVERIFY(units != nullptr && *units == 2);
        const auto converted = convert(graph, {});
        QVERIFY(converted && !converted.value().hasErrors());
        // hard_sigmoid of Keras 1 and 2: clip(0.2 x + 0.5, 0, 1).
        QVERIFY2(dump(converted.value().model.whole()).find("0.2") != std::string::npos,
                 dump(converted.value().model.whole()).c_str());
    }

    /// (out, in, rows, columns) where the channels are first.
    void reordersKernelsOfKeras1_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<QList<double>>("numbers");
        QTest::newRow("channels first") << QByteArray("channels_first") << QList<qint64>{1, 3, 2, 1}
                                        << QList<double>{0, 3, 1, 4, 2, 5};
        QTest::newRow("channels last") << QByteArray("channels_last") << QList<qint64>{1, 2, 1, 3}
                                       << QList<double>{0, 1, 2, 3, 4, 5};
    }
    void reordersKernelsOfKeras1()
    {
        QFETCH(const QByteArray, format);
        QFETCH(const QList<qint64>, dims);
        QFETCH(const QList<double>, numbers);
        keras::LayerConfig layer{.className = "Conv2D", .name = "b", .config = keras::ConfigObject(), .calls = {}};
        layer.config.set("data_format", format.toStdString());
        keras::WeightsByLayer weights;
        weights[&layer] = {
            {.spec = {.owner = {}, .name = "kernel"}, .tensor = floats({1, 2, 1, 3}, {0, 1, 2, 3, 4, 5})}};
        keras::convertWeights({.major = 1, .version = "1.2.2", .backend = {}}, weights);
        const Tensor& kernel = *weights[&layer].front().tensor;
        QCOMPARE(kernel.dims(), (std::vector<std::int64_t>{dims.begin(), dims.end()}));
        QCOMPARE(kernel.toDoubles(), std::vector<double>(numbers.begin(), numbers.end()));
    }

    /// A nested model that is called twice, with a frozen layer, whose weights come behind the trainable ones.
    void readsNestedModels()
    {
        const auto model = readFile("nested_2.h5");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        QVERIFY(model.value().problems.empty());
        const std::string text = textOf(graph);
        QVERIFY2(text.find("add = Add(") != std::string::npos, text.c_str());
        QCOMPARE(std::ranges::count(graph.nodes(), std::string("Dense"), &Node::op), 4);
        QCOMPARE(weightOf(graph, "tower/first/kernel").toDoubles().front(), 1.0);
        QCOMPARE(weightOf(graph, "tower/norm/moving_variance").toDoubles().front(), 2.0);
        QCOMPARE(weightOf(graph, "tower/second/kernel").toDoubles().front(), -1.0);
        QVERIFY(weightOf(graph, "tower/first/kernel").pieces().front().source != nullptr);
        const auto converted = convert(graph, {});
        QVERIFY(converted && !converted.value().hasErrors());
    }

    void readsKeras3()
    {
        const auto model = readFile("embedding_3.keras");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        QCOMPARE(textOf(graph), std::string("table = Embedding(ids, table/embeddings)\n"
                                            "not_equal = ops.NotEqual(ids)\n"
                                            "mean = GlobalAveragePooling1D(table, not_equal)\n"));
        QCOMPARE(graph.value(graph.outputs.front()).name, std::string("output_0"));
        QCOMPARE(graph.value(graph.inputs.front()).type.element, ElementType::Int32);
    }

    /// None is an activation that returns x, and the epsilon of Keras itself. RMSNormalization multiplies its scale by
    /// the last axis, whatever its axis. The numbers are those of Keras 3.15.
    void computesWithSettingsThatAreNone()
    {
        const auto model = readFile("none_settings_3.keras");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Tensor x =
            Tensor::of<float>(ElementType::Float32, {1, 3, 3}, std::vector<float>{1, 2, 3, -1, 0.5F, 2, 0, 3, -2});
        const std::vector<double> y = computed(*model.value().graph, std::vector{x}).front().toDoubles();
        QCOMPARE(y.size(), std::size_t{3});
        QVERIFY(std::abs(y[0] - 0.4470338) < 1e-5);
        QVERIFY(std::abs(y[1] + 0.0347025) < 1e-5);
        QVERIFY(std::abs(y[2] - 0.1528987) < 1e-5);
    }

    /// From Keras 3.8 on, the mask that the tensor carries replaces the one of the arguments, here 0 and 3. It has
    /// none.
    void replacesMaskOfQuery()
    {
        const auto model = readFile("query_mask_3.keras");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Tensor x = Tensor::of<float>(ElementType::Float32, {1, 2, 1}, std::vector<float>{0, 3});
        const std::vector<double> y = computed(*model.value().graph, std::vector{x}).front().toDoubles();
        QCOMPARE(y.size(), std::size_t{2});
        QVERIFY(std::abs(y[0] - 1.5) < 1e-5);
        QVERIFY(std::abs(y[1] - 2.99963) < 1e-5);
    }

    /// SpectralNormalization returns the tensor of the layer in it, with its mask.
    void masksNormalizedTokens()
    {
        const auto model = readFile("normalized_embedding_2.h5");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Tensor ids = Tensor::of<std::int32_t>(ElementType::Int32, {1, 2}, std::vector<std::int32_t>{0, 1});
        const std::vector<double> y = computed(*model.value().graph, std::vector{ids}).front().toDoubles();
        QCOMPARE(y, std::vector<double>{3});
    }

    void readsShards()
    {
        const auto model = readFile("shards_3/model.json");
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        QVERIFY(model.value().problems.empty());
        const Graph& graph = *model.value().graph;
        QCOMPARE(weightOf(graph, "first/kernel").dims(), (std::vector<std::int64_t>{3, 4}));
        QCOMPARE(weightOf(graph, "second/kernel").toDoubles().front(), -1.0);
        QCOMPARE(weightOf(graph, "second/bias").dims(), std::vector<std::int64_t>{2});
    }

    void shardsMustExist()
    {
        for (const char* index :
             {R"({"weight_map": {}})", R"({"weight_map": {"/layers/dense/vars": "absent.weights.h5"}})",
              R"({"weight_map": {"/layers/dense/vars": "../shards_3/model_00000.weights.h5"}})",
              R"({"weight_map": {"/layers/dense/vars": [1]}})", "{}"}) {
            m_files->write("model.weights.json", index);
            const auto model = readModel({.model = m_files->write("model.json", contentOf("shards_3/model.json"))});
            QVERIFY2(model, model ? "" : model.problem().message.c_str());
            QCOMPARE(model.value().problems.size(), std::size_t{1});
            const std::string& message = model.value().problems.front().message;
            QVERIFY2(message.find("model.weights.json") != std::string::npos, message.c_str());
        }
    }

    void resolvesPolicyMaps()
    {
        const std::string model = R"({"class_name": "Sequential", "keras_version": "3.15.1", "config": {
            "name": "s", "layers": [
            {"class_name": "InputLayer", "config": {"batch_shape": [null, 3, 4], "dtype": "float32", "name": "x"}},
            {"class_name": "Dense", "module": "keras.layers", "config": {"name": "d", "trainable": true, "units": 2,
             "dtype": {"class_name": "DTypePolicyMap", "config": {"default_policy": "float64", "policy_map": {
              "d": {"class_name": "DTypePolicy", "config": {"name": "float16"}},
              "s/.*": {"class_name": "DTypePolicy", "config": {"name": "mixed_float16"}}}}}}},
            {"class_name": "MultiHeadAttention", "module": "keras.layers", "config": {"name": "a", "trainable": true,
             "num_heads": 1, "key_dim": 2,
             "dtype": {"class_name": "DTypePolicyMap", "config": {"default_policy": null, "policy_map": {
              "s/a/query": {"class_name": "QuantizedDTypePolicy", "config": {"mode": "int8", "source_name": null}},
              "s/a/.*out..t": {"class_name": "DTypePolicy", "config": {"name": "float16"}}}}}}},
            {"class_name": "Dense", "module": "keras.layers", "config": {"name": "e", "trainable": true, "units": 2,
             "dtype": {"class_name": "DTypePolicyMap", "config": {"default_policy": "float32", "policy_map": {
              "(s|t)/e": {"class_name": "DTypePolicy", "config": {"name": "float16"}}}}}}}]}})";
        const auto read = readModel({.model = m_files->write("model.json", model)});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const Graph& graph = *read.value().graph;
        const auto setting = [&](std::uint32_t node, std::string_view name) {
            const auto* text = attributeOf<std::string>(graph.node(NodeId{node}), name);
            return text != nullptr ? *text : std::string();
        };
        QCOMPARE(setting(0, "dtype"), std::string("mixed_float16"));
        QCOMPARE(setting(1, "dtype"), std::string("float32"));
        QCOMPARE(setting(1, "part_dtypes.query"), std::string("int8_from_float32"));
        QCOMPARE(setting(1, "part_dtypes.attention_output"), std::string("float16"));
        QCOMPARE(setting(1, "part_dtypes.key"), std::string());
        const auto converted = convert(graph, {});
        QVERIFY(converted);
        QVERIFY(std::ranges::any_of(converted.value().problems, [](const Diagnostic& problem) {
            return problem.severity == Severity::Error && problem.node == "e" && problem.attribute == "dtype";
        }));
    }

    /// As tf.keras 2.1 to 2.3 writes them.
    void translatesOperatorLayers()
    {
        const std::string model =
            R"({"class_name": "Model", "keras_version": "2.4.0-tf", "backend": "tensorflow", "config": {
            "name": "m", "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"batch_input_shape": [null, 3, 4], "dtype": "float32", "name": "x"}},
            {"class_name": "TensorFlowOpLayer", "name": "tf_op_layer_Mean", "inbound_nodes": [[["x", 0, 0, {}]]],
             "config": {"name": "Mean", "trainable": true, "dtype": "float32", "constants": {"1": [1, -1]},
                        "node_def": {"name": "Mean", "op": "Mean", "input": ["x", "Mean/axis"],
                                     "attr": {"keep_dims": {"b": true}, "T": {"type": "DT_FLOAT"}}}}},
            {"class_name": "TensorFlowOpLayer", "name": "tf_op_layer_strided_slice",
             "inbound_nodes": [[["x", 0, 0, {}]]],
             "config": {"name": "strided_slice", "trainable": true, "dtype": "float32",
                        "constants": {"1": [0, 0, 1], "2": [0, 1, 4], "3": [1, 1, 2]},
                        "node_def": {"name": "s", "op": "StridedSlice", "input": ["x", "b", "e", "s"],
                                     "attr": {"begin_mask": {"i": "1"}, "end_mask": {"i": "1"},
                                              "shrink_axis_mask": {"i": "2"}}}}},
            {"class_name": "TensorFlowOpLayer", "name": "tf_op_layer_Bincount", "inbound_nodes": [[["x", 0, 0, {}]]],
             "config": {"name": "Bincount", "dtype": "int32", "constants": {"1": 4, "2": [1.0]},
                        "node_def": {"name": "Bincount", "op": "Bincount", "input": ["x", "n", "w"]}}}],
            "input_layers": [["x", 0, 0]],
            "output_layers": [["tf_op_layer_Mean", 0, 0], ["tf_op_layer_strided_slice", 0, 0],
                              ["tf_op_layer_Bincount", 0, 0]]}})";
        const auto read = readModel({.model = m_files->write("model.json", model)});
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const Graph& graph = *read.value().graph;
        QCOMPARE(textOf(graph), std::string("tf_op_layer_Mean = tf.math.reduce_mean(x)\n"
                                            "tf_op_layer_strided_slice = tf.__operators__.getitem(x)\n"
                                            "tf_op_layer_Bincount = TensorFlowOpLayer(x)\n"));
        const auto converted = convert(graph, {});
        QVERIFY(converted);
        QCOMPARE(converted.value().problems.size(), std::size_t{1});
        QVERIFY(converted.value().problems.front().message.find("Bincount") != std::string::npos);
        ConvertOptions options;
        options.outputs = {"tf_op_layer_Mean", "tf_op_layer_strided_slice"};
        const auto exact = convert(graph, options);
        QVERIFY(exact && !exact.value().hasErrors());
        const std::string text = dump(exact.value().model.whole());
        for (const char* op : {"ReduceMean", "Slice", "Squeeze"}) {
            QVERIFY2(text.find(op) != std::string::npos, text.c_str());
        }
    }

    /// Lookups that were adapted have their vocabularies as texts of their own in the archive.
    void readsVocabularies()
    {
        const auto model =
            readModel({.model = (dataFolder() + QStringLiteral("/keras/vocabularies_2.15.keras")).toStdString()});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            const AttributeValue* vocabulary = graph.node(NodeId{i}).attribute("vocabulary");
            QVERIFY(vocabulary != nullptr);
            if (graph.node(NodeId{i}).op == "IntegerLookup") {
                QCOMPARE(std::get<Ints>(*vocabulary), (std::vector<std::int64_t>{-1, 7, 9, 5}));
            } else {
                QCOMPARE(std::get<std::vector<std::string>>(*vocabulary),
                         (std::vector<std::string>{"[UNK]", "b", "c", "a"}));
            }
        }
    }

    void readsEveryFormOfDatasets_data()
    {
        QTest::addColumn<bool>("isZero");
        QTest::newRow("big_endian.h5") << false;
        QTest::newRow("lzf.h5") << true;
        for (const char* form :
             {"filtered.h5", "endless.h5", "filtered_v110.h5", "filtered_latest.h5", "growing_v110.h5",
              "single_v110.h5", "pages_v110.h5", "user_block.h5", "scale_offset.h5", "nbit.h5"}) {
            QTest::newRow(form) << false;
        }
    }
    void readsEveryFormOfDatasets()
    {
        QFETCH(bool, isZero);
        const auto model = readFile(QTest::currentDataTag());
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const std::vector<double> kernel = weightOf(*model.value().graph, "dense/kernel").toDoubles();
        QCOMPARE(kernel.size(), std::size_t{6});
        for (std::size_t i = 0; i < kernel.size(); ++i) {
            QCOMPARE(kernel[i], isZero ? 0.0 : static_cast<double>(i) / 8 - 1);
        }
    }

    /// Every eighth byte of a file changed in turn: whatever it was, reading ends with a model or with problems.
    void survivesChangedBytes_data()
    {
        QTest::addColumn<QByteArray>("file");
        for (const char* file :
             {"filtered.h5", "filtered_v110.h5", "growing_v110.h5", "nested_2.h5", "lzf.h5", "scale_offset.h5"}) {
            QTest::newRow(file) << QByteArray(file);
        }
    }
    void survivesChangedBytes()
    {
        QFETCH(QByteArray, file);
        const std::string original = contentOf(file.constData());
        QVERIFY(!original.empty());
        for (std::size_t at = 0; at < original.size(); at += 8) {
            std::string bytes = original;
            bytes[at] = static_cast<char>(bytes[at] ^ (at % 3 == 0 ? 1 : 0xff));
            ReadRequest request;
            request.model = m_files->write("model.h5", bytes);
            const auto model = readModel(request);
            QVERIFY(model || !model.problem().message.empty());
        }
    }

    void refusesDatasetsThatGrowInTheNewForm()
    {
        const auto model = readFile("endless_v110.h5");
        QVERIFY(model);
        const auto converted = convert(*model.value().graph, {});
        QVERIFY(converted && converted.value().hasErrors());
        QVERIFY(converted.value().problems.front().message.find("chunks that can grow") != std::string::npos);
    }

    void refusesHostileFiles_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("external_link.h5") << QByteArray("is a link to another place");
        QTest::newRow("soft_loop.h5") << QByteArray("is a link to another place");
        QTest::newRow("external_storage.h5") << QByteArray("content in other files");
        QTest::newRow("virtual.h5") << QByteArray("content in other files");
        QTest::newRow("huge.h5") << QByteArray("claims 2305843009213693952 bytes");
        QTest::newRow("huge_chunk.h5") << QByteArray("claims 1073741824 bytes");
        QTest::newRow("text.h5") << QByteArray("does not contain numbers");
        QTest::newRow("not_utf8.h5") << QByteArray("is not UTF-8");
        QTest::newRow("no_dataset.h5") << QByteArray("is missing");
    }
    void refusesHostileFiles()
    {
        QFETCH(QByteArray, words);
        const auto model = readFile(QTest::currentDataTag());
        QVERIFY(model); // shown without weights
        QVERIFY(hasErrors(model.value().problems));
        const std::string& message = model.value().problems.front().message;
        QVERIFY2(message.find(words.toStdString()) != std::string::npos, message.c_str());
    }

    void saysWhatIsMissing()
    {
        const auto weights = readFile("weights_only.h5");
        QVERIFY(!weights);
        QCOMPARE(weights.problem().code, Code("unknown-format"));
        QVERIFY(!weights.problem().hint.empty());
        const auto filtered = readFile("unknown_filter.h5");
        QVERIFY(filtered);
        const auto converted = convert(*filtered.value().graph, {});
        QVERIFY(converted && converted.value().hasErrors());
        QVERIFY(converted.value().problems.front().message.find("32015") != std::string::npos);
    }

    void refusesWhatIsNoGraph_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("code");
        QByteArray deep = R"({"class_name": "Sequential", "config": )";
        deep += QByteArray(5000, '[') + QByteArray(5000, ']') + "}";
        QTest::newRow("nested deeply") << deep << QByteArray("damaged");
        QTest::newRow("subclassed") << QByteArray(R"({"class_name": "MyModel", "config": {"units": 3}})")
                                    << QByteArray("unsupported-model");
        QTest::newRow("circle") << model(R"(
            {"class_name": "Dense", "name": "a", "config": {"name": "a"}, "inbound_nodes": [[["b", 0, 0, {}]]]},
            {"class_name": "Dense", "name": "b", "config": {"name": "b"}, "inbound_nodes": [[["a", 0, 0, {}]]]})")
                                << QByteArray("damaged");
        QTest::newRow("unknown layer") << model(R"(
            {"class_name": "Dense", "name": "b", "config": {"name": "b"}, "inbound_nodes": [[["c", 0, 0, {}]]]})")
                                       << QByteArray("damaged");
        QTest::newRow("an argument by position and by name") << model(R"(
            {"class_name": "GlobalAveragePooling1D", "name": "b", "config": {"name": "b"}, "inbound_nodes": [
             {"args": [{"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}, 1],
              "kwargs": {"mask": 2}}]})") << QByteArray("damaged");
        QTest::newRow("huge output") << model(R"(
            {"class_name": "Dense", "name": "a", "config": {"name": "a"}, "inbound_nodes": [[["x", 0, 0, {}]]]},
            {"class_name": "Dense", "name": "b", "config": {"name": "b"},
             "inbound_nodes": [[["a", 0, 4000000000, {}]]]})")
                                     << QByteArray("damaged");
    }
    void refusesWhatIsNoGraph()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, code);
        ReadRequest request;
        request.model = m_files->write("model.json", json.toStdString());
        const auto model = readModel(request);
        QVERIFY(!model);
        QCOMPARE(QByteArray(model.problem().code.text().data(), qsizetype(model.problem().code.text().size())), code);
    }

    /// Masks become values that the layers which heed them read; the others pass them on.
    void makesMasksExplicit()
    {
        const LoweredText lowered(model(R"(
            {"class_name": "Masking", "name": "m", "config": {"name": "m", "mask_value": 0.0},
             "inbound_nodes": [[["x", 0, 0, {}]]]},
            {"class_name": "Dropout", "name": "d", "config": {"name": "d", "rate": 0.5},
             "inbound_nodes": [[["m", 0, 0, {}]]]},
            {"class_name": "GlobalAveragePooling1D", "name": "b", "config": {"name": "b"},
             "inbound_nodes": [[["d", 0, 0, {}]]]})"),
                                  *m_files);
        QVERIFY2(lowered.text.find("ReduceSum") != std::string::npos, lowered.text.c_str());
        const LoweredText plain(model(R"(
            {"class_name": "Masking", "name": "m", "config": {"name": "m", "mask_value": 0.0},
             "inbound_nodes": [[["x", 0, 0, {}]]]},
            {"class_name": "Reshape", "name": "d", "config": {"name": "d", "target_shape": [4, 3]},
             "inbound_nodes": [[["m", 0, 0, {}]]]},
            {"class_name": "GlobalAveragePooling1D", "name": "b", "config": {"name": "b"},
             "inbound_nodes": [[["d", 0, 0, {}]]]})"),
                                *m_files);
        QVERIFY2(plain.text.find("ReduceSum") == std::string::npos, plain.text.c_str());
        QVERIFY(!plain.hasErrors);
    }

    void refusesCodeOfTheUser_data()
    {
        QTest::addColumn<QByteArray>("layer");
        QTest::addColumn<QByteArray>("op");
        QTest::newRow("Lambda") << QByteArray(R"("Lambda", "config": {"name": "b", "function": ["4wEA"]})")
                                << QByteArray("Lambda");
        QTest::newRow("registered") << QByteArray(R"("Pack>Mine", "config": {"name": "b"})") << QByteArray("Pack>Mine");
        QTest::newRow("unregistered") << QByteArray(R"("Mine", "module": "mine", "config": {"name": "b"})")
                                      << QByteArray("custom>Mine");
    }
    void refusesCodeOfTheUser()
    {
        QFETCH(QByteArray, layer);
        QFETCH(QByteArray, op);
        ReadRequest request;
        request.model = m_files->write("model.json", model(R"({"class_name": )" + layer + R"(, "name": "b",
            "inbound_nodes": [[["x", 0, 0, {}]]]})")
                                                         .toStdString());
        const auto read = readModel(request);
        QVERIFY2(read, read ? "" : read.problem().message.c_str());
        const auto refused = convert(*read.value().graph, {});
        QVERIFY(refused && refused.value().hasErrors());
        QCOMPARE(refused.value().problems.front().code, Code("unsupported-operator"));
        QCOMPARE(refused.value().problems.front().node, std::string("b"));
        ConvertOptions options;
        options.customOperators[op.toStdString()] = {"my.domain", "Mine"};
        const auto mapped = convert(*read.value().graph, options);
        QVERIFY(mapped && !mapped.value().hasErrors());
    }

private:
    struct LoweredText {
        std::string text;
        bool hasErrors = false;

        LoweredText(const QByteArray& json, TemporaryFiles& files)
        {
            ReadRequest request;
            request.model = files.write("model.json", json.toStdString());
            const auto read = readModel(request);
            if (!read) {
                text = read.problem().message;
                hasErrors = true;
                return;
            }
            const auto converted = convert(*read.value().graph, {});
            hasErrors = !converted || converted.value().hasErrors();
            text = converted ? dump(converted.value().model.whole()) : converted.problem().message;
        }
    };

    /// A functional model of these layers, from x to b.
    static QByteArray model(const QByteArray& layers)
    {
        return R"({"class_name": "Functional", "keras_version": "2.15.0", "config": {"name": "model", "layers": [
            {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
             "config": {"name": "x", "batch_input_shape": [null, 4, 3], "dtype": "float32"}}, )" +
               layers + R"(], "input_layers": [["x", 0, 0]], "output_layers": [["b", 0, 0]]}})";
    }

    std::unique_ptr<TemporaryFiles> m_files;
};

QTEST_APPLESS_MAIN(TestKerasModel)
#include "tst_keras_model.moc"
