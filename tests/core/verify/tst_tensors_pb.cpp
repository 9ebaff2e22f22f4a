#include "core/verify/tensors_pb.h"

#include <QtTest>
#include <fstream>
#include <onnx/onnx_pb.h>

using namespace crosswalk;
using onnx::TensorProto;

namespace {

TensorProto proto(int type, std::vector<std::int64_t> dims)
{
    TensorProto made;
    made.set_name("t");
    made.set_data_type(type);
    for (const auto dim : dims) {
        made.add_dims(dim);
    }
    return made;
}

Code problemOf(const TensorProto& broken)
{
    try {
        tensorOf(broken);
    } catch (const ModelError& error) {
        return error.diagnostic.code;
    }
    return "none";
}

void write(const QString& path, const std::string& bytes)
{
    std::ofstream(path.toStdString(), std::ios::binary) << bytes;
}

} // namespace

class TestTensorsPb : public QObject {
    Q_OBJECT
private slots:
    void readsRawElements()
    {
        auto stored = proto(TensorProto::INT16, {2, 1});
        stored.set_raw_data(std::string("\x01\x00\xff\xff", 4));
        const Tensor tensor = tensorOf(stored);
        QCOMPARE(tensor.type(), ElementType::Int16);
        QCOMPARE(tensor.dims(), (std::vector<std::int64_t>{2, 1}));
        QCOMPARE(tensor.toInts(), (std::vector<std::int64_t>{1, -1}));
    }

    void readsEveryTypedField_data()
    {
        QTest::addColumn<int>("type");
        for (const int type : {TensorProto::FLOAT, TensorProto::UINT8, TensorProto::INT8, TensorProto::UINT16,
                               TensorProto::INT16, TensorProto::INT32, TensorProto::INT64, TensorProto::BOOL,
                               TensorProto::DOUBLE, TensorProto::UINT32, TensorProto::UINT64}) {
            QTest::addRow("%s", TensorProto::DataType_Name(static_cast<TensorProto::DataType>(type)).c_str()) << type;
        }
    }

    void readsEveryTypedField()
    {
        QFETCH(int, type);
        auto stored = proto(type, {2});
        for (const int value : {1, 0}) {
            switch (type) {
            case TensorProto::FLOAT:
                stored.add_float_data(static_cast<float>(value));
                break;
            case TensorProto::DOUBLE:
                stored.add_double_data(value);
                break;
            case TensorProto::INT64:
                stored.add_int64_data(value);
                break;
            case TensorProto::UINT32:
            case TensorProto::UINT64:
                stored.add_uint64_data(static_cast<std::uint64_t>(value));
                break;
            default:
                stored.add_int32_data(value);
                break;
            }
        }
        QCOMPARE(tensorOf(stored).toDoubles(), (std::vector<double>{1, 0}));
    }

    void readsHalfFromTheIntegerField()
    {
        auto half = proto(TensorProto::FLOAT16, {1});
        half.add_int32_data(0x3e00);
        QCOMPARE(tensorOf(half).toDoubles(), std::vector<double>{1.5});
        auto bfloat = proto(TensorProto::BFLOAT16, {1});
        bfloat.add_int32_data(0x3fc0);
        QCOMPARE(tensorOf(bfloat).toDoubles(), std::vector<double>{1.5});
    }

    void readsStrings()
    {
        auto stored = proto(TensorProto::STRING, {2, 2});
        for (const char* value : {"one", "", "zwei \xc3\xa4", "one"}) {
            stored.add_string_data(value);
        }
        const Tensor tensor = tensorOf(stored);
        QCOMPARE(tensor.type(), ElementType::String);
        QCOMPARE(tensor.dims(), (std::vector<std::int64_t>{2, 2}));
        QCOMPARE(tensor.toStrings(), (std::vector<std::string>{"one", "", "zwei \xc3\xa4", "one"}));
        QCOMPARE(tensorOf(proto(TensorProto::STRING, {0, 3})).toStrings().size(), 0U);
        stored.mutable_string_data()->RemoveLast();
        QCOMPARE(problemOf(stored), Code("damaged"));
    }

    void inconsistentContentIsRejected()
    {
        auto stored = proto(TensorProto::FLOAT, {2});
        stored.add_float_data(1);
        QCOMPARE(problemOf(stored), Code("damaged"));
        QCOMPARE(problemOf(proto(TensorProto::FLOAT, {-1})), Code("damaged"));
        const std::int64_t huge = std::int64_t{1} << 62;
        QCOMPARE(problemOf(proto(TensorProto::FLOAT, {huge})), Code("damaged"));
        QCOMPARE(problemOf(proto(TensorProto::DOUBLE, {huge, 4, 0})), Code("damaged"));
        QCOMPARE(problemOf(proto(TensorProto::STRING, {1})), Code("damaged"));
        QCOMPARE(problemOf(proto(TensorProto::INT4, {0})), Code("damaged"));
        QCOMPARE(problemOf(proto(1000, {0})), Code("damaged"));
        auto outside = proto(TensorProto::FLOAT, {0});
        outside.set_data_location(TensorProto::EXTERNAL);
        QCOMPARE(problemOf(outside), Code("damaged"));
        QCOMPARE(tensorOf(proto(TensorProto::FLOAT, {0, 3})).elements(), 0);
    }

    void filesAreReadInNumericalOrder()
    {
        const QTemporaryDir folder;
        for (int i = 0; i < 11; ++i) {
            auto stored = proto(TensorProto::INT64, {});
            stored.add_int64_data(i);
            write(folder.filePath(QStringLiteral("input_%1.pb").arg(i)), stored.SerializeAsString());
        }
        write(folder.filePath(QStringLiteral("input_x.pb")), "no tensor");
        const auto tensors = readTensorFiles(folder.path().toStdString(), "input");
        QCOMPARE(tensors.size(), 11U);
        QCOMPARE(tensors[10].tensor.toInts(), std::vector<std::int64_t>{10});
        QVERIFY(QFile::remove(folder.filePath(QStringLiteral("input_3.pb"))));
        QVERIFY_EXCEPTION_THROWN(readTensorFiles(folder.path().toStdString(), "input"), ModelError);
    }

    void otherFilesAreReportedByName()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("input_0.pb"));
        write(path, "this is not a protobuf message");
        try {
            readTensorFile(path.toStdString());
            QFAIL("a text file was read as a tensor");
        } catch (const ModelError& error) {
            QCOMPARE(error.diagnostic.code, Code("damaged"));
            QVERIFY(error.diagnostic.message.find("input_0.pb") != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestTensorsPb)
#include "tst_tensors_pb.moc"
