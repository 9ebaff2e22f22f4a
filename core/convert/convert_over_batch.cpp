#include "core/convert/convert_over_batch.h"

#include "core/convert/value_names.h"
#include "core/onnx/proto.h"
#include "core/rewrite/scan_over_batch.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace crosswalk {
namespace {

/// Where the batch stands in the shapes that are asked for; one sample is left there.
BatchAxes takeBatch(ConvertOptions& options)
{
    BatchAxes axes;
    const Dim batch(options.scanOverBatch);
    for (auto& [input, shape] : options.shapes) {
        if (std::count(shape.begin(), shape.end(), batch) > 1) {
            throw ModelError("each-sample", fmt::format("--each-sample: {} stands twice in the shape of input {}, {}",
                                                        batch.symbol, input, toString(shape)));
        }
        const auto at = std::find(shape.begin(), shape.end(), batch);
        if (at != shape.end()) {
            axes[input] = static_cast<std::size_t>(at - shape.begin());
            *at = Dim(1);
        }
    }
    if (axes.empty()) {
        throw ModelError("each-sample",
                         fmt::format("--each-sample names {}, which stands in no shape that is given", batch.symbol),
                         fmt::format("give the inputs' shapes with it, as --shape data={},3,224,224", batch.symbol));
    }
    return axes;
}

/// The axes of those that are inputs of the export; a shape can be another value's too. The rest hold the same for
/// every sample, which is noted.
BatchAxes axesOfInputs(Conversion& conversion, const BatchAxes& axes)
{
    const auto& graph = conversion.model.proto->graph();
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
        throw ModelError("each-sample", "--each-sample: no input of the export holds a sample");
    }
    return found;
}

/// All source nodes that made nodes are in the one that is left now.
void linkToScan(Conversion& conversion)
{
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

/// What is inside of the Scan has no name outside of it.
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
        throw ModelError("each-sample", "--each-sample: a part that is cut out has no samples of its own",
                         "write the part first");
    }
    ConvertOptions single = options;
    const BatchAxes axes = takeBatch(single);
    single.scanOverBatch.clear();
    Conversion conversion = convert(single);
    if (conversion.inputIsBad()) {
        return conversion;
    }
    BatchScan sampled = scanOverBatch(conversion.model, axesOfInputs(conversion, axes), options.scanOverBatch);
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
