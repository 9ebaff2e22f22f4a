// Times of the nodes of a model, measured with ONNX Runtime's profiler.

#include "core/onnx/load.h"
#include "core/verify/latency.h"
#include "core/verify/runtime.h"
#include "tests/support/onnx_text.h"

#include <QtTest>
#include <onnx/onnx_pb.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

OnnxModel modelFrom(const char* text)
{
    return {std::make_shared<::onnx::ModelProto>(parseModel(text)), {}};
}

} // namespace

class TestLatency : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
    }

    void everyNodeHasItsTime()
    {
        // Names of nodes repeat and are empty in models.
        const auto report = measureLatency(modelFrom(R"(g (float[N,256] x) => (float[N,256] y) {
            [same] a = Relu(x)
            [same] b = Exp(a)
            y = Softmax(b)
        })"));
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        const LatencyReport& times = report.value();
        QCOMPARE(times.nodes.size(), std::size_t{3});
        for (const auto& seconds : times.nodes) {
            QVERIFY(seconds && *seconds >= 0 && *seconds < times.total);
        }
        QVERIFY(times.runs >= 3);
        QVERIFY(times.isRandom);
        QCOMPARE(times.sizes, std::vector<std::string>{"N = 1"});
    }

    void aBranchThatIsNotTakenHasNone()
    {
        const auto report = measureLatency(modelFrom(R"(g (float[2] x) => (float[2] y) {
            c = Constant<value = bool {1}>()
            y = If(c) <then_branch = t () => (float[2] p) { p = Relu(x) },
                       else_branch = e () => (float[2] q) { q = Exp(x) }>
        })"));
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        QVERIFY(report.value().nodes.back()); // with its body
    }

    void aModelThatDoesNotRunIsAProblem()
    {
        const auto report = measureLatency(modelFrom(R"(g (float[2,3] x, float[4,5] z) => (float[2,5] y) {
            y = MatMul(x, z)
        })"));
        QVERIFY(!report);
        QCOMPARE(report.problem().code, Code("runtime"));
    }
};

QTEST_MAIN(TestLatency)
#include "tst_latency.moc"
