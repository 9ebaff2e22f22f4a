#include "core/formats/keras/weight_file.h"

#include "core/formats/keras/config_value.h"
#include "core/formats/keras/model_config.h"

#include <algorithm>
#include <set>

namespace crosswalk::keras {
namespace {

/// The names of the shards in an index: {"weight_map": {path: name or names}}.
std::set<std::string> shardsOf(const SourceFile& index)
{
    const auto bytes = index.bytes();
    const ConfigValue json = parseConfig({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const ConfigValue* map = json.find("weight_map");
    if (map == nullptr || map->object() == nullptr) {
        damaged("is an index of weights without a weight_map");
    }
    std::set<std::string> names;
    for (const auto& [path, value] : *map->object()) {
        const ConfigList one{value};
        for (const ConfigValue& name : value.list() != nullptr ? *value.list() : one) {
            if (textOf(name).empty()) {
                damaged("is an index of weights in which a shard has no name");
            }
            names.insert(textOf(name));
        }
    }
    return names;
}

} // namespace

bool isShardIndex(std::string_view name)
{
    return name.ends_with(".weights.json");
}

WeightFile::WeightFile(std::shared_ptr<const SourceFile> file)
{
    m_shards.emplace_back(std::move(file));
}

WeightFile::WeightFile(const SourceFile& index, const ModelSource& source)
{
    for (const std::string& name : shardsOf(index)) {
        m_shards.emplace_back(source.open(name));
    }
    if (m_shards.empty()) {
        damaged("is an index of weights without shards");
    }
}

bool WeightFile::contains(const std::string& path) const
{
    return std::ranges::any_of(m_shards, [&](const Hdf5File& shard) { return shard.contains(path); });
}

bool WeightFile::isDataset(const std::string& path) const
{
    return std::ranges::any_of(m_shards, [&](const Hdf5File& shard) { return shard.isDataset(path); });
}

std::vector<std::string> WeightFile::members(const std::string& group) const
{
    std::set<std::string> names;
    for (const Hdf5File& shard : m_shards) {
        if (shard.contains(group)) {
            const auto own = shard.members(group);
            names.insert(own.begin(), own.end());
        }
    }
    return {names.begin(), names.end()};
}

std::optional<std::string> WeightFile::text(const std::string& object, const std::string& attribute) const
{
    for (const Hdf5File& shard : m_shards) {
        if (auto text = shard.text(object, attribute)) {
            return text;
        }
    }
    return std::nullopt;
}

std::optional<std::vector<std::string>> WeightFile::texts(const std::string& object, const std::string& attribute) const
{
    for (const Hdf5File& shard : m_shards) {
        if (auto texts = shard.texts(object, attribute)) {
            return texts;
        }
    }
    return std::nullopt;
}

Tensor WeightFile::tensor(const std::string& path) const
{
    for (const Hdf5File& shard : m_shards) {
        if (shard.isDataset(path)) {
            return shard.tensor(path);
        }
    }
    return m_shards.front().tensor(path); // throws what is wrong
}

} // namespace crosswalk::keras
