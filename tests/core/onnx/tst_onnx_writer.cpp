#include "core/base/diagnostic.h"
#include "core/onnx/load.h"
#include "core/onnx/writer.h"
#include "tests/support/onnx_models.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

using namespace crosswalk;
using namespace crosswalk::test;
namespace fs = std::filesystem;

namespace {

/// A source that invokes a callback when it is read.
class CallingSource final : public ByteSource {
public:
    CallingSource(std::uint64_t size, std::function<void(std::uint64_t)> call)
        : m_size(size)
        , m_call(std::move(call))
    {
    }
    std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        m_call(offset);
        std::fill(out.begin(), out.end(), std::byte{7});
    }

private:
    std::uint64_t m_size;
    std::function<void(std::uint64_t)> m_call;
};

OnnxModel modelCalling(std::function<void(std::uint64_t)> call, std::uint64_t size = 16U << 20U)
{
    OnnxModel model = smallModel();
    const auto source = std::make_shared<CallingSource>(size, std::move(call));
    addWeight(model, "big", Tensor::generated(ElementType::UInt8, {static_cast<std::int64_t>(size)}, source));
    return model;
}

} // namespace

class TestOnnxWriter : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("m.onnx")).toStdString();
    }

    /// Weights that lie in a file as they are, at any offset and even in pieces, are read from there.
    void weightsStayInPlace()
    {
        const fs::path folder = m_folder->path().toStdString();
        fs::create_directory(folder / "variables");
        const fs::path stored = folder / "variables" / "weights.bin";
        std::string content(5001, '\0');
        for (std::size_t i = 0; i < content.size(); ++i) {
            content[i] = static_cast<char>(i * 7);
        }
        std::ofstream(stored, std::ios::binary) << content;
        const auto file = MappedFile::open(stored);
        const Tensor lower = Tensor::mapped(ElementType::UInt8, {20, 100}, file, 1);
        const Tensor upper = Tensor::mapped(ElementType::UInt8, {10, 100}, file, 2001);
        const std::array<Tensor, 2> inOrder{lower, upper};
        const std::array<Tensor, 2> swapped{upper, lower};
        const std::array<std::int64_t, 2> axes{1, 0};
        OnnxModel model = smallModel();
        addWeight(model, "joined", Tensor::joined(inOrder));
        addWeight(model, "swapped", Tensor::joined(swapped));
        addWeight(model, "transposed", lower.transposed(axes));
        addWeight(model, "small", Tensor::mapped(ElementType::UInt8, {100}, file, 0));
        const WriteReport report = writeOnnx(model, m_path, {.weightsInPlace = true});
        QCOMPARE(report.bytesInPlace, std::uint64_t{3000});
        const OnnxModel read = loadOnnx(m_path);
        for (std::size_t i = 0; i < model.weights.size(); ++i) {
            QCOMPARE(read.weights[i].toBytes(), model.weights[i].toBytes());
        }
        std::ifstream written(m_path, std::ios::binary);
        ::onnx::ModelProto proto;
        QVERIFY(proto.ParseFromIstream(&written));
        std::map<std::string, std::string> locations;
        for (const auto& weight : proto.graph().initializer()) {
            locations[weight.name()] = weight.external_data().empty() ? "" : weight.external_data(0).value();
        }
        QCOMPARE(locations["joined"], std::string("variables/weights.bin"));
        QCOMPARE(locations["swapped"], std::string("m.onnx.data"));
        QCOMPARE(locations["transposed"], std::string("m.onnx.data"));
        QCOMPARE(locations["small"], std::string());

        const fs::path elsewhere = folder / "elsewhere";
        fs::create_directory(elsewhere);
        try {
            writeOnnx(model, elsewhere / "m.onnx", {.weightsInPlace = true});
            QFAIL("weights outside the folder of the ONNX file");
        } catch (const ModelError& error) {
            QCOMPARE(error.diagnostic.code, Code("unwritable"));
        }
        QVERIFY(fs::is_empty(elsewhere));
    }

    void writtenModelsAreReadBack_data()
    {
        QTest::addColumn<bool>("external");
        QTest::newRow("in one file") << false;
        QTest::newRow("with external data") << true;
    }
    void writtenModelsAreReadBack()
    {
        QFETCH(bool, external);
        OnnxModel model = smallModel();
        addWeight(model, "ids", Tensor::ints(std::array<std::int64_t, 3>{1, -2, 3}));
        addWeight(model, "ones", Tensor::filled(ElementType::Float16, {300, 1000}, 1));
        addWeight(model, "empty", Tensor(ElementType::Float32, {0, 4}, {}));
        addWeight(model, "words", Tensor::strings({2}, {"one", "two"}));
        auto* source = model.proto->mutable_graph()->mutable_node(0)->add_metadata_props();
        source->set_key("crosswalk.source");
        source->set_value("[\"a\"]");

        const WriteReport report = writeOnnx(model, m_path, {.externalData = external});
        QCOMPARE(report.externalData, external);
        QCOMPARE(fs::exists(m_path + ".data"), external);
        std::uint64_t onDisk = 0;
        for (const auto& entry : fs::directory_iterator(m_folder->path().toStdString())) {
            onDisk += entry.file_size();
        }
        QCOMPARE(report.bytes, onDisk);

        const OnnxModel again = loadOnnx(m_path);
        QCOMPARE(again.weights.size(), model.weights.size());
        for (std::size_t i = 0; i < again.weights.size(); ++i) {
            QCOMPARE(again.weights[i].type(), model.weights[i].type());
            QCOMPARE(again.weights[i].dims(), model.weights[i].dims());
            QCOMPARE(again.weights[i].toBytes(), model.weights[i].toBytes());
        }
        QCOMPARE(again.proto->SerializeAsString(), model.proto->SerializeAsString());
        QCOMPARE(again.proto->graph().node(0).metadata_props(0).value(), std::string("[\"a\"]"));

        if (!external) { // protobuf can parse the file
            ::onnx::ModelProto parsed;
            QVERIFY(parsed.ParseFromString(fileContent(m_path)));
            QCOMPARE(parsed.graph().initializer(2).raw_data().size(), std::size_t{600'000});
            QCOMPARE(parsed.graph().initializer(4).string_data(1), std::string("two"));
        }
    }

    void externalDataIsAligned()
    {
        OnnxModel model = smallModel();
        addWeight(model, "ones", Tensor::filled(ElementType::Float32, {5000}, 1));
        addWeight(model, "small", Tensor::filled(ElementType::Float32, {5}, 1));
        writeOnnx(model, m_path, {.externalData = true});
        ::onnx::ModelProto parsed;
        QVERIFY(parsed.ParseFromString(fileContent(m_path)));
        const auto& ones = parsed.graph().initializer(1);
        QCOMPARE(ones.data_location(), ::onnx::TensorProto::EXTERNAL);
        QCOMPARE(ones.external_data(0).value(), std::string("m.onnx.data"));
        QCOMPARE(ones.external_data(1).value(), std::string("4096"));
        QCOMPARE(ones.external_data(2).value(), std::string("20000"));
        QVERIFY(parsed.graph().initializer(2).has_raw_data());
    }

    void modelWithoutLargeWeightsHasNoData()
    {
        OnnxModel model = emptyModel();
        addWeight(model, "w", Tensor::of<float>(ElementType::Float32, {2}, std::vector<float>{1, 2}));
        addOutput(model, "w", {ElementType::Float32, Shape{2}});
        QVERIFY(!writeOnnx(model, m_path, {.externalData = true}).externalData);
        QCOMPARE(count(), 1);
    }

    void unknownFieldsAreKept()
    {
        OnnxModel model = smallModel();
        model.proto->GetReflection()->MutableUnknownFields(model.proto.get())->AddVarint(99, 5);
        auto* graph = model.proto->mutable_graph();
        graph->GetReflection()->MutableUnknownFields(graph)->AddLengthDelimited(98, "new");
        model.proto->add_functions()->set_name("f");
        model.proto->add_metadata_props()->set_key("k");
        model.proto->set_model_version(3);
        writeOnnx(model, m_path);
        QCOMPARE(loadOnnx(m_path).proto->SerializeAsString(), model.proto->SerializeAsString());
    }

    void largeModelsUseExternalData()
    {
        // Cancels at the first chunk: this test checks only the destination.
        std::stop_source stop;
        OnnxModel model = smallModel();
        addWeight(model, "big", Tensor::filled(ElementType::Float32, {600'000'000}, 1));
        stop.request_stop();
        QCOMPARE(codeOf([&] { writeOnnx(model, m_path, {}, stop.get_token()); }), std::string("cancelled"));
        QVERIFY(isEmpty());
    }

    void existingFileIsReplaced()
    {
        writeFile(m_path, "old");
        fs::permissions(m_path, fs::perms::owner_read | fs::perms::owner_write);
        writeOnnx(smallModel(), m_path);
        QCOMPARE(loadOnnx(m_path).weights.size(), std::size_t{1});
        QCOMPARE(fs::status(m_path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
        QCOMPARE(count(), 1);
    }

    void linksAreFollowed()
    {
        const std::string target = m_folder->filePath(QStringLiteral("real.onnx")).toStdString();
        writeFile(target, "old");
        fs::create_symlink("real.onnx", m_path);
        writeOnnx(smallModel(), m_path);
        QVERIFY(fs::is_symlink(m_path));
        QCOMPARE(loadOnnx(target).weights.size(), std::size_t{1});
    }

    void linksThatLeadNowhereAreRefused()
    {
        const std::string other = m_folder->filePath(QStringLiteral("other.onnx")).toStdString();
        fs::create_symlink("absent.onnx", m_path);
        QCOMPARE(codeOf([&] { writeOnnx(smallModel(), m_path); }), std::string("unwritable"));
        fs::remove(m_path);
        fs::create_symlink("m.onnx", other);
        fs::create_symlink("other.onnx", m_path);
        QCOMPARE(codeOf([&] { writeOnnx(smallModel(), m_path); }), std::string("unwritable"));
        QCOMPARE(count(), 2);
    }

    void oldDataStaysUntilTheModelIsReplaced()
    {
        QCOMPARE(writeOnnx(smallModel(), m_path, {.externalData = true}).dataFile, fs::path(m_path + ".data"));
        QVERIFY(fs::exists(m_path + ".data"));
        OnnxModel other = smallModel();
        other.weights[0] = Tensor::filled(ElementType::Float32, other.weights[0].dims(), 3);
        QVERIFY(fs::exists(writeOnnx(other, m_path, {.externalData = true}).dataFile));
        QVERIFY(!fs::exists(m_path + ".data")); // its successor has a name by content
        QCOMPARE(count(), 2);
        QCOMPARE(loadOnnx(m_path).weights[0].toBytes(), other.weights[0].toBytes());
        writeOnnx(smallModel(), m_path, {.externalData = true});
        QCOMPARE(loadOnnx(m_path).weights[0].toBytes(), smallModel().weights[0].toBytes());
        QCOMPARE(count(), 2);
    }

    void staleFilesAreRemoved()
    {
        const std::string folder = m_folder->path().toStdString();
        writeFile(folder + "/.m.onnx.123-4.tmp", "left by a killed process");
        writeFile(folder + "/m.onnx.0123456789abcdef.data", "so was this");
        writeFile(folder + "/.m.onnx.notes.tmp", "the user's");
        writeFile(folder + "/m.onnx.old.data", "the user's");
        writeOnnx(smallModel(), m_path);
        QCOMPARE(count(), 3);
    }

    void dataOfOtherModelsIsKept_data()
    {
        QTest::addColumn<QString>("other");
        QTest::newRow("another name") << QStringLiteral("m_v1.onnx");
        QTest::newRow("another extension") << QStringLiteral("m.onnx.bak");
    }
    /// A model that was renamed has its weights under the older name.
    void dataOfOtherModelsIsKept()
    {
        QFETCH(QString, other);
        const std::string renamed = m_folder->filePath(other).toStdString();
        const std::string copied = m_folder->filePath(QStringLiteral("copy-of-") + other).toStdString();
        OnnxModel newer = smallModel();
        newer.weights[0] = Tensor::filled(ElementType::Float32, newer.weights[0].dims(), 3);
        writeOnnx(smallModel(), m_path, {.externalData = true}); // m.onnx.data
        fs::rename(m_path, renamed);
        writeOnnx(newer, m_path, {.externalData = true}); // m.onnx.<hash>.data
        fs::copy_file(m_path, copied);
        writeOnnx(smallModel(), m_path, {.externalData = true});
        QCOMPARE(loadOnnx(renamed).weights[0].toBytes(), smallModel().weights[0].toBytes());
        QCOMPARE(loadOnnx(copied).weights[0].toBytes(), newer.weights[0].toBytes());
    }

    void dataOfTheUserIsKept()
    {
        writeFile(m_path + ".data", "the user's");
        writeOnnx(smallModel(), m_path, {.externalData = true});
        writeOnnx(smallModel(), m_path, {.externalData = true}); // nor does the older file refer to it
        QCOMPARE(fileContent(m_path + ".data"), std::string("the user's"));
        QCOMPARE(count(), 3);
    }

    void dataIsRemovedWithItsModel()
    {
        writeOnnx(smallModel(), m_path, {.externalData = true});
        writeOnnx(smallModel(), m_path); // in one file
        QCOMPARE(count(), 1);
    }

    void modelCanOverwriteItself()
    {
        writeOnnx(smallModel(), m_path, {.externalData = true});
        const OnnxModel model = loadOnnx(m_path);
        writeOnnx(model, m_path, {.externalData = true});
        writeOnnx(loadOnnx(m_path), m_path, {.externalData = true});
        QCOMPARE(loadOnnx(m_path).weights[0].toBytes(), smallModel().weights[0].toBytes());
    }

    void unwritableTargetsAreReported()
    {
        const std::string folder = m_folder->path().toStdString();
        QCOMPARE(codeOf([&] { writeOnnx(smallModel(), folder + "/absent/m.onnx"); }), std::string("unwritable"));
        QCOMPARE(codeOf([&] { writeOnnx(smallModel(), folder); }), std::string("unwritable"));
        QCOMPARE(codeOf([&] { writeOnnx(smallModel(), "/dev/null"); }), std::string("unwritable"));
        QVERIFY(fs::is_character_file("/dev/null"));
        QVERIFY(isEmpty());
    }

    void cancellationKeepsTheExistingFile_data() { writtenModelsAreReadBack_data(); }
    void cancellationKeepsTheExistingFile()
    {
        QFETCH(bool, external);
        writeFile(m_path, "old");
        std::stop_source stop;
        const OnnxModel model = modelCalling([&](std::uint64_t offset) {
            if (offset > (8U << 20U)) {
                stop.request_stop();
            }
        });
        QCOMPARE(codeOf([&] { writeOnnx(model, m_path, {.externalData = external}, stop.get_token()); }),
                 std::string("cancelled"));
        QCOMPARE(fileContent(m_path), std::string("old"));
        QCOMPARE(count(), 1);
    }

    void failingSourceKeepsTheExistingFile()
    {
        writeFile(m_path, "old");
        const OnnxModel model = modelCalling([](std::uint64_t offset) {
            if (offset > (8U << 20U)) {
                throw std::bad_alloc();
            }
        });
        QVERIFY_EXCEPTION_THROWN(writeOnnx(model, m_path), std::bad_alloc);
        QCOMPARE(fileContent(m_path), std::string("old"));
        QCOMPARE(count(), 1);
    }

    /// The second thread, which verifies checksums ahead, does not report them.
    void damagedMembersAreReported_data() { writtenModelsAreReadBack_data(); }
    void damagedMembersAreReported()
    {
        QFETCH(bool, external);
        constexpr std::size_t size = 8U << 20U;
        const std::string stored = m_folder->filePath(QStringLiteral("archive")).toStdString();
        const std::string content(size, 'w');
        writeFile(stored, content + content + content);
        const auto crc = static_cast<std::uint32_t>(
            ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size())); // NOLINT: as bytes
        const auto modelOf = [&](std::uint32_t crcOfThird) {
            const auto file = SourceFile::open(stored);
            OnnxModel model = smallModel();
            for (const std::uint64_t i : {0U, 1U, 2U}) {
                const auto member = file->part(std::to_string(i), i * size, size, i == 2 ? crcOfThird : crc);
                addWeight(model, "w" + std::to_string(i),
                          Tensor::mapped(ElementType::UInt8, {static_cast<std::int64_t>(size)}, member, 0));
            }
            return model;
        };
        QCOMPARE(codeOf([&] { writeOnnx(modelOf(crc + 1), m_path, {.externalData = external}); }),
                 std::string("damaged"));
        QCOMPARE(count(), 1);
        writeOnnx(modelOf(crc), m_path, {.externalData = external});
        QCOMPARE(count(), external ? 3 : 2);
    }

    void fullDiskKeepsTheExistingFile_data() { writtenModelsAreReadBack_data(); }
    void fullDiskKeepsTheExistingFile()
    {
        QFETCH(bool, external);
        writeFile(m_path, "old");
        const OnnxModel model = modelCalling([](std::uint64_t) {});
        // A file size limit simulates a full disk: write() fails midway in the same way.
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit old = {};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
        rlimit low = old;
        low.rlim_cur = 10U << 20U;
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &low), 0);
        const std::string code = codeOf([&] { writeOnnx(model, m_path, {.externalData = external}); });
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
        QCOMPARE(code, std::string("unwritable"));
        QCOMPARE(fileContent(m_path), std::string("old"));
        QCOMPARE(count(), 1);
    }

    void fullFileSystemKeepsTheExistingFile()
    {
        const std::string small = m_folder->filePath(QStringLiteral("small")).toStdString();
        fs::create_directory(small);
        if (::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=4m") != 0) {
            QSKIP("only root can mount a small file system");
        }
        const auto unmount = qScopeGuard([&] { ::umount(small.c_str()); });
        const std::string path = small + "/m.onnx";
        writeFile(path, "old");
        for (const bool external : {false, true}) {
            const OnnxModel model = modelCalling([](std::uint64_t) {});
            QCOMPARE(codeOf([&] { writeOnnx(model, path, {.externalData = external}); }), std::string("unwritable"));
            QCOMPARE(fileContent(path), std::string("old"));
            QCOMPARE(std::distance(fs::directory_iterator(small), fs::directory_iterator()), 1);
            QVERIFY(fs::space(small).available > 3'000'000);
        }
        writeOnnx(smallModel(), path);
        QCOMPARE(loadOnnx(path).weights.size(), std::size_t{1});
    }

    void killedWriterLeavesNoFile()
    {
        writeFile(m_path, "old");
        const ::pid_t child = ::fork();
        if (child == 0) {
            const OnnxModel model = modelCalling([](std::uint64_t offset) {
                if (offset > (8U << 20U)) {
                    ::kill(::getpid(), SIGKILL);
                }
            });
            writeOnnx(model, m_path);
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(fileContent(m_path), std::string("old"));
        QCOMPARE(count(), 1);
    }

    void failureToPublishTheModelRestoresTheData()
    {
        // The data file is already published when the model's name turns out to be that of a folder.
        writeOnnx(smallModel(), m_path, {.externalData = true});
        const std::string oldData = fileContent(m_path + ".data");
        const OnnxModel model = modelCalling([&](std::uint64_t offset) {
            if (offset == 1U << 20U) { // the first chunk is read ahead as well
                fs::remove(m_path);
                fs::create_directories(m_path + "/in/the/way");
            }
        });
        QCOMPARE(codeOf([&] { writeOnnx(model, m_path, {.externalData = true}); }), std::string("unwritable"));
        QCOMPARE(fileContent(m_path + ".data"), oldData);
        QCOMPARE(count(), 2);
    }

private:
    int count() const
    {
        return static_cast<int>(
            std::distance(fs::directory_iterator(m_folder->path().toStdString()), fs::directory_iterator()));
    }
    bool isEmpty() const { return count() == 0; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

QTEST_APPLESS_MAIN(TestOnnxWriter)
#include "tst_onnx_writer.moc"
