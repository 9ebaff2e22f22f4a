// Pictures and reports as the command line writes them.

#include "tests/app/command_line.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/tensorflow_files.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtEndian>

#include <functional>

using namespace crosswalk::test;

namespace {

/// A chain of operators; `name` names each by its place. One of them may be an operator that there is not.
QByteArray chain(int length, const std::function<std::string(int)>& name, int unknown = -1)
{
    std::vector<std::string> nodes{variable("data")};
    for (int i = 0; i < length; ++i) {
        nodes.push_back(node(i == unknown ? "Bogus"
                             : i % 2 == 0 ? "relu"
                                          : "sigmoid",
                             name(i), fmt::format("[[{}, 0, 0]]", i)));
    }
    return QByteArray::fromStdString(symbolFile(nodes));
}

/// Stages of 500 operators, each of 50 units.
std::string inStages(int i)
{
    return fmt::format("stage{}_unit{}_act{}", i / 500, i / 10 % 50, i % 10);
}

/// What crosswalk says, without what Qt says of a machine without a session.
QByteArray said(const Ran& ran)
{
    QByteArray lines;
    for (const QByteArray& line : ran.err.split('\n')) {
        lines += line.isEmpty() || line.startsWith("QStandardPaths") ? QByteArray() : line + '\n';
    }
    return lines;
}

QSize sizeOfPng(const QString& path)
{
    const QByteArray header = read(path).mid(16, 8);
    return header.size() < 8
               ? QSize()
               : QSize(qFromBigEndian<qint32>(header.constData()), qFromBigEndian<qint32>(header.constData() + 4));
}

} // namespace

class TestRenderAndReport : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void init()
    {
        for (const QString& name : QDir(m_folder.path()).entryList(QDir::Files)) {
            QFile::remove(m_folder.filePath(name));
        }
    }

    void rendersTextFormats()
    {
        for (const char* name : {"g.svg", "g.json", "g.dot"}) {
            for (const char* side : {"source", "onnx"}) {
                QCOMPARE(run({"render", lstm, "-o", path(name), "--side", QLatin1String(side)}).status, 0);
                QVERIFY(QFile(path(name)).size() > 0);
            }
        }
        const auto layout = QJsonDocument::fromJson(read(path("g.json"))).object();
        for (const char* key : {"side", "width", "height", "layout_seconds", "nodes", "edges", "tags", "groups"}) {
            QVERIFY2(layout.contains(QLatin1String(key)), key);
        }
    }

    void reportIsOnePage()
    {
        QCOMPARE(run({"report", lstm, "-o", path("r.html"), "--shape", "data=10,32,16"}).status, 0);
        const QByteArray page = read(path("r.html"));
        QVERIFY(page.contains("<svg"));
        QVERIFY(!page.contains("matches the recorded outputs"));
        QVERIFY(!page.contains("http://") || page.count("http://") == page.count("http://www.w3.org"));
        QCOMPARE(run({"report", lstm, "-o", path("r.html"), "--shape", "data=10,32,16", "--data",
                      examples + "request_bilstm"})
                     .status,
                 0);
        QVERIFY(read(path("r.html")).contains("matches the recorded outputs"));
    }

    void reportsOfGapsHaveNoComparison()
    {
        write(path("gap-symbol.json"), chain(3, inStages, 1));
        const auto ran =
            run({"report", path("gap-symbol.json"), "-o", path("r.html"), "--data", examples + "request_bilstm"});
        QCOMPARE(ran.status, 0);
        QVERIFY2(ran.err.contains("warning: ") && ran.err.contains("gap-symbol.json: is not compared with "),
                 ran.err.constData());
        QVERIFY(QFile::exists(path("r.html")));
    }

    void reportsLinkTheirSides()
    {
        QCOMPARE(run({"report", examples + "digits_crnn/model-symbol.json", "-o", path("r.html")}).status, 0);
        const QByteArray page = read(path("r.html"));
        QVERIFY(page.contains("13 of 13 exact (1 as several nodes), 19 folded"));
        QVERIFY(page.contains("default-src 'none'")); // it needs no network, and cannot use one
        const QByteArray start = "id=\"links\">";
        const auto from = page.indexOf(start) + start.size();
        const auto links = QJsonDocument::fromJson(page.mid(from, page.indexOf("</script>", from) - from)).array();
        QVERIFY(links.size() > 10);
        const auto isLinked = [](const QJsonValue& boxes) { return !boxes.toArray().isEmpty(); };
        QVERIFY(std::ranges::count_if(links, isLinked) >= 12);
    }

    void hostileNamesStayText()
    {
        const std::string name = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
        write(path("hostile-symbol.json"),
              QByteArray::fromStdString(
                  symbolFile({variable("data"), node("Activation", name, "[[0, 0, 0]]", R"({"act_type": "relu"})")})));
        QCOMPARE(run({"report", path("hostile-symbol.json"), "-o", path("r.html"), "--shape", "data=2,3"}).status, 0);
        const QByteArray page = read(path("r.html"));
        QVERIFY(page.contains("&lt;script&gt;alert(1)"));
        QVERIFY(!page.contains("<script>alert") && !page.contains("<img"));
        QCOMPARE(page.count("</script>"), qsizetype{2});
    }

    void paintedFormatsTakeTheSameOptions()
    {
        const QString model = examples + "digits_crnn/model-symbol.json";
        for (const char* name : {"g.svg", "g.png", "g.pdf"}) {
            const auto render = [&](const QStringList& options) {
                return run(QStringList{"render", model, "-o", path(name)} + options);
            };
            for (const QStringList& wrong :
                 {QStringList{"--shape", "dat=1,1,8,8"}, QStringList{"--strategy", "nope=fused"},
                  QStringList{"--rename", "nope=x"}}) {
                const auto ran = render(wrong);
                QCOMPARE(ran.status, 2);
                QVERIFY(ran.err.contains("error: "));
                QVERIFY(!QFile::exists(path(name)));
            }
            QCOMPARE(render({"--shape", "data=1,1,8,8", "--rename", "data=image"}).status, 0);
            QVERIFY(QFile::remove(path(name)));
        }
    }

    void paintedFormatsTakeWeightsOfAnyName()
    {
        write(path("weights.bin"), read(examples + "request_bilstm/model-0000.params"));
        for (const char* name : {"g.svg", "g.png"}) {
            const auto ran = run({"render", lstm, path("weights.bin"), "-o", path(name), "--allow-large"});
            QVERIFY2(ran.status == 0, ran.err.constData());
            QVERIFY(QFile::exists(path(name)));
        }
    }

    void paintedFormatsTakeTags()
    {
        const auto graphWith = [](std::string_view node, std::string_view tag) {
            return Message()
                .message(1, Message().bytes(4, tag))
                .message(2, graphDef({placeholder("x", {1}), unary(node, "Relu", "x")}));
        };
        const Message model = Message()
                                  .number(1, std::uint64_t{1})
                                  .message(2, graphWith("a", "train"))
                                  .message(2, graphWith("b", "serve"));
        write(path("saved_model.pb"), QByteArray::fromStdString(model.content()));
        for (const char* name : {"g.svg", "g.png"}) {
            for (const char* tag : {"train", "serve", "none"}) {
                const auto ran = run({"render", path("saved_model.pb"), "-o", path(name), "--tags", tag});
                QCOMPARE(ran.status, tag == QByteArrayView("none") ? 2 : 0);
            }
        }
    }

    void aLargeModelIsReportedWithGroupsClosed()
    {
        write(path("chain-symbol.json"), chain(4000, inStages));
        QCOMPARE(run({"report", path("chain-symbol.json"), "-o", path("r.html"), "--shape", "data=2,3"}).status, 0);
        const QByteArray page = read(path("r.html"));
        QVERIFY(page.contains("with groups closed"));
        QCOMPARE(page.count("<svg"), qsizetype{2});
    }

    /// Names that share nothing leave nothing to close.
    void aLongModelWithoutGroupsIsReportedInPart()
    {
        const auto report = [this](int unknown) {
            write(path("bare-symbol.json"),
                  chain(
                      4000, [](int i) { return fmt::format("{:x}", i * 7919 % 4001); }, unknown));
            const auto ran = run({"report", path("bare-symbol.json"), "-o", path("r.html"), "--shape", "data=2,3"});
            return ran.status == 0 || unknown >= 0 ? read(path("r.html")) : QByteArray();
        };
        const QByteArray first = report(-1);
        QCOMPARE(first.count("<svg"), qsizetype{2});
        QCOMPARE(first.count("60 of 4002 boxes are drawn, the first"), qsizetype{2});
        QCOMPARE(first.count(">operators 3942<"), qsizetype{2});
        const QByteArray gap = report(2000);
        const QByteArray name = QByteArray::number(2000 * 7919 % 4001, 16);
        QCOMPARE(gap.count("around <code>" + name), qsizetype{2});
        QCOMPARE(gap.count("<title>Bogus " + name + ": unsupported</title>"), qsizetype{1});
        QCOMPARE(gap.count(">operators 1971<"), qsizetype{4}); // before and behind
    }

    void groupsOfAPictureAreAChoice()
    {
        write(path("chain-symbol.json"), chain(4000, inStages));
        const auto boxes = [this](const QStringList& options) {
            const auto ran = run(QStringList{"render", path("chain-symbol.json"), "-o", path("g.json")} + options);
            const auto layout = QJsonDocument::fromJson(read(path("g.json"))).object();
            return ran.status == 0 && ran.err.isEmpty() ? layout["nodes"].toArray().size() : -1;
        };
        QCOMPARE(boxes({}), 4002); // with the input and the output
        QCOMPARE(boxes({"--groups", "auto"}), 4002);
        QCOMPARE(boxes({"--groups", "open"}), 4002);
        QCOMPARE(boxes({"--groups", "closed"}), 3); // eight stages alike
        QCOMPARE(boxes({"--groups", "0"}), 3);
        QCOMPARE(boxes({"--groups", "1"}), 10); // each of them
        QCOMPARE(boxes({"--groups", "99"}), 4002);
        const auto ran = run({"render", path("chain-symbol.json"), "-o", path("h.json"), "--groups", "some"});
        QCOMPARE(ran.status, 2);
        QVERIFY2(ran.err.contains("--groups: some"), ran.err.constData());
    }

    void anUnreadablePictureClosesItsGroups()
    {
        write(path("chain-symbol.json"), chain(4000, inStages));
        const auto render = [this](const char* model, const QStringList& options) {
            const auto ran = run(QStringList{"render", path(model)} + options +
                                 (options.contains("-o") ? QStringList() : QStringList{"-o", path("g.png")}));
            return ran.status == 0 ? said(ran) : "failed: " + ran.err;
        };
        QByteArray told = render("chain-symbol.json", {});
        QVERIFY2(told.startsWith("note: ") && told.contains("--groups open"), told.constData());
        QCOMPARE(told.count('\n'), 1);
        const QSize closed = sizeOfPng(path("g.png"));
        QVERIFY(closed.width() > 150 && closed.height() < 4000);

        told = render("chain-symbol.json", {"--groups", "open"});
        QVERIFY2(told.startsWith("warning: ") && told.contains("too large") && told.contains("--groups closed"),
                 told.constData());
        QVERIFY(sizeOfPng(path("g.png")).width() < 50);

        told = render("chain-symbol.json", {"--groups", "closed"});
        QCOMPARE(told, QByteArray());
        QVERIFY(sizeOfPng(path("g.png")).height() < closed.height());

        // One can look closer into a page.
        write(path("half-symbol.json"), chain(800, inStages));
        QVERIFY(render("half-symbol.json", {}).startsWith("note: "));
        QVERIFY(render("half-symbol.json", {"-o", path("g.pdf")}).startsWith("warning: "));

        // Where there are no groups, none is spoken of.
        write(path("bare-symbol.json"), chain(1000, [](int i) { return fmt::format("{:x}", i * 7919 % 1009); }));
        told = render("bare-symbol.json", {});
        QVERIFY2(told.startsWith("warning: ") && !told.contains("--groups"), told.constData());

        // A long one is drawn in part.
        write(path("long-symbol.json"), chain(4000, [](int i) { return fmt::format("{:x}", i * 7919 % 4001); }));
        told = render("long-symbol.json", {});
        QVERIFY2(told.startsWith("warning: ") && told.contains("60 of 4002 boxes") && told.contains("--groups open"),
                 told.constData());
        QCOMPARE(told.count('\n'), 1);
        QVERIFY(sizeOfPng(path("g.png")).width() > 150 && sizeOfPng(path("g.png")).height() < 8000);
        told = render("long-symbol.json", {"--groups", "open"});
        QVERIFY2(told.contains("too large"), told.constData());

        // What can be read stays open without a word.
        write(path("small-symbol.json"), chain(40, inStages));
        QCOMPARE(render("small-symbol.json", {}), QByteArray());
        const QByteArray open = read(path("g.png"));
        QCOMPARE(render("small-symbol.json", {"--groups", "open"}), QByteArray());
        QVERIFY(read(path("g.png")) == open);
    }

    void aClosedGroupShowsItsGaps()
    {
        for (const int unknown : {-1, 1234}) {
            write(path("chain-symbol.json"), chain(4000, inStages, unknown));
            QCOMPARE(run({"render", path("chain-symbol.json"), "-o", path("g.svg"), "--groups", "closed"}).status, 0);
            QCOMPARE(read(path("g.svg")).contains(": unsupported</title>"), unknown >= 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestRenderAndReport)
#include "tst_render_and_report.moc"
