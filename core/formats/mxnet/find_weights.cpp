#include "core/formats/mxnet/find_weights.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace crosswalk::mxnet {
namespace {

constexpr std::string_view extension = ".params";
constexpr std::size_t leastEpochDigits = 4;

/// 12 of "net-0012.params" for the prefix "net"; nothing for any other name.
std::optional<std::uint64_t> epochOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix) || !name.ends_with(extension) || name.size() < prefix.size() + extension.size()) {
        return std::nullopt;
    }
    name.remove_suffix(extension.size());
    name.remove_prefix(prefix.size());
    if (name.size() < 1 + leastEpochDigits || name.front() != '-') {
        return std::nullopt;
    }
    name.remove_prefix(1);
    std::uint64_t epoch = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), epoch);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(epoch) : std::nullopt;
}

} // namespace

FoundWeights findWeights(const ModelSource& symbol)
{
    constexpr std::string_view mark = "-symbol";
    std::string prefix = symbol.path().stem().string();
    if (prefix.ends_with(mark)) {
        prefix.resize(prefix.size() - mark.size());
    }
    std::vector<std::pair<std::uint64_t, std::string>> epochs;
    for (std::string& name : symbol.list(prefix)) {
        if (const auto epoch = epochOf(name, prefix)) {
            epochs.emplace_back(*epoch, std::move(name));
        }
    }
    std::sort(epochs.begin(), epochs.end());
    FoundWeights found;
    if (!epochs.empty()) {
        found.name = std::move(epochs.back().second);
        epochs.pop_back();
        for (auto& [epoch, name] : epochs) {
            found.others.push_back(std::move(name));
        }
        return found;
    }
    if (std::string plain = prefix + std::string(extension); symbol.contains(plain)) {
        found.name = std::move(plain);
    }
    return found;
}

} // namespace crosswalk::mxnet
