#include "tests/bench/corpus.h"

#include "tests/bench/process.h"

#include <cstdlib>
#include <fmt/format.h>

namespace crosswalk::bench {

namespace fs = std::filesystem;

fs::path corpusModel(const std::string& family, unsigned size)
{
    const fs::path folder = CROSSWALK_CORPUS;
    const fs::path model = folder / "corpus" / fmt::format("{}_{}.onnx", family, size);
    if (fs::exists(model)) {
        return model;
    }
    const fs::path script = fs::path(CROSSWALK_SHARED) / "tools" / "make_graphs.py";
    if (!fs::exists(script)) {
        fmt::print(stderr, "error: {} is missing: set CROSSWALK_SHARED to its folder\n", script.string());
        std::exit(1);
    }
    fs::create_directories(folder);
    fs::current_path(folder); // the script writes to the current folder
    const auto run = runProcess({CROSSWALK_PYTHON, script, family, fmt::format("--sizes={}", size)});
    if (run.status != 0 || !fs::exists(model)) {
        fmt::print(stderr, "error: {} could not create {}\n", script.string(), model.string());
        std::exit(1);
    }
    return model;
}

} // namespace crosswalk::bench
