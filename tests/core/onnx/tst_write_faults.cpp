// Lets every call to the system, and every large allocation, of an export fail once: the older model is whole or the
// new one is, with its weights, and no other file is left.

#include "core/base/diagnostic.h"
#include "core/base/fault_injection.h"
#include "core/graph/tensor_files.h"
#include "core/onnx/load.h"
#include "core/onnx/writer.h"
#include "tests/support/onnx_models.h"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <new>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace crosswalk;
using namespace crosswalk::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t largeAllocation = 1U << 12U;
std::atomic<std::uint64_t> allocations = 0;
std::atomic<std::uint64_t> failingAllocation = 0;

} // namespace

void* operator new(std::size_t size)
{
    if (size >= largeAllocation && failingAllocation > 0 && ++allocations == failingAllocation) {
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept
{
    std::free(memory);
}

namespace {

/// A model whose weights all have this value.
OnnxModel modelOf(float value)
{
    OnnxModel model = emptyModel();
    addInput(model, "x", {ElementType::Float32, Shape{100'000}});
    addWeight(model, "w", Tensor::of<float>(ElementType::Float32, {100'000}, std::vector<float>(100'000, value)));
    addNode(model, "Add", {"x", "w"}, {"y"});
    addOutput(model, "y", {ElementType::Float32, Shape{100'000}});
    return model;
}

/// The value of the weights of a model that is whole; -1 for any other file.
float valueOf(const fs::path& path)
{
    try {
        const std::vector<double> values = loadOnnx(path).weights.at(0).toDoubles();
        const bool isWhole =
            values.size() == 100'000 && std::ranges::all_of(values, [&](double value) { return value == values[0]; });
        return isWhole ? static_cast<float>(values[0]) : -1;
    } catch (const ModelError&) {
        return -1;
    }
}

/// The files in the folder of a model to which it does not refer.
QStringList leftBeside(const fs::path& path)
{
    QStringList left;
    std::set<fs::path> own{path};
    const OnnxModel model = loadOnnx(path);
    for (const Tensor& weight : model.weights) {
        addFilesOf(weight, own);
    }
    for (const auto& entry : fs::directory_iterator(path.parent_path())) {
        const bool isOwn = std::ranges::any_of(own, [&](const fs::path& file) { return fs::equivalent(file, entry); });
        if (!isOwn) {
            left << QString::fromStdString(entry.path().filename().string());
        }
    }
    return left;
}

} // namespace

class TestWriteFaults : public QObject {
    Q_OBJECT
private slots:
    void systemCallsFail_data()
    {
        QTest::addColumn<bool>("external");
        QTest::newRow("one file") << false;
        QTest::newRow("weights in a file of their own") << true;
    }

    void systemCallsFail()
    {
        QFETCH(bool, external);
        int failures = 0;
        for (std::uint64_t call = 1;; ++call) {
            const QTemporaryDir folder;
            const fs::path path = fs::path(folder.path().toStdString()) / "m.onnx";
            writeOnnx(modelOf(1), path, {.externalData = external});
            injectFault(call, ENOSPC);
            std::string code;
            try {
                writeOnnx(modelOf(2), path, {.externalData = external});
            } catch (const ModelError& error) {
                code = error.diagnostic.code.text();
            }
            const bool isPast = systemCalls() < call;
            injectFault(0, 0);
            QVERIFY2(code.empty() || code == "unwritable", code.c_str());
            countFault(!isPast, valueOf(path));
            QCOMPARE(valueOf(path), code.empty() ? 2.0F : 1.0F);
            // Where the older model could not be read, its weights may be the user's.
            const QStringList left = leftBeside(path);
            QVERIFY2(left.isEmpty() || (code.empty() && left == QStringList{"m.onnx.data"}),
                     qPrintable(left.join(' ')));
            failures += code.empty() ? 0 : 1;
            if (isPast) {
                break;
            }
        }
        QVERIFY2(failures >= (external ? 8 : 4), fmt::format("{}", failures).c_str()); // write, sync, link, rename
    }

    void largeAllocationsFail_data() { systemCallsFail_data(); }
    void largeAllocationsFail()
    {
        QFETCH(bool, external);
        int failures = 0;
        for (std::uint64_t allocation = 1;; ++allocation) {
            const QTemporaryDir folder;
            const fs::path path = fs::path(folder.path().toStdString()) / "m.onnx";
            writeOnnx(modelOf(1), path, {.externalData = external});
            const OnnxModel model = modelOf(2);
            bool hasFailed = false;
            allocations = 0;
            failingAllocation = allocation;
            try {
                writeOnnx(model, path, {.externalData = external});
            } catch (const std::bad_alloc&) {
                hasFailed = true;
            }
            const bool isPast = allocations < allocation;
            failingAllocation = 0;
            countFault(!isPast, valueOf(path));
            QCOMPARE(valueOf(path), hasFailed ? 1.0F : 2.0F);
            QCOMPARE(leftBeside(path), QStringList());
            failures += hasFailed ? 1 : 0;
            if (isPast) {
                break;
            }
        }
        QVERIFY(failures > 0);
    }

    /// A kill after the weights have their name, before the model has.
    void killedBetweenTheFiles()
    {
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "m.onnx";
        writeOnnx(modelOf(1), path, {.externalData = true});
        int kills = 0;
        for (std::uint64_t call = 1; call < 100; ++call) {
            const ::pid_t child = ::fork();
            if (child == 0) {
                injectFault(call, killProcess);
                writeOnnx(modelOf(2), path, {.externalData = true});
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            const float value = valueOf(path);
            countFault(WIFSIGNALED(status), value);
            if (!WIFSIGNALED(status)) {
                QCOMPARE(value, 2.0F);
                break;
            }
            ++kills;
            QVERIFY(value == 1.0F || value == 2.0F);
            writeOnnx(modelOf(1), path, {.externalData = true});
            QCOMPARE(valueOf(path), 1.0F);
            QStringList left = leftBeside(path); // it has removed what the killed process left
            left.removeAll("m.onnx.data");       // except what may be the user's
            QCOMPARE(left, QStringList());
        }
        QVERIFY(kills >= 8);
    }

    void cleanupTestCase()
    {
        qInfo("faults injected while writing: %d, data lost: %d", m_faults, m_lost); // ./dev robustness prints it
        QCOMPARE(m_lost, 0);
    }

private:
    /// `value`: of the model that is there afterwards.
    void countFault(bool isInjected, float value)
    {
        m_faults += isInjected ? 1 : 0;
        m_lost += value == 1.0F || value == 2.0F ? 0 : 1;
    }

    int m_faults = 0;
    int m_lost = 0;
};

QTEST_APPLESS_MAIN(TestWriteFaults)
#include "tst_write_faults.moc"
