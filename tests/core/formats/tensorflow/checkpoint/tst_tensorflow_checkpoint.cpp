#include "core/formats/tensorflow/checkpoint/bundle.h"
#include "core/formats/tensorflow/checkpoint/string_table.h"
#include "core/formats/tensorflow/checkpoint/tensor_slice.h"
#include "tests/support/checkpoint_files.h"

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::tensorflow;

namespace {

QByteArray text(std::string_view view)
{
    return {view.data(), static_cast<qsizetype>(view.size())};
}

/// What `use` does with a checkpoint; the code of the ModelError that it throws.
template <typename Use>
QByteArray codeOf(const TemporaryFiles& files, Use use)
{
    try {
        const auto source = ModelSource::at(files.path("ckpt.index"));
        use(Bundle(*source, "ckpt"));
    } catch (const ModelError& error) {
        return text(error.diagnostic.code.text());
    }
    return QByteArray("ok");
}

std::vector<double> valuesOf(const TemporaryFiles& files, const std::string& key)
{
    const auto source = ModelSource::at(files.path("ckpt.index"));
    return Bundle(*source, "ckpt").tensor(key).toDoubles();
}

const std::vector<std::pair<std::string, SavedTensor>> twoTensors = {
    {"layer/bias", {.dims = {2}, .values = {5, 6}}},
    {"layer/kernel", {.dims = {2, 2}, .values = {1, 2, 3, 4}}},
};

/// A 2x4 tensor in parts of 2x3 and 2x1.
std::vector<std::pair<std::string, SavedTensor>> columns()
{
    return {{"w", {.dims = {2, 3}, .values = {0, 1, 2, 4, 5, 6}, .slice = {{0, 0}, {-1, 3}}, .whole = {2, 4}}},
            {"w", {.dims = {2, 1}, .values = {3, 7}, .slice = {{0, 3}, {-1, 1}}, .whole = {2, 4}}}};
}

} // namespace

class TestTensorflowCheckpoint : public QObject {
    Q_OBJECT
private slots:
    void computesCrc();
    void readsTables_data();
    void readsTables();
    void readsTensors();
    void mapsTensors();
    void readsStrings();
    void assemblesRows();
    void assemblesColumns();
    void readsPartOfTensor();
    void encodesSliceKeys_data();
    void encodesSliceKeys();
    void parsesShapesAndSlices();
    void refusesDamage_data();
    void refusesDamage();
    void refusesWrongParts_data();
    void refusesWrongParts();
    void checksCrcOfTensors();
    void survivesEveryCut();
};

void TestTensorflowCheckpoint::computesCrc()
{
    // RFC 3720, appendix B.4.
    const std::string zeros(32, '\0');
    QCOMPARE(crc32c(std::as_bytes(std::span(zeros))), 0x8a9136aaU);
    const std::string_view digits = "123456789";
    QCOMPARE(crc32c(std::as_bytes(std::span(digits))), 0xe3069283U);
    QCOMPARE(crc32c(std::as_bytes(std::span(digits.substr(3))), crc32c(std::as_bytes(std::span(digits.substr(0, 3))))),
             0xe3069283U);
}

void TestTensorflowCheckpoint::readsTables_data()
{
    QTest::addColumn<bool>("isCompressed");
    QTest::newRow("as it is") << false;
    QTest::newRow("compressed") << true;
}

void TestTensorflowCheckpoint::readsTables()
{
    QFETCH(bool, isCompressed);
    const TemporaryFiles files;
    TableEntries first;
    for (int i = 0; i < 40; ++i) {
        first[fmt::format("cell/weight_{:02}", i)] = std::string(50, 'x') + std::to_string(i);
    }
    const TableEntries second{{"dense", "last"}};
    const auto file = SourceFile::open(files.write("t.index", tableOf({first, second}, isCompressed)));
    TableEntries read;
    readTable(*file, [&](std::string_view key, std::string_view value) { read.emplace(key, value); });
    first.insert(second.begin(), second.end());
    QVERIFY(read == first);
}

void TestTensorflowCheckpoint::readsTensors()
{
    const TemporaryFiles files;
    write(files, checkpointOf(twoTensors));
    QCOMPARE(valuesOf(files, "layer/kernel"), (std::vector<double>{1, 2, 3, 4}));
    QCOMPARE(valuesOf(files, "layer/bias"), (std::vector<double>{5, 6}));
    QCOMPARE(codeOf(files, [](const Bundle& bundle) { bundle.checkCrc("layer/kernel"); }), "ok");
}

void TestTensorflowCheckpoint::mapsTensors()
{
    const TemporaryFiles files;
    write(files, checkpointOf(twoTensors));
    const auto source = ModelSource::at(files.path("ckpt.index"));
    const Tensor kernel = Bundle(*source, "ckpt").tensor("layer/kernel");
    const auto* file = dynamic_cast<const SourceFile*>(kernel.pieces().at(0).source.get());
    QVERIFY(file);
    QVERIFY(file->file() != nullptr);
}

void TestTensorflowCheckpoint::readsStrings()
{
    const TemporaryFiles files;
    write(files, checkpointOf({{"names", {.dims = {3}, .texts = {"a", "", std::string(200, 'b')}}}}));
    const auto source = ModelSource::at(files.path("ckpt.index"));
    const Tensor names = Bundle(*source, "ckpt").tensor("names");
    QVERIFY(names.toStrings() == (std::vector<std::string>{"a", "", std::string(200, 'b')}));
}

void TestTensorflowCheckpoint::assemblesRows()
{
    const TemporaryFiles files;
    write(files,
          checkpointOf({{"w", {.dims = {1, 2}, .values = {5, 6}, .slice = {{2, 0}, {1, -1}}, .whole = {3, 2}}},
                        {"w", {.dims = {2, 2}, .values = {1, 2, 3, 4}, .slice = {{0, 0}, {2, -1}}, .whole = {3, 2}}}}));
    QCOMPARE(valuesOf(files, "w"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

void TestTensorflowCheckpoint::assemblesColumns()
{
    const TemporaryFiles files;
    write(files, checkpointOf(columns()));
    QCOMPARE(valuesOf(files, "w"), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}));
    const auto source = ModelSource::at(files.path("ckpt.index"));
    const Tensor whole = Bundle(*source, "ckpt").tensor("w");
    const auto all = whole.toBytes();
    for (std::size_t begin = 0; begin < all.size(); ++begin) { // from and to any byte
        for (std::size_t end = begin; end <= all.size(); ++end) {
            std::vector<std::byte> some(end - begin);
            whole.read(begin, some);
            QVERIFY(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(begin)));
        }
    }
}

void TestTensorflowCheckpoint::readsPartOfTensor()
{
    const TemporaryFiles files;
    auto tensors = columns();
    tensors.insert(tensors.end(), {"whole", {.dims = {3, 2}, .values = {0, 1, 2, 3, 4, 5}}});
    write(files, checkpointOf(tensors));
    const auto source = ModelSource::at(files.path("ckpt.index"));
    const Bundle bundle(*source, "ckpt");
    const auto part = [&](const char* key, const char* slice) {
        return bundle.tensor(key, *parseShapeAndSlice(slice)).toDoubles();
    };
    QCOMPARE(part("w", "2 4 -:3,1"), (std::vector<double>{3, 7})); // as it is stored
    QCOMPARE(part("w", "2 4 1,1:2,2"), (std::vector<double>{6, 7}));
    QCOMPARE(part("whole", "3 2 1,2:-"), (std::vector<double>{2, 3, 4, 5}));
    QCOMPARE(part("whole", "3 2 -:1,1"), (std::vector<double>{1, 3, 5}));
    QVERIFY_EXCEPTION_THROWN(part("whole", "3 2 2,2:-"), ModelError);
}

void TestTensorflowCheckpoint::encodesSliceKeys_data()
{
    QTest::addColumn<int>("start");
    QTest::addColumn<int>("length");
    QTest::addColumn<QByteArray>("dimension");
    QTest::newRow("one byte") << 0 << 12 << QByteArray("\x80\x8c", 2);
    QTest::newRow("whole") << 0 << -1 << QByteArray("\x80\x7f", 2);
    QTest::newRow("largest in one byte") << 63 << 24 << QByteArray("\xbf\x98", 2);
    QTest::newRow("two bytes") << 64 << 8191 << QByteArray("\xc0\x40\xdf\xff", 4);
    QTest::newRow("three bytes") << 8192 << 1 << QByteArray("\xe0\x20\x00\x81", 4);
}

void TestTensorflowCheckpoint::encodesSliceKeys()
{
    QFETCH(int, start);
    QFETCH(int, length);
    QFETCH(QByteArray, dimension);
    const std::string key = sliceKey("m", {{start}, {length}});
    QCOMPARE(QByteArray::fromStdString(key), QByteArray("\0m\0\1\1\1", 6) + dimension);
}

void TestTensorflowCheckpoint::parsesShapesAndSlices()
{
    const auto parsed = parseShapeAndSlice("10 24 0,5:-");
    QVERIFY(parsed);
    QCOMPARE(parsed->shape, (std::vector<std::int64_t>{10, 24}));
    QVERIFY(parsed->slice == (Slice{{0, 0}, {5, -1}}));
    for (const char* wrong : {"10 24 0,5", "10 x 0,5:-", "10 24 0,5:a,b", "10 -1 -:-"}) {
        QVERIFY2(!parseShapeAndSlice(wrong), wrong);
    }
}

void TestTensorflowCheckpoint::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("index");
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const std::string& index, const std::string& data, const char* code) {
        QTest::newRow(name) << QByteArray::fromStdString(index) << QByteArray::fromStdString(data) << code;
    };
    const Checkpoint good = checkpointOf(twoTensors);
    row("good", good.index, good.data, "ok");
    std::string flipped = good.index;
    flipped[10] = static_cast<char>(flipped[10] ^ 1);
    row("wrong CRC of a block", flipped, good.data, "damaged");
    row("index cut short", good.index.substr(0, good.index.size() - 9), good.data, "truncated");
    row("empty index", {}, good.data, "truncated");
    row("data cut short", good.index, good.data.substr(0, 10), "truncated");

    const std::string header = Message().number(1, std::uint64_t{1}).content();
    const auto indexWith = [&](const Message& entry) {
        return tableOf({{{"", header}, {"layer/kernel", entry.content()}}});
    };
    const auto entry = [](std::uint64_t type, std::uint64_t shard, std::uint64_t size) {
        return Message().number(1, type).message(2, shapeProto({2, 2})).number(3, shard).number(5, size);
    };
    row("size of another shape", indexWith(entry(1, 0, 12)), good.data, "damaged");
    row("shard that is not there", indexWith(entry(1, 7, 16)), good.data, "damaged");
    row("resource", indexWith(entry(20, 0, 16)), good.data, "unsupported-type");
    row("no header", tableOf({{{"layer/kernel", entry(1, 0, 16).content()}}}), good.data, "damaged");
    row("big-endian", tableOf({{{"", Message().number(1, std::uint64_t{1}).number(2, std::uint64_t{1}).content()}}}),
        good.data, "unsupported-checkpoint");
    row("later version",
        tableOf(
            {{{"",
               Message().number(1, std::uint64_t{1}).message(3, Message().number(2, std::uint64_t{9})).content()}}}),
        good.data, "unsupported-checkpoint");
    row("keys of a kilobyte times a kilobyte", tableOf({{{"", header}, {std::string(5000, 'k'), header}}}), good.data,
        "damaged");
    row("strings that are not there", indexWith(entry(7, 0, 3)), good.data, "damaged");
}

void TestTensorflowCheckpoint::refusesDamage()
{
    QFETCH(QByteArray, index);
    QFETCH(QByteArray, data);
    QFETCH(QString, code);
    const TemporaryFiles files;
    write(files, {index.toStdString(), data.toStdString()});
    QCOMPARE(
        codeOf(files, [](const Bundle& bundle) { bundle.tensor("layer/kernel").stream([](auto) { return true; }); }),
        code.toUtf8());
    QVERIFY(std::filesystem::remove(files.path("ckpt.data-00000-of-00001")));
    if (code == u"ok") {
        QCOMPARE(codeOf(files, [](const Bundle& bundle) { bundle.tensor("layer/kernel"); }), "unreadable");
    }
}

void TestTensorflowCheckpoint::refusesWrongParts_data()
{
    QTest::addColumn<int>("secondStart");
    QTest::addColumn<QString>("code");
    QTest::newRow("side by side") << 3 << "ok";
    QTest::newRow("overlap") << 2 << "damaged";
    QTest::newRow("outside") << 4 << "damaged";
}

void TestTensorflowCheckpoint::refusesWrongParts()
{
    QFETCH(int, secondStart);
    QFETCH(QString, code);
    const TemporaryFiles files;
    auto parts = columns();
    parts[1].second.slice.start[1] = secondStart;
    write(files, checkpointOf(parts));
    const auto readWhole = [](const Bundle& bundle) { bundle.tensor("w"); };
    QCOMPARE(codeOf(files, readWhole), code.toUtf8());
    parts.pop_back();
    write(files, checkpointOf(parts));
    QCOMPARE(codeOf(files, readWhole), "damaged"); // a hole
}

void TestTensorflowCheckpoint::checksCrcOfTensors()
{
    const TemporaryFiles files;
    Checkpoint checkpoint = checkpointOf(twoTensors);
    checkpoint.data[10] = static_cast<char>(checkpoint.data[10] ^ 1); // in layer/kernel
    write(files, checkpoint);
    QCOMPARE(codeOf(files, [](const Bundle& bundle) { bundle.checkCrc("layer/bias"); }), "ok");
    QCOMPARE(codeOf(files, [](const Bundle& bundle) { bundle.checkCrc("layer/kernel"); }), "damaged");
}

void TestTensorflowCheckpoint::survivesEveryCut()
{
    const TemporaryFiles files;
    const Checkpoint good = checkpointOf(twoTensors);
    for (std::size_t size = 0; size < good.index.size(); ++size) {
        // A whole footer behind a cut: handles lead anywhere.
        const std::string footer = good.index.substr(good.index.size() - 48);
        write(files, {good.index.substr(0, size) + footer, good.data});
        const QByteArray code = codeOf(files, [](const Bundle& bundle) { bundle.tensor("layer/kernel"); });
        QVERIFY2(code == "damaged" || code == "truncated" || code == "ok", code.constData());
    }
}

QTEST_APPLESS_MAIN(TestTensorflowCheckpoint)
#include "tst_tensorflow_checkpoint.moc"
