#include "core/formats/format_reader.h"

#include "core/base/diagnostic.h"

#include <algorithm>

namespace crosswalk {

Probe::Probe(const ModelSource& model)
    : fileName((model.path().has_filename() ? model.path() : model.path().parent_path()).filename().string())
    , isFolder(model.kind() == ModelSource::Kind::Folder)
    , source(&model)
{
    if (model.main()) {
        bytes = model.main()->bytes();
    }
    if (model.kind() == ModelSource::Kind::Archive) {
        try {
            members = model.list();
        } catch (const ModelError&) {
            members.clear(); // damaged: recognised by its first bytes, and reported when a member is opened
        }
    }
}

bool Probe::contains(std::string_view name) const
{
    return isFolder ? source->contains(name) : std::binary_search(members.begin(), members.end(), name);
}

} // namespace crosswalk
