#include "core/convert/conversion.h"
#include "core/formats/mxnet/unsupported_ops.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using test::textGraph;

/// Operators that have no form in ONNX: each is a gap at its node that says why, and the rest converts.
class TestMxnetRefusals : public QObject {
    Q_OBJECT
private slots:
    void saysItsReasonAtTheNode_data()
    {
        QTest::addColumn<QByteArray>("call");
        const auto row = [](const char* call) { QTest::newRow(call) << QByteArray(call); };
        row("gap, b = _npi_eig(x)");
        row("gap = _npi_eigvals(x)");
        row("gap, b, c, d = _npi_lstsq(x,x,x)");
        row("gap = _contrib_fft(x) compute_size=128");
        row("gap = _contrib_ifft(x) compute_size=128");
        row("gap = _contrib_count_sketch(x,x,x) out_dim=3");
        row("gap = _contrib_quantized_rnn(x,x,x) state_size=2 num_layers=1 mode=lstm");
        row("gap = _contrib_quantize_asym(x)");
        row("gap = _sparse_retain(x,x)");
        row("gap = sgd_update(x,x) lr=0.1");
    }

    void saysItsReasonAtTheNode()
    {
        QFETCH(QByteArray, call);
        const std::string name = call.split('=')[1].trimmed().split('(')[0].toStdString();
        const auto result =
            convert(textGraph("x = input 3x3\n" + call.toStdString() + "\ny = tanh(x)\noutput gap\noutput y\n"), {});
        QVERIFY(result);
        const Conversion& conversion = result.value();
        QCOMPARE(conversion.problems.size(), std::size_t{1});
        const Diagnostic& problem = conversion.problems[0];
        QCOMPARE(problem.severity, Severity::Error);
        const mxnet::UnsupportedOperator& known = *mxnet::findUnsupported(name);
        const bool isTraining = known.support == Support::TrainingOnly;
        QCOMPARE(problem.code, isTraining ? Code("training-only") : Code("unsupported-operator"));
        QCOMPARE(problem.node, std::string("gap"));
        QCOMPARE(problem.op, name);
        QVERIFY2(problem.message.find(known.why) != std::string::npos, problem.message.c_str());
        QVERIFY(test::dump(conversion.model.whole()).find("Tanh(x)") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestMxnetRefusals)
#include "tst_mxnet_refusals.moc"
