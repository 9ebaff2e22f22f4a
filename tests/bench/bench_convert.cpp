// Conversion of ResNet-50 compared with a plain copy of its two files: the same disk, a warm cache, medians of 11
// interleaved rounds. The target is 1.5 times the plain copy plus 50 ms, with peak anonymous memory below 200 MB.

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/onnx/writer.h"
#include "tests/bench/process.h"
#include "tests/bench/resnet50.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

using namespace crosswalk;
using namespace crosswalk::bench;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t rounds = 11;
constexpr double aimedFactor = 1.5;
constexpr double aimedExtra = 0.05;
constexpr std::uint64_t aimedMemory = 200'000'000;

[[noreturn]] void fail(const std::string& why)
{
    fmt::print(stderr, "error: {}\n", why);
    std::exit(1);
}

/// Wall-clock time and CPU time. Only CPU time is meaningful if other programs are running.
struct Time {
    double wall = 0;
    double cpu = 0;
};

Time measured(const std::function<void()>& work)
{
    const auto cpuStart = std::clock();
    const auto start = std::chrono::steady_clock::now();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC};
}

double median(const std::array<Time, rounds>& times, double Time::*part)
{
    std::array<double, rounds> values{};
    std::transform(times.begin(), times.end(), values.begin(), [part](const Time& time) { return time.*part; });
    std::nth_element(values.begin(), values.begin() + rounds / 2, values.end());
    return values[rounds / 2];
}

/// Copies with read and write calls, like `cat`.
void copyPlainly(const fs::path& from, const fs::path& to)
{
    static std::vector<char> buffer(1U << 20U);
    const int in = open(from.c_str(), O_RDONLY | O_CLOEXEC);
    const int out = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    for (;;) {
        const ssize_t got = read(in, buffer.data(), buffer.size());
        if (got <= 0) {
            break;
        }
        if (write(out, buffer.data(), static_cast<std::size_t>(got)) != got) {
            fail("the disk is full");
        }
    }
    close(in);
    close(out);
}

void convertHere(const MxnetFiles& files, const fs::path& out)
{
    const auto model = readModel({.model = files.symbol});
    if (!model) {
        fail(model.problem().message);
    }
    ConvertOptions options;
    options.shapes["data"] = {1, 3, 224, 224};
    const auto conversion = convert(*model.value().graph, options);
    if (!conversion || conversion.value().hasErrors()) {
        fail(conversion ? conversion.value().problems[0].message : conversion.problem().message);
    }
    checkModel(conversion.value().model.whole());
    writeOnnx(conversion.value().model, out);
}

} // namespace

int main()
{
    const fs::path folder = fs::path(CROSSWALK_BENCH_FOLDER) / "resnet50";
    fs::create_directories(folder);
    const MxnetFiles files = writeResnet50(folder);
    const fs::path out = folder / "out.onnx";
    const std::vector<std::string> command{CROSSWALK_PROGRAM, "convert",          files.symbol, "-o", out,
                                           "--shape",         "data=1,3,224,224", "--quiet"};
    const auto plainly = [&] {
        copyPlainly(files.symbol, folder / "copy.json");
        copyPlainly(files.params, folder / "copy.params");
    };
    const auto program = [&]() -> Time {
        const auto run = runProcess(command);
        if (run.status != 0) {
            fail(fmt::format("the program ended with status {}", run.status));
        }
        return {run.seconds, run.cpuSeconds};
    };

    std::array<Time, rounds> copied{};
    std::array<Time, rounds> converted{};
    std::array<Time, rounds> asProcess{};
    for (std::size_t i = 0; i < rounds; ++i) {
        copied[i] = measured(plainly);
        converted[i] = measured([&] { convertHere(files, out); });
        asProcess[i] = program();
    }
    const std::uint64_t memory = runProcess(command, true).peakAnonymous;

    const double base = median(copied, &Time::wall);
    const double limit = aimedFactor * base + aimedExtra;
    fmt::print("ResNet-50, {:.1f} MB in two files, median of {}; limit: 1.5 x plain + 50 ms = {:.1f} ms\n",
               static_cast<double>(files.bytes) / 1e6, rounds, 1e3 * limit);
    const auto row = [&](const char* what, const std::array<Time, rounds>& times) {
        const double wall = median(times, &Time::wall);
        fmt::print("  {:<28} {:7.1f} ms ({:.1f} ms CPU), {:.2f} x  {}\n", what, 1e3 * wall,
                   1e3 * median(times, &Time::cpu), wall / base, wall <= limit ? "kept" : "MISSED");
    };
    row("plain read and write calls", copied);
    row("read, convert, check, write", converted);
    row("the program, start to end", asProcess);
    fmt::print("  peak anonymous memory of the program {:.1f} MB  {}\n", static_cast<double>(memory) / 1e6,
               memory <= aimedMemory ? "kept" : "MISSED");
    fs::remove_all(folder);
    return 0;
}
