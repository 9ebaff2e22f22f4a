// Keras files from the start of the program to its end, compared with the recorded times of tf2onnx and of Keras' own
// export, which exclude the start of Python and its imports: the target is at most a twentieth.

#include "tests/bench/process.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <vector>

using namespace crosswalk::bench;
namespace fs = std::filesystem;

namespace {

constexpr double aimedRatio = 1.0 / 20;
constexpr std::size_t rounds = 3;

struct Baseline {
    fs::path model;
    std::string peer;
    double seconds = 0;
};

std::vector<std::string> columnsOf(const std::string& line)
{
    std::vector<std::string> columns(1);
    bool isQuoted = false;
    for (const char c : line) {
        isQuoted = c == '"' ? !isQuoted : isQuoted;
        if (c == ',' && !isQuoted) {
            columns.emplace_back();
        } else if (c != '"' && c != '\r') {
            columns.back() += c;
        }
    }
    return columns;
}

/// The cases that the peer converted correctly, with its seconds: case, category, verdict, error, seconds, peer.
std::vector<Baseline> baselines()
{
    const fs::path shared = CROSSWALK_SHARED;
    std::ifstream file(shared / "baselines/keras.csv");
    std::vector<Baseline> rows;
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> columns = columnsOf(line);
        if (columns.size() < 6 || columns[2] != "correct") {
            continue;
        }
        double seconds = 0;
        const std::string& text = columns[4];
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        for (const char* name : {"model.h5", "model.keras", "model.json"}) {
            const fs::path model = shared / "cases/keras" / columns[0] / name;
            if (error == std::errc() && seconds > 0 && fs::exists(model)) {
                rows.push_back({model, columns[5], seconds});
                break;
            }
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
            fmt::print(stderr, "error: {} ended with status {}\n", command[2], run.status);
            std::exit(1);
        }
        time = run.seconds;
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
}

} // namespace

int main()
{
    const fs::path folder = fs::path(CROSSWALK_BENCH_FOLDER) / "keras";
    fs::create_directories(folder);
    std::map<std::string, std::vector<double>> ratios; // by peer
    for (const Baseline& row : baselines()) {
        const double seconds =
            medianSeconds({CROSSWALK_PROGRAM, "convert", row.model, "-o", folder / "out.onnx", "--quiet", "--force"});
        ratios[row.peer].push_back(seconds / row.seconds);
        fmt::print("  {:<44} {:7.1f} ms, {:.3f} of {:.2f} s  {}\n", row.model.parent_path().filename().string(),
                   1e3 * seconds, seconds / row.seconds, row.seconds,
                   seconds / row.seconds <= aimedRatio ? "kept" : "MISSED");
    }
    if (ratios.empty()) {
        fmt::print("  the recorded times are absent ({}/baselines/keras.csv)\n", CROSSWALK_SHARED);
    }
    for (auto& [peer, all] : ratios) {
        std::sort(all.begin(), all.end());
        const auto kept = std::count_if(all.begin(), all.end(), [](double ratio) { return ratio <= aimedRatio; });
        fmt::print("{}: {} of {} files take at most 1/20 of its time, the median {:.3f} of it\n", peer, kept,
                   all.size(), all[all.size() / 2]);
    }
    fs::remove_all(folder);
    return 0;
}
