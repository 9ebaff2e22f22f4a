#include "core/base/program_folder.h"

#include <system_error>

namespace crosswalk {

std::filesystem::path programFolder()
{
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::path() : program.parent_path();
}

} // namespace crosswalk
