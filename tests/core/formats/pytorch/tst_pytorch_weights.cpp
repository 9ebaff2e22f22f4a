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

/// A file of PyTorch 0.1.10 to 1.5: pickles, then the storage 0.
std::string stream(const std::string& root, const std::string& storage, const char* littleEndian = "\x88")
{
    return "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."s + "\x80\x02M\xe9\x03."s + "\x80\x02}" +
           text("little_endian") + littleEndian + "s." + "\x80\x02" + root + "." + "\x80\x02]" + text("0") + "a." +
           storage;
}

std::string twoNumbers()
{
    return Bytes().add(std::uint64_t{2}).add(1.0F).add(2.0F).content();
}

std::string tar(const std::vector<std::pair<std::string, std::string>>& members)
{
    std::string file;
    for (const auto& [name, content] : members) {
        std::string header(512, '\0');
        header.replace(0, name.size(), name);
        header.replace(124, 11, QString::number(content.size(), 8).rightJustified(11, '0').toStdString());
        header.replace(257, 5, "ustar");
        file += header + content + std::string((512 - content.size() % 512) % 512, '\0');
    }
    return file + std::string(1024, '\0');
}

/// A file of PyTorch before 0.1.10: the tensor 7 is the second element of the storage 5.
std::string savedTar(const std::string& root, std::int64_t offset = 1)
{
    const std::string storages = "\x80\x02K\x01.\x80\x02K\x05"s + text("cpu") + "ctorch\nFloatStorage\n\x87." +
                                 twoNumbers() + "\x80\x02(K\x06K\x05K\x01K\x01tq\x00](h\x00"s + "e.";
    const std::string tensors = "\x80\x02K\x01.\x80\x02K\x07K\x05"s + "ctorch\nFloatTensor\n\x87." +
                                Bytes()
                                    .add(std::uint64_t{1})
                                    .add(std::uint64_t{1})
                                    .add(std::uint64_t{1})
                                    .add(static_cast<std::uint64_t>(offset))
                                    .content();
    return tar({{"sys_info", "x"}, {"pickle", "\x80\x02" + root + "."}, {"tensors", tensors}, {"storages", storages}});
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
                                      << "the file contains weights without a graph: 3 tensors, 6 parameters";
        QTest::newRow("a checkpoint") << saved("}(" + text("epoch") + "K\x03" + text("model") + "}" + text("w") +
                                               vector("0") + "su")
                                      << QStringList{"model: model.w"}
                                      << "the file contains weights without a graph: 1 tensor, 2 parameters";
        QTest::newRow("a module")
            << saved("cmynet\nNet\n)\x81}(" + text("_parameters") + "}" + text("w") + vector("0") + "s" +
                     text("_modules") + "}" + text("l") + "cmynet\nLayer\n)\x81}" + text("_buffers") + "}" + text("m") +
                     vector("0") + "ssbsub")
            << QStringList{": w", "l: l.m"}
            << "the file contains a module of class mynet.Net without its program: 2 tensors, 4 parameters";
        QTest::newRow("a stream") << stream("}" + text("l.w") + vector("0") + "s", twoNumbers())
                                  << QStringList{"l: l.w"}
                                  << "the file contains weights without a graph: 1 tensor, 2 parameters";
        QTest::newRow("a module in a stream")
            << stream("(" + text("module") + "cmynet\nNet\n" + text("net.py") + text("class Net: pass") + "tQ)\x81}" +
                          text("_buffers") + "}" + text("m") + vector("0") + "ssb",
                      twoNumbers())
            << QStringList{": m"}
            << "the file contains a module of class mynet.Net without its program: 1 tensor, 2 parameters";
        QTest::newRow("a tar archive") << savedTar("}" + text("l.w") + text("7") + "Qs") << QStringList{"l: l.w"}
                                       << "the file contains weights without a graph: 1 tensor, 1 parameter";
        QTest::newRow("safetensors")
            << safetensors(
                   R"({"__metadata__":{"format":"pt"},"l.w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})", 8)
            << QStringList{"l: l.w"} << "the file contains weights without a graph: 1 tensor, 2 parameters";
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

    void readsTheElementsOfOldFiles()
    {
        const auto elements = [&](const std::string& content) {
            const auto model = read(content);
            return model ? model.value().graph->tensor(TensorId{0}).toDoubles() : std::vector<double>();
        };
        QCOMPARE(elements(stream("}" + text("w") + vector("0") + "s", twoNumbers())), (std::vector<double>{1, 2}));
        QCOMPARE(elements(savedTar("}" + text("w") + text("7") + "Qs")), (std::vector<double>{2}));
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
        row("a stream that ends", stream("}" + text("w") + vector("0") + "s", twoNumbers().substr(0, 15)), "storage 0");
        row("a stream with too large a storage",
            stream("}" + text("w") + vector("0") + "s", Bytes().add(std::uint64_t{1} << 62U).content()), "storage 0");
        row("a stream without a storage", stream("}" + text("w") + vector("1") + "s", twoNumbers()), "storage 0");
        row("a tensor of a tar archive that leaves its storage", savedTar("}", 2), "tensor 7");
        row("a tar archive that ends", savedTar("}").substr(0, 1538), "leaves the file");
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

    void refusesBigEndianStreams()
    {
        const auto model = read(stream("}" + text("w") + vector("0") + "s", twoNumbers(), "\x89"));
        QVERIFY(!model);
        QCOMPARE(model.problem().code, Code("unsupported-version"));
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
