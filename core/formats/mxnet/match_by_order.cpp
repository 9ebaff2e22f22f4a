#include "core/formats/mxnet/match_by_order.h"

#include "core/formats/mxnet/layer_orders.h"
#include "core/formats/mxnet/natural_order.h"
#include "core/formats/mxnet/weight_layers.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace crosswalk::mxnet {
namespace {

/// More layers than any model saved without names has. Bounds the time of the comparison.
constexpr std::size_t mostLayers = 4096;

using Files = std::vector<FileLayer>;
using Layers = std::vector<GraphLayer>;
/// For each layer of the graph the layer of the file.
using Assignment = std::vector<std::size_t>;

/// The assignment if shapes and kinds alone determine it.
std::optional<Assignment> decidedByShape(const Layers& layers, const Files& files)
{
    Assignment assignment;
    std::vector<bool> taken(files.size());
    for (const GraphLayer& layer : layers) {
        std::optional<std::size_t> only;
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (fits(layer, files[i])) {
                if (only) {
                    return std::nullopt;
                }
                only = i;
            }
        }
        if (!only || taken[*only]) {
            return std::nullopt;
        }
        taken[*only] = true;
        assignment.push_back(*only);
    }
    return assignment;
}

/// The assignment if the file lists its layers in this order of the graph's layers; nothing if one does not fit.
std::optional<Assignment> inOrder(const Layers& layers, const Files& files, const LayerOrder& order)
{
    Assignment assignment(layers.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!fits(layers[order[i]], files[i])) {
            return std::nullopt;
        }
        assignment[order[i]] = i;
    }
    return assignment;
}

/// The first layer that does not fit in graph order, for the message.
std::string whereOrderFails(const Layers& layers, const Files& files)
{
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (!fits(layers[i], files[i])) {
            return fmt::format("in the file's order, '{}' would get the arrays of '{}', which do not fit",
                               layers[i].name, files[i].name);
        }
    }
    return "the order of its layers is not meaningful";
}

bool sameArraysFit(const GraphLayer& a, const FileLayer& ofA, const GraphLayer& b, const FileLayer& ofB)
{
    return fits(a, ofB) && fits(b, ofA);
}

/// The unique assignment, or why there is none.
Assignment decide(const Graph& graph, const Layers& layers, const Files& files, std::string& refusal)
{
    if (const auto assignment = decidedByShape(layers, files)) {
        return *assignment;
    }
    if (!numbersAscend(files)) {
        refusal = "the numbers in its names do not ascend, so its order is not meaningful";
        return {};
    }
    std::optional<Assignment> found;
    for (const LayerOrder& order : possibleOrders(layers)) {
        auto assignment = inOrder(layers, files, order);
        if (found && assignment && *found != *assignment) {
            refusal = "its arrays may be in graph order or in the order in which the layers were created";
            return {};
        }
        if (assignment) {
            found = std::move(assignment);
        }
    }
    if (!found) {
        refusal = whereOrderFails(layers, files);
        return {};
    }
    const OrderFacts facts(graph, layers);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for (std::size_t j = i + 1; j < layers.size(); ++j) {
            const FileLayer& first = files[(*found)[i]];
            const FileLayer& second = files[(*found)[j]];
            if (sameArraysFit(layers[i], first, layers[j], second) &&
                !facts.areDistinct({i, first.name}, {j, second.name})) {
                refusal =
                    fmt::format("the arrays of '{}' and '{}' are interchangeable", layers[i].name, layers[j].name);
                return {};
            }
        }
    }
    return *found;
}

} // namespace

bool areStructural(const std::vector<StoredArray>& arrays)
{
    const auto isNameless = [](const StoredArray& array) { return array.name.empty(); };
    return std::all_of(arrays.begin(), arrays.end(), isNameless) ||
           std::all_of(arrays.begin(), arrays.end(),
                       [](const StoredArray& array) { return array.name.find('.') != std::string::npos; });
}

OrderMatch matchByOrder(const BuiltGraph& built, const std::vector<StoredArray>& arrays)
{
    OrderMatch match;
    std::vector<WeightWant> wants = weightWants(built, false);
    if (wants.size() < arrays.size()) {
        wants = weightWants(built, true);
    }
    const Files files = fileLayers(arrays);
    const Layers layers = graphLayers(wants, files, match.refusal);
    if (wants.size() != arrays.size() || (match.refusal.empty() && layers.size() != files.size())) {
        match.refusal = fmt::format("it has {} arrays in {} layers, but the model has {} weights", arrays.size(),
                                    files.size(), wants.size());
    }
    if (match.refusal.empty() && layers.size() > mostLayers) {
        match.refusal = fmt::format("{} layers are too many to distinguish", layers.size());
    }
    if (!match.refusal.empty()) {
        return match;
    }
    const Assignment assignment = decide(built.graph, layers, files, match.refusal);
    for (std::size_t i = 0; i < assignment.size(); ++i) {
        for (const auto& [kind, want] : layers[i].wants) {
            match.pairs.emplace_back(want->value, files[assignment[i]].arrays.at(kind));
        }
    }
    return match;
}

} // namespace crosswalk::mxnet
