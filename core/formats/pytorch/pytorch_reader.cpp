#include "core/formats/pytorch/pytorch_reader.h"

#include "core/formats/pytorch/exported_program.h"
#include "core/formats/pytorch/torchscript/torchscript_reader.h"
#include "core/formats/pytorch/weights_reader.h"

#include <algorithm>

namespace crosswalk::pytorch {

Match matchPytorch(const Probe& probe)
{
    return std::max({matchExportedProgram(probe), matchTorchScript(probe), matchWeights(probe)});
}

LoadedModel readPytorch(const ReadRequest& request, const ModelSource& source)
{
    const Probe probe(source);
    if (matchTorchScript(probe) != Match::No) {
        return readTorchScript(request, source);
    }
    return matchExportedProgram(probe) != Match::No ? readExportedProgram(request, source)
                                                    : readWeights(request, source);
}

} // namespace crosswalk::pytorch
