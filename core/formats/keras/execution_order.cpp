#include "core/formats/keras/execution_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace crosswalk::keras {
namespace {

/// The calls that the outputs need, each after those that it reads.
std::vector<std::size_t> operandsFirst(std::span<const GraphCall> calls, std::span<const std::size_t> outputs)
{
    std::vector<std::size_t> order;
    std::vector<bool> isSeen(calls.size(), false);
    std::vector<std::pair<std::size_t, std::size_t>> open; // calls, and how many of their operands were visited
    const auto visit = [&](std::size_t call) {
        if (!isSeen[call]) {
            isSeen[call] = true;
            open.emplace_back(call, 0);
        }
    };
    for (const std::size_t output : outputs) {
        visit(output);
        while (!open.empty()) {
            auto& [call, next] = open.back();
            if (next < calls[call].operands.size()) {
                visit(calls[call].operands[next++]);
            } else {
                order.push_back(call);
                open.pop_back();
            }
        }
    }
    return order;
}

} // namespace

std::vector<std::size_t> executionOrder(std::span<const GraphCall> calls, std::span<const std::size_t> outputs)
{
    std::vector<std::optional<std::size_t>> depths(calls.size());
    std::vector<std::size_t> met; // in the order in which they got their first depth
    const auto deepen = [&](std::size_t call, std::size_t depth) {
        if (!depths[call]) {
            met.push_back(call);
        }
        depths[call] = std::max(depths[call].value_or(0), depth);
    };
    std::unordered_map<std::size_t, std::size_t> layerDepths;
    std::vector<std::size_t> order = operandsFirst(calls, outputs);
    std::ranges::reverse(order);
    for (const std::size_t call : order) {
        std::size_t& layerDepth = layerDepths[calls[call].layer];
        deepen(call, layerDepth);
        layerDepth = *depths[call];
        for (const std::size_t operand : calls[call].operands) {
            deepen(operand, *depths[call] + 1);
        }
    }
    std::ranges::stable_sort(met, std::ranges::greater(), [&](std::size_t call) { return *depths[call]; });
    std::vector<std::size_t> places(calls.size());
    std::iota(places.begin(), places.end(), calls.size());
    for (std::size_t i = 0; i < met.size(); ++i) {
        places[met[i]] = i;
    }
    return places;
}

} // namespace crosswalk::keras
