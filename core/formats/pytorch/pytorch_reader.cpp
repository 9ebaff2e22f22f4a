#include "core/formats/pytorch/pytorch_reader.h"

#include "core/formats/pytorch/exported_files.h"
#include "core/formats/pytorch/exported_program.h"

namespace crosswalk::pytorch {

Match matchProgram(const Probe& probe)
{
    return exportedFiles(probe.members) ? Match::ByContent : Match::No;
}

LoadedModel readProgram(const ReadRequest& request, const ModelSource& source)
{
    return readExportedProgram(request, source);
}

} // namespace crosswalk::pytorch
