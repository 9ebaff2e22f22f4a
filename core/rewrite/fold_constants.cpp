#include "core/onnx/node.h"
#include "core/rewrite/constant_functions.h"
#include "core/rewrite/constant_results.h"
#include "core/rewrite/graph_edit.h"

#include <algorithm>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;

/// The results of a model's constant nodes may be larger than all that its file has. Once they have so many bytes
/// altogether, the rest of them is left to the runtime.
constexpr std::uint64_t allResultsLimit = 256U << 20U;

/// The constant outputs of a node, if it can be folded.
std::optional<std::vector<Tensor>> resultsOf(const GraphEdit& edit, const NodeProto& node)
{
    if (!node.domain().empty()) {
        return std::nullopt;
    }
    if (node.op_type() == "Constant") {
        auto value = constantValue(node);
        return value ? std::optional(std::vector{std::move(*value)}) : std::nullopt;
    }
    std::vector<const Tensor*> inputs;
    for (const std::string& name : node.input()) {
        inputs.push_back(name.empty() ? nullptr : edit.stored(name));
    }
    if (auto results = foldedResults(node, inputs, [&](const std::string& name) { return edit.typeOf(name); })) {
        return results;
    }
    auto result = constantFunction(node, inputs);
    return result ? std::optional(std::vector{std::move(*result)}) : std::nullopt;
}

} // namespace

void foldConstants(RewrittenModel model, const NodeNames& names)
{
    GraphEdit edit(model, names);
    const bool isBody = model.body != nullptr;
    std::uint64_t bytes = 0;
    for (int i = 0; i < edit.graph().node_size() && bytes < allResultsLimit; ++i) {
        edit.update(*edit.graph().mutable_node(i));
        const NodeProto& node = edit.graph().node(i);
        const auto& outputs = node.output();
        if (std::any_of(outputs.begin(), outputs.end(), [&](const std::string& output) {
                return output.empty() || (isBody && !edit.isReplaceable(output));
            })) {
            continue;
        }
        if (auto results = resultsOf(edit, node)) {
            for (const Tensor& result : *results) {
                bytes += node.op_type() != "Constant" ? result.bytes() : 0;
            }
            edit.replace(i, std::move(*results));
        }
    }
    edit.finish();
}

} // namespace crosswalk
