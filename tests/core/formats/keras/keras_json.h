#pragma once

#include "core/formats/read_model.h"
#include "tests/support/computed.h"
#include "tests/support/temporary_files.h"

#include <QtTest>

namespace crosswalk::test {

/// A layer "b" that is called by `node`, in a model of this version of Keras with the input x.
inline QByteArray modelOfNode(int version, const QByteArray& shape, const QByteArray& type, const QByteArray& layer,
                              const QByteArray& node)
{
    const QByteArray input = "{'class_name': 'InputLayer', 'name': 'x', 'inbound_nodes': [], 'config': {'name': 'x', "
                             "'batch_shape': " +
                             shape + ", 'dtype': '" + type + "'}}";
    const QByteArray text = "{'class_name': 'Functional', 'keras_version': '" + QByteArray::number(version) +
                            ".0.0', 'config': {'name': 'model', 'layers': [" + input +
                            ", {'name': 'b', 'inbound_nodes': [" + node + "], " + layer +
                            "}], 'input_layers': [['x', 0, 0]], 'output_layers': [['b', 0, 0]]}}";
    return QByteArray(text).replace('\'', '"');
}

/// The same with a call of Keras 3 in which x is the input, or the named arguments of a call of Keras 2 with x.
inline QByteArray model(int version, const QByteArray& shape, const QByteArray& type, const QByteArray& layer,
                        const QByteArray& call)
{
    const QByteArray x = R"({"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}})";
    const QByteArray node = version >= 3 ? QByteArray(call).replace("x", x) : "[['x', 0, 0, " + call + "]]";
    return modelOfNode(version, shape, type, layer, node);
}

inline QByteArray layer(const char* className, const QByteArray& settings = "")
{
    return QByteArray("'class_name': '") + className + "', 'config': {'name': 'b', 'trainable': true" +
           (settings.isEmpty() ? "" : ", " + settings) + "}";
}

inline QByteArray operation(const char* className, const QByteArray& settings = "")
{
    return QByteArray("'module': 'keras.src.ops.numpy', 'class_name': '") + className + "', 'config': {'name': 'b'" +
           (settings.isEmpty() ? "" : ", " + settings) + "}";
}

/// A Sequential of these layers, in a model of this version of Keras.
inline QByteArray sequential(const QByteArray& version, const QByteArray& shape, const QByteArray& layers)
{
    const QByteArray input =
        "{'class_name': 'InputLayer', 'config': {'name': 'x', 'batch_shape': " + shape + ", 'dtype': 'float32'}}";
    return QByteArray("{'class_name': 'Sequential', 'keras_version': '" + version +
                      "', 'config': {'name': 'model', 'layers': [" + input + ", " + layers + "]}}")
        .replace('\'', '"');
}

/// A layer of a Sequential, or in another one.
inline QByteArray namedLayer(const QByteArray& className, const QByteArray& name, const QByteArray& settings = "")
{
    return "{'class_name': '" + className + "', 'config': {'name': '" + name + "', 'trainable': true" +
           (settings.isEmpty() ? "" : ", " + settings) + "}}";
}

/// Converts the model at three opsets and compares its first output with numbers.
inline void compareWithKeras(const QByteArray& json, const QList<qint64>& dims, const QList<double>& input,
                             const QList<double>& expected)
{
    const TemporaryFiles files;
    const auto read = readModel({.model = files.write("model.json", json.toStdString())});
    QVERIFY2(read, read ? "" : read.problem().message.c_str());
    const Graph& graph = *read.value().graph;
    const Tensor given = Tensor::of<double>(ElementType::Float64, {dims.begin(), dims.end()},
                                            std::vector<double>(input.begin(), input.end()))
                             .converted(graph.value(graph.inputs.front()).type.element);
    for (const int opset : {13, 17, newestOpset}) {
        ConvertOptions options;
        options.opset = opset;
        const std::vector<double> got = computed(graph, std::vector{given}, options).front().toDoubles();
        QCOMPARE(got.size(), static_cast<std::size_t>(expected.size()));
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double wanted = expected[static_cast<qsizetype>(i)];
            QVERIFY2(std::abs(got[i] - wanted) < 1e-5 || (std::isnan(got[i]) && std::isnan(wanted)),
                     qPrintable(QStringLiteral("opset %1, element %2: %3").arg(opset).arg(i).arg(got[i])));
        }
    }
}

} // namespace crosswalk::test
