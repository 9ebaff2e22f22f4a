#include "core/formats/onnx/carry_metadata.h"

#include "core/onnx/provenance.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace crosswalk {
namespace {

::onnx::StringStringEntryProto& entryOf(::onnx::NodeProto& node, const std::string& key, bool& isNew)
{
    for (auto& entry : *node.mutable_metadata_props()) {
        if (entry.key() == key) {
            isNew = false;
            return entry;
        }
    }
    isNew = true;
    auto* entry = node.add_metadata_props();
    entry->set_key(key);
    return *entry;
}

std::string text(const nlohmann::json& list)
{
    return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); // names need not be UTF-8
}

/// Two lists of sources as one, without repetition.
std::string joined(const std::string& a, const std::string& b)
{
    auto list = nlohmann::json::parse(a, nullptr, false);
    const auto more = nlohmann::json::parse(b, nullptr, false);
    if (!list.is_array() || !more.is_array()) {
        return a;
    }
    for (const auto& name : more) {
        if (std::find(list.begin(), list.end(), name) == list.end()) {
            list.push_back(name);
        }
    }
    return text(list);
}

void setMetadata(::onnx::ModelProto& model, const std::string& key, const std::string& value)
{
    for (auto& entry : *model.mutable_metadata_props()) {
        if (entry.key() == key) {
            entry.set_value(value);
            return;
        }
    }
    auto* entry = model.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
}

} // namespace

bool addProvenance(::onnx::ModelProto& model, const Graph& source)
{
    setMetadata(model, "crosswalk.version", CROSSWALK_VERSION);
    const bool isFirst = !source.metadata.contains("crosswalk.source_format");
    if (isFirst) {
        setMetadata(model, "crosswalk.source_format", source.format);
    }
    return isFirst;
}

void forgetSources(::onnx::GraphProto& graph)
{
    for (auto& node : *graph.mutable_node()) {
        auto& entries = *node.mutable_metadata_props();
        entries.erase(
            std::remove_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.key() == sourceKey; }),
            entries.end());
    }
}

void carryMetadata(const ::onnx::GraphProto& before, const std::vector<std::vector<NodeId>>& sources,
                   ::onnx::GraphProto& after)
{
    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (const NodeId id : sources[i]) {
            for (const auto& given : before.node(static_cast<int>(id.index)).metadata_props()) {
                bool isNew = false;
                auto& entry = entryOf(*after.mutable_node(static_cast<int>(i)), given.key(), isNew);
                if (isNew) {
                    entry.set_value(given.value());
                } else if (given.key() == sourceKey) {
                    entry.set_value(joined(entry.value(), given.value()));
                }
            }
        }
    }
}

} // namespace crosswalk
