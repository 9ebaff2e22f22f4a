// TensorFlow. First, frozen graphs from the start of the program to its end, compared with the recorded times of
// tf2onnx's command line: the target is at most a twentieth. Second, the memory for a checkpoint of 1 GB: the target is
// below 100 MB of anonymous memory, because weights stay in the file.

#include "tests/bench/process.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/tensorflow_text.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

using namespace crosswalk;
using namespace crosswalk::bench;
namespace fs = std::filesystem;

namespace {

constexpr double aimedRatio = 1.0 / 20;
constexpr std::size_t rounds = 5;
constexpr std::uint64_t aimedMemory = 100'000'000;

[[noreturn]] void fail(const std::string& why)
{
    fmt::print(stderr, "error: {}\n", why);
    std::exit(1);
}

struct Baseline {
    fs::path model;
    double seconds = 0;
};

/// The frozen graphs whose time is recorded: the last column of a row whose first is the name of a case.
std::vector<Baseline> baselines()
{
    const fs::path shared = CROSSWALK_SHARED;
    std::ifstream file(shared / "baselines/tf.csv");
    std::vector<Baseline> rows;
    for (std::string line; std::getline(file, line);) {
        const std::string name = line.substr(0, line.find(','));
        line.erase(line.find_last_not_of("\r\n") + 1);
        const std::string last = line.substr(line.rfind(',') + 1);
        double seconds = 0;
        const auto [end, error] = std::from_chars(last.data(), last.data() + last.size(), seconds);
        const fs::path model = shared / "cases/tf" / name / "frozen.pb";
        if (!name.empty() && error == std::errc() && seconds > 0 && fs::exists(model)) {
            rows.push_back({model, seconds});
        }
    }
    return rows;
}

double medianSeconds(const std::vector<std::string>& command)
{
    std::array<double, rounds> times{};
    for (double& time : times) {
        const auto run = runProcess(command);
        if (run.status != 0) {
            fail(fmt::format("{} ended with status {}", command[2], run.status));
        }
        time = run.seconds;
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
}

void compareTimes(const fs::path& folder)
{
    std::vector<double> ratios;
    for (const Baseline& row : baselines()) {
        const double seconds =
            medianSeconds({CROSSWALK_PROGRAM, "convert", row.model, "-o", folder / "out.onnx", "--quiet", "--force"});
        ratios.push_back(seconds / row.seconds);
        fmt::print("  {:<44} {:7.1f} ms, {:.3f} of tf2onnx's {:.2f} s  {}\n",
                   row.model.parent_path().filename().string(), 1e3 * seconds, ratios.back(), row.seconds,
                   ratios.back() <= aimedRatio ? "kept" : "MISSED");
    }
    if (ratios.empty()) {
        fmt::print("  the recorded times are absent ({}/baselines/tf.csv)\n", CROSSWALK_SHARED);
        return;
    }
    const auto kept = std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio <= aimedRatio; });
    fmt::print("{} of {} frozen graphs take at most 1/20 of tf2onnx's time\n", kept, ratios.size());
}

void measureMemory(const fs::path& folder)
{
    constexpr std::int64_t width = 8192;
    constexpr int layers = 4;
    std::string graph = fmt::format("x = Placeholder dtype=float shape=[?,{}]\n", width);
    std::vector<std::pair<std::string, test::SavedTensor>> weights;
    for (int i = 0; i < layers; ++i) {
        graph += fmt::format("w{0} = VariableV2 dtype=float shape=[{1},{1}]\nr{0} = Identity(w{0})\n"
                             "m{0} = MatMul({2}, r{0})\n",
                             i, width, i == 0 ? "x" : fmt::format("m{}", i - 1));
        test::SavedTensor tensor{.dims = {width, width}};
        tensor.values.assign(static_cast<std::size_t>(width * width), 0.5F + static_cast<float>(i));
        weights.emplace_back(fmt::format("w{}", i), std::move(tensor));
    }
    std::ofstream(folder / "graph.pb", std::ios::binary) << test::graphDefOf(graph);
    const test::Checkpoint checkpoint = test::checkpointOf(weights);
    std::ofstream(folder / "ckpt.index", std::ios::binary) << checkpoint.index;
    std::ofstream(folder / "ckpt.data-00000-of-00001", std::ios::binary) << checkpoint.data;
    const auto run = runProcess({CROSSWALK_PROGRAM, "convert", folder / "graph.pb", folder / "ckpt.index", "-o",
                                 folder / "out.onnx", "--quiet"},
                                true);
    if (run.status != 0) {
        fail(fmt::format("the conversion of the checkpoint ended with status {}", run.status));
    }
    fmt::print("A checkpoint of {:.2f} GB: {:.1f} s, peak anonymous memory {:.1f} MB  {}\n",
               static_cast<double>(checkpoint.data.size()) / 1e9, run.seconds,
               static_cast<double>(run.peakAnonymous) / 1e6, run.peakAnonymous <= aimedMemory ? "kept" : "MISSED");
}

} // namespace

int main()
{
    const fs::path folder = fs::path(CROSSWALK_BENCH_FOLDER) / "tensorflow";
    fs::create_directories(folder);
    compareTimes(folder);
    measureMemory(folder);
    fs::remove_all(folder);
    return 0;
}
