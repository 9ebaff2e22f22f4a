#include "core/formats/pytorch/torchscript/script_program.h"

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/torchscript/script_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

constexpr std::int64_t newestVersion = 10;

std::string_view textOf(const SourceFile& file)
{
    const auto bytes = file.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t versionOf(const ModelSource& source, const std::string& name)
{
    if (!source.contains(name)) {
        throw ModelError("damaged", fmt::format("the archive has no file {}", name));
    }
    const auto file = source.open(name);
    const std::string_view text = textOf(*file);
    std::int64_t version = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
    if (read.ec != std::errc() || version < 1) {
        throw ModelError("damaged", fmt::format("{} contains no version number", name));
    }
    if (version > newestVersion) {
        throw ModelError("unsupported-version",
                         fmt::format("the archive was written by a newer PyTorch: it has version {}; versions up to {} "
                                     "are supported",
                                     version, newestVersion));
    }
    return version;
}

/// A pickle of an archive. It names classes of the program, and what PyTorch itself writes; nothing is ever called.
Pickle readArchived(const SourceFile& file)
{
    constexpr auto own = std::to_array<std::string_view>(
        {"__torch__", "collections OrderedDict", "torch ", "torch._utils _rebuild_", "torch.jit._pickle "});
    Pickle pickle = readPickle(file.bytes(), file.name());
    for (const std::string& name : pickle.globals) {
        if (std::ranges::none_of(own, [&](std::string_view start) { return name.starts_with(start); })) {
            throw ModelError("damaged",
                             fmt::format("{} refers to {}, which no TorchScript archive contains", file.name(), name));
        }
    }
    return pickle;
}

} // namespace

std::optional<std::string> scriptFolder(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        const std::size_t slash = name.find('/');
        if (slash != std::string::npos && name.substr(slash).starts_with("/code/") && name.ends_with(".py")) {
            const std::string folder = name.substr(0, slash + 1);
            for (const char* description : {"data.pkl", "model.json"}) {
                if (std::find(names.begin(), names.end(), folder + description) != names.end()) {
                    return folder;
                }
            }
        }
    }
    return std::nullopt;
}

ScriptProgram::ScriptProgram(const ModelSource& source)
    : m_source(source)
{
    const auto folder = scriptFolder(source.list());
    if (!folder) {
        throw ModelError("damaged", "the archive has no TorchScript program");
    }
    m_folder = *folder;
    const bool isPackage = !source.contains(m_folder + "version"); // written by torch.package's exporter
    m_version = versionOf(source, m_folder + (isPackage ? ".data/version" : "version"));
    if (source.contains(m_folder + "byteorder") && textOf(*source.open(m_folder + "byteorder")).starts_with("big")) {
        throw ModelError("unsupported-version", "the archive was written by a big-endian machine",
                         "save the model again on a little-endian machine");
    }
    if (source.contains(m_folder + "traced_inputs.pkl")) {
        const auto traced = source.open(m_folder + "traced_inputs.pkl");
        m_traced = readArchived(*traced);
    }
    if (!source.contains(m_folder + "data.pkl")) {
        m_isLegacy = true;
        return;
    }
    const auto data = source.open(m_folder + "data.pkl");
    m_data = readArchived(*data);
    if (source.contains(m_folder + "constants.pkl")) {
        const auto constants = source.open(m_folder + "constants.pkl");
        m_constants = readArchived(*constants);
    }
}

std::shared_ptr<const SourceFile> ScriptProgram::storage(std::string_view folder, const std::string& key) const
{
    const std::string name = fmt::format("{}{}/{}", m_folder, folder, key);
    if (m_source.contains(name)) {
        return m_source.open(name);
    }
    const std::string other = m_folder + key; // keys of newer archives contain the folder
    if (m_source.contains(other)) {
        return m_source.open(other);
    }
    throw ModelError("damaged", fmt::format("the archive has no storage {}", name));
}

const ScriptFile* ScriptProgram::codeFile(std::string_view modulePath)
{
    if (const auto found = m_files.find(modulePath); found != m_files.end()) {
        return &found->second;
    }
    std::string path(modulePath);
    std::replace(path.begin(), path.end(), '.', '/');
    const std::string name = fmt::format("{}code/{}.py", m_folder, path);
    if (!m_source.contains(name)) {
        return nullptr;
    }
    const auto code = m_source.open(name);
    return &m_files.emplace(std::string(modulePath), parseScript(textOf(*code), name)).first->second;
}

const SourcePlaces& ScriptProgram::places(const std::string& file, ScriptPosition position)
{
    const auto [entry, isNew] = m_ranges.try_emplace(file);
    const std::string name = file + ".debug_pkl";
    if (isNew && m_source.contains(name) && m_source.contains(file)) {
        try {
            const auto description = m_source.open(name);
            entry->second = SourceRanges(readPickle(description->bytes(), name), textOf(*m_source.open(file)));
        } catch (const ModelError&) { // the program does not need it
            entry->second = {};
        }
    }
    return entry->second.at(position);
}

const ScriptClass* ScriptProgram::findClass(std::string_view name)
{
    if (m_isLegacy) {
        if (const auto found = m_legacyClasses.find(name); found != m_legacyClasses.end()) {
            return &found->second;
        }
        const std::string path = m_folder + std::string(name);
        if (!name.starts_with("code/") || !m_source.contains(path)) {
            return nullptr;
        }
        const auto code = m_source.open(path);
        ScriptClass made{.name = std::string(name), .base = "Module"};
        made.methods = parseScript(textOf(*code), path).functions;
        return &m_legacyClasses.emplace(std::string(name), std::move(made)).first->second;
    }
    const std::size_t dot = name.rfind('.');
    const ScriptFile* code = dot != std::string_view::npos ? codeFile(name.substr(0, dot)) : nullptr;
    if (code == nullptr) {
        return nullptr;
    }
    const auto found = code->classes.find(name.substr(dot + 1));
    return found != code->classes.end() ? &found->second : nullptr;
}

const ScriptFunction* ScriptProgram::findFunction(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    const ScriptFile* code = dot != std::string_view::npos ? codeFile(name.substr(0, dot)) : nullptr;
    if (code == nullptr) {
        return nullptr;
    }
    const auto found = code->functions.find(name.substr(dot + 1));
    return found != code->functions.end() ? &found->second : nullptr;
}

} // namespace crosswalk::pytorch
