// Keras files from the start of the program to its end, compared with the recorded times of whole processes of tf2onnx
// and of Keras's own export (keras_peers.py): the target is at most a twentieth. CPU time, which other programs change
// little.

#include "tests/bench/process.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
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
    std::vector<std::string> columns;
    std::istringstream text(line);
    for (std::string column; std::getline(text, column, ',');) {
        columns.push_back(column);
    }
    columns.resize(std::max<std::size_t>(columns.size(), 4));
    return columns;
}

/// The rows of tests/data/keras_peers.csv whose files are there: case, file, peer, seconds.
std::vector<Baseline> baselines()
{
    std::ifstream file(CROSSWALK_PEERS);
    std::vector<Baseline> rows;
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> columns = columnsOf(line);
        double seconds = 0;
        const std::string& text = columns.back();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        const fs::path model = fs::path(CROSSWALK_SHARED) / "cases/keras" / columns[0] / columns[1];
        if (columns.size() == 4 && error == std::errc() && fs::is_regular_file(model)) {
            rows.push_back({model, columns[2], seconds});
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
        time = run.cpuSeconds;
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
        fmt::print("  the recorded cases are absent ({})\n", CROSSWALK_SHARED);
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
