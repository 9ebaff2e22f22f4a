#include "core/formats/pytorch/exported_files.h"

#include "core/formats/pytorch/json_fields.h"
#include "core/formats/pytorch/saved_tensors.h"
#include "core/formats/pytorch/scalar_types.h"
#include "core/formats/pytorch/strided_tensor.h"

#include <algorithm>
#include <array>

namespace crosswalk::pytorch {
namespace {

using Tensors = std::map<std::string, SavedTensor, std::less<>>;

/// A number that may be a SymInt, {"as_int": 3}.
std::int64_t sizeOf(JsonValue value, std::string_view what)
{
    JsonObject object;
    return value.get(object) == simdjson::SUCCESS ? integerOf(field(object, "as_int", what), what)
                                                  : integerOf(value, what);
}

Ints sizesOf(JsonValue value, std::string_view what)
{
    Ints sizes;
    for (const JsonValue item : arrayOf(value, what)) {
        sizes.push_back(sizeOf(item, what));
    }
    return sizes;
}

/// Tensors that a config lists, in files of one folder.
void readConfig(const ModelSource& source, const std::string& folder, const std::string& config, Tensors& tensors)
{
    if (!source.contains(config)) {
        return;
    }
    const auto json = parseJson(*source.open(config));
    for (const auto entry : objectOf(field(objectOf(json->root, config), "config", config), config)) {
        source.checkStop();
        const std::string name(entry.key);
        const JsonObject payload = objectOf(entry.value, name);
        const auto path = textOf(field(payload, "path_name", name), name);
        const auto meta = optionalField(payload, "tensor_meta");
        const auto pickled = optionalField(payload, "use_pickle");
        if (!meta || path.starts_with("custom_obj")) {
            continue;
        }
        const auto file = source.open(folder + std::string(path));
        if (pickled && truthOf(*pickled, name)) {
            const auto saved = savedTensors(file);
            if (saved.size() != 1) {
                throw ModelError("damaged", fmt::format("{} should contain one tensor, {}", file->name(), name));
            }
            tensors.emplace(name, SavedTensor{saved.begin()->second.tensor, file->name()});
            continue;
        }
        const JsonObject description = objectOf(*meta, name);
        StridedView view{.type = fromSchemaType(integerOf(field(description, "dtype", name), name)),
                         .sizes = sizesOf(field(description, "sizes", name), name),
                         .strides = sizesOf(field(description, "strides", name), name)};
        if (const auto offset = optionalField(description, "storage_offset")) {
            view.offset = sizeOf(*offset, name);
        }
        tensors.emplace(name, SavedTensor{stridedTensor(view, file, name), file->name()});
    }
}

} // namespace

std::optional<ExportedFiles> exportedFiles(const std::vector<std::string>& members)
{
    constexpr std::string_view older = "serialized_exported_program.json";
    if (std::find(members.begin(), members.end(), older) != members.end()) {
        return ExportedFiles{.program = std::string(older), .folder = {}, .model = {}, .isOlder = true};
    }
    for (const std::string& member : members) {
        const std::size_t slash = member.find('/');
        constexpr std::string_view models = "models/";
        if (slash != std::string::npos && member.substr(slash + 1).starts_with(models) && member.ends_with(".json")) {
            const std::string folder = member.substr(0, slash + 1);
            const std::string file = member.substr(folder.size() + models.size());
            return ExportedFiles{.program = member,
                                 .folder = folder,
                                 .model = file.substr(0, file.size() - std::string_view(".json").size())};
        }
    }
    return std::nullopt;
}

Tensors exportedTensors(const ModelSource& source, const ExportedFiles& files)
{
    Tensors tensors;
    if (files.isOlder) {
        for (const char* name : {"serialized_state_dict.pt", "serialized_constants.pt"}) {
            const auto file = source.contains(name) ? source.open(name) : nullptr;
            if (!file || file->size() == 0) {
                continue;
            }
            for (auto& [key, saved] : savedTensors(file)) {
                tensors.emplace(key, SavedTensor{std::move(saved.tensor), fmt::format("{}/{}", name, saved.storage)});
            }
        }
        return tensors;
    }
    for (const char* kind : {"weights", "constants"}) {
        const std::string folder = fmt::format("{}data/{}/", files.folder, kind);
        readConfig(source, folder, fmt::format("{}{}_{}_config.json", folder, files.model, kind), tensors);
    }
    return tensors;
}

} // namespace crosswalk::pytorch
