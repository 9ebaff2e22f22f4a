#include "core/convert/convert_over_batch.h"

#include "core/convert/value_names.h"
#include "core/onnx/proto.h"
#include "core/rewrite/scan_over_batch.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace crosswalk {
namespace {

/// Finds the batch axes in the requested shapes, and replaces their size by one.
BatchAxes takeBatch(ConvertOptions& options)
{
    BatchAxes axes;
    const Dim batch(options.scanOverBatch);
    for (auto& [input, shape] : options.shapes) {
        if (std::count(shape.begin(), shape.end(), batch) > 1) {
            throw ModelError("each-sample", fmt::format("--each-sample: {} occurs twice in the shape of input {}, {}",
                                                        batch.symbol(), input, toString(shape)));
        }
        const auto at = std::find(shape.begin(), shape.end(), batch);
        if (at != shape.end()) {
            axes[input] = static_cast<std::size_t>(at - shape.begin());
            *at = Dim(1);
        }
    }
    if (axes.empty()) {
        throw ModelError(
            "each-sample", fmt::format("--each-sample: no --shape contains {}", batch.symbol()),
            fmt::format("use it in the shapes of the inputs, such as --shape data={},3,224,224", batch.symbol()));
    }
    return axes;
}

/// The axes of inputs of the export; shapes may also belong to other values. Inputs without an axis are the same for
/// every sample, which is reported as a note.
BatchAxes axesOfInputs(Conversion& conversion, const BatchAxes& axes)
{
    const auto& graph = conversion.model.whole().proto->graph();
    std::unordered_set<std::string_view> stored;
    for (const auto& weight : graph.initializer()) {
        stored.insert(weight.name());
    }
    BatchAxes found;
    for (const auto& input : graph.input()) {
        const auto axis = axes.find(input.name());
        if (stored.contains(input.name())) {
            continue;
        }
        if (axis != axes.end()) {
            found.insert(*axis);
        } else {
            conversion.problems.push_back(
                {.severity = Severity::Note,
                 .code = "kept-input",
                 .message = fmt::format("input {} is the same for all samples", input.name())});
        }
    }
    if (found.empty()) {
        throw ModelError("each-sample", "--each-sample: no input of the export has a batch axis");
    }
    return found;
}

/// Maps all source nodes with targets to the Scan, the only remaining node.
void linkToScan(Conversion& conversion)
{
    conversion.keepsGraph = false;
    std::vector<NodeId> all;
    for (std::uint32_t i = 0; i < conversion.targets.size(); ++i) {
        if (!conversion.targets[i].empty()) {
            conversion.targets[i] = {0};
            all.push_back(NodeId{i});
        }
    }
    conversion.sources.clear();
    conversion.sources.push_back(std::move(all));
}

/// Values inside the Scan have no name outside of it.
void describeValues(Conversion& conversion, const std::map<std::string, TensorType>& ports)
{
    for (std::size_t i = 0; i < conversion.valueNames.size(); ++i) {
        if (const auto port = ports.find(conversion.valueNames[i]); port != ports.end()) {
            conversion.valueTypes[i] = port->second;
        }
    }
    forgetVanishedValues(conversion);
}

} // namespace

Conversion convertOverBatch(const ConvertOptions& options,
                            const std::function<Conversion(const ConvertOptions&)>& convert)
{
    if (options.part) {
        throw ModelError("each-sample", "--each-sample cannot be combined with extracting a part",
                         "export the part first, and convert the exported file");
    }
    ConvertOptions single = options;
    const BatchAxes axes = takeBatch(single);
    single.scanOverBatch.clear();
    Conversion conversion = convert(single);
    if (conversion.inputIsBad()) {
        return conversion;
    }
    BatchScan sampled = scanOverBatch(conversion.model.whole(), axesOfInputs(conversion, axes), options.scanOverBatch);
    for (Diagnostic& problem : sampled.problems) {
        conversion.problems.push_back(std::move(problem));
    }
    if (sampled.isChanged) {
        linkToScan(conversion);
        describeValues(conversion, sampled.ports);
    }
    return conversion;
}

} // namespace crosswalk
