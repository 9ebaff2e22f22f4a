#pragma once

#include "core/base/model_source.h"
#include "core/formats/pytorch/pickle.h"
#include "core/formats/pytorch/torchscript/script_tree.h"
#include "core/formats/pytorch/torchscript/source_ranges.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::pytorch {

/// The code and data of a TorchScript archive. Code files are parsed when they are first needed.
class ScriptProgram {
public:
    /// Throws ModelError "damaged", and "unsupported-version" for a newer archive.
    explicit ScriptProgram(const ModelSource& source);

    /// By qualified name, "__torch__.torch.nn.modules.linear.Linear"; null for an unknown one.
    const ScriptClass* findClass(std::string_view name);
    const ScriptFunction* findFunction(std::string_view name);

    /// `version` of the archive, which selects the meaning of some operators.
    std::int64_t version() const { return m_version; }
    /// The root object, and the tensors of `CONSTANTS`.
    const Pickle& data() const { return m_data; }
    const Pickle& constants() const { return m_constants; }
    /// The inputs with which the model was traced, by method; empty for a script.
    const Pickle& traced() const { return m_traced; }
    /// Whether `model.json` describes the modules, in place of a pickle: archives before 1.4. Their code files have
    /// functions instead of classes, and classes have the name of their file, "code/model.py".
    bool isLegacy() const { return m_isLegacy; }
    /// A file of the archive, relative to its folder.
    std::shared_ptr<const SourceFile> file(const std::string& name) const { return m_source.open(m_folder + name); }
    /// The storage of a key. `folder` is "data" or "constants".
    std::shared_ptr<const SourceFile> storage(std::string_view folder, const std::string& key) const;
    const ModelSource& source() const { return m_source; }
    /// Where a position of a code file comes from, as far as the archive describes it.
    const SourcePlaces& places(const std::string& file, ScriptPosition position);

private:
    const ScriptFile* codeFile(std::string_view modulePath);

    const ModelSource& m_source;
    std::string m_folder; ///< of the archive, "model/"
    std::int64_t m_version = 0;
    bool m_isLegacy = false;
    Pickle m_data;
    Pickle m_constants;
    Pickle m_traced;
    std::map<std::string, ScriptFile, std::less<>> m_files; ///< by module path
    std::map<std::string, ScriptClass, std::less<>> m_legacyClasses;
    std::map<std::string, SourceRanges> m_ranges; ///< by code file
};

/// The folder of a TorchScript archive, "model/", by the names of its files; nothing for any other archive.
std::optional<std::string> scriptFolder(const std::vector<std::string>& names);

} // namespace crosswalk::pytorch
