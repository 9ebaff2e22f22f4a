#include "core/base/diagnostic.h"
#include "core/formats/mxnet/npy_zip.h"
#include "core/formats/mxnet/params_file.h"
#include "tests/support/shared_cases.h"
#include "tests/support/temporary_files.h"

#include <map>
#include <numeric>

using namespace crosswalk;
using namespace crosswalk::mxnet;
using crosswalk::test::Bytes;

namespace {

constexpr std::uint32_t magicV1 = 0xF993FAC8;
constexpr std::uint32_t magicV2 = 0xF993FAC9;
constexpr std::uint32_t magicV3 = 0xF993FACA;

Bytes listOf(std::uint64_t arrays)
{
    return Bytes().add(std::uint64_t{0x112}).add(std::uint64_t{0}).add(arrays);
}

std::string named(Bytes& bytes, std::initializer_list<std::string_view> names)
{
    bytes.add(static_cast<std::uint64_t>(names.size()));
    for (const auto name : names) {
        bytes.add(static_cast<std::uint64_t>(name.size())).add(name);
    }
    return bytes.content();
}

/// Context (cpu 0) and element type.
void addKind(Bytes& bytes, std::int32_t type)
{
    bytes.add(std::int32_t{1}).add(std::int32_t{0}).add(type);
}

void addFloats(Bytes& bytes, int count)
{
    for (int i = 0; i < count; ++i) {
        bytes.add(static_cast<float>(i) + 0.5F);
    }
}

/// A V2 array of float32 with these dimensions, and content for six elements.
std::string arrayOfDims(std::initializer_list<std::int64_t> dims, std::uint32_t magic = magicV2)
{
    Bytes bytes = listOf(1);
    bytes.add(magic);
    if (magic != magicV1) {
        bytes.add(std::int32_t{0});
    }
    bytes.add(static_cast<std::int32_t>(dims.size()));
    for (const auto dim : dims) {
        bytes.add(dim);
    }
    addKind(bytes, 0);
    addFloats(bytes, 6);
    return named(bytes, {"arg:w"});
}

/// One file with everything: dense, row_sparse and csr, names of all sorts.
std::string everything()
{
    Bytes bytes = listOf(4);
    bytes.add(std::uint32_t{2}).add(std::uint32_t{2}).add(std::uint32_t{3}); // the oldest: the rank first
    addKind(bytes, 0);
    addFloats(bytes, 6);
    bytes.add(magicV1).add(std::int32_t{1}).add(std::int64_t{3});
    addKind(bytes, 5);
    bytes.add(std::int8_t{1}).add(std::int8_t{-2}).add(std::int8_t{3});
    bytes.add(magicV2).add(std::int32_t{1}); // row_sparse 4x2 with the rows 1 and 3
    bytes.add(std::int32_t{2}).add(std::int64_t{2}).add(std::int64_t{2});
    bytes.add(std::int32_t{2}).add(std::int64_t{4}).add(std::int64_t{2});
    addKind(bytes, 0);
    bytes.add(std::int32_t{6}).add(std::int32_t{1}).add(std::int64_t{2});
    addFloats(bytes, 4);
    bytes.add(std::int64_t{1}).add(std::int64_t{3});
    bytes.add(magicV2).add(std::int32_t{2}); // csr 2x3, whose storage shape is wrong
    bytes.add(std::int32_t{1}).add(std::int64_t{0});
    bytes.add(std::int32_t{2}).add(std::int64_t{2}).add(std::int64_t{3});
    addKind(bytes, 0);
    bytes.add(std::int32_t{6}).add(std::int32_t{1}).add(std::int64_t{3});
    bytes.add(std::int32_t{6}).add(std::int32_t{1}).add(std::int64_t{2});
    addFloats(bytes, 2);
    bytes.add(std::int64_t{0}).add(std::int64_t{1}).add(std::int64_t{2});
    bytes.add(std::int64_t{2}).add(std::int64_t{0});
    return named(bytes, {"arg:dense", "aux:mean", "plain name/ß", "arg:csr"});
}

std::string_view codeOfFailure(const std::filesystem::path& path)
{
    try {
        for (const StoredArray& array : readParams(SourceFile::open(path))) {
            constexpr std::int64_t readable = 1 << 16;
            if (array.tensor.type() != ElementType::Undefined && array.tensor.elements() <= readable) {
                array.tensor.toBytes();
            }
        }
    } catch (const ModelError& error) {
        return error.diagnostic.code.text();
    }
    return {};
}

QString toText(const Tensor& tensor)
{
    return QString::fromStdString(toString(TensorType{tensor.type(), shapeOf(tensor.dims())}));
}

} // namespace

class TestMxnetParams : public QObject {
    Q_OBJECT
private slots:
    void readsEveryGeneration()
    {
        const auto arrays = readParams(SourceFile::open(m_files.write("all.params", everything())));
        QCOMPARE(arrays.size(), std::size_t{4});
        QCOMPARE(arrays[0].name, std::string("dense"));
        QCOMPARE(arrays[0].tensor.dims(), (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(arrays[0].tensor.toDoubles(), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5}));
        QVERIFY(!arrays[0].auxiliary);
        QCOMPARE(arrays[1].name, std::string("mean"));
        QVERIFY(arrays[1].auxiliary);
        QCOMPARE(arrays[1].tensor.type(), ElementType::Int8);
        QCOMPARE(arrays[1].tensor.toInts(), (std::vector<std::int64_t>{1, -2, 3}));
        QCOMPARE(arrays[2].name, std::string("plain name/ß"));
        QCOMPARE(arrays[2].tensor.dims(), (std::vector<std::int64_t>{4, 2}));
        QCOMPARE(arrays[2].tensor.toDoubles(), (std::vector<double>{0, 0, 0.5, 1.5, 0, 0, 2.5, 3.5}));
        QCOMPARE(arrays[3].tensor.toDoubles(), (std::vector<double>{0, 0, 0.5, 1.5, 0, 0}));
    }

    void readsSparseArraysFromAnyPlace()
    {
        const auto arrays = readParams(SourceFile::open(m_files.write("all.params", everything())));
        for (const StoredArray& array : {arrays[2], arrays[3]}) {
            const auto whole = array.tensor.toBytes();
            for (std::size_t start = 0; start < whole.size(); ++start) {
                for (std::size_t size = 1; size <= whole.size() - start; ++size) {
                    std::vector<std::byte> part(size);
                    array.tensor.read(start, part);
                    QVERIFY(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(start)));
                }
            }
        }
    }

    void keepsDenseArraysInTheFile()
    {
        const auto file = SourceFile::open(m_files.write("all.params", everything()));
        const Tensor tensor = readParams(file)[0].tensor;
        QCOMPARE(tensor.pieces().size(), std::size_t{1});
        const auto place = tensor.pieces()[0].source->view(tensor.pieces()[0].offset, tensor.bytes());
        QVERIFY(place.data() > file->bytes().data() && place.data() < file->bytes().data() + file->bytes().size());
    }

    void tellsAScalarFromNoArray()
    {
        Bytes bytes = listOf(4);
        bytes.add(magicV3).add(std::int32_t{0}).add(std::int32_t{0}); // a NumPy scalar
        addKind(bytes, 0);
        bytes.add(2.5F);
        bytes.add(magicV3).add(std::int32_t{0}).add(std::int32_t{-1}); // none
        bytes.add(magicV3).add(std::int32_t{0}).add(std::int32_t{2}).add(std::int64_t{0}).add(std::int64_t{3});
        addKind(bytes, 6);
        bytes.add(magicV2).add(std::int32_t{0}).add(std::int32_t{0}); // none, under the classic rules
        const auto path = m_files.write("np.params", named(bytes, {"a", "b", "c", "d"}));
        const auto arrays = readParams(SourceFile::open(path));
        QCOMPARE(toText(arrays[0].tensor), QStringLiteral("float32 scalar"));
        QCOMPARE(arrays[0].tensor.toDoubles(), (std::vector<double>{2.5}));
        QCOMPARE(arrays[1].tensor.type(), ElementType::Undefined);
        QCOMPARE(toText(arrays[2].tensor), QStringLiteral("int64 0x3"));
        QCOMPARE(arrays[3].tensor.type(), ElementType::Undefined);
    }

    void readsEveryElementType()
    {
        const std::array types = {ElementType::Float32, ElementType::Float64, ElementType::Float16, ElementType::UInt8,
                                  ElementType::Int32,   ElementType::Int8,    ElementType::Int64,   ElementType::Bool,
                                  ElementType::Int16,   ElementType::UInt16,  ElementType::UInt32,  ElementType::UInt64,
                                  ElementType::BFloat16};
        Bytes bytes = listOf(types.size());
        for (std::size_t i = 0; i < types.size(); ++i) {
            const double one = 1;
            std::string element(byteSize(types[i]), '\0');
            convertElements(ElementType::Float64, reinterpret_cast<const std::byte*>(&one), types[i],
                            reinterpret_cast<std::byte*>(element.data()), 1);
            bytes.add(magicV2).add(std::int32_t{0}).add(std::int32_t{1}).add(std::int64_t{1});
            addKind(bytes, static_cast<std::int32_t>(i));
            bytes.add(element);
        }
        bytes.add(std::uint64_t{0});
        const auto arrays = readParams(SourceFile::open(m_files.write("types.params", bytes.content())));
        for (std::size_t i = 0; i < types.size(); ++i) {
            QCOMPARE(arrays[i].tensor.type(), types[i]);
            QCOMPARE(arrays[i].tensor.toDoubles(), (std::vector<double>{1}));
            QVERIFY(arrays[i].name.empty());
        }
    }

    void everyTruncationIsSaid()
    {
        const std::string whole = everything();
        QVERIFY(codeOfFailure(m_files.write("whole.params", whole)).empty());
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto path = m_files.write("cut.params", std::string_view(whole).substr(0, size));
            QVERIFY2(codeOfFailure(path) == "truncated", std::to_string(size).c_str());
        }
    }

    void noDamagedByteDoesHarm()
    {
        const std::string whole = everything();
        int refused = 0;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            for (const int mask : {0x01, 0x80, 0xff}) {
                std::string damaged = whole;
                damaged[i] = static_cast<char>(damaged[i] ^ mask);
                const auto code = codeOfFailure(m_files.write("flipped.params", damaged));
                QVERIFY2(code.empty() || code == "truncated" || code == "damaged", std::string(code).c_str());
                refused += code.empty() ? 0 : 1;
            }
        }
        QVERIFY(refused > 300); // Most of the file is structure, so most damage shows.
    }

    void refusesWhatNoFileCanHold_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const std::string& content, const char* code) {
            QTest::newRow(name) << QByteArray::fromStdString(content) << QByteArray(code);
        };
        constexpr std::int64_t huge = std::int64_t{1} << 62;
        row("2^62 elements in one dimension", arrayOfDims({huge}), "damaged");
        row("2^62 elements, V1", arrayOfDims({huge}, magicV1), "damaged");
        row("a product that wraps to 0", arrayOfDims({std::int64_t{1} << 32, std::int64_t{1} << 32}), "damaged");
        row("a product that wraps to 6", arrayOfDims({3, huge, 4, 2}), "damaged");
        row("2^40 elements, which fit 63 bits", arrayOfDims({std::int64_t{1} << 40}), "truncated");
        row("a negative dimension", arrayOfDims({-6}), "damaged");
        row("one element too many", arrayOfDims({1000}), "truncated");
        row("2^63 arrays", listOf(std::uint64_t{1} << 63).add(magicV2).content(), "truncated");
        Bytes manyNames = listOf(0);
        row("2^61 names", manyNames.add(std::uint64_t{1} << 61).content(), "truncated");
        Bytes longName = listOf(0);
        row("more names than arrays", named(longName, {"arg:x"}), "damaged");
        Bytes twice = listOf(2);
        for (int i = 0; i < 2; ++i) {
            twice.add(magicV1).add(std::int32_t{1}).add(std::int64_t{1});
            addKind(twice, 0);
            addFloats(twice, 1);
        }
        row("two arrays of the same name", named(twice, {"arg:x", "arg:x"}), "damaged");
        Bytes unknownType = listOf(1);
        unknownType.add(magicV2).add(std::int32_t{0}).add(std::int32_t{1}).add(std::int64_t{1});
        addKind(unknownType, 99);
        row("an unknown type", unknownType.content(), "damaged");
        row("an unknown storage", listOf(1).add(magicV2).add(std::int32_t{7}).add(std::uint64_t{0}).content(),
            "damaged");
        row("another magic", Bytes().add(std::uint64_t{0x113}).add(std::uint64_t{0}).content(), "damaged");
        row("nothing", "", "truncated");
    }
    void refusesWhatNoFileCanHold()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, code);
        const auto said = codeOfFailure(m_files.write("bad.params", content.toStdString()));
        QCOMPARE(QByteArray(said.data(), static_cast<qsizetype>(said.size())), code);
    }

    void refusesSparseArraysThatContradictThemselves_data()
    {
        QTest::addColumn<std::int64_t>("rows");
        QTest::addColumn<std::int64_t>("firstRow");
        QTest::addColumn<std::int64_t>("secondRow");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("as it should be") << std::int64_t{4} << std::int64_t{0} << std::int64_t{3} << QByteArray();
        QTest::newRow("a row outside") << std::int64_t{4} << std::int64_t{0} << std::int64_t{4}
                                       << QByteArray("damaged");
        QTest::newRow("a negative row") << std::int64_t{4} << std::int64_t{-1} << std::int64_t{3}
                                        << QByteArray("damaged");
        QTest::newRow("a row twice") << std::int64_t{4} << std::int64_t{3} << std::int64_t{3} << QByteArray("damaged");
        QTest::newRow("too many rows for the file")
            << (std::int64_t{1} << 55) << std::int64_t{0} << std::int64_t{3} << QByteArray("damaged");
    }
    void refusesSparseArraysThatContradictThemselves()
    {
        QFETCH(std::int64_t, rows);
        QFETCH(std::int64_t, firstRow);
        QFETCH(std::int64_t, secondRow);
        QFETCH(QByteArray, code);
        Bytes bytes = listOf(1);
        bytes.add(magicV2).add(std::int32_t{1});
        bytes.add(std::int32_t{1}).add(std::int64_t{2});
        bytes.add(std::int32_t{1}).add(rows);
        addKind(bytes, 0);
        bytes.add(std::int32_t{6}).add(std::int32_t{1}).add(std::int64_t{2});
        addFloats(bytes, 2);
        bytes.add(firstRow).add(secondRow);
        const auto said = codeOfFailure(m_files.write("sparse.params", named(bytes, {"w"})));
        QCOMPARE(QByteArray(said.data(), static_cast<qsizetype>(said.size())), code);
    }

    void decodesEveryRecordedFile_data()
    {
        REQUIRE_SHARED_CASES();
        QTest::addColumn<QString>("path");
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedFolder() / "cases/params")) {
            auto beside = entry.path();
            if (entry.path().extension() == ".params" && std::filesystem::exists(beside.replace_extension(".npz"))) {
                const auto folder = entry.path().parent_path().filename() / entry.path().filename();
                QTest::newRow(folder.c_str()) << QString::fromStdString(entry.path().string());
            }
        }
    }
    void decodesEveryRecordedFile()
    {
        QFETCH(QString, path);
        std::filesystem::path file(path.toStdString());
        const auto arrays = readParams(SourceFile::open(file));
        const auto wanted = readNpyZip(SourceFile::open(file.replace_extension(".npz")));
        QCOMPARE(arrays.size(), wanted.size());
        std::map<std::string, Tensor> byName;
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            byName[arrays[i].name.empty() ? "a" + std::to_string(i) : arrays[i].name] = arrays[i].tensor;
        }
        for (const NpyMember& member : wanted) {
            const bool prefixed = member.name.starts_with("arg:") || member.name.starts_with("aux:");
            const auto found = byName.find(prefixed ? member.name.substr(4) : member.name);
            QVERIFY2(found != byName.end(), member.name.c_str());
            QCOMPARE(toText(found->second), toText(member.tensor));
            QVERIFY2(found->second.toBytes() == member.tensor.toBytes(), member.name.c_str());
        }
    }

    void truncatesEveryRecordedFileSafely()
    {
        REQUIRE_SHARED_CASES();
        int files = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedFolder() / "cases/params")) {
            if (entry.path().extension() != ".params") {
                continue;
            }
            const std::string whole = test::readAll(entry.path());
            for (std::size_t size = 0; size < whole.size(); ++size) {
                const auto path = m_files.write("cut.params", std::string_view(whole).substr(0, size));
                QVERIFY2(codeOfFailure(path) == "truncated", (entry.path().string() + std::to_string(size)).c_str());
            }
            ++files;
        }
        QVERIFY(files > 100);
    }

    void readsTheOldestRecordedFile()
    {
        REQUIRE_SHARED_CASES();
        const auto arrays = readParams(SourceFile::open(test::sharedFolder() / "cases/params/legacy_ndarray.v0"));
        QCOMPARE(arrays.size(), std::size_t{6});
        std::vector<double> counting(128);
        std::iota(counting.begin(), counting.end(), 0.0);
        for (const StoredArray& array : arrays) {
            QCOMPARE(array.tensor.toDoubles(), counting);
        }
    }

    void trustsTheColumnsOfAMatrixSavedTooEarly()
    {
        REQUIRE_SHARED_CASES();
        const auto folder = test::sharedFolder() / "cases/params";
        const auto raced = readParams(SourceFile::open(folder / "odd/csr_header_race.params"));
        const auto whole = readParams(SourceFile::open(folder / "1.9.1/csr.params"));
        QCOMPARE(raced.size(), whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QVERIFY(raced[i].tensor.elements() > 0);
            const auto values = raced[i].tensor.toDoubles();
            QVERIFY(std::any_of(values.begin(), values.end(), [](double value) { return value != 0; }));
        }
    }

private:
    test::TemporaryFiles m_files;
};

QTEST_APPLESS_MAIN(TestMxnetParams)
#include "tst_mxnet_params.moc"
