#include "core/convert/states.h"

#include "core/onnx/proto.h"
#include "core/onnx/state_metadata.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace crosswalk {
namespace {

const ::onnx::ValueInfoProto* find(const auto& values, const std::string& name)
{
    const auto value = std::find_if(values.begin(), values.end(), [&](const auto& any) { return any.name() == name; });
    return value != values.end() ? &*value : nullptr;
}

/// Whether one value can be fed as the other one, as far as their types are known.
bool agree(const ::onnx::ValueInfoProto& given, const ::onnx::ValueInfoProto& fed)
{
    if (!given.type().has_tensor_type() || !fed.type().has_tensor_type()) {
        return true;
    }
    const auto& a = given.type().tensor_type();
    const auto& b = fed.type().tensor_type();
    if (a.elem_type() != b.elem_type()) {
        return false;
    }
    if (!a.has_shape() || !b.has_shape()) {
        return true;
    }
    return a.shape().dim_size() == b.shape().dim_size() &&
           std::equal(a.shape().dim().begin(), a.shape().dim().end(), b.shape().dim().begin(),
                      [](const auto& x, const auto& y) {
                          return !x.has_dim_value() || !y.has_dim_value() || x.dim_value() == y.dim_value();
                      });
}

} // namespace

void pairStates(Conversion& conversion, const std::map<std::string, std::string>& pairs)
{
    auto& model = conversion.model.frame();
    conversion.states.clear();
    for (const auto& [input, output] : pairs) {
        const auto* fed = find(model.graph().input(), input);
        const auto* given = find(model.graph().output(), output);
        if (fed != nullptr && given != nullptr && agree(*given, *fed)) {
            conversion.states.emplace(input, output);
        }
    }
    auto& metadata = *model.mutable_metadata_props();
    const auto old =
        std::find_if(metadata.begin(), metadata.end(), [](const auto& entry) { return entry.key() == statesKey; });
    if (old != metadata.end()) {
        metadata.erase(old);
    }
    if (!conversion.states.empty()) {
        auto* entry = model.add_metadata_props();
        entry->set_key(statesKey);
        // Names need not be UTF-8.
        entry->set_value(
            nlohmann::json(conversion.states).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
}

std::map<std::string, std::string> statesIn(const std::map<std::string, std::string>& metadata)
{
    const auto entry = metadata.find(statesKey);
    if (entry == metadata.end()) {
        return {};
    }
    const auto parsed = nlohmann::json::parse(entry->second, nullptr, false);
    std::map<std::string, std::string> pairs;
    if (parsed.is_object()) {
        for (const auto& [input, output] : parsed.items()) {
            if (output.is_string()) {
                pairs.emplace(input, output.get<std::string>());
            }
        }
    }
    return pairs;
}

} // namespace crosswalk
