// The core is neutral: names of frameworks and of their attributes occur only in the folder of their format.

#include "tests/tree/source_files.h"

#include <QtTest>

using namespace crosswalk::test;

namespace {

struct Words {
    QStringList folders; ///< that may contain them
    QStringList words;   ///< in lower case; any text that contains one counts
    QStringList tables;  ///< further files that may
};

/// Files that list formats and may name each of them.
const QStringList formatTables{
    QStringLiteral("core/formats/CMakeLists.txt"),
    QStringLiteral("core/formats/format_table.cpp"),
    QStringLiteral("core/formats/framework_table.cpp"),
};
/// Names kinds of files that no reader takes, and what creates them.
const QString fileKinds = QStringLiteral("core/formats/file_kind.cpp");

QList<Words> allWords()
{
    return {
        {{QStringLiteral("core/formats/mxnet")},
         {"mxnet", "gluon", "__lr_mult__", "_contrib_", "_npx_", "cudnn_off", "num_hidden", "lstm_state_clip",
          "projection_size", "use_sequence_length"},
         formatTables},
        {{QStringLiteral("core/formats/tensorflow"), QStringLiteral("core/formats/keras")},
         {"tensorflow", "savedmodel", "graphdef", "varhandleop", "_output_shapes", "tidx"},
         formatTables},
        {{QStringLiteral("core/formats/keras"), QStringLiteral("core/formats/tensorflow")},
         {"keras", "hdf5", "bidirectional_", "zero_output_for_mask", "reset_after"},
         formatTables},
        {{QStringLiteral("core/formats/pytorch")}, {"torch", "aten::"}, formatTables + QStringList{fileKinds}},
        // Frameworks without a reader.
        {{}, {"caffe", "paddle"}, {fileKinds}},
    };
}

/// Names that ONNX defines.
QString withoutOnnxNames(QString line)
{
    return line.remove(QLatin1String("pytorch_half_pixel"));
}

} // namespace

class TestFrameworkNames : public QObject {
    Q_OBJECT
private slots:
    void namesOccurOnlyInFormatFolders()
    {
        const QList<Words> all = allWords();
        const QStringList files = sourceFiles({QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app")},
                                              {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.inc"),
                                               QStringLiteral("CMakeLists.txt")});
        QVERIFY(files.size() > 500);
        QStringList violations;
        for (const QString& file : files) {
            const QStringList lines = linesOf(file);
            for (int i = 0; i < lines.size(); ++i) {
                const QString line = withoutOnnxNames(lines[i].toLower());
                for (const Words& words : all) {
                    const bool isOwn = std::ranges::any_of(
                        words.folders, [&](const QString& folder) { return file.startsWith(folder + u'/'); });
                    if (isOwn || words.tables.contains(file)) {
                        continue;
                    }
                    for (const QString& word : words.words) {
                        if (line.contains(word)) {
                            violations.append(QStringLiteral("%1:%2 has \"%3\"").arg(file).arg(i + 1).arg(word));
                        }
                    }
                }
            }
        }
        QVERIFY2(violations.isEmpty(), qPrintable(violations.join(u'\n')));
    }
};

QTEST_APPLESS_MAIN(TestFrameworkNames)
#include "tst_framework_names.moc"
