#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::pytorch {

/// By the members of the archive.
Match matchExportedProgram(const Probe& probe);
/// Reads a program of torch.export, in both layouts of its archive, into a graph of ATen operators. Throws ModelError
/// "damaged", and "unsupported-version" for a schema that is not known.
LoadedModel readExportedProgram(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
