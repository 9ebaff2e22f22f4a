#include "core/formats/model_files.h"

#include "core/graph/tensor_files.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

void addFilesOf(const Graph& graph, std::set<fs::path>& files)
{
    for (std::uint32_t i = 0; i < graph.tensorCount(); ++i) {
        addFilesOf(graph.tensor(TensorId{i}), files);
    }
    for (const auto& body : graph.subgraphs) {
        addFilesOf(*body, files);
    }
}

} // namespace

std::vector<fs::path> filesOf(const LoadedModel& model)
{
    std::set<fs::path> files{model.path};
    files.insert(model.otherFiles.begin(), model.otherFiles.end());
    if (!model.weights.empty()) {
        files.insert(model.weights);
    }
    addFilesOf(*model.graph, files);
    return {files.begin(), files.end()};
}

std::vector<fs::path> filesOf(const fs::path& model, std::span<const Tensor> tensors)
{
    std::set<fs::path> files{model};
    for (const Tensor& tensor : tensors) {
        addFilesOf(tensor, files);
    }
    return {files.begin(), files.end()};
}

void expectNoneOf(const std::vector<fs::path>& files, const fs::path& output, const std::string& hint)
{
    for (const fs::path& written : {output, fs::path(output.string() + ".data")}) {
        for (const fs::path& file : files) {
            std::error_code ignored;
            if (fs::equivalent(file, written, ignored)) {
                throw ModelError("usage", fmt::format("{} is a file of the model itself", written.string()), hint);
            }
        }
    }
}

} // namespace crosswalk
