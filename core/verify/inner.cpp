#include "core/verify/inner.h"

#include "core/base/temporary_folder.h"
#include "core/onnx/load.h"
#include "core/onnx/proto.h"
#include "core/onnx/writer.h"
#include "core/verify/compare.h"
#include "core/verify/pairing.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

std::map<std::string, Tensor> readInner(const fs::path& folder)
{
    std::map<std::string, Tensor> tensors;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / "inner", error)) {
        if (entry.path().extension() == ".pb") {
            NamedTensor tensor = readTensorFile(entry.path());
            tensors.emplace(std::move(tensor.name), std::move(tensor.tensor));
        }
    }
    return tensors;
}

/// Makes the recorded values outputs of the model, in the order of its nodes, and returns their names.
std::vector<std::string> exposeValues(OnnxModel& model, const std::map<std::string, Tensor>& recorded)
{
    auto& graph = *model.proto->mutable_graph();
    std::set<std::string> outputs;
    for (const auto& output : graph.output()) {
        outputs.insert(output.name());
    }
    std::vector<std::string> names;
    for (const auto& node : graph.node()) {
        for (const std::string& name : node.output()) {
            if (!recorded.contains(name)) {
                continue;
            }
            names.push_back(name);
            if (!outputs.contains(name)) {
                graph.add_output()->set_name(name);
                toProto({recorded.at(name).type(), std::nullopt}, *graph.mutable_output()->rbegin()->mutable_type());
            }
        }
    }
    return names;
}

InnerReport compareInner(const fs::path& path, const fs::path& data, const Tolerance& tolerance,
                         const std::stop_token& stop)
{
    InnerReport report;
    const auto runtime = Runtime::load();
    report.runtimeVersion = runtime->version();
    bool isRecorded = false;
    for (const DataSet& set : readDataSets(data)) {
        const auto recorded = readInner(set.folder);
        if (recorded.empty()) {
            continue;
        }
        isRecorded = true;
        OnnxModel model = loadOnnx(path);
        const auto names = exposeValues(model, recorded);
        const TemporaryFolder folder;
        writeOnnx(model, folder.path() / "exposed.onnx", {}, stop);
        const RuntimeSession session(runtime, folder.path() / "exposed.onnx");
        const auto got = session.run(pairInputs(session.inputs(), set), stop);
        for (const std::string& name : names) {
            report.values.push_back(compare(name, findNamed(got, name)->tensor, recorded.at(name), tolerance));
        }
        for (const auto& [name, tensor] : recorded) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                report.absent.push_back(name);
            }
        }
    }
    if (!isRecorded) {
        throw ModelError("unreadable", fmt::format("{} holds no inner tensors (inner/*.pb)", data.string()));
    }
    return report;
}

} // namespace

bool InnerReport::equal() const
{
    return std::all_of(values.begin(), values.end(), [](const Comparison& value) { return value.equal; });
}

Result<InnerReport> verifyInner(const fs::path& model, const fs::path& data, const Tolerance& tolerance,
                                std::stop_token stop)
{
    try {
        return compareInner(model, data, tolerance, stop);
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
