#include "tests/fuzz/mutators/mutators.h"

#include <memory>
#include <vector>
#include <zip.h>

namespace crosswalk::fuzz {

namespace {

struct ArchiveMember {
    std::string name;
    std::int32_t method = ZIP_CM_STORE;
    std::string content;
};

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};

using Archive = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;

/// The archive holds a second reference to `source`.
Archive openArchive(const Source& source, int flags)
{
    zip_source_keep(source.get());
    Archive archive(zip_open_from_source(source.get(), flags, nullptr));
    if (!archive) {
        zip_source_free(source.get());
    }
    return archive;
}

std::vector<ArchiveMember> membersOf(std::string_view bytes)
{
    constexpr zip_uint64_t largest = 1 << 20;
    constexpr zip_int64_t most = 1000;
    const Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr));
    const Archive archive = openArchive(source, ZIP_RDONLY);
    std::vector<ArchiveMember> members;
    for (zip_int64_t i = 0; archive && i < std::min(most, zip_get_num_entries(archive.get(), 0)); ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        zip_stat_t found;
        const std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(archive.get(), index, 0));
        if (!file || zip_stat_index(archive.get(), index, 0, &found) != 0 || found.size > largest) {
            continue;
        }
        std::string content(found.size, '\0');
        const zip_int64_t count = zip_fread(file.get(), content.data(), content.size());
        content.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
        members.push_back(
            {found.name, found.comp_method == ZIP_CM_DEFLATE ? ZIP_CM_DEFLATE : ZIP_CM_STORE, std::move(content)});
    }
    return members;
}

bool writeMembers(const std::vector<ArchiveMember>& members, const Source& into)
{
    Archive archive = openArchive(into, ZIP_CREATE | ZIP_TRUNCATE);
    if (!archive) {
        return false;
    }
    for (const ArchiveMember& member : members) {
        zip_source_t* content = zip_source_buffer(archive.get(), member.content.data(), member.content.size(), 0);
        const zip_int64_t index = zip_file_add(archive.get(), member.name.c_str(), content, ZIP_FL_ENC_GUESS);
        if (index < 0) {
            zip_source_free(content); // two members with one name, or an invalid name
            continue;
        }
        zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), member.method, 0);
    }
    if (zip_close(archive.get()) != 0) {
        return false;
    }
    archive.release(); // closed
    return true;
}

std::optional<std::string> contentOf(const Source& source)
{
    zip_stat_t found;
    if (zip_source_open(source.get()) != 0 || zip_source_stat(source.get(), &found) != 0) {
        return std::nullopt;
    }
    std::string bytes(found.size, '\0');
    const zip_int64_t count = zip_source_read(source.get(), bytes.data(), bytes.size());
    zip_source_close(source.get());
    return count == static_cast<zip_int64_t>(bytes.size()) ? std::optional(std::move(bytes)) : std::nullopt;
}

} // namespace

std::optional<std::string> mutatedArchive(std::string_view bytes, Draw& draw)
{
    std::vector<ArchiveMember> members = membersOf(bytes);
    if (members.empty()) {
        return std::nullopt;
    }
    const std::size_t chosen = draw.below(members.size());
    ArchiveMember& member = members[chosen];
    switch (draw.below(20)) {
    case 0:
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(chosen));
        break;
    case 1:
        member.name = mutatedBytes(member.name);
        break;
    case 2:
        member.method = member.method == ZIP_CM_STORE ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
        break;
    case 3:
        member.content = draw.from(members).content;
        break;
    default:
        member.content = mutatedFile(member.content, draw);
    }
    const Source source(zip_source_buffer_create(nullptr, 0, 0, nullptr));
    return writeMembers(members, source) ? contentOf(source) : std::nullopt;
}

} // namespace crosswalk::fuzz
