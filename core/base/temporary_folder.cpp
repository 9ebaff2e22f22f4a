#include "core/base/temporary_folder.h"

#include "core/base/diagnostic.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace crosswalk {

TemporaryFolder::TemporaryFolder()
{
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "crosswalk-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr) {
        throw ModelError("unwritable", std::string("cannot create a temporary folder: ") + std::strerror(errno));
    }
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace crosswalk
