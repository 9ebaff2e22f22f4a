#include "core/formats/mxnet/npy_zip.h"

#include "core/base/byte_reader.h"
#include "core/base/check_stop.h"
#include "core/base/zip_archive.h"
#include "core/formats/mxnet/npy.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::string_view suffix = ".npy";

} // namespace

bool looksLikeNpyZip(std::span<const std::byte> bytes)
{
    return ZipArchive::firstName(bytes).ends_with(suffix);
}

std::vector<NpyMember> readNpyZip(const std::shared_ptr<const SourceFile>& file, const std::stop_token& stop)
{
    const ZipArchive archive(file);
    std::vector<NpyMember> members;
    for (const ZipMember& member : archive.members()) {
        checkStop(stop);
        if (!member.isStored) {
            throw ModelError("damaged", fmt::format("is a zip archive whose member '{}' is compressed or encrypted",
                                                    member.name.substr(0, 80)));
        }
        if (member.name.ends_with(suffix)) {
            members.push_back({member.name.substr(0, member.name.size() - suffix.size()),
                               readNpy(archive.open(member), member.name)});
        }
    }
    return members;
}

} // namespace crosswalk::mxnet
