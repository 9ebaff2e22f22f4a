#include "core/verify/runtime.h"

#include "core/verify/runtime_library.h"
#include "tests/support/onnx_text.h"

#include <QtTest>
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <set>
#include <thread>

using namespace crosswalk;
using test::parseModel;

namespace {

std::string serialized(const std::string& graph)
{
    return parseModel(graph).SerializeAsString();
}

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

NamedTensor floats(std::string name, std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    return {std::move(name), Tensor::of<float>(ElementType::Float32, std::move(dims), values)};
}

QByteArray refused(const auto& result)
{
    return result ? QByteArray("none") : QByteArray::fromStdString(std::string(result.problem().code.text()));
}

/// The path of the library that contains an address.
std::string libraryOf(auto function)
{
    Dl_info info;
    return dladdr(reinterpret_cast<const void*>(function), &info) != 0 ? info.dli_fname : "";
}

} // namespace

class TestRuntime : public QObject {
    Q_OBJECT
private slots:
    void init() { qunsetenv("CROSSWALK_ONNXRUNTIME"); }

    void loadsTheLibrary()
    {
        const auto runtime = Runtime::load();
        QCOMPARE(runtime, Runtime::load());
        const auto parts = QString::fromStdString(runtime->version()).split(QLatin1Char('.'));
        QVERIFY2(parts.size() == 3 && parts[0].toInt() == 1, runtime->version().c_str());
        QVERIFY(runtime->path().filename().string().starts_with("libonnxruntime.so"));
    }

    void functionTableEntriesAreInTheLibrary()
    {
        const Runtime::State state(Runtime::load()->path());
        const std::string library = libraryOf(state.base->api);
        std::array<void (*)(), sizeof(onnxruntime::Api) / sizeof(void (*)())> functions{};
        static_assert(sizeof(functions) == sizeof(onnxruntime::Api));
        std::memcpy(functions.data(), &state.api, sizeof(functions));
        for (const auto function : functions) {
            QCOMPARE(libraryOf(function), library);
        }
        QCOMPARE((std::set<void (*)()>(functions.begin(), functions.end()).size()), functions.size());
    }

    void runsAModelAndReadsItsPorts()
    {
        const auto model = serialized("g (float[N,3] x, int64[2] k) => (float[N,3] y, int64[2] m, bool[N,3] z)"
                                      "{ two = Constant<value = float {2.0}>() y = Mul(x, two)"
                                      "  m = Neg(k) z = Greater(x, two) }");
        const RuntimeSession session(Runtime::load(), bytesOf(model), {.threads = 1});
        QCOMPARE(session.inputs().size(), 2U);
        QCOMPARE(session.inputs()[0].name, std::string("x"));
        QCOMPARE(toString(session.inputs()[0].type), std::string("float32 Nx3"));
        QCOMPARE(toString(session.inputs()[1].type), std::string("int64 2"));
        QCOMPARE(session.outputs()[2].type.element, ElementType::Bool);

        const std::vector<std::int64_t> k{7, -8};
        const std::vector<NamedTensor> inputs{{"k", Tensor::ints(k)}, floats("x", {2, 3}, {1, 2, 3, 4, 5, 6})};
        const auto outputs = session.run(inputs);
        QCOMPARE(outputs.size(), 3U);
        QCOMPARE(outputs[0].name, std::string("y"));
        QCOMPARE(outputs[0].tensor.dims(), (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(outputs[0].tensor.toDoubles(), (std::vector<double>{2, 4, 6, 8, 10, 12}));
        QCOMPARE(outputs[1].tensor.toInts(), (std::vector<std::int64_t>{-7, 8}));
        QCOMPARE(outputs[2].tensor.toInts(), (std::vector<std::int64_t>{0, 0, 1, 1, 1, 1}));
    }

    void runsScalarsAndEmptyTensors()
    {
        const auto model = serialized("g (float[N] x, float s) => (float[N] y) { y = Mul(x, s) }");
        const std::vector<NamedTensor> empty{floats("x", {0}, {}), floats("s", {}, {2})};
        const auto none = runModel(bytesOf(model), empty);
        QVERIFY2(none, none ? "" : none.problem().message.c_str());
        QCOMPARE(none.value()[0].tensor.dims(), std::vector<std::int64_t>{0});
    }

    void runsHalf()
    {
        const auto model = serialized("g (float16[2] x) => (float16[2] y) { y = Neg(x) }");
        const std::vector<std::uint16_t> halves{0x3c00, 0xc000}; // 1, -2
        const std::vector<NamedTensor> inputs{{"x", Tensor::of<std::uint16_t>(ElementType::Float16, {2}, halves)}};
        const auto result = runModel(bytesOf(model), inputs);
        QVERIFY(result);
        QCOMPARE(result.value()[0].tensor.toDoubles(), (std::vector<double>{-1, 2}));
    }

    void runsStrings()
    {
        const auto model = serialized("g (string[N] x) => (string[N] y, string[M] z)"
                                      "{ y = Identity(x) z = Constant<value = string[2] {\"a\", \"\"}>() }");
        const std::vector<std::string> values{"", "zwei \xc3\xa4", "x", ""};
        const std::vector<NamedTensor> inputs{{"x", Tensor::strings({4}, values)}};
        const auto result = runModel(bytesOf(model), inputs);
        QVERIFY2(result, result ? "" : result.problem().message.c_str());
        QCOMPARE(result.value()[0].tensor.type(), ElementType::String);
        QCOMPARE(result.value()[0].tensor.toStrings(), values);
        QCOMPARE(result.value()[1].tensor.toStrings(), (std::vector<std::string>{"a", ""}));

        const std::vector<NamedTensor> empty{{"x", Tensor::strings({0}, {})}};
        const auto none = runModel(bytesOf(model), empty);
        QVERIFY2(none, none ? "" : none.problem().message.c_str());
        QCOMPARE(none.value()[0].tensor.dims(), std::vector<std::int64_t>{0});

        // The C interface takes null-terminated strings: an embedded null byte would truncate the string.
        const std::vector<NamedTensor> zero{{"x", Tensor::strings({1}, {std::string("a\0b", 3)})}};
        QCOMPARE(refused(runModel(bytesOf(model), zero)), QByteArray("runtime"));
    }

    void runtimeErrorsAreReportedWithTheirMessage()
    {
        QCOMPARE(refused(runModel(std::filesystem::path("/nowhere/m.onnx"), {})), QByteArray("runtime"));
        QCOMPARE(refused(runModel(bytesOf("no model"), {})), QByteArray("runtime"));
        const auto model = serialized("g (float[N,3] x) => (float[N,3] y) { y = Neg(x) }");
        QCOMPARE(refused(runModel(bytesOf(model), {})), QByteArray("runtime"));
        const std::vector<NamedTensor> wrongShape{floats("x", {1, 4}, {1, 2, 3, 4})};
        const auto result = runModel(bytesOf(model), wrongShape);
        QCOMPARE(refused(result), QByteArray("runtime"));
        QVERIFY(result.problem().message.find('\n') == std::string::npos);
        QVERIFY(result.problem().message.find("Expected: 3") != std::string::npos);
    }

    void runCanBeCancelled()
    {
        const auto model =
            serialized("g (int64 n, float[8] x) => (float[8] y)"
                       "{ y = Loop(n, , x) <body = b (int64 i, bool c, float[8] s) => (bool d, float[8] t)"
                       "  { d = Identity(c) t = Sqrt(s) }> }");
        const std::vector<NamedTensor> inputs{{"n", Tensor::scalar(ElementType::Int64, 1e15)},
                                              floats("x", {8}, std::vector<float>(8, 2))};
        std::stop_source source;
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            source.request_stop();
        });
        QCOMPARE(refused(runModel(bytesOf(model), inputs, {}, source.get_token())), QByteArray("cancelled"));
    }

    void environmentVariableTakesPrecedence()
    {
        const auto path = Runtime::load()->path();
        qputenv("CROSSWALK_ONNXRUNTIME", QByteArray::fromStdString(path.string()));
        QCOMPARE(runtimeCandidates(), std::vector{path});
        qputenv("CROSSWALK_ONNXRUNTIME", QByteArray::fromStdString(path.parent_path().string()));
        QCOMPARE(runtimeCandidates(), std::vector{path});
        qputenv("CROSSWALK_ONNXRUNTIME", "/nowhere/at/all.so");
        QCOMPARE(runtimeCandidates(), std::vector{std::filesystem::path("/nowhere/at/all.so")});
    }

    void otherLibrariesAreRejected()
    {
        const QTemporaryDir folder;
        const auto text = std::filesystem::path(folder.path().toStdString()) / "libonnxruntime.so";
        std::ofstream(text) << "not a library";
        QVERIFY_EXCEPTION_THROWN(Runtime{text}, ModelError);
        try {
            Runtime other("libm.so.6");
            QFAIL("libm was accepted as ONNX Runtime");
        } catch (const ModelError& error) {
            QCOMPARE(error.diagnostic.code, Code("no-runtime"));
            QVERIFY(!error.diagnostic.hint.empty());
        }
    }
};

QTEST_APPLESS_MAIN(TestRuntime)
#include "tst_runtime.moc"
