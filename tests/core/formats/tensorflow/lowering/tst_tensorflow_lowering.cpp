#include "core/convert/conversion.h"
#include "core/convert/select_outputs.h"
#include "core/formats/read_model.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "tests/support/graph_text.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_text.h"

#include <QDir>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// The cases of this folder's text files:
///
///     # What the case shows.
///     == name
///     outputs one,two        optional: the outputs that the user selects
///     the source graph (graphDefOf)
///     -->
///     the lowered graph (graphText), its states and the problems, or the error
struct Case {
    std::string name;
    std::string source = {};
    std::string lowered = {};
};

QString casesFolder()
{
    return sourceFolder() + "/tests/core/formats/tensorflow/lowering";
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The cases of a file, without their comments.
std::vector<Case> casesOf(const QByteArray& content)
{
    std::vector<Case> cases;
    bool isResult = false;
    for (const QByteArray& line : content.split('\n')) {
        if (line.startsWith("== ")) {
            cases.push_back({.name = line.mid(3).toStdString()});
            isResult = false;
        } else if (line == "-->") {
            isResult = true;
        } else if (!cases.empty() && !line.isEmpty() && !line.startsWith('#')) {
            (isResult ? cases.back().lowered : cases.back().source) += line.toStdString() + "\n";
        }
    }
    return cases;
}

std::string lowered(std::string source)
{
    ConvertOptions options;
    constexpr std::string_view outputs = "outputs ";
    if (source.starts_with(outputs)) {
        const std::size_t end = source.find('\n');
        for (const QString& name :
             QString::fromStdString(source.substr(outputs.size(), end - outputs.size())).split(',')) {
            options.outputs.push_back(name.toStdString());
        }
        source.erase(0, end + 1);
    }
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(source))});
    if (!model) {
        return fmt::format("unreadable {}: {}\n", model.problem().node, model.problem().message);
    }
    try {
        const Graph& graph = *model.value().graph;
        const LoweredGraph result =
            tensorflow::lower(options.outputs.empty() ? graph : withOutputs(graph, options.outputs), options);
        std::string text = graphText(result.graph);
        for (const Node& node : result.graph.nodes()) {
            if (node.origins.empty()) {
                text += fmt::format("{} comes from no node\n", node.name);
            }
        }
        for (const auto& [input, output] : result.states) {
            text += fmt::format("state {} -> {}\n", input, output);
        }
        for (const Diagnostic& problem : result.problems) {
            text += fmt::format("problem {}{}: {}\n", problem.code.text(),
                                problem.node.empty() ? "" : " at " + problem.node, problem.message);
        }
        return text;
    } catch (const ModelError& error) {
        return fmt::format("error {} at {}: {}\n", error.diagnostic.code.text(), error.diagnostic.node,
                           error.diagnostic.message);
    }
}

/// Replaces what the cases of a file expect by what lowering returns.
void update(const QString& path)
{
    QByteArray content;
    std::string source;
    bool isResult = false;
    const QByteArray before = contentOf(path).trimmed() + '\n';
    for (const QByteArray& line : before.split('\n')) {
        const bool begins = line.startsWith('#') || line.startsWith("== ");
        if (isResult && begins) {
            isResult = false;
            content += '\n';
        }
        if (isResult) {
            continue;
        }
        if (line == "-->") {
            content += "-->\n" + QByteArray::fromStdString(lowered(source));
            source.clear();
            isResult = true;
            continue;
        }
        content += line + '\n';
        if (!begins) {
            source += line.toStdString() + "\n";
        }
    }
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(content) == content.size(), qPrintable(path));
}

} // namespace

/// UPDATE_GOLDENS=1 rewrites what the text files expect.
class TestTensorflowLowering : public QObject {
    Q_OBJECT
private slots:
    void lowersGraphs_data();
    void lowersGraphs();
    void valuesInLoopsAreNoOutputs();
    void gapsOfTrialsAreForgotten();
};

void TestTensorflowLowering::lowersGraphs_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("expected");
    const QStringList files = QDir(casesFolder()).entryList({"*.txt"});
    QVERIFY(!files.isEmpty());
    for (const QString& file : files) {
        const QString path = casesFolder() + "/" + file;
        if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
            update(path);
        }
        const std::vector<Case> cases = casesOf(contentOf(path));
        QVERIFY2(!cases.empty(), qPrintable(path));
        for (const Case& each : cases) {
            QTest::newRow(qPrintable(file + ": " + QString::fromStdString(each.name)))
                << QByteArray::fromStdString(each.source) << QByteArray::fromStdString(each.lowered);
        }
    }
}

void TestTensorflowLowering::lowersGraphs()
{
    QFETCH(const QByteArray, source);
    QFETCH(const QByteArray, expected);
    QVERIFY(!expected.isEmpty());
    const QByteArray now = QByteArray::fromStdString(lowered(source.toStdString()));
    if (now != expected) {
        qInfo("lowered to:\n%s", now.constData());
    }
    QCOMPARE(now, expected);
}

void TestTensorflowLowering::valuesInLoopsAreNoOutputs()
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(R"(x = Placeholder dtype=float shape=[?,2]
v = Enter(x) frame_name=loop
v/merge = Merge(v, v/next) N=2
less = IsFinite(v/merge)
all = Const int32[1] 0
any = Any(less, all)
cond = LoopCond(any)
v/switch = Switch(v/merge, cond)
product = Mul(v/switch:1, v/switch:1)
v/next = NextIteration(product)
exit = Exit(v/switch)
y = Tanh(exit)
)"))});
    QVERIFY(model);
    const auto inside = convert(*model.value().graph, {.outputs = {"product"}});
    QVERIFY(!inside && inside.problem().code == Code("unknown-output"));
    QCOMPARE(QByteArray::fromStdString(inside.problem().message),
             QByteArray("product:0 is in a loop; only values outside of bodies can be outputs"));
    const auto behind = convert(*model.value().graph, {.outputs = {"exit"}});
    QVERIFY(behind);
    QVERIFY(behind.value().verdicts.back() == Verdict::Folded);
}

/// A trial of the inner branches finds bodies that are nested too deeply, which is a gap of the trial only. What cannot
/// be translated afterwards must be a problem all the same.
void TestTensorflowLowering::gapsOfTrialsAreForgotten()
{
    constexpr int depth = 28;
    std::string text = R"(x = Placeholder dtype=float shape=[2]
p = Placeholder dtype=bool shape=[]
shape = Const int32[] -1
size = Const int32[] 4
list = TensorListReserve(shape, size) element_dtype=float
branch = If(p, list, p, x) Tcond=bool Tin={variant,bool,float} Tout={variant} then_branch=@same else_branch=@more0
y = TensorListStack(branch, shape) element_dtype=float
function same(l:variant, p:bool, x) -> out:variant=l
end
)";
    for (int k = 0; k < depth; ++k) {
        text += fmt::format("function more{}(l:variant, p:bool, x) -> out:variant=branch:output:0\n", k);
        text += fmt::format("branch = If(p, l, p, x) Tcond=bool Tin={{variant,bool,float}} Tout={{variant}} "
                            "then_branch=@same else_branch=@more{}\nend\n",
                            k + 1);
    }
    text += fmt::format("function more{}(l:variant, p:bool, x) -> out:variant=set:output_handle:0\n", depth);
    text += "zero = Const int32[] 0\nset = TensorListSetItem(l, zero:output:0, x) element_dtype=float\nend\n";
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(text))});
    QVERIFY(model);
    const auto converted = convert(*model.value().graph, {});
    QVERIFY(converted && converted.value().hasErrors());
}

QTEST_GUILESS_MAIN(TestTensorflowLowering)
#include "tst_tensorflow_lowering.moc"
