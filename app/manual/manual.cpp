#include "app/manual/manual.h"

#include "app/manual/completions.h"
#include "app/manual/man_pages.h"
#include "core/base/diagnostic.h"
#include "core/base/text_file.h"

#include <fmt/format.h>

namespace crosswalk::manual {

void writeManual(const ProgramDescription& program, const std::filesystem::path& folder)
{
    const auto write = [&](const char* place, const std::string& name, const std::string& text) {
        std::error_code failed;
        std::filesystem::create_directories(folder / place, failed);
        if (failed) {
            throw ModelError("unwritable", fmt::format("{}: {}", (folder / place).string(), failed.message()));
        }
        writeTextFile(folder / place / name, text);
    };
    for (const auto& [name, page] : manPages(program)) {
        write("man/man1", name, page);
    }
    write("bash-completion/completions", program.name, bashCompletion(program));
    write("zsh/vendor-completions", "_" + program.name, zshCompletion(program));
    write("fish/vendor_completions.d", program.name + ".fish", fishCompletion(program));
}

} // namespace crosswalk::manual
