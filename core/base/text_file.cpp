#include "core/base/text_file.h"

#include "core/base/output_file.h"

namespace crosswalk {

void writeTextFile(const std::filesystem::path& path, std::string_view text)
{
    OutputFile file(path);
    file.write(text);
    file.flush();
    file.publish();
}

} // namespace crosswalk
