#include "core/verify/inner.h"

#include "core/base/folder_entries.h"
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
    for (const fs::path& entry : entriesOf(folder / "inner")) {
        if (entry.extension() == ".pb") {
            NamedTensor tensor = readTensorFile(entry);
            tensors.emplace(std::move(tensor.name), std::move(tensor.tensor));
        }
    }
    return tensors;
}

using Names = std::map<std::string, std::string>;

struct Exposed {
    std::string recorded;
    std::string value; ///< name in the model
};

/// Adds the recorded values to the outputs of the model, in the order of its nodes. A value of another element type is
/// left out: it represents the recorded one in another way, such as complex numbers as pairs.
std::vector<Exposed> exposeValues(OnnxModel& model, const std::map<std::string, Tensor>& recorded, const Names& names)
{
    std::multimap<std::string, std::string> wanted;
    for (const auto& [name, tensor] : recorded) {
        const auto known = names.find(name);
        wanted.emplace(known != names.end() ? known->second : name, name);
    }
    auto& graph = *model.proto->mutable_graph();
    std::set<std::string> outputs;
    std::map<std::string, ElementType> types;
    for (const auto& info : graph.value_info()) {
        types.emplace(info.name(), fromProto(info.type()).element);
    }
    for (const auto& output : graph.output()) {
        outputs.insert(output.name());
    }
    std::vector<Exposed> exposed;
    for (const auto& node : graph.node()) {
        for (const std::string& name : node.output()) {
            const auto [first, last] = wanted.equal_range(name);
            if (first == last || name.empty()) {
                continue;
            }
            const auto type = types.find(name);
            if (type != types.end() && type->second != ElementType::Undefined &&
                type->second != recorded.at(first->second).type()) {
                continue;
            }
            std::transform(first, last, std::back_inserter(exposed), [](const auto& row) {
                return Exposed{row.second, row.first};
            });
            if (!outputs.contains(name)) {
                graph.add_output()->set_name(name);
                toProto({recorded.at(first->second).type(), std::nullopt},
                        *graph.mutable_output()->rbegin()->mutable_type());
            }
        }
    }
    return exposed;
}

InnerReport compareInner(const fs::path& path, const fs::path& data, const Tolerance& tolerance, const Names& names,
                         const std::stop_token& stop, const RuntimeLimits& limits)
{
    InnerReport report;
    const auto runtime = Runtime::start(limits, stop);
    report.runtimeVersion = runtime->version();
    bool isRecorded = false;
    for (const DataSet& set : readDataSets(data)) {
        const auto recorded = readInner(set.folder);
        if (recorded.empty()) {
            continue;
        }
        isRecorded = true;
        OnnxModel model = loadOnnx(path);
        const auto exposed = exposeValues(model, recorded, names);
        const TemporaryFolder folder;
        writeOnnx(model, folder.path() / "exposed.onnx", {}, stop);
        const RuntimeSession session(runtime, folder.path() / "exposed.onnx");
        const auto got = session.run(pairInputs(session.inputs(), set), stop);
        std::set<std::string_view> compared;
        for (const Exposed& each : exposed) {
            report.values.push_back(
                compare(each.recorded, findNamed(got, each.value)->tensor, recorded.at(each.recorded), tolerance));
            compared.insert(each.recorded);
        }
        for (const auto& [name, tensor] : recorded) {
            if (!compared.contains(name)) {
                report.absent.push_back(name);
            }
        }
    }
    if (!isRecorded) {
        throw ModelError("unreadable", fmt::format("{} contains no inner tensors (inner/*.pb)", data.string()));
    }
    return report;
}

} // namespace

bool InnerReport::equal() const
{
    return std::all_of(values.begin(), values.end(), [](const Comparison& value) { return value.equal; });
}

bool hasInner(const fs::path& data)
{
    std::error_code error;
    if (fs::is_directory(data / "inner", error)) {
        return true;
    }
    return std::ranges::any_of(entriesOf(data),
                               [&](const fs::path& entry) { return fs::is_directory(entry / "inner", error); });
}

Result<InnerReport> verifyInner(const fs::path& model, const fs::path& data, const Tolerance& tolerance,
                                std::stop_token stop, const Names& names, const RuntimeLimits& limits)
{
    try {
        return compareInner(model, data, tolerance, names, stop, limits);
    } catch (const ModelError& error) {
        return error.diagnostic;
    }
}

} // namespace crosswalk
