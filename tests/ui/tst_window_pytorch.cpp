// A model of PyTorch in the window: its modules as groups, and where the program computes a node.

#include "tests/support/zip_files.h"
#include "tests/ui/driven_window.h"

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr int blockCount = 4;
constexpr const char* blockOperators[] = {"neg", "relu", "abs", "tanh", "exp"};

QByteArray tensor(const QByteArray& name)
{
    return "{\"as_tensor\": {\"name\": \"" + name + "\"}}";
}

/// A call in a module, "" or "encoder" or "encoder.2", at a line of the program.
QByteArray call(const QByteArray& op, const QByteArray& module, int line, const QByteArray& input,
                const QByteArray& output)
{
    const QByteArray modules = "L__self__,,Net" + (module.isEmpty() ? QByteArray() : ";part," + module + ",Part");
    const QByteArray calls = "  File \\\"/home/user/net.py\\\", line " + QByteArray::number(line) +
                             ", in forward\\n    x = x." + op + "()\\n";
    return "{\"target\": \"torch.ops.aten." + op +
           ".default\", \"inputs\": [{\"name\": \"self\", \"arg\": " + tensor(input) +
           ", \"kind\": 1}], \"outputs\": [" + tensor(output) + "], \"metadata\": {\"nn_module_stack\": \"" + modules +
           "\", \"stack_trace\": \"" + calls + "\"}}";
}

QByteArray meta(const QByteArray& name)
{
    return "\"" + name +
           "\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 2}, {\"as_int\": 3}], \"strides\": [{\"as_int\": 3}, "
           "{\"as_int\": "
           "1}], \"storage_offset\": {\"as_int\": 0}, \"device\": {\"type\": \"cuda\", \"index\": 1}}";
}

/// An exported program of blocks of the same operators, one after another.
std::string program()
{
    QByteArrayList nodes;
    QByteArrayList values{meta("x")};
    QByteArray last = "x";
    const auto add = [&](const QByteArray& op, const QByteArray& module, int line, const QByteArray& name) {
        nodes << call(op, module, line, last, name);
        values << meta(name);
        last = name;
    };
    for (const char* op : {"floor", "sqrt", "erf"}) {
        add(op, "stem", 30, QByteArray("stem_") + op);
    }
    for (int block = 0; block < blockCount; ++block) {
        const QByteArray number = QByteArray::number(block);
        int line = 10;
        for (const char* op : blockOperators) {
            add(op, "encoder." + number, line++, op + ("_" + number));
        }
    }
    add("sin", "encoder", 20, "norm");
    for (const char* op : {"cos", "sign", "ceil"}) {
        add(op, "head", 31, QByteArray("head_") + op);
    }
    const QByteArray json =
        "{\"graph_module\": {\"graph\": {\"inputs\": [" + tensor("x") + "], \"outputs\": [" + tensor(last) +
        "], \"nodes\": [" + nodes.join(',') + "], \"tensor_values\": {" + values.join(',') +
        "}, \"sym_int_values\": {}}, \"signature\": {\"input_specs\": [{\"user_input\": {\"arg\": " + tensor("x") +
        "}}], \"output_specs\": [{\"user_output\": {\"arg\": " + tensor(last) +
        "}}]}}, \"schema_version\": {\"major\": 8, \"minor\": 1}, \"torch_version\": \"2.9.1\"}";
    return zipFile({{"m/models/model.json", json.toStdString()},
                    {"m/data/weights/model_weights_config.json", "{\"config\": {}}"}});
}

} // namespace

class TestWindowPytorch : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void init()
    {
        m_files = std::make_unique<TemporaryFiles>();
        m_model = QString::fromStdString(m_files->write("net.pt2", program()).string());
    }

    void modulesAreGroupsAndEqualOnesAStack()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        const auto& side = *driven.document().side(Side::Source);
        const auto& groups = side.groups->groups;
        const auto find = [&](std::string_view name) {
            const auto found = std::ranges::find(groups, name, &SceneGroup::name);
            return found != groups.end() ? &*found : nullptr;
        };
        const SceneGroup* encoder = find("encoder");
        const SceneGroup* stack = find("0 to 3");
        QStringList names;
        for (const SceneGroup& group : groups) {
            names << QString::fromStdString(group.name);
        }
        QVERIFY2(encoder != nullptr && stack != nullptr, qPrintable(names.join(u',')));
        QCOMPARE(&groups.at(stack->parent), encoder);
        QCOMPARE(stack->times, static_cast<std::uint32_t>(blockCount));
        QCOMPARE(encoder->boxes, static_cast<std::uint32_t>(blockCount * std::size(blockOperators) + 1));
        for (const char* block : {"0", "1", "2", "3"}) {
            QVERIFY2(find(block) != nullptr, block);
            QCOMPARE(&groups.at(find(block)->parent), stack);
        }
        auto* canvas = driven.window.canvas(Side::Source);
        const std::size_t before = canvas->drawnScene()->scene.nodes.size();
        driven.find<QAction>("viewCloseAll")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(canvas->drawnScene()->scene.nodes.size() < before);
    }

    void theNodePanelHasTheModuleAndThePlaceInTheProgram()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("device")), QStringLiteral("cuda:1"));
        driven.clickNode(Side::Source, "encoder/2/abs_2");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("module")), QStringLiteral("encoder.2"));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("device")), QStringLiteral("cuda:1"));
        const QString trace = driven.detail("nodeDetails", QStringLiteral("stack_trace"));
        QVERIFY2(trace.contains(QStringLiteral("net.py")) && trace.contains(QStringLiteral("line 12,")),
                 qPrintable(trace));
        QVERIFY(trace.contains(QStringLiteral("x = x.abs()")));
    }

private:
    std::unique_ptr<TemporaryFiles> m_files;
    QString m_model;
};

QTEST_MAIN(TestWindowPytorch)
#include "tst_window_pytorch.moc"
