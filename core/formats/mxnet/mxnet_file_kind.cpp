#include "core/formats/mxnet/mxnet_file_kind.h"

#include "core/formats/file_kind.h"
#include "core/formats/mxnet/params_file.h"

namespace crosswalk::mxnet {

std::optional<FileKind> recogniseKind(const Probe& probe)
{
    if (looksLikeParams(probe.bytes)) {
        return FileKind{"an MXNet weights file", "pass the -symbol.json as MODEL and this file as WEIGHTS"};
    }
    if (headOf(probe).starts_with("PK") && hasMemberLike(probe, "MAR-INF")) {
        return FileKind{"an MXNet model archive (.mar)", "unpack it and open the -symbol.json inside"};
    }
    return std::nullopt;
}

std::optional<FileKind> guessKind(const Probe& probe)
{
    const char first = firstCharacter(headOf(probe));
    if (first == '{' || first == '[') {
        return FileKind{"JSON, but not a model", "an MXNet symbol file has the keys \"nodes\" and \"heads\""};
    }
    return std::nullopt;
}

} // namespace crosswalk::mxnet
