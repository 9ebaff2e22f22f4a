#include "core/formats/tensorflow/checkpoint/find_checkpoint.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/text_proto.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

constexpr std::string_view indexSuffix = ".index";
constexpr std::string_view stateFile = "checkpoint";

/// The prefix of the latest checkpoint according to the file `checkpoint`; empty without.
std::string latestOf(const ModelSource& source)
{
    if (!source.contains(stateFile)) {
        return {};
    }
    const auto file = source.open(stateFile);
    const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
    try {
        const std::string path = checkpointStatePath(text);
        // Only the file name counts: absolute paths refer to the training machine.
        return path.substr(path.rfind('/') + 1);
    } catch (const ModelError&) {
        return {}; // another file of that name
    }
}

/// The number at the end of a prefix, the step or epoch of training; 0 without.
std::uint64_t stepOf(std::string_view prefix)
{
    const std::size_t last = prefix.find_last_not_of("0123456789");
    const std::string_view digits = prefix.substr(last == std::string_view::npos ? 0 : last + 1);
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

/// Prefixes of all checkpoints directly in the folder, highest number first.
std::vector<std::string> prefixesIn(const ModelSource& source)
{
    std::vector<std::string> prefixes;
    for (const std::string& name : source.list()) {
        if (name.ends_with(indexSuffix) && name.find('/') == std::string::npos) {
            prefixes.push_back(name.substr(0, name.size() - indexSuffix.size()));
        }
    }
    std::stable_sort(prefixes.begin(), prefixes.end(),
                     [](const std::string& a, const std::string& b) { return stepOf(a) > stepOf(b); });
    return prefixes;
}

std::string withIndex(const std::string& prefix)
{
    return prefix + std::string(indexSuffix);
}

FoundCheckpoint latestIn(const ModelSource& source)
{
    if (const std::string latest = latestOf(source); !latest.empty() && source.contains(withIndex(latest))) {
        return {.prefix = latest};
    }
    std::vector<std::string> prefixes = prefixesIn(source);
    if (prefixes.empty()) {
        return {};
    }
    return {.prefix = prefixes.front(), .others = prefixes.size() - 1};
}

} // namespace

NamedCheckpoint namedCheckpoint(const std::filesystem::path& path, const std::stop_token& stop)
{
    if (std::error_code error; std::filesystem::is_directory(path, error)) {
        NamedCheckpoint named{.source = ModelSource::at(path, stop), .prefix = {}};
        const std::string inSavedModel = "variables/variables";
        named.prefix = named.source->contains(withIndex(inSavedModel)) ? inSavedModel : latestIn(*named.source).prefix;
        if (named.prefix.empty()) {
            throw ModelError("unreadable", "the folder contains no checkpoint (a file that ends in .index)");
        }
        return named;
    }
    std::string prefix = path.filename().string();
    if (prefix.ends_with(indexSuffix)) {
        prefix.resize(prefix.size() - indexSuffix.size());
    } else if (const std::size_t data = prefix.find(".data-"); data != std::string::npos) {
        prefix.resize(data);
    }
    return {.source = ModelSource::at(path.parent_path() / withIndex(prefix), stop), .prefix = prefix};
}

FoundCheckpoint findCheckpoint(const ModelSource& source, const std::string& graphFile)
{
    const std::string stem = std::filesystem::path(graphFile).stem().string();
    if (source.contains(withIndex(stem))) {
        return {.prefix = stem};
    }
    return latestIn(source);
}

} // namespace crosswalk::tensorflow
