// Files of weights without a graph: listed, never executed, and refused by the conversion.

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "tests/support/temporary_files.h"
#include "tests/support/zip_files.h"

#include <memory>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace std::string_literals;

namespace {

std::string text(const std::string& content)
{
    return "X"s + static_cast<char>(content.size()) + "\0\0\0"s + content;
}

/// A float32 vector of two elements.
std::string vector(const std::string& key)
{
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text(key) +
           text("cpu") + "K\x02tQK\0(K\x02t(K\x01t"s + "\x89" + "ccollections\nOrderedDict\n)RtR";
}

std::string saved(const std::string& root)
{
    return zipFile({{"archive/data.pkl", "\x80\x02" + root + "."},
                    {"archive/data/0", Bytes().add(1.0F).add(2.0F).content()},
                    {"archive/version", "3\n"}});
}

std::string safetensors(const std::string& header, std::size_t bytes)
{
    return Bytes().add(static_cast<std::uint64_t>(header.size())).add(header).add(std::string(bytes, '\0')).content();
}

} // namespace

class TestPytorchWeights : public QObject {
    Q_OBJECT
private slots:
    void listsTensorsByModule_data()
    {
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QString>("problem");
        QTest::newRow("a state dict") << saved("}(" + text("a.weight") + vector("0") + text("a.bias") + vector("0") +
                                               text("scale") + vector("0") + "u")
                                      << QStringList{"a: a.weight, a.bias", ": scale"}
                                      << "the file contains weights without a graph";
        QTest::newRow("a checkpoint") << saved("}(" + text("epoch") + "K\x03" + text("model") + "}" + text("w") +
                                               vector("0") + "su")
                                      << QStringList{"model: model.w"} << "the file contains weights without a graph";
        QTest::newRow("a module") << saved("cmynet\nNet\n)\x81}(" + text("_parameters") + "}" + text("w") +
                                           vector("0") + "s" + text("_modules") + "}" + text("l") +
                                           "cmynet\nLayer\n)\x81}" + text("_buffers") + "}" + text("m") + vector("0") +
                                           "ssbsub")
                                  << QStringList{": w", "l: l.m"}
                                  << "the file contains a module of class mynet.Net without its program";
        QTest::newRow("safetensors")
            << safetensors(
                   R"({"__metadata__":{"format":"pt"},"l.w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})", 8)
            << QStringList{"l: l.w"} << "the file contains weights without a graph";
    }
    void listsTensorsByModule()
    {
        QFETCH(const std::string, content);
        QFETCH(const QStringList, names);
        QFETCH(const QString, problem);
        const auto model = read(content);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        QStringList listed;
        for (const Node& node : graph.nodes()) {
            QStringList inputs;
            for (const ValueId input : node.inputs) {
                QVERIFY(graph.tensorOf(input) != nullptr);
                inputs << QString::fromStdString(graph.value(input).name);
            }
            listed << QString::fromStdString(node.name) + ": " + inputs.join(", ");
        }
        QCOMPARE(listed, names);
        const auto made = convert(graph, {});
        const std::string message = made ? made.value().problems.at(0).message : made.problem().message;
        QCOMPARE(QString::fromStdString(message), problem);
    }

    void reportsTheNamesThatAPickleWouldImport()
    {
        const auto model =
            read(saved("}(" + text("w") + vector("0") + text("x") + "cos\nsystem\n(" + text("rm") + "tRu"));
        QVERIFY(model);
        QVERIFY(model.value().graph->metadata.at("globals").find("os system") != std::string::npos);
    }

    void refusesDamagedFiles_data()
    {
        QTest::addColumn<std::string>("content");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& content, const char* message) {
            QTest::newRow(name) << content << QString(message);
        };
        row("a missing storage", saved("}" + text("w") + vector("7") + "s"), "data/7");
        row("a pickle that ends", saved("}(" + text("w") + "X"), "data.pkl");
        row("offsets behind the end", safetensors(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7),
            "tensor w leave the file");
        row("a shape that overflows",
            safetensors(R"({"w":{"dtype":"F32","shape":[2,4611686018427387904,4],"data_offsets":[0,8]}})", 8),
            "tensor w");
        row("a shape larger than its bytes",
            safetensors(R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8), "w");
        row("an unknown element type", safetensors(R"({"w":{"dtype":"F3","shape":[2],"data_offsets":[0,8]}})", 8),
            "element type F3");
    }
    void refusesDamagedFiles()
    {
        QFETCH(const std::string, content);
        QFETCH(const QString, message);
        const auto model = read(content);
        QVERIFY(!model);
        const QString problem = QString::fromStdString(model.problem().message);
        QVERIFY2(problem.contains(message), qPrintable(problem));
        QVERIFY(model.problem().code == Code("damaged") || model.problem().code == Code("truncated"));
    }

    void init() { m_files = std::make_unique<TemporaryFiles>(); }

private:
    Result<LoadedModel> read(const std::string& content)
    {
        return readModel({.model = m_files->write("m.pth", content)});
    }

    std::unique_ptr<TemporaryFiles> m_files;
};

QTEST_GUILESS_MAIN(TestPytorchWeights)
#include "tst_pytorch_weights.moc"
