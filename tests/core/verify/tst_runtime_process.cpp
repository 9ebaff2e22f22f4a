// Models in a process of their own: the same results as in this one, and an end in one sentence where they misbehave.

#include "core/verify/runtime_process.h"

#include "core/base/shadow_memory.h"
#include "core/onnx/writer.h"
#include "core/verify/latency.h"
#include "core/verify/verify.h"
#include "tests/support/endless_loop.h"
#include "tests/support/onnx_text.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_files.h"

#include <QtTest>
#include <chrono>
#include <filesystem>
#include <thread>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace std::chrono_literals;

namespace {

const char* const runtimeVariable = "CROSSWALK_ONNXRUNTIME";

template <typename Action>
QByteArray problemOf(const Action& action)
{
    try {
        action();
        return "none";
    } catch (const ModelError& error) {
        return QByteArray::fromStdString(std::string(error.diagnostic.code.text()));
    }
}

NamedTensor one()
{
    return {"x", Tensor::of<float>(ElementType::Float32, {1}, std::vector<float>{1})};
}

} // namespace

class TestRuntimeProcess : public QObject {
    Q_OBJECT
private:
    TemporaryFiles m_files;
    std::filesystem::path m_loop;

private slots:
    void initTestCase()
    {
        m_loop = m_files.path("loop.onnx");
        writeOnnx(endlessLoop(), m_loop);
    }
    void init()
    {
        qunsetenv(runtimeVariable);
        qunsetenv("CROSSWALK_TEST_CRASH");
        useRuntimeProgram((programFolder() + QStringLiteral("/crosswalk")).toStdString());
    }

    void givesTheSameResults()
    {
        const auto model = parseModel("g (float[N,3] x, int64[2] k, string[1] s) => "
                                      "(float[N,3] y, int64[2] m, bool[N,3] z, string[1] t)"
                                      "{ two = Constant<value = float {2.0}>() y = Mul(x, two)"
                                      "  m = Neg(k) z = Greater(x, two) t = Identity(s) }")
                               .SerializeAsString();
        const std::vector<std::int64_t> k{7, -8};
        const auto bytes = std::as_bytes(std::span(model));
        for (const std::int64_t rows : {0, 2, 100000}) {
            const std::vector<NamedTensor> inputs{{"k", Tensor::ints(k)},
                                                  {"x", Tensor::filled(ElementType::Float32, {rows, 3}, 1.5)},
                                                  {"s", Tensor::strings({1}, {std::string(70000, 'a')})}};
            const RuntimeSession here(Runtime::load(), bytes);
            const RuntimeSession there(Runtime::start(), bytes);
            for (const auto ports : {&RuntimeSession::inputs, &RuntimeSession::outputs}) {
                const auto& mine = (here.*ports)();
                const auto& others = (there.*ports)();
                QCOMPARE(others.size(), mine.size());
                for (std::size_t i = 0; i < mine.size(); ++i) {
                    QCOMPARE(others[i].name, mine[i].name);
                    QCOMPARE(toString(others[i].type), toString(mine[i].type));
                }
            }
            const auto mine = here.run(inputs);
            const auto others = there.run(inputs);
            QCOMPARE(others.size(), mine.size());
            for (std::size_t i = 0; i < mine.size(); ++i) {
                QCOMPARE(others[i].name, mine[i].name);
                QCOMPARE(others[i].tensor.type(), mine[i].tensor.type());
                QCOMPARE(others[i].tensor.dims(), mine[i].tensor.dims());
                if (mine[i].tensor.type() == ElementType::String) {
                    QVERIFY(others[i].tensor.toStrings() == mine[i].tensor.toStrings());
                } else {
                    QVERIFY(others[i].tensor.toBytes() == mine[i].tensor.toBytes());
                }
            }
        }
    }

    void loadsNothingIntoThisProcess()
    {
        const auto runtime = Runtime::start();
        QVERIFY(runtime->path().empty());
        QCOMPARE(runtime->version(), Runtime::load()->version());
    }

    void reportsWhatTheRuntimeRefuses()
    {
        const auto runtime = Runtime::start();
        QCOMPARE(problemOf([&] { RuntimeSession(runtime, std::filesystem::path("/nowhere/m.onnx")); }),
                 QByteArray("runtime"));
        const RuntimeSession session(runtime, m_loop); // the process is still there
        const std::vector<NamedTensor> wrong{{"x", Tensor::ints(std::vector<std::int64_t>{1})}};
        QCOMPARE(problemOf([&] { session.run(wrong); }), QByteArray("runtime"));
    }

    void stopsAModelThatRunsWithoutEnd()
    {
        const RuntimeSession session(Runtime::start({.time = 2s}), m_loop);
        const std::vector<NamedTensor> inputs{one()};
        QCOMPARE(problemOf([&] { session.run(inputs); }), QByteArray("time-limit"));
    }

    void stopsOnRequest()
    {
        for (const bool isOfRun : {false, true}) {
            std::stop_source source;
            const RuntimeSession session(Runtime::start({}, isOfRun ? std::stop_token() : source.get_token()), m_loop);
            const std::vector<NamedTensor> inputs{one()};
            const std::jthread later([&] {
                std::this_thread::sleep_for(100ms);
                source.request_stop();
            });
            const auto start = std::chrono::steady_clock::now();
            QCOMPARE(problemOf([&] { session.run(inputs, isOfRun ? source.get_token() : std::stop_token()); }),
                     QByteArray("cancelled"));
            QVERIFY(std::chrono::steady_clock::now() - start < 30s);
        }
    }

    void survivesACrash_data()
    {
        QTest::addColumn<QByteArray>("crash");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("abort") << QByteArray("abort") << QByteArray("runtime-crash");
        QTest::newRow("segmentation fault") << QByteArray("fault") << QByteArray("runtime-crash");
        QTest::newRow("exit") << QByteArray("exit") << QByteArray("runtime-crash");
        QTest::newRow("no interface") << QByteArray("null") << QByteArray("no-runtime");
    }
    void survivesACrash()
    {
        QFETCH(QByteArray, crash);
        qputenv(runtimeVariable, CRASHING_RUNTIME);
        qputenv("CROSSWALK_TEST_CRASH", crash);
        QTEST(problemOf([&] { Runtime::start(); }), "code");
    }

    void refusesOutputsBeyondItsMemory()
    {
        if (hasShadowMemory) {
            QSKIP("a sanitizer needs more memory than any limit");
        }
        const auto model = parseModel("g (int64[1] n) => (float[M] y) { y = ConstantOfShape(n) }").SerializeAsString();
        constexpr std::uint64_t memory = 1U << 30U;
        const RuntimeSession session(Runtime::start({.memory = memory}), std::as_bytes(std::span(model)));
        const std::vector<NamedTensor> inputs{{"n", Tensor::ints(std::vector<std::int64_t>{1} = {1LL << 34})}};
        const QByteArray problem = problemOf([&] { session.run(inputs); });
        QVERIFY2(problem == "runtime" || problem == "runtime-crash" || problem == "output-limit", problem.constData());
    }

    void measuresThere()
    {
        OnnxModel model = emptyModel();
        const TensorType number{ElementType::Float32, Shape{1000}};
        addInput(model, "x", number);
        addNode(model, "Exp", {"x"}, {"y"});
        addOutput(model, "y", number);
        const auto report = measureLatency(model, {}, {});
        QVERIFY2(report, report ? "" : report.problem().message.c_str());
        QVERIFY(report.value().nodes.at(0).has_value());
        QVERIFY(report.value().total >= *report.value().nodes[0]);
        QVERIFY(report.value().total < 1);
    }

    /// A program called crosswalk that cannot do it, or is of another version.
    void runsHereWithoutAProgram()
    {
        const auto program = m_files.write("crosswalk", "#!/bin/sh\necho 'error: no such option'\nexit 2\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", QByteArray::fromStdString(program.parent_path().string()));
        useRuntimeProgram({});
        const auto runtime = Runtime::start();
        qputenv("PATH", before);
        QCOMPARE(runtime, Runtime::load());
    }
};

QTEST_GUILESS_MAIN(TestRuntimeProcess)
#include "tst_runtime_process.moc"
