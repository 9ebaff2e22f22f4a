#include "core/base/model_source.h"
#include "core/formats/format_reader.h"
#include "core/graph/tensor.h"
#include "core/graph/tensor_files.h"
#include "tests/support/zip_files.h"

using namespace crosswalk;
using crosswalk::test::Bytes;
using crosswalk::test::TemporaryFiles;
using crosswalk::test::zipFile;
namespace fs = std::filesystem;

namespace {

std::string textOf(const SourceFile& file)
{
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// The code of the ModelError that the call throws; empty if it throws none.
template <typename Call>
std::string codeOf(Call&& call)
{
    try {
        call();
    } catch (const ModelError& error) {
        return std::string(error.diagnostic.code.text());
    }
    return {};
}

std::string codeOfOpening(const fs::path& path, std::string_view name)
{
    const auto source = ModelSource::at(path);
    return codeOf([&] { source->open(name); });
}

using Names = std::vector<std::string>;

} // namespace

class TestModelSource : public QObject {
    Q_OBJECT
private slots:
    void init() { m_files.emplace(); }

    void opensNeighboursOfAFile()
    {
        const fs::path model = m_files->write("net.pb", "graph");
        m_files->write("net.data-1", "one");
        m_files->write("net.data-0", "zero");
        folder("deep");
        m_files->write("deep/net.data-2", "two");
        const auto source = ModelSource::at(model);
        QCOMPARE(source->kind(), ModelSource::Kind::File);
        QCOMPARE(source->path(), model);
        QCOMPARE(source->root(), model.parent_path());
        QCOMPARE(textOf(*source->main()), std::string("graph"));
        QCOMPARE(source->list("net.data-"), (Names{"net.data-0", "net.data-1"}));
        QCOMPARE(source->list("deep/"), (Names{"deep/net.data-2"}));
        QVERIFY(source->contains("net.data-1") && !source->contains("net.data-2") && !source->contains("deep"));
        const auto shard = source->open("net.data-1");
        QCOMPARE(textOf(*shard), std::string("one"));
        QCOMPARE(shard->name(), std::string("net.data-1"));
        QCOMPARE(textOf(*source->open("deep/net.data-2")), std::string("two"));
        QCOMPARE(source->open("net.data-1"), shard);
    }

    void relativeFileNameUsesCurrentFolder()
    {
        m_files->write("net.pb", "graph");
        m_files->write("net.data", "weights");
        const fs::path before = fs::current_path();
        fs::current_path(m_files->path(""));
        const auto source = ModelSource::at("net.pb");
        const auto names = source->list("net.d");
        const std::string weights = textOf(*source->open("net.data"));
        fs::current_path(before);
        QCOMPARE(names, (Names{"net.data"}));
        QCOMPARE(weights, std::string("weights"));
    }

    void opensAFolder()
    {
        folder("saved");
        folder("saved/variables");
        m_files->write("saved/saved_model.pb", "graph");
        m_files->write("saved/variables/variables.index", "index");
        for (const char* given : {"saved", "saved/"}) {
            const auto source = ModelSource::at(m_files->path(given));
            QCOMPARE(source->kind(), ModelSource::Kind::Folder);
            QVERIFY(!source->main());
            QCOMPARE(source->root(), m_files->path(given));
            QCOMPARE(source->list(), (Names{"saved_model.pb", "variables/variables.index"}));
            QCOMPARE(source->list("variables/variables."), (Names{"variables/variables.index"}));
            QCOMPARE(source->list("absent/"), Names());
            QVERIFY(source->contains("variables/variables.index") && !source->contains("variables"));
            QCOMPARE(textOf(*source->open("variables/variables.index")), std::string("index"));
            const Probe probe(*source);
            QCOMPARE(probe.fileName, std::string("saved"));
            QVERIFY(probe.isFolder && probe.bytes.empty());
            QVERIFY(probe.contains("saved_model.pb") && !probe.contains("saved_model.pbtxt"));
        }
    }

    void opensAnArchive()
    {
        const std::string text(5000, 'x');
        const auto path = m_files->write(
            "net.keras",
            zipFile({{"data/0", "stored"}, {"data/", ""}, {"config.json", text, true}, {"empty", "", true}}));
        const auto source = ModelSource::at(path);
        QCOMPARE(source->kind(), ModelSource::Kind::Archive);
        QCOMPARE(source->root(), path);
        QCOMPARE(source->list(), (Names{"config.json", "data/0", "empty"}));
        QCOMPARE(source->list("data/"), (Names{"data/0"}));
        QVERIFY(source->contains("config.json") && !source->contains("data/") && !source->contains("other"));
        QCOMPARE(textOf(*source->open("config.json")), text);
        QCOMPARE(textOf(*source->open("empty")), std::string());
        QCOMPARE(codeOfOpening(path, "other"), std::string("unreadable"));
        const Probe probe(*source);
        QCOMPARE(probe.fileName, std::string("net.keras"));
        QVERIFY(!probe.bytes.empty() && probe.contains("config.json") && !probe.contains("other"));
    }

    void storedMembersAreMapped()
    {
        const auto path = m_files->write("net.pt", zipFile({{"a", "before"}, {"b", "12345678"}}));
        const auto source = ModelSource::at(path);
        const auto member = source->open("b");
        const auto whole = source->main()->bytes();
        QVERIFY(member->bytes().data() > whole.data() && member->bytes().data() < whole.data() + whole.size());
        const Tensor tensor = Tensor::mapped(ElementType::UInt8, {4}, member, 2);
        QCOMPARE(tensor.toInts(), (std::vector<std::int64_t>{'3', '4', '5', '6'}));
        QCOMPARE(tensor.pieces()[0].source->view(tensor.pieces()[0].offset, 4).data(), member->bytes().data() + 2);
        std::set<fs::path> files;
        addFilesOf(tensor, files);
        QCOMPARE(files, std::set<fs::path>{path});
    }

    void openedFilesOutliveTheSource()
    {
        const auto path = m_files->write("net.zip", zipFile({{"a", "stored"}, {"b", "deflated", true}}));
        auto source = ModelSource::at(path);
        const auto stored = source->open("a");
        const auto deflated = source->open("b");
        source.reset();
        QCOMPARE(textOf(*stored), std::string("stored"));
        QCOMPARE(textOf(*deflated), std::string("deflated"));
        deflated->release(0, deflated->size());
        QCOMPARE(textOf(*deflated), std::string("deflated"));
    }

    void namesOutsideTheFolderAreRejected_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const QByteArray& name, const char* code) {
            QTest::newRow(name) << name << QByteArray(code);
        };
        row("../outside", "damaged");
        row("inner/../../outside", "damaged");
        row("inner/../inside", "damaged"); // harmless, but no framework writes it
        row("/etc/hostname", "damaged");
        row("", "damaged");
        row("..", "damaged");
        QTest::newRow("nul") << QByteArray("inside\0/../../outside", 21) << QByteArray("damaged");
        row("link", "damaged");
        row("linked_folder/outside", "damaged");
        row("broken_link", "unreadable");
        row("inner", "unreadable");
        row(".", "unreadable");
        row("absent", "unreadable");
        row("inner/absent", "unreadable");
        row("link_inside", "");
        row("./inside", "");
        row("inside", "");
    }
    void namesOutsideTheFolderAreRejected()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, code);
        m_files->write("outside", "secret");
        folder("model");
        folder("model/inner");
        m_files->write("model/inside", "ours");
        fs::create_symlink("../outside", m_files->path("model/link"));
        fs::create_symlink("..", m_files->path("model/linked_folder"));
        fs::create_symlink("absent", m_files->path("model/broken_link"));
        fs::create_symlink("inside", m_files->path("model/link_inside"));
        const std::string text = name.toStdString();
        QCOMPARE(codeOfOpening(m_files->path("model"), text), code.toStdString());
        QCOMPARE(codeOfOpening(m_files->path("model/inside"), text), code.toStdString());
    }

    void namesOutsideAnArchiveAreRejected()
    {
        const auto path =
            m_files->write("net.zip", zipFile({{"../outside", "a"}, {"/etc/hostname", "b"}, {"in", "c"}}));
        QCOMPARE(codeOfOpening(path, "../outside"), std::string("damaged"));
        QCOMPARE(codeOfOpening(path, "/etc/hostname"), std::string("damaged"));
        QCOMPARE(codeOfOpening(path, "in"), std::string());
    }

    void unreadablePathsAreRejected()
    {
        QCOMPARE(codeOf([&] { ModelSource::at(m_files->path("absent")); }), std::string("unreadable"));
        QCOMPARE(codeOf([&] { ModelSource::at("/dev/null"); }), std::string("unreadable"));
    }

    void truncatedArchivesAreRejected()
    {
        const std::string whole = zipFile({{"a", "stored"}, {"b", "deflated", true}});
        for (std::size_t size = 4; size < whole.size(); ++size) {
            const auto path = m_files->write("cut.zip", std::string_view(whole).substr(0, size));
            const auto source = ModelSource::at(path);
            QCOMPARE(source->kind(), ModelSource::Kind::Archive);
            QCOMPARE(source->main()->size(), size);
            QCOMPARE(codeOf([&] { source->list(); }), std::string("truncated"));
            QCOMPARE(codeOf([&] { source->contains("a"); }), std::string("truncated"));
            QCOMPARE(codeOf([&] { source->open("a"); }), std::string("truncated"));
            QVERIFY(Probe(*source).members.empty());
        }
    }

    void membersThatShareBytesAreRejected()
    {
        std::string file = zipFile({{"a", "stored"}, {"b", "stored"}});
        const std::size_t second = file.rfind("PK\x01\x02");
        constexpr std::size_t placeField = 42; // of the member's header
        file.replace(second + placeField, 4, std::string(4, '\0'));
        const auto source = ModelSource::at(m_files->write("shared.zip", file));
        QCOMPARE(codeOf([&] { source->open("a"); }), std::string("damaged"));
    }

    void membersOfTwoNamesAreRejected()
    {
        std::string file = zipFile({{"a", "stored"}, {"b", "stored"}});
        file[file.find('b')] = 'c';
        const auto source = ModelSource::at(m_files->write("renamed.zip", file));
        QVERIFY(source->open("a") != nullptr);
        QCOMPARE(codeOf([&] { source->open("b"); }), std::string("damaged"));
    }

    void anyDamagedByteIsHandled()
    {
        const std::string whole = zipFile({{"a", "stored"}, {"b", std::string(300, 'b'), true}});
        for (std::size_t i = 4; i < whole.size(); ++i) {
            for (const int mask : {0x01, 0x80, 0xff}) {
                std::string damaged = whole;
                damaged[i] = static_cast<char>(damaged[i] ^ mask);
                const auto source = ModelSource::at(m_files->write("flipped.zip", damaged));
                const auto code = codeOf([&] {
                    for (const std::string& name : source->list()) {
                        textOf(*source->open(name));
                    }
                });
                QVERIFY2(code.empty() || code == "truncated" || code == "damaged", code.c_str());
            }
        }
    }

    void inconsistentSizesAreRejected_data()
    {
        QTest::addColumn<QByteArray>("content");
        const auto row = [](const char* name, const test::ZipPart& part) {
            QTest::newRow(name) << QByteArray::fromStdString(zipFile({part}));
        };
        const std::string text(300, 'x');
        row("decompresses to more", {"a", text, true, 299});
        row("decompresses to less", {"a", text, true, 301});
        row("stored with two sizes", {"a", text, false, 299});
        row("past the end of the archive", {"a", text, false, 4000, 4000});
        row("past the end of the archive, deflated", {"a", text, true, {}, 4000});
        row("encrypted", {"a", text, false, {}, {}, 1});
        row("encrypted and deflated", {"a", text, true, {}, {}, 1});
        test::ZipPart changed{"a", text, true};
        std::string wrong = zipFile({changed});
        const auto crc = wrong.find("PK\x01\x02") + 16;
        wrong[crc] = static_cast<char>(wrong[crc] ^ 1);
        QTest::newRow("a wrong checksum") << QByteArray::fromStdString(wrong);
    }
    void inconsistentSizesAreRejected()
    {
        QFETCH(QByteArray, content);
        const auto path = m_files->write("wrong.zip", content.toStdString());
        QCOMPARE(codeOfOpening(path, "a"), std::string("damaged"));
    }

    void storedMembersAreCheckedWhenRead()
    {
        std::string wrong = zipFile({{"a", "stored"}, {"b", "right"}});
        const auto content = wrong.find("stored");
        wrong[content] = 'S';
        const auto source = ModelSource::at(m_files->write("wrong.zip", wrong));
        const auto file = source->open("a");
        const auto last = file->part("last", 5, 1);
        QCOMPARE(file->offset(), content);
        QCOMPARE(file->address(0, 6).size(), std::size_t{6});
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(codeOf([&] { file->bytes(); }), std::string("damaged"));
            QCOMPARE(codeOf([&] { file->view(0, 1); }), std::string("damaged"));
            QCOMPARE(codeOf([&] { last->bytes(); }), std::string("damaged"));
        }
        std::byte read{};
        QCOMPARE(codeOf([&] { last->read(0, {&read, 1}); }), std::string("damaged"));
        QCOMPARE(textOf(*source->open("b")), std::string("right"));
    }

    void zipBombsAreRejected()
    {
        const std::string zeros(std::size_t{1} << 20U, '\0');
        const auto path = m_files->write(
            "bomb.zip", zipFile({{"a", zeros, true, std::uint32_t{300} << 20U}, {"b", "harmless", true}}));
        QCOMPARE(codeOfOpening(path, "a"), std::string("damaged"));
        QCOMPARE(codeOfOpening(path, "b"), std::string());
        // Members that share their bytes: each is small, but their sum is unbounded.
        const std::string part = zipFile({{"a", zeros, true}});
        const auto directory = part.find("PK\x01\x02");
        const auto end = part.find("PK\x05\x06");
        const std::string entry = part.substr(directory, end - directory);
        std::string shared = part.substr(0, end);
        constexpr std::uint16_t copies = 200;
        for (int i = 1; i < copies; ++i) {
            shared += entry;
        }
        Bytes last;
        last.add(std::string_view("PK\x05\x06")).add(std::uint32_t{0}).add(copies).add(copies);
        last.add(static_cast<std::uint32_t>(copies * entry.size())).add(static_cast<std::uint32_t>(directory));
        shared += last.add(std::uint16_t{0}).content();
        QCOMPARE(codeOfOpening(m_files->write("shared.zip", shared), "a"), std::string("damaged"));
    }

    void lastOfEqualNamesWins()
    {
        const auto source =
            ModelSource::at(m_files->write("two.zip", zipFile({{"a", "old"}, {"b", ""}, {"a", "new", true}})));
        QCOMPARE(source->list(), (Names{"a", "b"}));
        QCOMPARE(textOf(*source->open("a")), std::string("new"));
    }

    void readingCanBeCancelled()
    {
        const auto path = m_files->write("net.zip", zipFile({{"a", "deflated", true}}));
        std::stop_source stop;
        std::vector<double> seen;
        const auto source = ModelSource::at(path, stop.get_token(), [&](double part) { seen.push_back(part); });
        source->checkStop();
        source->progress(0.5);
        QCOMPARE(seen, (std::vector<double>{0.5}));
        stop.request_stop();
        QCOMPARE(codeOf([&] { source->checkStop(); }), std::string("cancelled"));
        QCOMPARE(codeOf([&] { source->open("a"); }), std::string("cancelled"));
        const auto kept = source->detached();
        kept->checkStop();
        kept->progress(1);
        QCOMPARE(seen.size(), std::size_t{1});
        QCOMPARE(textOf(*kept->open("a")), std::string("deflated"));
    }

private:
    void folder(std::string_view name) const { fs::create_directory(m_files->path(name)); }

    std::optional<TemporaryFiles> m_files; ///< a new folder for each test
};

QTEST_APPLESS_MAIN(TestModelSource)
#include "tst_model_source.moc"
