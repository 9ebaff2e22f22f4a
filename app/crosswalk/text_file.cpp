#include "app/crosswalk/text_file.h"

#include "core/base/output_file.h"

namespace crosswalk::app {

void writeTextFile(const std::string& path, std::string_view text)
{
    OutputFile file(path);
    file.write(text);
    file.flush();
    file.publish();
}

} // namespace crosswalk::app
