// The MIME types of the package: files of every format are recognised, and files of other programs keep their types.

#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace crosswalk::test;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString packaged(const char* name)
{
    return sourceFolder() + QStringLiteral("/packaging/linux/") + QLatin1String(name);
}

/// The first bytes of a zip archive whose first entry is stored with this name.
QByteArray zip(const QByteArray& name, const QByteArray& after)
{
    QByteArray bytes("PK\x03\x04");
    bytes.append(22, '\0'); // what is irrelevant to the type
    bytes.append(static_cast<char>(name.size())).append(3, '\0');
    return bytes + name + after + QByteArray(200, 'Z');
}

} // namespace

class TestMimeTypes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const QDir folder(m_folder.path());
        QVERIFY(folder.mkpath(QStringLiteral("mime/packages")));
        const QString packages = folder.filePath(QStringLiteral("mime/packages/"));
        QVERIFY(QFile::copy(packaged("crosswalk-mime.xml"), packages + QStringLiteral("crosswalk.xml")));
        QVERIFY(QFile::copy(QStringLiteral("/usr/share/mime/packages/freedesktop.org.xml"),
                            packages + QStringLiteral("freedesktop.org.xml")));
        qputenv("XDG_DATA_DIRS", m_folder.path().toLocal8Bit());
        qputenv("XDG_DATA_HOME", m_folder.path().toLocal8Bit());
        QProcess update;
        update.setProcessChannelMode(QProcess::MergedChannels);
        update.start(QStringLiteral("update-mime-database"), {folder.filePath(QStringLiteral("mime"))});
        QVERIFY(update.waitForFinished());
        const QByteArray said = update.readAll();
        QVERIFY2(update.exitCode() == 0 && said.isEmpty(), said.constData());
    }

    void recognisesModels_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("type");
        const auto file = [](const char* path, const char* type) {
            const QString full = sourceFolder() + u'/' + QLatin1String(path);
            QVERIFY2(QFile::exists(full), path);
            QTest::newRow(path) << full.section(u'/', -1) << contentOf(full) << QString::fromLatin1(type);
        };
        const auto bytes = [](const char* name, const QByteArray& content, const char* type) {
            QTest::newRow(name) << QString::fromLatin1(name) << content << QString::fromLatin1(type);
        };
        file("resources/examples/digits_crnn/model-symbol.json", "application/x-mxnet-symbol");
        file("resources/examples/digits_crnn/model-0000.params", "application/x-mxnet-params");
        file("resources/examples/speech_commands/frozen.pb", "application/x-tensorflow-graph");
        file("resources/examples/wearable_activity/activity.ptl", "application/x-pytorch");
        file("tests/data/keras/int8_3.keras", "application/x-keras");
        file("tests/data/keras/nested_2.h5", "application/x-keras-hdf5");
        file("tests/data/keras/dense_1.2.h5", "application/x-keras-hdf5");
        bytes("a.onnx", QByteArray("\x08\x07\x12\x07pytorch", 11), "application/x-onnx");
        bytes("saved_model.pb", QByteArray("\x08\x01\x12\x10", 4), "application/x-tensorflow-saved-model");
        bytes("graph.pbtxt", "node {\n  name: \"x\"\n  op: \"Placeholder\"\n}\n",
              "application/x-tensorflow-graph-text");
        bytes("model.ckpt.meta",
              QByteArray("\x0a\x20\x12\x40\x0a\x3a\x0a\x03") +
                  "Add\x12\x06\x0a\x01x\"\x01T\"\x1b\x0a\x01T\x12\x04type:\x10",
              "application/x-tensorflow-meta-graph");
        bytes("module.pt", zip("module/data.pkl", "FB"), "application/x-pytorch");
        bytes("weights.pth", zip("archive/data/0", "FB"), "application/x-pytorch");
        bytes("old.pt", zip("archive/version", "FB"), "application/x-pytorch");
        bytes("a.pt2", zip("model/data/weights/weight_0", "FB"), "application/x-pytorch-exported-program");
        bytes("program", zip("serialized_exported_program.json", "{"), "application/x-pytorch-exported-program");
        bytes("dict.pth", QByteArray("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02", 17),
              "application/x-pytorch-legacy");
        bytes("weights",
              QByteArray("\x40\0\0\0\0\0\0\0", 8) + R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
              "application/x-safetensors");
    }
    void recognisesModels()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, type);
        QCOMPARE(m_types.mimeTypeForFileNameAndData(name, content).name(), type);
    }

    void leavesFilesOfOthers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        const auto bytes = [](const char* name, const QByteArray& content) {
            QTest::newRow(name) << QString::fromLatin1(name) << content;
        };
        const auto file = [&](const char* path) {
            const QByteArray content = contentOf(sourceFolder() + u'/' + QLatin1String(path));
            QVERIFY2(!content.isEmpty(), path);
            QTest::newRow(path) << QString::fromLatin1(path).section(u'/', -1) << content;
        };
        file("resources/examples/digits_crnn/test_data_set_0/input_0.pb");
        file("resources/examples/digits_crnn/labels.json");
        bytes("message.pb", QByteArray("\x0a\x05hello\x12\x05world", 14));
        bytes("message2.pb", QByteArray("\x08\x07\x12\x07pytorch", 11)); // any message may begin so
        bytes("package.json", R"({"name": "nodes", "version": "1.0"})");
        bytes("translation.pt", "Bom dia\n");
        bytes("paths.pth", "/usr/lib/python3/dist-packages\n");
        bytes("package.pt", zip("mimetype", "application/epub"));
        bytes("archive.pt", zip("project/version", "1.0"));
        bytes("pickle.pt", QByteArray("\x80\x04\x95\x05\0\0\0\0\0\0\0\x8c\x01x\x94.", 17));
        bytes("engine.params", "speed = 3\n");
        bytes("page.meta", "title: A page\n");
        bytes("other.pbtxt", "model_config {\n  name: \"x\"\n}\n");
        bytes("data.hdf5", QByteArray("\x89HDF\r\n\x1a\n") + QByteArray(600, '\0'));
    }
    void leavesFilesOfOthers()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        const QString type = m_types.mimeTypeForFileNameAndData(name, content).name();
        QVERIFY2(!m_ours.contains(type), qPrintable(type));
    }

    // The desktops of GNOME and others decide with GLib, whose rules differ where types share a glob.
    void glibDecidesAlike_data()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("gio")).isEmpty()) {
            QSKIP("gio (libglib2.0-bin) is not installed");
        }
        recognisesModels_data();
        QTest::newRow("foreign") << QStringLiteral("foreign.h5")
                                 << QByteArray("\x89HDF\r\n\x1a\n") + QByteArray(600, '\0')
                                 << QStringLiteral("application/x-hdf");
        QTest::newRow("foreign archive") << QStringLiteral("foreign.pt") << zip("mimetype", "text")
                                         << QStringLiteral("application/zip");
    }
    void glibDecidesAlike()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, type);
        const QString path = m_folder.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        QProcess gio;
        gio.start(QStringLiteral("gio"),
                  {QStringLiteral("info"), QStringLiteral("-a"), QStringLiteral("standard::content-type"), path});
        QVERIFY(gio.waitForFinished());
        const QByteArray said = gio.readAll();
        QVERIFY2(said.contains("standard::content-type: " + type.toUtf8() + '\n'), said.constData());
    }

    void programsOpenWhatTheyRead()
    {
        const QString desktop = QString::fromUtf8(contentOf(packaged("org.crosswalk.Crosswalk.desktop")));
        const QString metainfo = QString::fromUtf8(contentOf(packaged("org.crosswalk.Crosswalk.metainfo.xml")));
        for (const QString& type : m_ours) {
            const bool isModel = type != QLatin1String("application/x-mxnet-params"); // opened with its graph
            QCOMPARE(desktop.contains(type + u';'), isModel);
            QCOMPARE(metainfo.contains(u'>' + type + u'<'), isModel);
        }
    }

private:
    static QStringList ours()
    {
        QStringList names;
        auto types = QRegularExpression(QStringLiteral("<mime-type type=\"([^\"]+)\""))
                         .globalMatch(QString::fromUtf8(contentOf(packaged("crosswalk-mime.xml"))));
        while (types.hasNext()) {
            names << types.next().captured(1);
        }
        return names;
    }

    QTemporaryDir m_folder;
    QMimeDatabase m_types;
    QStringList m_ours = ours();
};

QTEST_GUILESS_MAIN(TestMimeTypes)
#include "tst_mime_types.moc"
