#include "core/api/export_gate.h"
#include "core/base/changed_files.h"
#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/formats/model_files.h"
#include "core/formats/read_model.h"
#include "core/onnx/load.h"
#include "core/onnx/writer.h"
#include "core/rewrite/extract.h"
#include "tests/support/onnx_models.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_files.h"

#include <QtTest>

#include <algorithm>
#include <fstream>
#include <sys/stat.h>
#include <thread>

using namespace crosswalk;
using namespace crosswalk::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t size = 1U << 20U;

std::string codeOf(const auto& function)
{
    try {
        function();
    } catch (const ModelError& error) {
        return std::string(error.diagnostic.code.text());
    }
    return {};
}

/// A model with weights of a megabyte.
OnnxModel largeModel()
{
    OnnxModel model = smallModel();
    addWeight(model, "big", Tensor::filled(ElementType::UInt8, {static_cast<std::int64_t>(size)}, 7));
    return model;
}

/// Files that changed in earlier tests stay in the list.
bool hasChanged(const fs::path& path)
{
    return std::ranges::count(changedFiles(), path) > 0;
}

} // namespace

class TestChangedFiles : public QObject {
    Q_OBJECT
private slots:
    void lostPartsReadAsZerosInAnyThread()
    {
        const TemporaryFiles files;
        const auto path = files.write("f", std::string(size, 'x'));
        const auto file = MappedFile::open(path);
        QVERIFY(!hasChanged(path));
        fs::resize_file(path, 10);
        std::byte last{1};
        std::thread([&] { last = file->bytes().back(); }).join();
        QCOMPARE(last, std::byte{0});
        QCOMPARE(file->bytes()[5], std::byte{'x'});
        QVERIFY(hasChanged(path));
        QCOMPARE(lostFile(), path.c_str());
        QCOMPARE(codeOf([&] { expectUnchanged(std::span(&path, 1)); }), std::string("unreadable"));
        const fs::path other = files.path("g");
        QCOMPARE(codeOf([&] { expectUnchanged(std::span(&other, 1)); }), std::string());
    }

    void aFileThatIsOpenedAgainIsUnchanged()
    {
        const TemporaryFiles files;
        const auto path = files.write("f", std::string(size, 'x'));
        {
            const auto file = MappedFile::open(path);
            fs::resize_file(path, 1);
            QCOMPARE(file->bytes().back(), std::byte{0});
        }
        QVERIFY(hasChanged(path)); // a reader may have failed and unmapped it
        const auto file = MappedFile::open(path);
        QVERIFY(!hasChanged(path));
    }

    void writingInPlaceIsAChangeAndReplacingIsNot()
    {
        const TemporaryFiles files;
        const auto path = files.write("f", "abc");
        const auto file = MappedFile::open(path);
        files.write("new", "xyz");
        fs::rename(files.path("new"), path);
        QVERIFY(!hasChanged(path)); // the mapping keeps the old file
        const auto again = MappedFile::open(path);
        std::ofstream(path, std::ios::app) << "more";
        QVERIFY(hasChanged(path));
    }

    void readersReportTheFile()
    {
        const TemporaryFiles files;
        const auto path = files.path("frozen.pb");
        fs::copy_file((sourceFolder() + QStringLiteral("/resources/examples/speech_commands/frozen.pb")).toStdString(),
                      path);
        const auto older = MappedFile::open(path); // as of a model that is open
        const auto loaded = readModel({.model = path, .progress = [&](double) { fs::resize_file(path, 16); }});
        QVERIFY(!loaded);
        QCOMPARE(loaded.problem().code.text(), std::string_view("unreadable"));
        QVERIFY(loaded.problem().message.find(path.string()) != std::string::npos);
    }

    void aModelIsReadAgainAfterItsFileWasWrittenInPlace()
    {
        const TemporaryFiles files;
        const auto path = files.path("m.onnx");
        writeOnnx(largeModel(), path);
        auto before = readModel({.model = path});
        QVERIFY(before);
        const auto write = [&](int channels) {
            OnnxModel model = largeModel();
            addWeight(model, "more", Tensor::filled(ElementType::UInt8, {channels}, 7));
            writeOnnx(model, files.path("new"));
            std::ifstream in(files.path("new"), std::ios::binary);
            std::ofstream(path, std::ios::binary) << in.rdbuf();
        };
        write(3);
        const auto again = readModel({.model = path});
        QVERIFY2(again, again ? "" : again.problem().message.c_str());
        QCOMPARE(codeOf([&] { expectUnchanged(std::span(&path, 1)); }), std::string("unreadable"));
        before = readModel({.model = path}); // unmaps the old contents
        QCOMPARE(codeOf([&] { expectUnchanged(std::span(&path, 1)); }), std::string());
    }

    void anotherModelIsReadBesideAFileThatChangedBefore()
    {
        const TemporaryFiles files;
        const auto changed = files.path("changed.onnx");
        const auto path = files.path("m.onnx");
        writeOnnx(largeModel(), changed);
        writeOnnx(largeModel(), path);
        {
            const auto closed = readModel({.model = changed});
            QVERIFY(closed);
            std::ofstream(changed, std::ios::app) << "more";
        }
        QVERIFY(hasChanged(changed));
        const auto loaded = readModel({.model = path});
        QVERIFY2(loaded, loaded ? "" : loaded.problem().message.c_str());
    }

    void anOlderMappingThatEndsLaterIsNoChange()
    {
        const TemporaryFiles files;
        const auto path = files.write("f", "abc");
        auto older = MappedFile::open(path);
        std::ofstream(path, std::ios::app) << "more";
        auto newer = MappedFile::open(path);
        QVERIFY(hasChanged(path));
        newer.reset();
        older.reset();
        QVERIFY(!hasChanged(path));
    }

    void nothingIsWrittenFromALostPart()
    {
        const TemporaryFiles files;
        const auto path = files.path("m.onnx");
        writeOnnx(largeModel(), path);
        const OnnxModel model = loadOnnx(path);
        fs::resize_file(path, 4096);
        const auto target = files.write("out.onnx", "old");
        QCOMPARE(codeOf([&] { writeOnnx(model, target); }), std::string("unreadable"));
        std::ifstream in(target);
        QCOMPARE(std::string(std::istreambuf_iterator<char>(in), {}), std::string("old"));
    }

    void nothingIsExtractedFromAChangedFile()
    {
        const TemporaryFiles files;
        const auto path = files.path("m.onnx");
        writeOnnx(largeModel(), path);
        const OnnxModel model = loadOnnx(path);
        const auto inputs = filesOf(path, model.weights);
        const auto write = [&](Overwrite overwrite) {
            writePart(extract(model, std::array<std::string, 1>{"x"}, std::array<std::string, 1>{"y"}), inputs,
                      files.path("part.onnx"), overwrite, {});
        };
        QCOMPARE(codeOf([&] { write(Overwrite::Nothing); }), std::string());
        fs::remove(files.path("part.onnx"));
        std::ofstream(path, std::ios::app) << "more";
        for (const auto overwrite : {Overwrite::Nothing, Overwrite::Anything}) {
            QCOMPARE(codeOf([&] { write(overwrite); }), std::string("unreadable"));
        }
        QVERIFY(!fs::exists(files.path("part.onnx")));
    }

    void onlyFilesAreOpened()
    {
        const TemporaryFiles files;
        const auto pipe = files.path("pipe");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QCOMPARE(codeOf([&] { MappedFile::open(pipe); }), std::string("unreadable")); // and does not wait for a writer
        QCOMPARE(codeOf([&] { MappedFile::open("/dev/zero"); }), std::string("unreadable"));
    }
};

QTEST_APPLESS_MAIN(TestChangedFiles)
#include "tst_changed_files.moc"
