#include "core/base/diagnostic.h"
#include "core/onnx/load.h"
#include "tests/support/onnx_models.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <unistd.h>

using namespace crosswalk;
using namespace crosswalk::test;
namespace fs = std::filesystem;

namespace {

/// A model whose only initializer is set by the caller, serialized by protobuf.
std::string saved(const std::function<void(::onnx::TensorProto&)>& fill)
{
    OnnxModel model = emptyModel();
    auto* tensor = model.proto->mutable_graph()->add_initializer();
    tensor->set_name("w");
    fill(*tensor);
    return model.proto->SerializeAsString();
}

/// A float in an external file.
void setExternal(::onnx::TensorProto& tensor, const std::string& location, const std::string& offset,
                 const std::string& length)
{
    tensor.set_data_type(::onnx::TensorProto::FLOAT);
    tensor.add_dims(1);
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] :
         {std::pair("location", location), std::pair("offset", offset), std::pair("length", length)}) {
        auto* entry = tensor.add_external_data();
        entry->set_key(key);
        entry->set_value(value);
    }
}

std::uint64_t residentAnonymous()
{
    const std::string status = fileContent("/proc/self/status");
    const auto at = status.find("RssAnon:");
    return std::stoull(status.substr(at + 8)) * 1024;
}

} // namespace

class TestOnnxLoad : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("m.onnx")).toStdString();
    }

    void weightsAreMapped()
    {
        const std::string content = saved([](::onnx::TensorProto& w) {
            w.set_data_type(::onnx::TensorProto::FLOAT);
            w.add_dims(2000);
            w.set_raw_data(std::string(8000, 'a'));
        });
        writeFile(m_path, content);
        const OnnxModel model = loadOnnx(m_path);
        QCOMPARE(model.weights.size(), std::size_t{1});
        QCOMPARE(model.weights[0].dims(), (std::vector<std::int64_t>{2000}));
        QCOMPARE(model.weights[0].toBytes(), std::vector<std::byte>(8000, std::byte{'a'}));
        QVERIFY(!model.proto->graph().initializer(0).has_raw_data());
        QCOMPARE(model.proto->graph().initializer(0).name(), std::string("w"));
        QCOMPARE(model.proto->producer_name(), std::string("test"));
    }

    void smallWeightsAreAlsoInTheProto()
    {
        writeFile(m_path, saved([](::onnx::TensorProto& w) {
                      w.set_data_type(::onnx::TensorProto::INT64);
                      w.add_dims(3);
                      w.add_int64_data(-1);
                      w.add_int64_data(0);
                      w.add_int64_data(1LL << 40);
                  }));
        const OnnxModel model = loadOnnx(m_path);
        QCOMPARE(model.weights[0].toInts(), (std::vector<std::int64_t>{-1, 0, 1LL << 40}));
        const auto& stub = model.proto->graph().initializer(0);
        QCOMPARE(stub.raw_data().size(), std::size_t{24});
        QCOMPARE(stub.int64_data_size(), 0);
    }

    void readsEveryTypedField_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QList<double>>("expected");
        using T = ::onnx::TensorProto;
        QTest::newRow("float") << int(T::FLOAT) << QList<double>{1.5, -2, 3};
        QTest::newRow("double") << int(T::DOUBLE) << QList<double>{1.5, -2, 3};
        QTest::newRow("int32") << int(T::INT32) << QList<double>{1, -2, 3};
        QTest::newRow("int8") << int(T::INT8) << QList<double>{1, -2, 3};
        QTest::newRow("uint16") << int(T::UINT16) << QList<double>{1, 65535, 3};
        QTest::newRow("bool") << int(T::BOOL) << QList<double>{1, 0, 1};
        QTest::newRow("half, as bits") << int(T::FLOAT16) << QList<double>{1.5, -2, 3};
        QTest::newRow("uint32") << int(T::UINT32) << QList<double>{1, 4294967295.0, 3};
        QTest::newRow("uint64") << int(T::UINT64) << QList<double>{1, 4294967296.0, 3};
        QTest::newRow("int64") << int(T::INT64) << QList<double>{1, -4294967296.0, 3};
    }
    void readsEveryTypedField()
    {
        QFETCH(int, type);
        QFETCH(QList<double>, expected);
        const auto fill = [&](::onnx::TensorProto& w) {
            w.set_data_type(type);
            w.add_dims(3);
            for (const double value : expected) {
                switch (type) {
                case ::onnx::TensorProto::FLOAT:
                    w.add_float_data(static_cast<float>(value));
                    break;
                case ::onnx::TensorProto::DOUBLE:
                    w.add_double_data(value);
                    break;
                case ::onnx::TensorProto::INT64:
                    w.add_int64_data(static_cast<std::int64_t>(value));
                    break;
                case ::onnx::TensorProto::UINT32:
                case ::onnx::TensorProto::UINT64:
                    w.add_uint64_data(static_cast<std::uint64_t>(value));
                    break;
                case ::onnx::TensorProto::FLOAT16:
                    w.add_int32_data(value == 1.5 ? 0x3e00 : value == -2 ? 0xc000 : 0x4200);
                    break;
                default:
                    w.add_int32_data(static_cast<std::int32_t>(value));
                }
            }
        };
        writeFile(m_path, saved(fill));
        const auto got = loadOnnx(m_path).weights[0].toDoubles();
        QCOMPARE(QList<double>(got.begin(), got.end()), expected);
    }

    /// Any number but 0 is true, also where its lowest byte is 0.
    void readsNumbersAsBool()
    {
        writeFile(m_path, saved([](::onnx::TensorProto& w) {
                      w.set_data_type(::onnx::TensorProto::BOOL);
                      w.add_dims(4);
                      for (const int value : {7, 256, 0, -1}) {
                          w.add_int32_data(value);
                      }
                  }));
        const auto got = loadOnnx(m_path).weights[0].toBytes();
        QCOMPARE(got, (std::vector{std::byte{1}, std::byte{1}, std::byte{0}, std::byte{1}}));
    }

    void readsPackedTypes()
    {
        writeFile(m_path, saved([](::onnx::TensorProto& w) {
                      w.set_data_type(::onnx::TensorProto::INT4);
                      w.add_dims(3);
                      w.set_raw_data("\x21\x03");
                  }));
        QCOMPARE(loadOnnx(m_path).weights[0].toBytes(), (std::vector<std::byte>{std::byte{0x21}, std::byte{3}}));
        writeFile(m_path, saved([](::onnx::TensorProto& w) {
                      w.set_data_type(::onnx::TensorProto::FLOAT6E2M3);
                      w.add_dims(3);
                      w.add_int32_data(0x01);
                      w.add_int32_data(0x3f);
                      w.add_int32_data(0x20);
                  }));
        QCOMPARE(loadOnnx(m_path).weights[0].toBytes(),
                 (std::vector<std::byte>{std::byte{0xc1}, std::byte{0x0f}, std::byte{0x02}}));
    }

    void opensLargeFilesWithoutReadingWeights()
    {
        constexpr std::uint64_t elements = 475'000'000; // 1.9 GB
        // The structure of a file with one huge raw_data, whose content is a hole in a sparse file.
        const std::string front = saved([](::onnx::TensorProto& w) {
            w.set_data_type(::onnx::TensorProto::FLOAT);
            w.add_dims(static_cast<std::int64_t>(elements));
        });
        ::onnx::ModelProto whole;
        QVERIFY(whole.ParseFromString(front));
        const std::string stub = whole.graph().initializer(0).SerializeAsString();
        whole.clear_graph();
        const auto varint = [](std::uint64_t value) {
            std::string bytes;
            for (; value >= 0x80; value >>= 7U) {
                bytes += static_cast<char>(value | 0x80U);
            }
            return bytes + static_cast<char>(value);
        };
        const std::uint64_t raw = elements * 4;
        const std::string rawHead = "\x4a" + varint(raw);
        const std::uint64_t record = stub.size() + rawHead.size() + raw;
        const std::string recordHead = "\x2a" + varint(record);
        writeFile(m_path, whole.SerializeAsString() + "\x3a" + varint(recordHead.size() + record) + recordHead + stub +
                              rawHead);
        fs::resize_file(m_path, fs::file_size(m_path) + raw);

        const auto before = residentAnonymous();
        const OnnxModel model = loadOnnx(m_path);
        QCOMPARE(model.weights[0].bytes(), raw);
        QCOMPARE(model.weights[0].range(static_cast<std::int64_t>(elements) - 1, {1}).toDoubles(),
                 std::vector<double>{0});
        QVERIFY(residentAnonymous() < before + (4U << 20U));
        const std::string status = fileContent("/proc/self/status");
        QVERIFY(std::stoull(status.substr(status.find("RssFile:") + 8)) < 200'000);

        fs::resize_file(m_path, fs::file_size(m_path) - 1);
        QCOMPARE(codeOf([&] { loadOnnx(m_path); }), std::string("truncated"));
    }

    void everyTruncationIsDetected()
    {
        const std::string whole = saved([](::onnx::TensorProto& w) {
            w.set_data_type(::onnx::TensorProto::FLOAT);
            w.add_dims(5);
            w.set_raw_data(std::string(20, 'a'));
        });
        for (std::size_t size = 0; size < whole.size(); ++size) {
            writeFile(m_path, std::string_view(whole).substr(0, size));
            const std::string code = codeOf([&] { loadOnnx(m_path); });
            QVERIFY2(code == "truncated" || code == "damaged", qPrintable(QString::number(size)));
        }
    }

    void randomDamageNeverCrashes()
    {
        OnnxModel model = smallModel();
        model.proto->mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(4000, 'x'));
        const std::string whole = model.proto->SerializeAsString();
        std::uint32_t state = 1;
        const auto random = [&] { return state = state * 1664525U + 1013904223U, state >> 8U; };
        int refused = 0;
        for (int run = 0; run < 3000; ++run) {
            std::string broken = whole;
            for (int k = 0; k < 3; ++k) {
                const std::size_t at = random() % 2 == 0 ? random() % 60 : random() % broken.size();
                broken[at] = static_cast<char>(random());
            }
            writeFile(m_path, broken);
            refused += codeOf([&] { loadOnnx(m_path); }).empty() ? 0 : 1;
        }
        QVERIFY(refused > 300);
    }

    void invalidTensorsAreDamaged_data()
    {
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<int>("type");
        QTest::newRow("2^62 elements") << QList<qint64>{qint64{1} << 31, qint64{1} << 31} << 1;
        QTest::newRow("2^126 elements") << QList<qint64>{qint64{1} << 62, qint64{1} << 62, 4} << 1;
        QTest::newRow("negative") << QList<qint64>{-1, 5} << 1;
        QTest::newRow("too few bytes") << QList<qint64>{6} << 1;
        QTest::newRow("too many bytes") << QList<qint64>{4} << 1;
        QTest::newRow("unknown type") << QList<qint64>{20} << 99;
        QTest::newRow("no type") << QList<qint64>{20} << 0;
        QTest::newRow("strings as raw bytes") << QList<qint64>{20} << 8;
    }
    void invalidTensorsAreDamaged()
    {
        QFETCH(QList<qint64>, dims);
        QFETCH(int, type);
        writeFile(m_path, saved([&](::onnx::TensorProto& w) {
                      w.set_data_type(type);
                      for (const qint64 dim : dims) {
                          w.add_dims(dim);
                      }
                      w.set_raw_data(std::string(20, 'a'));
                  }));
        QCOMPARE(codeOf([&] { loadOnnx(m_path); }), std::string("damaged"));
    }

    void elementsOfAnotherTypeAreDamaged()
    {
        writeFile(m_path, saved([](::onnx::TensorProto& w) {
                      w.set_data_type(::onnx::TensorProto::INT64);
                      w.add_int64_data(7);
                      w.add_string_data("x");
                  }));
        QCOMPARE(codeOf([&] { loadOnnx(m_path); }), std::string("damaged"));
    }

    void externalDataIsMapped()
    {
        writeFile(m_folder->filePath(QStringLiteral("w.bin")).toStdString(), std::string(4096, 'a') + "bbbbcccc");
        writeFile(m_path, external("w.bin", "4100", "4"));
        QCOMPARE(loadOnnx(m_path).weights[0].toBytes(), std::vector<std::byte>(4, std::byte{'c'}));
        QVERIFY(!loadOnnx(m_path).proto->graph().initializer(0).has_data_location());
    }

    /// Only the initializers of the graph are mapped.
    void otherExternalDataIsFetched_data()
    {
        using Place = std::function<::onnx::TensorProto*(::onnx::ModelProto&)>;
        QTest::addColumn<Place>("place");
        const auto node = [](::onnx::ModelProto& model) {
            return model.graph().node_size() > 0 ? model.mutable_graph()->mutable_node(0)
                                                 : &addNode(*model.mutable_graph(), "Constant", {}, {"c"});
        };
        const auto attribute = [=](::onnx::ModelProto& model) {
            auto* constant = node(model);
            return constant->attribute_size() > 0 ? constant->mutable_attribute(0) : constant->add_attribute();
        };
        const auto valuesOf = [](auto* list) {
            return (list->empty() ? list->Add() : list->Mutable(0))->mutable_values();
        };
        const auto inGraph = [](::onnx::GraphProto* graph) {
            return graph->initializer_size() > 0 ? graph->mutable_initializer(0) : graph->add_initializer();
        };
        QTest::newRow("attribute") << Place([=](auto& model) { return attribute(model)->mutable_t(); });
        QTest::newRow("sparse attribute")
            << Place([=](auto& model) { return attribute(model)->mutable_sparse_tensor()->mutable_values(); });
        QTest::newRow("indices") << Place(
            [=](auto& model) { return attribute(model)->mutable_sparse_tensor()->mutable_indices(); });
        QTest::newRow("sparse attributes")
            << Place([=](auto& model) { return valuesOf(attribute(model)->mutable_sparse_tensors()); });
        QTest::newRow("body") << Place([=](auto& model) { return inGraph(attribute(model)->mutable_g()); });
        QTest::newRow("sparse initializer of a body") << Place(
            [=](auto& model) { return valuesOf(attribute(model)->mutable_g()->mutable_sparse_initializer()); });
        QTest::newRow("sparse initializer")
            << Place([=](auto& model) { return valuesOf(model.mutable_graph()->mutable_sparse_initializer()); });
        const auto training = [](::onnx::ModelProto& model) {
            return model.training_info_size() > 0 ? model.mutable_training_info(0) : model.add_training_info();
        };
        QTest::newRow("training") << Place(
            [=](auto& model) { return inGraph(training(model)->mutable_initialization()); });
        QTest::newRow("training step") << Place(
            [=](auto& model) { return inGraph(training(model)->mutable_algorithm()); });
    }
    void otherExternalDataIsFetched()
    {
        QFETCH(const std::function<::onnx::TensorProto*(::onnx::ModelProto&)>, place);
        writeFile(m_folder->filePath(QStringLiteral("w.bin")).toStdString(), "abcdefgh");
        OnnxModel model = emptyModel();
        setExternal(*place(*model.proto), "w.bin", "2", "4");
        writeFile(m_path, model.proto->SerializeAsString());
        const OnnxModel loaded = loadOnnx(m_path);
        const ::onnx::TensorProto& fetched = *place(*loaded.proto);
        QCOMPARE(fetched.raw_data(), std::string("cdef"));
        QVERIFY(!fetched.has_data_location());
        QCOMPARE(fetched.external_data_size(), 0);
    }

    void externalDataOutsideTheFolderIsRejected_data()
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("absolute") << QByteArray("/etc/hostname") << QByteArray("damaged");
        QTest::newRow("parent folder") << QByteArray("../secret.bin") << QByteArray("damaged");
        QTest::newRow("parent folder through a subfolder")
            << QByteArray("sub/../../secret.bin") << QByteArray("damaged");
        QTest::newRow("link to the outside") << QByteArray("link.bin") << QByteArray("damaged");
        QTest::newRow("linked folder") << QByteArray("linked/secret.bin") << QByteArray("damaged");
        QTest::newRow("empty") << QByteArray("") << QByteArray("damaged");
        QTest::newRow("absent") << QByteArray("absent.bin") << QByteArray("unreadable");
        QTest::newRow("folder") << QByteArray("sub") << QByteArray("unreadable");
        QTest::newRow("too short") << QByteArray("short.bin") << QByteArray("truncated");
        QTest::newRow("link to the inside") << QByteArray("sub/link.bin") << QByteArray("");
        QTest::newRow("two dots in a name") << QByteArray("a..b") << QByteArray("");
    }
    void externalDataOutsideTheFolderIsRejected()
    {
        QFETCH(QByteArray, location);
        QFETCH(QByteArray, code);
        const fs::path root = m_folder->path().toStdString();
        fs::create_directories(root / "model" / "sub");
        writeFile(root / "secret.bin", std::string(100, 's'));
        writeFile(root / "model" / "short.bin", "abc");
        writeFile(root / "model" / "a..b", "abcd");
        fs::create_symlink("../secret.bin", root / "model" / "link.bin");
        fs::create_symlink("..", root / "model" / "linked");
        fs::create_symlink("../a..b", root / "model" / "sub" / "link.bin");
        writeFile(root / "model" / "m.onnx", external(location.toStdString(), "0", "4"));
        QCOMPARE(codeOf([&] { loadOnnx(root / "model" / "m.onnx"); }), code.toStdString());
    }

    void externalDataOfWrongSizeIsRejected()
    {
        writeFile(m_folder->filePath(QStringLiteral("w.bin")).toStdString(), std::string(4096, 'a'));
        for (const auto& [offset, length, code] :
             {std::tuple("0", "8", "damaged"), std::tuple("4093", "4", "truncated"), std::tuple("-1", "4", "damaged"),
              std::tuple("18446744073709551615", "4", "truncated"), std::tuple("x", "4", "damaged")}) {
            writeFile(m_path, external("w.bin", offset, length));
            QCOMPARE(codeOf([&] { loadOnnx(m_path); }), std::string(code));
        }
    }

    void nestingDepthIsBounded()
    {
        OnnxModel model = emptyModel();
        ::onnx::GraphProto graph;
        for (int depth = 0; depth < 200; ++depth) {
            ::onnx::GraphProto around;
            auto* attribute = addNode(around, "If", {}, {"y"}).add_attribute();
            attribute->set_name("then_branch");
            attribute->mutable_g()->Swap(&graph);
            graph.Swap(&around);
        }
        *model.proto->mutable_graph() = graph;
        writeFile(m_path, model.proto->SerializePartialAsString());
        QCOMPARE(codeOf([&] { loadOnnx(m_path); }), std::string("damaged"));
    }

    void otherFilesAreRejected()
    {
        writeFile(m_path, "");
        QCOMPARE(codeOf([&] { loadOnnx(m_path); }), std::string("damaged"));
        writeFile(m_path, "this is a text, no model");
        QVERIFY(!codeOf([&] { loadOnnx(m_path); }).empty());
        QCOMPARE(codeOf([&] { loadOnnx(m_path + ".absent"); }), std::string("unreadable"));
    }

private:
    static std::string external(const std::string& location, const std::string& offset, const std::string& length)
    {
        return saved([&](::onnx::TensorProto& w) { setExternal(w, location, offset, length); });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

QTEST_APPLESS_MAIN(TestOnnxLoad)
#include "tst_onnx_load.moc"
