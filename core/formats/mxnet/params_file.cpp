#include "core/formats/mxnet/params_file.h"

#include "core/base/byte_reader.h"
#include "core/base/check_stop.h"
#include "core/formats/mxnet/ndarray.h"
#include "core/formats/mxnet/npy_zip.h"

#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

namespace crosswalk::mxnet {
namespace {

constexpr std::uint64_t listMagic = 0x112;
/// The minimum sizes of an array and of a name; they bound a count read from the file.
constexpr std::uint64_t leastArray = 4;
constexpr std::uint64_t leastName = 8;

std::uint64_t readCount(ByteReader& reader, std::uint64_t least, std::string_view what)
{
    const auto count = reader.read<std::uint64_t>(what);
    if (count > reader.remaining() / least) {
        throw ModelError("truncated", fmt::format("declares {} {}s, but ends after {} bytes", count, what,
                                                  reader.position() + reader.remaining()));
    }
    return count;
}

void setName(StoredArray& array, std::string_view name)
{
    array.auxiliary = name.starts_with("aux:");
    if (array.auxiliary || name.starts_with("arg:")) {
        name.remove_prefix(4);
    }
    array.name = name;
}

std::vector<StoredArray> readList(const std::shared_ptr<const SourceFile>& file, const std::stop_token& stop)
{
    ByteReader reader(file->bytes());
    if (reader.read<std::uint64_t>("header") != listMagic) {
        throw ModelError("damaged", "is not an MXNet weights file: it does not begin like one");
    }
    reader.read<std::uint64_t>("header");
    std::vector<StoredArray> arrays(readCount(reader, leastArray, "array"));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        checkStop(stop);
        arrays[i].tensor = readNdarray(reader, file, fmt::format("array {}", i));
    }
    const std::uint64_t names = readCount(reader, leastName, "name");
    if (names != 0 && names != arrays.size()) {
        throw ModelError("damaged", fmt::format("has {} arrays, but {} names", arrays.size(), names));
    }
    for (std::size_t i = 0; i < names; ++i) {
        setName(arrays[i], reader.text(reader.read<std::uint64_t>("name"), "name"));
    }
    return arrays;
}

void expectDifferentNames(const std::vector<StoredArray>& arrays)
{
    std::set<std::pair<bool, std::string_view>> names;
    for (const StoredArray& array : arrays) {
        if (!array.name.empty() && !names.emplace(array.auxiliary, array.name).second) {
            throw ModelError("damaged", fmt::format("has two arrays named {}", array.name));
        }
    }
}

} // namespace

bool looksLikeParams(std::span<const std::byte> bytes)
{
    if (bytes.size() >= sizeof(std::uint64_t)) {
        return ByteReader(bytes).read<std::uint64_t>("header") == listMagic || looksLikeNpyZip(bytes);
    }
    return false;
}

std::vector<StoredArray> readParams(const std::shared_ptr<const SourceFile>& file, const std::stop_token& stop)
{
    std::vector<StoredArray> arrays;
    if (looksLikeNpyZip(file->bytes())) {
        for (NpyMember& member : readNpyZip(file, stop)) {
            setName(arrays.emplace_back(), member.name);
            arrays.back().tensor = std::move(member.tensor);
        }
    } else {
        arrays = readList(file, stop);
    }
    expectDifferentNames(arrays);
    return arrays;
}

} // namespace crosswalk::mxnet
