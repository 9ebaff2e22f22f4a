#include "core/formats/mxnet/weight_layers.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/weight_shapes.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

namespace crosswalk::mxnet {
namespace {

void describeWant(WeightWant& want, const Node& node)
{
    const auto place =
        static_cast<std::size_t>(std::find(node.inputs.begin(), node.inputs.end(), want.value) - node.inputs.begin());
    const auto slots = inputOperands(node.op, node.attributes);
    if (place < slots.size()) {
        want.slot = slots[place].name;
        want.slotKind = slots[place].kind;
    }
    if (const auto shape = weightShape(node, place)) {
        want.shapes.push_back(*shape);
    }
}

/// Gluon's and the operator's term for the same parameter.
std::string_view slotWord(std::string_view kind)
{
    return kind == "running_mean" ? "moving_mean" : kind == "running_var" ? "moving_var" : kind;
}

bool endsWithKind(std::string_view name, std::string_view kind)
{
    if (!name.ends_with(kind) || name.size() <= kind.size()) {
        return false;
    }
    const char before = name[name.size() - kind.size() - 1];
    return before == '_' || before == '.';
}

/// The longest kind that the variable's name ends with, else the name of its slot; empty without.
std::string_view kindOf(const WeightWant& want, const std::set<std::string_view>& kinds)
{
    std::string_view best;
    for (const std::string_view kind : kinds) {
        if (kind.size() > best.size() && endsWithKind(want.name, kind)) {
            best = kind;
        }
    }
    for (const std::string_view kind : kinds) {
        if (best.empty() && slotWord(kind) == want.slot) {
            best = kind;
        }
    }
    return best;
}

std::string layerOf(const WeightWant& want, std::string_view kind)
{
    return endsWithKind(want.name, kind) ? std::string(want.name.substr(0, want.name.size() - kind.size() - 1))
                                         : fmt::format("node {}", want.reader.index);
}

} // namespace

std::vector<WeightWant> weightWants(const BuiltGraph& built, bool hinted)
{
    const Graph& graph = built.graph;
    const Consumers consumers(graph);
    std::vector<WeightWant> wants;
    for (const Variable& variable : built.variables) {
        const Value& value = graph.value(variable.value);
        const auto readers = consumers.of(variable.value);
        if (readers.empty() || (value.role != Role::Parameter && !(hinted && variable.saysParameter))) {
            continue;
        }
        WeightWant want{.value = variable.value, .name = value.name, .reader = readers.front()};
        describeWant(want, graph.node(want.reader));
        if (value.type.shape) {
            want.shapes.push_back(*value.type.shape);
        }
        wants.push_back(std::move(want));
    }
    return wants;
}

std::vector<FileLayer> fileLayers(const std::vector<StoredArray>& arrays)
{
    std::vector<FileLayer> layers;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const StoredArray& array : arrays) {
        const std::string_view name = array.name;
        if (name.empty()) {
            layers.push_back({.name = {}, .arrays = {{std::string_view(), &array}}});
            continue;
        }
        const auto dot = name.rfind('.');
        const auto [place, isNew] = places.try_emplace(name.substr(0, dot), layers.size());
        if (isNew) {
            layers.push_back({.name = name.substr(0, dot), .arrays = {}});
        }
        layers[place->second].arrays.emplace(name.substr(dot + 1), &array);
    }
    return layers;
}

std::vector<GraphLayer> graphLayers(const std::vector<WeightWant>& wants, const std::vector<FileLayer>& file,
                                    std::string& refusal)
{
    std::set<std::string_view> kinds;
    for (const FileLayer& layer : file) {
        for (const auto& [kind, array] : layer.arrays) {
            kinds.insert(kind);
        }
    }
    const bool nameless = kinds.size() == 1 && kinds.begin()->empty();
    std::vector<GraphLayer> layers;
    std::unordered_map<std::string, std::size_t> places;
    for (const WeightWant& want : wants) {
        const std::string_view kind = kindOf(want, kinds);
        if (kind.empty() && !nameless) {
            refusal = fmt::format("none of its arrays has the kind of '{}'", want.name);
            return {};
        }
        const std::string name = nameless ? std::string(want.name) : layerOf(want, kind);
        const auto [place, isNew] = places.try_emplace(name, layers.size());
        if (isNew) {
            layers.push_back({.name = name, .wants = {}});
        }
        if (!layers[place->second].wants.emplace(kind, &want).second) {
            refusal = fmt::format("'{}' is the second '{}' of its layer", want.name, kind);
            return {};
        }
    }
    return layers;
}

bool fits(const GraphLayer& layer, const FileLayer& arrays)
{
    return std::equal(layer.wants.begin(), layer.wants.end(), arrays.arrays.begin(), arrays.arrays.end(),
                      [](const auto& wanted, const auto& stored) {
                          const auto& shapes = wanted.second->shapes;
                          return wanted.first == stored.first &&
                                 std::all_of(shapes.begin(), shapes.end(), [&](const Shape& shape) {
                                     return fits(shape, stored.second->tensor.dims());
                                 });
                      });
}

} // namespace crosswalk::mxnet
