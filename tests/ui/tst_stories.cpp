// The four stories of docs/stories.md, from start to end as a user goes through them. The pictures there are made
// here.

#include "core/verify/runtime.h"
#include "tests/ui/window_picture.h"

#include <QAction>
#include <QToolButton>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr QSize windowSize{1280, 800};

QString recordedWith(const char* example)
{
    return QFileInfo(exampleModel(example)).dir().filePath(QStringLiteral("test_data_set_0"));
}

/// Opens an export by itself and checks it on recorded tensors.
void proveExport(const QString& path, const QString& recorded)
{
    DrivenWindow driven(nullptr, windowSize);
    QVERIFY(driven.open(path));
    driven.drop({recorded});
    QVERIFY(driven.settle());
    QVERIFY2(driven.text("statusVerified").startsWith(QStringLiteral("verified")),
             qPrintable(driven.text("statusVerified")));
}

/// A copy of an example whose weights have one number that is far off.
QString withBrokenWeight(const TemporaryFiles& files, const char* example, float before)
{
    const QDir folder = QFileInfo(exampleModel(example)).dir();
    std::string weights = readAll(folder.filePath(QStringLiteral("model-0000.params")).toStdString());
    Bytes number;
    number.add(before);
    const auto place = weights.find(number.content());
    if (place == std::string::npos || weights.find(number.content(), place + 1) != std::string::npos) {
        qFatal("the weight to break is not there once");
    }
    Bytes other;
    other.add(40.0F);
    weights.replace(place, sizeof(float), other.content());
    files.write("model-0000.params", weights);
    return QString::fromStdString(
        files.write("model-symbol.json", readAll(folder.filePath(QStringLiteral("model-symbol.json")).toStdString()))
            .string());
}

} // namespace

class TestStories : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }
    void init()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
    }

    void aClippedProjectedLstm()
    {
        const TemporaryFiles files;
        DrivenWindow driven(nullptr, windowSize);
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        QTest::keyClick(&driven.window, Qt::Key_F8);
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"keyword_lstmp_rnn0"});
        QCOMPARE(driven.operators(Side::Target).count("Scan"), std::size_t{1});
        QVERIFY(looksAsDocumented(driven, QStringLiteral("rnn-exact")));

        driven.pick("strategy-fused");
        QCOMPARE(driven.operators(Side::Target).count("Scan"), std::size_t{0});
        QVERIFY(looksAsDocumented(driven, QStringLiteral("rnn-fused")));
        driven.drop({recordedWith("keyword_lstmp")});
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("differs"));

        driven.undo();
        driven.drop({recordedWith("keyword_lstmp")});
        QVERIFY(driven.settle());
        QVERIFY(driven.text("statusVerified").startsWith(QStringLiteral("verified")));
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("Matches the recorded tensors")));
        QVERIFY(looksAsDocumented(driven, QStringLiteral("story-proven")));

        const QString path = QString::fromStdString(files.path("keyword.onnx").string());
        driven.exportTo(path);
        proveExport(path, recordedWith("keyword_lstmp"));
    }

    /// The actions that docs/stories.md lists for someone who starts with the window alone.
    void fromTheStartPageToAVerifiedExport()
    {
        const TemporaryFiles files;
        DrivenWindow driven(nullptr, windowSize);
        int actions = 0;
        const auto links = driven.window.findChildren<QToolButton*>(QStringLiteral("startLink"));
        const auto link = std::ranges::find_if(
            links, [](const auto* button) { return button->text().startsWith(QStringLiteral("Keyword spotter")); });
        QVERIFY(link != links.end());
        QTest::mouseClick(*link, Qt::LeftButton);
        ++actions;
        QVERIFY(driven.settle());
        const auto press = [&](int key, Qt::KeyboardModifiers modifiers) {
            QTest::keyClick(&driven.window, static_cast<Qt::Key>(key), modifiers);
            ++actions;
            QVERIFY(driven.settle());
        };
        press(Qt::Key_F8, {});
        QVERIFY(driven.isShown("strategy-exact") && driven.isShown("strategy-fused")); // with nodes and work of each
        driven.pick("strategy-fused");
        ++actions;
        press(Qt::Key_R, Qt::ControlModifier); // finds the tensors beside the model
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("differs"));
        press(Qt::Key_Z, Qt::ControlModifier);
        press(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(driven.text("statusVerified").startsWith(QStringLiteral("verified")));
        const QString path = QString::fromStdString(files.path("keyword.onnx").string());
        driven.exportTo(path); // Ctrl+E, and the name of the file
        actions += 2;
        QCOMPARE(actions, 8);
        proveExport(path, recordedWith("keyword_lstmp"));
    }

    void aConflictingShape()
    {
        const TemporaryFiles files;
        DrivenWindow driven(nullptr, windowSize);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("1, 3, 32, 48"));
        QVERIFY(!driven.find<QAction>("fileExport")->isEnabled());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_features_conv0_fwd"});

        driven.giveShape(QStringLiteral("data"), QStringLiteral("N, 1, 8, 8"));
        QVERIFY(driven.document().problems().empty());
        QVERIFY(looksAsDocumented(driven, QStringLiteral("story-shape")));
        const QString path = QString::fromStdString(files.path("digits.onnx").string());
        driven.exportTo(path);
        proveExport(path, recordedWith("digits_crnn"));
    }

    void aBrokenWeight()
    {
        const TemporaryFiles files;
        DrivenWindow driven(nullptr, windowSize);
        QVERIFY(driven.open(withBrokenWeight(files, "keyword_lstmp", brokenNumber)));
        driven.drop({recordedWith("keyword_lstmp")});
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("differs"));
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"keyword_lstm_rnn0"});
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("The first to differ")));
        QVERIFY(looksAsDocumented(driven, QStringLiteral("story-first")));

        // What went into it is right, so it is one of its weights.
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("Matches")));
        driven.clickNode(Side::Source, "keyword_lstm_rnn0");
        driven.clickDetail("nodeDetails", QStringLiteral("keyword_lstm_l0_i2h_weight"));
        QTRY_VERIFY(driven.text("tensorStatistics").contains(QStringLiteral("maximum 40")));
        QVERIFY(looksAsDocumented(driven, QStringLiteral("story-weight")));
    }

    void anOldSpeechModel()
    {
        const QString folder = sourceFolder() + QStringLiteral("/resources/examples/speech_commands");
        const QString recorded = folder + QStringLiteral("/test_data_set_0");
        const TemporaryFiles files;
        DrivenWindow driven(nullptr, windowSize);
        QVERIFY(driven.open(folder + QStringLiteral("/frozen.pb")));
        QVERIFY(driven.document().problems().empty());
        QCOMPARE(driven.operators(Side::Target).count("LSTM"), std::size_t{1});
        QCOMPARE(driven.operators(Side::Target).count("Scan") + driven.operators(Side::Target).count("Loop"),
                 std::size_t{0});
        driven.clickNode(Side::Target, "rnn/while/LoopCond/LSTM");
        QVERIFY(looksAsDocumented(driven, QStringLiteral("story-loop")));

        driven.drop({recorded});
        QVERIFY(driven.settle());
        QVERIFY(driven.text("statusVerified").startsWith(QStringLiteral("verified")));
        const QString path = QString::fromStdString(files.path("speech.onnx").string());
        driven.exportTo(path);
        proveExport(path, recorded);
    }

private:
    static constexpr float brokenNumber = -0x1.89e14p-4F; ///< keyword_lstm_l0_i2h_weight[5, 7]
};

QTEST_MAIN(TestStories)
#include "tst_stories.moc"
