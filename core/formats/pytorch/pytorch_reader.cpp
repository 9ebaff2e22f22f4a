#include "core/formats/pytorch/pytorch_reader.h"

#include "core/formats/pytorch/exported_program.h"
#include "core/formats/pytorch/torchscript/script_program.h"
#include "core/formats/pytorch/torchscript/torchscript_reader.h"

namespace crosswalk::pytorch {

Match matchPytorch(const Probe& probe)
{
    return std::max(matchExportedProgram(probe), matchTorchScript(probe));
}

LoadedModel readPytorch(const ReadRequest& request, const ModelSource& source)
{
    return scriptFolder(source.list()) ? readTorchScript(request, source) : readExportedProgram(request, source);
}

} // namespace crosswalk::pytorch
