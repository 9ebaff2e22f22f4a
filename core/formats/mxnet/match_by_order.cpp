#include "core/formats/mxnet/match_by_order.h"

#include "core/formats/mxnet/match_kind.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace crosswalk::mxnet {
namespace {

using Wants = std::vector<WeightWant>;
using Arrays = std::vector<const StoredArray*>;

struct Group {
    Wants wants;
    Arrays arrays;
};

/// The arrays by kind, each kind with the variables that are of it and of no longer one.
std::map<std::string_view, Group> groupByKind(const Wants& wants, const Arrays& arrays, std::string& refusal)
{
    std::map<std::string_view, Group> groups;
    for (const StoredArray* array : arrays) {
        groups[kindOf(array->name)].arrays.push_back(array);
    }
    for (const WeightWant& want : wants) {
        Group* best = nullptr;
        std::size_t length = 0;
        for (auto& [kind, group] : groups) {
            if (isOfKind(want, kind) && (best == nullptr || kind.size() > length)) {
                best = &group;
                length = kind.size();
            }
        }
        if (best == nullptr) {
            refusal = fmt::format("none of its arrays is of a kind with '{}'", want.name);
            return {};
        }
        best->wants.push_back(want);
    }
    return groups;
}

/// "features.0" of "features.0.weight", "dense0" of "dense0_weight": what the weights of one layer have in common.
std::string_view layerOf(std::string_view name, std::string_view kind)
{
    return name.ends_with(kind) && name.size() > kind.size() ? name.substr(0, name.size() - kind.size() - 1)
                                                             : std::string_view();
}

/// Weights of one layer in the file must be weights of one layer in the graph.
bool keepsLayers(const Graph& graph, const OrderMatch& match, std::string& refusal)
{
    std::map<std::string_view, std::string_view> layers;
    for (const auto& [value, array] : match.pairs) {
        if (array->name.empty()) {
            continue;
        }
        const auto kind = kindOf(array->name);
        const auto here = layerOf(graph.value(value).name, kind);
        const auto [known, isNew] = layers.try_emplace(layerOf(array->name, kind), here);
        if (!isNew && !here.empty() && !known->second.empty() && known->second != here) {
            refusal = fmt::format("the arrays of '{}' would fall on '{}' and '{}'", known->first, known->second, here);
            return false;
        }
    }
    return true;
}

OrderMatch matchGroups(const Graph& graph, const Wants& wants, const Arrays& arrays)
{
    OrderMatch match;
    auto groups = groupByKind(wants, arrays, match.refusal);
    for (auto& [kind, group] : groups) {
        const auto matched = matchKind(graph, group.wants, group.arrays, match.refusal);
        if (!match.refusal.empty()) {
            return match;
        }
        for (std::size_t i = 0; i < matched.size(); ++i) {
            match.pairs.emplace_back(group.wants[i].value, matched[i]);
        }
    }
    if (match.refusal.empty()) {
        keepsLayers(graph, match, match.refusal);
    }
    return match;
}

/// The places of the variables in a list that has the auxiliary states after all else.
std::vector<std::size_t> placesWithAuxiliaryLast(const Wants& wants)
{
    const auto isAuxiliary = [](const WeightWant& want) { return want.slotKind == SlotKind::Auxiliary; };
    auto nextAuxiliary =
        wants.size() - static_cast<std::size_t>(std::count_if(wants.begin(), wants.end(), isAuxiliary));
    std::size_t next = 0;
    std::vector<std::size_t> places;
    for (const WeightWant& want : wants) {
        places.push_back(isAuxiliary(want) ? nextAuxiliary++ : next++);
    }
    return places;
}

bool allFit(const Wants& wants, const Arrays& arrays)
{
    for (std::size_t i = 0; i < wants.size(); ++i) {
        if (!fits(wants[i], arrays[i]->tensor)) {
            return false;
        }
    }
    return true;
}

/// A list without names was written in the order of the graph, or with the auxiliary states last. Where both are
/// possible they must be the same.
OrderMatch matchPlainList(const Graph& graph, const Wants& wants, const Arrays& arrays)
{
    Arrays otherwise;
    for (const std::size_t place : placesWithAuxiliaryLast(wants)) {
        otherwise.push_back(arrays[place]);
    }
    const bool other = otherwise != arrays && allFit(wants, otherwise);
    if (!allFit(wants, arrays)) {
        return matchGroups(graph, wants, otherwise);
    }
    if (other) {
        return {.pairs = {}, .refusal = "its arrays may be in the order of the graph or have auxiliary states last"};
    }
    return matchGroups(graph, wants, arrays);
}

} // namespace

bool areStructural(const std::vector<StoredArray>& arrays)
{
    return std::all_of(arrays.begin(), arrays.end(), [](const StoredArray& array) {
        return array.name.empty() || array.name.find('.') != std::string::npos;
    });
}

OrderMatch matchByOrder(const BuiltGraph& built, const std::vector<StoredArray>& arrays)
{
    Arrays stored;
    for (const StoredArray& array : arrays) {
        stored.push_back(&array);
    }
    Wants wants = weightWants(built, false);
    if (wants.size() < stored.size()) {
        wants = weightWants(built, true);
    }
    if (wants.size() != stored.size()) {
        return {.pairs = {},
                .refusal = fmt::format("it has {} arrays, and the model {} weights", stored.size(), wants.size())};
    }
    const bool named =
        std::any_of(stored.begin(), stored.end(), [](const auto* array) { return !array->name.empty(); });
    return named ? matchGroups(built.graph, wants, stored) : matchPlainList(built.graph, wants, stored);
}

} // namespace crosswalk::mxnet
